// The private streams of spot trading: one's own orders, fills and balances, whole by snapshot and deltas over the socket
// and by plain calls while it is down. Only for signed-in users; a visitor must not ask for them.
import type { Fill, FillPage, OrderPage, SpotBalance, SpotOrder } from "@clockwork/domains/spot/api";
import type { SocketMessage } from "@clockwork/kit/wire";
import type { FeedDefinition, FeedUpdate } from "#live/feed-definition.ts";
import type { RequestClient } from "#live/request.ts";
import type { ReadData } from "#live/stream.ts";

export const SPOT_PATHS = {
  orders: "/v1/spot/orders",
  clear: "/v1/spot/orders/clear",
  fills: "/v1/spot/fills",
  balance: "/v1/spot/balance",
  fee: "/v1/spot/fee",
} as const;

/** Ended orders kept for the history tab until it is fetched again; fills kept for the chart and the fills tab. */
const ENDED_MAX = 100;
const FILLS_MAX = 500;
const PAGE_MAX = 200;

export interface OwnOrders {
  /** Resting orders and waiting plans, newest first. */
  readonly open: readonly SpotOrder[];
  /** Those that ended while this page was open, newest first. */
  readonly ended: readonly SpotOrder[];
}

export type OrdersFeed = FeedDefinition<OwnOrders, readonly SpotOrder[]>;
export type FillsFeed = FeedDefinition<readonly Fill[], readonly Fill[]>;
export type BalancesFeed = FeedDefinition<readonly SpotBalance[], readonly SpotBalance[]>;

export interface SpotFeeds {
  readonly orders: OrdersFeed;
  /** Newest first. */
  readonly fills: FillsFeed;
  readonly balances: BalancesFeed;
}

const OPEN: ReadonlySet<string> = new Set(["PENDING_TRIGGER", "NEW", "PARTIALLY_FILLED"]);

export function isOpenOrder(order: SpotOrder): boolean {
  return OPEN.has(order.status);
}

function readList<Row>(isRow: (value: Record<string, unknown>) => boolean): ReadData<readonly Row[]> {
  return (data) => {
    if (!Array.isArray(data)) return undefined;
    return data.filter(
      (row: unknown) => typeof row === "object" && row !== null && isRow(row as Record<string, unknown>),
    );
  };
}

export const readOrders = readList<SpotOrder>(
  (row) => typeof row.orderId === "string" && typeof row.status === "string" && typeof row.pairCode === "string",
);
export const readFills = readList<Fill>((row) => typeof row.tradeId === "number" && typeof row.price === "string");
export const readBalances = readList<SpotBalance>(
  (row) => typeof row.asset === "string" && typeof row.available === "string",
);

function newestFirst(left: SpotOrder, right: SpotOrder): number {
  return right.createdAtMs - left.createdAtMs || Number(right.orderId) - Number(left.orderId);
}

/** Changed orders take the place of what was known; one that ended moves over, and stays ended whatever comes late. */
export function joinOrders(state: OwnOrders, changed: readonly SpotOrder[]): OwnOrders {
  const open = new Map(state.open.map((order) => [order.orderId, order]));
  const ended = new Map(state.ended.map((order) => [order.orderId, order]));
  for (const order of changed) {
    if (isOpenOrder(order)) {
      if (!ended.has(order.orderId)) open.set(order.orderId, order);
    } else {
      open.delete(order.orderId);
      ended.set(order.orderId, order);
    }
  }
  const byEnd = (left: SpotOrder, right: SpotOrder) => right.updatedAtMs - left.updatedAtMs || newestFirst(left, right);
  return {
    open: [...open.values()].sort(newestFirst),
    ended: [...ended.values()].sort(byEnd).slice(0, ENDED_MAX),
  };
}

export function fillKey(fill: Fill): string {
  return `${fill.pairCode}:${fill.tradeId}:${fill.orderId}`;
}

export function joinFills(
  state: readonly Fill[],
  fresh: readonly Fill[],
  countMax: number = FILLS_MAX,
): readonly Fill[] {
  const known = new Map(state.map((fill) => [fillKey(fill), fill]));
  for (const fill of fresh) known.set(fillKey(fill), fill);
  return [...known.values()]
    .sort((left, right) => right.timeMs - left.timeMs || right.tradeId - left.tradeId)
    .slice(0, countMax);
}

/** A coin without a price has no worth; one known before is kept as long as the amount is the same. */
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

/** Numbers are of the journal, so most are about others: a message covers all up to its own unless it says from where. */
function readPrivate<State, Row>(
  readRows: ReadData<readonly Row[]>,
  begin: (rows: readonly Row[]) => State,
  seen: (sequence: number) => void,
): (message: SocketMessage) => FeedUpdate<State, readonly Row[]> {
  return (message) => {
    const { sequence, firstSequence } = message;
    if (sequence === undefined) return { kind: "none" };
    if (message.resumed === true) return { kind: "level", sequence };
    const rows = readRows(message.data);
    if (rows === undefined) return { kind: "none" };
    seen(sequence);
    if (message.snapshot === true) return { kind: "snapshot", sequence, state: begin(rows) };
    return { kind: "delta", first: firstSequence ?? 0, last: sequence, delta: rows };
  };
}

interface PrivateFeed<State, Row> {
  readonly channel: string;
  readonly readRows: ReadData<readonly Row[]>;
  readonly begin: (rows: readonly Row[]) => State;
  readonly apply: (state: State, rows: readonly Row[]) => State;
  readonly fetch: (signal: AbortSignal) => Promise<State | undefined>;
}

function privateFeed<State, Row>(parts: PrivateFeed<State, Row>): FeedDefinition<State, readonly Row[]> {
  // Plain answers carry no number: they stand for whatever was last heard, and the next snapshot settles it.
  let lastSeen = 0;
  return {
    topic: { channel: parts.channel, biz: "spot" },
    initial: parts.begin([]),
    read: readPrivate(parts.readRows, parts.begin, (sequence) => {
      lastSeen = sequence;
    }),
    apply: parts.apply,
    fetch: async (signal) => {
      const state = await parts.fetch(signal);
      return state === undefined ? undefined : { sequence: lastSeen, state };
    },
  };
}

const NO_ORDERS: OwnOrders = { open: [], ended: [] };

async function fetchOpen(request: RequestClient, signal: AbortSignal): Promise<OwnOrders | undefined> {
  const pages = await Promise.all(
    (["open", "plan"] as const).map((state) =>
      request.get<OrderPage>(SPOT_PATHS.orders, { state, limit: PAGE_MAX }, { signal }),
    ),
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
      channel: "orders",
      readRows: readOrders,
      begin: (rows) => joinOrders(NO_ORDERS, rows),
      apply: joinOrders,
      fetch: (signal) => fetchOpen(request, signal),
    }),
    fills: privateFeed({
      channel: "fills",
      readRows: readFills,
      begin: (rows) => joinFills([], rows),
      apply: joinFills,
      fetch: async (signal) => {
        const answer = await request.get<FillPage>(SPOT_PATHS.fills, { limit: 50 }, { signal });
        return answer.ok ? joinFills([], readFills(answer.data.fills) ?? []) : undefined;
      },
    }),
    balances: privateFeed({
      channel: "balances",
      readRows: readBalances,
      begin: (rows) => rows,
      apply: joinBalances,
      fetch: async (signal) => {
        const answer = await request.get<readonly SpotBalance[]>(SPOT_PATHS.balance, {}, { signal });
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
