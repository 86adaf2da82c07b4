// Orders, trades and transfers as rows of words: the same for the table, the cards of a phone and the export. Pure.

import { groupThousands } from "@clockwork/kit/decimal";
import { formatDateTime } from "@clockwork/kit/time";
import { readTimezone } from "@clockwork/kit/timezone";
import type { FuturesFill, FuturesOrder } from "@clockwork/trading/futures/contract";
import type { Fill, SpotOrder } from "@clockwork/trading/spot/contract";
import type { Bill, BillPage } from "@clockwork/trading/wallet/contract";
import { mostPlaces } from "#trade/orders/even-places.ts";
import { goldFeeOf, type TradeOrder } from "#trade/trade-order.ts";
import { describeOrder, type OrdersText } from "#words/orders-text.ts";
import type { OrdersMarket, OrdersTab, OrdersView } from "./orders-view.ts";

export type Column =
  | "time"
  | "pair"
  | "side"
  | "type"
  | "price"
  | "trigger"
  | "amount"
  | "filled"
  | "average"
  | "status"
  | "total"
  | "fee"
  | "pnl"
  | "role"
  | "order"
  | "wallet"
  | "what"
  | "change"
  | "balance";

const COLUMNS: Readonly<Record<OrdersTab, readonly Column[]>> = {
  open: ["time", "pair", "side", "type", "price", "trigger", "amount", "filled", "status"],
  history: ["time", "pair", "side", "type", "price", "average", "amount", "filled", "status"],
  trades: ["time", "pair", "side", "price", "amount", "total", "fee", "role", "order"],
  transfers: ["time", "what", "wallet", "change", "balance"],
};

const CONTRACT_TRADES: readonly Column[] = COLUMNS.trades.flatMap((column) =>
  column === "fee" ? ["fee", "pnl"] : column,
);

export function columnsOf({ tab, market }: Pick<OrdersView, "tab" | "market">): readonly Column[] {
  return tab === "trades" && market !== "spot" ? CONTRACT_TRADES : COLUMNS[tab];
}

export const NUMBERS: ReadonlySet<Column> = new Set<Column>([
  "price",
  "trigger",
  "amount",
  "filled",
  "average",
  "total",
  "fee",
  "pnl",
  "change",
  "balance",
]);

export interface Row {
  readonly id: string;
  readonly cells: Readonly<Partial<Record<Column, string>>>;
  readonly side?: "buy" | "sell";
  /** An order that can still be cancelled. */
  readonly openOrder?: TradeOrder;
}

