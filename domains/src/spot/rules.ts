// Pure rules of spot trading: decimal text ⇄ ticks, lots and units, and rows ⇄ what the wire says.
// Exact in both directions; what cannot be said exactly is refused or, where the name says so, cut.
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";
import type { Fill, SpotBalance, SpotOrder, SpotOrderStatus } from "./api.ts";
import type { BalanceRecord, FillRecord, OrderRecord, PairRegistry, SpotPair } from "./needs.ts";

const DIGITS_EXACT = 15;
export const RATE_SCALE = 8;
const AVERAGE_EXTRA_DECIMALS = 4;

/**
 * How many times mantissa × 10^−decimals fits into a decimal text; undefined when it does not fit evenly, or more often
 * than counts are exact. The text has passed the schema: digits, at most one point.
 */
export function countSteps(text: string, mantissa: number, decimals: number): number | undefined {
  const point = text.indexOf(".");
  const whole = point < 0 ? text : text.slice(0, point);
  const fraction = point < 0 ? "" : text.slice(point + 1).replace(/0+$/, "");
  if (fraction.length > decimals) return undefined;
  const digits = whole + fraction.padEnd(decimals, "0");
  if (digits.length <= DIGITS_EXACT) {
    const value = Number(digits);
    return value % mantissa === 0 ? value / mantissa : undefined;
  }
  const value = BigInt(digits);
  const step = BigInt(mantissa);
  if (value % step !== 0n) return undefined;
  const count = value / step;
  return count <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(count) : undefined;
}

/** The highest price the core's books have room for. */
const TICKS_MAX = 0x3fffffff;

/** Undefined for zero, for what is no multiple of the tick and for what is beyond any price. */
export function readPriceTicks(pair: SpotPair, text: string): number | undefined {
  const priceTicks = countSteps(text, pair.priceMantissa, pair.priceDecimals);
  return priceTicks === undefined || priceTicks === 0 || priceTicks > TICKS_MAX ? undefined : priceTicks;
}

export function readQuantityLots(pair: SpotPair, text: string): number | undefined {
  const quantityLots = countSteps(text, pair.quantityMantissa, pair.quantityDecimals);
  return quantityLots === 0 ? undefined : quantityLots;
}

/** Units of an asset with so many decimals; undefined for zero, for what is finer than a unit and for what is too much. */
export function readAmountUnits(text: string, scale: number): number | undefined {
  const read = parseUnits(text, scale);
  return read.done && read.value > 0n ? Number(read.value) : undefined;
}

/** Hundredths of a percent. */
export function readPercentBps(text: string): number | undefined {
  return countSteps(text, 1, 2);
}

/** A whole number with its last `decimals` digits after the point, all of them written. */
function fixedText(value: bigint, decimals: number): string {
  const digits = value.toString().padStart(decimals + 1, "0");
  const cut = digits.length - decimals;
  return decimals === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`;
}

export function priceText(pair: SpotPair, priceTicks: number): string {
  return fixedText(BigInt(priceTicks) * BigInt(pair.priceMantissa), pair.priceDecimals);
}

export function quantityText(pair: SpotPair, quantityLots: bigint | number): string {
  return fixedText(BigInt(quantityLots) * BigInt(pair.quantityMantissa), pair.quantityDecimals);
}

export function quoteText(pair: SpotPair, quoteUnits: bigint | number): string {
  return formatUnits(units(quoteUnits), pair.quote.scale);
}

/** Cut a few decimals behind the tick: an average of prices seldom ends where prices do. */
export function averagePriceText(pair: SpotPair, filledUnits: bigint, filledLots: bigint): string | null {
  if (filledLots === 0n || filledUnits === 0n) return null;
  const decimals = pair.priceDecimals + AVERAGE_EXTRA_DECIMALS;
  // One tick of one lot is tickLotUnits: filledUnits ÷ (lots × tickLotUnits) is the average in ticks.
  const scaled =
    (filledUnits * BigInt(pair.priceMantissa) * 10n ** BigInt(AVERAGE_EXTRA_DECIMALS)) /
    (filledLots * BigInt(pair.tickLotUnits));
  const text = fixedText(scaled, decimals);
  const least = text.length - AVERAGE_EXTRA_DECIMALS;
  let end = text.length;
  while (end > least && text[end - 1] === "0") end -= 1;
  return text.slice(0, text[end - 1] === "." ? end - 1 : end);
}

export function rateText(rate: number): string {
  return formatUnits(units(rate), RATE_SCALE);
}

const OPEN_STATES: ReadonlySet<string> = new Set(["NEW", "PARTIALLY_FILLED"]);

export function isPlan(row: OrderRecord): boolean {
  return row.kind === "twap" || row.state === "PENDING_TRIGGER";
}

export function isOpenOrder(row: OrderRecord): boolean {
  return row.kind === "order" && OPEN_STATES.has(row.state);
}

function pricedText(pair: SpotPair, priceTicks: number | null): string | null {
  return priceTicks === null || priceTicks === 0 ? null : priceText(pair, priceTicks);
}

export function describeOrder(pair: SpotPair, row: OrderRecord): SpotOrder {
  const hasPrice = row.kind === "twap" || row.type === "limit" || row.type === "stopLimit";
  const isCut = row.type === "trailingStop";
  return {
    orderId: String(row.order_id),
    clientOrderId: row.client_order_id,
    pairCode: pair.pairCode,
    side: row.side === "buy" ? "buy" : "sell",
    type: row.type,
    timeInForce: row.time_in_force,
    postOnly: row.post_only !== "no",
    isIceberg: row.iceberg,
    price:
      hasPrice || (isCut && row.price_ticks > 0 && row.kind === "conditional")
        ? priceText(pair, row.price_ticks)
        : null,
    quantity: row.in_quote ? null : quantityText(pair, row.quantity),
    amount: row.in_quote ? quoteText(pair, row.quantity) : null,
    filledQuantity: quantityText(pair, row.filled_lots),
    filledAmount: quoteText(pair, row.filled_units),
    averagePrice: averagePriceText(pair, row.filled_units, row.filled_lots),
    status: row.state as SpotOrderStatus,
    endReason: row.end_reason,
    stopPrice: pricedText(pair, row.trigger_ticks),
    triggerDirection: row.trigger_direction,
    callbackPercent: isCut && row.callback_bps !== null ? formatUnits(units(row.callback_bps), 2) : null,
    takeProfitPrice: pricedText(pair, row.profit_ticks),
    stopLossPrice: pricedText(pair, row.stop_ticks),
    stopLossLimitPrice: pricedText(pair, row.stop_limit_ticks),
    listId: row.list_id === null ? null : String(row.list_id),
    listLeg: row.list_leg,
    createdAtMs: row.created_ms,
    updatedAtMs: row.updated_ms,
  };
}

export function describeFill(pairs: PairRegistry, row: FillRecord): Fill | undefined {
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
    amount: quoteText(pair, row.notional_units),
    fee: feeAsset === undefined ? "0" : formatUnits(units(row.fee_units), feeAsset.scale),
    feeAsset: feeAsset?.symbol ?? (row.side === "buy" ? pair.base.symbol : pair.quote.symbol),
    timeMs: row.time_ms,
  };
}

/** USDT's own decimals. */
const WORTH_SCALE = 6;

export function describeBalance(pairs: PairRegistry, row: BalanceRecord): SpotBalance | undefined {
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
  };
}
