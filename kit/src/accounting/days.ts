// Owns a user's result day by day: holdings at the end of each day, deposits and withdrawals, and the sources of the
// rest. One definition for every page: equity is all the user owns in their books, and what they committed, at its
// cost.
import { FEE_BUSINESSES, type Movement } from "./events.ts";
import type { EventResult, LotBook, ValueAt } from "./lots.ts";

export interface Sources {
  readonly futures: bigint;
  readonly bots: bigint;
  readonly earn: bigint;
  readonly fees: bigint;
}

/** A day with events, as of its end. */
export interface DayRecord {
  readonly day: number;
  readonly held: ReadonlyMap<number, bigint>;
  readonly committedUnits: bigint;
  readonly inUnits: bigint;
  readonly outUnits: bigint;
  /** Signed worth of movements of each asset for something else or from and to outside: no gain of it. */
  readonly moved: ReadonlyMap<number, bigint>;
  readonly sources: Sources;
}

export interface DayResult {
  readonly day: number;
  readonly equityUnits: bigint;
  readonly inUnits: bigint;
  readonly outUnits: bigint;
  readonly pnlUnits: bigint;
  /** Since the beginning of the first day, in hundred-millionths. */
  readonly returnRate: bigint;
  readonly sources: Sources;
}

/** The worth of units of an asset at the end of a day; for today now. */
export type WorthAt = (asset: number, units: bigint, day: number) => bigint;

export const RATE_ONE = 100_000_000n;
export const NO_SOURCES: Sources = { futures: 0n, bots: 0n, earn: 0n, fees: 0n };

const FUTURES: ReadonlySet<string> = new Set(["realized", "insurance", "adl"]);
const EARN: ReadonlySet<string> = new Set(["earnInterest", "reward", "coupon", "bonus", "rebate", "profitShare"]);

function sourceOf({ business, isBot }: Movement): keyof Sources | undefined {
  if (FEE_BUSINESSES.has(business) || business === "funding") return "fees";
  if (EARN.has(business)) return "earn";
  return FUTURES.has(business) ? (isBot ? "bots" : "futures") : undefined;
}

/** The day under way. */
export class DayBook {
  readonly day: number;
  readonly #held: Map<number, bigint>;
  #inUnits: bigint;
  #outUnits: bigint;
  readonly #moved: Map<number, bigint>;
  readonly #sources: { -readonly [Name in keyof Sources]: Sources[Name] };

  /** A new day, or one that continues another and starts with its holdings. */
  constructor(day: number, from?: DayRecord) {
    const isSame = from?.day === day;
    this.day = day;
    this.#held = new Map(from?.held);
    this.#inUnits = isSame ? from.inUnits : 0n;
    this.#outUnits = isSame ? from.outUnits : 0n;
    this.#moved = new Map(isSame ? from.moved : []);
    this.#sources = { ...(isSame ? from.sources : NO_SOURCES) };
  }

  add(movements: readonly Movement[], valueAt: ValueAt): void {
    for (const movement of movements) {
      const { asset, units, timeMs } = movement;
      this.#held.set(asset, (this.#held.get(asset) ?? 0n) + units);
      const source = sourceOf(movement);
      if (source === undefined) continue;
      const worth = valueAt(asset, units < 0n ? -units : units, timeMs) ?? 0n;
      this.#sources[source] += units < 0n ? -worth : worth;
    }
  }

  take({ moved, inUnits, outUnits }: EventResult): void {
    this.#inUnits += inUnits;
    this.#outUnits += outUnits;
    for (const [asset, units] of moved) this.#moved.set(asset, (this.#moved.get(asset) ?? 0n) + units);
  }

  end(book: LotBook): DayRecord {
    const { launchUnits, bondUnits } = book.committed;
    return {
      day: this.day,
      held: new Map([...this.#held].filter(([, units]) => units !== 0n)),
      committedUnits: launchUnits + bondUnits,
      inUnits: this.#inUnits,
      outUnits: this.#outUnits,
      moved: new Map(this.#moved),
      sources: { ...this.#sources },
    };
  }
}

export function equityOf(
  { held, committedUnits }: Pick<DayRecord, "held" | "committedUnits">,
  day: number,
  worthAt: WorthAt,
): bigint {
  return [...held].reduce(
    (sum, [asset, units]) => sum + (units === 0n ? 0n : worthAt(asset, units, day)),
    committedUnits,
  );
}

const EMPTY: DayRecord = {
  day: 0,
  held: new Map(),
  committedUnits: 0n,
  inUnits: 0n,
  outUnits: 0n,
  moved: new Map(),
  sources: NO_SOURCES,
};

/** The record at the end of a day: the newest one up to it. In order of their days. */
export function standingAt(records: readonly DayRecord[], day: number): DayRecord {
  return records.findLast((one) => one.day <= day) ?? EMPTY;
}

/** From the first given day to the last, each after the other; records may start before. */
export function analyseDays(
  records: readonly DayRecord[],
  first: number,
  last: number,
  worthAt: WorthAt,
): readonly DayResult[] {
  let standing = standingAt(records, first - 1);
  let before = equityOf(standing, first - 1, worthAt);
  let growth = RATE_ONE;
  const byDay = new Map(records.map((record) => [record.day, record]));
  const results: DayResult[] = [];
  for (let day = first; day <= last; day += 1) {
    const today = byDay.get(day);
    standing = today ?? standing;
    const { inUnits, outUnits, sources } = today ?? EMPTY;
    const equityUnits = equityOf(standing, day, worthAt);
    const pnlUnits = equityUnits - before - inUnits + outUnits;
    const base = before + inUnits;
    // Deposits count as invested for their whole day: a large deposit never makes a small profit look large.
    const rate = base > 0n ? (pnlUnits * RATE_ONE) / base : 0n;
    growth = (growth * (RATE_ONE + (rate < -RATE_ONE ? -RATE_ONE : rate))) / RATE_ONE;
    results.push({ day, equityUnits, inUnits, outUnits, pnlUnits, returnRate: growth - RATE_ONE, sources });
    before = equityUnits;
  }
  return results;
}

/** The gain of one coin over the days: its worth at the end, less that at the start and all movements. */
export function coinGain(
  records: readonly DayRecord[],
  asset: number,
  first: number,
  last: number,
  worthAt: WorthAt,
): bigint {
  const worth = (day: number): bigint => {
    const units = standingAt(records, day).held.get(asset) ?? 0n;
    return units === 0n ? 0n : worthAt(asset, units, day);
  };
  const within = records.filter(({ day }) => day >= first && day <= last);
  const moved = within.reduce((sum, record) => sum + (record.moved.get(asset) ?? 0n), 0n);
  return worth(last) - worth(first - 1) - moved;
}
