// Owns the way from committed events to SQL tables: exactly once by a cursor stored with the rows, behind the engine
// but bounded, and rebuildable from nothing. Must never write events that are not committed, nor skip a sequence.
import { EVENT_BYTES } from "@clockwork/core/protocol/event";
import type { EventBatch } from "@clockwork/host/engine";
import type { ProjectorSet, ReadRows } from "@clockwork/host/projector";
import { measureMs } from "@clockwork/host/time/measure";
import type { Kysely } from "kysely";
import { isPassing } from "../../storage/fault.ts";
import { type CursorRow, ProjectionConflict, type ProjectionStore, projectionStore } from "./store.ts";
import { openProjectionThread, type ThreadPlace } from "./thread.ts";
import { Trouble, type TroubleReading } from "./trouble.ts";
import { localWriter, type ProjectionWriter } from "./writer.ts";

export interface ProjectionOptions {
  readonly kysely: Kysely<unknown>;
  /** What is kept of the events. */
  readonly projectors: ProjectorSet;
  /** Lets a thread of the projection's own fold and write the same; left out, the calling thread does. */
  readonly thread?: ThreadPlace | undefined;
  /** Event bytes that may wait in memory; beyond it the engine is slowed down. */
  readonly queueBytesMax?: number;
  /** Events written in one transaction, about. */
  readonly transactionEvents?: number;
  /**
   * Time between two transactions while no caller waits for the tables: fewer and larger ones spare disk and processor.
   */
  readonly pauseMs?: number;
  /** Called on every failed try, and once when the projection stops for good. */
  readonly onFault?: (error: unknown, trouble: TroubleReading) => void;
  /** Called when a write has succeeded after failed ones. */
  readonly onLevel?: (trouble: TroubleReading) => void;
  /** The wait after the first failed try; each further one doubles it up to the second number. */
  readonly retryMs?: readonly [first: number, longest: number];
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
  /** Why the tables do not follow, while they do not. */
  readonly trouble: TroubleReading | undefined;
  /** Resolves when the tables have reached this sequence; rejects with a DatabaseFault while writing fails. */
  reached(sequence: number): Promise<void>;
  /** Reads the tables between two writes, once they have reached a sequence: nothing changes during the read. */
  readSettled<Value>(
    sequence: number,
    read: (rows: ReadRows) => Promise<Value>,
  ): Promise<{ readonly sequence: number; readonly value: Value }>;
  /** Resolves when everything submitted so far is in the tables; rejects when one more try has failed. */
  flush(): Promise<void>;
  /** Flushes, and ends the projection's thread if it has one. */
  close(): Promise<void>;
  /**
   * Empties the tables; only while no caller waits and no other thread writes them. The next events must start at
   * sequence 1.
   */
  clear(): Promise<void>;
}

interface Waiter {
  readonly sequence: number;
  /** Runs between two writes; receives the reason when the tables cannot get there for now. */
  readonly run: (failure?: unknown) => Promise<void>;
}

const QUEUE_BYTES_MAX = 64 << 20;
const TRANSACTION_EVENTS = 60_000;
const PAUSE_MS = 800;
const RETRY_MS = [100, 15_000] as const;

export async function openProjection(options: ProjectionOptions): Promise<Projection> {
  const store = projectionStore(options.kysely);
  const cursor = await store.readCursor();
  const { thread, projectors } = options;
  const writer = thread === undefined ? localWriter(store, projectors) : await openProjectionThread(thread);
  return new SqlProjection(options, store, writer, cursor);
}

class SqlProjection implements Projection {
  readonly #store: ProjectionStore;
  readonly #writer: ProjectionWriter;
  readonly #options: ProjectionOptions;
  readonly #queueBytesMax: number;
  readonly #transactionBytes: number;
  #cursor: CursorRow | undefined;
  #queue: EventBatch[] = [];
  #waitingBytes = 0;
  #journal = "";
  #writing: Promise<void> | undefined;
  readonly #trouble: Trouble;
  /** Where a write that may have happened would have left the tables. */
  #triedSequence: number | undefined;
  #roomWaiters: (() => void)[] = [];
  #waiters: Waiter[] = [];
  /** Ends a pause early. */
  #wake: (() => void) | undefined;
  #hurry = false;

