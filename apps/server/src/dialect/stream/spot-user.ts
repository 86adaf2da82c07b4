// A user's own spot stream in the Binance dialect: every change of an order as an execution report, every fill with its
// fee, and the balances after it. Made from the private channels, so nothing is published before it is committed.

import type { Live } from "@clockwork/host/channel";
import type { Fill, SpotBalance, SpotOrder } from "@clockwork/trading/spot/contract";
import { BALANCES_CHANNEL, FILLS_CHANNEL, ORDERS_CHANNEL } from "@clockwork/trading/spot/contract";
import { eventTime } from "../event-time.ts";
import { difference, fixed, sum } from "../numbers.ts";
import { clientIdOf, describeOrder } from "../spot/order-view.ts";
import { symbolOf } from "../symbols.ts";
import { receivedOrders, without } from "./first-batch.ts";

export interface SpotUserParts {
  readonly live: Pick<Live, "tap">;
  readonly clock: () => number;
  /** What is open and held now, read once. */
  readonly read: (
    userId: number,
  ) => Promise<{ readonly orders: readonly SpotOrder[]; readonly balances: readonly SpotBalance[] }>;
}

interface Batch {
  readonly orders: SpotOrder[];
  readonly fills: Fill[];
  readonly balances: SpotBalance[];
}

/** What was published of an order so far. */
interface Published {
  readonly filled: string;
  readonly amount: string;
  readonly isWaiting: boolean;
  readonly quantity: string | null;
  readonly price: string | null;
}

/** Lists of orders by their number, each with its legs and whether they are open. */
type Lists = Map<string, Map<string, { readonly leg: SpotOrder; readonly isOpen: boolean }>>;

/** Everything published so far. */
interface Known {
  readonly answer: Map<string, Published>;
  readonly held: Map<string, string>;
  readonly lists: Lists;
}

const OPEN: ReadonlySet<string> = new Set(["NEW", "PARTIALLY_FILLED", "PENDING_TRIGGER", "TRIGGERED"]);
const NOTHING = { filled: "0", amount: "0" } as const;

/** Publishes until stopped. */
export async function followSpotUser(
  { live, clock, read }: SpotUserParts,
  userId: number,
  publish: (event: object) => void,
): Promise<() => void> {
  const account = String(userId);
  const known: Known = { answer: new Map(), held: new Map(), lists: new Map() };
  let batch: Batch = { orders: [], fills: [], balances: [] };
  const sinceMs = clock();
  let isDue = false;
  let isReady = false;
  let isFirst = true;
  const flush = (): void => {
    isDue = false;
    if (!isReady) return;
    const now = batch;
    batch = { orders: [], fills: [], balances: [] };
    if (isFirst) dropReceived(known, now, sinceMs);
    isFirst = false;
    for (const event of describeBatch(now, known, clock())) publish(event);
  };
  // The changes of one commit arrive on three channels in one turn.
  const touch = (): void => {
    if (isDue) return;
    isDue = true;
    setImmediate(flush);
  };
  const tap = <Row>(channel: string, rows: () => Row[]) =>
    live.tap(
      { channel, biz: "spot" },
      (data) => {
        rows().push(...(data as Row[]));
        touch();
      },
      account,
    );
  const stops = [
    tap<SpotOrder>(ORDERS_CHANNEL, () => batch.orders),
    tap<Fill>(FILLS_CHANNEL, () => batch.fills),
    tap<SpotBalance>(BALANCES_CHANNEL, () => batch.balances),
  ];
  const stop = (): void => {
    for (const one of stops) one?.();
  };
  try {
    const { orders, balances } = await read(userId);
    for (const order of orders) {
      known.answer.set(order.orderId, publishedOf(order));
      if (order.listId !== null) legsOf(known.lists, order.listId).set(order.orderId, { leg: order, isOpen: true });
    }
    for (const { asset, total } of balances) known.held.set(asset, total);
  } catch (error) {
    stop();
    throw error;
  }
  isReady = true;
  touch();
  return stop;
}

/** What was read may hold what the first batch is about to say. */
function dropReceived({ answer, lists }: Known, { orders, fills }: Batch, sinceMs: number): void {
  for (const { order, isNew } of receivedOrders(orders, sinceMs)) {
    if (isNew) {
      answer.delete(order.orderId);
      if (order.listId !== null) lists.delete(order.listId);
      continue;
    }
    const own = fills.filter(({ orderId }) => orderId === order.orderId);
    const filled = without(
      order.filledQuantity,
      own.map(({ quantity }) => quantity),
    );
    const amount = without(
      order.filledAmount,
      own.map((fill) => fill.amount),
    );
    answer.set(order.orderId, { ...(answer.get(order.orderId) ?? publishedOf(order)), filled, amount });
  }
}

function publishedOf(order: SpotOrder): Published {
  const { filledQuantity, filledAmount, status, quantity, price } = order;
  return { filled: filledQuantity, amount: filledAmount, isWaiting: status === "PENDING_TRIGGER", quantity, price };
}

function legsOf(lists: Lists, listId: string): NonNullable<ReturnType<Lists["get"]>> {
  const legs = lists.get(listId) ?? new Map();
  lists.set(listId, legs);
  return legs;
}

