// The private streams of a product: own orders and fills, complete by snapshot and deltas over the socket and by plain
// calls while it is down. What every product shares; a product adds its own rows and calls.
import type { SocketMessage } from "@clockwork/kit/wire";
import type { FeedDefinition, FeedUpdate } from "#live/feed-definition.ts";
import type { ReadData } from "#live/stream.ts";

/** Ended orders kept for the history tab until it is fetched again; fills kept for the chart and the fills tab. */
const ENDED_MAX = 100;
const FILLS_MAX = 500;

/** The fields that order rows depend on, whatever else a product adds. */
export interface OrderRow {
  readonly orderId: string;
  readonly status: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface FillRow {
  readonly tradeId: number;
  readonly orderId: string;
  readonly pairCode: string;
  readonly timeMs: number;
}

export interface OwnOrders<Order extends OrderRow> {
  /** Resting orders and waiting plans, newest first. */
  readonly open: readonly Order[];
  /** Those that ended while this page was open, newest first. */
  readonly ended: readonly Order[];
}

const OPEN: ReadonlySet<string> = new Set(["PENDING_TRIGGER", "NEW", "PARTIALLY_FILLED"]);

export function isOpenOrder(order: OrderRow): boolean {
  return OPEN.has(order.status);
}

export function readList<Row>(isRow: (value: Record<string, unknown>) => boolean): ReadData<readonly Row[]> {
  return (data) => {
    if (!Array.isArray(data)) return undefined;
    return data.filter(
      (row: unknown) => typeof row === "object" && row !== null && isRow(row as Record<string, unknown>),
    );
  };
}

function newestFirst(left: OrderRow, right: OrderRow): number {
  return right.createdAtMs - left.createdAtMs || Number(right.orderId) - Number(left.orderId);
}

/** Changed orders replace earlier ones; one that ended moves over, and remains ended after late messages. */
export function joinOrders<Order extends OrderRow>(
  state: OwnOrders<Order>,
  changed: readonly Order[],
): OwnOrders<Order> {
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
  const byEnd = (left: OrderRow, right: OrderRow) => right.updatedAtMs - left.updatedAtMs || newestFirst(left, right);
  return {
    open: [...open.values()].sort(newestFirst),
    ended: [...ended.values()].sort(byEnd).slice(0, ENDED_MAX),
  };
}

export function fillKey(fill: FillRow): string {
  return `${fill.pairCode}:${fill.tradeId}:${fill.orderId}`;
}

export function joinFills<Fill extends FillRow>(
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

/**
 * Numbers are the journal's, so most belong to other users: a message covers all up to its own unless it contains a
 * start.
 */
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

export interface PrivateFeed<State, Row> {
  readonly biz: string;
  readonly channel: string;
  readonly readRows: ReadData<readonly Row[]>;
  readonly begin: (rows: readonly Row[]) => State;
  readonly apply: (state: State, rows: readonly Row[]) => State;
  readonly fetch: (signal: AbortSignal) => Promise<State | undefined>;
}

export function privateFeed<State, Row>(parts: PrivateFeed<State, Row>): FeedDefinition<State, readonly Row[]> {
  // Plain answers carry no number: they take the last one received, and the next snapshot settles it.
  let lastSeen = 0;
  return {
    topic: { channel: parts.channel, biz: parts.biz },
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
