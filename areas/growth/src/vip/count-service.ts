// The daily count: what every user traded in each full day and held at midnight, and the level that earns. Each day is
// counted once and is final; a missed count is made up for.
import { DAY_MS } from "@clockwork/kit/time";
import type { VipNeeds } from "./needs.ts";
import { countOn, levelOf, NEWCOMER, WINDOW_DAYS } from "./rules.ts";
import { type CountedRow, type DayRow, NOTHING_TRADED, type TurnoverSum, type VipRow, type VipStore } from "./store.ts";

/** Days are shown for this time. */
const KEPT_DAYS = 100;

export class CountService {
  readonly #store: VipStore;
  readonly #needs: VipNeeds;

  constructor({ store, needs }: { readonly store: VipStore; readonly needs: VipNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  /** Stores the current balances of all users, as of the day that starts. Repeated for a day, it changes nothing. */
  async takeAssets(day: number): Promise<void> {
    if ((await this.#store.listCounted("assets", day)).includes(day)) return;
    await this.#needs.settledAt(day * DAY_MS);
    const worths = new Map<number, bigint>();
    for (const { user_id, asset, units } of await this.#store.sumBalances()) {
      if (units <= 0n || !this.#needs.isPerson(user_id)) continue;
      const worth = this.#needs.worthUnits(asset, units) ?? 0n;
      worths.set(user_id, (worths.get(user_id) ?? 0n) + worth);
    }
    const rows = [...worths].flatMap(([user_id, worth_units]) =>
      worth_units > 0n ? [{ user_id, day, worth_units }] : [],
    );
    await this.#store.putAssets(day, rows, this.#needs.now());
  }

  /** Counts the uncounted of the thirty days before this one, then all levels. */
  async count(countMs: number): Promise<void> {
    const today = Math.floor(countMs / DAY_MS);
    const first = today - WINDOW_DAYS;
    await this.#needs.settledAt(today * DAY_MS);
    const known = new Set(await this.#store.listCounted("turnover", first));
    for (let day = first; day < today; day += 1) {
      if (known.has(day)) continue;
      await this.#store.putDay(day, this.#sumDay(day, await this.#store.sumTurnover(day)), this.#needs.now());
    }
    await this.#measure(first, today, countMs);
    await this.#store.removeBefore(today - KEPT_DAYS);
  }

  #sumDay(day: number, sums: readonly TurnoverSum[]): DayRow[] {
    const days = new Map<number, { -readonly [Name in keyof DayRow]: DayRow[Name] }>();
    for (const { user_id, market, role, fee_asset, notionalUnits, feeUnits } of sums) {
      const facts = this.#needs.findMarket(market);
      if (facts === undefined || facts.isFree || !this.#needs.isPerson(user_id)) continue;
      const row = days.get(user_id) ?? { user_id, day, ...NOTHING_TRADED };
      days.set(user_id, row);
      const worth = this.#needs.worthUnits(facts.settle, notionalUnits) ?? 0n;
      const kind = facts.kind === "spot" ? "spot" : "perp";
      row[`${kind}_${role === "maker" ? "maker" : "taker"}_units`] += worth;
      row.fee_units += feeUnits === 0n ? 0n : (this.#needs.worthUnits(fee_asset, feeUnits) ?? 0n);
    }
    return [...days.values()];
  }

  /** Every user with a level or a measure is counted again: inactivity lowers a level. */
  async #measure(first: number, today: number, countMs: number): Promise<void> {
    const traded = await this.#store.sumDays(first, today - 1);
    // Midnights of the thirty days, the one that ends the last of them included.
    const assets = await this.#store.sumAssets(first + 1, today);
    const before = new Map((await this.#store.list()).map((row) => [row.user_id, row]));
    const rows: CountedRow[] = [];
    for (const userId of new Set([...traded.keys(), ...assets.keys(), ...before.keys()])) {
      const known = before.get(userId);
      // A repeated run counts no user twice.
      if (known !== undefined && known.counted_ms >= countMs) continue;
      const measures = {
        spotUnits: traded.get(userId)?.spot ?? 0n,
        futuresUnits: traded.get(userId)?.futures ?? 0n,
        assetsUnits: (assets.get(userId) ?? 0n) / BigInt(WINDOW_DAYS),
      };
      const standing = countOn(standingOf(known), levelOf(measures), countMs);
      rows.push({
        user_id: userId,
        earned_level: standing.earnedLevel,
        below_since_ms: standing.belowSinceMs,
        below_best: standing.belowBest,
        spot_units: measures.spotUnits,
        futures_units: measures.futuresUnits,
        assets_units: measures.assetsUnits,
        counted_ms: countMs,
      });
    }
    await this.#store.putCounted(rows);
  }
}

function standingOf(row: VipRow | undefined) {
  if (row === undefined) return NEWCOMER;
  return { earnedLevel: row.earned_level, belowSinceMs: row.below_since_ms, belowBest: row.below_best };
}
