// Pure rules of market data: what a pair says about itself, how much it moved and what amounts are worth through it.
// Numbers that come in are the core's whole numbers; nothing here rounds unless its name says which way.
import { writeInstrument } from "@clockwork/kit/instrument";

import { formatUnits, units } from "@clockwork/kit/money";
import { fixedText } from "@clockwork/kit/whole-text";
import type { Pair } from "./api.ts";
import type { MarketPair } from "./needs.ts";

const RATE_SCALE = 8;

/** The signed change in percent, cut after two decimals: "-1.25". */
export function changeText(openTicks: number, lastTicks: number): string {
  if (openTicks === 0) return "0.00";
  const hundredths = Math.trunc(((lastTicks - openTicks) * 10_000) / openTicks);
  const text = fixedText(Math.abs(hundredths), 2);
  return hundredths < 0 ? `-${text}` : text;
}

export function describePair(pair: MarketPair): Pair {
  const rate = (value: number): string => formatUnits(units(value), RATE_SCALE);
  const { kind: _, base, quote, ...rules } = writeInstrument(pair);
  return {
    pairCode: pair.pairCode,
    base: base.symbol,
    quote: quote.symbol,
    baseName: pair.base.name,
    status: pair.status,
    priceDecimals: pair.priceDecimals,
    quantityDecimals: pair.quantityDecimals,
    baseScale: base.scale,
    quoteScale: quote.scale,
    ...rules,
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
  return (baseUnits * BigInt(priceTicks) * BigInt(pair.factor)) / BigInt(pair.stepUnits);
}
