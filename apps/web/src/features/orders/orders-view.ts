// Which orders are shown, from the address, and the calls that fetch them. Pure.

import type { DataOf, Endpoint, InputOf } from "@clockwork/kit/endpoint";
import { DAY_MS, parseDateTime } from "@clockwork/kit/time";
import { FUTURES_CALLS } from "@clockwork/trading/futures/contract";
import { SPOT_CALLS } from "@clockwork/trading/spot/contract";
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import type { Answered } from "./orders-rows.ts";

export const ORDER_TABS = ["open", "history", "trades", "transfers"] as const;
export type OrdersTab = (typeof ORDER_TABS)[number];

/** Whose orders and trades; transfers are of all wallets. */
export const ORDER_MARKETS = ["spot", "futures", "delivery"] as const;
export type OrdersMarket = (typeof ORDER_MARKETS)[number];

export interface OrdersView {
  readonly tab: OrdersTab;
  readonly market: OrdersMarket;
  /** A pair code; empty for all. */
  readonly pair: string;
  readonly side: "" | "buy" | "sell";
  /** Days as ISO text, both included; empty for no bound. */
  readonly from: string;
  readonly to: string;
}

const PAIR = /^[A-Z0-9]{1,12}_[A-Z0-9]{1,12}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const ORDERS_PAGE = 50;

function matching(pattern: RegExp, text: string | null): string {
  return text !== null && pattern.test(text) ? text : "";
}

export function readOrdersView(search: URLSearchParams): OrdersView {
  const side = search.get("side");
  return {
    tab: ORDER_TABS.find((tab) => tab === search.get("tab")) ?? "open",
    market: ORDER_MARKETS.find((market) => market === search.get("market")) ?? "spot",
    pair: matching(PAIR, search.get("pair")),
    side: side === "buy" || side === "sell" ? side : "",
    from: matching(DAY, search.get("from")),
    to: matching(DAY, search.get("to")),
  };
}

/** The shortest address of a view. */
export function writeOrdersView({ tab, market, pair, side, from, to }: OrdersView): string {
  const fields = { tab: tab === "open" ? "" : tab, market: market === "spot" ? "" : market, pair, side, from, to };
  const search = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== ""));
  const text = search.toString();
  return text === "" ? "?" : `?${text}`;
}

function spanOf({ from, to }: OrdersView): { readonly from?: number; readonly to?: number } {
  const start = from === "" ? undefined : parseDateTime(`${from} 00:00:00`);
  const end = to === "" ? undefined : parseDateTime(`${to} 00:00:00`);
  return {
    ...(start === undefined ? {} : { from: start }),
    ...(end === undefined ? {} : { to: end + DAY_MS - 1 }),
  };
}

/** A call with its input, made by the page's client or by its loader. */
export type OrdersCall = (ask: Ask) => Promise<Answered | undefined>;

/** A page's answer; nothing when it was refused. */
export type Ask = <Called extends Endpoint>(
  called: Called,
  input: InputOf<Called>,
  api: "spot" | "futures",
) => Promise<DataOf<Called> | undefined>;

/** Trades of contracts are not distinguished by their side. */
export function hasSide({ tab, market }: Pick<OrdersView, "tab" | "market">): boolean {
  return tab !== "transfers" && (market === "spot" || tab !== "trades");
}

/** The calls behind a view; `before` requests the page after the last row of the one before. */
export function callsOf(view: OrdersView, before?: string): readonly OrdersCall[] {
  const { tab, market, pair, side } = view;
  const page = { limit: ORDERS_PAGE, before };
  const wanted = {
    ...(pair === "" ? {} : { pairCode: pair }),
    ...(side === "" || !hasSide(view) ? {} : { side }),
  };
  const orders =
    (state: "open" | "plan" | "history", span: object): OrdersCall =>
    (ask) =>
      market === "spot"
        ? ask(SPOT_CALLS.orders, { state, ...wanted, ...span }, "spot")
        : ask(FUTURES_CALLS.orders, { state, biz: market, ...wanted, ...span }, "futures");
  const past = { ...spanOf(view), ...page };
  switch (tab) {
    case "open":
      return [orders("open", {}), orders("plan", {})];
    case "history":
      return [orders("history", past)];
    case "trades":
      return [
        (ask) =>
          market === "spot"
            ? ask(SPOT_CALLS.fills, { ...wanted, ...past }, "spot")
            : ask(FUTURES_CALLS.fills, { biz: market, ...wanted, ...past }, "futures"),
      ];
    case "transfers":
      return [(ask) => ask(WALLET_CALLS.bills, { business: "transfer", ...past }, "spot")];
  }
}
