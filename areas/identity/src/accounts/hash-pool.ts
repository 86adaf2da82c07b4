// Passwords hashed and checked by a few low-priority threads behind a bounded queue. Owns the queue's length; callers
// beyond it get a retry time. Never hashes on the event loop and never skips the work: an unknown account costs as much
// as an existing one.

import { Worker } from "node:worker_threads";
import { later } from "@clockwork/host/time/background";
import { measureMs } from "@clockwork/host/time/measure";
import type { RetryAfter } from "../attempts/rules.ts";
import type { Passwords } from "../codes/checks.ts";
import type { HashAnswer, HashTask, HashThread } from "./hash-task.ts";

export interface HashPool extends Passwords {
  readonly waiting: number;
  /** Running threads. */
  readonly threads: number;
  close(): Promise<void>;
}

export interface HashPoolOptions {
  readonly threads: number;
  readonly waitingMax: number;
  /** The longest expected wait; callers beyond it are refused. */
  readonly waitMaxMs: number;
  /** A thread idle for this long ends and frees some 20 MB; the next password starts it again. */
  readonly restMs: number;
  /** Run only on otherwise idle processor time. */
  readonly givesWay: boolean;
}

type Work = { readonly kind: "hash"; readonly password: string } | Omit<HashTask & { kind: "verify" }, "id">;

interface Waiting {
  readonly work: Work;
  readonly resolve: (value: boolean | string) => void;
  readonly reject: (error: Error) => void;
}

interface Lane {
  /** Undefined while idle. */
  worker: Worker | undefined;
  rest: NodeJS.Timeout | undefined;
  current: Waiting | undefined;
  startedMs: number;
}

const DEFAULTS: HashPoolOptions = { threads: 2, waitingMax: 2000, waitMaxMs: 45_000, restMs: 20_000, givesWay: true };
const FIRST_GUESS_MS = 40;

export async function openHashPool(options: Partial<HashPoolOptions> = {}): Promise<HashPool> {
  const pool = new ThreadPool({ ...DEFAULTS, ...options });
  await pool.prepare();
  return pool;
}

class ThreadPool implements HashPool {
  readonly #options: HashPoolOptions;
  readonly #lanes: Lane[] = [];
  readonly #queue: Waiting[] = [];
  #tookMs = FIRST_GUESS_MS;
  #nextId = 1;
  #closed = false;
  #nobody = "";

  constructor(options: HashPoolOptions) {
    this.#options = options;
    for (let lane = 0; lane < options.threads; lane += 1) {
      this.#lanes.push({ worker: undefined, rest: undefined, current: undefined, startedMs: 0 });
    }
  }

  async prepare(): Promise<void> {
    const nobody = await this.#add({ kind: "hash", password: crypto.randomUUID() });
    this.#nobody = String(nobody);
  }

  get waiting(): number {
    return this.#queue.length;
  }

  get threads(): number {
    return this.#lanes.filter(({ worker }) => worker !== undefined).length;
  }

  async hash(password: string): Promise<string | RetryAfter> {
    const busy = this.busy();
    return busy ?? String(await this.#add({ kind: "hash", password }));
  }

  async verify(password: string, hash: string | undefined): Promise<boolean | RetryAfter> {
    const busy = this.busy();
    if (busy !== undefined) return busy;
    const isRight = await this.#add({ kind: "verify", password, hash: hash ?? this.#nobody });
    return isRight === true && hash !== undefined;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const error = new Error("the hash pool is closed");
    for (const { reject } of this.#queue.splice(0)) reject(error);
    for (const { current } of this.#lanes) current?.reject(error);
    for (const { rest } of this.#lanes) clearTimeout(rest);
    await Promise.all(this.#lanes.map(({ worker }) => worker?.terminate()));
  }

  busy(ahead = 0): RetryAfter | undefined {
    const waiting = this.#queue.length + ahead;
    const waitMs = ((waiting + 1) * this.#tookMs) / this.#options.threads;
    if (waiting < this.#options.waitingMax && waitMs <= this.#options.waitMaxMs) return undefined;
    return { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 2000)) };
  }

  #add(work: Work): Promise<boolean | string> {
    if (this.#closed) return Promise.reject(new Error("the hash pool is closed"));
    return new Promise((resolve, reject) => {
      this.#queue.push({ work, resolve, reject });
      for (const index of this.#lanes.keys()) this.#feed(index);
    });
  }

  #feed(index: number): void {
    const lane = this.#lanes[index];
    if (lane === undefined || lane.current !== undefined || this.#closed) return;
    const next = this.#queue.shift();
    if (next === undefined) return;
    clearTimeout(lane.rest);
    lane.worker ??= this.#spawn(index);
    lane.current = next;
    lane.startedMs = measureMs();
    lane.worker.postMessage({ ...next.work, id: this.#nextId } satisfies HashTask);
    this.#nextId += 1;
  }

  #spawn(index: number): Worker {
    const workerData: HashThread = { givesWay: this.#options.givesWay };
    const worker = new Worker(new URL("./hash-worker.ts", import.meta.url), { name: `hash-${index}`, workerData });
    worker.unref();
    worker.on("message", (answer: HashAnswer) => this.#settle(index, answer));
    // A lost thread fails only its current password and is replaced; the queue continues.
    worker.on("error", (error) => this.#replace(index, error instanceof Error ? error : new Error(String(error))));
    return worker;
  }

  #settle(index: number, { value, fault }: HashAnswer): void {
    const lane = this.#lanes[index];
    if (lane?.current === undefined) return;
    const { resolve, reject } = lane.current;
    lane.current = undefined;
    this.#tookMs += (measureMs() - lane.startedMs - this.#tookMs) / 8;
    if (value === undefined) reject(new Error(fault ?? "the hash failed"));
    else resolve(value);
    this.#feed(index);
    if (lane.current === undefined) this.#restLater(lane);
  }

  #restLater(lane: Lane): void {
    clearTimeout(lane.rest);
    lane.rest = later(
      "accounts.hash.rest",
      () => {
        void lane.worker?.terminate();
        lane.worker = undefined;
      },
      this.#options.restMs,
    );
    lane.rest.unref();
  }

  #replace(index: number, error: Error): void {
    const lane = this.#lanes[index];
    if (lane === undefined || this.#closed) return;
    lane.current?.reject(error);
    lane.current = undefined;
    lane.worker = undefined;
    this.#feed(index);
  }
}
