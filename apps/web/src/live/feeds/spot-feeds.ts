// The private streams of spot trading: own orders, fills and balances, complete by snapshot and deltas over the socket
// and by plain calls while it is down. Only for signed-in users; a visitor must not subscribe.
import { type Fill, SPOT_CALLS, type SpotBalance, type SpotOrder } from "@clockwork/trading/spot/contract";
import type { FeedDefinition } from "#live/feed-definition.ts";
import type { RequestClient } from "#live/request.ts";
import { joinFills, joinOrders, type OwnOrders, privateFeed, readList } from "./own-feeds.ts";

const PAGE_MAX = 200;

export type SpotOrders = OwnOrders<SpotOrder>;
export type OrdersFeed = FeedDefinition<SpotOrders, readonly SpotOrder[]>;
export type FillsFeed = FeedDefinition<readonly Fill[], readonly Fill[]>;
export type BalancesFeed = FeedDefinition<readonly SpotBalance[], readonly SpotBalance[]>;

export interface SpotFeeds {
  readonly orders: OrdersFeed;
  /** Newest first. */
  readonly fills: FillsFeed;
  readonly balances: BalancesFeed;
}

export const readOrders = readList<SpotOrder>(
  (row) => typeof row.orderId === "string" && typeof row.status === "string" && typeof row.pairCode === "string",
);
export const readFills = readList<Fill>((row) => typeof row.tradeId === "number" && typeof row.price === "string");
export const readBalances = readList<SpotBalance>(
  (row) => typeof row.asset === "string" && typeof row.available === "string",
);

/** A coin without a price has no worth; an earlier one is kept as long as the amount is the same. */
export function joinBalances(state: readonly SpotBalance[], changed: readonly SpotBalance[]): readonly SpotBalance[] {
  const known = new Map(state.map((balance) => [balance.asset, balance]));
  for (const balance of changed) {
    const before = known.get(balance.asset);
    const sameTotal = before?.total === balance.total;
    known.set(balance.asset, {
      ...balance,
      name: balance.name === "" ? (before?.name ?? "") : balance.name,
      worthUsdt: balance.worthUsdt ?? (sameTotal ? (before?.worthUsdt ?? null) : null),
    });
  }
  return [...known.values()];
}

const NO_ORDERS: SpotOrders = { open: [], ended: [] };

async function fetchOpen(request: RequestClient, signal: AbortSignal): Promise<SpotOrders | undefined> {
  const pages = await Promise.all(
    (["open", "plan"] as const).map((state) => request.call(SPOT_CALLS.orders, { state, limit: PAGE_MAX }, { signal })),
  );
  const rows: SpotOrder[] = [];
  for (const page of pages) {
    if (!page.ok) return undefined;
    rows.push(...(readOrders(page.data.orders) ?? []));
  }
  return joinOrders(NO_ORDERS, rows);
}

function makeFeeds(request: RequestClient): SpotFeeds {
  return {
    orders: privateFeed({
      biz: "spot",
      channel: "orders",
      readRows: readOrders,
      begin: (rows) => joinOrders(NO_ORDERS, rows),
      apply: joinOrders,
      fetch: (signal) => fetchOpen(request, signal),
    }),
    fills: privateFeed({
      biz: "spot",
      channel: "fills",
      readRows: readFills,
      begin: (rows) => joinFills([], rows),
      apply: joinFills,
      fetch: async (signal) => {
        const answer = await request.call(SPOT_CALLS.fills, { limit: 50 }, { signal });
        return answer.ok ? joinFills([], readFills(answer.data.fills) ?? []) : undefined;
      },
    }),
    balances: privateFeed({
      biz: "spot",
      channel: "balances",
      readRows: readBalances,
      begin: (rows) => rows,
      apply: joinBalances,
      fetch: async (signal) => {
        const answer = await request.call(SPOT_CALLS.balance, {}, { signal });
        return answer.ok ? readBalances(answer.data) : undefined;
      },
    }),
  };
}

const made = new WeakMap<RequestClient, SpotFeeds>();

/** One set per client, so that every panel listens to the same streams. */
export function spotFeeds(request: RequestClient): SpotFeeds {
  let feeds = made.get(request);
  if (feeds === undefined) {
    feeds = makeFeeds(request);
    made.set(request, feeds);
  }
  return feeds;
}
