// The ninety days of simulated leaders before the first start: the same traders on a machine of their own, along the
// public candles, written to a journal of its own and read by the same fold as the live one. Repeatable by anyone.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { readListing } from "@clockwork/core/inspect/listing";
import { createMachine } from "@clockwork/core/machine/machine";
import { commandLength, commandTime, decodeEvents, encodeCommand, stampCommand } from "@clockwork/core/protocol/codec";
import { COMMAND_LENGTH_MAX, type Command } from "@clockwork/core/protocol/command";
import type { Machine } from "@clockwork/core/protocol/contract";
import { EVENT_BYTES, EVENTS, type MachineEvent } from "@clockwork/core/protocol/event";
import { SIMULATED_USER_MIN } from "@clockwork/core/protocol/names";
import type { OpenFacts, ProjectorRun } from "@clockwork/host/projector";
import { DAY_MS, HOUR_MS } from "@clockwork/kit/time";
import { LEADER_STYLES } from "@clockwork/sim/market/leader-styles";
import { type LeaderMarket, type LedBook, SimulatedLeaders } from "@clockwork/sim/market/leaders";
import { CONTRACT_FEE_GROUP, listCatalogue } from "@clockwork/trading/market/listing";
import { emptyFacts } from "@clockwork/trading/projectors/ledger/facts";
import { copyProjector } from "../projectors/copy/copy-projector.ts";
import { LEAD_DAYS, type LeadDayRow } from "../projectors/copy/copy-rows.ts";
import { MemoryTables } from "./memory-tables.ts";

export const FIRST_LEADER_USER = SIMULATED_USER_MIN + 500;
const MAKER_USER = SIMULATED_USER_MIN + 499;
const DAYS = 90;
/** Looks an hour: at its first and at its last price. */
const LOOKS = 2;
const MAKER_COINS = 1_000_000_000;
/** The spread is this part of the price. */
const SPREAD_PART = 10_000;
const POSTING = EVENTS.posting.kind;
const FILE = "journal.bin";

export const prehistoryFolder = (folder: string): string => join(folder, "prehistory");

/** An hour of one coin in whole ticks of its market: first and last. */
export type HourPrices = readonly [number, number];

export interface PastMarket extends LeaderMarket {
  readonly kind: "futures" | "spot";
  /** By hour, oldest first. */
  readonly hours: readonly HourPrices[];
}

export interface PrehistoryOptions {
  readonly folder: string;
  readonly seed: number;
  readonly startMs: number;
  readonly coin: { readonly asset: number; readonly scale: number };
  readonly markets: readonly PastMarket[];
}

export interface Prehistory {
  readonly hash: string;
  /** The leaders' accounts of the pre-history, in the order of the styles. */
  readonly accounts: readonly number[];
  readonly tables: MemoryTables;
}

/** A machine that records its commands and events. */
class Recorder {
  readonly machine: Machine = createMachine();
  readonly #parts: Uint8Array[] = [];
  readonly #bytes = new Uint8Array(COMMAND_LENGTH_MAX * 4);
  readonly #facts: OpenFacts = emptyFacts();
  readonly #tables: MemoryTables;
  readonly #opened = copyProjector.open(this.#facts.facts);
  readonly #kinds = new Set(copyProjector.kinds);
  #run: ProjectorRun = this.#opened.begin();
  timeMs: number;

  constructor(startMs: number, tables: MemoryTables) {
    this.timeMs = startMs;
    this.#tables = tables;
  }

