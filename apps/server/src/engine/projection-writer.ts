// Owns one write of the projection: a run of events becomes rows, stored with the cursor that says how far they reach.
// Lives in the main thread or in one of its own. Must never skip a sequence nor write one twice.
import type { EventBatch } from "./event-pump.ts";
import { foldEvents, type ProjectionMemory } from "./projection-fold.ts";
import { ordersNeeded } from "./projection-needs.ts";
import type { CursorRow } from "./projection-rows.ts";
import { selectEvents } from "./projection-select.ts";
import type { ProjectionStore } from "./projection-store.ts";

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

/** What a fold knows by heart, read once. */
export async function readMemory(store: ProjectionStore): Promise<ProjectionMemory> {
  return {
    markets: new Map((await store.readMarkets()).map((row) => [row.market, row])),
    simulated: new Set(await store.readSimulated()),
  };
}

export function localWriter(store: ProjectionStore, memory: ProjectionMemory): ProjectionWriter {
  return {
    write: (work) => writeBatches(store, memory, work),
    close: async () => undefined,
  };
}

async function writeBatches(
  store: ProjectionStore,
  memory: ProjectionMemory,
  { journal, from, batches }: ProjectionWork,
): Promise<CursorRow | undefined> {
  const sequence = from?.sequence ?? 0;
  const fresh = batches.filter((batch) => batch.lastSequence > sequence);
  const first = fresh[0];
  const last = fresh.at(-1);
  if (first === undefined || last === undefined) return from;
  // A hole would be a bug of the engine.
  if (first.firstSequence > sequence + 1) throw new Error(`events begin at ${first.firstSequence} after ${sequence}`);
  const { events, balances, timeMs } = selectEvents(fresh, memory, sequence);
  const to = { journal, sequence: last.lastSequence, time_ms: timeMs };
  await store.write(from, to, ordersNeeded(events), (orders) => {
    const changes = foldEvents(events, memory, orders);
    return { ...changes, balances: [...changes.balances, ...balances] };
  });
  return { name: "projection", ...to };
}
