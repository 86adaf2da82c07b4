// Owns the measurement of marks over many open positions: how long a mark without liquidations takes, and how long it
// takes to find the positions to liquidate, on the clock and without the thread's wait for a core. The run counts only
// when the invariants hold at its end.
import { readFileSync } from "node:fs";
import { checkInvariants } from "@clockwork/core/inspect/invariants";
import { coreOf, createMachine } from "@clockwork/core/machine/machine";
import { M_MARK, MARKET_SHIFT } from "@clockwork/core/market/markets";
import { reviewReached } from "@clockwork/core/perp/margin/watch";
import { encodeCommand, stampCommand } from "@clockwork/core/protocol/codec";
import { createPerpStage, type PerpStage } from "@clockwork/core/testing/perp-stage";
import { createRandom, type Random } from "@clockwork/kit/random";

const HOLDERS = 100_000;
const CALM_MARKS = 200;
const FALLING_MARKS = 100;
/** Marks before it counts: the compiler must have seen them. */
const WARM_MARKS = 50;
const MIDDLE = 500_000;

/** Milliseconds: without waiting for a core, and the worst on the clock. */
export interface Spread {
  readonly median: number;
  readonly p90: number;
  readonly p99: number;
  readonly worst: number;
  readonly worstOnClock: number;
  readonly count: number;
}

export interface Marks {
  readonly commandsSinceGrowth: Spread;
  readonly finding: Spread;
  readonly foundMost: number;
  readonly liquidated: number;
  readonly microsEach: number;
}

interface Took {
  readonly clock: number;
  readonly own: number;
}

function spreadOf(times: readonly Took[]): Spread {
  const sorted = times.map(({ own }) => own).sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const worstOnClock = Math.max(...times.map(({ clock }) => clock));
  return { median: at(0.5), p90: at(0.9), p99: at(0.99), worst: at(1), worstOnClock, count: times.length };
}

/** Milliseconds this thread has been ready and waited for a core, where Linux reports them. */
function waitedMs(): number {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "latin1").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}

function time(work: () => void): Took {
  const waited = waitedMs();
  const start = performance.now();
  work();
  const clock = performance.now() - start;
  return { clock, own: Math.max(0, clock - (waitedMs() - waited)) };
}

/** 100 000 levered holders, half of them isolated, all of one entry price: the same leverage is reached together. */
function createHolders(random: Random): PerpStage {
  const stage = createPerpStage(
    createMachine({ orderCapacity: 4_096, accountCapacity: HOLDERS, eventCapacity: 65_536 }),
    { restingMax: 1_000_000 },
  );
  const maker = stage.trader(8 * 10 ** 15);
  const quiet = { kind: "placeOrder", market: stage.linear, price: MIDDLE } as const;
  const fund = { account: 2, asset: stage.usdt, business: "adjustment", units: 10 ** 12, reference: "fund" } as const;
  stage.send({ kind: "mint", ...fund });
  for (let i = 0; i < HOLDERS; i++) {
    const account = stage.trader(random.between(60_000_000, 400_000_000));
    stage.send({ kind: "setLeverage", account, market: stage.linear, long: random.between(5, 100) });
    if (i % 2 === 0) stage.send({ kind: "setMarginMode", account, market: stage.linear, isolated: true });
    const long = random.chance(1, 2);
    stage.send({ ...quiet, account: maker, side: long ? "sell" : "buy", quantity: 10 });
    stage.send({ ...quiet, account, side: long ? "buy" : "sell", quantity: 10 });
  }
  stage.send({ kind: "setReferencePrice", market: stage.linear, markTicks: MIDDLE });
  return stage;
}

export function measureMarks(): Marks {
  const random = createRandom(7);
  const stage = createHolders(random);
  const core = coreOf(stage.machine);
  globalThis.gc?.();
  const bytes = new Uint8Array(256);
  const view = new DataView(bytes.buffer);
  const commandsSinceGrowth: Took[] = [];
  const finding: Took[] = [];
  let [foundMost, liquidated, liquidatingMs] = [0, 0, 0];
  let ticks = MIDDLE;
  for (let i = 0 - WARM_MARKS; i < CALM_MARKS + FALLING_MARKS; i++) {
    ticks += i < CALM_MARKS ? random.between(-60, 60) : random.between(-180, 0);
    // First only found, as the command does it; they are watched again in place, and the command ends them.
    const due: number[] = [];
    core.markets.words[(stage.linear << MARKET_SHIFT) | M_MARK] = ticks;
    const found = time(() => reviewReached(core, stage.linear, due));
    encodeCommand({ kind: "setReferencePrice", market: stage.linear, markTicks: ticks }, bytes);
    stampCommand(view, 0, stage.machine.sequence + 1, stage.time);
    stage.machine.events.clear();
    const applied = time(() => stage.machine.apply(bytes, 0));
    if (i < 0) continue;
    if (due.length === 0)
      commandsSinceGrowth.push({ clock: found.clock + applied.clock, own: found.own + applied.own });
    else {
      finding.push(found);
      liquidatingMs += applied.clock;
    }
    foundMost = Math.max(foundMost, due.length);
    liquidated += due.length;
  }
  const [broken] = checkInvariants(stage.machine);
  if (broken !== undefined) throw new Error(`broken: ${JSON.stringify(broken)}`);
  const microsEach = liquidated === 0 ? 0 : (liquidatingMs * 1_000) / liquidated;
  return {
    commandsSinceGrowth: spreadOf(commandsSinceGrowth),
    finding: spreadOf(finding),
    foundMost,
    liquidated,
    microsEach,
  };
}
