// The processes that render pages, parallel to the thread that answers orders. Gives each a bounded number of pages at
// once, queues the rest, restarts a process when it dies or no longer answers, and has its pages rendered by the next.
import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Log } from "@clockwork/host/log";
import { every, later } from "@clockwork/host/time/background";
import type { ApiCall } from "./pages-api.ts";
import type { CutPage, FromPages, PageHead, PageTask, ToPages } from "./pages-messages.ts";

export interface PageProcessesOptions {
  /** The web build's page server. */
  readonly entry: string;
  readonly keepMs: number;
  readonly log: Log;
  /** Below the priority of the parent process. */
  readonly givesWay: boolean;
  readonly count?: number;
  readonly pingMs?: number;
}

/** The server calls of a page during rendering. */
export interface PageContext {
  readonly requestId: string;
  readonly path: string;
  /** Calls the API for this page; `isShared` without the visitor's session. */
  readonly ask: (call: ApiCall, isShared: boolean) => Promise<string | undefined>;
}

export interface RenderedPage {
  readonly head: PageHead;
  /** What a visitor reads; of a shared page its pieces. */
  readonly body: PassThrough | CutPage;
  /** False when something failed while it was drawn. */
  readonly isGood: boolean;
}

export interface Rendering {
  readonly page: Promise<RenderedPage>;
  /** The reader is gone. */
  readonly leave: () => void;
}

/** Too many pages wait already, or none will be drawn any more. */
export class PagesBusy extends Error {}

/** As many wait for the API side by side; drawing itself takes turns. */
const RUNNING_MAX = 8;
const WAITING_MAX = 256;
const TRIES_MAX = 2;
const RESTART_MS = 200;
const PING_MS = 5_000;
/** Pings without a sign of life before a process is ended by force. */
const SILENT_PINGS_MAX = 6;
const EXIT_MS = 2_000;
const PROCESSES_MAX = 4;
/** As small as the server's own young generation; a page beyond the heap limit ends only its process. */
const FLAGS = ["--max-semi-space-size=8", "--max-old-space-size=512"];

interface Job {
  readonly id: number;
  readonly task: PageTask;
  readonly context: PageContext;
  readonly done: (page: RenderedPage) => void;
  readonly fail: (error: Error) => void;
  tries: number;
  /** Once the head is there; until then it may be drawn by another process. */
  body?: PassThrough;
}

interface PageProcess {
  readonly child: ChildProcess;
  readonly running: Map<number, Job>;
  isReady: boolean;
  silentPings: number;
}

export class PageProcesses {
  readonly #options: PageProcessesOptions;
  readonly #processes = new Set<PageProcess>();
  readonly #waiting: Job[] = [];
  readonly #pinging: NodeJS.Timeout;
  /** Every page on its way, also between two processes. */
  readonly #jobs = new Map<number, Job>();
  readonly #ready = Promise.withResolvers<void>();
  #wasReady = false;
  #isClosed = false;
  #idle: (() => void) | undefined;
  #nextId = 1;

  constructor(options: PageProcessesOptions) {
    this.#options = options;
    this.#ready.promise.catch(() => undefined);
    const count = options.count ?? Math.max(1, Math.min(PROCESSES_MAX, availableParallelism() - 1));
    for (let index = 0; index < count; index += 1) this.#start();
    this.#pinging = every("pages.ping", () => this.#ping(), options.pingMs ?? PING_MS);
    this.#pinging.unref();
  }

