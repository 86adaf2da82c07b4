// The caller on whose behalf tables are read: readers share their time among callers by it, and reads are charged to
// it.
import { AsyncLocalStorage } from "node:async_hooks";

export interface ReadingCaller {
  /** A user, an address or a job; calls with the same key have one share together. */
  readonly key: string;
  /** Milliseconds of readers' time used so far. */
  spentMs: number;
}

const storage = new AsyncLocalStorage<ReadingCaller>();

/** All reads within are charged to this caller. */
export function readFor<Result>(caller: ReadingCaller, work: () => Result): Result {
  return storage.run(caller, work);
}

/** Undefined where the process reads for itself. */
export function readingCaller(): ReadingCaller | undefined {
  return storage.getStore();
}
