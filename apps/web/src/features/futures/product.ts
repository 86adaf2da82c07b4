// Linear, inverse and demo contracts as the terminal's products: streams, calls, names.
import { FUTURES_CALLS, type FuturesBiz } from "@clockwork/trading/futures/contract";
import { CONTRACT_CALLS } from "@clockwork/trading/markets/contract";
import { formatPreferenceCookie } from "#boot/preferences.ts";
import { lazy } from "#boot/timeout.ts";
import { askData } from "#live/ask.ts";
import { FUTURES_MARKETS, futuresFeeds, readFuturesFills, readFuturesOrders } from "#live/feeds/futures-feeds.ts";
import type { OrderCalls, TradeProduct } from "#trade/product.ts";
import { canAmendPlan, type TradeOrder } from "#trade/trade-order.ts";

const FUTURES = { api: "futures" } as const;

const MovedStop = lazy(() => import("./positions/moved-stop.tsx").then((part) => ({ default: part.MovedStop })));

/**
 * Every order that waits for a price can be moved, of a whole position or of a part; a trailing one until it follows
 * the price.
 */
function isMovable(order: TradeOrder): boolean {
  return canAmendPlan(order) && order.stopPrice !== null && typeof order.currentTrigger !== "string";
}

function callsOf(biz: FuturesBiz): OrderCalls {
  return {
    cancel: (request, orderId) => request.call(FUTURES_CALLS.cancelMany, { orderIds: [orderId] }, FUTURES),
    clear: (request, pairCode, withPlans) =>
      request.call(FUTURES_CALLS.clear, { biz, pairCode, plans: withPlans }, FUTURES),
    amend: (request, orderId, change) => request.call(FUTURES_CALLS.amend, { id: orderId, ...change }, FUTURES),
    canMove: isMovable,
    // Demo orders are outside the book: they are placed anew, only their stops move.
    ...(biz === "demo" ? { amendsPlansAlone: true } : {}),
    find: async (request, orderId) => {
      const answer = await request.call(FUTURES_CALLS.order, { id: orderId, biz }, FUTURES);
      return answer.ok ? readFuturesOrders([answer.data])?.[0] : undefined;
    },
    history: async (request, query) => {
      const answer = await request.call(FUTURES_CALLS.orders, { ...query, biz, state: "history" }, FUTURES);
      return answer.ok ? { rows: readFuturesOrders(answer.data.orders) ?? [], next: answer.data.next } : undefined;
    },
    fills: async (request, query) => {
      const { side: _side, ...known } = query;
      const answer = await request.call(FUTURES_CALLS.fills, { ...known, biz }, FUTURES);
      return answer.ok ? { rows: readFuturesFills(answer.data.fills) ?? [], next: answer.data.next } : undefined;
    },
  };
}

const PATHS = { futures: "/futures", delivery: "/delivery", demo: "/simulated" } as const;
const KEPT = { futures: "futuresPair", delivery: "deliveryPair", demo: "futuresPair" } as const;

function makeProduct(biz: FuturesBiz): TradeProduct {
  const isInverse = biz === "delivery";
  return {
    biz,
    path: PATHS[biz],
    market: FUTURES_MARKETS[biz],
    listInstruments: async (signal) =>
      (await askData(CONTRACT_CALLS.instruments, { biz }, { api: "futures", signal })) ?? [],
    listPartitions: async () => [],
    ownFeeds: (request) => futuresFeeds(request, biz),
    calls: callsOf(biz),
    words: {
      nameOf: (pairCode) => pairCode.replace("_", ""),
      assetsOf: (pairCode) => {
        const [base = pairCode, quote = ""] = pairCode.split("_");
        return isInverse
          ? { price: quote, quantity: quote, value: base }
          : { price: quote, quantity: base, value: quote };
      },
    },
    tag: "Perp",
    sides: { buy: "Buy / Long", sell: "Sell / Short" },
    moveEffect: MovedStop,
    candlePrices: ["last", "mark", "index"],
    orderKinds: ["limit", "market", "stopLimit", "stopMarket", "trailingStop", "twap"],
    keepLast: (pairCode) => {
      // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API is not in every browser we serve
      document.cookie = formatPreferenceCookie(KEPT[biz], pairCode, location.protocol === "https:");
    },
  };
}

export const FUTURES_PRODUCTS: Readonly<Record<FuturesBiz, TradeProduct>> = {
  futures: makeProduct("futures"),
  delivery: makeProduct("delivery"),
  demo: makeProduct("demo"),
};
