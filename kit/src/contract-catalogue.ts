// The perpetual contracts a new exchange opens with and their rules, as decimal text. Data only; listing turns it into
// an instrument (kit/instrument) and the core's commands. Never reads a market.
import { type Coin, type Instrument, type InstrumentKind, readInstrument } from "./instrument.ts";
import type { Tier } from "./margin.ts";
import { tiersA, tiersB, tiersInverse } from "./margin-tiers.ts";

export interface CatalogueContract {
  readonly kind: Exclude<InstrumentKind, "spot">;
  readonly base: string;
  readonly quote: string;
  readonly tick: string;
  /** Base coins in a lot; of an inverse contract its face in quote coins. */
  readonly step: string;
  readonly maxQuantity: string;
  readonly maxMarketQuantity: string;
  readonly minNotional: string;
  /** A: the largest coins, tight bounds and high leverage. B: all others. */
  readonly contractClass: "A" | "B";
  readonly fundingHours: 1 | 2 | 4 | 8;
  /** Interest per eight hours in 1e-8; 0 for coins without a lending market. */
  readonly interestRate: number;
}

/** The pseudo coin inverse contracts are quoted in; it has no balances. */
export const CONTRACT_QUOTE: Coin & { readonly name: string } = { symbol: "USD", name: "US dollar", scale: 2 };
/** Play money of demo markets: a separate coin that never meets a real one. Of USDT's scale. */
export const DEMO_COIN: Coin & { readonly name: string } = { symbol: "DUSDT", name: "Demo USDT", scale: 6 };
/** Fees and liquidation of level 0, in 1e-8. */
export const CONTRACT_MAKER_RATE = 20_000;
export const CONTRACT_TAKER_RATE = 60_000;
/** The maximum distance of a market order from the best price. */
export const CONTRACT_SLIPPAGE_BPS = 200;

const INTEREST = 10_000;

type Row = readonly [
  base: string,
  tick: string,
  step: string,
  maxQuantity: string,
  maxMarketQuantity: string,
  contractClass: "A" | "B",
  fundingHours: 1 | 2 | 4 | 8,
  interestRate: number,
];

const LINEAR: readonly Row[] = [
  ["BTC", "0.1", "0.001", "1000", "120", "A", 8, INTEREST],
  ["ETH", "0.01", "0.01", "20000", "2400", "A", 8, INTEREST],
  ["SOL", "0.01", "0.1", "60000", "12000", "B", 8, INTEREST],
  ["XRP", "0.0001", "1", "4000000", "800000", "B", 8, INTEREST],
  ["DOGE", "0.00001", "1", "60000000", "12000000", "B", 4, INTEREST],
  ["BNB", "0.01", "0.01", "10000", "2000", "B", 8, INTEREST],
  ["ADA", "0.0001", "1", "20000000", "4000000", "B", 8, INTEREST],
  ["LINK", "0.001", "0.1", "600000", "120000", "B", 8, 0],
];

const INVERSE: readonly Row[] = [
  ["BTC", "0.1", "100", "20000000", "2000000", "A", 8, INTEREST],
  ["ETH", "0.01", "10", "10000000", "1000000", "A", 8, INTEREST],
  ["SOL", "0.01", "10", "4000000", "400000", "B", 8, INTEREST],
  ["XRP", "0.0001", "10", "4000000", "400000", "B", 8, INTEREST],
];

export const CATALOGUE_CONTRACTS: readonly CatalogueContract[] = [
  ...LINEAR.map((row) => toContract("linear", "USDT", "5", row)),
  ...INVERSE.map((row) => toContract("inverse", CONTRACT_QUOTE.symbol, "0", row)),
];

function toContract(kind: "linear" | "inverse", quote: string, minNotional: string, row: Row): CatalogueContract {
  const [base, tick, step, maxQuantity, maxMarketQuantity, contractClass, fundingHours, interestRate] = row;
  const sizes = { tick, step, maxQuantity, maxMarketQuantity, minNotional };
  return { kind, base, quote, ...sizes, contractClass, fundingHours, interestRate };
}

/** The maximum distance of orders from the mark. */
const BANDS = {
  A: { buyMax: "1.05", buyMin: "0.95", sellMin: "0.95", sellMax: "1.05" },
  B: { buyMax: "1.1", buyMin: "0.9", sellMin: "0.9", sellMax: "1.1" },
} as const;

/** Symbols of the core are unique over all kinds: a linear contract has the name of its spot pair and a suffix. */
export function contractSymbol({ kind, base, quote }: Pick<CatalogueContract, "kind" | "base" | "quote">): string {
  return kind === "linear" ? `${base}_${quote}-PERP` : `${base}_${quote}`;
}

/** The demo market that follows a linear contract. */
export function demoSymbol({ base, quote }: Pick<CatalogueContract, "base" | "quote">): string {
  return `${base}_${quote}-DEMO`;
}

/** The contract between two coins of the ledger. The catalogue's own texts always describe one. */
export function contractInstrument(entry: CatalogueContract, base: Coin, quote: Coin): Instrument {
  const { kind, tick, step, maxQuantity, maxMarketQuantity, minNotional } = entry;
  const read = readInstrument({
    kind,
    base,
    quote,
    tickSize: tick,
    stepSize: step,
    minQuantity: step,
    maxQuantity,
    maxMarketQuantity,
    minNotional,
    band: BANDS[entry.contractClass],
  });
  if (!read.done) throw new Error(`${contractSymbol(entry)} cannot be listed: ${read.code}`);
  return read.value;
}

/** The contract's ladder in units of its settlement coin. */
export function contractTiers({ kind, base, contractClass }: CatalogueContract, settle: Coin): Tier[] {
  if (kind === "inverse") return tiersInverse(base, settle.scale);
  return contractClass === "A" ? tiersA(settle.scale) : tiersB(settle.scale);
}
