// Grid bots at scale (GRID-1): many bots with a hundred lines each, one sweep through half of their lines, against the
// same fills of orders that belong to no bot. Both are measured in the CPU time of this thread, so that load on the
// machine has no effect; the first sweep down and up warms both up. Run alone: node --conditions=development
// bench/src/grid.ts [bots] [swept bots].
import { execFileSync } from "node:child_process";
import { createMachine } from "@clockwork/core/machine/machine";
import { encodeCommand, stampCommand } from "@clockwork/core/protocol/codec";
import type { Command } from "@clockwork/core/protocol/command";
import type { Machine } from "@clockwork/core/protocol/contract";
import { createStage, type Stage } from "@clockwork/core/testing/stage";

const BOTS = Number(process.argv[2] ?? 1_000);
/** The others have their lines elsewhere: they are only present. */
const SWEPT_BOTS = Number(process.argv[3] ?? BOTS);
const ROUNDS = 6;
const LINES = 100;
const P = 1_000_000;
const SPACING = 4_000;
const SWEPT = 50;
const LOTS_EACH = 200;

function open(): Stage {
  const machine = createMachine({
    orderCapacity: BOTS * LINES * 2,
    accountCapacity: BOTS * 4,
    eventCapacity: 65_536,
    fastPathsAfter: 64,
  });
  const stage = createStage({ restingMax: 1_000, sellMinBps: 1, buyMinBps: 1, buyMaxBps: 90_000 }, machine);
  const maker = stage.trader(1e15, 1e15);
  const other = stage.trader(1e15, 1e15);
  const order = { kind: "placeOrder", market: stage.market, quantity: 1e9 } as const;
  stage.send({ ...order, account: maker, side: "sell", price: P, quantity: 100 });
  stage.send({ ...order, account: other, side: "buy", price: P, quantity: 100 });
  // A deep book for the starts.
  stage.send({ ...order, account: maker, side: "sell", price: P + 1 });
  return stage;
}

const low = P - (LINES / 2) * SPACING;
const high = P + (LINES / 2) * SPACING;
/** Lines of bots that are not swept are offset by half a spacing. */
const BESIDE = SPACING / 2;

function withBots(): { readonly stage: Stage; readonly react: React } {
  const stage = open();
  for (let i = 0; i < BOTS; i++) {
    const account = stage.trader(0, 3e10);
    stage.send({
      kind: "createBot",
      account,
      market: stage.market,
      grid: "spot",
      spacing: "arithmetic",
      lowTicks: low - (i < SWEPT_BOTS ? 0 : BESIDE),
      highTicks: high - (i < SWEPT_BOTS ? 0 : BESIDE),
      cells: LINES,
      quoteUnits: LOTS_EACH * LINES * P,
      reference: `b${i}`,
    });
    stage.machine.events.clear();
  }
  drain(stage);
  return { stage, react: () => undefined };
}

type Sweep = "down" | "up";

const lineOf = (way: Sweep, line: number): number =>
  way === "down" ? P - line * SPACING : P - (SWEPT + 1 - line) * SPACING + SPACING;

/** What a sweep leaves to be done before the next line. */
type React = (way: Sweep, line: number) => void;

/**
 * Books that pay their fees in quote, as bots' do, and have no bot. Their orders are placed as bots place theirs, book
 * by book at first and then line by line behind the sweep: the same orders are at the same places in memory, and only
 * the bots are missing.
 */
function withoutBots(): { readonly stage: Stage; readonly react: React } {
  const stage = open();
  const accounts = Array.from({ length: BOTS }, (_, i) => stage.trader(1e9, 3e10, { book: "bot", sub: i + 1 }));
  const lay = (account: number, side: "buy" | "sell", price: number): void => {
    stage.send({ kind: "placeOrder", account, market: stage.market, side, price, quantity: LOTS_EACH });
    stage.machine.events.clear();
  };
  for (const [i, account] of accounts.entries()) {
    const beside = i < SWEPT_BOTS ? 0 : BESIDE;
    for (let line = SWEPT; line > 0; line--) lay(account, "buy", P - line * SPACING - beside);
    for (let line = 1; line <= SWEPT; line++) lay(account, "sell", P + line * SPACING - beside);
  }
  const swept = accounts.slice(0, SWEPT_BOTS);
  const react: React = (way, line) => {
    const price = lineOf(way, line) + (way === "down" ? SPACING : 0 - SPACING);
    for (const account of swept) lay(account, way === "down" ? "sell" : "buy", price);
  };
  return { stage, react };
}

function drain({ machine, send }: Stage): void {
  while (machine.nextTimerAt <= machine.now) {
    send({ kind: "tick" });
    machine.events.clear();
  }
}

interface Took {
  /** The commands that sweep. */
  readonly sweepMs: number;
  /** All ticks that work off what they caused. */
  readonly restMs: number;
  /** Each of them by the clock, and the slowest by CPU time, which has steps of up to 4 ms and so is an upper bound. */
  readonly ticksMs: readonly number[];
  readonly slowestCpuMs: number;
}

