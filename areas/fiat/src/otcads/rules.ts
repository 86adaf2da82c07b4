// Pure rules of ads: the terms, the price, who may take an ad, and the texts of refusals.

import { decimalText, trimZeros } from "@clockwork/kit/decimal";
import type { LedgerCoin } from "@clockwork/kit/instrument";
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";
import { FIAT_SCALE, findFiat } from "@clockwork/kit/otc/fiat";
import {
  amountOf,
  FIXED_MAX_BPS,
  FIXED_MIN_BPS,
  floatingPrice,
  PREMIUM_MAX_BPS,
  PREMIUM_MIN_BPS,
  PRICE_SCALE,
  premiumOf,
  quantityOf,
  RATE_SCALE,
} from "@clockwork/kit/otc/price";
import { DAY_MS } from "@clockwork/kit/time";
import type { AdBar, AdDraft } from "./contract.ts";
import type { MakerInfo, TakerInfo } from "./needs.ts";
import { type AdRefusal, REFUSALS } from "./refusals.ts";
import type { AdRow } from "./store.ts";

export const isRefusal = (code: string): code is AdRefusal => code in REFUSALS;

const FIELD_OF: Partial<Record<AdRefusal, keyof AdDraft>> = {
  AD_PRICE: "price",
  AD_PRICE_BAND: "price",
  AD_QUANTITY: "quantity",
  AD_LIMITS: "min",
  AD_ORDER_MAX: "max",
  AD_PAYMENT: "paymentIds",
  AD_ONLINE: "quantity",
  INSUFFICIENT_BALANCE: "quantity",
};

/** The invalid term, where it is one. */
export function fieldOf(code: AdRefusal, draft: AdDraft): keyof AdDraft | undefined {
  const field = FIELD_OF[code];
  return field === "price" && draft.price === undefined && draft.premium !== undefined ? "premium" : field;
}

export const AWAY_MS = 5 * 60_000;
export const HELD_MS = 60_000;
export const WINDOW_DEFAULT = 15;
export const LEVEL_MIN = 2;
const USDT_SCALE = 6;

export const centsText = (cents: bigint, fiat: string): string =>
  findFiat(fiat)?.decimals === 0 ? String(cents / 100n) : decimalText(cents, FIAT_SCALE);
export const coinText = (amountUnits: bigint, scale: number): string => formatUnits(units(amountUnits), scale);
export const rateText = (rateE8: bigint | undefined): string | null =>
  rateE8 === undefined ? null : trimZeros(decimalText(rateE8, RATE_SCALE));
export const bpsText = (bps: number): string => decimalText(BigInt(bps), 2);

/** Hundredths of a currency from typed text; undefined when invalid. */
function readCents(text: string, fiat: string): bigint | undefined {
  const read = parseUnits(text, FIAT_SCALE);
  if (!read.done || (findFiat(fiat)?.decimals === 0 && read.value % 100n !== 0n)) return undefined;
  return read.value;
}

/** The terms as exact numbers. */
export interface Terms {
  readonly price_e4: bigint;
  readonly premium_bps: number;
  readonly quantity_units: bigint;
  readonly min_cents: bigint;
  readonly max_cents: bigint;
}

export function readTerms(draft: AdDraft, coin: LedgerCoin): Terms | AdRefusal {
  if ((draft.price === undefined) === (draft.premium === undefined)) return "AD_PRICE";
  const price = draft.price === undefined ? undefined : parseUnits(draft.price, PRICE_SCALE);
  const premium = draft.premium === undefined ? undefined : parseUnits(draft.premium, 2);
  if (price?.done === false || premium?.done === false || price?.value === 0n) return "AD_PRICE";
  const quantity = parseUnits(draft.quantity, coin.scale);
  if (!quantity.done || quantity.value === 0n) return "AD_QUANTITY";
  const min = readCents(draft.min, draft.fiat);
  const max = readCents(draft.max, draft.fiat);
  if (min === undefined || max === undefined || min === 0n || min > max) return "AD_LIMITS";
  return {
    price_e4: price?.value ?? 0n,
    premium_bps: Number(premium?.value ?? 0n),
    quantity_units: quantity.value,
    min_cents: min,
    max_cents: max,
  };
}

/** The price now; undefined while the coin has none. */
export function priceOf(
  { price_e4, premium_bps }: Pick<AdRow, "price_e4" | "premium_bps">,
  indexE6: bigint | undefined,
  rateE8: bigint | undefined,
): bigint | undefined {
  if (premium_bps === 0) return price_e4;
  return indexE6 === undefined || rateE8 === undefined ? undefined : floatingPrice(indexE6, rateE8, premium_bps);
}

/** Within the band of the index: 80–120 % floating, 90–110 % fixed. */
export function isFair(
  terms: Pick<AdRow, "price_e4" | "premium_bps">,
  indexE6: bigint | undefined,
  rateE8: bigint | undefined,
): boolean {
  if (indexE6 === undefined || rateE8 === undefined) return false;
  if (terms.premium_bps !== 0) return terms.premium_bps >= PREMIUM_MIN_BPS && terms.premium_bps <= PREMIUM_MAX_BPS;
  const at = premiumOf(terms.price_e4, floatingPrice(indexE6, rateE8, 10_000));
  return at >= FIXED_MIN_BPS && at <= FIXED_MAX_BPS;
}

/** Hundredths of the currency in USDT's units, at the currency's rate. */
export function worthOfCents(cents: bigint, rateE8: bigint): bigint {
  return (cents * 10n ** BigInt(USDT_SCALE - FIAT_SCALE) * 10n ** 8n) / rateE8;
}

export interface Deal {
  readonly quantityUnits: bigint;
  readonly amountCents: bigint;
}