/** A list when it starts, and when the last of its legs is over. */
function* describeLists(lists: Lists, orders: Iterable<SpotOrder>, timeMs: number): Generator<object> {
  const touched = new Map<string, boolean>();
  for (const leg of orders) {
    if (leg.listId === null) continue;
    touched.set(leg.listId, touched.get(leg.listId) ?? lists.has(leg.listId));
    legsOf(lists, leg.listId).set(leg.orderId, { leg, isOpen: OPEN.has(leg.status) });
  }
  for (const [listId, isKnown] of touched) {
    const legs = [...legsOf(lists, listId).values()];
    const publish = (l: string, L: string): object =>
      describeListStatus(
        listId,
        l,
        L,
        legs.map(({ leg }) => leg),
        timeMs,
      );
    if (!isKnown) yield publish("EXEC_STARTED", "EXECUTING");
    if (legs.some(({ isOpen }) => isOpen)) continue;
    lists.delete(listId);
    yield publish("ALL_DONE", "ALL_DONE");
  }
}

function describeListStatus(g: string, l: string, L: string, legs: readonly SpotOrder[], timeMs: number): object {
  // One of them has the list's name.
  const first = legs.find(({ clientOrderId }) => clientOrderId !== null) ?? legs[0];
  const O = legs.map((leg) => ({ s: symbolOf(leg), i: Number(leg.orderId), c: clientIdOf(leg) }));
  const named = first === undefined ? { s: "", C: "" } : { s: symbolOf(first), C: clientIdOf(first) };
  return { e: "listStatus", E: timeMs, ...named, g: Number(g), c: "OCO", l, L, r: "NONE", T: timeMs, O };
}

function* describeBatch(batch: Batch, { answer, held, lists }: Known, timeMs: number): Generator<object> {
  const latest = new Map(batch.orders.map((order) => [order.orderId, order]));
  for (const order of latest.values()) {
    const fills = batch.fills.filter(({ orderId }) => orderId === order.orderId);
    yield* describeChanges(order, fills, answer.get(order.orderId), timeMs);
    if (OPEN.has(order.status)) answer.set(order.orderId, publishedOf(order));
    else answer.delete(order.orderId);
  }
  yield* describeLists(lists, latest.values(), timeMs);
  if (batch.balances.length === 0) return;
  const balances = [...new Map(batch.balances.map((row) => [row.asset, row])).values()];
  if (latest.size === 0) {
    for (const { asset, total } of balances) {
      const change = difference(total, held.get(asset) ?? "0");
      yield { e: "balanceUpdate", E: timeMs, a: asset, d: change, T: timeMs };
    }
  }
  for (const { asset, total } of balances) held.set(asset, total);
  const B = balances.map(({ asset, available, frozen }) => ({ a: asset, f: fixed(available), l: fixed(frozen) }));
  yield { e: "outboundAccountPosition", E: timeMs, u: timeMs, B };
}

/** New, then each fill, then how it ended: one report for each. */
function* describeChanges(
  order: SpotOrder,
  fills: readonly Fill[],
  before: Published | undefined,
  timeMs: number,
): Generator<object> {
  const report = reporter(order, timeMs);
  const isEnded = !OPEN.has(order.status);
  const isWoken = before?.isWaiting === true && order.status !== "PENDING_TRIGGER" && !(isEnded && fills.length === 0);
  const isAmended =
    before !== undefined &&
    !isEnded &&
    fills.length === 0 &&
    (before.quantity !== order.quantity || before.price !== order.price);
  if (before === undefined || isWoken) yield report("NEW", "NEW", before ?? NOTHING, undefined);
  else if (isAmended) yield report("REPLACED", order.status, before, undefined);
  let sofar: { filled: string; amount: string } = before ?? NOTHING;
  for (const [place, fill] of fills.entries()) {
    sofar = { filled: sum(sofar.filled, fill.quantity), amount: sum(sofar.amount, fill.amount) };
    const isLast = place === fills.length - 1;
    yield report("TRADE", isLast && order.status === "FILLED" ? "FILLED" : "PARTIALLY_FILLED", sofar, fill);
  }
  if (!isEnded || order.status === "FILLED") return;
  const kind = order.status === "EXPIRED_STP" ? "TRADE_PREVENTION" : order.status;
  yield report(kind, order.status === "EXPIRED_STP" ? "EXPIRED_IN_MATCH" : order.status, sofar, undefined);
}

function reporter(order: SpotOrder, timeMs: number) {
  const described = describeOrder(order);
  return (
    x: string,
    X: string,
    sofar: { readonly filled: string; readonly amount: string },
    fill: Fill | undefined,
  ): object => ({
    e: "executionReport",
    E: eventTime(timeMs, fill?.timeMs ?? order.updatedAtMs),
    s: symbolOf(order),
    c: clientIdOf(order),
    S: described.side,
    o: described.type,
    f: described.timeInForce,
    q: described.origQty,
    p: described.price,
    P: described.stopPrice,
    F: described.icebergQty,
    g: described.orderListId,
    C: x === "CANCELED" ? clientIdOf(order) : "",
    x,
    X,
    r: "NONE",
    i: described.orderId,
    l: fixed(fill?.quantity),
    z: fixed(sofar.filled),
    L: fixed(fill?.price),
    n: fill === undefined ? "0" : fixed(fill.fee),
    N: fill?.feeAsset ?? null,
    T: fill?.timeMs ?? order.updatedAtMs,
    t: fill?.tradeId ?? -1,
    I: described.orderId,
    w: x === "NEW" && described.isWorking,
    m: fill?.role === "maker",
    M: false,
    O: order.createdAtMs,
    Z: fixed(sofar.amount),
    Y: fill === undefined ? fixed("0") : fixed(fill.amount),
    Q: described.origQuoteOrderQty,
    W: described.workingTime,
    V: described.selfTradePreventionMode,
  });
}
