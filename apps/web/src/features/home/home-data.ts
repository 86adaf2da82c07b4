// The data of the home page: the market's quotations, curves, the book and candles of one pair, articles. Runs on the
// server; a missing part is left out and the page still renders.

import { CAMPAIGN_CALLS, type Campaign } from "@clockwork/growth/campaigns/contract";
import { RECOMMEND_CALLS, type Recommendation } from "@clockwork/growth/recommend/contract";
import { ANNOUNCEMENT_CALLS, ARTICLE_CALLS, type ArticleSummary } from "@clockwork/site/articles/contract";
import { COLLEGE_CALLS } from "@clockwork/site/college/contract";
import {
  type Candle,
  type Depth,
  MARKET_CALLS,
  type Pair,
  type Partition,
  type Quotation,
  type Rankings,
  type Sparkline,
} from "@clockwork/trading/markets/contract";
import { readCall } from "#boot/read-call.ts";
import type { CallApi } from "#boot/root-data.ts";
import { leadsSomewhere } from "#boot/written-paths.ts";

export interface HomeLesson {
  readonly path: string;
  readonly title: string;
  readonly minutes: number;
  readonly course: string;
}

export type Curves = Readonly<Record<string, readonly number[]>>;

export interface HomeMarkets {
  readonly pairs: readonly Pair[];
  readonly quotations: readonly Quotation[];
  readonly partitions: readonly Partition[];
  /** Pair codes by rank; null when unavailable. */
  readonly rankings: Rankings | null;
  /** Of the first rows; those of other partitions are requested when they are shown. */
  readonly curves: Curves;
  /** The pair of the card next to the headline. */
  readonly depth: Depth | null;
  readonly candles: readonly Candle[];
}

export interface HomeTexts {
  readonly banners: readonly Campaign[];
  /** The current notice to all visitors. */
  readonly notice: ArticleSummary | null;
  readonly news: readonly ArticleSummary[];
  readonly lessons: readonly HomeLesson[];
  /** The recommendations for this visitor. */
  readonly recommended: readonly Recommendation[];
}

export const CARD_PAIRS = ["BTC_USDT", "ETH_USDT", "SOL_USDT"] as const;
export const CARD_PAIR = CARD_PAIRS[0];
export const ROWS = 6;
export const BOOK_LEVELS = 5;
const CANDLES = 48;
const CURVE_POINTS = 32;

export const depthOf = (pairCode: string) => ({ pairCode, limit: BOOK_LEVELS });
export const candlesOf = (pairCode: string) => ({ pairCode, interval: "15m", limit: CANDLES }) as const;

export async function loadMarkets(callApi: CallApi): Promise<HomeMarkets> {
  const page = { callApi };
  const shared = { shared: true } as const;
  const [pairs, quotations, curves, depth, candles, partitions, rankings] = await Promise.all([
    readCall(page, MARKET_CALLS.pairs, {}, shared),
    readCall(page, MARKET_CALLS.quotations, {}, shared),
    readCall(page, MARKET_CALLS.sparklines, {}, shared),
    readCall(page, MARKET_CALLS.depth, depthOf(CARD_PAIR), shared),
    readCall(page, MARKET_CALLS.candles, candlesOf(CARD_PAIR), shared),
    readCall(page, MARKET_CALLS.partitions, {}, shared),
    readCall(page, MARKET_CALLS.rankings, {}, shared),
  ]);
  const busiest = [...(quotations ?? [])].sort((left, right) => turnoverOf(right) - turnoverOf(left));
  const order = rankings?.turnover ?? busiest.map(({ pairCode }) => pairCode);
  const shown = new Set(order.slice(0, ROWS));
  return {
    pairs: pairs ?? [],
    quotations: busiest,
    partitions: partitions ?? [],
    rankings: rankings ?? null,
    curves: readCurves((curves ?? []).filter(({ pairCode }) => shown.has(pairCode))),
    depth: depth ?? null,
    candles: candles ?? [],
  };
}

/** Only to put rows in order and to draw: never money. */
function turnoverOf({ turnover, pairCode }: Quotation): number {
  return pairCode.endsWith("_USDT") ? Number(turnover) : 0;
}

export function readCurves(curves: readonly Sparkline[]): Curves {
  return Object.fromEntries(curves.map(({ pairCode, points }) => [pairCode, thin(points)]));
}

function thin(points: readonly string[]): number[] {
  const step = Math.max(1, Math.ceil(points.length / CURVE_POINTS));
  return points.filter((_, at) => at % step === 0 || at === points.length - 1).map(Number);
}

export async function loadTexts(callApi: CallApi): Promise<HomeTexts> {
  const [news, notices, college, offers, recommended] = await Promise.all([
    readCall({ callApi }, ANNOUNCEMENT_CALLS.list, { limit: 3 }, { shared: true }),
    readCall({ callApi }, ARTICLE_CALLS.notices, {}, { shared: true }),
    readCall({ callApi }, COLLEGE_CALLS.courses, {}, { shared: true }),
    // Some are for those who are signed in, some for those who are not.
    readCall({ callApi }, CAMPAIGN_CALLS.banners, {}),
    readCall({ callApi }, RECOMMEND_CALLS.recommendations, {}),
  ]);
  const [notice] = notices?.articles ?? [];
  const courses = college?.courses ?? [];
  return {
    banners: (offers?.banners ?? []).filter(({ to }) => leadsSomewhere(to)),
    notice: notice ?? null,
    recommended: (recommended?.items ?? []).filter(({ path }) => leadsSomewhere(path)),
    news: news?.articles ?? [],
    lessons: courses.slice(0, 3).flatMap(({ slug, title, lessons }) =>
      lessons.slice(0, 1).map((lesson) => ({
        path: `/college/${slug}/${lesson.slug}`,
        title: lesson.title,
        minutes: lesson.minutes,
        course: title,
      })),
    ),
  };
}
