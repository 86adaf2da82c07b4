// Addresses of daily market data files, as the exchange serves them below /data.
import { DAY_MS } from "@clockwork/kit/time";

export const ARCHIVE_PRODUCTS = ["spot", "um", "cm"] as const;
export type ArchiveProduct = (typeof ARCHIVE_PRODUCTS)[number];
const TRADED = ["klines", "trades", "aggTrades", "bookDepth"] as const;
const PRICED = ["markPriceKlines", "indexPriceKlines", "premiumIndexKlines"] as const;
export type ArchiveKind = (typeof TRADED)[number] | (typeof PRICED)[number];
export const ARCHIVE_INTERVALS = [
  ...(["1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "8h", "12h", "1d"] as const),
];
/** A day's files are there when it has been over for so long. */
const LATE_MS = 10 * 60_000;

export interface ArchivedSymbol {
  readonly product: ArchiveProduct;
  readonly symbol: string;
  readonly listedAtMs: number;
}

interface Listed {
  readonly pairCode: string;
  readonly listedAtMs: number;
}

export function archivedSymbols(
  spot: readonly Listed[],
  um: readonly Listed[],
  cm: readonly Listed[],
): readonly ArchivedSymbol[] {
  const of = (product: ArchiveProduct, rows: readonly Listed[], ending: string): readonly ArchivedSymbol[] =>
    rows.map(({ pairCode, listedAtMs }) => ({ product, symbol: `${pairCode.replace("_", "")}${ending}`, listedAtMs }));
  return [...of("spot", spot, ""), ...of("um", um, ""), ...of("cm", cm, "_PERP")];
}

export const kindsOf = (product: ArchiveProduct): readonly ArchiveKind[] =>
  product === "spot" ? TRADED : [...TRADED, ...PRICED];

export const hasInterval = (kind: ArchiveKind): boolean => kind.toLowerCase().endsWith("klines");

/** Days whose files are there, the newest first. */
export function archivedDays(listedAtMs: number, nowMs: number, most: number): readonly string[] {
  const days: string[] = [];
  const last = nowMs - LATE_MS - DAY_MS;
  for (let dayMs = last - (last % DAY_MS); dayMs + DAY_MS > listedAtMs && days.length < most; dayMs -= DAY_MS) {
    days.push(new Date(dayMs).toISOString().slice(0, 10));
  }
  return days;
}

export function archivePath(
  { product, symbol }: Pick<ArchivedSymbol, "product" | "symbol">,
  kind: ArchiveKind,
  interval: string,
  day: string,
): string {
  const place = product === "spot" ? "spot" : `futures/${product}`;
  const folder = hasInterval(kind) ? `${symbol}/${interval}` : symbol;
  const name = `${symbol}-${hasInterval(kind) ? interval : kind}-${day}.zip`;
  return `/data/${place}/daily/${kind}/${folder}/${name}`;
}
