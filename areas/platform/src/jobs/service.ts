// Runs named jobs when they are due by the clock: each due time once, one run of a job at a time, on the leader only;
// missed runs are made up for, failed ones retried with growing delays.

import type { Job, JobPeriod, Jobs } from "@clockwork/host/job";
import { assert } from "@clockwork/kit/assert";
import type { JobNeeds } from "./needs.ts";
import { lastDueMs, nextDueMs, requireName, retryMs, type Steps, stepsOf } from "./rules.ts";
import type { JobRow, JobStore } from "./store.ts";

/** The lease of a lost holder; a running one renews it three times in between. */
const LEASE_MS = 15_000;
/** A process that does not lead, or could not read, retries after this. */
const POLL_MS = 5_000;
const ERROR_LENGTH_MAX = 500;

export class JobService implements Jobs {
  readonly #store: JobStore;
  readonly #needs: JobNeeds;
  readonly #runners = new Map<string, Runner>();
  #isStarted = false;

  constructor({ store, needs }: { readonly store: JobStore; readonly needs: JobNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  add(job: Job): void {
    requireName(job.name);
    assert(!this.#runners.has(job.name) && !this.#isStarted, "JOB-1", `${job.name} is added twice or too late`);
    this.#runners.set(job.name, new Runner(job, this.#store, this.#needs));
  }

  start(): void {
    this.#isStarted = true;
    for (const runner of this.#runners.values()) runner.wake();
  }

  /** Resolves when the runs under way have ended; none starts any more. */
  async close(): Promise<void> {
    await Promise.all([...this.#runners.values()].map((runner) => runner.close()));
  }
}

class Runner {
  readonly #job: Job;
  readonly #steps: Steps;
  readonly #store: JobStore;
  readonly #needs: JobNeeds;
  #callOff: () => void = () => undefined;
  #turning: Promise<void> | undefined;
  #isClosed = false;

  constructor(job: Job, store: JobStore, needs: JobNeeds) {
    this.#job = job;
    this.#steps = stepsOf(job.schedule);
    this.#store = store;
    this.#needs = needs;
  }

  wake(): void {
    if (this.#isClosed || this.#turning !== undefined) return;
    this.#turning = this.#turn()
      .catch((error: unknown) => {
        this.#needs.onFault(error);
        return this.#needs.clock.now() + POLL_MS;
      })
      .then((againAtMs) => {
        this.#turning = undefined;
        if (!this.#isClosed) this.#callOff = this.#needs.clock.at(againAtMs, () => this.wake());
      });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#callOff();
    await this.#turning;
  }

  /** Runs all that is due; answers when to look again. */
  async #turn(): Promise<number> {
    const { clock, isLeader } = this.#needs;
    const { name, missed = "each" } = this.#job;
    for (;;) {
      const nowMs = clock.now();
      if (this.#isClosed || !isLeader()) return nowMs + POLL_MS;
      const row = await this.#store.open(name, lastDueMs(this.#steps, nowMs));
      const dueMs = nextDueMs(this.#steps, missed, row.last_due_ms, nowMs);
      if (dueMs > nowMs) return dueMs;
      if (row.retry_at_ms > nowMs) return row.retry_at_ms;
      const isMine = await this.#store.claim(row, this.#needs.holder, nowMs, nowMs + LEASE_MS);
      if (!isMine) return nowMs + POLL_MS;
      await this.#run(row, dueMs);
    }
  }

  async #run(row: JobRow, dueMs: number): Promise<void> {
    const { clock, holder } = this.#needs;
    const { name } = row;
    const startedMs = this.#needs.measureMs();
    const hold = (): void =>
      void this.#store.hold(name, holder, clock.now() + LEASE_MS).catch((error: unknown) => this.#needs.onFault(error));
    const stopHolding = clock.every(LEASE_MS / 3, hold);
    const period: JobPeriod = { dueMs, previousMs: row.last_due_ms, key: `${name}:${new Date(dueMs).toISOString()}` };
    const fault = await this.#job.run(period).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    stopHolding();
    const tookMs = Math.round(this.#needs.measureMs() - startedMs);
    const failures = fault === undefined ? 0 : row.failures + 1;
    if (fault === undefined) {
      const isKept = await this.#store.complete(name, holder, { dueMs, ranAtMs: clock.now(), tookMs });
      if (!isKept) this.#needs.onFault(new Error(`${name} lost its claim while it ran`));
      this.#needs.onRun({ job: name, outcome: "done", dueMs, tookMs, failures });
    } else {
      const text = String(fault.error).slice(0, ERROR_LENGTH_MAX);
      this.#needs.onRun({ job: name, outcome: "failed", dueMs, tookMs, failures, error: fault.error });
      await this.#store.fail(name, holder, failures, clock.now() + retryMs(failures), text);
    }
  }
}
