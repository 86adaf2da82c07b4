// Counts the queues of the console, folds the figures of each hour into a table of its own, and reads them over a span.
import { FIGURES, type FigureName, type Overview, type Queue, type QueueName, SPANS } from "./contract.ts";
import { formatFigure, HOUR_MS, totalOf } from "./rules.ts";
import type { HourRow, OverviewStore } from "./store.ts";

const KEPT_HOURS = 400 * 24;
/** Hours a start computes anew; the tables of the journal have them all. */
const CAUGHT_UP_HOURS = 7 * 24;

const MINUTE_MS = 60_000;
const PROMISES: Readonly<Record<QueueName, number | null>> = {
  withdrawals: 30 * MINUTE_MS,
  identity: 24 * HOUR_MS,
  otc: 24 * HOUR_MS,
  merchants: 72 * HOUR_MS,
  leaders: 72 * HOUR_MS,
  tickets: 12 * HOUR_MS,
  proposals: 2 * HOUR_MS,
};

export interface OverviewNeeds {
  /** In USDT units; undefined without a price. */
  worthUnits(asset: number | string, units: bigint): bigint | undefined;
  /** In USDT units; undefined while no market answers. */
  openInterest(): Promise<bigint | undefined>;
  insuranceFund(): Promise<bigint | undefined>;
}

export class OverviewService {
  readonly #store: OverviewStore;
  readonly #needs: OverviewNeeds;

  constructor({ store, needs }: { readonly store: OverviewStore; readonly needs: OverviewNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async countQueue(queue: Exclude<QueueName, "proposals">): Promise<Queue> {
    return { queue, promiseMs: PROMISES[queue], ...(await this.#store[queue]()) };
  }

  countProposals(waitingSinceMs: readonly number[]): Queue {
    const oldestMs = waitingSinceMs.length === 0 ? null : Math.min(...waitingSinceMs);
    return { queue: "proposals", count: waitingSinceMs.length, oldestMs, promiseMs: PROMISES.proposals };
  }

  /** Computes the current hour and those since the newest stored one. */
  async fold(timeMs: number): Promise<void> {
    const now = Math.floor(timeMs / HOUR_MS);
    const newest = (await this.#store.newestHour()) ?? now - CAUGHT_UP_HOURS;
    for (let hour = Math.max(newest, now - CAUGHT_UP_HOURS); hour <= now; hour += 1) {
      const flows = await this.#readFlows(hour);
      const levels = hour === now ? await this.#readLevels(hour) : {};
      const rows: HourRow[] = Object.entries({ ...flows, ...levels }).flatMap(([figure, value]) =>
        value === undefined ? [] : [{ hour, figure, value, computed_ms: timeMs }],
      );
      await this.#store.saveHour(rows);
    }
    await this.#store.removeBefore(now - KEPT_HOURS);
  }

  async #readFlows(hour: number): Promise<Partial<Record<FigureName, bigint | undefined>>> {
    const from = hour * HOUR_MS;
    const to = from + HOUR_MS;
    const [accounts, turnover, deposits, withdrawals] = await Promise.all([
      this.#store.countAccounts(from, to),
      this.#store.sumTurnover(hour),
      this.#store.sumDeposits(from, to),
      this.#store.sumWithdrawals(from, to),
    ]);
    const sums = { spotVolume: 0n, futuresVolume: 0n, spotFees: 0n, futuresFees: 0n };
    for (const { kind, role, asset, feeAsset, notional, fee } of turnover) {
      const product = kind === "spot" ? "spot" : "futures";
      // A trade has two sides and one volume.
      if (role === "taker") sums[`${product}Volume`] += this.#needs.worthUnits(asset, notional) ?? 0n;
      if (feeAsset >= 0) sums[`${product}Fees`] += this.#needs.worthUnits(feeAsset, fee) ?? 0n;
    }
    const deposited = deposits.reduce(
      (sum, { asset, units }) => sum + (this.#needs.worthUnits(asset, units) ?? 0n),
      0n,
    );
    return { accounts: BigInt(accounts), ...sums, deposits: deposited, withdrawals };
  }

  /** What is now and cannot be computed later. */
  async #readLevels(hour: number): Promise<Partial<Record<FigureName, bigint | undefined>>> {
    const [active, openInterest, insuranceFund] = await Promise.all([
      this.#store.countActive(hour * HOUR_MS),
      this.#needs.openInterest(),
      this.#needs.insuranceFund(),
    ]);
    return { active: BigInt(active), openInterest, insuranceFund };
  }

  async read(span: keyof typeof SPANS, timeMs: number): Promise<Overview> {
    const length = SPANS[span];
    const now = Math.floor(timeMs / HOUR_MS);
    const first = now - length + 1;
    const rows = await this.#store.listHours(first - length);
    const known = new Map(rows.map((row) => [`${row.figure} ${row.hour}`, row.value]));
    const hoursFrom = (start: number) => Array.from({ length }, (_, at) => start + at);
    const figures = FIGURES.map((figure) => {
      const valuesOf = (start: number) => hoursFrom(start).map((hour) => known.get(`${figure} ${hour}`));
      const format = (value: bigint | undefined) => (value === undefined ? null : formatFigure(figure, value));
      const values = valuesOf(first);
      return {
        figure,
        total: format(totalOf(figure, values)),
        before: format(totalOf(figure, valuesOf(first - length))),
        values: values.map(format),
      };
    });
    return {
      span,
      hours: hoursFrom(first).map((hour) => hour * HOUR_MS),
      figures,
      accountsInAll: await this.#store.countAllAccounts(),
      computedAtMs: rows.reduce<number | null>((newest, row) => Math.max(newest ?? 0, row.computed_ms), null),
    };
  }
}
