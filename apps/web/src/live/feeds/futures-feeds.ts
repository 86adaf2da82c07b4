// The private streams of futures: own orders, fills, positions and accounts, complete by snapshot and deltas over the
// socket and by plain calls while it is down. Only for signed-in users.
import {
  FUTURES_CALLS,
  type FuturesBiz,
  type FuturesFill,
  type FuturesOrder,
} from "@clockwork/trading/futures/contract";
import { CONTRACT_CALLS } from "@clockwork/trading/markets/contract";
import { type FuturesAccount, type FuturesPosition, POSITION_CALLS } from "@clockwork/trading/positions/contract";
import type { FeedDefinition } from "#live/feed-definition.ts";
import type { RequestClient } from "#live/request.ts";
import { readLatest } from "#live/stream.ts";
import { createMarketData, type MarketData } from "./market-feeds.ts";
import { joinFills, joinOrders, type OwnOrders, privateFeed, readList } from "./own-feeds.ts";

const PAGE_MAX = 200;

/** A contract's row in the shape every terminal shows. */
export interface OwnFuturesOrder extends FuturesOrder {
  readonly amount: null;
  readonly takeProfitPrice: string | null;
  readonly stopLossPrice: string | null;
}

function toOwn(order: FuturesOrder): OwnFuturesOrder {
  return { ...order, amount: null, takeProfitPrice: order.stopProfit, stopLossPrice: order.stopLoss };
}

const readRows = readList<FuturesOrder>(
  (row) => typeof row.orderId === "string" && typeof row.status === "string" && typeof row.pairCode === "string",
);

export function readFuturesOrders(data: unknown): readonly OwnFuturesOrder[] | undefined {
  return readRows(data)?.map(toOwn);
}

export const readFuturesFills = readList<FuturesFill>(
  (row) => typeof row.tradeId === "number" && typeof row.price === "string",
);
export const readPositions = readList<FuturesPosition>(
  (row) => typeof row.positionId === "string" && typeof row.quantity === "string",
);
const readAccounts = readList<FuturesAccount>((row) => typeof row.asset === "string" && typeof row.equity === "string");

/** A closed position is published once more, with quantity zero. */
export function joinPositions(
  state: readonly FuturesPosition[],
  changed: readonly FuturesPosition[],
): readonly FuturesPosition[] {
  const known = new Map(state.map((position) => [position.positionId, position]));
  for (const position of changed) {
    if (/^0(?:\.0*)?$/.test(position.quantity)) known.delete(position.positionId);
    else known.set(position.positionId, position);
  }
  return [...known.values()].sort((left, right) => right.openedAtMs - left.openedAtMs);
}

/** Figures that depend on the mark, over those of the commits; a mark from before the last commit is ignored. */
export function withMarks(
  positions: readonly FuturesPosition[],
  marked: readonly FuturesPosition[],
): readonly FuturesPosition[] {
  const fresh = new Map(marked.map((position) => [position.positionId, position]));
  return positions.map((position) => {
    const at = fresh.get(position.positionId);
    return at !== undefined && at.updatedAtMs >= position.updatedAtMs && at.quantity === position.quantity
      ? at
      : position;
  });
}

function joinAccounts(state: readonly FuturesAccount[], changed: readonly FuturesAccount[]): readonly FuturesAccount[] {
  const known = new Map(state.map((account) => [account.asset, account]));
  for (const account of changed) known.set(account.asset, account);
  return [...known.values()];
}

export interface FuturesFeeds {
  readonly orders: FeedDefinition<OwnOrders<OwnFuturesOrder>, readonly OwnFuturesOrder[]>;
  readonly fills: FeedDefinition<readonly FuturesFill[], readonly FuturesFill[]>;
  readonly positions: FeedDefinition<readonly FuturesPosition[], readonly FuturesPosition[]>;
  readonly marks: FeedDefinition<readonly FuturesPosition[], never>;
  readonly accounts: FeedDefinition<readonly FuturesAccount[], never>;
}

const NO_ORDERS: OwnOrders<OwnFuturesOrder> = { open: [], ended: [] };

