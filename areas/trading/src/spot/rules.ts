// Pure rules of spot trading: rows ⇄ wire, and amounts as text. Prices, quantities and values are the instrument's own
// (kit/instrument). Exact in both directions; values that cannot be represented exactly are rejected.

import { type BookName, SPOT_MAIN } from "@clockwork/kit/books";
import { averagePriceText, priceText, quantityText, valueText } from "@clockwork/kit/instrument";
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";
import { followedTicks } from "@clockwork/kit/order-bounds";
import { SECOND_MS } from "@clockwork/kit/time";
import { readSteps } from "@clockwork/kit/whole-text";
import type { PairBook } from "../market/pairs.ts";
import type { MarketPair } from "../markets/pair.ts";
import type { BalanceRow, FillRow, OrderRow } from "../projectors/rows/rows.ts";
import type { Fill, SpotBalance, SpotOrder, SpotOrderStatus } from "./contract.ts";

export const RATE_SCALE = 8;

/** Units of an asset with this scale; undefined for zero, for fractions of a unit and for too large amounts. */
export function readAmountUnits(text: string, scale: number): number | undefined {
  const read = parseUnits(text, scale);
  return read.done && read.value > 0n ? Number(read.value) : undefined;
}

/** Hundredths of a percent. */
export function readPercentBps(text: string): number | undefined {
  return readSteps(text, 1, 2);
}

export function rateText(rate: number): string {
  return formatUnits(units(rate), RATE_SCALE);
}

const OPEN_STATES: ReadonlySet<string> = new Set(["NEW", "PARTIALLY_FILLED"]);

export function isPlan(row: OrderRow): boolean {
  return row.kind === "twap" || row.state === "PENDING_TRIGGER";
}

export function isOpenOrder(row: OrderRow): boolean {
  return row.kind === "order" && OPEN_STATES.has(row.state);
}

function pricedText(pair: MarketPair, priceTicks: number | null): string | null {
  return priceTicks === null || priceTicks === 0 ? null : priceText(pair, priceTicks);
}

function describeSchedule({ slices_done, slice_count, slice_ms }: OrderRow): SpotOrder["schedule"] {
  if (slices_done === null || slice_count === null || slice_ms === null) return null;
  return { done: slices_done, count: slice_count, intervalSeconds: slice_ms / SECOND_MS };
}

export function describeOrder(pair: MarketPair, row: OrderRow, book: BookName = SPOT_MAIN): SpotOrder {
  const hasPrice = row.kind === "twap" || row.type === "limit" || row.type === "stopLimit";
  const isCut = row.type === "trailingStop";
  return {
    orderId: String(row.order_id),
    sequence: row.created_sequence,
    clientOrderId: row.client_order_id,
    pairCode: pair.pairCode,
    side: row.side === "buy" ? "buy" : "sell",
    type: row.type,
    timeInForce: row.time_in_force,
    postOnly: row.post_only !== "no",
    isIceberg: row.iceberg,
    ...(row.expires_ms === null ? {} : { expiresAtMs: row.expires_ms }),
    ...(row.parent_id === null ? {} : { slice: { twapId: String(row.parent_id), number: row.slices_done ?? 0 } }),
    ...(row.visible_lots === null ? {} : { visibleQuantity: quantityText(pair, row.visible_lots) }),
    selfTrade: row.self_trade,
    price:
      hasPrice || (isCut && row.price_ticks > 0 && row.kind === "conditional")
        ? priceText(pair, row.price_ticks)
        : null,
    quantity: row.in_quote ? null : quantityText(pair, row.quantity),
    amount: row.in_quote ? valueText(pair, row.quantity) : null,
    filledQuantity: quantityText(pair, row.filled_lots),
    filledAmount: valueText(pair, row.filled_units),
    averagePrice: averagePriceText(pair, row.filled_units, row.filled_lots),
    status: row.state as SpotOrderStatus,
    endReason: row.end_reason,
    stopPrice: pricedText(pair, row.trigger_ticks),
    triggerDirection: row.trigger_direction,
    callbackPercent: isCut && row.callback_bps !== null ? formatUnits(units(row.callback_bps), 2) : null,
    currentTrigger:
      isCut && row.state === "PENDING_TRIGGER"
        ? pricedText(pair, followedTicks(row.side, row.peak_ticks, row.callback_bps))
        : null,
    schedule: describeSchedule(row),
    takeProfitPrice: pricedText(pair, row.profit_ticks),
    stopLossPrice: pricedText(pair, row.stop_ticks),
    stopLossLimitPrice: pricedText(pair, row.stop_limit_ticks),
    listId: row.list_id === null ? null : String(row.list_id),
    listLeg: row.list_leg,
    createdAtMs: row.created_ms,
    updatedAtMs: row.updated_ms,
    ...book,
  };
}

export function describeFill(pairs: PairBook, row: FillRow, book: BookName = SPOT_MAIN): Fill | undefined {
  const pair = pairs.findMarket(row.market);
  if (pair === undefined) return undefined;
  const feeAsset = row.fee_asset === null ? undefined : pairs.findAssetById(row.fee_asset);
  return {
    tradeId: row.trade_number,
    orderId: String(row.order_id),
    pairCode: pair.pairCode,
    side: row.side === "buy" ? "buy" : "sell",
    role: row.role,
    price: priceText(pair, row.price_ticks),
    quantity: quantityText(pair, row.lots),
    amount: valueText(pair, row.notional_units),
    fee: feeAsset === undefined ? "0" : formatUnits(units(row.fee_units), feeAsset.scale),
    feeAsset: feeAsset?.symbol ?? (row.side === "buy" ? pair.base.symbol : pair.quote.symbol),
    timeMs: row.time_ms,
    ...book,
  };
}

/** USDT's own decimals. */
const WORTH_SCALE = 6;

export function describeBalance(pairs: PairBook, row: BalanceRow, book: BookName = SPOT_MAIN): SpotBalance | undefined {
  const asset = pairs.findAssetById(row.asset);
  if (asset === undefined) return undefined;
  const total = row.available_units + row.frozen_units;
  const worth = pairs.worthUnits(row.asset, total);
  return {
    asset: asset.symbol,
    name: asset.name,
    available: formatUnits(units(row.available_units), asset.scale),
    frozen: formatUnits(units(row.frozen_units), asset.scale),
    total: formatUnits(units(total), asset.scale),
    worthUsdt: worth === undefined ? null : formatUnits(units(worth), WORTH_SCALE),
    ...book,
  };
}
