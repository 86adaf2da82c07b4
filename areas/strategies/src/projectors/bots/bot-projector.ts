// Owns the tables of grid bots: each bot's current state, its closed pairs, and its history.
import { readEvent } from "@clockwork/core/protocol/codec";
import { EVENTS, type EventOf, eventKinds } from "@clockwork/core/protocol/event";
import type { Projector, ProjectorRun, ReadRows, WriteSession } from "@clockwork/host/projector";
import { RowShape } from "@clockwork/host/row-shape";

export const botProjector: Projector = {
  name: "bots",
  tables: ["engine_bots", "engine_bot_pairs", "engine_bot_log"],
  kinds: eventKinds("botChanged", "botTerms", "botPairClosed", "posting"),
  open() {
    const books = new BotBooks();
    return { begin: () => new BotRun(books) };
  },
};

const SECOND_MS = 1_000;
const POSTING = EVENTS.posting.kind;
const posting = EVENTS.posting.layout;
/** Charges for a fill. */
const FEE_BUSINESSES: ReadonlySet<string> = new Set(["fee", "openFee", "closeFee"]);

/** Books of grid bots, known between runs. Before the tables were read any book may be one. */
class BotBooks {
  readonly #accounts = new Set<number>();
  #isLoaded = false;

  add(account: number): void {
    this.#accounts.add(account);
  }

  mayHave(account: number): boolean {
    return !this.#isLoaded || this.#accounts.has(account);
  }

  async load(read: ReadRows): Promise<void> {
    if (this.#isLoaded) return;
    for (const { account } of await read<{ account: number }>("select account from engine_bots")) this.add(account);
    this.#isLoaded = true;
  }
}

type BotChange = EventOf<"botChanged">;

interface BotLogRow {
  readonly bot: number;
  readonly sequence: number;
  readonly line: number;
  readonly change: BotChange["change"];
  readonly status: BotChange["status"];
  readonly reason: BotChange["reason"];
  readonly price_ticks: number;
  readonly low_ticks: number;
  readonly high_ticks: number;
  readonly time_ms: number;
}

class BotRun implements ProjectorRun {
  /** Columns that changed, by bot; a bot that began in this run has all of them. */
  readonly #changed = new Map<number, Record<string, unknown>>();
  readonly #started = new Set<number>();
  readonly #pairs: object[] = [];
  readonly #log: BotLogRow[] = [];
  readonly #books: BotBooks;
  /** Fees of fills since a book's bot last reported its own sum, by book. */
  readonly #fees = new Map<number, bigint>();

  constructor(books: BotBooks) {
    this.#books = books;
  }

  add(kind: number, view: DataView, at: number, timeMs: number): void {
    if (kind === POSTING) {
      this.#posting(view, at);
      return;
    }
    const event = readEvent(view, at, timeMs);
    if (event.kind === "botChanged") this.#change(event);
    else if (event.kind === "botTerms") this.#terms(event);
    else if (event.kind === "botPairClosed") this.#pair(event);
  }

  /** Most postings belong to no bot and are not decoded. */
  #posting(view: DataView, at: number): void {
    const account = posting.account.read(view, at);
    if (!this.#books.mayHave(account) || !FEE_BUSINESSES.has(posting.business.read(view, at))) return;
    const units = BigInt(posting.deltaUnits.read(view, at));
    this.#fees.set(account, (this.#fees.get(account) ?? 0n) - units);
  }

  #note(bot: number, columns: Record<string, unknown>): void {
    this.#changed.set(bot, { ...this.#changed.get(bot), ...columns });
  }

