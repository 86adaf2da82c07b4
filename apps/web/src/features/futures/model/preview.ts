// What an act on a position will do, before it is done: open or close, reverse, more or less margin, another leverage, an
// exit. Pure; every figure comes out of kit/margin, which the core reckons with too.
import type { FuturesAccount, FuturesPosition } from "@clockwork/domains/positions/api";
import type { Fraction } from "@clockwork/kit/fraction";
import {
  cashBeside,
  costOfLots,
  entryPrice,
  type Holding,
  initialMarginCeil,
  liquidationPrices,
  type MarkedHolding,
  realizedFloor,
  valueCeil,
  valueFloor,
} from "@clockwork/kit/margin";
import { feeOf, type KnownContract, readLots, readTicks, readUnits } from "./contract.ts";

export type MarginMode = "cross" | "isolated";

/** A position as it is reckoned with. */
export interface Held extends Holding {
  /** Of an isolated one its own, of a cross one what it asks of the account. */
  readonly margin: bigint;
}

export interface Account {
  /** What carries the cross positions: wallet without isolated margins, with bonus. */
  readonly cash: bigint;
  readonly available: bigint;
  /** The other cross positions of the account; nothing while one of their ladders is not known. */
  readonly others: readonly MarkedHolding[] | undefined;
}

export function readHeld(contract: KnownContract, position: FuturesPosition): Held | undefined {
  const lots = readLots(contract, position.quantity);
  if (lots === undefined || lots === 0n) return undefined;
  const { settleScale } = contract.rules;
  return {
    side: position.side === "long" ? 1n : -1n,
    lots,
    cost: readUnits(position.cost, settleScale),
    margin: readUnits(position.margin, settleScale),
  };
}

export function readAccount(
  account: FuturesAccount,
  scale: number,
  others: readonly MarkedHolding[] | undefined,
): Account {
  const of = (text: string) => readUnits(text, scale);
  return {
    cash: of(account.balance) + of(account.bonus) - of(account.isolatedMargin),
    available: of(account.available),
    others,
  };
}

/** The cross positions beside one, at their marks; nothing while a ladder is missing. */
export function readOthers(
  positions: readonly FuturesPosition[],
  shown: FuturesPosition | undefined,
  settle: string,
  find: (pairCode: string) => KnownContract | undefined,
): readonly MarkedHolding[] | undefined {
  const others: MarkedHolding[] = [];
  for (const position of positions) {
    if (position.mode !== "cross" || position.positionId === shown?.positionId) continue;
    const contract = find(position.pairCode);
    if (contract === undefined) return undefined;
    if (contract.rules.settle !== settle) continue;
    const held = readHeld(contract, position);
    const markTicks = readTicks(contract, position.markPrice);
    if (held === undefined || markTicks === undefined) return undefined;
    others.push({ ...held, contract, markTicks });
  }
  return others;
}

/** Where it is liquidated: undefined while it cannot be told, null where no price does it. */
export type Liquidation = Fraction | null | undefined;

export function liquidationOf(
  contract: KnownContract,
  held: Held,
  mode: MarginMode,
  account: Account | undefined,
  markTicks: bigint,
): Liquidation {
  const cash =
    mode === "isolated"
      ? { over: held.margin, under: 1n }
      : account?.others === undefined
        ? undefined
        : cashBeside(account.cash, account.others);
  if (cash === undefined) return undefined;
  const { below, above } = liquidationPrices(contract, cash, [held], markTicks);
  return (held.side > 0n ? below : above) ?? null;
}

export interface OrderWish {
  readonly side: "buy" | "sell";
  readonly lots: bigint;
  readonly ticks: bigint;
  readonly leverage: number;
  readonly reduceOnly: boolean;
  /** Hedge mode: which side it is about. */
  readonly positionSide: "both" | "long" | "short";
  readonly feeRate: string;
}

export interface OrderEffect {
  readonly after: Held | undefined;
  readonly closedLots: bigint;
  readonly openedLots: bigint;
  /** Before fees. */
  readonly realized: bigint;
  readonly fee: bigint;
  /** Margin that opening asks for, without the fee. */
  readonly margin: bigint;
}

/** Cost that comes in with lots, rounded against the holder. */
function costIn(contract: KnownContract, side: bigint, lots: bigint, ticks: bigint): bigint {
  const gainsByValue = contract.kind === "linear" ? side > 0n : side < 0n;
  return gainsByValue ? valueCeil(contract, lots, ticks) : valueFloor(contract, lots, ticks);
}

