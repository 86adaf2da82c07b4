// The markets page as rows: pairs joined with their last 24 hours, filtered, sorted and summed. Pure and exact:
// decimals are compared as decimals, and a number is used only for drawing.

import type { Locale } from "@clockwork/kit/constants";
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  groupThousands,
  multiplyDecimals,
  parseDecimal,
  writeDecimal,
} from "@clockwork/kit/decimal";
import { formatAbbreviated } from "@clockwork/kit/format";
import type { Pair, Partition, Quotation, Sparkline } from "@clockwork/trading/markets/contract";

export interface MarketsData {
  readonly pairs: readonly Pair[];
  readonly quotations: readonly Quotation[];
  readonly sparklines: readonly Sparkline[];
  /** The same of seven days. */
  readonly weeks: readonly Sparkline[];
  readonly partitions: readonly Partition[];
  /** Nothing for visitors: theirs are in their browser. */
  readonly favourites: readonly string[] | null;
}

export interface MarketRow {
  readonly pair: Pair;
  readonly quotation: Quotation | undefined;
  /** Closing prices for the small curve. */
  readonly curve: readonly number[];
  /** Seven days of them, and the change since the first; nothing of a younger pair. */
  readonly weekCurve: readonly number[];
  readonly weekChange: Decimal | undefined;
  /** The day's turnover in the coin most pairs are priced in; nothing without a price. */
  readonly turnover: Decimal | undefined;
}

export const SORTS = ["pair", "last", "change", "week", "high", "low", "turnover"] as const;
export type SortName = (typeof SORTS)[number];

export interface Sort {
  readonly by: SortName;
  readonly isDown: boolean;
}

export function buildRows(data: MarketsData, live: readonly Quotation[]): readonly MarketRow[] {
  const quotations = new Map(data.quotations.map((quotation) => [quotation.pairCode, quotation]));
  for (const quotation of live) quotations.set(quotation.pairCode, quotation);
  const quote = mainQuote(data.pairs);
  const curves = new Map(data.sparklines.map(({ pairCode, points }) => [pairCode, points]));
  const weeks = new Map(data.weeks.map(({ pairCode, points }) => [pairCode, points]));
  const weekLength = Math.max(0, ...data.weeks.map(({ points }) => points.length));
  return data.pairs.map((pair) => {
    const quotation = quotations.get(pair.pairCode);
    const week = weeks.get(pair.pairCode) ?? [];
    // Curves end where the price is now.
    const draw = (points: readonly string[]) =>
      (quotation === undefined ? points : [...points, quotation.last]).map(Number).filter(Number.isFinite);
    // Turnover of other coins is not the same money until it is converted.
    const rate = pair.quote === quote ? "1" : quotations.get(`${pair.quote}_${quote}`)?.last;
    const [own, price] = [read(quotation?.turnover), read(rate)];
    const turnover = own === undefined || price === undefined ? undefined : multiplyDecimals(own, price);
    return {
      pair,
      quotation,
      curve: draw(curves.get(pair.pairCode) ?? []),
      weekCurve: draw(week),
      weekChange: week.length < weekLength ? undefined : changeSince(week[0], quotation?.last),
      turnover,
    };
  });
}

/** In percent, cut after two decimals as everywhere. */
function changeSince(first: string | undefined, last: string | undefined): Decimal | undefined {
  const [from, to] = [read(first), read(last)];
  if (from === undefined || to === undefined || from.units <= 0n) return undefined;
  const scale = Math.max(from.scale, to.scale);
  const lift = ({ units, scale: own }: Decimal) => units * 10n ** BigInt(scale - own);
  return { units: ((lift(to) - lift(from)) * 10_000n) / lift(from), scale: 2 };
}

export function pairName(pair: Pair): string {
  return `${pair.base}/${pair.quote}`;
}