  #change(event: EventOf<"botChanged">): void {
    const { bot, change, status, reason, priceTicks, lowTicks, highTicks, sequence, time } = event;
    this.#books.add(event.account);
    this.#fees.delete(event.account);
    if (change === "created") {
      this.#started.add(bot);
      const account = event.account;
      this.#note(bot, { bot, account, created_ms: time, start_ticks: priceTicks, pairs: 0, profit_units: 0n });
    }
    if (change === "starting" || change === "started") this.#note(bot, { start_ticks: priceTicks });
    this.#note(bot, {
      status,
      reason,
      low_ticks: lowTicks,
      high_ticks: highTicks,
      lots: BigInt(event.lots),
      invested_units: BigInt(event.investedUnits),
      taken_units: BigInt(event.takenUnits),
      fees_units: BigInt(event.feesUnits),
      updated_sequence: sequence,
      updated_ms: time,
    });
    const last = this.#log.at(-1);
    // A command stays whole in a run, so its lines are counted here only.
    const line = last?.sequence === sequence ? last.line + 1 : 0;
    this.#log.push({
      bot,
      sequence,
      line,
      change,
      status,
      reason,
      price_ticks: priceTicks,
      low_ticks: lowTicks,
      high_ticks: highTicks,
      time_ms: time,
    });
  }

  #terms(event: EventOf<"botTerms">): void {
    this.#note(event.bot, {
      market: event.market,
      source: event.source,
      grid: event.grid,
      spacing: event.spacing,
      cells: event.cells,
      leverage: event.leverage,
      trigger_ticks: event.triggerTicks,
      stop_above_ticks: event.stopAboveTicks,
      stop_below_ticks: event.stopBelowTicks,
      trail_up_ticks: event.trailUpTicks,
      trail_down_ticks: event.trailDownTicks,
      exit_bps: event.exitBps,
      keeps: event.keeps,
      ends_ms: event.endsAt,
    });
  }

  #pair(event: EventOf<"botPairClosed">): void {
    const { bot, later, lowTicks, highTicks, lots, profitUnits, totalUnits, pairs, earlierSecond, time } = event;
    this.#pairs.push({
      bot,
      number: pairs,
      later,
      low_ticks: lowTicks,
      high_ticks: highTicks,
      lots: BigInt(lots),
      profit_units: BigInt(profitUnits),
      earlier_ms: earlierSecond * SECOND_MS,
      time_ms: time,
    });
    this.#note(bot, { pairs, profit_units: BigInt(totalUnits) });
  }

  async write(session: WriteSession): Promise<void> {
    const started = [...this.#started].map((bot) => this.#changed.get(bot) as object);
    await session.writeRows(BOTS, started);
    for (const [bot, columns] of this.#changed) {
      if (this.#started.has(bot)) continue;
      const names = Object.keys(columns);
      const set = names.map((name) => `${name} = ?`).join(", ");
      await session.run(`update engine_bots set ${set} where bot = ?`, [...Object.values(columns), bot]);
    }
    await this.#writeFees(session);
    await session.writeRows(PAIRS, this.#pairs);
    await session.writeRows(LOG, this.#log);
  }

  /** A bot's own events rarely report its fees: the fees of fills since then are added. */
  async #writeFees(session: WriteSession): Promise<void> {
    await this.#books.load(session.read);
    for (const [account, units] of this.#fees)
      if (this.#books.mayHave(account))
        await session.run("update engine_bots set fees_units = fees_units + ? where account = ?", [units, account]);
  }
}

const BOTS = new RowShape({
  table: "engine_bots",
  columns: [
    "bot",
    "account",
    "market",
    "source",
    "grid",
    "spacing",
    "cells",
    "leverage",
    "trigger_ticks",
    "stop_above_ticks",
    "stop_below_ticks",
    "trail_up_ticks",
    "trail_down_ticks",
    "exit_bps",
    "keeps",
    "ends_ms",
    "status",
    "reason",
    "low_ticks",
    "high_ticks",
    "lots",
    "invested_units",
    "taken_units",
    "fees_units",
    "profit_units",
    "pairs",
    "start_ticks",
    "created_ms",
    "updated_sequence",
    "updated_ms",
  ],
  key: ["bot"],
});
const PAIRS = new RowShape({
  table: "engine_bot_pairs",
  columns: ["bot", "number", "later", "low_ticks", "high_ticks", "lots", "profit_units", "earlier_ms", "time_ms"],
  key: ["bot", "number"],
});
const LOG = new RowShape({
  table: "engine_bot_log",
  columns: [
    "bot",
    "sequence",
    "line",
    "change",
    "status",
    "reason",
    "price_ticks",
    "low_ticks",
    "high_ticks",
    "time_ms",
  ],
  key: ["bot", "sequence", "line"],
});
