// A helper process, at a low priority by default, that is restarted when it dies, with requests and responses over its
// channel. While it is unavailable callers fail at once or after their timeout.
import { type ChildProcess, fork } from "node:child_process";
import { constants, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { later } from "@clockwork/host/time/background";
import { measureMs } from "@clockwork/host/time/measure";

const RESTART_MS = 500;
const POLL_MS = 50;
const ANSWER_MS_MAX = 20_000;

export interface ChildOptions<Ready> {
  readonly module: URL;
  readonly flags: readonly string[];
  readonly start: () => object;
  readonly isIdle: boolean;
  /** Every message that is no response; the first `ready` starts the work. */
  readonly onReady: (ready: Ready) => void;
  readonly onMessage?: (message: unknown) => void;
  readonly onGone: (code: number | null) => void;
}

interface Answer {
  readonly kind: "answer";
  readonly id: number;
  readonly wrong?: string;
}

/** It is not running, or ended before it answered. */
export class ChildGone extends Error {}
/** The process is running and has not answered yet; the request may still take effect. */
export class ChildSlow extends Error {}

export interface Timeout {
  /** For it to be there. */
  readonly readyMs: number;
  readonly answerMs: number;
}

export class HelperProcess<Ask extends object, Ready extends object, Reply extends object> {
  readonly #options: ChildOptions<Ready>;
  readonly #waiting = new Map<number, { resolve: (answer: Reply) => void; reject: (error: Error) => void }>();
  #child: ChildProcess | undefined;
  #isReady = false;
  #isClosed = false;
  #nextId = 1;

  constructor(options: ChildOptions<Ready>) {
    this.#options = options;
  }

  start(): void {
    if (this.#isClosed) return;
    const { module, flags, start } = this.#options;
    const child = fork(module, [], {
      execArgv: [...flags],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      // The environment holds secrets and is not passed on.
      env: {},
    });
    this.#child = child;
    if (this.#options.isIdle) lowerPriority(child.pid);
    child.on("message", (message) => this.#receive(message as Answer | Ready));
    child.on("error", () => undefined);
    child.on("exit", (code) => this.#lose(child, code));
    child.send({ start: start() }, () => undefined);
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  async ask(ask: Ask, { readyMs, answerMs }: Timeout = { readyMs: 0, answerMs: ANSWER_MS_MAX }): Promise<Reply> {
    const endMs = measureMs() + readyMs;
    while (!this.#isReady && !this.#isClosed && measureMs() < endMs) await sleep(POLL_MS);
    return this.#send(ask, answerMs);
  }

  #send(ask: Ask, answerMs: number): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const child = this.#child;
      if (child === undefined || !this.#isReady) {
        reject(new ChildGone("the process is not there"));
        return;
      }
      const id = this.#nextId;
      this.#nextId += 1;
      const late = later(
        "chain.late",
        () => this.#waiting.get(id)?.reject(new ChildSlow("no answer in time")),
        answerMs,
      );
      const end = (): void => {
        clearTimeout(late);
        this.#waiting.delete(id);
      };
      this.#waiting.set(id, {
        resolve: (answer) => {
          end();
          resolve(answer);
        },
        reject: (error) => {
          end();
          reject(error);
        },
      });
      child.send({ id, ask }, (error) => {
        if (error !== null) this.#waiting.get(id)?.reject(new ChildGone(error.message));
      });
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#child?.kill("SIGTERM");
  }

  #receive(message: Answer | (Ready & { readonly kind?: string })): void {
    if (message.kind === "answer") {
      const { id, wrong } = message as Answer;
      const waiting = this.#waiting.get(id);
      if (wrong === undefined) waiting?.resolve(message as unknown as Reply);
      else waiting?.reject(new Error(wrong));
      return;
    }
    if (message.kind === "ready") {
      this.#isReady = true;
      this.#options.onReady(message as Ready);
      return;
    }
    this.#options.onMessage?.(message);
  }

  #lose(child: ChildProcess, code: number | null): void {
    if (child !== this.#child) return;
    this.#child = undefined;
    this.#isReady = false;
    for (const { reject } of [...this.#waiting.values()]) reject(new ChildGone("the process ended"));
    if (this.#isClosed) return;
    this.#options.onGone(code);
    sleep(RESTART_MS, undefined, { ref: false }).then(
      () => this.start(),
      () => undefined,
    );
  }
}

/** Trading comes first. */
function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already, or the system does not permit it.
  }
}
