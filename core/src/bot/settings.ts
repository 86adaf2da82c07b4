// Owns what of a bot its owner may change while it runs: where it begins and ends, whether it follows the price. Moves
// nothing.
import { canExit, EXIT_BPS_MAX, EXIT_BPS_MIN } from "@clockwork/kit/grid/exit";
import type { Lattice } from "@clockwork/kit/grid/infinity";
import type { GridKind } from "@clockwork/kit/grid/plan";
import type { GridLines } from "@clockwork/kit/grid/rule";
import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import { commandPlaces } from "../protocol/command.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "../state/core.ts";
import {
  BO_BEST,
  BO_EXIT,
  BO_KEEPS,
  BO_STOP_ABOVE,
  BO_STOP_BELOW,
  BO_TRAIL_DOWN,
  BO_TRAIL_OVER,
  BO_TRAIL_UP,
  BO_TRIGGER,
  BOF_ENDS,
} from "./state/records.ts";

const CREATE_BOT = commandPlaces("createBot");

/** Where both commands have them: trigger, stops and bounds in words, the end's time in a double, a flag. */
const SETTINGS = [
  [BO_TRIGGER, CREATE_BOT.triggerTicks],
  [BO_STOP_ABOVE, CREATE_BOT.stopAboveTicks],
  [BO_STOP_BELOW, CREATE_BOT.stopBelowTicks],
  [BO_TRAIL_UP, CREATE_BOT.trailUpTicks],
  [BO_TRAIL_DOWN, CREATE_BOT.trailDownTicks],
] as const;
/** A range of fewer cells has no middle left when it moves. */
const TRAIL_CELLS_MIN = 5;

/**
 * An infinity grid follows by itself, and may stop at any price above the one it was made at. What a running bot has already is
 * right however its range has moved since: its edge may have come to a bound, or beyond a stop.
 */
export function checkSettings(core: Core, kind: GridKind, lines: GridLines, lattice?: Lattice, bot = 0): number {
  const isKept = (word: number, ticks: number): boolean => bot !== 0 && core.bots.bots.word(bot, word) === ticks;
  const [, above, below, up, down] = SETTINGS.map(([, member]) => core.readWord(member)) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const bottom = lattice?.lowTicks ?? (lines.at(0) as number);
  const top = lattice?.highTicks ?? (lines.at(lines.length - 1) as number);
  if (lattice !== undefined && (up !== 0 || down !== 0)) return REJECT.GRID_TRAIL_INVALID;
  for (const [, member] of SETTINGS) {
    const ticks = core.readWord(member);
    if (ticks < 0 || ticks > PRICE_TICKS_MAX) return REJECT.INVALID_PRICE;
  }
  if (above !== 0 && above <= top && !isKept(BO_STOP_ABOVE, above)) return core.refuse(REJECT.GRID_STOP_INSIDE, top);
  if (below >= bottom && !isKept(BO_STOP_BELOW, below)) return core.refuse(REJECT.GRID_STOP_INSIDE, bottom);
  const isUpWrong = up !== 0 && up <= top && !isKept(BO_TRAIL_UP, up);
  if (isUpWrong || (down >= bottom && !isKept(BO_TRAIL_DOWN, down))) return REJECT.GRID_TRAIL_INVALID;
  if ((up !== 0 || down !== 0) && lines.length - 1 < TRAIL_CELLS_MIN)
    return core.refuse(REJECT.GRID_COUNT_INVALID, TRAIL_CELLS_MIN);
  const exitBps = core.readWord(CREATE_BOT.exitBps);
  if (exitBps !== 0 && !(canExit(kind) && exitBps >= EXIT_BPS_MIN && exitBps <= EXIT_BPS_MAX))
    return REJECT.GRID_EXIT_INVALID;
  const endsAt = core.readDouble(CREATE_BOT.endsAt);
  return endsAt === 0 || endsAt > core.now ? 0 : REJECT.INVALID_EXPIRY;
}

export function writeSettings(core: Core, bot: number): void {
  const { bots } = core.bots;
  for (const [word, member] of SETTINGS) bots.setWord(bot, word, core.readWord(member));
  const exitBps = core.readWord(CREATE_BOT.exitBps);
  // Another distance counts from the price it is set at.
  if (exitBps !== bots.word(bot, BO_EXIT)) bots.setWord(bot, BO_BEST, 0);
  bots.setWord(bot, BO_EXIT, exitBps);
  bots.setWord(bot, BO_KEEPS, core.readByte(CREATE_BOT.keeps) === 0 ? 0 : 1);
  bots.setWord(bot, BO_TRAIL_OVER, 0);
  bots.setDouble(bot, BOF_ENDS, core.readDouble(CREATE_BOT.endsAt));
}
