// The ranking of grid bots: by the last week's grid profit, cached for a while for equal queries. Changes nothing.
import { isSimulatedUser, SIMULATED_USER_MAX, SIMULATED_USER_MIN } from "@clockwork/core/protocol/names";
import { DAY_MS } from "@clockwork/kit/time";
import type { GridBiz, RankedBot, Ranking, RankingQuery } from "./contract.ts";
import type { GridNeeds } from "./needs.ts";
import type { RankConditions, RankedRow, RankQuery, RankStore } from "./rank-store.ts";
import { type Candidate, describeCandidate, RANK_DAYS, RANKED, SPARK_POINTS } from "./rules.ts";

/** The page size, and the number of the best by weekly rate among which other orders are computed. */
const LIST_MAX = 100;
const RANKED_MAX = 500;
const YOUNG_MAX = 50;
const SIMULATED_USERS = [SIMULATED_USER_MIN, SIMULATED_USER_MAX] as const;
const RANKING_KEPT_MS = 30_000;
const KEPT_MAX = 64;
const DRAWDOWN_DAYS = 90;
const WEEK_MS = RANK_DAYS * DAY_MS;
const BY = { apr: "apr", profit: "profit", age: "ageMs", drawdown: "drawdown" } as const;

interface Ranked {
  readonly owner: number;
  readonly isRanked: boolean;
  readonly bot: ReturnType<typeof describeCandidate>;
}

interface Kept {
  readonly atMs: number;
  readonly rows: Promise<readonly Ranked[]>;
}

export class RankingService {
  readonly #store: RankStore;
  readonly #needs: GridNeeds;
  readonly #kept = new Map<string, Kept>();

  constructor({ store, needs }: { readonly store: RankStore; readonly needs: GridNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  /** Bots older than a day with enough pairs and money in them, by the last week's grid profit. */
  async ranking(userId: number | undefined, biz: GridBiz, query: RankingQuery): Promise<Ranking> {
    const { pairCode, kind } = query;
    const market = pairCode === undefined ? undefined : this.#needs.findMarket(biz, pairCode)?.market;
    const nowMs = this.#needs.now();
    if (pairCode !== undefined && market === undefined) return { refreshedAtMs: nowMs, bots: [], young: [] };
    const { atMs, rows } = this.#keep(`${biz}:${kind}:${market}`, nowMs, () =>
      this.#rank({ nowMs, weekMs: WEEK_MS, isSpot: biz === "spot", kind, market }),
    );
    const column = BY[query.sort ?? "apr"];
    const sign = column === "drawdown" ? 1 : -1;
    const sorted = [...(await rows)].sort(
      (a, b) => sign * (Number(a.bot[column]) - Number(b.bot[column])) || a.bot.id - b.bot.id,
    );
    const answer = ({ bot, owner }: Ranked, rank: number): RankedBot => ({ ...bot, rank, isYours: owner === userId });
    return {
      refreshedAtMs: atMs,
      bots: sorted
        .filter(({ isRanked }) => isRanked)
        .slice(0, query.limit ?? LIST_MAX)
        .map((one, at) => answer(one, at + 1)),
      young: sorted.filter(({ isRanked }) => !isRanked).map((one) => answer(one, 0)),
    };
  }

  #keep(key: string, nowMs: number, make: () => Promise<readonly Ranked[]>): Kept {
    const known = this.#kept.get(key);
    if (known !== undefined && nowMs - known.atMs <= RANKING_KEPT_MS) return known;
    const kept = { atMs: nowMs, rows: make() };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    // A failed read is not cached.
    kept.rows.catch(() => this.#kept.delete(key));
    const oldest = this.#kept.keys().next().value;
    if (this.#kept.size > KEPT_MAX && oldest !== undefined) this.#kept.delete(oldest);
    return kept;
  }

  async #conditions(): Promise<RankConditions> {
    const byUnits = new Map<bigint, number[]>();
    for (const market of await this.#store.markets()) {
      const scale = this.#needs.marketOf(market)?.settle.scale;
      if (scale === undefined) continue;
      const units = RANKED.invested * 10n ** BigInt(scale);
      byUnits.set(units, [...(byUnits.get(units) ?? []), market]);
    }
    return {
      ageMs: RANKED.ageMs,
      pairs: RANKED.pairs,
      least: [...byUnits].map(([units, markets]) => ({ markets, units })),
    };
  }

  async #rank(query: RankQuery): Promise<readonly Ranked[]> {
    const conditions = await this.#conditions();
    if (conditions.least.length === 0) return [];
    const [best, simulated] = await Promise.all([
      this.#store.best(query, conditions, RANKED_MAX),
      this.#store.ofUsers(query, SIMULATED_USERS, YOUNG_MAX),
    ]);
    const known = new Set(best.map(({ bot }) => bot));
    const young = simulated.filter((row) => !known.has(row.bot) && isYoung(row, query.nowMs));
    const rows = [...best, ...young];
    const bots = rows.map(({ bot }) => bot);
    const { nowMs } = query;
    const [sparks, drawdowns, clones] = await Promise.all([
      this.#store.sparks(bots, nowMs - WEEK_MS, WEEK_MS / SPARK_POINTS),
      this.#store.drawdowns(bots, nowMs - DRAWDOWN_DAYS * DAY_MS),
      this.#store.clones(bots),
    ]);
    const sparksOf = Map.groupBy(sparks, ({ bot }) => bot);
    return rows.flatMap((row) => {
      const market = this.#needs.marketOf(row.market);
      if (market === undefined) return [];
      const candidate: Candidate = {
        row,
        market,
        earnedUnits: BigInt(row.week_units),
        parts: (sparksOf.get(row.bot) ?? []).map(({ point, units }) => ({ point, units: BigInt(units) })),
        drawdown: drawdowns.get(row.bot) ?? 0,
        usedBy: clones.get(row.bot) ?? 0,
        isSimulated: isSimulatedUser(row.user_id),
      };
      return [{ owner: row.user_id, isRanked: known.has(row.bot), bot: describeCandidate(candidate, nowMs) }];
    });
  }
}

/** Unranked because it has not run long enough or closed enough pairs, not because it is below the best. */
function isYoung({ pairs, created_ms }: RankedRow, nowMs: number): boolean {
  return pairs < RANKED.pairs || nowMs - created_ms < RANKED.ageMs;
}
