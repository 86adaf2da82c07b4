// Owns the engines a workload is run through: the core's book alone, the whole core, and the npm peers. Each prepares
// its own form of the operations before timing starts, and answers with what it reached so that it can be checked.
import { createRequire } from "node:module";
import { Books } from "@clockwork/core/book/book";
import { checkInvariants } from "@clockwork/core/inspect/invariants";
import { coreOf, createMachine } from "@clockwork/core/machine/machine";
import { encodeCommand, stampCommand } from "@clockwork/core/protocol/codec";
import type { Machine, MachineOptions } from "@clockwork/core/protocol/contract";
import { EVENT_BYTES, EVENTS } from "@clockwork/core/protocol/event";
import { createMatchEngine, hashBooks, hashTrade, mixHash } from "./core-match.ts";
import { bindMatch, PACKED_WORDS } from "./core-packed.ts";
import { OP_CANCEL, OP_CHANGE, OP_PLACE, type Workload } from "./core-workload.ts";

export interface Outcome {
  readonly seconds: number;
  readonly quietSeconds: number;
  readonly trades: number;
  /** −1 where the engine does not distinguish its trades. */
  readonly tradeHash: number;
  readonly bookHash: number;
  readonly broken: readonly string[];
}

export interface Engine {
  /** Runs the whole workload on a fresh book and times the part that counts. */
  run(): Outcome;
  /** The machine and its commands, where the engine is the whole core. */
  readonly machine?: Machine;
  readonly file?: CommandFile;
  /** Nanoseconds of each timed command, where the engine measures that. */
  latencies?(): Float64Array;
}

const clockNow = (): number => performance.now();

/** Commands timed at a stretch. */
const SLICE = 1_024;

/**
 * Runs operations in short slices. `seconds` is their whole time; `quietSeconds` is the median slice times their
 * number, which a slice interrupted by other processes does not move.
 */
function timeSlices(
  from: number,
  to: number,
  size: number,
  run: (from: number, to: number) => void,
): { seconds: number; quietSeconds: number } {
  const times: number[] = [];
  for (let at = from; at < to; at += size) {
    const start = clockNow();
    run(at, Math.min(to, at + size));
    times.push(clockNow() - start);
  }
  const seconds = times.reduce((sum, time) => sum + time, 0) / 1_000;
  times.pop();
  times.sort((a, b) => a - b);
  const median = times[times.length >> 1] ?? 0;
  return { seconds, quietSeconds: (median * (to - from)) / size / 1_000 };
}

/** The core's book alone; ids are slots, predictable because slots are assigned in the same order every time. */
export function matchEngine(workload: Workload): Engine {
  const { shape } = workload;
  const packed = packOperations(workload);
  // One book, emptied between rounds: its moves are compiled with its tables as constants.
  const books = new Books(shape.symbols * shape.livePerSymbol * 2, shape.symbols * 64);
  while (books.tops.count <= shape.symbols) books.tops.take();
  const runMatch = bindMatch(books, packed);
  const views = books.orderWords;
  return {
    run() {
      for (const table of [books.orders.table, books.orders.rounds, books.pool.levels, books.pool.bits])
        table.load(new Int32Array(table.stride), 1, 0);
      books.tops.i32.fill(0);
      for (let symbol = 0; symbol < shape.symbols; symbol++) books.open(symbol + 1);
      runMatch(0, workload.timedFrom);
      if (views !== books.orderWords) throw new Error("the book has grown");
      let trades = 0;
      const time = timeSlices(workload.timedFrom, workload.count, SLICE, (from, to) => {
        trades += runMatch(from, to);
      });
      return { ...time, trades, tradeHash: -1, bookHash: hashBooks(books, shape.symbols), broken: [] };
    },
  };
}

