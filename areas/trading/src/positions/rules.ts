// Pure rules of positions: rows and figures ⇄ wire. Exact; ratios and prices between ticks are truncated, never rounded
// up.

import { type BookName, nameBook } from "@clockwork/kit/books";
import { decimalText } from "@clockwork/kit/decimal";
import { averagePriceText, exactPriceText, priceText, quantityText, valueText } from "@clockwork/kit/instrument";
import { formatUnits, units } from "@clockwork/kit/money";
import type { MarketPair } from "../markets/pair.ts";
import type { PositionRow, StopRow } from "../projectors/futures/futures-rows.ts";
import type { OrderRow } from "../projectors/rows/rows.ts";
import type { ContractRegistry, FuturesBiz, FuturesView } from "./account-view.ts";
import type {
  ClosedPosition,
  ContractSettings,
  FuturesAccount,
  FuturesPosition,
  MarginChange,
  PositionStop,
} from "./contract.ts";
import { accountFigures, type Held, heldOf, leverageOf, modesOf, positionFigures, size } from "./figure-rules.ts";
import type { MarginRecord } from "./store.ts";

const BPS_DECIMALS = 4;
const WORTH_SCALE = 6;

export const bpsText = (bps: bigint): string => decimalText(bps, BPS_DECIMALS);

export function bookOf(contracts: ContractRegistry, view: Pick<FuturesView, "owner">): BookName {
  return nameBook(view.owner, (asset) => contracts.findAssetById(asset)?.symbol);
}

/** A part of a whole in 1e-4, truncated towards zero. */
function shareText(part: bigint, whole: bigint): string {
  if (whole === 0n) return bpsText(0n);
  const bps = (size(part) * 10_000n) / whole;
  return bpsText(part < 0n ? -bps : bps);
}

/** Every open position of an account at the marks of now, oldest first. */
export function describePositions(contracts: ContractRegistry, view: FuturesView, market?: number): FuturesPosition[] {
  const held = heldOf(contracts, view);
  const requested = market === undefined ? held : held.filter(({ row }) => row.market === market);
  return requested
    .sort((left, right) => left.row.opened_sequence - right.row.opened_sequence)
    .map((one) => {
      const beside = held.filter(({ pair }) => pair.settle.asset === one.pair.settle.asset);
      return describePosition(contracts, view, one, beside);
    });
}

function describePosition(
  contracts: ContractRegistry,
  view: FuturesView,
  one: Held,
  beside: readonly Held[],
): FuturesPosition {
  const { row, pair } = one;
  const figures = positionFigures(view, one, beside);
  const modes = modesOf(view, pair);
  const amount = (value: bigint): string => valueText(pair, value);
  return {
    biz: pair.biz as FuturesBiz,
    ...bookOf(contracts, view),
    positionId: String(row.position_id),
    pairCode: pair.pairCode,
    side: row.side,
    positionSide: modes.isHedge ? row.side : "both",
    isSplit: modes.isSplit,
    quantity: quantityText(pair, size(row.lots)),
    entryPrice: averagePriceText(pair, row.cost_units, size(row.lots), row.cost_excess) ?? "0",
    markPrice: priceText(pair, contracts.markTicks(row.market)),
    liquidationPrice: figures.liquidation === undefined ? null : exactPriceText(pair, figures.liquidation),
    bankruptcyPrice: figures.bankruptcy === undefined ? null : exactPriceText(pair, figures.bankruptcy),
    breakEvenPrice: figures.breakEven === undefined ? "0" : exactPriceText(pair, figures.breakEven),
    cost: amount(row.cost_units),
    value: amount(figures.valueUnits),
    margin: amount(figures.marginUnits),
    initialMargin: amount(figures.initialUnits),
    maintenanceMargin: amount(figures.maintenanceUnits),
    marginRatio: figures.ratioBps === undefined ? null : bpsText(figures.ratioBps),
    unrealizedPnl: amount(figures.profitUnits),
    realizedPnl: amount(row.realized_units),
    fee: amount(row.fee_units),
    funding: amount(row.funding_units),
    roe: shareText(figures.profitUnits, figures.initialUnits),
    leverage: leverageOf(view, one),
    mode: one.isIsolated ? "isolated" : "cross",
    isAutoAppend: modes.isAutoAppend,
    tier: figures.tier,
    adl: contracts.indicatorOf(row.market, row.position_id),
    stops: stopsOf(view, pair, row),
    openedAtMs: row.opened_ms,
    updatedAtMs: row.updated_ms,
  };
}

