// The effect of an action on a position, before it is done: open or close, reverse, more or less margin, another
// leverage, an exit. Pure; every figure comes from kit/margin, which the core uses too.

import type { Fraction } from "@clockwork/kit/fraction";
import { addFractions } from "@clockwork/kit/fraction";
import {
  cashBeside,
  costRemaining,
  entryPrice,
  exactCost,
  exactValue,
  type Holding,
  initialMarginCeil,
  keepCost,
  leastSafeMargin,
  liquidationPrices,
  type MarkedHolding,
  realizedFloor,
  valueCeil,
  valueFloor,
} from "@clockwork/kit/margin";
import type { FuturesAccount, FuturesPosition } from "@clockwork/trading/positions/contract";
import { feeOf, type KnownContract, readLots, readTicks, readUnits } from "./contract.ts";

export type MarginMode = "cross" | "isolated";

/** A position as input of computations. */
export interface Held extends Holding {
  /** Of an isolated one its own, of a cross one what it requires of the account. */
  readonly margin: bigint;
}

export interface Account {
  /** What carries the cross positions: wallet without isolated margins, with bonus. */
  readonly cash: bigint;
  readonly available: bigint;
  /** The cross positions in other contracts; nothing while one of their ladders is missing. */
  readonly others: readonly MarkedHolding[] | undefined;
  /** The other positions in the same contract: the other side of a hedge. */
  readonly beside: readonly Held[];
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
  { others, beside }: Pick<Account, "others" | "beside">,
): Account {
  const of = (text: string) => readUnits(text, scale);
  return {
    cash: of(account.balance) + of(account.bonus) - of(account.isolatedMargin),
    available: of(account.available),
    others,
    beside,
  };
}

/** An account's holdings besides one position of a contract: in other contracts at their marks, and in the same. */
export function readOthers(
  positions: readonly FuturesPosition[],
  shownId: string | undefined,
  contract: KnownContract,
  find: (pairCode: string) => KnownContract | undefined,
): Pick<Account, "others" | "beside"> {
  const others: MarkedHolding[] = [];
  const beside: Held[] = [];
  let isKnown = true;
  for (const position of positions) {
    if (position.positionId === shownId) continue;
    const isSame = position.pairCode === contract.rules.pairCode;
    if (!isSame && position.mode !== "cross") continue;
    const its = isSame ? contract : find(position.pairCode);
    if (its !== undefined && its.rules.settle !== contract.rules.settle) continue;
    const held = its === undefined ? undefined : readHeld(its, position);
    const markTicks = its === undefined ? undefined : readTicks(its, position.markPrice);
    if (its === undefined || held === undefined || markTicks === undefined) isKnown = false;
    else if (isSame) beside.push(held);
    else others.push({ ...held, contract: its, markTicks });
  }
  return { others: isKnown ? others : undefined, beside };
}

/** The liquidation price: undefined while it is unknown, null where no price causes one. */
export type Liquidation = Fraction | null | undefined;

export function liquidationOf(
  contract: KnownContract,
  held: Held,
  mode: MarginMode,
  account: Account | undefined,
  markTicks: bigint,
): Liquidation {
  if (mode === "isolated") return priceOf(contract, { over: held.margin, under: 1n }, [held], markTicks);
  if (account?.others === undefined) return undefined;
  // Both sides of a hedge live on one margin and move with one price.
  return priceOf(contract, cashBeside(account.cash, account.others), [held, ...account.beside], markTicks);
}

/** Of the first of them, as the exchange reports it. */
function priceOf(contract: KnownContract, cash: Fraction, holdings: readonly Held[], markTicks: bigint): Liquidation {
  const { below, above } = liquidationPrices(contract, cash, holdings, markTicks);
  return (holdings[0]?.side === 1n ? (below ?? above) : (above ?? below)) ?? null;
}

export interface SettingsChoice {
  readonly mode: MarginMode;
  readonly leverage: number;
}

export interface SettingsEffect {
  readonly initialBefore: bigint;
  readonly initialAfter: bigint;
  /** What goes back to what is available; negative is what has to come from there. */
  readonly freed: bigint;
  readonly liquidation: Liquidation;
}

