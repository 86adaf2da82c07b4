// Owns the comparison of what a bot of the core tells of its profit with what its fills come to, to the unit, through partial fills,
// gaps and restarts. For tests and long runs; never part of a running exchange.
import { assert } from "@clockwork/kit/assert";
import { isSpotGrid } from "@clockwork/kit/grid/plan";
import { drawWalk, type GridWalk } from "@clockwork/kit/grid/walk-fixture";
import { BOF_TAKEN } from "../bot/state/records.ts";
import { coreOf, createMachine } from "../machine/machine.ts";
import { type BotStage, createBotStage } from "./bot-stage.ts";
import { Calculation } from "./fill-calculation.ts";
import { walkSteps } from "./fill-walk.ts";
import { liveFigures } from "./grid-reference.ts";

export interface FillWalkResult {
  /** What differs first; undefined when nothing does. */
  readonly difference: string | undefined;
  readonly kind: string;
  readonly status: string;
  readonly pairs: number;
  /** Fills that left their order open, restarts, and the most fills of one command. */
  readonly parts: number;
  readonly restarts: number;
  readonly mostLines: number;
  readonly stage: BotStage;
  readonly walk: GridWalk;
  readonly calculation: Calculation;
}

export function runFillWalk(seed: number): FillWalkResult {
  const walk = drawWalk(seed);
  const isSpot = isSpotGrid(walk.requested.kind);
  const stage = createBotStage(createMachine());
  const [market, source] = isSpot ? [stage.spot, stage.user] : [stage.linear, stage.futures];
  const [maker, other] = isSpot ? stage.spotMakers : stage.futuresMakers;
  const before = [stage.balance(source).available, stage.balance(source, stage.btc).available] as const;
  const calculation = new Calculation(walk, market);
  let difference: string | undefined;
  let [looks, restarts] = [0, 0];
  for (const step of walkSteps(walk, seed, { market, contract: stage.linear, source, maker, other }, calculation)) {
    if (step.kind === "send") calculation.observe(stage.sure(step.command));
    else if (step.kind === "wait") {
      stage.time += step.ms;
      calculation.observe(stage.sure({ kind: "tick" }));
    } else if (step.kind === "restart") {
      restarts++;
      restart(stage, restarts % 2 === 0);
    } else {
      looks++;
      difference = calculation.account === 0 ? undefined : compare(looks, stage, walk, calculation, source, before);
      if (difference !== undefined) break;
    }
  }
  const { status, parts, mostLines } = calculation;
  const { pairs } = calculation.computed;
  return { difference, kind: walk.requested.kind, status, pairs, parts, restarts, mostLines, stage, walk, calculation };
}

/** From a snapshot, or as after a kill from nothing but the journal. */
function restart({ machine, journal }: BotStage, byJournal: boolean): void {
  const hash = machine.stateHash();
  if (byJournal) {
    const replayed = createMachine();
    for (const command of journal) {
      replayed.events.clear();
      replayed.apply(command, 0);
    }
    assert(replayed.stateHash() === hash, "WALK-1", "a replay of the journal has another state");
    machine.restore(replayed.snapshot());
  } else machine.restore(machine.snapshot());
  assert(machine.stateHash() === hash, "WALK-2", "a restart has another state");
}

function compare(
  look: number,
  stage: BotStage,
  walk: GridWalk,
  calculation: Calculation,
  source: number,
  before: readonly [number, number],
): string | undefined {
  const { account, bot, ticks } = calculation;
  const live = liveFigures(stage, { account, bot }, walk, ticks, source, before);
  // What is over has given back everything, what was taken out included.
  const takenUnits = live.status === "CLOSED" ? 0 : coreOf(stage.machine).bots.bots.double(bot, BOF_TAKEN);
  const totalUnits = live.equityUnits - live.investedUnits + takenUnits;
  const shown = {
    pairs: live.pairs,
    gridUnits: live.gridUnits,
    feesUnits: live.feesUnits,
    totalUnits,
    floatUnits: totalUnits - live.gridUnits,
  };
  const wanted = Object.fromEntries(Object.entries(calculation.computed).map(([name, value]) => [name, Number(value)]));
  const [one, two] = [JSON.stringify(shown), JSON.stringify(wanted)];
  return one === two ? undefined : `look ${look} (${live.status}): shown ${one}, of the fills ${two}`;
}
