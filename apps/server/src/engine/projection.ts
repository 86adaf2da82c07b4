// Owns the road from committed events to SQL tables: exactly once by a cursor stored with the rows, behind the engine
// but bounded, and rebuildable from nothing. Must never write events that are not committed, nor skip a sequence.
import { EVENT_BYTES } from "@clockwork/core/event";
import type { Kysely } from "kysely";
import type { EventBatch } from "./event-pump.ts";
import { foldEvents, type ProjectionMemory } from "./projection-fold.ts";
import { ordersNeeded } from "./projection-needs.ts";
import type { CursorRow } from "./projection-rows.ts";
import { selectEvents } from "./projection-select.ts";
import { type ProjectionStore, projectionStore } from "./projection-store.ts";

export interface ProjectionOptions {
  readonly kysely: Kysely<unknown>;
  /** Event bytes that may wait in memory; beyond it the engine is slowed down. */
  readonly queueBytesMax?: number;
  /** Events written in one transaction, about. */
  readonly transactionEvents?: number;
  /** Time between two transactions while nobody waits for the tables: fewer and larger ones spare disk and processor. */
  readonly pauseMs?: number;
  /** Told once when writing failed for good; the projection then stands still and the cursor with it. */
  readonly onFault?: (error: unknown) => void;
}

export interface Projection {
  /** Last sequence in the tables; give it to the engine as `eventsAfter`. */
  readonly sequence: number;
  /** The engine's `onJournal`: tables of another journal are refused, not mixed. */
  readonly bind: (identity: string) => void;
  /** The engine's listener. Returns a promise while too much waits. */
  readonly listen: (batch: EventBatch) => void | Promise<void>;
  /** Event bytes that wait. */
  readonly waitingBytes: number;
  /** What the projection knows by heart; a desk begins with a copy. */
  readonly memory: ProjectionMemory;
  /** Resolves when the tables have reached this sequence; rejects when writing failed. */
  reached(sequence: number): Promise<void>;
  /** Reads the tables between two writes, once they have reached a sequence: nothing changes meanwhile. */
  readSettled<Value>(
    sequence: number,
    read: (store: ProjectionReader) => Promise<Value>,
  ): Promise<{ readonly sequence: number; readonly value: Value }>;
  /** Resolves when everything handed over so far is in the tables; rejects when writing failed. */
  flush(): Promise<void>;
  /** Empties the tables; only while nothing waits. The next events must begin at sequence 1. */
  clear(): Promise<void>;
}

export type ProjectionReader = Pick<ProjectionStore, "readAccount" | "readGroupFees">;

interface Waiter {
  readonly sequence: number;
  /** Runs between two writes; undefined after the projection has failed. */
  readonly run: (failure?: unknown) => Promise<void>;
}

const QUEUE_BYTES_MAX = 64 << 20;
const TRANSACTION_EVENTS = 20_000;
const PAUSE_MS = 100;

export async function openProjection(options: ProjectionOptions): Promise<Projection> {
  const store = projectionStore(options.kysely);
  const cursor = await store.readCursor();
  const memory: ProjectionMemory = {
    markets: new Map((await store.readMarkets()).map((row) => [row.market, row])),
    simulated: new Set(await store.readSimulated()),
  };
  return new SqlProjection(options, store, cursor, memory);
}

class SqlProjection implements Projection {
  readonly #store: ProjectionStore;
  readonly #options: ProjectionOptions;
  readonly memory: ProjectionMemory;
  readonly #queueBytesMax: number;
  readonly #transactionBytes: number;
  #cursor: CursorRow | undefined;
  #queue: EventBatch[] = [];
  #waitingBytes = 0;
  #journal = "";
  #writing: Promise<void> | undefined;
  #failure: unknown;
  #roomWaiters: (() => void)[] = [];
  #waiters: Waiter[] = [];
  /** Ends a pause early. */
  #wake: (() => void) | undefined;
  #hurry = false;

  constructor(
    options: ProjectionOptions,
    store: ProjectionStore,
    cursor: CursorRow | undefined,
    memory: ProjectionMemory,
  ) {
    this.#options = options;
    this.#store = store;
    this.#cursor = cursor;
    this.memory = memory;
    this.#queueBytesMax = options.queueBytesMax ?? QUEUE_BYTES_MAX;
    this.#transactionBytes = (options.transactionEvents ?? TRANSACTION_EVENTS) * EVENT_BYTES;
  }

  readonly bind = (identity: string): void => {
    if (this.#cursor !== undefined && this.#cursor.journal !== identity) {
      throw new Error(`the tables were written from journal ${this.#cursor.journal}, not ${identity}: rebuild them`);
    }
    this.#journal = identity;
  };