export interface Rows {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

const show = (text: string | null | undefined, places = 0): string => {
  if (text == null) return "–";
  const [whole = "", part = ""] = text.split(".");
  return groupThousands(places > part.length ? `${whole}.${part.padEnd(places, "0")}` : text);
};

type AnyOrder = SpotOrder | FuturesOrder;
const kindOf = ({ slice, isIceberg, type }: Pick<TradeOrder, "slice" | "isIceberg" | "type">): string =>
  slice !== undefined ? "slice" : isIceberg ? "iceberg" : type;

type AnyFill = Fill | FuturesFill;

/**
 * In which coin an order's size and its value are counted: an inverse contract is an amount of dollars, valued in
 * coins.
 */
function coinsOf(market: OrdersMarket, pairCode: string): readonly [string, string] {
  const [base = "", quote = ""] = pairCode.split("_");
  return market === "delivery" ? [quote, base] : [base, quote];
}

function nameOf(market: OrdersMarket, pairCode: string): string {
  return pairCode.replace("_", market === "spot" ? "/" : "");
}

/** In the form of the order confirmations. */
export function asTradeOrder(order: AnyOrder): TradeOrder {
  if (!("stopProfit" in order)) return order;
  return { ...order, amount: null, takeProfitPrice: order.stopProfit, stopLossPrice: order.stopLoss };
}

function orderRow(text: OrdersText, served: AnyOrder, market: OrdersMarket, timezone: string, isOpen: boolean): Row {
  const order = asTradeOrder(served);
  const [base, quote] = coinsOf(market, order.pairCode);
  const wanted = order.quantity === null ? `${show(order.amount)} ${quote}` : `${show(order.quantity)} ${base}`;
  return {
    id: order.orderId,
    side: order.side,
    ...(isOpen ? { openOrder: order } : {}),
    cells: {
      time: formatDateTime(served.createdAtMs, readTimezone(timezone)),
      pair: nameOf(market, order.pairCode),
      side: text(order.side),
      type: describeOrder(text, `type.${kindOf(order)}`, order.type),
      price: show(order.price),
      trigger: show(order.stopPrice),
      average: show(order.averagePrice),
      amount: wanted,
      filled: `${show(order.filledQuantity)} ${base}`,
      status: describeOrder(text, `status.${order.status}`, order.status),
    },
  };
}

/** How many decimals a column has, by pair or coin. */
interface FillPlaces {
  readonly total: (fill: AnyFill) => number;
  readonly fee: (fill: AnyFill) => number;
}

interface Shown {
  readonly market: OrdersMarket;
  readonly timezone: string;
}

function formatFee(text: OrdersText, fill: AnyFill, places: number): string {
  const gold = "goldFee" in fill ? goldFeeOf(fill) : undefined;
  const fee = `${show(fill.fee, places)} ${fill.feeAsset}`;
  return gold === undefined ? fee : `${fee}, ${text("goldPaid", { amount: show(gold, places) })}`;
}

function fillRow(text: OrdersText, fill: AnyFill, { market, timezone }: Shown, { total, fee }: FillPlaces): Row {
  const [base, quote] = coinsOf(market, fill.pairCode);
  return {
    id: `${fill.pairCode}-${fill.tradeId}-${fill.role}`,
    side: fill.side,
    cells: {
      time: formatDateTime(fill.timeMs, readTimezone(timezone)),
      pair: nameOf(market, fill.pairCode),
      side: text(fill.side),
      price: show(fill.price),
      amount: `${show(fill.quantity)} ${base}`,
      total: `${show(fill.amount, total(fill))} ${quote}`,
      fee: formatFee(text, fill, fee(fill)),
      ...("realizedPnl" in fill ? { pnl: `${show(fill.realizedPnl)} ${quote}` } : {}),
      role: text(`role.${fill.role}`),
      order: fill.orderId,
    },
  };
}

function billRow(text: OrdersText, bill: Bill, timezone: string): Row {
  return {
    id: bill.id,
    cells: {
      time: formatDateTime(bill.timeMs, readTimezone(timezone)),
      what: describeOrder(text, `business.${bill.business}`, bill.business),
      wallet:
        describeOrder(text, `wallet.${bill.walletType}`, bill.walletType) + (bill.sub === null ? "" : ` · ${bill.sub}`),
      change: `${bill.change.startsWith("-") ? "" : "+"}${show(bill.change)} ${bill.asset}`,
      balance: `${show(bill.balance)} ${bill.asset}`,
    },
  };
}

export interface Answered extends Partial<BillPage> {
  readonly orders?: readonly AnyOrder[];
  readonly fills?: readonly AnyFill[];
}

/** What the calls of one view answered, as rows; newest first. */
export function rowsOf(
  text: OrdersText,
  { tab, market }: Pick<OrdersView, "tab" | "market">,
  pages: readonly Answered[],
  timezone: string,
): Rows {
  const next = pages.at(-1)?.next ?? null;
  if (tab === "trades") {
    const fills = pages.flatMap(({ fills: list = [] }) => list);
    const places = {
      total: mostPlaces(
        fills,
        ({ pairCode }) => pairCode,
        ({ amount }) => amount,
      ),
      fee: mostPlaces(
        fills,
        ({ feeAsset }) => feeAsset,
        ({ fee }) => fee,
      ),
    };
    return { rows: fills.map((fill) => fillRow(text, fill, { market, timezone }, places)), next };
  }
  if (tab === "transfers") {
    return { rows: pages.flatMap(({ bills = [] }) => bills.map((bill) => billRow(text, bill, timezone))), next };
  }
  const orders = pages.flatMap(({ orders: list = [] }) => list);
  const sorted = tab === "open" ? [...orders].sort((left, right) => right.createdAtMs - left.createdAtMs) : orders;
  return {
    rows: sorted.map((order) => orderRow(text, order, market, timezone, tab === "open")),
    next: tab === "open" ? null : next,
  };
}
