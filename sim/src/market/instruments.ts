// What the simulated market knows of coins and pairs: how they move, how deep and busy their books are. Data, and the
// two translations between a pair's whole ticks and lots and the plain numbers prices are simulated in.
import type { Instrument, InstrumentKind, Coin as LedgerCoin } from "@clockwork/kit/instrument";
import type { Coin } from "./prices.ts";

/** A listed market as the simulation needs it; sizes in whole coins. */
export interface SimulatedPair {
  readonly pairCode: string;
  readonly market: number;
  readonly kind: InstrumentKind;
  readonly baseAsset: number;
  readonly quoteAsset: number;
  readonly base: string;
  readonly quote: string;
  /** Quote coins in a tick, base coins in a lot; of an inverse contract quote coins in a lot. */
  readonly tick: number;
  readonly lot: number;
  readonly minNotional: number;
  readonly maxLots: number;
}

type Listed = LedgerCoin & { readonly asset: number };

/** What the exchange says about a market, in the plain numbers the simulation draws with. */
export function simulatedPair(
  pair: Instrument & {
    readonly pairCode: string;
    readonly market: number;
    readonly base: Listed;
    readonly quote: Listed;
  },
): SimulatedPair {
  const { pairCode, market, kind, base, quote, maxLots } = pair;
  return {
    pairCode,
    market,
    kind,
    baseAsset: base.asset,
    quoteAsset: quote.asset,
    base: base.symbol,
    quote: quote.symbol,
    tick: pair.priceMantissa / 10 ** pair.priceDecimals,
    lot: pair.quantityMantissa / 10 ** pair.quantityDecimals,
    minNotional: kind === "inverse" ? 0 : pair.minNotionalUnits / 10 ** quote.scale,
    maxLots,
  };
}

/** What a lot costs in quote coins at a price in ticks. */
export function lotCost({ kind, tick, lot }: SimulatedPair, priceTicks: number): number {
  return kind === "inverse" ? lot : priceTicks * tick * lot;
}

export interface PairNature {
  /** Half of the usual spread, in hundredths of a percent. */
  readonly halfSpreadBps: number;
  /** USDT at one level near the touch. */
  readonly levelWorth: number;
  /** Takers a second on an ordinary hour, and the USDT of one on average. */
  readonly takersPerSecond: number;
  readonly takerWorth: number;
  /** Looked after every so many ticks. */
  readonly everyTicks: number;
}

const COINS: Readonly<Record<string, Omit<Coin, "symbol">>> = {
  BTC: { beta: 1, volatility: 0.18 },
  ETH: { beta: 1.25, volatility: 0.3 },
  SOL: { beta: 1.45, volatility: 0.5 },
  BNB: { beta: 0.95, volatility: 0.3 },
  XRP: { beta: 1.15, volatility: 0.5 },
  DOGE: { beta: 1.5, volatility: 0.6 },
  ADA: { beta: 1.3, volatility: 0.5 },
  AVAX: { beta: 1.45, volatility: 0.55 },
  LINK: { beta: 1.35, volatility: 0.5 },
  DOT: { beta: 1.3, volatility: 0.5 },
  LTC: { beta: 1.05, volatility: 0.4 },
  TRX: { beta: 0.6, volatility: 0.3 },
  UNI: { beta: 1.4, volatility: 0.6 },
};

const NATURES: Readonly<Record<string, PairNature>> = {
  BTC_USDT: { halfSpreadBps: 0.04, levelWorth: 42_000, takersPerSecond: 1.6, takerWorth: 3_000, everyTicks: 1 },
  ETH_USDT: { halfSpreadBps: 0.06, levelWorth: 30_000, takersPerSecond: 1.2, takerWorth: 2_100, everyTicks: 1 },
  SOL_USDT: { halfSpreadBps: 0.5, levelWorth: 18_000, takersPerSecond: 0.8, takerWorth: 1_300, everyTicks: 2 },
  XRP_USDT: { halfSpreadBps: 0.5, levelWorth: 15_000, takersPerSecond: 0.7, takerWorth: 1_100, everyTicks: 2 },
  BNB_USDT: { halfSpreadBps: 0.4, levelWorth: 14_000, takersPerSecond: 0.5, takerWorth: 1_000, everyTicks: 2 },
  DOGE_USDT: { halfSpreadBps: 0.8, levelWorth: 9_000, takersPerSecond: 0.5, takerWorth: 1_100, everyTicks: 2 },
};
const OTHERS: PairNature = {
  halfSpreadBps: 1.2,
  levelWorth: 6_000,
  takersPerSecond: 0.25,
  takerWorth: 500,
  everyTicks: 4,
};

export function natureOf(pairCode: string): PairNature {
  return NATURES[pairCode] ?? OTHERS;
}

/** Every coin the pairs name but the one all are counted in. */
export function coinsOf(pairs: readonly SimulatedPair[]): Coin[] {
  const symbols = new Set(pairs.flatMap(({ base, quote }) => [base, quote]));
  // What prices are told in; a dollar counts as one.
  symbols.delete("USDT");
  symbols.delete("USD");
  return [...symbols].sort().map((symbol) => ({ symbol, ...(COINS[symbol] ?? { beta: 1.2, volatility: 0.5 }) }));
}
