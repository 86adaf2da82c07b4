// The sums of the page that teaches reversing a position: what a position is worth, what turning it around realises and
// costs, where the new one would be liquidated, and what keeping, closing or reversing comes to at a later price. Every
// figure comes from the arithmetic the core itself uses; nothing here is a float.

import { parseDecimal } from "@clockwork/kit/decimal";
import { divideCeil, type Fraction, floorFraction } from "@clockwork/kit/fraction";
import {
  type Contract,
  type Holding,
  initialMarginCeil,
  liquidationPrice,
  profitFloor,
  RATE_ONE_WIDE,
  realizedFloor,
  tierOf,
  valueCeil,
  valueFloor,
} from "@clockwork/kit/margin";
import { tiersA } from "@clockwork/kit/margin-tiers";

/** USDT in millionths, prices in tenths, quantity in thousandths of a coin. */
export const MONEY_SCALE = 6;
export const PRICE_SCALE = 1;
export const LOT_SCALE = 3;
/** The base taker rate, 0.05 %, in 1e-8. */
export const TAKER_RATE = 50_000n;
export const LEVERAGE_MAX = 125;

const CONTRACT: Contract = {
  kind: "linear",
  factor: 10n ** BigInt(MONEY_SCALE - PRICE_SCALE - LOT_SCALE),
  tiers: tiersA(MONEY_SCALE),
  liquidationRate: TAKER_RATE,
};

const LOTS_MAX = 10n ** 9n;
const TICKS_MAX = 10n ** 9n;

export interface Draft {
  readonly side: "long" | "short";
  readonly quantity: string;
  readonly entry: string;
  readonly price: string;
  readonly leverage: string;
}

export type DraftFault = "notNumber" | "tooFine" | "outOfRange" | "leverageTooHigh";
export type DraftFaults = Readonly<Partial<Record<"quantity" | "entry" | "price" | "leverage", DraftFault>>>;

/** Settlement units, negative ones too; prices as exact ticks. */
export interface PositionFigures {
  readonly value: bigint;
  readonly margin: bigint;
  /** Undefined when no price would end it. */
  readonly liquidation: Fraction | undefined;
}

export interface Reversal {
  readonly before: PositionFigures & { readonly profit: bigint };
  readonly realized: bigint;
  readonly closingFee: bigint;
  readonly openingFee: bigint;
  /** What the old margin, the profit and the fees leave. */
  readonly left: bigint;
  readonly after: PositionFigures;
  /** What has to come from the wallet; zero when the old margin carries it. */
  readonly missing: bigint;
  readonly outcomes: (laterTicks: bigint) => Outcomes;
  readonly nowTicks: bigint;
}

/** Profit and loss against not having touched the position's entry, fees of reversing included. */
export interface Outcomes {
  readonly keep: bigint;
  readonly close: bigint;
  readonly reverse: bigint;
}

function readScaled(text: string, scale: number, max: bigint): bigint | DraftFault {
  const plain = text.trim().replaceAll(",", "");
  const parsed = parseDecimal(plain);
  if (!parsed.ok) return "notNumber";
  const { units, scale: given } = parsed.value;
  const extra = 10n ** BigInt(Math.max(0, given - scale));
  if (units % extra !== 0n) return "tooFine";
  const whole = (units / extra) * 10n ** BigInt(Math.max(0, scale - given));
  return whole <= 0n || whole > max ? "outOfRange" : whole;
}

export function readDraft(draft: Draft): { readonly faults: DraftFaults; readonly reversal: Reversal | undefined } {
  const lots = readScaled(draft.quantity, LOT_SCALE, LOTS_MAX);
  const entry = readScaled(draft.entry, PRICE_SCALE, TICKS_MAX);
  const price = readScaled(draft.price, PRICE_SCALE, TICKS_MAX);
  const leverage = readScaled(draft.leverage, 0, BigInt(LEVERAGE_MAX));
  const read = { quantity: lots, entry, price, leverage };
  const faults: DraftFaults = Object.fromEntries(Object.entries(read).filter(([, value]) => typeof value === "string"));
  if (typeof lots === "string" || typeof entry === "string") return { faults, reversal: undefined };
  if (typeof price === "string" || typeof leverage === "string") return { faults, reversal: undefined };
  if (leverage > leverageMax(valueFloor(CONTRACT, lots, entry > price ? entry : price))) {
    return { faults: { leverage: "leverageTooHigh" }, reversal: undefined };
  }
  return { faults: {}, reversal: reverse({ side: draft.side === "long" ? 1n : -1n, lots, entry, price, leverage }) };
}

/** The larger a position, the less it may be levered. */
function leverageMax(notional: bigint): bigint {
  return BigInt(CONTRACT.tiers[tierOf(CONTRACT.tiers, notional)]?.leverageMax ?? 1);
}

interface Given {
  readonly side: 1n | -1n;
  readonly lots: bigint;
  readonly entry: bigint;
  readonly price: bigint;
  readonly leverage: bigint;
}

function feeCeil(value: bigint): bigint {
  return divideCeil(value * TAKER_RATE, RATE_ONE_WIDE);
}

function reverse({ side, lots, entry, price, leverage }: Given): Reversal {
  const held: Holding = { side, lots, cost: valueCeil(CONTRACT, lots, entry) };
  const margin = initialMarginCeil(held.cost, leverage);
  const realized = realizedFloor(CONTRACT, held, lots, price);
  const fee = feeCeil(valueCeil(CONTRACT, lots, price));
  const turned: Holding = { side: side === 1n ? -1n : 1n, lots, cost: valueCeil(CONTRACT, lots, price) };
  const turnedMargin = initialMarginCeil(turned.cost, leverage);
  const left = margin + realized - 2n * fee;
  return {
    before: {
      value: valueFloor(CONTRACT, lots, price),
      margin,
      profit: profitFloor(CONTRACT, held, price),
      liquidation: liquidationPrice(CONTRACT, margin, held),
    },
    realized,
    closingFee: fee,
    openingFee: fee,
    left,
    after: { value: turned.cost, margin: turnedMargin, liquidation: liquidationPrice(CONTRACT, turnedMargin, turned) },
    missing: left >= turnedMargin ? 0n : turnedMargin - left,
    nowTicks: price,
    outcomes: (later) => ({
      keep: profitFloor(CONTRACT, held, later),
      close: realized - fee,
      reverse: realized - 2n * fee + profitFloor(CONTRACT, turned, later),
    }),
  };
}

/** A long that has lost a twentieth: the moment somebody thinks of turning it around. */
export function beginDraft(last: string): Draft {
  const now = readScaled(last, PRICE_SCALE, TICKS_MAX);
  const entry = typeof now === "string" ? last : tickText(shiftTicks(now, 50));
  return { side: "long", quantity: "0.5", entry, price: last, leverage: "10" };
}

/** A price as decimal text, cut to whole ticks. */
export function tickText(ticks: bigint): string {
  const digits = ticks.toString().padStart(PRICE_SCALE + 1, "0");
  return `${digits.slice(0, -PRICE_SCALE)}.${digits.slice(-PRICE_SCALE)}`;
}

export function liquidationText(price: Fraction | undefined): string | undefined {
  return price === undefined ? undefined : tickText(floorFraction(price));
}

/** So many per mille of the price now, in ticks. */
export function shiftTicks(nowTicks: bigint, perMille: number): bigint {
  const shifted = (nowTicks * BigInt(1000 + perMille)) / 1000n;
  return shifted > 0n ? shifted : 1n;
}