/** Every word of the query is found in the code, the coins or the name. */
export function matchesQuery(pair: Pair, query: string): boolean {
  const text = `${pair.pairCode} ${pairName(pair)} ${pair.base}${pair.quote} ${pair.baseName}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function read(text: string | undefined): Decimal | undefined {
  if (text === undefined) return undefined;
  const result = parseDecimal(text, { signed: true });
  return result.ok ? result.value : undefined;
}

function cellOf({ quotation, turnover, weekChange }: MarketRow, by: Exclude<SortName, "pair">): Decimal | undefined {
  if (by === "week") return weekChange;
  if (by === "turnover" || quotation === undefined) return turnover;
  return read(by === "change" ? quotation.changePercent : quotation[by]);
}

/** Pairs without a price go last in both directions; equal ones are sorted by name. */
export function sortRows(rows: readonly MarketRow[], { by, isDown }: Sort): readonly MarketRow[] {
  const byName = (left: MarketRow, right: MarketRow) => left.pair.pairCode.localeCompare(right.pair.pairCode, "en");
  return [...rows].sort((left, right) => {
    if (by === "pair") return isDown ? byName(right, left) : byName(left, right);
    const a = cellOf(left, by);
    const b = cellOf(right, by);
    if (a === undefined || b === undefined) return a === b ? byName(left, right) : a === undefined ? 1 : -1;
    return (isDown ? -1 : 1) * compareDecimals(a, b) || byName(left, right);
  });
}

/** What the tiles and columns are about: the last day or the last seven. */
export type Span = "day" | "week";

export function changeOf(row: MarketRow, span: Span): Decimal | undefined {
  return span === "week" ? row.weekChange : read(row.quotation?.changePercent);
}

/** The sign of a change: 1 rose, -1 fell, 0 neither. */
export function moveOf(change: Decimal | undefined): 1 | 0 | -1 {
  return change === undefined || change.units === 0n ? 0 : change.units > 0n ? 1 : -1;
}

/** "+1.84%", "−0.42%", "0.00%". */
export function showChange(change: Decimal | undefined): string {
  if (change === undefined) return "–";
  const magnitude = writeDecimal({ units: change.units < 0n ? -change.units : change.units, scale: change.scale });
  return `${change.units > 0n ? "+" : change.units < 0n ? "−" : ""}${magnitude}%`;
}

export function showPrice(text: string | undefined): string {
  return text === undefined ? "–" : groupThousands(text);
}

/** "1.28B", "742.90M", "512.00". */
export function showVolume(amount: Decimal | undefined, locale: Locale): string {
  return amount === undefined ? "–" : formatAbbreviated(amount, { locale, decimals: 2 });
}

export interface Summary {
  readonly turnover: Decimal;
  readonly rising: number;
  readonly falling: number;
  readonly strongest: MarketRow | undefined;
  readonly mostTraded: MarketRow | undefined;
}

export function summarize(rows: readonly MarketRow[]): Summary {
  let turnover: Decimal = { units: 0n, scale: 0 };
  let rising = 0;
  let falling = 0;
  for (const row of rows) {
    const move = moveOf(changeOf(row, "day"));
    if (move > 0) rising += 1;
    if (move < 0) falling += 1;
    if (row.turnover !== undefined) turnover = addDecimals(turnover, row.turnover);
  }
  const quoted = rows.filter((row) => row.quotation !== undefined);
  return {
    turnover,
    rising,
    falling,
    strongest: sortRows(quoted, { by: "change", isDown: true })[0],
    mostTraded: sortRows(quoted, { by: "turnover", isDown: true })[0],
  };
}

/** The quote coin most pairs are priced in: the one volumes are summed in. */
export function mainQuote(pairs: readonly Pair[]): string {
  const counts = new Map<string, number>();
  for (const { quote } of pairs) counts.set(quote, (counts.get(quote) ?? 0) + 1);
  return [...counts].sort((left, right) => right[1] - left[1])[0]?.[0] ?? "USDT";
}

export const EXPORT_HEAD = [
  "Pair",
  "Name",
  "Last",
  "Change %",
  "Change 7d %",
  "High",
  "Low",
  "Volume",
  "Turnover",
  "Simulated",
] as const;

export function exportRow({ pair, quotation, weekChange }: MarketRow): readonly string[] {
  return [
    pairName(pair),
    pair.baseName,
    quotation?.last ?? "",
    quotation?.changePercent ?? "",
    weekChange === undefined ? "" : writeDecimal(weekChange),
    quotation?.high ?? "",
    quotation?.low ?? "",
    quotation?.volume ?? "",
    quotation?.turnover ?? "",
    pair.isSimulated ? "yes" : "no",
  ];
}