function packOperations(workload: Workload): Int32Array {
  const { kinds, symbols, sells, prices, lots, immediate, orders } = workload;
  const packed = new Int32Array(workload.count * PACKED_WORDS);
  const scout = createMatchEngine(workload.shape.symbols, workload.count);
  for (let at = 0; at < workload.count; at++) {
    const symbol = symbols[at] as number;
    const ordinal = orders[at] as number;
    const sell = sells[at] as number;
    const price = prices[at] as number;
    const now = immediate[at] as number;
    const kind = kinds[at] as number;
    packed.set(
      [kind, symbol + 1, sell, price, lots[at] as number, now, scout.slotOf(ordinal), ordinal],
      at * PACKED_WORDS,
    );
    if (kind === OP_PLACE) scout.place(symbol, ordinal, sell, price, lots[at] as number, now);
    else if (kind === OP_CANCEL) scout.cancel(symbol, ordinal);
    else scout.change(symbol, ordinal, price);
  }
  return packed;
}

const FUNDS = 10 ** 11;
const START_MS = 1_700_000_000_000;
const SHORT_PLACE = 48;
/** Events are drained after this many commands, as a host would. */
const DRAIN_EVERY = 1_024;

export interface CommandFile {
  readonly bytes: Uint8Array;
  /** The same memory. */
  readonly words: Int32Array;
  readonly offsets: Uint32Array;
  readonly count: number;
  readonly timedFrom: number;
}

/** Room for all a workload needs, as a host reserves it: tables that grow would be measured too. */
export function machineOptions(shape: Workload["shape"]): MachineOptions {
  return {
    orderCapacity: Math.max(32_768, shape.symbols * shape.livePerSymbol * 2),
    accountCapacity: shape.accounts * shape.symbols * 2,
    eventCapacity: 16_384,
  };
}

export type Send = (command: Parameters<typeof encodeCommand>[0]) => void;

/** The workload as stamped commands of the core, ids resolved by running it once; `fund` sets the stage. */
export function encodeWorkload(
  workload: Workload,
  fund = fundAccounts,
): { file: CommandFile; tradeHash: number; trades: number } {
  const { shape } = workload;
  const setup = 2 + shape.symbols * 2 + shape.accounts * (3 + shape.symbols);
  const total = setup + workload.count;
  const bytes = new Uint8Array(total * 56 + setup * 120);
  const view = new DataView(bytes.buffer);
  const offsets = new Uint32Array(total + 1);
  // Never on the fast paths: they are compiled for the one machine that is measured.
  const machine = createMachine({ ...machineOptions(shape), fastPathsAfter: Number.POSITIVE_INFINITY });
  const writer = { at: 0, sequence: 0, bytes, view, offsets, machine };
  const send: Send = (command) => {
    encodeCommand(command, writer.bytes, writer.at);
    finishCommand(writer, START_MS);
    writer.machine.events.clear();
  };
  fund(send, workload);
  const timedFrom = writer.sequence + workload.timedFrom;
  const ids = new Int32Array(workload.count * 2);
  const ordinals = new Map<number, number>();
  let tradeHash = 0;
  let trades = 0;
  for (let at = 0; at < workload.count; at++) {
    const ordinal = workload.orders[at] as number;
    encodeOperation(writer, workload, at, ids);
    machine.events.clear();
    finishCommand(writer, START_MS + Math.floor(at / 1_000));
    const word = new Int32Array(machine.events.bytes.buffer, 0, machine.events.length >> 2);
    const double = new Float64Array(machine.events.bytes.buffer, 0, machine.events.length >> 3);
    for (let event = 0; event < machine.events.length / EVENT_BYTES; event++) {
      const kind = (word[event * 16] as number) & 255;
      if (kind === EVENTS.orderAccepted.kind) {
        ids[ordinal * 2] = word[event * 16 + 4] as number;
        ids[ordinal * 2 + 1] = word[event * 16 + 5] as number;
        ordinals.set(word[event * 16 + 4] as number, ordinal);
      } else if (kind === EVENTS.trade.kind) {
        trades++;
        const maker = ordinals.get(word[event * 16 + 6] as number) as number;
        tradeHash = hashTrade(
          tradeHash,
          ordinal,
          maker,
          word[event * 16 + 13] as number,
          double[event * 8 + 4] as number,
        );
      } else if (kind === EVENTS.rejected.kind)
        throw new Error(`operation ${at} was refused with code ${(word[event * 16] as number) >>> 16}`);
    }
  }
  return {
    file: { bytes, words: new Int32Array(bytes.buffer), offsets, count: writer.sequence, timedFrom },
    tradeHash,
    trades,
  };
}

