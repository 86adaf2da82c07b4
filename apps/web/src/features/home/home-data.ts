// What the home page is rendered from: the market's quotations, curves, the book and candles of one pair, what is
// written. Runs on the server; a part that cannot be had is left out and the page still stands.
import type { ArticleSummary } from "@clockwork/domains/articles/api";
import type { Course } from "@clockwork/domains/college/api";
import type { Candle, Depth, Pair, Quotation, Sparkline } from "@clockwork/domains/markets/api";
import { asRecord, type CallApi, readData } from "#frame/root-data.ts";

export interface HomeLesson {
  readonly path: string;
  readonly title: string;
  readonly minutes: number;
  readonly course: string;
}

export interface HomeMarkets {
  readonly pairs: readonly Pair[];
  readonly quotations: readonly Quotation[];
  readonly curves: Readonly<Record<string, readonly number[]>>;
  /** The pair of the card beside the headline. */
  readonly depth: Depth | null;
  readonly candles: readonly Candle[];
}

export interface HomeTexts {
  readonly news: readonly ArticleSummary[];
  readonly lessons: readonly HomeLesson[];
}

export const CARD_PAIR = "BTC_USDT";
const ROWS = 6;
const BOOK_LEVELS = 5;
const CANDLES = 48;
const CURVE_POINTS = 32;

export async function loadMarkets(callApi: CallApi): Promise<HomeMarkets> {
  const ask = async (path: string) => readData(await callApi({ method: "GET", path, shared: true }));
  const [pairs, quotations, curves, depth, candles] = await Promise.all([
    ask("/v1/spot/pairs"),
    ask("/v1/spot/quotations"),
    ask("/v1/spot/sparklines"),
    ask(`/v1/spot/depth?pairCode=${CARD_PAIR}&limit=${BOOK_LEVELS}`),
    ask(`/v1/spot/candles?pairCode=${CARD_PAIR}&interval=15m&limit=${CANDLES}`),
  ]);
  const list = <Item>(value: unknown) => (Array.isArray(value) ? (value as Item[]) : []);
  const busiest = [...list<Quotation>(quotations)].sort((left, right) => turnoverOf(right) - turnoverOf(left));
  const shown = new Set(busiest.slice(0, ROWS).map(({ pairCode }) => pairCode));
  return {
    pairs: list<Pair>(pairs),
    quotations: busiest,
    curves: Object.fromEntries(
      list<Sparkline>(curves)
        .filter(({ pairCode }) => shown.has(pairCode))
        .map(({ pairCode, points }) => [pairCode, thin(points)]),
    ),
    depth: (asRecord(depth) as Depth | undefined) ?? null,
    candles: list<Candle>(candles),
  };
}

/** Only to put rows in order and to draw: never money. */
function turnoverOf({ turnover, pairCode }: Quotation): number {
  return pairCode.endsWith("_USDT") ? Number(turnover) : 0;
}

function thin(points: readonly string[]): number[] {
  const step = Math.max(1, Math.ceil(points.length / CURVE_POINTS));
  return points.filter((_, at) => at % step === 0 || at === points.length - 1).map(Number);
}

export async function loadTexts(callApi: CallApi): Promise<HomeTexts> {
  const ask = async (path: string) => asRecord(readData(await callApi({ method: "GET", path, shared: true })));
  const [news, college] = await Promise.all([ask("/v1/announcements/list?limit=3"), ask("/v1/college/courses")]);
  const courses = (college?.courses ?? []) as readonly Course[];
  return {
    news: (news?.articles ?? []) as readonly ArticleSummary[],
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
