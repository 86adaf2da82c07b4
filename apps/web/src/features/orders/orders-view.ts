// Which orders are shown, as the address says it, and the calls that answer it. Pure.
import { DAY_MS, parseDateTime } from "@clockwork/kit/time";

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

function spanOf({ from, to }: OrdersView): Readonly<Record<string, string>> {
  const start = from === "" ? undefined : parseDateTime(`${from} 00:00:00`);
  const end = to === "" ? undefined : parseDateTime(`${to} 00:00:00`);
  return {
    ...(start === undefined ? {} : { from: String(start) }),
    ...(end === undefined ? {} : { to: String(end + DAY_MS - 1) }),
  };
}

/** A call of the view: below which base it lies, and where there. */
export interface OrdersCall {
  readonly base: "spot" | "futures";
  readonly path: string;
}

/** Trades of contracts are not told apart by their side. */
export function hasSide({ tab, market }: Pick<OrdersView, "tab" | "market">): boolean {
  return tab !== "transfers" && (market === "spot" || tab !== "trades");
}

/** The calls behind a view; `before` asks for the page after the last row of the one before. */
export function callsOf(view: OrdersView, before?: string): readonly OrdersCall[] {
  const { tab, market, pair, side } = view;
  const base = market === "spot" || tab === "transfers" ? "spot" : "futures";
  const root = market === "spot" ? "/v1/spot" : "/v1/futuresc";
  const page = { limit: String(ORDERS_PAGE), ...(before === undefined ? {} : { before }) };
  const wanted = {
    ...(market === "spot" ? {} : { biz: market }),
    ...(pair === "" ? {} : { pairCode: pair }),
    ...(side === "" || !hasSide(view) ? {} : { side }),
  };
  const write = (path: string, fields: Readonly<Record<string, string>>): OrdersCall => ({
    base,
    path: `${path}?${new URLSearchParams(fields)}`,
  });
  switch (tab) {
    case "open":
      return ["open", "plan"].map((state) => write(`${root}/orders`, { state, ...wanted }));
    case "history":
      return [write(`${root}/orders`, { state: "history", ...wanted, ...spanOf(view), ...page })];
    case "trades":
      return [write(`${root}/fills`, { ...wanted, ...spanOf(view), ...page })];
    case "transfers":
      return [write("/asset/v1/api/wallet/bills", { business: "transfer", ...spanOf(view), ...page })];
  }
}
