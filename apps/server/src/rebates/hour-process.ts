// The server's end of the process that computes hours of rebates. Must never let it write outside a turn of the
// database's session, nor send a second request before the first is answered.
import { type ChildProcess, fork } from "node:child_process";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { HourPayers, HourPlanner, HourWork } from "@clockwork/growth/invite/hour-service";
import type { Aside } from "@clockwork/host/part";
import type { HourReply, HourRequest } from "./hour-worker.ts";

/**
 * One thread for everything: V8's helper threads for garbage collection and compilation run at normal priority. An
 * hour's rows live until it is written, and a small nursery would copy them several times.
 */
const FLAGS = ["--single-threaded", "--max-semi-space-size=48"];
const NICE = 19;

export class HourProcess implements HourPlanner {
  readonly #aside: Aside;
  readonly #child: ChildProcess;
  #answer = Promise.withResolvers<HourReply>();
  #isOver = false;

  constructor(aside: Aside) {
    this.#aside = aside;
    // Avoids an unhandled rejection: the first caller awaits it later.
    this.#answer.promise.catch(() => undefined);
    this.#child = fork(fileURLToPath(new URL("./hour-worker.ts", import.meta.url)), [JSON.stringify(aside.setup)], {
      execArgv: FLAGS,
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      // Settings contain secrets; the process receives none of them.
      env: {},
    });
    giveWay(this.#child.pid);
    this.#child.on("message", (reply) => this.#answer.resolve(reply as HourReply));
    this.#child.on("error", (error) => this.#end(error));
    this.#child.on("exit", (code, signal) =>
      this.#end(new Error(`the process of rebates ended with ${signal ?? `code ${code}`}`)),
    );
  }

  async listPayers(hour: number): Promise<HourPayers> {
    const reply = await this.#ask({ kind: "list", hour });
    if (reply.kind !== "listed") throw new Error(`the process of rebates answered ${reply.kind} to a list`);
    return reply.payers;
  }

  async plan(work: HourWork): Promise<void> {
    await this.#ask({ kind: "compute", work });
    await this.#aside.turn(() => this.#ask({ kind: "write" }));
  }

  async close(): Promise<void> {
    if (this.#isOver) return;
    // Its end is no failure.
    this.#answer.promise.catch(() => undefined);
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.disconnect();
    await ended;
  }

  async #ask(request: HourRequest): Promise<HourReply> {
    if (this.#isOver) throw new Error("the process of rebates has ended");
    this.#answer = Promise.withResolvers();
    this.#child.send(request, (error) => {
      if (error !== null) this.#answer.reject(error);
    });
    const reply = await this.#answer.promise;
    if (reply.kind === "failed") throw new Error(reply.message);
    return reply;
  }

  #end(error: Error): void {
    this.#isOver = true;
    this.#answer.reject(error);
  }
}

/** Rebates may be late, answers may not. */
function giveWay(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, NICE);
  } catch {
    // It has ended already, or it is forbidden here: then they share.
  }
}
