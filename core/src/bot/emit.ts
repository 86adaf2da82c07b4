// Owns the writing of bots' events. Never decides what happened.
import { EVENTS } from "../protocol/event.ts";
import { BOT_CHANGES } from "../protocol/names.ts";
import type { Core } from "../state/core.ts";
import {
  BO_ACCOUNT,
  BO_CELLS,
  BO_EXIT,
  BO_FIRST,
  BO_KEEPS,
  BO_KIND,
  BO_LATTICE_CELLS,
  BO_LATTICE_HIGH,
  BO_LATTICE_LOW,
  BO_LEVERAGE,
  BO_MARKET,
  BO_REASON,
  BO_SOURCE,
  BO_SPACING,
  BO_STATUS,
  BO_STOP_ABOVE,
  BO_STOP_BELOW,
  BO_TRAIL_DOWN,
  BO_TRAIL_UP,
  BO_TRIGGER,
  BOF_ENDS,
  BOF_FEES,
  BOF_INVESTED,
  BOF_LOTS,
  BOF_TAKEN,
  CE_LOW,
} from "./state/records.ts";

export type BotChange = (typeof BOT_CHANGES)[number];

export function emitBot(core: Core, bot: number, change: BotChange, ticks: number): void {
  const { bots, cells } = core.bots;
  const account = bots.word(bot, BO_ACCOUNT);
  const flags = bots.word(bot, BO_STATUS) | (bots.word(bot, BO_REASON) << 8);
  const record = core.events.openClean(
    EVENTS.botChanged.kind,
    BOT_CHANGES.indexOf(change),
    flags,
    account,
    core.sequence,
  );
  const first = bots.word(bot, BO_FIRST);
  const at = record << 4;
  core.events.i32[at | 4] = bot;
  core.events.i32[at | 5] = ticks;
  core.events.i32[at | 6] = cells.word(first, CE_LOW);
  core.events.i32[at | 7] = cells.word(first + bots.word(bot, BO_CELLS), CE_LOW);
  core.events.f64[(record << 3) | 4] = bots.double(bot, BOF_LOTS);
  core.events.f64[(record << 3) | 5] = bots.double(bot, BOF_INVESTED);
  core.events.f64[(record << 3) | 6] = bots.double(bot, BOF_TAKEN);
  core.events.f64[(record << 3) | 7] = bots.double(bot, BOF_FEES);
}

/** Every term, so that whoever keeps the events needs no command. */
export function emitTerms(core: Core, bot: number): void {
  const { bots } = core.bots;
  const flags = bots.word(bot, BO_SPACING) | (bots.word(bot, BO_KEEPS) << 8);
  const account = bots.word(bot, BO_ACCOUNT);
  const record = core.events.openClean(EVENTS.botTerms.kind, bots.word(bot, BO_KIND), flags, account, core.sequence);
  const words = [BO_MARKET, BO_CELLS, BO_SOURCE, BO_LEVERAGE, BO_TRIGGER, BO_STOP_ABOVE, BO_STOP_BELOW, BO_TRAIL_UP];
  core.events.i32[(record << 4) | 4] = bot;
  for (const [i, word] of [...words, BO_TRAIL_DOWN].entries())
    core.events.i32[(record << 4) + 5 + i] = bots.word(bot, word);
  core.events.i32[(record << 4) | 8] = bots.word(bot, BO_LEVERAGE) | (bots.word(bot, BO_EXIT) << 16);
  if (bots.word(bot, BO_LATTICE_CELLS) !== 0) {
    core.events.i32[(record << 4) | 12] = bots.word(bot, BO_LATTICE_HIGH);
    core.events.i32[(record << 4) | 13] = bots.word(bot, BO_LATTICE_LOW);
  }
  core.events.f64[(record << 3) | 7] = bots.double(bot, BOF_ENDS);
}
