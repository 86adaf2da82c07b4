// Owns the tables of orders and fills of every market, spot and contracts alike.
import { readEvent } from "@clockwork/core/protocol/codec";
import { EVENT_HEADER, EVENTS, eventKinds, type MachineEvent } from "@clockwork/core/protocol/event";
import type { LedgerFacts, Projector, ProjectorRun, ReadRows, WriteSession } from "@clockwork/host/projector";
import { STATEMENT_SIZES } from "@clockwork/host/row-shape";
import type { OrderRow } from "../rows/rows.ts";
import { writeFillDays } from "./fill-days.ts";
import { FILL_KINDS, Fills } from "./fills.ts";
import { writeOrderEvents } from "./order-events.ts";
import { OrderFold } from "./order-fold.ts";
import { ordersNeeded } from "./order-ids.ts";
import { writeOrders } from "./order-shapes.ts";
import { Turnover } from "./turnover.ts";

export const OPEN_STATES = ["NEW", "PARTIALLY_FILLED", "PENDING_TRIGGER"] as const;
const OPEN: ReadonlySet<string> = new Set(OPEN_STATES);

/** Decoded for the fold. */
export const ORDER_KINDS = eventKinds(
  "rejected",
  "orderAccepted",
  "orderEnded",
  "orderAmended",
  "trade",
  "selfTradePrevented",
  "clientOrderId",
  "icebergShown",
  "expirySet",
  "conditionalAccepted",
  "conditionalAmended",
  "conditionalTriggered",
  "trailingActivated",
  "trailingMoved",
  "listLeg",
  "twapStarted",
  "twapSlice",
  "twapEnded",
);
export const IS_ORDER = Uint8Array.from({ length: 256 }, (_, kind) => (ORDER_KINDS.includes(kind) ? 1 : 0));
export const IS_FILL = Uint8Array.from({ length: 256 }, (_, kind) => (FILL_KINDS.includes(kind) ? 1 : 0));

/** For events with two accounts: the maker. */
export const MAKERS = new Map([
  [EVENTS.trade.kind as number, EVENTS.trade.layout.makerAccount],
  [EVENTS.selfTradePrevented.kind as number, EVENTS.selfTradePrevented.layout.makerAccount],
]);

const REJECTED = EVENTS.rejected.kind;
const { orderId: rejectedOrder } = EVENTS.rejected.layout;
const { account: accountField } = EVENT_HEADER;

/** Open orders as the tables have them, those written last; about 400 bytes each. */
const OPEN_ORDERS_MAX = 20_000;

export const orderProjector: Projector = {
  name: "orders",
  tables: [
    "engine_orders",
    "engine_fills",
    "engine_turnover",
    "engine_fill_days",
    "engine_amendments",
    "engine_prevented",
  ],
  kinds: [...new Set([...ORDER_KINDS, ...FILL_KINDS])],
  open(facts) {
    const openOrders = new Map<number, OrderRow>();
    const turnover = new Turnover();
    return { begin: () => new OrderRun(facts, openOrders, turnover) };
  },
};

/** Refusals without an order change nothing. */
export function isOrderless(kind: number, view: DataView, at: number): boolean {
  return kind === REJECTED && rejectedOrder.read(view, at) === 0;
}

class OrderRun implements ProjectorRun {
  readonly #facts: LedgerFacts;
  readonly #openOrders: Map<number, OrderRow>;
  readonly #turnover: Turnover;
  readonly #events: MachineEvent[] = [];
  readonly #fills: Fills;
  #written: readonly OrderRow[] = [];

  constructor(facts: LedgerFacts, openOrders: Map<number, OrderRow>, turnover: Turnover) {
    this.#facts = facts;
    this.#openOrders = openOrders;
    this.#turnover = turnover;
    this.#fills = new Fills(facts, (account) => !facts.simulated.has(account));
  }

  add(kind: number, view: DataView, at: number, timeMs: number): void {
    const { simulated } = this.#facts;
    if (simulated.has(accountField.read(view, at))) {
      const maker = MAKERS.get(kind);
      if (maker === undefined || simulated.has(maker.read(view, at))) return;
    }
    if (IS_FILL[kind] === 1) this.#fills.add(kind, view, at, timeMs);
    if (IS_ORDER[kind] === 1 && !isOrderless(kind, view, at)) this.#events.push(readEvent(view, at, timeMs));
  }

  async write(session: WriteSession): Promise<void> {
    const firstSequence = this.#events[0]?.sequence ?? 0;
    const needed = ordersNeeded(this.#events);
    const rows = takeKnown(this.#openOrders, needed);
    const unknown = needed.filter((orderId) => !rows.has(orderId));
    for (const row of await readOrders(session.read, unknown)) rows.set(row.order_id, row);
    const { simulated } = this.#facts;
    const store = {
      find: (_: number, orderId: number) => rows.get(orderId),
      add: (row: OrderRow) => {
        if (simulated.has(row.account)) return false;
        rows.set(row.order_id, row);
        return true;
      },
    };
    const fold = new OrderFold(this.#facts, store, firstSequence);
    for (const event of this.#events) fold.apply(event);
    const isNew = (row: OrderRow): boolean => row.created_sequence >= firstSequence;
    const created = fold.changed.filter(isNew);
    const changed = fold.changed.filter((row) => !isNew(row));
    await writeOrders(created, changed, session);
    this.#written = [...changed, ...created];
    await this.#fills.write(session);
    const fills = this.#fills.rows();
    await this.#turnover.write(session, fills);
    await writeFillDays(session, fills);
    await writeOrderEvents(session, fold.amendments, fold.prevented);
  }

  /** The oldest are evicted first: long-resting orders are rarely touched. */
  committed(): void {
    const openOrders = this.#openOrders;
    for (const row of this.#written) if (OPEN.has(row.state)) openOrders.set(row.order_id, row);
    for (const orderId of openOrders.keys()) {
      if (openOrders.size <= OPEN_ORDERS_MAX) return;
      openOrders.delete(orderId);
    }
  }
}

/** Removed: the fold changes rows in place, and those still open are put back when they are written. */
function takeKnown(openOrders: Map<number, OrderRow>, orderIds: readonly number[]): Map<number, OrderRow> {
  const known = new Map<number, OrderRow>();
  for (const orderId of orderIds) {
    const row = openOrders.get(orderId);
    if (row === undefined) continue;
    known.set(orderId, row);
    openOrders.delete(orderId);
  }
  return known;
}

/** By statements of few sizes, the last filled up with an id it holds already. */
async function readOrders(read: ReadRows, orderIds: readonly number[]): Promise<OrderRow[]> {
  const found: OrderRow[] = [];
  for (let at = 0; at < orderIds.length; ) {
    const left = orderIds.length - at;
    const size = STATEMENT_SIZES.find((_, index) => left > (STATEMENT_SIZES[index + 1] ?? 0)) ?? 1;
    const ids = orderIds.slice(at, at + size);
    while (ids.length < size) ids.push(ids[0] ?? 0);
    const places = ids.map(() => "?").join(", ");
    found.push(...(await read<OrderRow>(`select * from "engine_orders" where "order_id" in (${places})`, ids)));
    at += size;
  }
  return found;
}