/** A position that has just ended, once: its quantity is zero. */
export function describeEnded(
  contracts: ContractRegistry,
  view: Pick<FuturesView, "owner" | "settings">,
  row: PositionRow,
): FuturesPosition | undefined {
  const pair = contracts.findMarket(row.market);
  if (pair === undefined) return undefined;
  const modes = modesOf(view, pair);
  const nothing = valueText(pair, 0n);
  const mark = contracts.markTicks(row.market);
  return {
    biz: pair.biz as FuturesBiz,
    ...bookOf(contracts, view),
    positionId: String(row.position_id),
    pairCode: pair.pairCode,
    side: row.side,
    positionSide: modes.isHedge ? row.side : "both",
    isSplit: modes.isSplit,
    quantity: quantityText(pair, 0),
    entryPrice: averagePriceText(pair, row.entered_units, row.entered_lots, row.entered_excess) ?? "0",
    markPrice: priceText(pair, mark),
    liquidationPrice: null,
    bankruptcyPrice: null,
    breakEvenPrice: "0",
    cost: nothing,
    value: nothing,
    margin: nothing,
    initialMargin: nothing,
    maintenanceMargin: nothing,
    marginRatio: bpsText(0n),
    unrealizedPnl: nothing,
    realizedPnl: valueText(pair, row.realized_units),
    fee: valueText(pair, row.fee_units),
    funding: valueText(pair, row.funding_units),
    roe: bpsText(0n),
    leverage: row.leverage,
    mode: row.isolated ? "isolated" : "cross",
    isAutoAppend: modes.isAutoAppend,
    tier: 1,
    adl: 1,
    stops: [],
    openedAtMs: row.opened_ms,
    updatedAtMs: row.updated_ms,
  };
}

function stopsOf(view: FuturesView, pair: MarketPair, row: PositionRow): PositionStop[] {
  const own = [...view.stops.values()].filter(({ position_id }) => position_id === row.position_id);
  return own
    .sort((left, right) => left.order_id - right.order_id)
    .flatMap((stop) => {
      const order = view.orders.get(stop.order_id);
      return order?.kind === "conditional" ? [describeStop(pair, row, stop, order, own)] : [];
    });
}

function describeStop(
  pair: MarketPair,
  row: PositionRow,
  stop: StopRow,
  order: OrderRow,
  all: readonly StopRow[],
): PositionStop {
  const isTrailing = order.type === "trailingStop";
  const isProfit = (order.trigger_direction === "rises") === (row.side === "long");
  const pairId = stop.pair_id ?? all.find(({ pair_id }) => pair_id === stop.order_id)?.order_id ?? null;
  const price = order.type === "stopLimit" ? priceText(pair, order.price_ticks) : null;
  return {
    orderId: String(stop.order_id),
    kind: isTrailing ? "trailing" : isProfit ? "profit" : "loss",
    pairId: pairId === null ? null : String(pairId),
    isWhole: stop.is_whole,
    quantity: quantityText(pair, stop.is_whole ? size(row.lots) : order.quantity),
    triggerPrice: (order.trigger_ticks ?? 0) === 0 ? null : priceText(pair, order.trigger_ticks ?? 0),
    triggerSource: order.trigger_source ?? "mark",
    price,
    trailBps: isTrailing ? order.callback_bps : null,
  };
}

export function describeClosed(
  contracts: ContractRegistry,
  view: Pick<FuturesView, "owner">,
  row: PositionRow,
): ClosedPosition | undefined {
  const pair = contracts.findMarket(row.market);
  if (pair === undefined) return undefined;
  const { realized_units, fee_units, funding_units, closed_sequence, liquidation_place } = row;
  const amount = (value: bigint): string => valueText(pair, value);
  return {
    biz: pair.biz as FuturesBiz,
    ...bookOf(contracts, view),
    positionId: String(row.position_id),
    pairCode: pair.pairCode,
    side: row.side,
    mode: row.isolated ? "isolated" : "cross",
    leverage: row.leverage,
    maxQuantity: quantityText(pair, row.max_lots),
    closedQuantity: quantityText(pair, row.closed_lots),
    entryPrice: averagePriceText(pair, row.entered_units, row.entered_lots, row.entered_excess) ?? "0",
    closePrice: averagePriceText(pair, row.closed_units, row.closed_lots),
    realizedPnl: amount(realized_units),
    fee: amount(fee_units),
    funding: amount(funding_units),
    netPnl: amount(realized_units + fee_units + funding_units),
    endedBy: row.ended_by ?? "close",
    liquidationId: liquidation_place === null ? null : `${closed_sequence}-${liquidation_place * 1_000}`,
    openedAtMs: row.opened_ms,
    closedAtMs: row.updated_ms,
  };
}