/** From either side of the deal, exact and rounded up for the payer; a code when invalid. */
export function dealOf(
  requested: { readonly amount?: string | undefined; readonly quantity?: string | undefined },
  coin: LedgerCoin,
  fiat: string,
  priceE4: bigint,
): Deal | "AMOUNT_INVALID" {
  if ((requested.amount === undefined) === (requested.quantity === undefined)) return "AMOUNT_INVALID";
  if (requested.amount !== undefined) {
    const amountCents = readCents(requested.amount, fiat) ?? 0n;
    const quantityUnits = quantityOf(amountCents, coin.scale, priceE4);
    return quantityUnits === 0n ? "AMOUNT_INVALID" : { quantityUnits, amountCents };
  }
  const read = parseUnits(requested.quantity ?? "", coin.scale);
  if (!read.done || read.value === 0n) return "AMOUNT_INVALID";
  return { quantityUnits: read.value, amountCents: amountOf(read.value, coin.scale, priceE4, fiat) };
}

/** The requested deal: money or coins, and the amount. */
export interface Choice {
  readonly by: "amount" | "quantity";
  readonly value: bigint;
}

export function readChoice(
  requested: { readonly amount?: string | undefined; readonly quantity?: string | undefined },
  coin: LedgerCoin,
  fiat: string,
): Choice | "AMOUNT_INVALID" {
  if ((requested.amount === undefined) === (requested.quantity === undefined)) return "AMOUNT_INVALID";
  const by = requested.amount === undefined ? "quantity" : "amount";
  const coins = parseUnits(requested.quantity ?? "", coin.scale);
  const value =
    requested.amount === undefined ? (coins.done ? coins.value : 0n) : (readCents(requested.amount, fiat) ?? 0n);
  return value === 0n ? "AMOUNT_INVALID" : { by, value };
}

/** The range of an ad, in the requested money or coins, and the value in it nearest to the request. */
export interface Reach {
  readonly least: bigint;
  readonly most: bigint;
  readonly nearest: bigint;
}

/** Undefined where its stock is worth less than its smallest order. */
export function reachOf(ad: AdRow, { by, value }: Choice, { scale }: LedgerCoin, priceE4: bigint): Reach | undefined {
  const isMoney = by === "amount";
  const hasNoCents = findFiat(ad.fiat)?.decimals === 0;
  const one = 100n * 10n ** BigInt(scale);
  const grain = hasNoCents ? 100n : 1n;
  if (priceE4 === 0n || ad.stock_units === 0n) return undefined;
  // The most money whose coins, truncated, are in stock; and the fewest coins whose price, rounded up, is the minimum.
  const stockCents = ((ad.stock_units + 1n) * priceE4 - 1n) / one;
  const ofStock = stockCents - (stockCents % grain);
  const least = isMoney ? ad.min_cents : ((ad.min_cents - grain) * one) / priceE4 + 1n;
  const ofMax = isMoney ? ad.max_cents : quantityOf(ad.max_cents, scale, priceE4);
  const most = smaller(ofMax, isMoney ? ofStock : ad.stock_units);
  if (least > most) return undefined;
  if (value >= least && value <= most) return { least, most, nearest: value };
  // Price-dependent limits are rounded to few digits, so that they still hold when the price has moved a little.
  const isPriced = isMoney ? value > most && most < ad.max_cents : value < least || most < ad.stock_units;
  const exact = value < least ? least : most;
  const short = value < least ? roundUpToDigits(exact) : exact - (exact % placeOf(exact));
  return { least, most, nearest: isPriced && short >= least && short <= most ? short : exact };
}

const smaller = (left: bigint, right: bigint): bigint => (left < right ? left : right);
const DIGITS = 4;
/** The place of the last digit kept. */
const placeOf = (value: bigint): bigint => 10n ** BigInt(Math.max(0, value.toString().length - DIGITS));
const roundUpToDigits = (value: bigint): bigint => {
  const place = placeOf(value);
  return ((value + place - 1n) / place) * place;
};

/** Why this deal does not fit the ad's own terms. */
export function findDealBar(ad: AdRow, deal: Deal): AdBar | undefined {
  if (deal.amountCents < ad.min_cents) return "MIN";
  if (deal.amountCents > ad.max_cents) return "MAX";
  return deal.quantityUnits > ad.stock_units ? "STOCK" : undefined;
}

/** Why this user cannot take this ad. */
export function findTakerBar(ad: AdRow, taker: TakerInfo | undefined, timeMs: number): AdBar | undefined {
  if (taker === undefined) return undefined;
  if (taker.userId === ad.user_id) return "OWN";
  if (taker.level < Math.max(LEVEL_MIN, ad.need_level)) return "LEVEL";
  // The taker would sell, and could not release what the other has paid for.
  if (ad.side === "buy" && !taker.hasFactor) return "FACTOR";
  if (ad.need_traded && !taker.partners.has(ad.user_id)) return "TRADED";
  if (timeMs - taker.createdMs < ad.need_days * DAY_MS) return "AGE";
  if (taker.orders < ad.need_orders) return "ORDERS";
  const completion = taker.completionBps ?? (ad.need_completion > 0 && taker.orders === 0 ? 0 : 10_000);
  return completion < ad.need_completion * 100 ? "COMPLETION" : undefined;
}

/** The maker cancelled too many orders in which they would have bought. */
export function isResting(ad: Pick<AdRow, "side">, maker: MakerInfo, timeMs: number): boolean {
  return ad.side === "buy" && maker.restsUntilMs > timeMs;
}

export function isAway(maker: MakerInfo, seenMs: number, timeMs: number): boolean {
  return !maker.isSimulated && timeMs - seenMs > AWAY_MS;
}
