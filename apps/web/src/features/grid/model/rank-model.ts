// Which bots of a ranking are shown and in which order: by kind, pair, how deep they fell, and what one sorts by. Pure.
import type { RankedBot } from "@clockwork/strategies/grid/contract";

export const RANK_SORTS = ["apr", "profit", "drawdown", "age", "usedBy"] as const;
export type RankSort = (typeof RANK_SORTS)[number];
/** Percent; 0 for any. */
export const DRAWDOWNS = ["0", "2", "5", "10"] as const;

export interface RankChoice {
  readonly kind: string;
  readonly sort: RankSort;
  readonly drawdown: (typeof DRAWDOWNS)[number];
  /** A part of a pair, as typed. */
  readonly pair: string;
}

export const FIRST_CHOICE: RankChoice = { kind: "all", sort: "apr", drawdown: "0", pair: "" };

const BY = { apr: "apr", profit: "profit", drawdown: "drawdown", age: "ageMs", usedBy: "usedBy" } as const;
const PERCENT = 100;

const plain = (pair: string): string => pair.toUpperCase().replace(/[^A-Z0-9]/g, "");

/** The unranked come last; the least drawdown is first, the most of everything else. */
export function chooseRanked(bots: readonly RankedBot[], choice: RankChoice): readonly RankedBot[] {
  const wanted = plain(choice.pair);
  const deepest = Number(choice.drawdown) / PERCENT;
  const sign = choice.sort === "drawdown" ? 1 : -1;
  const column = BY[choice.sort];
  return bots
    .filter(
      (bot) =>
        (choice.kind === "all" || bot.kind === choice.kind) &&
        plain(bot.pairCode).includes(wanted) &&
        (deepest === 0 || Number(bot.drawdown) <= deepest),
    )
    .toSorted(
      (a, b) =>
        Number(a.rank === 0) - Number(b.rank === 0) || sign * (Number(a[column]) - Number(b[column])) || a.id - b.id,
    );
}

/** One page of a list, from 1; a page that is no more is the last. */
export function pageOf<One>(list: readonly One[], page: number, size: number) {
  const pageCount = Math.max(1, Math.ceil(list.length / size));
  const at = Math.min(Math.max(1, page), pageCount);
  const from = (at - 1) * size;
  return { page: at, pageCount, from, shown: list.slice(from, from + size) };
}