async function fetchOpen(request: RequestClient, biz: FuturesBiz, signal: AbortSignal) {
  const pages = await Promise.all(
    (["open", "plan"] as const).map((state) =>
      request.call(FUTURES_CALLS.orders, { biz, state, limit: PAGE_MAX }, { api: "futures", signal }),
    ),
  );
  const rows: OwnFuturesOrder[] = [];
  for (const page of pages) {
    if (!page.ok) return undefined;
    rows.push(...(readFuturesOrders(page.data.orders) ?? []));
  }
  return joinOrders(NO_ORDERS, rows);
}

/** Latest values: what a message does not name is as it was. */
function accountsFeed(
  biz: FuturesBiz,
  fetchAll: (signal: AbortSignal) => Promise<readonly FuturesAccount[] | undefined>,
): FuturesFeeds["accounts"] {
  let known: readonly FuturesAccount[] = [];
  return {
    topic: { channel: "account", biz },
    initial: [],
    read: (message) => {
      const rows = readAccounts(message.data);
      if (rows === undefined) return { kind: "none" };
      known = message.snapshot === true ? rows : joinAccounts(known, rows);
      return { kind: "value", state: known };
    },
    apply: (state) => state,
    fetch: async (signal) => {
      const state = await fetchAll(signal);
      return state === undefined ? undefined : { sequence: 0, state };
    },
  };
}

type ListCall = typeof POSITION_CALLS.list | typeof POSITION_CALLS.accounts;

function makeFeeds(request: RequestClient, biz: FuturesBiz): FuturesFeeds {
  const listOf =
    <Row>(called: ListCall, read: (data: unknown) => readonly Row[] | undefined) =>
    async (signal: AbortSignal) => {
      const answer = await request.call(called, { biz }, { api: "futures", signal });
      return answer.ok ? read(answer.data) : undefined;
    };
  return {
    orders: privateFeed({
      biz,
      channel: "orders",
      readRows: readFuturesOrders,
      begin: (rows) => joinOrders(NO_ORDERS, rows),
      apply: joinOrders,
      fetch: (signal) => fetchOpen(request, biz, signal),
    }),
    fills: privateFeed({
      biz,
      channel: "fills",
      readRows: readFuturesFills,
      begin: (rows) => joinFills([], rows),
      apply: joinFills,
      fetch: async (signal) => {
        const answer = await request.call(FUTURES_CALLS.fills, { biz, limit: 50 }, { api: "futures", signal });
        return answer.ok ? joinFills([], readFuturesFills(answer.data.fills) ?? []) : undefined;
      },
    }),
    positions: privateFeed({
      biz,
      channel: "positions",
      readRows: readPositions,
      begin: (rows) => joinPositions([], rows),
      apply: joinPositions,
      fetch: listOf(POSITION_CALLS.list, readPositions),
    }),
    marks: {
      topic: { channel: "position-marks", biz },
      initial: [],
      read: readLatest(readPositions),
      apply: (state) => state,
    },
    accounts: accountsFeed(biz, listOf(POSITION_CALLS.accounts, readAccounts)),
  };
}

const made = new WeakMap<RequestClient, Map<FuturesBiz, FuturesFeeds>>();

/** One set per client and product, so that every panel listens to the same streams. */
export function futuresFeeds(request: RequestClient, biz: FuturesBiz): FuturesFeeds {
  const sets = made.get(request) ?? new Map<FuturesBiz, FuturesFeeds>();
  made.set(request, sets);
  const feeds = sets.get(biz) ?? makeFeeds(request, biz);
  sets.set(biz, feeds);
  return feeds;
}

/** The demo has no market of its own: it subscribes to the real contracts' streams and requests its own instruments. */
function marketOf(biz: FuturesBiz): MarketData {
  return createMarketData({
    biz: biz === "demo" ? "futures" : biz,
    api: "futures",
    calls: CONTRACT_CALLS,
    fields: { biz },
  });
}

export const FUTURES_MARKETS: Readonly<Record<FuturesBiz, MarketData>> = {
  futures: marketOf("futures"),
  delivery: marketOf("delivery"),
  demo: marketOf("demo"),
};
