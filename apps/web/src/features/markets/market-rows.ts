// The markets page as rows: pairs joined with their last 24 hours, filtered, sorted and summed. Pure and exact: decimals
// are compared as decimals, and a number stands only where something is drawn.
import type { Pair, Partition, Quotation, Sparkline } from "@clockwork/domains/markets/api";
import { formatAbbreviated, groupThousands } from "@clockwork/kit/format";
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  multiplyDecimals,
  parseDecimal,
  writeDecimal,
} from "@clockwork/kit/wire";

export interface MarketsData {
  readonly pairs: readonly Pair[];
  readonly quotations: readonly Quotation[];
  readonly sparklines: readonly Sparkline[];
  readonly partitions: readonly Partition[];
  /** Nothing for visitors: theirs are in their browser. */
  readonly favourites: readonly string[] | null;
}

export interface MarketRow {
  readonly pair: Pair;
  readonly quotation: Quotation | undefined;
  /** Closing prices for the small curve. */
  readonly curve: readonly number[];
  /** The day's turnover in the coin most pairs are priced in; nothing where no price tells it. */
  readonly turnover: Decimal | undefined;
}

export const SORTS = ["pair", "last", "change", "high", "low", "turnover"] as const;
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
  return data.pairs.map((pair) => {
    const quotation = quotations.get(pair.pairCode);
    const points = curves.get(pair.pairCode) ?? [];
    // The curve ends where the price is now.
    const texts = quotation === undefined ? points : [...points, quotation.last];
    // Turnover of other coins is not the same money until it is converted.
    const rate = pair.quote === quote ? "1" : quotations.get(`${pair.quote}_${quote}`)?.last;
    const [own, price] = [read(quotation?.turnover), read(rate)];
    const turnover = own === undefined || price === undefined ? undefined : multiplyDecimals(own, price);
    return { pair, quotation, curve: texts.map(Number).filter(Number.isFinite), turnover };
  });
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

function cellOf({ quotation, turnover }: MarketRow, by: Exclude<SortName, "pair">): Decimal | undefined {
  if (by === "turnover" || quotation === undefined) return turnover;
  return read(by === "change" ? quotation.changePercent : quotation[by]);
}

/** Pairs without a price go last in both directions; equal ones stand by name. */
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

/** The sign of the day: 1 rose, -1 fell, 0 neither. */
export function moveOf(quotation: Quotation | undefined): 1 | 0 | -1 {
  const change = read(quotation?.changePercent);
  return change === undefined || change.units === 0n ? 0 : change.units > 0n ? 1 : -1;
}

/** "+1.84%", "−0.42%", "0.00%". */
export function showChange(quotation: Quotation | undefined): string {
  const change = read(quotation?.changePercent);
  if (quotation === undefined || change === undefined) return "–";
  const magnitude = writeDecimal({ units: change.units < 0n ? -change.units : change.units, scale: change.scale });
  return `${change.units > 0n ? "+" : change.units < 0n ? "−" : ""}${magnitude}%`;
}

export function showPrice(text: string | undefined): string {
  return text === undefined ? "–" : groupThousands(text);
}

/** "1.28B", "742.90M", "512.00". */
export function showVolume(amount: Decimal | undefined): string {
  return amount === undefined ? "–" : formatAbbreviated(amount, { decimals: 2 });
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
    if (moveOf(row.quotation) > 0) rising += 1;
    if (moveOf(row.quotation) < 0) falling += 1;
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
  "High",
  "Low",
  "Volume",
  "Turnover",
  "Simulated",
] as const;

export function exportRow({ pair, quotation }: MarketRow): readonly string[] {
  return [
    pairName(pair),
    pair.baseName,
    quotation?.last ?? "",
    quotation?.changePercent ?? "",
    quotation?.high ?? "",
    quotation?.low ?? "",
    quotation?.volume ?? "",
    quotation?.turnover ?? "",
    pair.isSimulated ? "yes" : "no",
  ];
}