export function describeMarginChange(
  contracts: ContractRegistry,
  view: Pick<FuturesView, "owner">,
  row: MarginRecord,
  isHedge: boolean,
): MarginChange | undefined {
  const pair = contracts.findMarket(row.market);
  if (pair === undefined) return undefined;
  return {
    biz: pair.biz as FuturesBiz,
    ...bookOf(contracts, view),
    positionId: String(row.position_id),
    pairCode: pair.pairCode,
    side: row.side,
    positionSide: isHedge ? row.side : "both",
    asset: pair.settle.symbol,
    change: valueText(pair, row.delta_units),
    margin: valueText(pair, row.margin_units),
    isAutomatic: row.automatic,
    timeMs: row.time_ms,
  };
}

/** An account's state in one settlement coin. */
export function describeAccount(
  contracts: ContractRegistry,
  view: FuturesView,
  asset: number,
  biz: FuturesBiz,
): FuturesAccount | undefined {
  const coin = contracts.findAssetById(asset);
  if (coin === undefined) return undefined;
  const figures = accountFigures(contracts, view, asset);
  const equity = figures.balanceUnits + figures.bonusUnits + figures.profitUnits;
  const worth = biz === "demo" ? undefined : contracts.worthUnits(asset, equity > 0n ? equity : 0n);
  const text = (value: bigint): string => formatUnits(units(value), coin.scale);
  const modes = view.settings.get(0);
  return {
    biz,
    ...bookOf(contracts, view),
    asset: coin.symbol,
    balance: text(figures.balanceUnits),
    bonus: text(figures.bonusUnits),
    isolatedMargin: text(figures.isolatedUnits),
    unrealizedPnl: text(figures.profitUnits),
    equity: text(equity),
    initialMargin: text(figures.requiredUnits),
    maintenanceMargin: text(figures.maintenanceUnits),
    marginRatio: figures.ratioBps === undefined ? null : bpsText(figures.ratioBps),
    available: text(figures.freeUnits > 0n ? figures.freeUnits : 0n),
    transferable: text(figures.transferableUnits),
    worthUsdt: worth === undefined ? null : decimalText(worth, WORTH_SCALE),
    isHedge: modes?.hedge ?? false,
    isSplit: modes?.split ?? false,
  };
}

export function describeSettings(
  contracts: ContractRegistry,
  pair: MarketPair,
  view: Pick<FuturesView, "owner" | "settings"> | undefined,
  book: BookName,
): ContractSettings {
  const modes = modesOf(view, pair);
  return {
    biz: pair.biz as FuturesBiz,
    ...(view === undefined ? book : bookOf(contracts, view)),
    pairCode: pair.pairCode,
    mode: modes.isIsolated ? "isolated" : "cross",
    leverageLong: modes.leverageLong,
    leverageShort: modes.leverageShort,
    maxLeverage: pair.contract?.tiers[0]?.leverageMax ?? 1,
    isAutoAppend: modes.isAutoAppend,
    positionMode: modes.isHedge ? "hedge" : "one-way",
    layout: modes.isSplit ? "split" : "merge",
  };
}

/** Units of a coin, signed; undefined for zero and for fractions of a unit. */
export function readSignedUnits(text: string, scale: number): number | undefined {
  const [whole = "", part = ""] = (text.startsWith("-") ? text.slice(1) : text).split(".");
  if (part.length > scale) return undefined;
  const value = Number(`${whole}${part.padEnd(scale, "0")}`);
  if (!Number.isSafeInteger(value) || value === 0) return undefined;
  return text.startsWith("-") ? -value : value;
}
