// Use case of accounting: folds the movements of a user's books once into lots at average cost and into days, each
// movement at its value at that moment, and stores the result. Portfolio, profit and wallet read cost and gain from
// here.
import {
  analyseDays,
  coinGain,
  DayBook,
  type DayRecord,
  type DayResult,
  NO_SOURCES,
  standingAt,
  type WorthAt,
} from "@clockwork/kit/accounting/days";
import { EventReader, eventOf, type Movement } from "@clockwork/kit/accounting/events";
import { LotBook, type LotState } from "@clockwork/kit/accounting/lots";
import { Moments, type Worth } from "@clockwork/kit/accounting/moments";
import { DAY_MS } from "@clockwork/kit/time";
import { readMovements } from "./movements.ts";
import type { AccountingBook, AccountingNeeds } from "./needs.ts";
import type { AccountingStore, MovementRow } from "./store.ts";

/** A fold over more postings than this is stored: a long history is not folded twice. */
const ROWS_KEPT = 50_000;

/** The result of folding a user's movements. */
interface Standing {
  readonly lots: LotBook;
  readonly record: DayRecord;
}

/** The requested days with the opening record they build on, and the current lots. */
export interface Days {
  readonly lots: LotBook;
  readonly results: readonly DayResult[];
  readonly first: number;
  /** Whether the first day is the first on which anything was held. */
  readonly isWhole: boolean;
  /** The record before the first day, and the current one. */
  readonly opening: DayRecord;
  readonly closing: DayRecord;
  readonly worthAt: WorthAt;
  gainOf(asset: number): bigint;
}

interface Fold extends Standing {
  readonly sequence: number;
}

export class AccountingService {
  readonly #needs: AccountingNeeds;
  readonly #store: AccountingStore;
  readonly #folding = new Map<number, Promise<Fold | undefined>>();

  constructor({ needs, store }: { readonly needs: AccountingNeeds; readonly store: AccountingStore }) {
    this.#needs = needs;
    this.#store = store;
  }

  /** Up to all that was answered; undefined before there is money. */
  async read(userId: number): Promise<Standing | undefined> {
    return this.#fold(userId);
  }

  /** From the first day with a holding, up to a maximum; the last is today until now. */
  async readDays(userId: number, today: number, days: number): Promise<Days | undefined> {
    const fold = await this.#fold(userId);
    const begin = await this.#store.firstDay(userId);
    if (fold === undefined || begin === undefined) return undefined;
    const first = Math.max(begin, today - days + 1);
    const rows = await this.#store.listDays(userId, first);
    const records = rows.map(({ record }) => readRecord(record));
    const worthAt = await this.#worthAt(records, first - 1, today);
    return {
      results: analyseDays(records, first, today, worthAt),
      first,
      isWhole: first === begin,
      lots: fold.lots,
      closing: fold.record,
      opening: standingAt(records, first - 1),
      worthAt,
      gainOf: (asset) => coinGain(records, asset, first, today, worthAt),
    };
  }

  async #worthAt(records: readonly DayRecord[], from: number, today: number): Promise<WorthAt> {
    const money = this.#needs.money();
    const closes = new Map<number, ReadonlyMap<number, Worth>>();
    for (const asset of new Set(records.flatMap(({ held }) => [...held.keys()]))) {
      if (asset !== money) closes.set(asset, await this.#needs.readCloses(asset, from, today));
    }
    // A day before the first value counts at that.
    const closeAt = (known: ReadonlyMap<number, Worth> | undefined, day: number): Worth | undefined =>
      known?.get(day) ?? known?.values().next().value;
    return (asset, amount, day) => {
      if (asset === money) return amount;
      const close = day >= today ? undefined : closeAt(closes.get(asset), day);
      const sign = amount < 0n ? -1n : 1n;
      const worth = close === undefined ? this.#needs.worthUnits(asset, amount * sign) : close(amount * sign);
      return (worth ?? 0n) * sign;
    };
  }

