// The main thread's end of the projection's thread: sends a run of events, waits for its commit. Must never let it write
// outside a turn of the database's session, nor send a second run before the first is answered.
import { Worker } from "node:worker_threads";
import type { Aside } from "../../storage/database.ts";
import { DatabaseFault } from "../../storage/fault.ts";
import type { BatchPlace, ProjectionReply, ProjectionRequest } from "./messages.ts";
import type { CursorRow } from "./store.ts";
import type { ProjectionWork, ProjectionWriter } from "./writer.ts";

export interface ThreadPlace {
  /** The database's turns to write. */
  readonly aside: Aside;
  /** The thread's entry, which imports the registered projectors. */
  readonly worker: URL;
}

export async function openProjectionThread(place: ThreadPlace): Promise<ProjectionWriter> {
  const thread = new ProjectionThread(place);
  await thread.ready;
  return thread;
}

class ProjectionThread implements ProjectionWriter {
  readonly #aside: Aside;
  readonly #worker: Worker;
  #answer = Promise.withResolvers<CursorRow | undefined>();
  #ended = false;
  readonly ready: Promise<unknown>;

  constructor({ aside, worker }: ThreadPlace) {
    this.#aside = aside;
    this.#worker = new Worker(worker, { workerData: aside.setup, name: "projection" });
    this.ready = this.#answer.promise;
    this.#worker.on("message", (reply: ProjectionReply) => this.#receive(reply));
    this.#worker.on("error", (error) => this.#answer.reject(error));
    this.#worker.on("exit", (code) => {
      this.#ended = true;
      this.#answer.reject(new Error(`the projection's thread ended with code ${code}`));
    });
  }

  write(work: ProjectionWork): Promise<CursorRow | undefined> {
    return this.#aside.turn(() => {
      if (this.#ended) throw new Error("the projection's thread has ended");
      this.#answer = Promise.withResolvers();
      const request = joinBatches(work);
      this.#worker.postMessage(request, [request.bytes.buffer as ArrayBuffer]);
      return this.#answer.promise;
    });
  }

  remove(): void {
    throw new Error("the tables are emptied by whoever writes them itself");
  }

  async close(): Promise<void> {
    if (this.#ended) return;
    // No caller waits for a response any more; its end is no failure.
    this.#answer.promise.catch(() => undefined);
    const ended = new Promise((resolve) => this.#worker.once("exit", resolve));
    this.#worker.postMessage("close");
    await ended;
  }

  #receive(reply: ProjectionReply): void {
    if (reply.kind === "ready") this.#answer.resolve(undefined);
    else if (reply.kind === "written") this.#answer.resolve(reply.cursor);
    else if (reply.fault !== undefined) this.#answer.reject(new DatabaseFault(reply.fault, reply.message));
    else this.#answer.reject(Object.assign(new Error(reply.message), { name: reply.name }));
  }
}

/** One copy of all events, transferred; the batches themselves are still being read elsewhere. */
function joinBatches({ journal, from, batches }: ProjectionWork): ProjectionRequest {
  const bytes = new Uint8Array(batches.reduce((sum, batch) => sum + batch.bytes.length, 0));
  const places: { -readonly [Member in keyof BatchPlace]: BatchPlace[Member] }[] = [];
  let at = 0;
  for (const { firstSequence, lastSequence, timeBeforeMs, bytes: own } of batches) {
    bytes.set(own, at);
    at += own.length;
    const before = places.at(-1);
    // Contiguous batches become one: its time follows from the events before it.
    if (before !== undefined && firstSequence === before.lastSequence + 1) {
      before.lastSequence = lastSequence;
      before.bytes += own.length;
    } else places.push({ firstSequence, lastSequence, timeBeforeMs, bytes: own.length });
  }
  return { journal, from, batches: places, bytes };
}
