// Pure rules of futures trading: rows and events ⇄ wire. Exact in both directions.

import type { MachineEvent } from "@clockwork/core/protocol/event";
import { readPlaced } from "@clockwork/core/protocol/placed";
import { type AccountOwner, nameBook } from "@clockwork/kit/books";
import { averagePriceText, priceText, quantityText, valueCeil, valueFloor, valueText } from "@clockwork/kit/instrument";
import { formatUnits, units } from "@clockwork/kit/money";
import { followedTicks } from "@clockwork/kit/order-bounds";
import type { MarketPair } from "../markets/pair.ts";
import type { ContractRegistry } from "../positions/account-view.ts";
import type { ModeRow, StopRow } from "../projectors/futures/futures-rows.ts";
import type { FillRow, OrderRow } from "../projectors/rows/rows.ts";
import {
  BILL_TYPES,
  type FuturesBill,
  type FuturesBiz,
  type FuturesFill,
  type FuturesOrder,
  type FuturesPlaced,
} from "./contract.ts";
import type { BillRecord } from "./store.ts";

const RATE_SCALE = 8;
const OPEN_STATES: ReadonlySet<string> = new Set(["NEW", "PARTIALLY_FILLED"]);

export const rateText = (rate: number): string => formatUnits(units(rate), RATE_SCALE);

export function isPlan(row: OrderRow): boolean {
  return row.kind === "twap" || row.state === "PENDING_TRIGGER";
}

export function isOpenOrder(row: OrderRow): boolean {
  return row.kind === "order" && OPEN_STATES.has(row.state);
}

function inBook(pairs: ContractRegistry, pair: MarketPair, owner: AccountOwner) {
  return { biz: pair.biz as FuturesBiz, ...nameBook(owner, (asset) => pairs.findAssetById(asset)?.symbol) };
}

function pricedText(pair: MarketPair, priceTicks: number | null): string | null {
  return priceTicks === null || priceTicks === 0 ? null : priceText(pair, priceTicks);
}

type Sided = Pick<OrderRow, "side" | "reduce_only">;

/** In a hedge opening orders buy long and sell short; reducing ones the other way round. */
export function sideOfHedge({ side, reduce_only }: Sided, isHedge: boolean): FuturesOrder["positionSide"] {
  if (!isHedge) return "both";
  return (side === "buy") !== reduce_only ? "long" : "short";
}

/** Whether the account was a hedge when an order was placed; modes come oldest first. */
export function wasHedge(
  modes: readonly ModeRow[],
  { account, created_sequence }: Pick<OrderRow, "account" | "created_sequence">,
): boolean {
  return modes.findLast((one) => one.account === account && one.sequence <= created_sequence)?.hedge ?? false;
}

export function describeOrder(
  pairs: ContractRegistry,
  row: OrderRow,
  owner: AccountOwner,
  stop: StopRow | undefined,
  isHedge: boolean,
): FuturesOrder | undefined {
  const pair = pairs.findMarket(row.market);
  if (pair === undefined) return undefined;
  const hasPrice = row.kind === "twap" || row.type === "limit" || row.type === "stopLimit";
  return {
    ...inBook(pairs, pair, owner),
    orderId: String(row.order_id),
    sequence: row.created_sequence,
    clientOrderId: row.client_order_id,
    pairCode: pair.pairCode,
    side: row.side === "buy" ? "buy" : "sell",
    positionSide: sideOfHedge(row, isHedge),
    type: row.type,
    timeInForce: row.time_in_force,
    postOnly: row.post_only !== "no",
    isIceberg: row.iceberg,
    ...(row.expires_ms === null ? {} : { expiresAtMs: row.expires_ms }),
    ...(row.parent_id === null ? {} : { slice: { twapId: String(row.parent_id), number: row.slices_done ?? 0 } }),
    ...(row.visible_lots === null ? {} : { visibleQuantity: quantityText(pair, row.visible_lots) }),
    selfTrade: row.self_trade,
    reduceOnly: row.reduce_only,
    price: hasPrice ? priceText(pair, row.price_ticks) : null,
    quantity: quantityText(pair, row.quantity),
    filledQuantity: quantityText(pair, row.filled_lots),
    filledAmount: valueText(pair, row.filled_units),
    averagePrice: averagePriceText(pair, row.filled_units, row.filled_lots),
    status: (row.state === "TRIGGERED" ? "NEW" : row.state) as FuturesOrder["status"],
    endReason: row.end_reason,
    stopPrice: pricedText(pair, row.trigger_ticks),
    triggerSource: row.trigger_source,
    triggerDirection: row.trigger_direction,
    callbackPercent:
      row.type === "trailingStop" && row.callback_bps !== null ? formatUnits(units(row.callback_bps), 2) : null,
    currentTrigger:
      row.type === "trailingStop" && row.state === "PENDING_TRIGGER"
        ? pricedText(pair, followedTicks(row.side, row.peak_ticks, row.callback_bps))
        : null,
    stopProfit: pricedText(pair, row.profit_ticks),
    stopLoss: pricedText(pair, row.stop_ticks),
    stopLossPrice: pricedText(pair, row.stop_limit_ticks),
    listId: row.list_id === null ? null : String(row.list_id),
    listLeg: row.list_leg,
    positionId: stop === undefined ? null : String(stop.position_id),
    isWhole: stop?.is_whole ?? false,
    createdAtMs: row.created_ms,
    updatedAtMs: row.updated_ms,
  };
}

