// The computations of the new-basket page: weights, what the start would buy and cost, and why not, with the very rule
// the core trades by. Pure.

import {
  areWeights,
  BASKET_COINS_MAX,
  BASKET_COINS_MIN,
  type BasketCoin,
  coinValue,
  isRule,
  leastInvestment,
  rebalanceLots,
  sharedValue,
  WEIGHTS_BPS,
} from "@clockwork/kit/grid/rebalance";
import { type Instrument, priceText, quantityText, readPriceTicks, valueText } from "@clockwork/kit/instrument";
import { parseUnits, RATE_ONE, toCoreUnits } from "@clockwork/kit/money";
import type { CreateBody } from "@clockwork/strategies/rebalance/contract";
import type { Pair } from "@clockwork/trading/markets/contract";
import { termsOf } from "./grid-model.ts";

export const QUOTE = "USDT";
export const BASKET_RULES = ["threshold", "interval", "both"] as const;
const MINUTE_MS = 60_000;
export const INTERVALS_MS = [30, 60, 240, 720, 1_440, 10_080, 43_200].map((minutes) => minutes * MINUTE_MS);

export interface BasketDraft {
  /** In percent, as typed. */
  readonly coins: readonly { readonly coin: string; readonly weight: string }[];
  readonly by: (typeof BASKET_RULES)[number];
  readonly threshold: string;
  readonly intervalMs: number;
  readonly investment: string;
}

export const FIRST_DRAFT: BasketDraft = {
  coins: [
    { coin: "BTC", weight: "50" },
    { coin: "ETH", weight: "50" },
  ],
  by: "threshold",
  threshold: "5",
  intervalMs: 1_440 * MINUTE_MS,
  investment: "1000",
};

const PERCENT = /^(\d{1,3})(?:\.(\d{1,2}))?$/;

/** 12.5 percent is 1250; undefined for what is no percentage. */
export function readBps(text: string): number | undefined {
  const found = PERCENT.exec(text);
  return found === null ? undefined : Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
}

export const percentText = (bps: number): string => String(bps / 100);

/** All the same, what is left over with the first. */
export function evenOut(coins: readonly { readonly coin: string }[]): BasketDraft["coins"] {
  const each = Math.floor(WEIGHTS_BPS / coins.length);
  return coins.map(({ coin }, i) => ({
    coin,
    weight: percentText(i === 0 ? WEIGHTS_BPS - each * (coins.length - 1) : each),
  }));
}

export interface PreviewLeg {
  readonly coin: string;
  readonly price: string;
  readonly quantity: string;
  readonly value: string;
  readonly fee: string;
}

export interface Preview {
  readonly sumBps: number;
  readonly legs: readonly PreviewLeg[];
  readonly fees: string;
  /** What remains in quote after the start, of it the reserve. */
  readonly left: string;
  readonly reserve: string;
  /** Codes of refusals by the field they belong to. */
  readonly coins?: string;
  readonly rule?: string;
  readonly investment?: string;
  /** When the investment is too small. */
  readonly least?: string;
}

export const isReady = ({ coins, rule, investment, legs }: Preview): boolean =>
  coins === undefined && rule === undefined && investment === undefined && legs.length > 0;

function ruleOf({ by, threshold, intervalMs }: BasketDraft): Pick<Required<CreateBody>, "thresholdBps" | "intervalMs"> {
  return {
    // An invalid percentage becomes an invalid threshold.
    thresholdBps: by === "interval" ? 0 : readBps(threshold) || WEIGHTS_BPS,
    intervalMs: by === "threshold" ? 0 : intervalMs,
  };
}

export function bodyOf(draft: BasketDraft): Omit<CreateBody, "clientId"> {
  const { thresholdBps, intervalMs } = ruleOf(draft);
  return {
    quote: QUOTE,
    coins: draft.coins.map(({ coin, weight }) => ({ coin, weightBps: readBps(weight) ?? 0 })),
    ...(thresholdBps === 0 ? {} : { thresholdBps }),
    ...(intervalMs === 0 ? {} : { intervalMs }),
    investment: draft.investment,
  };
}

function refusedCoins(coins: BasketDraft["coins"]): string | undefined {
  if (coins.length < BASKET_COINS_MIN || coins.length > BASKET_COINS_MAX) return "REBALANCE_COUNT_INVALID";
  if (coins.every(({ coin }) => coin === QUOTE)) return "REBALANCE_COINS_INVALID";
  return areWeights(coins.map(({ weight }) => readBps(weight) ?? 0)) ? undefined : "REBALANCE_WEIGHTS_INVALID";
}

interface PricedCoin extends BasketCoin {
  readonly coin: string;
  readonly instrument: Instrument;
  readonly takerRate: number;
}

