// All published baskets by the profit of the last week, for cloning. Changes nothing.
import { valueText } from "@clockwork/kit/instrument";
import { DAY_MS } from "@clockwork/kit/time";
import type { BasketRanking, RankedBasket, RankingQuery } from "./contract.ts";
import type { RebalanceNeeds } from "./needs.ts";
import { describeRebalancer, isRanked, type Seen, type SeenCoin, shareText, totalOf } from "./rules.ts";
import { seeAll } from "./service.ts";
import type { RebalanceStore, WorthRow } from "./store.ts";

const RANK_DAYS = 7;
const CURVE_DAYS = 90;
const RANKING_KEPT_MS = 30_000;
const LIST_MAX = 100;
const SPARK_POINTS = 24;
const BY = { week: "week", total: "total", age: "ageMs", drawdown: "drawdown" } as const;

interface Ranked {
  readonly owner: number;
  readonly isRanked: boolean;
  readonly bot: Omit<RankedBasket, "rank" | "isYours">;
}

export class RankingService {
  readonly #store: RebalanceStore;
  readonly #needs: RebalanceNeeds;
  #kept: { readonly atMs: number; readonly rows: Promise<readonly Ranked[]> } | undefined;

  constructor({ store, needs }: { readonly store: RebalanceStore; readonly needs: RebalanceNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async ranking(userId: number | undefined, { sort = "week", limit = LIST_MAX }: RankingQuery): Promise<BasketRanking> {
    const nowMs = this.#needs.now();
    if (this.#kept === undefined || nowMs - this.#kept.atMs > RANKING_KEPT_MS)
      this.#kept = { atMs: nowMs, rows: rankAll(this.#store, this.#needs, nowMs) };
    const { atMs, rows } = this.#kept;
    const column = BY[sort];
    const sign = column === "drawdown" ? 1 : -1;
    const sorted = [...(await rows)].sort(
      (a, b) => sign * (Number(a.bot[column]) - Number(b.bot[column])) || a.bot.id - b.bot.id,
    );
    const answer = ({ owner, bot }: Ranked, rank: number): RankedBasket => ({
      ...bot,
      rank,
      isYours: owner === userId,
    });
    return {
      bots: sorted
        .filter(({ isRanked }) => isRanked)
        .slice(0, limit)
        .map((one, at) => answer(one, at + 1)),
      young: sorted.filter(({ isRanked, bot }) => !isRanked && bot.isSimulated).map((one) => answer(one, 0)),
      refreshedAtMs: atMs,
    };
  }
}

async function rankAll(store: RebalanceStore, needs: RebalanceNeeds, nowMs: number): Promise<readonly Ranked[]> {
  const rows = await store.running();
  const ids = rows.map(({ rebalancer }) => rebalancer);
  const [seen, worth, clones] = await Promise.all([
    seeAll(store, needs, rows),
    store.worth(ids, nowMs - CURVE_DAYS * DAY_MS),
    store.countClones(ids),
  ]);
  const worthOf = Map.groupBy(worth, ({ rebalancer }) => rebalancer);
  return seen.map((one): Ranked => {
    const { rebalancer, user_id } = one.row;
    return {
      owner: user_id,
      isRanked: isRanked(one, nowMs),
      bot: describeRanked(one, worthOf.get(rebalancer) ?? [], clones.get(rebalancer) ?? 0, nowMs),
    };
  });
}

function describeRanked(seen: Seen, worth: readonly WorthRow[], usedBy: number, nowMs: number): Ranked["bot"] {
  const { row, coins } = seen;
  const { market } = coins[0] as SeenCoin;
  const investedUnits = BigInt(row.invested_units);
  const totalUnits = totalOf(seen);
  const fromMs = nowMs - RANK_DAYS * DAY_MS;
  const before = worth.filter(({ time_ms }) => time_ms <= fromMs).at(-1);
  const weekUnits = totalUnits - BigInt(before?.total_units ?? 0n);
  const {
    id,
    quote,
    thresholdBps,
    intervalMs,
    invested,
    total,
    change,
    rounds,
    isSimulated,
    coins: answer,
  } = describeRebalancer(seen);
  const totals = [0n, ...worth.map(({ total_units }) => BigInt(total_units)), totalUnits];
  return {
    id,
    quote,
    coins: answer.flatMap(({ coin, weightBps }) => (weightBps > 0 ? [{ coin, weightBps }] : [])),
    thresholdBps,
    intervalMs,
    invested,
    weekProfit: valueText(market, weekUnits),
    week: shareText(weekUnits, investedUnits),
    total,
    change,
    rounds,
    drawdown: drawdownText(totals, investedUnits),
    spark: sparkOf(
      worth.filter(({ time_ms }) => time_ms > fromMs),
      investedUnits,
    ),
    ageMs: nowMs - row.created_ms,
    usedBy,
    isSimulated,
  };
}

/** The maximum drawdown of the total worth. */
function drawdownText(totals: readonly bigint[], investedUnits: bigint): string {
  let highest = investedUnits;
  let [deepest, of] = [0n, 1n];
  for (const total of totals) {
    const worth = investedUnits + total;
    if (worth > highest) highest = worth;
    const fall = highest - worth;
    if (fall * of > deepest * highest) [deepest, of] = [fall, highest];
  }
  return shareText(deepest, of);
}

/** Its cumulative profit, in thousandths of the investment. */
function sparkOf(worth: readonly WorthRow[], investedUnits: bigint): number[] {
  const every = Math.max(1, Math.ceil(worth.length / SPARK_POINTS));
  const shown = worth.filter((_, i) => i % every === 0 || i === worth.length - 1);
  return shown.map(({ total_units }) => Number((BigInt(total_units) * 1_000n) / investedUnits));
}
