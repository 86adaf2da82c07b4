// Owns the measurement of marks over many open positions: how long a mark that liquidates nobody takes, and how long it
// takes to find those it liquidates, on the clock and in the thread's own time. The run counts only when the invariants
// hold at its end.
import { encodeCommand, stampCommand } from "@clockwork/core/codec";
import { checkInvariants } from "@clockwork/core/invariants";
import { coreOf, createMachine } from "@clockwork/core/machine";
import { M_MARK, MARKET_SHIFT } from "@clockwork/core/market/markets";
import { reviewReached } from "@clockwork/core/perp/watch";
import { createPerpStage, type PerpStage } from "@clockwork/core/perp-stage";
import { createRandom, type Random } from "@clockwork/kit/random";

const HOLDERS = 100_000;
const CALM_MARKS = 200;
const FALLING_MARKS = 100;
/** Marks before it counts: the compiler must have seen them. */
const WARM_MARKS = 50;
const MIDDLE = 500_000;

export interface Spread {
  readonly median: number;
  readonly p90: number;
  readonly worst: number;
}

export interface Marks {
  readonly calm: Spread;
  readonly finding: Spread;
  /** The worst in the thread's own time, which waiting for a core does not lengthen. */
  readonly worstThread: number;
  readonly foundMost: number;
  readonly liquidated: number;
  readonly microsEach: number;
}

function spreadOf(times: readonly number[]): Spread {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { median: at(0.5), p90: at(0.9), worst: at(1) };
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
  const calm: number[] = [];
  const finding: number[] = [];
  let [worstThread, foundMost, liquidated, liquidatingMs] = [0, 0, 0, 0];
  let ticks = MIDDLE;
  for (let i = 0 - WARM_MARKS; i < CALM_MARKS + FALLING_MARKS; i++) {
    ticks += i < CALM_MARKS ? random.between(-60, 60) : random.between(-180, 0);
    // First only found, as the command does it; they are watched again where they stand, and the command ends them.
    const due: number[] = [];
    core.markets.words[(stage.linear << MARKET_SHIFT) | M_MARK] = ticks;
    const thread = process.threadCpuUsage();
    const start = performance.now();
    reviewReached(core, stage.linear, due);
    const found = performance.now();
    const spent = process.threadCpuUsage(thread);
    encodeCommand({ kind: "setReferencePrice", market: stage.linear, markTicks: ticks }, bytes);
    stampCommand(view, 0, stage.machine.sequence + 1, stage.time);
    stage.machine.events.clear();
    const before = performance.now();
    stage.machine.apply(bytes, 0);
    const took = performance.now() - before;
    if (i < 0) continue;
    worstThread = Math.max(worstThread, (spent.user + spent.system) / 1_000);
    if (due.length === 0) calm.push(found - start + took);
    else {
      finding.push(found - start);
      liquidatingMs += took;
    }
    foundMost = Math.max(foundMost, due.length);
    liquidated += due.length;
  }
  const [broken] = checkInvariants(stage.machine);
  if (broken !== undefined) throw new Error(`broken: ${JSON.stringify(broken)}`);
  const microsEach = liquidated === 0 ? 0 : (liquidatingMs * 1_000) / liquidated;
  return { calm: spreadOf(calm), finding: spreadOf(finding), worstThread, foundMost, liquidated, microsEach };
}
