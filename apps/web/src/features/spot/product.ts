// Spot trading as the terminal's product: its streams, its calls, the names of its pairs.

import { MARKET_CALLS } from "@clockwork/trading/markets/contract";
import { SPOT_CALLS } from "@clockwork/trading/spot/contract";
import { formatPreferenceCookie } from "#boot/preferences.ts";
import { askData } from "#live/ask.ts";
import { SPOT_MARKET } from "#live/feeds/market-feeds.ts";
import { readFills, readOrders, spotFeeds } from "#live/feeds/spot-feeds.ts";
import type { OrderCalls, TradeProduct } from "#trade/product.ts";
import { canAmendPlan } from "#trade/trade-order.ts";
import { sumHeld } from "./held.ts";

const calls: OrderCalls = {
  cancel: (request, orderId) => request.call(SPOT_CALLS.cancel, { id: orderId }),
  clear: (request, pairCode, withPlans) => request.call(SPOT_CALLS.clear, { pairCode, plans: withPlans }),
  amendsPlans: true,
  canMove: (order) => canAmendPlan(order) && order.stopPrice !== null && typeof order.currentTrigger !== "string",
  amend: (request, orderId, change) => request.call(SPOT_CALLS.amend, { id: orderId, ...change }),
  find: async (request, orderId) => {
    const answer = await request.call(SPOT_CALLS.order, { id: orderId });
    return answer.ok ? readOrders([answer.data])?.[0] : undefined;
  },
  history: async (request, query) => {
    const answer = await request.call(SPOT_CALLS.orders, { ...query, state: "history" });
    return answer.ok ? { rows: readOrders(answer.data.orders) ?? [], next: answer.data.next } : undefined;
  },
  fills: async (request, query) => {
    const answer = await request.call(SPOT_CALLS.fills, query);
    return answer.ok ? { rows: readFills(answer.data.fills) ?? [], next: answer.data.next } : undefined;
  },
};

export const SPOT: TradeProduct = {
  biz: "spot",
  // The only product once.
  formerSettingKeys: (prefix, owner, name, pairCode) => [`${prefix}:${owner}:${name}:${pairCode}`],
  path: "/spot",
  market: SPOT_MARKET,
  listInstruments: async (signal) => (await askData(MARKET_CALLS.pairs, {}, { signal })) ?? [],
  listPartitions: async (signal) => (await askData(MARKET_CALLS.partitions, {}, { signal })) ?? [],
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