  /** One fold per user at a time; a concurrent caller waits for it and continues from its result. */
  async #fold(userId: number): Promise<Fold | undefined> {
    const under = this.#folding.get(userId);
    const folding = (under ?? Promise.resolve()).catch(() => undefined).then(() => this.#foldOn(userId));
    this.#folding.set(userId, folding);
    try {
      return await folding;
    } finally {
      if (this.#folding.get(userId) === folding) this.#folding.delete(userId);
    }
  }

  async #foldOn(userId: number): Promise<Fold | undefined> {
    const money = this.#needs.money();
    if (money === undefined) return undefined;
    const through = await this.#needs.settled();
    const books = await this.#needs.listBooks(userId);
    const kept = await this.#store.readFold(userId);
    const lots = new LotBook("AVERAGE", money, kept === undefined ? undefined : (JSON.parse(kept.lots) as LotState));
    const last = kept === undefined ? undefined : (await this.#store.listDays(userId, Number.MAX_SAFE_INTEGER)).at(-1);
    const run = new Run(this.#needs, money, lots, last === undefined ? undefined : readRecord(last.record));
    const isBot = new Map(books.map((book: AccountingBook) => [book.account, book.isBot]));
    let unkept = 0;
    const { listMovements } = this.#store;
    for await (const page of readMovements(listMovements, [...isBot.keys()], kept?.sequence ?? 0, through)) {
      // Commands are complete: nothing waits for the next page.
      await run.add(page.rows.map((row) => movementOf(row, isBot.get(row.account) === true)));
      unkept += page.rows.length;
      if (unkept < ROWS_KEPT) continue;
      await this.#keep(userId, page.through, run);
      unkept = 0;
    }
    if (unkept > 0) await this.#keep(userId, through, run);
    return { sequence: through, lots, record: run.record };
  }

  async #keep(userId: number, sequence: number, run: Run): Promise<void> {
    const days = run.takeDays().map((record) => ({ user_id: userId, day: record.day, record: writeRecord(record) }));
    await this.#store.write({ user_id: userId, sequence, lots: JSON.stringify(run.lots.write()) }, days);
  }
}

/** Postings on their way into lots and days. */
class Run {
  readonly lots: LotBook;
  readonly #moments: Moments;
  #day: DayBook | undefined;
  #last: DayRecord | undefined;
  readonly #ended: DayRecord[] = [];

  constructor(needs: AccountingNeeds, money: number, lots: LotBook, last: DayRecord | undefined) {
    this.#moments = new Moments(needs, money);
    this.lots = lots;
    this.#last = last;
  }

  get record(): DayRecord {
    return this.#day?.end(this.lots) ?? this.#last ?? NO_RECORD;
  }

  /** Whole commands. */
  async add(movements: readonly Movement[]): Promise<void> {
    const reader = new EventReader();
    for (const movement of movements) await this.#take(reader.add(movement));
    await this.#take(reader.end());
  }

  /** The days that are to be written: those that ended since, and the one under way. */
  takeDays(): readonly DayRecord[] {
    return [...this.#ended.splice(0), ...(this.#day === undefined ? [] : [this.#day.end(this.lots)])];
  }

  async #take(groups: readonly (readonly Movement[])[]): Promise<void> {
    for (const group of groups) {
      const [first] = group;
      if (first === undefined) continue;
      const moment = await this.#moments.of(group);
      const day = this.#dayOf(first.timeMs);
      day.add(group, moment.valueAt);
      const event = eventOf(group);
      if (event !== undefined) day.take(this.lots.take(event, moment));
    }
  }

  #dayOf(timeMs: number): DayBook {
    const day = Math.floor(timeMs / DAY_MS);
    if (this.#day !== undefined && this.#day.day >= day) return this.#day;
    if (this.#day !== undefined) {
      this.#last = this.#day.end(this.lots);
      this.#ended.push(this.#last);
    }
    this.#day = new DayBook(day, this.#last);
    return this.#day;
  }
}

const NO_RECORD: DayRecord = {
  day: 0,
  held: new Map(),
  committedUnits: 0n,
  inUnits: 0n,
  outUnits: 0n,
  moved: new Map(),
  sources: NO_SOURCES,
};

function movementOf(row: MovementRow, isBot: boolean): Movement {
  return {
    sequence: row.sequence,
    timeMs: row.time_ms,
    asset: row.asset,
    business: row.business,
    units: row.delta_units,
    market: row.market,
    reference: row.reference ?? String(row.reference_number),
    isBot,
  };
}

interface RecordText {
  readonly day: number;
  readonly held: readonly (readonly [number, string])[];
  readonly committed: string;
  readonly flows: readonly [string, string];
  readonly moved: readonly (readonly [number, string])[];
  readonly sources: readonly [string, string, string, string];
}

function writeRecord({ day, held, committedUnits, inUnits, outUnits, moved, sources }: DayRecord): string {
  const pairs = (map: ReadonlyMap<number, bigint>) =>
    [...map].map(([asset, units]) => [asset, units.toString()] as const);
  const { futures, bots, earn, fees } = sources;
  const text: RecordText = {
    day,
    held: pairs(held),
    committed: committedUnits.toString(),
    flows: [inUnits.toString(), outUnits.toString()],
    moved: pairs(moved),
    sources: [futures.toString(), bots.toString(), earn.toString(), fees.toString()],
  };
  return JSON.stringify(text);
}

function readRecord(text: string): DayRecord {
  const { day, held, committed, flows, moved, sources } = JSON.parse(text) as RecordText;
  const map = (pairs: readonly (readonly [number, string])[]) =>
    new Map(pairs.map(([asset, units]) => [asset, BigInt(units)]));
  const [futures, bots, earn, fees] = sources;
  return {
    day,
    held: map(held),
    committedUnits: BigInt(committed),
    inUnits: BigInt(flows[0]),
    outUnits: BigInt(flows[1]),
    moved: map(moved),
    sources: { futures: BigInt(futures), bots: BigInt(bots), earn: BigInt(earn), fees: BigInt(fees) },
  };
}