  /** Resolves when the first can draw; rejects when one ends before that. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** The processes' ids, for tests. */
  get pids(): readonly (number | undefined)[] {
    return [...this.#processes].map(({ child }) => child.pid);
  }

  render(task: PageTask, context: PageContext): Rendering {
    const id = this.#nextId;
    this.#nextId += 1;
    const { promise, resolve, reject } = Promise.withResolvers<RenderedPage>();
    if (this.#isClosed || this.#waiting.length >= WAITING_MAX) {
      reject(new PagesBusy("too many pages wait to be drawn"));
    } else {
      const job: Job = { id, task, context, done: resolve, fail: reject, tries: 0 };
      this.#jobs.set(id, job);
      this.#waiting.push(job);
      this.#feed();
    }
    return { page: promise, leave: () => this.#leave(id) };
  }

  /** Lets the pages on their way end, then the processes. */
  async close(): Promise<void> {
    if (this.#jobs.size > 0)
      await new Promise<void>((done) => {
        this.#idle = done;
      });
    this.#isClosed = true;
    clearInterval(this.#pinging);
    await Promise.all(
      [...this.#processes].map(async ({ child }) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const ended = new Promise((done) => child.once("exit", done));
        if (child.connected) child.disconnect();
        const late = later("pages.end", () => child.kill("SIGKILL"), EXIT_MS);
        await ended;
        clearTimeout(late);
      }),
    );
  }

  #start(): void {
    const { entry, keepMs, log, givesWay } = this.#options;
    const program = fileURLToPath(new URL("./pages-worker.ts", import.meta.url));
    const child = fork(program, [entry, String(keepMs), givesWay ? "low" : "normal"], {
      execArgv: FLAGS,
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      // Settings contain secrets; the process receives none of them.
      env: {},
    });
    const process: PageProcess = { child, running: new Map(), isReady: false, silentPings: 0 };
    this.#processes.add(process);
    child.on("message", (message) => this.#receive(process, message as FromPages));
    child.on("error", (error) => log.error("pages.process.failed", { error }));
    child.on("exit", (code, signal) => this.#lose(process, signal ?? `code ${code}`));
  }

  #lose(process: PageProcess, how: string): void {
    this.#processes.delete(process);
    if (this.#isClosed) return;
    this.#options.log.error("pages.process.ended", { how, pages: process.running.size });
    if (!this.#wasReady) this.#ready.reject(new Error(`the process that draws pages ended with ${how}`));
    for (const job of [...process.running.values()].reverse()) {
      if (job.body !== undefined) this.#settle(job, process, () => job.body?.destroy(new Error("the process ended")));
      else if (job.tries >= TRIES_MAX) this.#settle(job, process, () => job.fail(new PagesBusy("the process ended")));
      else this.#waiting.unshift(job);
    }
    later("pages.restart", () => this.#isClosed || this.#start(), RESTART_MS).unref();
    this.#feed();
  }

  #ping(): void {
    for (const process of this.#processes) {
      if (!process.isReady) continue;
      process.silentPings += 1;
      if (process.silentPings > SILENT_PINGS_MAX) process.child.kill("SIGKILL");
      else this.#notify(process, { kind: "ping" });
    }
  }

  #notify({ child }: PageProcess, message: ToPages): void {
    // The exit event reports a failure.
    if (child.connected) child.send(message, () => undefined);
  }

  #feed(): void {
    while (this.#waiting.length > 0) {
      const free = [...this.#processes]
        .filter(({ isReady, running }) => isReady && running.size < RUNNING_MAX)
        .sort((left, right) => left.running.size - right.running.size)[0];
      const job = free === undefined ? undefined : this.#waiting.shift();
      if (free === undefined || job === undefined) return;
      job.tries += 1;
      free.running.set(job.id, job);
      this.#notify(free, { kind: "draw", id: job.id, task: job.task });
    }
  }

  #leave(id: number): void {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    const at = this.#waiting.indexOf(job);
    if (at >= 0) {
      this.#waiting.splice(at, 1);
      this.#settle(job, undefined, () => job.fail(new PagesBusy("nobody waits")));
      return;
    }
    // It remains on the process's list until the process has ended it.
    for (const process of this.#processes) if (process.running.has(id)) this.#notify(process, { kind: "leave", id });
  }

  #settle(job: Job, process: PageProcess | undefined, end: () => void): void {
    process?.running.delete(job.id);
    this.#jobs.delete(job.id);
    end();
    if (this.#jobs.size === 0) this.#idle?.();
  }

  #receive(process: PageProcess, message: FromPages): void {
    process.silentPings = 0;
    if (message.kind === "pong") return;
    if (message.kind === "ready") {
      process.isReady = true;
      this.#wasReady = true;
      this.#ready.resolve();
      this.#feed();
      return;
    }
    const job = process.running.get(message.id);
    if (message.kind === "call") {
      const { call, requested, isShared } = message;
      const answer = job === undefined ? Promise.resolve(undefined) : job.context.ask(requested, isShared);
      answer.then(
        (text) => this.#notify(process, { kind: "answer", call, text }),
        () => this.#notify(process, { kind: "answer", call, text: undefined }),
      );
      return;
    }
    if (job === undefined) return;
    if (message.kind === "fault") {
      const { requestId, path: url } = job.context;
      this.#options.log.error("page.failed", { requestId, url, path: message.path, error: message.error });
    } else if (message.kind === "head") {
      job.body = new PassThrough();
      // A reader gets the error; without a reader it is dropped.
      job.body.on("error", () => undefined);
      job.done({ head: message.head, body: job.body, isGood: true });
    } else if (message.kind === "chunk") job.body?.write(message.bytes);
    else {
      this.#settle(job, process, () => {
        if (message.kind === "end") job.body?.end();
        else if (message.kind === "cut") job.done({ head: message.head, body: message.cut, isGood: message.isGood });
        else if (job.body !== undefined) job.body.destroy(new Error(message.error));
        else job.fail(new Error(message.error));
      });
      this.#feed();
    }
  }
}