interface Writer {
  at: number;
  sequence: number;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly offsets: Uint32Array;
  readonly machine: Machine;
}

function finishCommand(writer: Writer, time: number): void {
  stampCommand(writer.view, writer.at, writer.sequence + 1, time);
  writer.offsets[writer.sequence] = writer.at;
  writer.machine.apply(writer.bytes, writer.at);
  writer.at += writer.view.getUint16(writer.at, true);
  writer.sequence++;
}

function fundAccounts(send: Send, workload: Workload): void {
  const { shape } = workload;
  send({ kind: "listAsset", symbol: "USDT", scale: 6 });
  for (let symbol = 0; symbol < shape.symbols; symbol++) {
    send({ kind: "listAsset", symbol: `C${symbol}`, scale: 8 });
    send({
      kind: "listMarket",
      base: symbol + 2,
      quote: 1,
      tickMantissa: 1,
      tickDecimals: 1,
      stepUnits: 1_000,
      symbol: `C${symbol}/USDT`,
      anchorTicks: 100_000,
    });
  }
  for (let i = 0; i < shape.accounts; i++) {
    const account = 16 + i;
    send({ kind: "createAccount", user: i + 1, book: "spot" });
    send({ kind: "setAccountFlags", account, allowSelfTrade: true });
    send({ kind: "mint", account, asset: 1, units: FUNDS * 8, business: "deposit", reference: `q${account}` });
    for (let symbol = 0; symbol < shape.symbols; symbol++) {
      const reference = `b${account}.${symbol}`;
      send({ kind: "mint", account, asset: symbol + 2, units: FUNDS, business: "deposit", reference });
    }
  }
}

/** Writes one operation at the writer's place, in the short form a host's gateway would send. */
function encodeOperation(writer: Writer, workload: Workload, at: number, ids: Int32Array): void {
  const { view } = writer;
  const start = writer.at;
  const ordinal = workload.orders[at] as number;
  const kind = workload.kinds[at] as number;
  // Spread, so that every account trades every symbol.
  const account = 16 + ((Math.imul(ordinal, 0x9e3779b1) >>> 8) % workload.shape.accounts);
  view.setInt32(start + 4, account, true);
  if (kind === OP_PLACE) {
    view.setInt32(start, SHORT_PLACE | (16 << 16), true);
    view.setInt32(start + 24, (workload.symbols[at] as number) + 1, true);
    view.setInt32(start + 28, workload.prices[at] as number, true);
    view.setFloat64(start + 32, workload.lots[at] as number, true);
    view.setUint8(start + 40, workload.sells[at] as number);
    view.setUint8(start + 42, workload.immediate[at] as number);
    view.setUint8(start + 43, 4);
    view.setUint8(start + 44, 0);
    // The short form is 48 bytes even when its last words are zero.
    return;
  }
  view.setInt32(start + 24, ids[ordinal * 2] as number, true);
  view.setInt32(start + 28, ids[ordinal * 2 + 1] as number, true);
  if (kind === OP_CANCEL) view.setInt32(start, 32 | (17 << 16), true);
  else {
    view.setInt32(start, 48 | (18 << 16), true);
    view.setInt32(start + 32, workload.prices[at] as number, true);
    view.setFloat64(start + 40, 0, true);
  }
}

