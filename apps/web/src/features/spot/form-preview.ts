// The effect of an order: cost, proceeds, fee and rate. Exact where the price is known, an estimate from the book where
// it is not, and marked as one of the two.

import {
  add,
  ceilTo,
  countSteps,
  type Decimal,
  divideFloor,
  floorToGrid,
  isAbove,
  isBelow,
  lesser,
  multiply,
  readServed,
  readTyped,
  subtract,
  ZERO,
} from "#trade/order/exact.ts";
import { isWaiting } from "#trade/order/form-kinds.ts";
import { rungsOf } from "#trade/order/ladder.ts";
import { computePrice, ladderOf, ocoWorstPrice, protectiveLimit } from "./form-model.ts";
import { crosses } from "./form-rules.ts";
import { type FormState, type FormWorld, isInQuote } from "./form-state.ts";

export interface Money {
  readonly value: Decimal;
  readonly asset: string;
}

export interface Effect {
  readonly quantity: Decimal;
  /** Per coin: the limit, or the average the book would give. */
  readonly price: Decimal;
  readonly pay: Money;
  readonly receive: Money;
  readonly fee: Money;
  readonly role: "maker" | "taker";
  readonly rate: string;
  /** The book decides: these are its current values. */
  readonly isEstimate: boolean;
  /** The book holds less than is wanted within the slippage allowed. */
  readonly isPartial: boolean;
  /** How far the average is from the best price, per cent with two decimals. */
  readonly impactPercent: Decimal;
}

/** Coins the ledger counts coarser than in hundred-millionths. */
const SCALES: Readonly<Record<string, number>> = { USDT: 6, USDC: 6, XRP: 4, DOGE: 4, ADA: 4, TRX: 4 };
const SCALE_DEFAULT = 8;

export function ledgerScale(asset: string): number {
  return SCALES[asset] ?? SCALE_DEFAULT;
}

/** Nothing until enough is typed to say something. */
export function previewOrder(state: FormState, world: FormWorld): Effect | undefined {
  if (state.kind === "market") return previewMarket(state, world);
  const quantity = readTyped(state.texts.quantity);
  if (quantity === undefined || quantity.units === 0n) return undefined;
  const role = roleOf(state, world);
  if (state.kind === "scaled") {
    const rungs = rungsOf(ladderOf(state), world.pair);
    if (rungs === undefined) return undefined;
    const worth = rungs.reduce((sum, rung) => add(sum, multiply(rung.price, rung.quantity)), ZERO);
    return settle(state, world, { quantity, worth, role, isEstimate: false, isPartial: false });
  }
  const price = computePrice(state, world);
  if (price === undefined || price.units === 0n) return undefined;
  const isEstimate = state.kind === "stopMarket" || state.kind === "trailingStop" || state.kind === "twap";
  return settle(state, world, { quantity, worth: multiply(price, quantity), role, isEstimate, isPartial: false });
}

/** Resting orders pay the maker's rate, orders that trade at once the taker's; a plan is computed as a taker. */
export function roleOf(state: FormState, world: FormWorld): "maker" | "taker" {
  if (state.kind === "scaled" || state.kind === "oco") return "maker";
  if (state.kind !== "limit") return "taker";
  if (state.postOnly) return "maker";
  if (state.timeInForce === "IOC" || state.timeInForce === "FOK") return "taker";
  return crosses(state, world) ? "taker" : "maker";
}

interface Outcome {
  readonly quantity: Decimal;
  /** In the quote coin. */
  readonly worth: Decimal;
  readonly role: "maker" | "taker";
  readonly isEstimate: boolean;
  readonly isPartial: boolean;
}

function settle(state: FormState, world: FormWorld, outcome: Outcome): Effect {
  const { pair } = world;
  const { quantity, worth, role } = outcome;
  const rate = role === "maker" ? world.makerRate : world.takerRate;
  const base: Money = { value: quantity, asset: pair.base };
  const quote: Money = { value: worth, asset: pair.quote };
  const [pay, gross] = state.side === "buy" ? [quote, base] : [base, quote];
  // The fee comes out of what is received and rounds up, as the ledger does.
  const fee = ceilTo(multiply(gross.value, readServed(rate)), ledgerScale(gross.asset));
  return {
    quantity,
    price: divideFloor(worth, quantity, pair.priceDecimals),
    pay,
    receive: { value: subtract(gross.value, fee), asset: gross.asset },
    fee: { value: fee, asset: gross.asset },
    role,
    rate,
    isEstimate: outcome.isEstimate,
    isPartial: outcome.isPartial,
    impactPercent: impactOf(state, world, outcome),
  };
}

/** What leaves the available balance when the order is taken in: for a plan often nothing, for an OCO its dearer leg. */
export function holdOf(state: FormState, world: FormWorld, { pay, quantity }: Effect): Money {
  const isFree = state.kind === "twap" || (isWaiting(state.kind) && state.side === "buy");
  if (isFree) return { ...pay, value: ZERO };
  if (state.kind !== "oco" || state.side === "sell") return pay;
  const worst = ocoWorstPrice(state, world);
  return worst === undefined ? pay : { ...pay, value: multiply(worst, quantity) };
}

function impactOf(state: FormState, world: FormWorld, { worth, quantity, isEstimate }: Outcome): Decimal {
  const best = readTyped((state.side === "buy" ? world.asks : world.bids)[0]?.[0] ?? "");
  if (!isEstimate || best === undefined || best.units === 0n || quantity.units === 0n) return ZERO;
  const fair = multiply(best, quantity);
  const away = isAbove(worth, fair) ? subtract(worth, fair) : subtract(fair, worth);
  return divideFloor(multiply(away, { units: 100n, scale: 0 }), fair, 2);
}

/** Walks the book as the core would: level by level, within the protective limit, in whole steps. */
function previewMarket(state: FormState, world: FormWorld): Effect | undefined {
  const inQuote = isInQuote(state);
  const wanted = readTyped(inQuote ? state.texts.amount : state.texts.quantity);
  const limit = protectiveLimit(state, world);
  if (wanted === undefined || wanted.units === 0n || limit === undefined) return undefined;
  const step = readServed(world.pair.stepSize);
  let left = wanted;
  let quantity = ZERO;
  let worth = ZERO;
  for (const [priceText = "", sizeText = ""] of state.side === "buy" ? world.asks : world.bids) {
    const price = readServed(priceText);
    if (state.side === "buy" ? isAbove(price, limit) : isBelow(price, limit)) break;
    const affordable = inQuote
      ? multiply(step, { units: countSteps(left, multiply(price, step)), scale: 0 })
      : floorToGrid(left, step);
    const taken = lesser(affordable, readServed(sizeText));
    if (taken.units === 0n) break;
    quantity = add(quantity, taken);
    worth = add(worth, multiply(price, taken));
    left = subtract(left, inQuote ? multiply(price, taken) : taken);
  }
  if (quantity.units === 0n) return undefined;
  const next = multiply(limit, step);
  const isPartial = inQuote ? !isBelow(left, next) : left.units > 0n;
  return settle(state, world, { quantity, worth, role: "taker", isEstimate: true, isPartial });
}