  send(command: Command): MachineEvent[] {
    const length = encodeCommand(command, this.#bytes);
    stampCommand(new DataView(this.#bytes.buffer), 0, this.machine.sequence + 1, this.timeMs);
    this.#parts.push(this.#bytes.slice(0, length));
    return this.#apply(this.#bytes);
  }

  /** A command of the journal as stamped. */
  replay(bytes: Uint8Array, timeMs: number): void {
    this.timeMs = timeMs;
    // Truncated bytes read as zero.
    this.#bytes.fill(0).set(bytes);
    this.#apply(this.#bytes);
  }

  #apply(bytes: Uint8Array): MachineEvent[] {
    const { machine, timeMs } = this;
    machine.events.clear();
    machine.apply(bytes, 0);
    const { bytes: answer, from, length } = machine.events;
    const view = new DataView(answer.buffer, answer.byteOffset, answer.byteLength);
    for (let at = from; at < from + length; at += EVENT_BYTES) {
      const kind = answer[at] as number;
      this.#facts.note(kind, view, at);
      if (this.#kinds.has(kind)) this.#run.add(kind, view, at, timeMs);
      if (kind === POSTING) this.#noteBalance(view, at);
    }
    return decodeEvents(answer, from, from + length, timeMs);
  }

  #noteBalance(view: DataView, at: number): void {
    const { account, asset, availableUnits, frozenUnits } = EVENTS.posting.layout;
    const units = availableUnits.read(view, at) + frozenUnits.read(view, at);
    this.#tables.setBalance(account.read(view, at), asset.read(view, at), units);
  }

  async write(): Promise<void> {
    await this.#run.write(this.#tables.session);
    this.#run.committed?.();
    this.#run = this.#opened.begin();
  }

  get journal(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}

/** Runs it, stores its journal in the folder and returns the result of the fold. */
export async function runPrehistory(options: PrehistoryOptions): Promise<Prehistory> {
  const { folder, seed, startMs, markets } = options;
  const tables = new MemoryTables();
  const recorder = new Recorder(startMs, tables);
  await listCatalogue({
    submit: async (command) => {
      const events = recorder.send(command);
      return { done: true, sequence: recorder.machine.sequence, events } as never;
    },
    readListing: async () => readListing(recorder.machine),
  });
  const { books, maker } = open(recorder, options);
  const of = (kind: "futures" | "spot"): PastMarket[] => markets.filter((one) => one.kind === kind);
  const leaders = new SimulatedLeaders(seed, books, { futures: of("futures"), spot: of("spot") });
  const spotMarkets = new Set(of("spot").map(({ market }) => market));
  const hours = Math.min(DAYS * 24, ...markets.map((one) => one.hours.length));
  const lookSeconds = HOUR_MS / LOOKS / 1_000;
  for (let hour = 0; hour < hours; hour++) {
    for (let part = 0; part < LOOKS; part++) {
      const step = hour * LOOKS + part;
      recorder.timeMs = startMs + step * (HOUR_MS / LOOKS) + 1;
      const clockSeconds = step * lookSeconds;
      const ticks = new Map(markets.map((one) => [one.market, one.hours[hour]?.[part] ?? 0]));
      setPrices(recorder, of("futures"), ticks);
      const ticksOf = (market: number): number => ticks.get(market) ?? 0;
      const requests = leaders.step({ step, clockSeconds, seconds: lookSeconds, ticksOf });
      for (const request of requests) {
        const market = request.kind === "placeOrder" ? request.market : 0;
        const events = meet(recorder, maker, request, ticksOf(market), spotMarkets.has(market));
        for (const event of events) leaders.observe(event, clockSeconds);
      }
    }
    if (hour % 24 === 23) {
      await recorder.write();
      await nextTurn();
    }
  }
  // The first moment of the day after closes the last.
  recorder.timeMs = startMs + DAYS * DAY_MS + 1;
  setPrices(recorder, of("futures"), new Map(markets.map((one) => [one.market, one.hours.at(-1)?.[1] ?? 0])));
  await recorder.write();
  mkdirSync(prehistoryFolder(folder), { recursive: true, mode: 0o700 });
  const { journal } = recorder;
  writeFileSync(join(prehistoryFolder(folder), FILE), journal, { mode: 0o600 });
  return { hash: hashOf(journal), accounts: books.map(({ account }) => account), tables };
}

const hashOf = (journal: Uint8Array): string => createHash("sha256").update(journal).digest("hex");

/** The same from the journal only. */
export async function readPrehistory(folder: string): Promise<Omit<Prehistory, "accounts"> | undefined> {
  let journal: Uint8Array;
  try {
    journal = readFileSync(join(prehistoryFolder(folder), FILE));
  } catch {
    return undefined;
  }
  const tables = new MemoryTables();
  const recorder = new Recorder(0, tables);
  const view = new DataView(journal.buffer, journal.byteOffset, journal.byteLength);
  for (let at = 0; at < journal.length; ) {
    const length = commandLength(view, at);
    recorder.replay(journal.subarray(at, at + length), commandTime(view, at));
    at += length;
  }
  await recorder.write();
  return { hash: hashOf(journal), tables };
}

/** The account of a leader in the pre-history: leaders are opened one after the other. */
export function pastAccountOf(tables: MemoryTables, index: number): number {
  const seen = [...new Set(tables.of<LeadDayRow>(LEAD_DAYS).map(({ account }) => account))].sort((a, b) => a - b);
  return seen[index] ?? -1;
}

function open(recorder: Recorder, { coin, markets }: PrehistoryOptions): { books: LedBook[]; maker: Maker } {
  const account = (user: number, book: "copyFLead" | "spot" | "linear"): number => {
    for (const event of recorder.send({ kind: "createAccount", user, book })) {
      if (event.kind === "accountCreated") return event.account;
    }
    throw new Error(`the pre-history could not open ${book} of ${user}`);
  };
  const mint = (to: number, asset: number, units: number): void => {
    const reference = `past:${to}:${asset}`;
    recorder.send({ kind: "mint", account: to, asset, business: "deposit", units, reference });
  };
  const one = 10 ** coin.scale;
  const maker = { futures: account(MAKER_USER, "linear"), spot: account(MAKER_USER, "spot") };
  mint(maker.futures, coin.asset, MAKER_COINS * one);
  mint(maker.spot, coin.asset, MAKER_COINS * one);
  for (const past of markets) {
    if (past.kind === "spot") mint(maker.spot, past.asset, past.stepUnits * 1_000_000_000);
    else {
      const ticks = past.hours[0]?.[0] ?? 1;
      recorder.send({ kind: "setReferencePrice", market: past.market, markTicks: ticks, indexTicks: ticks });
      recorder.send({ kind: "setMarketStatus", market: past.market, status: "TRADING" });
    }
  }
  const books = LEADER_STYLES.map((style, index): LedBook => {
    const led = account(FIRST_LEADER_USER + index, style.kind === "spot" ? "spot" : "copyFLead");
    mint(led, coin.asset, style.funds * one);
    for (const command of setUpLeader(style, led, coin.asset, markets)) recorder.send(command);
    return { account: led, style, cashUnits: style.funds * one, held: new Map() };
  });
  return { books, maker };
}

/** Leverage of every contract, and leading itself. */
export function setUpLeader(
  style: (typeof LEADER_STYLES)[number],
  account: number,
  asset: number,
  markets: readonly { readonly market: number; readonly kind: "futures" | "spot" }[],
): Command[] {
  const { leverage, shareRate } = style;
  // Simulated accounts pay no fees: the exchange's income comes from customers only.
  const feeGroup = style.kind === "futures" ? CONTRACT_FEE_GROUP : 0;
  const free: Command = { kind: "setAccountFees", account, feeGroup, makerRate: 0, takerRate: 0 };
  const leverages = markets
    .filter(({ kind }) => kind === "futures" && style.kind === "futures")
    .map(({ market }): Command => ({ kind: "setLeverage", account, market, long: leverage, short: leverage }));
  return [free, ...leverages, { kind: "setLeader", account, state: "active", asset, shareRate, followersMax: 300 }];
}

interface Maker {
  readonly futures: number;
  readonly spot: number;
}

function setPrices(recorder: Recorder, markets: readonly PastMarket[], ticks: ReadonlyMap<number, number>): void {
  for (const { market } of markets) {
    const markTicks = ticks.get(market) ?? 0;
    if (markTicks > 0) recorder.send({ kind: "setReferencePrice", market, markTicks, indexTicks: markTicks });
  }
}

/** The maker quotes exactly this quantity at the price, less a small spread, and then none. */
function meet(recorder: Recorder, maker: Maker, request: Command, ticks: number, isSpot: boolean): MachineEvent[] {
  if (request.kind !== "placeOrder") return [];
  const side = request.side === "buy" ? "sell" : "buy";
  const spread = Math.max(1, Math.round(ticks / SPREAD_PART));
  const price = side === "sell" ? ticks + spread : ticks - spread;
  if (price < 1) return [];
  const { market, quantity } = request;
  const shared = { kind: "placeOrder", market, side, price, quantity } as const;
  const account = isSpot ? maker.spot : maker.futures;
  recorder.send({ ...shared, account });
  const events = recorder.send(request);
  recorder.send({ kind: "cancelAll", account });
  return events;
}
