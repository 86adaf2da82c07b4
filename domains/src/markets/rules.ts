// Pure rules of market data: how ticks, lots and units become exact text, and what a pair says about itself.
// Numbers that come in are the core's whole numbers; nothing here rounds unless its name says which way.

import { writeDecimal } from "@clockwork/kit/decimal";
import { formatUnits, units } from "@clockwork/kit/money";
import type { Pair } from "./api.ts";
import type { MarketPair } from "./needs.ts";

const BPS_SCALE = 4;
const RATE_SCALE = 8;

/** A whole number with its last `decimals` digits after the point, all of them written. */
export function fixedText(value: number, decimals: number): string {
  const digits = String(value);
  if (decimals === 0) return digits;
  const padded = digits.length > decimals ? digits : digits.padStart(decimals + 1, "0");
  const cut = padded.length - decimals;
  return `${padded.slice(0, cut)}.${padded.slice(cut)}`;
}

/** Every price of a pair has the same number of decimals, so equal prices are equal texts. */
export function priceText(pair: MarketPair, priceTicks: number): string {
  return fixedText(priceTicks * pair.priceMantissa, pair.priceDecimals);
}

export function quantityText(pair: MarketPair, quantityLots: number): string {
  const whole = quantityLots * pair.quantityMantissa;
  if (Number.isSafeInteger(whole)) return fixedText(whole, pair.quantityDecimals);
  return bigQuantityText(pair, BigInt(quantityLots));
}

/** Sums of quantities over long times may leave the range of exact numbers. */
export function bigQuantityText(pair: MarketPair, quantityLots: bigint): string {
  return writeDecimal({ units: quantityLots * BigInt(pair.quantityMantissa), scale: pair.quantityDecimals });
}

export function quoteText(pair: MarketPair, quoteUnits: bigint): string {
  return formatUnits(units(quoteUnits), pair.quote.scale);
}

/** The signed change in percent, cut after two decimals: "-1.25". */
export function changeText(openTicks: number, lastTicks: number): string {
  if (openTicks === 0) return "0.00";
  const hundredths = Math.trunc(((lastTicks - openTicks) * 10_000) / openTicks);
  const text = fixedText(Math.abs(hundredths), 2);
  return hundredths < 0 ? `-${text}` : text;
}

/** The shortest decimal equal to numerator ÷ denominator; both are products of twos and fives. */
export function readFraction(numerator: bigint, denominator: bigint): { mantissa: number; decimals: number } {
  let decimals = 0;
  let top = numerator;
  while (top % denominator !== 0n && decimals < 30) {
    top *= 10n;
    decimals += 1;
  }
  const mantissa = Number(top / denominator);
  return { mantissa, decimals };
}

export function describePair(pair: MarketPair): Pair {
  const bps = (value: number): string => formatUnits(units(value), BPS_SCALE);
  const rate = (value: number): string => formatUnits(units(value), RATE_SCALE);
  return {
    pairCode: pair.pairCode,
    base: pair.base.symbol,
    quote: pair.quote.symbol,
    baseName: pair.base.name,
    status: pair.status,
    priceDecimals: pair.priceDecimals,
    quantityDecimals: pair.quantityDecimals,
    baseScale: pair.base.scale,
    quoteScale: pair.quote.scale,
    tickSize: priceText(pair, 1),
    stepSize: quantityText(pair, 1),
    minQuantity: quantityText(pair, pair.minLots),
    maxQuantity: quantityText(pair, pair.maxLots),
    maxMarketQuantity: quantityText(pair, pair.maxMarketLots),
    minNotional: quoteText(pair, BigInt(pair.minNotionalUnits)),
    band: {
      buyMax: bps(pair.buyMaxBps),
      buyMin: bps(pair.buyMinBps),
      sellMin: bps(pair.sellMinBps),
      sellMax: bps(pair.sellMaxBps),
    },
    openOrdersMax: pair.restingMax,
    makerRate: rate(pair.makerRate),
    takerRate: rate(pair.takerRate),
    partitions: [...pair.partitions],
    listedAtMs: pair.listedAtMs,
    isSimulated: pair.isSimulated,
  };
}

/** What an amount is worth through one pair, rounded down: base units at a price, in quote units. */
export function worthFloor(pair: MarketPair, baseUnits: bigint, priceTicks: number): bigint {
  return (baseUnits * BigInt(priceTicks) * BigInt(pair.tickLotUnits)) / BigInt(pair.stepUnits);
}