/** Another mode or leverage: the mode first, then the leverage, as they are sent. */
export function previewSettings(
  contract: KnownContract,
  held: Held,
  before: SettingsChoice,
  choice: SettingsChoice,
  account: Account | undefined,
  markTicks: bigint,
): SettingsEffect {
  const initialBefore = initialMarginCeil(held.cost, BigInt(before.leverage));
  const initialAfter = initialMarginCeil(held.cost, BigInt(choice.leverage));
  const effect = { initialBefore, initialAfter };
  if (choice.mode === "cross") {
    const backing =
      before.mode === "cross" ? 0n : [held, ...(account?.beside ?? [])].reduce((sum, one) => sum + one.margin, 0n);
    const joined = account === undefined ? undefined : { ...account, cash: account.cash + backing };
    const bound = before.mode === "cross" ? initialBefore : held.margin;
    return {
      ...effect,
      freed: bound - initialAfter,
      liquidation: liquidationOf(contract, held, "cross", joined, markTicks),
    };
  }
  const margin = before.mode === "isolated" ? held.margin : initialBefore;
  const isKept = initialAfter < margin && initialAfter < leastSafeMargin({ ...held, contract, markTicks });
  const after = isKept ? margin : initialAfter;
  return {
    ...effect,
    freed: margin - after,
    liquidation: liquidationOf(contract, { ...held, margin: after }, "isolated", account, markTicks),
  };
}

/** What may be taken out of an isolated margin: its initial margin remains, and 0.5 % between mark and liquidation. */
export function reducibleOf(contract: KnownContract, held: Held, leverage: number, markTicks: bigint): bigint {
  const initial = initialMarginCeil(held.cost, BigInt(leverage));
  const safe = leastSafeMargin({ ...held, contract, markTicks });
  const most = held.margin - (initial > safe ? initial : safe);
  return most > 0n ? most : 0n;
}

export interface OrderRequest {
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
  /** Margin that opening requires, without the fee. */
  readonly margin: bigint;
}

/** Margin that leaves with lots of a position: its share, down. */
function marginOut(held: Held, lots: bigint): bigint {
  return (held.margin * lots) / held.lots;
}

/** The effect of an order on a position at a price: it closes the opposite side first, then opens. */
export function previewOrder(contract: KnownContract, held: Held | undefined, choice: OrderRequest): OrderEffect {
  const side: Held["side"] = choice.side === "buy" ? 1n : -1n;
  const isHedge = choice.positionSide !== "both";
  const wantsLong = choice.positionSide === "long";
  const isClosing = isHedge && (choice.side === "buy") !== wantsLong;
  const against = held !== undefined && held.side !== side ? held : undefined;
  const closedLots = against === undefined ? 0n : choice.lots < against.lots ? choice.lots : against.lots;
  const mayOpen = !choice.reduceOnly && !isClosing;
  const openedLots = mayOpen ? choice.lots - closedLots : 0n;
  const realized = against === undefined ? 0n : realizedFloor(contract, against, closedLots, choice.ticks);
  const left = against === undefined ? held : closeLots(against, closedLots);
  const opened = exactValue(contract, openedLots, choice.ticks);
  const margin = openedLots === 0n ? 0n : initialMarginCeil(keepCost(opened).cost, BigInt(choice.leverage));
  const value = valueCeil(contract, closedLots + openedLots, choice.ticks);
  const base = left ?? { side, lots: 0n, cost: 0n, margin: 0n };
  const cost = keepCost(addFractions(exactCost(base), opened));
  const after =
    openedLots === 0n ? left : { side, lots: base.lots + openedLots, ...cost, margin: base.margin + margin };
  return { after, closedLots, openedLots, realized, fee: feeOf(value, choice.feeRate), margin };
}

/** What is left of a position after lots of it were closed. */
export function closeLots(held: Held, lots: bigint): Held | undefined {
  if (lots >= held.lots) return undefined;
  return {
    side: held.side,
    lots: held.lots - lots,
    ...costRemaining(held, lots),
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
  return { realized, fee, value, back: marginOut(held, lots) + realized - fee, left: closeLots(held, lots) };
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
  const cost = keepCost(exactValue(contract, held.lots, ticks));
  const margin = initialMarginCeil(cost.cost, BigInt(leverage));
  return { close, after: { side, lots: held.lots, ...cost, margin }, fee: close.fee };
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

/** The distance of a price from the mark, in 1e-4 of the mark, cut. */
export function awayBps(price: Fraction, markTicks: bigint): bigint {
  return markTicks === 0n ? 0n : ((price.over - markTicks * price.under) * 10_000n) / (markTicks * price.under);
}
