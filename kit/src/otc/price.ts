// Prices and amounts of OTC, exact: a price is whole ten-thousandths of a currency for one coin, an amount whole
// hundredths. Coins are truncated, payments are rounded up.
import { decimalText } from "../decimal.ts";
import { findFiat } from "./fiat.ts";

export const PRICE_SCALE = 4;
export const INDEX_SCALE = 6;
export const RATE_SCALE = 8;
const BPS = 10_000n;
export const PREMIUM_MIN_BPS = 8_000;
export const PREMIUM_MAX_BPS = 12_000;
/** A fixed price must be within a tenth of the index. */
export const FIXED_MIN_BPS = 9_000;
export const FIXED_MAX_BPS = 11_000;
const FEE_BPS = 10n;
/** Above this a price is written with only two decimals. */
const COARSE_E4 = 10_000_000n;

/** index (1e-6) × rate (1e-8) × premium (1e-4), rounded down to the decimals written. */
export function floatingPrice(indexE6: bigint, rateE8: bigint, premiumBps: number): bigint {
  const priceE4 = (indexE6 * rateE8 * BigInt(premiumBps)) / 10n ** BigInt(INDEX_SCALE + RATE_SCALE);
  return priceE4 >= COARSE_E4 ? priceE4 - (priceE4 % 100n) : priceE4;
}

/** Four decimals, or two where a price is large. */
export function otcPriceText(priceE4: bigint): string {
  const isCoarse = priceE4 >= COARSE_E4;
  return decimalText(isCoarse ? priceE4 / 100n : priceE4, isCoarse ? 2 : PRICE_SCALE);
}

/** The distance of a price from the index, in hundredths of a percent; 10 000 is the index itself. */
export function premiumOf(priceE4: bigint, indexPriceE4: bigint): number {
  return indexPriceE4 === 0n ? 0 : Number((priceE4 * BPS) / indexPriceE4);
}

/** The price of the coins in hundredths, rounded up to what the currency can pay. */
export function amountOf(quantityUnits: bigint, scale: number, priceE4: bigint, fiatCode: string): bigint {
  const one = 10n ** BigInt(scale) * 100n;
  const cents = (quantityUnits * priceE4 + one - 1n) / one;
  return findFiat(fiatCode)?.decimals === 0 ? ((cents + 99n) / 100n) * 100n : cents;
}

/** The coins for an amount of money, rounded down. */
export function quantityOf(amountCents: bigint, scale: number, priceE4: bigint): bigint {
  return priceE4 === 0n ? 0n : (amountCents * 100n * 10n ** BigInt(scale)) / priceE4;
}

/** The advertiser's fee, rounded down, so that the fees of an ad's orders never exceed the reserved amount. */
export function feeOf(quantityUnits: bigint): bigint {
  return (quantityUnits * FEE_BPS) / BPS;
}

/** The amount reserved when a seller's ad goes online: the coins and the fee of selling all of them. */
export function stockWithFee(quantityUnits: bigint): bigint {
  return quantityUnits + (quantityUnits * FEE_BPS + BPS - 1n) / BPS;
}

/** The seller's escrow for an order: with the fee where the ad is the seller's. */
export function escrowOf(quantityUnits: bigint, isMakerSelling: boolean): bigint {
  return isMakerSelling ? quantityUnits + feeOf(quantityUnits) : quantityUnits;
}