  get sequence(): number {
    return this.#cursor?.sequence ?? 0;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  readonly listen = (batch: EventBatch): void | Promise<void> => {
    if (this.#failure !== undefined) return;
    this.#queue.push(batch);
    this.#waitingBytes += batch.bytes.length;
    this.#writing ??= this.#drain();
    if (this.#waitingBytes >= this.#transactionBytes) this.#wake?.();
    if (this.#waitingBytes <= this.#queueBytesMax) return;
    return new Promise((resolve) => this.#roomWaiters.push(resolve));
  };

  async reached(sequence: number): Promise<void> {
    if (sequence > this.sequence) await this.readSettled(sequence, async () => undefined);
  }

  readSettled<Value>(
    sequence: number,
    read: (store: ProjectionReader) => Promise<Value>,
  ): Promise<{ readonly sequence: number; readonly value: Value }> {
    return new Promise((resolve, reject) => {
      const run = async (failure?: unknown): Promise<void> => {
        if (failure !== undefined) reject(failure);
        else {
          await read(this.#store).then((value) => resolve({ sequence: this.sequence, value }), reject);
        }
      };
      this.#waiters.push({ sequence, run });
      this.#writing ??= this.#drain();
      this.#wake?.();
    });
  }

  /** Whoever waited for what the tables now hold reads it, all at once, before the next write. */
  async #runWaiters(): Promise<void> {
    if (this.#waiters.length === 0) return;
    const due = this.#waiters.filter(({ sequence }) => sequence <= this.sequence || this.#failure !== undefined);
    this.#waiters = this.#waiters.filter((waiter) => !due.includes(waiter));
    await Promise.all(due.map(({ run }) => run(this.#failure)));
  }

  async flush(): Promise<void> {
    this.#hurry = true;
    this.#wake?.();
    while (this.#writing !== undefined) await this.#writing;
    this.#hurry = false;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async clear(): Promise<void> {
    await this.flush();
    await this.#store.clear();
    this.#cursor = undefined;
    this.memory.markets.clear();
    this.memory.simulated.clear();
  }

  async #drain(): Promise<void> {
    try {
      await this.#runWaiters();
      while (this.#queue.length > 0) {
        await this.#pause();
        let bytes = 0;
        let count = 0;
        while (count < this.#queue.length && (count === 0 || bytes < this.#transactionBytes)) {
          bytes += this.#queue[count]?.bytes.length ?? 0;
          count++;
        }
        await this.#write(this.#queue.slice(0, count));
        this.#queue.splice(0, count);
        this.#waitingBytes -= bytes;
        await this.#runWaiters();
        if (this.#waitingBytes <= this.#queueBytesMax) this.#makeRoom();
      }
    } catch (error) {
      // The tables are as the last transaction left them; a restart begins again from their cursor.
      this.#failure = error;
      this.#queue = [];
      this.#waitingBytes = 0;
      this.#makeRoom();
      this.#options.onFault?.(error);
      await this.#runWaiters();
    } finally {
      this.#writing = undefined;
    }
  }

  /** Lets events gather, unless somebody waits for them or enough are here. */
  async #pause(): Promise<void> {
    const pauseMs = this.#options.pauseMs ?? PAUSE_MS;
    const isHurried = (): boolean => this.#hurry || this.#waiters.length > 0;
    if (pauseMs === 0 || isHurried() || this.#waitingBytes >= this.#transactionBytes) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  #makeRoom(): void {
    for (const resolve of this.#roomWaiters.splice(0)) resolve();
  }

  async #write(batches: readonly EventBatch[]): Promise<void> {
    // What is in the tables already came again from a replay; a hole would be a bug of the engine.
    const fresh = batches.filter((batch) => batch.lastSequence > this.sequence);
    const first = fresh[0];
    const last = fresh.at(-1);
    if (first === undefined || last === undefined) return;
    if (first.firstSequence > this.sequence + 1) {
      throw new Error(`events begin at ${first.firstSequence} after ${this.sequence}`);
    }
    const { events, balances, timeMs } = selectEvents(fresh, this.memory, this.sequence);
    const to = { journal: this.#journal, sequence: last.lastSequence, time_ms: timeMs };
    await this.#store.write(this.#cursor, to, ordersNeeded(events), (orders) => {
      const changes = foldEvents(events, this.memory, orders);
      return { ...changes, balances: [...changes.balances, ...balances] };
    });
    this.#cursor = { name: "projection", ...to };
  }
}
