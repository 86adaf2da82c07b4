// Several reading threads with a fair share of them per caller. A message to a thread holds statements of one caller
// alone, a caller has one thread at a time, and callers whose statements are slow never have the last thread: a quick
// statement waits for other quick ones and for nothing else.

import { type ReadingCaller, readingCaller } from "@clockwork/host/reading";
import { DatabaseFault } from "./fault.ts";
import type { StatementResult } from "./sqlite-messages.ts";
import type { SqliteThread, StatementText } from "./sqlite-thread.ts";

export const READERS_MAX = 4;
/** Statements of one caller in one message. */
const BATCH_MAX = 64;
/** What a message should take: the slower a caller's statements, the fewer of them in one. */
const BATCH_MS = 4;
/** Above this mean a caller is slow. */
const SLOW_MS = 8;
/** What a statement counts at least. */
const LEAST_MS = 0.02;
const WAITING_MAX = 20_000;
/** Slow callers that are remembered while they read nothing. */
const REMEMBERED_MAX = 2_000;
/** How much of the mean the newest statement is. */
const NEWEST_SHARE = 0.3;

interface Waiting {
  readonly statement: StatementText;
  readonly caller: ReadingCaller | undefined;
  resolve(results: readonly StatementResult[]): void;
  reject(error: unknown): void;
}

/** The statements of one caller. */
interface Lane {
  readonly key: string;
  readonly waiting: Waiting[];
  running: number;
  /** Time used, counted from what the others had used when it came: the least goes first. */
  usedMs: number;
  meanMs: number;
}

interface Reader {
  readonly thread: SqliteThread;
  lane: Lane | undefined;
}

/** What the process reads for itself, in no caller's name; it may have all threads but one. */
const HOUSE = "";

export class SqliteReaders {
  readonly #open: () => Promise<SqliteThread>;
  readonly #readers: Reader[];
  readonly #lanes = new Map<string, Lane>();
  /** Those with statements waiting. */
  readonly #ready = new Set<Lane>();
  #opening: Promise<void> | undefined;
  #waiting = 0;
  /** What a caller that always had something waiting would have used by now. */
  #clockMs = 0;
  #isClosing = false;

  /** The first thread exists from the start; others are opened when a caller waits for one. */
  constructor(first: SqliteThread, open: () => Promise<SqliteThread>) {
    this.#readers = [{ thread: first, lane: undefined }];
    this.#open = open;
  }

  get threads(): number {
    return this.#readers.length;
  }

  read(statement: StatementText): Promise<readonly StatementResult[]> {
    if (this.#isClosing) return Promise.reject(new DatabaseFault("unavailable", "the database is closed"));
    if (this.#waiting >= WAITING_MAX) {
      return Promise.reject(new DatabaseFault("overloaded", `${WAITING_MAX} statements are already waiting`));
    }
    const caller = readingCaller();
    return new Promise((resolve, reject) => {
      const lane = this.#laneOf(caller?.key ?? HOUSE);
      lane.waiting.push({ statement, caller, resolve, reject });
      this.#waiting += 1;
      if (lane.waiting.length > 1) return;
      this.#ready.add(lane);
      // Requests of the same caller in this turn share a message.
      queueMicrotask(() => this.#dispatch());
    });
  }

  dropStatements(): void {
    for (const { thread } of this.#readers) thread.dropStatements();
  }

  async ping(): Promise<void> {
    await Promise.all(this.#readers.map(({ thread }) => thread.run("inside", [])));
  }

  /** Answers what is being read and what waits, then ends the threads. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#opening;
    while (this.#waiting > 0 && this.#ready.size > 0) {
      const next = [...this.#ready][0];
      const batch = next?.waiting.splice(0) ?? [];
      if (next !== undefined) this.#ready.delete(next);
      this.#waiting -= batch.length;
      for (const one of batch) {
        this.#readers[0]?.thread.run("alone", [one.statement]).then(one.resolve, one.reject);
      }
    }
    await Promise.all(this.#readers.map(({ thread }) => thread.close()));
  }

  #laneOf(key: string): Lane {
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      lane = { key, waiting: [], running: 0, usedMs: this.#clockMs, meanMs: 0 };
      this.#lanes.set(key, lane);
    } else if (lane.waiting.length === 0 && lane.running === 0) {
      lane.usedMs = Math.max(lane.usedMs, this.#clockMs);
    }
    return lane;
  }

  #dispatch(): void {
    if (this.#isClosing) return;
    for (;;) {
      const reader = this.#readers.find(({ lane }) => lane === undefined);
      const lane = this.#choose();
      if (lane === undefined) return;
      if (reader === undefined) {
        this.#openAnother();
        return;
      }
      this.#send(reader, lane);
    }
  }

  /** The one that has used least of those that may have a thread now. */
  #choose(): Lane | undefined {
    const slowMax = READERS_MAX - 1;
    const slow = this.#readers.filter(({ lane }) => lane !== undefined && lane.meanMs >= SLOW_MS).length;
    let chosen: Lane | undefined;
    for (const lane of this.#ready) {
      if (lane.running >= (lane.key === HOUSE ? slowMax : 1)) continue;
      if (lane.meanMs >= SLOW_MS && slow >= slowMax) continue;
      if (chosen === undefined || lane.usedMs < chosen.usedMs) chosen = lane;
    }
    return chosen;
  }

  #send(reader: Reader, lane: Lane): void {
    const size = Math.max(1, Math.min(BATCH_MAX, Math.floor(BATCH_MS / Math.max(lane.meanMs, LEAST_MS))));
    const batch = lane.waiting.splice(0, size);
    if (lane.waiting.length === 0) this.#ready.delete(lane);
    this.#waiting -= batch.length;
    reader.lane = lane;
    lane.running += 1;
    let left = batch.length;
    for (const { statement, caller, resolve, reject } of batch) {
      reader.thread
        .runMeasured("alone", [statement])
        .then(({ results, ms }) => {
          const usedMs = Math.max(ms, LEAST_MS);
          lane.usedMs += usedMs;
          this.#clockMs += usedMs / this.#countActive();
          lane.meanMs += (ms - lane.meanMs) * NEWEST_SHARE;
          if (caller !== undefined) caller.spentMs += ms;
          resolve(results);
        }, reject)
        .finally(() => {
          left -= 1;
          if (left > 0) return;
          reader.lane = undefined;
          lane.running -= 1;
          this.#rest(lane);
          this.#dispatch();
        });
    }
  }

  #countActive(): number {
    const busy = this.#readers.filter(({ lane }) => lane !== undefined && !this.#ready.has(lane)).length;
    return Math.max(1, busy + this.#ready.size);
  }

  /** Only a slow caller is remembered. */
  #rest(lane: Lane): void {
    if (lane.running > 0 || lane.waiting.length > 0 || lane.key === HOUSE) return;
    this.#lanes.delete(lane.key);
    if (lane.meanMs < SLOW_MS / 2) return;
    this.#lanes.set(lane.key, lane);
    if (this.#lanes.size <= REMEMBERED_MAX) return;
    for (const [key, { running, waiting }] of this.#lanes) {
      if (key === HOUSE || running > 0 || waiting.length > 0) continue;
      this.#lanes.delete(key);
      return;
    }
  }

  #openAnother(): void {
    if (this.#opening !== undefined || this.#readers.length >= READERS_MAX) return;
    this.#opening = this.#open()
      .then((thread) => {
        this.#readers.push({ thread, lane: undefined });
      })
      // The other threads continue; the next waiting caller tries again.
      .catch(() => undefined)
      .finally(() => {
        this.#opening = undefined;
        this.#dispatch();
      });
  }
}
