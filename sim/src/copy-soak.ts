// Owns the long run of copy trading: leaders with many followers each, fills copied to all of them, then every invariant
// and a replay that must reach the same state. Says what copies cost and what a follower takes of memory.
//   npm run soak -- copy --leaders 100 --followers 1000 --fills 10
import process from "node:process";
import { parseArgs } from "node:util";
import { checkInvariants } from "@clockwork/core/inspect/invariants";
import { coreOf, createMachine } from "@clockwork/core/machine/machine";
import { encodeCommand, stampCommand } from "@clockwork/core/protocol/codec";
import type { Command } from "@clockwork/core/protocol/command";
import { EVENT_BYTES, EVENTS } from "@clockwork/core/protocol/event";
import { COIN, createCopyStage } from "@clockwork/core/testing/copy-stage";

const MARK = 500_000;
const INVESTED = 60 * COIN;

const { values } = parseArgs({
  options: {
    leaders: { type: "string", default: "100" },
    followers: { type: "string", default: "1000" },
    fills: { type: "string", default: "10" },
  },
});
const [leaderCount, followerCount, fillCount] = [
  Number(values.leaders),
  Number(values.followers),
  Number(values.fills),
];

const machine = createMachine();
const stage = createCopyStage(10_000_000, machine);
const bytes = new Uint8Array(8_192);
const view = new DataView(bytes.buffer);
/** Milliseconds of this thread that each command took, the longest for each fill and all of them together. */
const sums: number[] = [];
const longest: number[] = [];
let placed = 0;
let skipped = 0;

/** Applies a command without reading its events one by one; returns what it took. */
function apply(command: Command): number {
  const length = encodeCommand(command, bytes);
  stampCommand(view, 0, machine.sequence + 1, stage.time);
  stage.journal.push(bytes.slice(0, length));
  machine.events.clear();
  const before = process.threadCpuUsage();
  machine.apply(bytes, 0);
  const { user, system } = process.threadCpuUsage(before);
  for (let at = 0; at < machine.events.length; at += EVENT_BYTES) {
    const kind = machine.events.bytes[at];
    if (kind === EVENTS.copyPlaced.kind) placed++;
    else if (kind === EVENTS.copySkipped.kind) skipped++;
  }
  return (user + system) / 1_000;
}

function addLeader(): number {
  const account = stage.open("copyFLead", 1_000 * COIN);
  const lead = { asset: stage.usdt, shareRate: 10_000_000, followersMax: followerCount } as const;
  apply({ kind: "setLeader", account, state: "active", ...lead });
  for (let i = 0; i < followerCount; i++) {
    const payer = stage.open("linear", INVESTED);
    const settings = { mode: "multiplier", multiplier: 10_000_000 } as const;
    apply({ kind: "follow", account: payer, leader: account, units: INVESTED, ...settings });
  }
  return account;
}

/** One fill of a leader's, and ticks until every copy of it is made. */
function fill(leader: number, side: "buy" | "sell"): void {
  const price = side === "buy" ? MARK : MARK - 10;
  const order = { kind: "placeOrder", market: stage.linear, price } as const;
  const other = side === "buy" ? "sell" : "buy";
  apply({ kind: "cancelAll", account: stage.maker });
  apply({ ...order, account: stage.maker, side: other, quantity: followerCount * 2 + 10 });
  let took = apply({ ...order, account: leader, side, quantity: 10 });
  let sum = took;
  let most = took;
  while (machine.nextTimerAt <= machine.now) {
    took = apply({ kind: "tick" });
    sum += took;
    most = Math.max(most, took);
  }
  sums.push(sum);
  longest.push(most);
}

const at = (numbers: readonly number[], share: number): string =>
  (numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * share)] ?? 0).toFixed(2);

const megabytes = (count: number): string => `${Math.round(count / 1_048_576)} MB`;
/** What the machine keeps; after every second fill everybody is flat again. */
const kept: number[] = [];
const leaders = Array.from({ length: leaderCount }, addLeader);
console.log(`${leaderCount} leaders with ${followerCount} followers each, ${megabytes(process.memoryUsage.rss())}`);
for (let i = 0; i < fillCount; i++) {
  for (const leader of leaders) fill(leader, i % 2 === 0 ? "buy" : "sell");
  if (i % 2 === 1) kept.push(machine.snapshot().reduce((sum, piece) => sum + piece.byteLength, 0));
}
console.log(`${placed} copies placed, ${skipped} skipped`);
console.log(`a fill with all its copies: p50 ${at(sums, 0.5)} ms, p99 ${at(sums, 0.99)} ms of the thread`);
console.log(`the longest command of a fill: p50 ${at(longest, 0.5)} ms, p99 ${at(longest, 0.99)} ms`);
const { copies, followUps } = coreOf(machine);
const tables = copies.tables().reduce((total, { i32 }) => total + i32.byteLength, followUps.queue.i32.byteLength);
console.log(`${Math.round(tables / (leaderCount * followerCount))} bytes a follow beside its book`);
const [first = 0, last = 0] = [kept[0], kept.at(-1)];
const isBounded = last <= first * 1.01;
console.log(
  `a snapshot after two fills each ${megabytes(first)}, after the last ${megabytes(last)}; ${megabytes(process.memoryUsage.rss())} in all`,
);
if (!isBounded) console.log("what the machine keeps grows with copies");

const broken = checkInvariants(machine);
for (const { rule, detail } of broken.slice(0, 10)) console.log(`${rule}: ${detail}`);
const replay = createMachine();
for (const one of stage.journal) {
  replay.apply(one, 0);
  replay.events.clear();
}
const isSame = replay.stateHash() === machine.stateHash();
console.log(isSame ? "a replay reaches the same state" : "a replay reaches another state");
const isWhole = placed + skipped === leaderCount * followerCount * fillCount;
if (!isWhole) console.log("not every follower was copied to once a fill");
process.exitCode = broken.length === 0 && isSame && isWhole && isBounded ? 0 : 1;
