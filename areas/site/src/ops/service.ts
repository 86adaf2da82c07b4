// Use cases of the ops slice: visitors' events are counted as they arrive, operators read the counts. Must never store
// who the visitor was: statistics have labels and counts, no address, no account.
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS, formatDate, parseDateTime } from "@clockwork/kit/time";
import type { StatisticsQuery } from "./contract.ts";
import type { ReadingRefusal } from "./refusals.ts";
import { foldLabels, keyOf, labelEvent, oldestKeptDay } from "./rules.ts";
import type { OpsStore, StatisticsFilter, StatisticsRow, StatisticsTotal } from "./store.ts";

export interface StatisticsPage {
  readonly rows: readonly StatisticsRow[];
  /** The offset of the next page; undefined on the last. */
  readonly nextOffset: number | undefined;
}

export const RANGE_DAYS_MAX = 400;
export const PAGE_ROWS_MAX = 500;
const TOTALS_MAX = 10_000;
const OFFSET_MAX = 1_000_000;

/** The number of rows of the current day, as far as this process has counted. */
interface DayRows {
  readonly day: string;
  rows: number;
}

export class OpsService {
  readonly #store: OpsStore;
  // A promise, so that the first events of a day share one count instead of each asking for its own.
  #today: { readonly day: string; readonly rows: Promise<DayRows> } | undefined;

  constructor({ store }: { readonly store: OpsStore }) {
    this.#store = store;
  }

  async recordEvent(query: StatisticsQuery, timeMs: number): Promise<void> {
    const labels = labelEvent(query, timeMs);
    const dayRows = await this.#openDay(labels.day, timeMs);
    const folded = foldLabels(labels, dayRows.rows);
    if (folded !== labels && (await this.#store.countKnown(keyOf(labels), timeMs))) return;
    // Counted before the row is written, so that no burst of new labels passes the limit.
    dayRows.rows += 1;
    const { isNew } = await this.#store.count(keyOf(folded), folded, timeMs).catch((error: unknown) => {
      dayRows.rows -= 1;
      throw error;
    });
    if (!isNew) dayRows.rows -= 1;
  }

  /** For operators: every combination of labels, most frequent first within a day. */
  async readRows(
    filter: StatisticsFilter,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<Result<StatisticsPage, ReadingRefusal>> {
    if (!isRange(filter)) return refused("OPS_RANGE_INVALID");
    const isPage = isWhole(offset, 0, OFFSET_MAX) && isWhole(limit, 1, PAGE_ROWS_MAX);
    if (!isPage) return refused("OPS_PAGE_INVALID");
    // One extra row shows whether another page follows.
    const rows = await this.#store.listRows(filter, offset, limit + 1);
    const nextOffset = rows.length > limit ? offset + limit : undefined;
    return done({ rows: rows.slice(0, limit), nextOffset });
  }

  /** For operators: one line per day, event and request source. */
  async readTotals(filter: StatisticsFilter): Promise<Result<readonly StatisticsTotal[], ReadingRefusal>> {
    if (!isRange(filter)) return refused("OPS_RANGE_INVALID");
    return done(await this.#store.listTotals(filter, TOTALS_MAX));
  }

  #openDay(day: string, timeMs: number): Promise<DayRows> {
    if (this.#today?.day === day) return this.#today.rows;
    const rows = this.#store.deleteBefore(oldestKeptDay(timeMs)).then(async () => ({
      day,
      rows: await this.#store.countDayRows(day),
    }));
    this.#today = { day, rows };
    // A failed count is retried by the next event.
    rows.catch(() => {
      if (this.#today?.rows === rows) this.#today = undefined;
    });
    return rows;
  }
}

function isRange({ fromDay, toDay }: StatisticsFilter): boolean {
  const fromMs = parseDateTime(fromDay);
  const toMs = parseDateTime(toDay);
  if (fromMs === undefined || toMs === undefined) return false;
  // A day with a time of day would compare wrongly as text.
  if (formatDate(fromMs) !== fromDay || formatDate(toMs) !== toDay) return false;
  return fromMs <= toMs && toMs - fromMs < RANGE_DAYS_MAX * DAY_MS;
}

function isWhole(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}
