// Exchange rates: asked of the source now and then, kept in the database, told to open pages when they change.
// Must never pass off old or invented rates as fresh: age, source and the simulated mark go with them.
import { type Currency, DEFAULT_CURRENCY } from "@clockwork/kit/constants";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { ExchangeRate } from "./api.ts";
import type { ContentNeeds } from "./needs.ts";
import { chooseRates, isRate, type KnownRate, OPERATOR_NAME, readSourced } from "./rate-rules.ts";
import type { Change, ContentStore } from "./store.ts";

export interface RateService {
  /** What was last told; asks the database when nothing was yet. */
  read(timeMs: number): Promise<ExchangeRate>;
  /** Asks the source, keeps what it says and tells pages of a change. Never rejects because of the source. */
  refresh(timeMs: number): Promise<ExchangeRate>;
  setOverride(currency: Currency, rate: string, change: Change): Promise<Result<ExchangeRate, "RATE_INVALID">>;
  clearOverride(currency: Currency, change: Change): Promise<ExchangeRate>;
}

export function rateService({ store, needs }: { store: ContentStore; needs: ContentNeeds }): RateService {
  let told: ExchangeRate | undefined;

  const loadNow = async (timeMs: number): Promise<ExchangeRate> => {
    const [sourced, overrides] = await Promise.all([store.listRates(), store.listOverrides()]);
    // A table kept from another source is that source's no more: a new one begins afresh.
    const current = sourced.filter((row) => row.source === needs.source.name);
    const pinned = overrides.map(
      ({ currency, rate, set_at_ms }): KnownRate => ({
        currency,
        rate,
        source: OPERATOR_NAME,
        is_simulated: false,
        as_of_ms: set_at_ms,
      }),
    );
    const table = chooseRates(current, pinned, timeMs);
    const isNews = JSON.stringify(told) !== JSON.stringify(table);
    told = table;
    if (isNews) needs.publish("rate", table);
    return table;
  };

  // One after the other: a slow look at the database must not undo what a later one has told.
  let loading: Promise<unknown> = Promise.resolve();
  const load = (timeMs: number): Promise<ExchangeRate> => {
    const next = loading.then(() => loadNow(timeMs));
    loading = next.catch(() => undefined);
    return next;
  };

  const ask = async (timeMs: number): Promise<void> => {
    try {
      const { rows, refused: broken } = readSourced(needs.source, await needs.source.fetchRates(timeMs));
      if (broken.length > 0) needs.report("rates.refused", { source: needs.source.name, currencies: broken });
      await store.saveRates(rows);
    } catch (error) {
      needs.report("rates.failed", { source: needs.source.name, error });
    }
  };

  return {
    read: async (timeMs) => told ?? load(timeMs),
    async refresh(timeMs) {
      await ask(timeMs);
      return load(timeMs);
    },
    async setOverride(currency, rate, change) {
      if (currency === DEFAULT_CURRENCY || !isRate(rate)) return refused("RATE_INVALID");
      await store.setOverride(currency, rate, change);
      return done(await load(change.timeMs));
    },
    async clearOverride(currency, change) {
      await store.clearOverride(currency);
      return load(change.timeMs);
    },
  };
}
