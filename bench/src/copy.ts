// One fill of a leader with a thousand followers (COPY-3): the core's time until every copy is made, and how long
// orders of another market wait during it, compared with the same orders while nothing is copied. By the clock, without
// the rounds in which this process lost its core. Exits with 1 when a bar is missed or a copy is missing. Run alone:
// node --conditions=development bench/src/copy.ts [followers] [fills].
import process from "node:process";
import { createMachine } from "@clockwork/core/machine/machine";
import { encodeCommand, stampCommand } from "@clockwork/core/protocol/codec";
import type { Command } from "@clockwork/core/protocol/command";
import { EVENT_BYTES, EVENTS } from "@clockwork/core/protocol/event";
import { COIN, createCopyStage } from "@clockwork/core/testing/copy-stage";

const FOLLOWERS = Number(process.argv[2] ?? 1_000);
const FILLS = Number(process.argv[3] ?? 200);
const WARM = 20;
const MARK = 500_000;
/** Orders of the other market come this often, in the core's own time: ten thousand a second. */
const EVERY_MS = 0.1;
const FILL_MS = 20;
const WAIT_MS = 5;

const machine = createMachine();
const stage = createCopyStage(10_000_000, machine);
const bytes = new Uint8Array(8_192);
const view = new DataView(bytes.buffer);
let copies = 0;

/** Milliseconds a command takes. */
function apply(command: Command): number {
  encodeCommand(command, bytes);
  stampCommand(view, 0, machine.sequence + 1, stage.time);
  machine.events.clear();
  const before = performance.now();
  machine.apply(bytes, 0);
  const took = performance.now() - before;
  for (let at = 0; at < machine.events.length; at += EVENT_BYTES)
    if (machine.events.bytes[at] === EVENTS.copyPlaced.kind) copies++;
  return took;
}

for (let i = 0; i < FOLLOWERS; i++) stage.follower({ units: 100 * COIN, mode: "multiplier", multiplier: 10_000_000 });
const buyer = stage.open("spot", 1_000_000 * COIN);
apply({ kind: "placeOrder", account: stage.spotMaker, market: stage.spot, side: "sell", price: MARK, quantity: 1e8 });
/** A small buy on spot: filled at once, as most orders that hurry are. */
const other = (): number =>
  apply({ kind: "placeOrder", account: buyer, market: stage.spot, side: "buy", price: MARK, quantity: 1 });

function prepare(side: "buy" | "sell"): Command {
  const price = side === "buy" ? MARK : MARK - 10;
  const order = { kind: "placeOrder", market: stage.linear, price } as const;
  apply({ kind: "cancelAll", account: stage.maker });
  apply({
    ...order,
    account: stage.maker,
    side: side === "buy" ? "sell" : "buy",
    quantity: FOLLOWERS * 2 + 10,
  });
  return { ...order, account: stage.leader, side, quantity: 10 };
}

interface Round {
  /** Of the leader's command and the ticks behind it. */
  readonly spentMs: number;
  readonly longestMs: number;
  /** Whether another process had the core during the round: processor time is too coarse to measure how long. */
  readonly isDisturbed: boolean;
  /** From when an order of the other market came until it was done. */
  readonly waitedMs: readonly number[];
}

/** The host's turns in virtual time: commands that arrived by then are applied before the next tick. */
function fill(command: Command): Round {
  const switches = process.resourceUsage().involuntaryContextSwitches;
  let nowMs = 0;
  let spentMs = 0;
  let longestMs = 0;
  let came = 0;
  const waitedMs: number[] = [];
  let next: Command | undefined = command;
  while (next !== undefined) {
    const took = apply(next);
    nowMs += took;
    spentMs += took;
    longestMs = Math.max(longestMs, took);
    for (; came * EVERY_MS <= nowMs; came++) {
      nowMs += other();
      waitedMs.push(nowMs - came * EVERY_MS);
    }
    next = machine.nextTimerAt <= machine.now ? { kind: "tick" } : undefined;
  }
  const isDisturbed = process.resourceUsage().involuntaryContextSwitches !== switches;
  return { spentMs, longestMs, isDisturbed, waitedMs };
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;
const print = (name: string, values: readonly number[], bar?: number): boolean => {
  const [p50, p99, most] = [quantile(values, 0.5), quantile(values, 0.99), Math.max(...values)];
  const must = bar === undefined ? "" : `  (must ${bar} ms)`;
  const figures = [p50, p99, most].map((value) => value.toFixed(3).padStart(8));
  console.log(`  ${name.padEnd(44)} p50 ${figures[0]}  p99 ${figures[1]}  max ${figures[2]} ms${must}`);
  return bar === undefined || p99 <= bar;
};

const rounds: Round[] = [];
const alone: number[] = [];
let used = 0;
for (let i = 0; i < FILLS + WARM; i++) {
  const command = prepare(i % 2 === 0 ? "buy" : "sell");
  const startedAt = process.threadCpuUsage();
  const round = fill(command);
  const { user, system } = process.threadCpuUsage(startedAt);
  // As many of the same orders while nothing is copied.
  const quiet = round.waitedMs.map(() => other());
  if (i < WARM) continue;
  used += (user + system) / 1_000;
  if (round.isDisturbed) continue;
  rounds.push(round);
  alone.push(...quiet);
}
console.log(`one leader, ${FOLLOWERS} followers, ${FILLS} fills: ${copies} copies with those that warm up`);
console.log(
  `  ${rounds.length} rounds undisturbed; ${(used / FILLS).toFixed(2)} ms of processor time a fill over all of them`,
);
const isQuick = print(
  "a fill with all its copies",
  rounds.map(({ spentMs }) => spentMs),
  FILL_MS,
);
print(
  "the longest command of a fill",
  rounds.map(({ longestMs }) => longestMs),
);
const waited = rounds.flatMap(({ waitedMs }) => waitedMs);
const isShort = print("another market's order during copies", waited, WAIT_MS);
print("the same order alone", alone);
const isWhole = copies === FOLLOWERS * (FILLS + WARM);
if (!isWhole) console.log(`  ${FOLLOWERS * (FILLS + WARM) - copies} copies are missing`);
console.log(
  `  the median order waits ${(quantile(waited, 0.5) / quantile(alone, 0.5)).toFixed(0)} times as long as alone`,
);
process.exitCode = isQuick && isShort && isWhole ? 0 : 1;
