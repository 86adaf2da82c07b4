// The main thread's end of the thread that works hours of rebates out. Must never let it write outside a turn of the
// database's session, nor ask a second thing before the first is answered.
import { Worker } from "node:worker_threads";
import type { HourPayers, HourPlanner, HourWork } from "@clockwork/domains/invite/hour-service";
import type { Aside } from "../storage/database.ts";
import type { HourReply, HourRequest } from "./hour-worker.ts";

/** Less is not worth a thread. */
export const ROWS_MIN = 2_000;

export class HourThread implements HourPlanner {
  readonly #aside: Aside;
  readonly #worker: Worker;
  #answer = Promise.withResolvers<HourReply>();
  #isOver = false;

  constructor(aside: Aside) {
    this.#aside = aside;
    // Nobody waits for the first answer yet; whoever asks next hears of its end.
    this.#answer.promise.catch(() => undefined);
    this.#worker = new Worker(new URL("./hour-worker.ts", import.meta.url), {
      workerData: aside.setup,
      name: "rebates",
      // An hour's rows live until it is written: in a small nursery they would be copied several times, on threads whose
      // priority is everybody's.
      resourceLimits: { maxYoungGenerationSizeMb: 96 },
    });
    this.#worker.on("message", (reply: HourReply) => this.#answer.resolve(reply));
    this.#worker.on("error", (error) => this.#answer.reject(error));
    this.#worker.on("exit", (code) => {
      this.#isOver = true;
      this.#answer.reject(new Error(`the thread of rebates ended with code ${code}`));
    });
  }

  async listPayers(hour: number): Promise<HourPayers> {
    const reply = await this.#ask({ kind: "list", hour });
    if (reply.kind !== "listed") throw new Error(`the thread of rebates answered ${reply.kind} to a list`);
    return reply.payers;
  }

  async plan(work: HourWork): Promise<void> {
    await this.#ask({ kind: "reckon", work });
    await this.#aside.turn(() => this.#ask({ kind: "write" }));
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    // Its end is no failure.
    this.#answer.promise.catch(() => undefined);
    const ended = new Promise((resolve) => this.#worker.once("exit", resolve));
    this.#worker.postMessage({ kind: "close" } satisfies HourRequest);
    await ended;
  }

  async #ask(request: HourRequest): Promise<HourReply> {
    if (this.#isOver) throw new Error("the thread of rebates has ended");
    this.#answer = Promise.withResolvers();
    this.#worker.postMessage(request);
    const reply = await this.#answer.promise;
    if (reply.kind === "failed") throw new Error(reply.message);
    return reply;
  }
}
