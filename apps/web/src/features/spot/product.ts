// Spot trading as the terminal must know it: its streams, its calls, how its pairs are called.

import type { Pair, Partition } from "@clockwork/trading/markets/contract";
import type { FillPage, OrderPage, SpotOrder } from "@clockwork/trading/spot/contract";
import { formatPreferenceCookie } from "#boot/preferences.ts";
import { SPOT_MARKET } from "#live/feeds/market-feeds.ts";
import { readFills, readOrders, SPOT_PATHS, spotFeeds } from "#live/feeds/spot-feeds.ts";
import type { OrderCalls, TradeProduct } from "#trade/product.ts";
import { canAmendPlan } from "#trade/trade-order.ts";
import { sumHeld } from "./held.ts";

const calls: OrderCalls = {
  cancel: (request, orderId) => request.deleteJson<SpotOrder>(`${SPOT_PATHS.orders}/${orderId}`),
  clear: (request, pairCode, withPlans) =>
    request.postJson(SPOT_PATHS.clear, { ...(pairCode === undefined ? {} : { pairCode }), plans: withPlans }),
  amendsPlans: true,
  canMove: (order) => canAmendPlan(order) && order.stopPrice !== null && typeof order.currentTrigger !== "string",
  amend: (request, orderId, change) => request.patchJson<SpotOrder>(`${SPOT_PATHS.orders}/${orderId}`, change),
  find: async (request, orderId) => {
    const answer = await request.get<SpotOrder>(`${SPOT_PATHS.orders}/${orderId}`);
    return answer.ok ? readOrders([answer.data])?.[0] : undefined;
  },
  history: async (request, query) => {
    const answer = await request.get<OrderPage>(SPOT_PATHS.orders, { ...query, state: "history" });
    return answer.ok ? { rows: readOrders(answer.data.orders) ?? [], next: answer.data.next } : undefined;
  },
  fills: async (request, query) => {
    const answer = await request.get<FillPage>(SPOT_PATHS.fills, query);
    return answer.ok ? { rows: readFills(answer.data.fills) ?? [], next: answer.data.next } : undefined;
  },
};

export const SPOT: TradeProduct = {
  biz: "spot",
  // The only product once.
  formerSettingKeys: (prefix, owner, name, pairCode) => [`${prefix}:${owner}:${name}:${pairCode}`],
  path: "/spot",
  market: SPOT_MARKET,
  listInstruments: (signal) => SPOT_MARKET.fetchList<Pair>("pairs", signal),
  listPartitions: (signal) => SPOT_MARKET.fetchList<Partition>("partitions", signal),
  ownFeeds: spotFeeds,
  calls,
  words: {
    nameOf: (pairCode) => pairCode.replace("_", "/"),
    assetsOf: (pairCode) => {
      const [base = pairCode, quote = ""] = pairCode.split("_");
      return { price: quote, quantity: base, value: quote };
    },
  },
  orderKinds: ["limit", "market", "stopLimit", "stopMarket", "trailingStop", "twap"],
  sumHeld,
  keepLast: (pairCode) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API is not in every browser we serve
    document.cookie = formatPreferenceCookie("pair", pairCode, location.protocol === "https:");
  },
};
