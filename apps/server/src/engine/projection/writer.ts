// Owns one write of the projection: a run of events becomes rows, stored with the cursor that says how far they reach.
// Lives in the main thread or in one of its own. Must never skip a sequence nor write one twice.
import type { EventBatch } from "../threads/event-pump.ts";
import { foldRows, type ProjectionMemory } from "./fold.ts";
import { ordersNeeded } from "./order-ids.ts";
import type { CursorRow, OrderRow } from "./rows.ts";
import { selectEvents } from "./select.ts";
import { OPEN_STATES, type ProjectionStore } from "./store.ts";

export interface ProjectionWork {
  readonly journal: string;
  /** Where the tables are. */
  readonly from: CursorRow | undefined;
  /** In order; what the tables hold already may come again from a replay. */
  readonly batches: readonly EventBatch[];
}

export interface ProjectionWriter {
  /** Where the tables are afterwards. */
  write(work: ProjectionWork): Promise<CursorRow | undefined>;
  close(): Promise<void>;
}

/** What a writer keeps between two writes. */
export interface WriterMemory extends ProjectionMemory {
  /** Open orders as the tables have them, those written last; not all of them. */
  readonly openOrders: Map<number, OrderRow>;
}

/** About 400 bytes each. */
const OPEN_ORDERS_MAX = 20_000;
const OPEN: ReadonlySet<string> = new Set(OPEN_STATES);

/** What a fold knows by heart, read once. */
export async function readMemory(store: ProjectionStore): Promise<WriterMemory> {
  return {
    markets: new Map((await store.readMarkets()).map((row) => [row.market, row])),
    simulated: new Set(await store.readSimulated()),
    openOrders: new Map(),
  };
}

export function localWriter(store: ProjectionStore, memory: WriterMemory): ProjectionWriter {
  return {
    write: (work) => writeBatches(store, memory, work),
    close: async () => undefined,
  };
}

async function writeBatches(
  store: ProjectionStore,
  memory: WriterMemory,
  { journal, from, batches }: ProjectionWork,
): Promise<CursorRow | undefined> {
  const sequence = from?.sequence ?? 0;
  const fresh = batches.filter((batch) => batch.lastSequence > sequence);
  const first = fresh[0];
  const last = fresh.at(-1);
  if (first === undefined || last === undefined) return from;
  // A hole would be a bug of the engine.
  if (first.firstSequence > sequence + 1) throw new Error(`events begin at ${first.firstSequence} after ${sequence}`);
  const { events, entries, timeMs } = selectEvents(fresh, memory, sequence);
  const to = { journal, sequence: last.lastSequence, time_ms: timeMs };
  const needed = ordersNeeded(events);
  const known = takeKnown(memory.openOrders, needed);
  const unknown = needed.filter((orderId) => !known.has(orderId));
  let written: readonly OrderRow[] = [];
  await store.write(from, to, unknown, entries, (orders) => {
    for (const [orderId, row] of known) orders.set(orderId, row);
    const rows = foldRows(events, memory, orders);
    written = [...rows.changed, ...rows.created];
    return rows;
  });
  keepOpen(memory.openOrders, written);
  return { name: "projection", ...to };
}

/** Taken out: the fold changes rows in place, and a write that fails must leave nothing here that no table has. */
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

/** The oldest go first: what rests long is seldom touched. */
function keepOpen(openOrders: Map<number, OrderRow>, rows: readonly OrderRow[]): void {
  for (const row of rows) if (OPEN.has(row.state)) openOrders.set(row.order_id, row);
  for (const orderId of openOrders.keys()) {
    if (openOrders.size <= OPEN_ORDERS_MAX) return;
    openOrders.delete(orderId);
  }
}