interface Figures {
  readonly sweepMs: number;
  readonly restMs: number;
  readonly slowestTickMs: number;
  readonly slowestTickCpuMs: number;
  readonly fills: number;
  readonly arrayBytesPerBook: number;
  readonly usedBytesPerBook: number;
}

/** One taker goes through fifty lines of every bot, one order a line; what it causes is done before the next line. */
function sweep(stage: Stage, taker: number, way: Sweep, react: React): Took {
  const { machine } = stage;
  let [sweepMs, restMs, slowestCpuMs] = [0, 0, 0];
  const ticksMs: number[] = [];
  for (let line = 1; line <= SWEPT; line++) {
    const command: Command = {
      kind: "placeOrder",
      account: taker,
      market: stage.market,
      side: way === "down" ? "sell" : "buy",
      price: lineOf(way, line),
      quantity: LOTS_EACH * SWEPT_BOTS,
      timeInForce: "IOC",
    };
    sweepMs += apply(machine, command, stage.time);
    react(way, line);
    while (machine.nextTimerAt <= machine.now) {
      const startedAt = performance.now();
      const tookMs = apply(machine, { kind: "tick" }, stage.time);
      restMs += tookMs;
      slowestCpuMs = Math.max(slowestCpuMs, tookMs);
      ticksMs.push(performance.now() - startedAt);
    }
  }
  return { sweepMs, restMs, ticksMs, slowestCpuMs };
}

const BYTES = 256;
const bytes = new Uint8Array(BYTES);
const view = new DataView(bytes.buffer);

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

function apply(machine: Machine, command: Command, time: number): number {
  const length = encodeCommand(command, bytes);
  stampCommand(view, 0, machine.sequence + 1, time);
  bytes.fill(0, length, BYTES);
  const startedAt = cpuMs();
  machine.apply(bytes, 0);
  const tookMs = cpuMs() - startedAt;
  machine.events.clear();
  return tookMs;
}

/** The quickest of the rounds after the first, down and up together: what else the machine does only ever adds. */
function rounds(
  stage: Stage,
  react: React,
): Pick<Figures, "sweepMs" | "restMs" | "slowestTickMs" | "slowestTickCpuMs" | "fills"> {
  const taker = stage.trader(1e15, 1e15);
  const all: Record<Sweep, Took[]> = { down: [], up: [] };
  for (let round = 0; round < ROUNDS; round++)
    for (const way of ["down", "up"] as const) {
      const took = sweep(stage, taker, way, react);
      if (round > 0) all[way].push(took);
    }
  const least = (of: (took: Took) => number): number => Math.min(...all.down.map(of)) + Math.min(...all.up.map(of));
  return {
    sweepMs: least((took) => took.sweepMs),
    restMs: least((took) => took.restMs),
    slowestTickMs: Math.max(slowestOf(all.down), slowestOf(all.up)),
    slowestTickCpuMs: Math.max(...[...all.down, ...all.up].map((took) => took.slowestCpuMs)),
    fills: SWEPT * SWEPT_BOTS * 2,
  };
}

/** Every round has the same ticks: each is as slow as in its quickest round, without what the machine did else. */
function slowestOf(rounds: readonly Took[]): number {
  const ticks = rounds[0]?.ticksMs ?? [];
  return Math.max(0, ...ticks.map((_, i) => Math.min(...rounds.map((took) => took.ticksMs[i] ?? Infinity))));
}

function usedBytes({ machine }: Stage): number {
  return machine.snapshot().reduce((sum, piece) => sum + piece.byteLength, 0);
}

/** Room that was taken for tables, which grow by doubling, and what of it is in use. */
function measure(open: () => { readonly stage: Stage; readonly react: React }): Figures {
  const before = process.memoryUsage().arrayBuffers;
  const { stage, react } = open();
  const after = process.memoryUsage().arrayBuffers;
  const figures = rounds(stage, react);
  return {
    ...figures,
    arrayBytesPerBook: Math.round((after - before) / BOTS),
    usedBytesPerBook: Math.round(usedBytes(stage) / BOTS),
  };
}

/** A machine in its own process: fast paths are quick for the first of a thread only. */
function inChild(part: string): Figures {
  const argv = [...process.execArgv, process.argv[1] as string, String(BOTS), String(SWEPT_BOTS), part];
  return JSON.parse(execFileSync(process.execPath, argv, { encoding: "utf8", maxBuffer: 1e6 })) as Figures;
}

const part = process.argv[4];
if (part === "bots") console.log(JSON.stringify(measure(withBots)));
else if (part === "plain") console.log(JSON.stringify(measure(withoutBots)));
else {
  const run = inChild("bots");
  const plain = inChild("plain");
  const ratio = { sweep: run.sweepMs / plain.sweepMs, withReactions: (run.sweepMs + run.restMs) / plain.sweepMs };
  const bytesPerBot = run.usedBytesPerBook - plain.usedBytesPerBook;
  console.log(JSON.stringify({ bots: BOTS, sweptBots: SWEPT_BOTS, run, plain, ratio, bytesPerBot }, undefined, 2));
}