/** The whole core: checks, ledger, fees, events. */
export function fullEngine(workload: Workload, fund = fundAccounts): Engine {
  const { file, tradeHash, trades } = encodeWorkload(workload, fund);
  const { shape } = workload;
  const machine = createMachine(machineOptions(shape));
  return {
    machine,
    file,
    run() {
      machine.restore();
      applyFile(machine, file, 0, file.timedFrom);
      const time = timeSlices(file.timedFrom, file.count, SLICE, (from, to) => applyFile(machine, file, from, to));
      const broken = checkInvariants(machine).map(({ rule, detail }) => `${rule} ${detail}`);
      return { ...time, trades, tradeHash, bookHash: hashBooks(coreOf(machine).books, shape.symbols), broken };
    },
    latencies() {
      machine.restore();
      applyFile(machine, file, 0, file.timedFrom);
      return measureEach(machine, file);
    },
  };
}

export function applyFile(machine: Machine, file: CommandFile, from: number, to: number): void {
  const { bytes, offsets } = file;
  for (let i = from; i < to; i++) {
    machine.apply(bytes, offsets[i] as number);
    if (i % DRAIN_EVERY === 0) machine.events.clear();
  }
  machine.events.clear();
}

function measureEach(machine: Machine, file: CommandFile): Float64Array {
  const times = new Float64Array(file.count - file.timedFrom);
  let before = performance.now();
  for (let i = file.timedFrom; i < file.count; i++) {
    machine.apply(file.bytes, file.offsets[i] as number);
    if (i % DRAIN_EVERY === 0) machine.events.clear();
    const after = performance.now();
    times[i - file.timedFrom] = (after - before) * 1e6;
    before = after;
  }
  return times;
}

interface PeerBook {
  limit(order: { id: string; side: "buy" | "sell"; size: number; price: number; timeInForce: "GTC" | "IOC" }): {
    done?: unknown[];
    partial?: unknown;
  };
  cancel(id: string): unknown;
  modify(id: string, change: { price: number; side: "buy" | "sell"; size: number }): unknown;
  order(id: string): { size: number } | undefined;
  depth(): [[number, number][], [number, number][]];
}

/** A peer from npm, driven through its public functions with ids made beforehand. */
export function peerEngine(workload: Workload, name: "nodejs-order-book" | "hft-limit-order-book"): Engine {
  const { OrderBook } = createRequire(import.meta.url)(name) as { OrderBook: new () => PeerBook };
  const { shape } = workload;
  const ids = Array.from({ length: workload.placed }, (_, ordinal) => `o${ordinal}`);
  return {
    run() {
      const books = Array.from({ length: shape.symbols }, () => new OrderBook());
      runPeer(books, workload, ids, 0, workload.timedFrom);
      const time = timeSlices(workload.timedFrom, workload.count, SLICE / 4, (from, to) =>
        runPeer(books, workload, ids, from, to),
      );
      return { ...time, trades: -1, tradeHash: -1, bookHash: hashPeers(books), broken: [] };
    },
  };
}

function runPeer(
  books: readonly PeerBook[],
  workload: Workload,
  ids: readonly string[],
  from: number,
  to: number,
): void {
  const { kinds, symbols, sells, prices, lots, immediate, orders } = workload;
  for (let at = from; at < to; at++) {
    const book = books[symbols[at] as number] as PeerBook;
    const id = ids[orders[at] as number] as string;
    const side = sells[at] === 1 ? "sell" : "buy";
    const kind = kinds[at] as number;
    if (kind === OP_PLACE)
      book.limit({
        id,
        side,
        size: lots[at] as number,
        price: prices[at] as number,
        timeInForce: immediate[at] === 1 ? "IOC" : "GTC",
      });
    else if (kind === OP_CANCEL) book.cancel(id);
    else if (kind === OP_CHANGE)
      book.modify(id, { price: prices[at] as number, side, size: (book.order(id) as { size: number }).size });
  }
}

function hashPeers(books: readonly PeerBook[]): number {
  let hash = 0;
  for (const book of books) {
    const [asks, bids] = book.depth();
    const levels = [...asks, ...bids].sort((a, b) => a[0] - b[0]);
    for (const [price, lots] of levels) hash = mixHash(mixHash(hash, price), lots);
  }
  return hash;
}