/** Margin that leaves with lots of a position: its share, down. */
function marginOut(held: Held, lots: bigint): bigint {
  return (held.margin * lots) / held.lots;
}

/** What an order does to a position at a price: it closes what stands against it first, then opens. */
export function previewOrder(contract: KnownContract, held: Held | undefined, wish: OrderWish): OrderEffect {
  const side: Held["side"] = wish.side === "buy" ? 1n : -1n;
  const isHedge = wish.positionSide !== "both";
  const wantsLong = wish.positionSide === "long";
  const isClosing = isHedge && (wish.side === "buy") !== wantsLong;
  const against = held !== undefined && held.side !== side ? held : undefined;
  const closedLots = against === undefined ? 0n : wish.lots < against.lots ? wish.lots : against.lots;
  const mayOpen = !wish.reduceOnly && !isClosing;
  const openedLots = mayOpen ? wish.lots - closedLots : 0n;
  const realized = against === undefined ? 0n : realizedFloor(contract, against, closedLots, wish.ticks);
  const left = against === undefined ? held : closeLots(contract, against, closedLots);
  const cost = costIn(contract, side, openedLots, wish.ticks);
  const margin = openedLots === 0n ? 0n : initialMarginCeil(cost, BigInt(wish.leverage));
  const value = valueCeil(contract, closedLots + openedLots, wish.ticks);
  const base = left ?? { side, lots: 0n, cost: 0n, margin: 0n };
  const after =
    openedLots === 0n
      ? left
      : { side, lots: base.lots + openedLots, cost: base.cost + cost, margin: base.margin + margin };
  return { after, closedLots, openedLots, realized, fee: feeOf(value, wish.feeRate), margin };
}

/** What is left of a position after lots of it were closed. */
export function closeLots(contract: KnownContract, held: Held, lots: bigint): Held | undefined {
  if (lots >= held.lots) return undefined;
  return {
    side: held.side,
    lots: held.lots - lots,
    cost: held.cost - costOfLots(contract, held, lots),
    margin: held.margin - marginOut(held, lots),
  };
}

export interface CloseEffect {
  readonly realized: bigint;
  readonly fee: bigint;
  /** What comes back to what is available: margin, profit and fee together. */
  readonly back: bigint;
  readonly value: bigint;
  readonly left: Held | undefined;
}

export function previewClose(
  contract: KnownContract,
  held: Held,
  lots: bigint,
  ticks: bigint,
  feeRate: string,
): CloseEffect {
  const realized = realizedFloor(contract, held, lots, ticks);
  const value = valueFloor(contract, lots, ticks);
  const fee = feeOf(valueCeil(contract, lots, ticks), feeRate);
  return { realized, fee, value, back: marginOut(held, lots) + realized - fee, left: closeLots(contract, held, lots) };
}

export interface ReverseEffect {
  readonly close: CloseEffect;
  readonly after: Held;
  readonly fee: bigint;
}

/** The two halves of a reversal: all of it closed, as much opened on the other side. */
export function previewReverse(
  contract: KnownContract,
  held: Held,
  ticks: bigint,
  leverage: number,
  feeRate: string,
): ReverseEffect {
  const close = previewClose(contract, held, held.lots, ticks, feeRate);
  const side: Held["side"] = held.side > 0n ? -1n : 1n;
  const cost = costIn(contract, side, held.lots, ticks);
  const margin = initialMarginCeil(cost, BigInt(leverage));
  return { close, after: { side, lots: held.lots, cost, margin }, fee: close.fee };
}

/** The entry of what is held, exactly, in ticks. */
export function entryOf(contract: KnownContract, held: Held): Fraction {
  return entryPrice(contract, held);
}

/** Profit over the initial margin at the leverage, in 1e-4, cut. */
export function roeBps(profit: bigint, cost: bigint, leverage: number): bigint {
  const margin = initialMarginCeil(cost, BigInt(leverage));
  return margin === 0n ? 0n : (profit * 10_000n) / margin;
}

/** How far a price lies from the mark, in 1e-4 of the mark, cut. */
export function awayBps(price: Fraction, markTicks: bigint): bigint {
  return markTicks === 0n ? 0n : ((price.over - markTicks * price.under) * 10_000n) / (markTicks * price.under);
}