  constructor(
    options: ProjectionOptions,
    store: ProjectionStore,
    writer: ProjectionWriter,
    cursor: CursorRow | undefined,
  ) {
    this.#options = options;
    this.#store = store;
    this.#writer = writer;
    this.#cursor = cursor;
    this.#queueBytesMax = options.queueBytesMax ?? QUEUE_BYTES_MAX;
    this.#transactionBytes = (options.transactionEvents ?? TRANSACTION_EVENTS) * EVENT_BYTES;
    this.#trouble = new Trouble(options.retryMs ?? RETRY_MS);
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

  get trouble(): TroubleReading | undefined {
    return this.#trouble.read();
  }

  readonly listen = (batch: EventBatch): void | Promise<void> => {
    if (this.#trouble.isFinal) return;
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
    read: (rows: ReadRows) => Promise<Value>,
  ): Promise<{ readonly sequence: number; readonly value: Value }> {
    return new Promise((resolve, reject) => {
      const run = async (failure?: unknown): Promise<void> => {
        if (failure !== undefined) reject(failure);
        else {
          await read(this.#store.read).then((value) => resolve({ sequence: this.sequence, value }), reject);
        }
      };
      this.#waiters.push({ sequence, run });
      this.#writing ??= this.#drain();
      this.#wake?.();
    });
  }

  /** All callers whose sequence the tables now hold read at once, before the next write. */
  async #runWaiters(): Promise<void> {
    if (this.#waiters.length === 0) return;
    const due = this.#dueWaiters();
    this.#waiters = this.#waiters.filter((waiter) => !due.includes(waiter));
    const fault = this.#trouble.fault();
    await Promise.all(due.map(({ sequence, run }) => run(this.#isThere(sequence) ? undefined : fault)));
  }

  /** While writing fails no caller is blocked: what the tables hold is read, what they lack is refused. */
  #dueWaiters(): Waiter[] {
    return this.#waiters.filter(({ sequence }) => this.#isThere(sequence) || this.#trouble.fault() !== undefined);
  }

  #isThere(sequence: number): boolean {
    return sequence <= this.sequence && !this.#trouble.isFinal;
  }

  async flush(): Promise<void> {
    this.#hurry = true;
    this.#wake?.();
    if (this.#queue.length > 0) this.#writing ??= this.#drain();
    while (this.#writing !== undefined) await this.#writing;
    this.#hurry = false;
    const fault = this.#trouble.fault();
    if (fault !== undefined) throw fault.cause ?? fault;
  }

  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      await this.#writer.close();
    }
  }

  async clear(): Promise<void> {
    await this.flush();
    await this.#store.clear(this.#options.projectors.projectors.flatMap(({ tables }) => tables));
    this.#writer.remove();
    this.#cursor = undefined;
  }

  async #drain(): Promise<void> {
    try {
      for (;;) {
        await this.#runWaiters();
        // Callers that arrived during a read are answered too, before the loop rests.
        if (this.#queue.length === 0 && this.#dueWaiters().length > 0) continue;
        if (this.#queue.length === 0) break;
        await this.#pause();
        const wasHurried = this.#hurry;
        try {
          await this.#writeSome();
        } catch (error) {
          if (!(await this.#endure(error, wasHurried))) break;
        }
      }
    } finally {
      this.#writing = undefined;
    }
  }

  async #writeSome(): Promise<void> {
    if (this.#triedSequence !== undefined) await this.#pollAgain(this.#triedSequence);
    let bytes = 0;
    let count = 0;
    while (count < this.#queue.length && (count === 0 || bytes < this.#transactionBytes)) {
      bytes += this.#queue[count]?.bytes.length ?? 0;
      count++;
    }
    const batches = this.#queue.slice(0, count);
    this.#triedSequence = batches.at(-1)?.lastSequence;
    this.#cursor = await this.#writer.write({ journal: this.#journal, from: this.#cursor, batches });
    this.#triedSequence = undefined;
    this.#queue.splice(0, count);
    this.#waitingBytes -= bytes;
    const trouble = this.#trouble.end();
    if (trouble !== undefined) this.#options.onLevel?.(trouble);
    if (this.#waitingBytes <= this.#queueBytesMax) this.#makeRoom();
  }

  /** After a failed try: a commit whose response was lost may have happened; any other change is a conflict. */
  async #pollAgain(triedSequence: number): Promise<void> {
    const found = await this.#store.readCursor();
    if (found?.sequence === this.#cursor?.sequence && found?.journal === this.#cursor?.journal) return;
    const isOurs = found?.journal === this.#journal && found.sequence === triedSequence;
    if (!isOurs) throw new ProjectionConflict(this.sequence);
    this.#cursor = found;
  }

  /** Waits longer after every failed try; false when nothing is to be tried again now. */
  async #endure(error: unknown, wasHurried: boolean): Promise<boolean> {
    const isFinal = !isPassing(error);
    const waitMs = this.#trouble.note(error, isFinal);
    if (isFinal) {
      // The tables are as the last transaction left them; a restart resumes at their cursor.
      this.#queue = [];
      this.#waitingBytes = 0;
      this.#makeRoom();
    }
    this.#options.onFault?.(error, this.#trouble.read() as TroubleReading);
    const untilMs = measureMs() + waitMs;
    for (;;) {
      await this.#runWaiters();
      const leftMs = untilMs - measureMs();
      if (isFinal || wasHurried) return false;
      if (leftMs <= 0 || this.#hurry) return true;
      await this.#sleep(leftMs);
    }
  }

  /** Collects events, unless a caller waits for them or enough are here. */
  async #pause(): Promise<void> {
    const pauseMs = this.#options.pauseMs ?? PAUSE_MS;
    const isHurried = (): boolean => this.#hurry || this.#waiters.length > 0;
    if (pauseMs === 0 || isHurried() || this.#waitingBytes >= this.#transactionBytes) return;
    if (this.#trouble.fault() === undefined) await this.#sleep(pauseMs);
  }

  /** Until then, or until woken. */
  async #sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
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
}