export function describeFill(pairs: ContractRegistry, row: FillRow, owner: AccountOwner): FuturesFill | undefined {
  const pair = pairs.findMarket(row.market);
  if (pair === undefined) return undefined;
  return {
    ...inBook(pairs, pair, owner),
    tradeId: row.trade_number,
    orderId: String(row.order_id),
    pairCode: pair.pairCode,
    side: row.side === "buy" ? "buy" : "sell",
    role: row.role,
    price: priceText(pair, row.price_ticks),
    quantity: quantityText(pair, row.lots),
    amount: valueText(pair, row.notional_units),
    fee: valueText(pair, row.fee_units + row.gold_fee_units),
    goldFee: valueText(pair, row.gold_fee_units),
    feeAsset: pair.settle.symbol,
    realizedPnl: valueText(pair, row.realized_units),
    timeMs: row.time_ms,
  };
}

/** The wire's name of the core's business. */
export function billTypeOf(business: string): string {
  const known: Readonly<Record<string, string>> = BILL_TYPES;
  return known[business] ?? business.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** `owner` is the account it concerns; gold has a book of its own. */
export function describeBill(
  pairs: ContractRegistry,
  row: BillRecord,
  owner: AccountOwner,
  { biz, payer }: Pick<FuturesBill, "biz" | "payer">,
): FuturesBill | undefined {
  const coin = pairs.findAssetById(row.asset);
  if (coin === undefined) return undefined;
  const text = (value: bigint): string => formatUnits(units(value), coin.scale);
  return {
    biz,
    payer,
    ...nameBook(owner, (asset) => pairs.findAssetById(asset)?.symbol),
    id: `${row.sequence}-${row.line}`,
    asset: coin.symbol,
    type: billTypeOf(row.business),
    pairCode: pairs.findMarket(row.market)?.pairCode ?? null,
    change: text(row.delta_units),
    balance: text(row.available_units + row.frozen_units),
    reference: row.reference ?? (row.reference_number === 0 ? null : String(row.reference_number)),
    timeMs: row.settled_ms ?? row.time_ms,
  };
}

/** The order placed by a command, from its events; undefined for a repeat. */
export function describePlaced(
  pair: MarketPair,
  account: number,
  ack: { readonly sequence: number; readonly events: readonly MachineEvent[] },
  clientOrderId: string | null,
): FuturesPlaced | undefined {
  const placed = readPlaced(ack.events, account, ({ lots, price }, isSell) =>
    isSell ? valueCeil(pair, lots, price) : valueFloor(pair, lots, price),
  );
  if (placed === undefined) return undefined;
  const { orderId, status, filledLots, filledUnits, endReason, otherIds } = placed;
  return {
    orderId: String(orderId),
    clientOrderId,
    status,
    ...(endReason === undefined ? {} : { endReason }),
    filledQuantity: quantityText(pair, filledLots),
    filledAmount: valueText(pair, filledUnits),
    averagePrice: averagePriceText(pair, filledUnits, filledLots),
    orderIds: otherIds.map(String),
    isRepeat: false,
    sequence: ack.sequence,
  };
}

/** A scaled order reported as one: the rungs that rest. */
export function joinRungs(rungs: readonly FuturesPlaced[]): FuturesPlaced | undefined {
  const [first, ...others] = rungs;
  if (first === undefined) return undefined;
  const touched = rungs.some(({ status }) => status === "FILLED" || status === "PARTIALLY_FILLED");
  const isSame = rungs.every(({ status }) => status === first.status);
  return {
    ...first,
    status: isSame ? first.status : touched ? "PARTIALLY_FILLED" : "NEW",
    orderIds: others.map(({ orderId }) => orderId),
    isRepeat: rungs.every(({ isRepeat }) => isRepeat),
  };
}
