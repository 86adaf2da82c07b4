// Owns one write of the projection: a run of events becomes rows, stored with the cursor of their last sequence. Runs
// in the main thread or in its own. Must never skip a sequence nor write one twice, and must keep nothing of a write
// that failed.

import type { EventBatch } from "@clockwork/host/engine";
import type { OpenFacts, Projector, ProjectorSet } from "@clockwork/host/projector";
import { Dispatcher } from "./dispatch.ts";
import type { CursorRow, ProjectionStore } from "./store.ts";

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
  /** The tables were emptied. */
  remove(): void;
  close(): Promise<void>;
}

export function localWriter(store: ProjectionStore, set: ProjectorSet): ProjectionWriter {
  return new LocalWriter(store, set);
}

interface Opened {
  readonly facts: OpenFacts;
  readonly projectors: readonly ReturnType<Projector["open"]>[];
}

class LocalWriter implements ProjectionWriter {
  readonly #store: ProjectionStore;
  readonly #set: ProjectorSet;
  readonly #dispatcher: Dispatcher;
  /** Read from the tables when first needed, and again after a write that failed. */
  #opened: Opened | undefined;

  constructor(store: ProjectionStore, set: ProjectorSet) {
    this.#store = store;
    this.#set = set;
    this.#dispatcher = new Dispatcher(set);
  }

  async write({ journal, from, batches }: ProjectionWork): Promise<CursorRow | undefined> {
    const sequence = from?.sequence ?? 0;
    const fresh = batches.filter((batch) => batch.lastSequence > sequence);
    const first = fresh[0];
    const last = fresh.at(-1);
    if (first === undefined || last === undefined) return from;
    // A hole would be a bug of the engine.
    if (first.firstSequence > sequence + 1) throw new Error(`events begin at ${first.firstSequence} after ${sequence}`);
    const opened = this.#opened ?? (await this.#open());
    // Until the write is done, what is remembered may be of a write that never was.
    this.#opened = undefined;
    const runs = opened.projectors.map((projector) => projector.begin());
    const { timeMs } = this.#dispatcher.dispatch(fresh, opened.facts, runs, sequence);
    const to = { journal, sequence: last.lastSequence, time_ms: timeMs };
    await this.#store.write(from, to, async (session) => {
      for (const run of runs) await run.write(session);
    });
    for (const run of runs) run.committed?.();
    this.#opened = opened;
    return { name: "projection", ...to };
  }

  async #open(): Promise<Opened> {
    const facts = await this.#set.facts.load(this.#store.read);
    return { facts, projectors: this.#set.projectors.map((projector) => projector.open(facts.facts)) };
  }

  remove(): void {
    this.#opened = undefined;
  }

  async close(): Promise<void> {
    this.#opened = undefined;
  }
}
