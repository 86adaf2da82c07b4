// The addresses of archives as data.binance.vision has them: product, kind, symbol, interval and day, read and checked.
import { DAY_MS } from "@clockwork/kit/time";

export const PRODUCTS = ["spot", "um", "cm"] as const;
export type Product = (typeof PRODUCTS)[number];
const TRADED = ["klines", "trades", "aggTrades", "bookDepth"] as const;
const PRICED = ["markPriceKlines", "indexPriceKlines", "premiumIndexKlines"] as const;
export type ArchiveKind = (typeof TRADED)[number] | (typeof PRICED)[number];
/** Of seconds only an hour is kept. */
export const INTERVALS = ["1m", "3m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "8h", "12h", "1d"] as const;
type Interval = (typeof INTERVALS)[number];

export interface ArchivePath {
  readonly product: Product;
  readonly kind: ArchiveKind;
  readonly symbol: string;
  /** Of candles. */
  readonly interval: Interval | undefined;
  readonly dayMs: number;
  /** Without its ending. */
  readonly name: string;
  readonly isChecksum: boolean;
}

const PATH =
  /^(spot|futures\/(?:um|cm))\/daily\/([A-Za-z]+)\/([A-Z0-9_]{1,30})\/(?:([0-9]{1,2}[mhd])\/)?([^/]{1,100})$/;
const FILE = /^(.+)-([0-9]{4}-[0-9]{2}-[0-9]{2})\.zip(\.CHECKSUM)?$/;

/** Nothing for any other address. */
export function readArchivePath(text: string): ArchivePath | undefined {
  const [, place = "", kindName = "", symbol = "", intervalName, file = ""] = PATH.exec(text) ?? [];
  const [, stem, day = "", checksum] = FILE.exec(file) ?? [];
  const product = PRODUCTS.find((one) => place === (one === "spot" ? one : `futures/${one}`));
  const kinds: readonly ArchiveKind[] = product === "spot" ? TRADED : [...TRADED, ...PRICED];
  const kind = kinds.find((one) => one === kindName);
  const interval = INTERVALS.find((one) => one === intervalName);
  const dayMs = Date.parse(`${day}T00:00:00Z`);
  if (product === undefined || kind === undefined || Number.isNaN(dayMs)) return undefined;
  const isCandles = kind.toLowerCase().endsWith("klines");
  if (isCandles !== (interval !== undefined) || (intervalName !== undefined && interval === undefined))
    return undefined;
  if (stem !== `${symbol}-${interval ?? kind}` || new Date(dayMs).toISOString().slice(0, 10) !== day) return undefined;
  return { product, kind, symbol, interval, dayMs, name: `${stem}-${day}`, isChecksum: checksum !== undefined };
}

/** A day's files are made once it is over and everything of it is stored. */
const LATE_MS = 10 * 60_000;

export const isOver = (dayMs: number, nowMs: number): boolean => nowMs >= dayMs + DAY_MS + LATE_MS;
