// The sums of the page that teaches reversing a position: what a position is worth, what turning it around realises and
// costs, where the new one would be liquidated, and what keeping, closing or reversing comes to at a later price. Every
// figure comes from the arithmetic the core itself uses; nothing here is a float.

import { CONTRACT_TAKER_RATE } from "@clockwork/kit/contract-catalogue";
import { decimalText, parseDecimal, trimZeros } from "@clockwork/kit/decimal";
import { divideCeil, type Fraction, floorFraction } from "@clockwork/kit/fraction";
import {
  type Contract,
  type Holding,
  initialMarginCeil,
  liquidationPrice,
  profitFloor,
  RATE_ONE_WIDE,
  realizedFloor,
  type Tier,
  tierOf,
  valueCeil,
  valueFloor,
} from "@clockwork/kit/margin";
import { tiersA } from "@clockwork/kit/margin-tiers";
import type { LadderStep } from "@clockwork/trading/markets/contract";

/** USDT in millionths, prices in tenths, quantity in thousandths of a coin. */
export const MONEY_SCALE = 6;
export const PRICE_SCALE = 1;
export const LOT_SCALE = 3;
const RATE_SCALE = 8;

/** The contract's fees and ladder as they are served. */
export interface ReverseTerms {
  readonly takerRate: string;
  readonly liquidationRate: string;
  readonly ladder: readonly LadderStep[];
}

interface Terms {
  readonly contract: Contract;
  /** In 1e-8. */
  readonly takerRate: bigint;
}

function contractOf(tiers: readonly Tier[], liquidationRate: bigint): Contract {
  return { kind: "linear", factor: 10n ** BigInt(MONEY_SCALE - PRICE_SCALE - LOT_SCALE), tiers, liquidationRate };
}

const BASE_RATE = BigInt(CONTRACT_TAKER_RATE);
const BASE: Terms = { contract: contractOf(tiersA(MONEY_SCALE), BASE_RATE), takerRate: BASE_RATE };

function scaled(text: string, scale: number): bigint {
  const parsed = parseDecimal(text);
  if (!parsed.ok) return 0n;
  const { units, scale: given } = parsed.value;
  return given > scale ? units / 10n ** BigInt(given - scale) : units * 10n ** BigInt(scale - given);
}

/** Where no contract is listed, what it would be listed with. */
export function readTerms(served: ReverseTerms | null): Terms {
  if (served === null || served.ladder.length === 0) return BASE;
  const tiers = served.ladder.map((step) => ({
    cap: scaled(step.maxNotional, MONEY_SCALE),
    leverageMax: step.maxLeverage,
    rate: scaled(step.maintenanceRate, RATE_SCALE),
    deduction: scaled(step.deduction, MONEY_SCALE),
  }));
  return {
    contract: contractOf(tiers, scaled(served.liquidationRate, RATE_SCALE)),
    takerRate: scaled(served.takerRate, RATE_SCALE),
  };
}

/** "0.06" per cent. */
export function rateText({ takerRate }: Terms): string {
  return trimZeros(decimalText(takerRate, RATE_SCALE - 2));
}

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

export function readDraft(
  draft: Draft,
  terms: Terms = BASE,
): { readonly faults: DraftFaults; readonly reversal: Reversal | undefined } {
  const lots = readScaled(draft.quantity, LOT_SCALE, LOTS_MAX);
  const entry = readScaled(draft.entry, PRICE_SCALE, TICKS_MAX);
  const price = readScaled(draft.price, PRICE_SCALE, TICKS_MAX);
  const leverage = readScaled(draft.leverage, 0, BigInt(terms.contract.tiers[0]?.leverageMax ?? 1));
  const read = { quantity: lots, entry, price, leverage };
  const faults: DraftFaults = Object.fromEntries(Object.entries(read).filter(([, value]) => typeof value === "string"));
  if (typeof lots === "string" || typeof entry === "string") return { faults, reversal: undefined };
  if (typeof price === "string" || typeof leverage === "string") return { faults, reversal: undefined };
  if (leverage > leverageMax(terms.contract, valueFloor(terms.contract, lots, entry > price ? entry : price))) {
    return { faults: { leverage: "leverageTooHigh" }, reversal: undefined };
  }
  const given = { side: draft.side === "long" ? (1n as const) : (-1n as const), lots, entry, price, leverage };
  return { faults: {}, reversal: reverse(given, terms) };
}

/** The larger a position, the less it may be levered. */
function leverageMax({ tiers }: Contract, notional: bigint): bigint {
  return BigInt(tiers[tierOf(tiers, notional)]?.leverageMax ?? 1);
}

interface Given {
  readonly side: 1n | -1n;
  readonly lots: bigint;
  readonly entry: bigint;
  readonly price: bigint;
  readonly leverage: bigint;
}

function reverse({ side, lots, entry, price, leverage }: Given, { contract, takerRate }: Terms): Reversal {
  const held: Holding = { side, lots, cost: valueCeil(contract, lots, entry) };
  const margin = initialMarginCeil(held.cost, leverage);
  const realized = realizedFloor(contract, held, lots, price);
  const fee = divideCeil(valueCeil(contract, lots, price) * takerRate, RATE_ONE_WIDE);
  const turned: Holding = { side: side === 1n ? -1n : 1n, lots, cost: valueCeil(contract, lots, price) };
  const turnedMargin = initialMarginCeil(turned.cost, leverage);
  const left = margin + realized - 2n * fee;
  return {
    before: {
      value: valueFloor(contract, lots, price),
      margin,
      profit: profitFloor(contract, held, price),
      liquidation: liquidationPrice(contract, margin, held),
    },
    realized,
    closingFee: fee,
    openingFee: fee,
    left,
    after: { value: turned.cost, margin: turnedMargin, liquidation: liquidationPrice(contract, turnedMargin, turned) },
    missing: left >= turnedMargin ? 0n : turnedMargin - left,
    nowTicks: price,
    outcomes: (later) => ({
      keep: profitFloor(contract, held, later),
      close: realized - fee,
      reverse: realized - 2n * fee + profitFloor(contract, turned, later),
    }),
  };
}

/** A long that has lost a twentieth: a typical moment to consider reversing. */
export function beginDraft(last: string): Draft {
  const now = readScaled(last, PRICE_SCALE, TICKS_MAX);
  const entry = typeof now === "string" ? last : tickText(shiftTicks(now, 50));
  return { side: "long", quantity: "0.5", entry, price: last, leverage: "10" };
}

/** A price as decimal text, cut to whole ticks. */
export function tickText(ticks: bigint): string {
  return decimalText(ticks, PRICE_SCALE);
}

export function liquidationText(price: Fraction | undefined): string | undefined {
  return price === undefined ? undefined : tickText(floorFraction(price));
}

/** The given per mille of the current price, in ticks. */
export function shiftTicks(nowTicks: bigint, perMille: number): bigint {
  const shifted = (nowTicks * BigInt(1000 + perMille)) / 1000n;
  return shifted > 0n ? shifted : 1n;
}