/** The coins of a draft that are not the quote, at their last prices; undefined where one has none. */
function priceCoins(
  draft: BasketDraft,
  pairs: readonly Pair[],
  lastOf: (pairCode: string) => string | undefined,
): readonly PricedCoin[] | undefined {
  const priced = draft.coins
    .filter(({ coin }) => coin !== QUOTE)
    .map(({ coin, weight }): PricedCoin | undefined => {
      const pair = pairs.find(({ base, quote }) => base === coin && quote === QUOTE);
      const terms = pair === undefined ? undefined : termsOf(pair);
      const last = pair === undefined ? undefined : lastOf(pair.pairCode);
      const ticks = terms === undefined || last === undefined ? undefined : readPriceTicks(terms.instrument, last);
      if (terms === undefined || ticks === undefined || ticks === 0) return undefined;
      const { instrument, takerRate } = terms;
      const { factor, minLots, minNotionalUnits } = instrument;
      const weightBps = readBps(weight) ?? 0;
      return {
        coin,
        instrument,
        takerRate,
        weightBps,
        lots: 0,
        ticks,
        tickLotUnits: factor,
        minLots,
        minNotionalUnits,
      };
    });
  return priced.every((one) => one !== undefined) ? priced : undefined;
}

const NOTHING = { legs: [], fees: "0", left: "0", reserve: "0" } as const;

/** What the start would trade at these prices. */
export function previewBasket(
  draft: BasketDraft,
  pairs: readonly Pair[],
  lastOf: (pairCode: string) => string | undefined,
): Preview {
  const sumBps = draft.coins.reduce((sum, { weight }) => sum + (readBps(weight) ?? 0), 0);
  const coinsCode = refusedCoins(draft.coins);
  const refusals = {
    ...(coinsCode === undefined ? {} : { coins: coinsCode }),
    ...(isRule(ruleOf(draft)) ? {} : { rule: "REBALANCE_RULE_INVALID" }),
  };
  const coins = priceCoins(draft, pairs, lastOf);
  if (coins === undefined) return { sumBps, ...NOTHING, coins: "NO_LIQUIDITY", ...refusals };
  const [one] = coins;
  const quote = one === undefined ? undefined : parseUnits(draft.investment, one.instrument.quote.scale);
  if (one === undefined || quote?.done !== true || quote.value === 0n)
    return { sumBps, ...NOTHING, ...refusals, investment: "INVALID_AMOUNT" };
  if (coinsCode !== undefined) return { sumBps, ...NOTHING, ...refusals };
  const leastUnits = leastInvestment(coins);
  const money = (units: bigint): string => valueText(one.instrument, units);
  if (quote.value < leastUnits) {
    const investment = "REBALANCE_INVESTMENT_TOO_SMALL";
    return { sumBps, ...NOTHING, ...refusals, investment, least: money(leastUnits) };
  }
  const basket = { coins, quoteUnits: toCoreUnits(quote.value) };
  let [spentUnits, feeUnits] = [0n, 0n];
  const legs = rebalanceLots(basket).map((lots, i) => {
    const coin = coins[i] as PricedCoin;
    const valueUnits = coinValue({ ...coin, lots });
    const ownUnits = (valueUnits * BigInt(coin.takerRate) + BigInt(RATE_ONE) - 1n) / BigInt(RATE_ONE);
    spentUnits += valueUnits;
    feeUnits += ownUnits;
    return {
      coin: coin.coin,
      price: priceText(coin.instrument, coin.ticks),
      quantity: quantityText(coin.instrument, BigInt(lots)),
      value: money(valueUnits),
      fee: money(ownUnits),
    };
  });
  return {
    sumBps,
    legs,
    fees: money(feeUnits),
    left: money(quote.value - spentUnits - feeUnits),
    reserve: money(quote.value - sharedValue(basket)),
    ...refusals,
  };
}

const AT_COINS = new Set([
  "REBALANCE_COUNT_INVALID",
  "REBALANCE_COINS_INVALID",
  "REBALANCE_WEIGHTS_INVALID",
  "UNKNOWN_PAIR",
  "NO_LIQUIDITY",
  "MARKET_NOT_TRADING",
]);
const AT_MONEY = new Set(["INVALID_AMOUNT", "INSUFFICIENT_BALANCE", "REBALANCE_INVESTMENT_TOO_SMALL"]);

/** The field a refusal of the server belongs to. */
export function placeOf(code: string | number): "coins" | "rule" | "investment" | undefined {
  if (AT_COINS.has(String(code))) return "coins";
  if (AT_MONEY.has(String(code))) return "investment";
  return code === "REBALANCE_RULE_INVALID" ? "rule" : undefined;
}
