// Exchange rates: fetched from the source periodically, kept in the database, published to open pages when they change.
// Must never present old or invented rates as current: age, source and the simulated mark go with them.
import { type Currency, DEFAULT_CURRENCY } from "@clockwork/kit/constants";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { ExchangeRate } from "./contract.ts";
import type { ContentNeeds } from "./needs.ts";
import { chooseRates, isRate, type KnownRate, OPERATOR_NAME, readSourced } from "./rate-rules.ts";
import type { Change, ContentStore } from "./store.ts";

export class RateService {
  readonly #store: ContentStore;
  readonly #needs: ContentNeeds;
  #answer: ExchangeRate | undefined;
  // One after the other: a slow read of the database must not undo a later publication.
  #loading: Promise<unknown> = Promise.resolve();

  constructor({ store, needs }: { store: ContentStore; needs: ContentNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  /** The last published rates; reads the database before the first. */
  async read(timeMs: number): Promise<ExchangeRate> {
    return this.#answer ?? this.#load(timeMs);
  }

  /** Fetches from the source, stores the result and publishes a change. Never rejects because of the source. */
  async refresh(timeMs: number): Promise<ExchangeRate> {
    await this.#ask(timeMs);
    return this.#load(timeMs);
  }

  async setOverride(currency: Currency, rate: string, change: Change): Promise<Result<ExchangeRate, "RATE_INVALID">> {
    if (currency === DEFAULT_CURRENCY || !isRate(rate)) return refused("RATE_INVALID");
    await this.#store.setOverride(currency, rate, change);
    return done(await this.#load(change.timeMs));
  }

  async clearOverride(currency: Currency, change: Change): Promise<ExchangeRate> {
    await this.#store.clearOverride(currency);
    return this.#load(change.timeMs);
  }

  async #loadNow(timeMs: number): Promise<ExchangeRate> {
    const [sourced, overrides] = await Promise.all([this.#store.listRates(), this.#store.listOverrides()]);
    // Rates stored from another source are not used: a new one starts empty.
    const current = sourced.filter((row) => row.source === this.#needs.source.name);
    const pinned = overrides.map(
      ({ currency, rate, set_at_ms }): KnownRate => ({
        currency,
        rate,
        source: OPERATOR_NAME,
        is_simulated: false,
        as_of_ms: set_at_ms,
      }),
    );
    const table = chooseRates(current, pinned, { timeMs, maySimulate: this.#needs.maySimulateRates });
    const isNews = JSON.stringify(this.#answer) !== JSON.stringify(table);
    this.#answer = table;
    if (isNews) this.#needs.publish("rate", table);
    return table;
  }

  #load(timeMs: number): Promise<ExchangeRate> {
    const next = this.#loading.then(() => this.#loadNow(timeMs));
    this.#loading = next.catch(() => undefined);
    return next;
  }

  async #ask(timeMs: number): Promise<void> {
    try {
      const { rows, refused: broken } = readSourced(this.#needs.source, await this.#needs.source.fetchRates(timeMs));
      if (broken.length > 0)
        this.#needs.report("rates.refused", { source: this.#needs.source.name, currencies: broken });
      await this.#store.saveRates(rows);
    } catch (error) {
      this.#needs.report("rates.failed", { source: this.#needs.source.name, error });
    }
  }
}
