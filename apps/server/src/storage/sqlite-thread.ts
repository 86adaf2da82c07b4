// The main thread's end of a SQLite thread: collects calls into messages and resolves each caller's own answer.
// Independent of transactions; calls run in the order in which they are sent.

import { Worker } from "node:worker_threads";
import { DatabaseFault } from "./fault.ts";
import type {
  SqliteValue,
  StatementCall,
  StatementResult,
  ThreadCall,
  ThreadMessage,
  ThreadReply,
  ThreadRequest,
  ThreadSetup,
} from "./sqlite-messages.ts";

export interface StatementText {
  readonly sql: string;
  readonly parameters: readonly SqliteValue[];
}

export interface Measured {
  readonly results: readonly StatementResult[];
  /** On the thread itself; 0 where nothing is measured. */
  readonly ms: number;
}

interface Waiting {
  resolve(measured: Measured): void;
  reject(error: DatabaseFault): void;
}

// Two messages in flight keep the thread busy while answers travel; calls that arrive by then share the next message,
// and with it the next commit.
const MESSAGES_MAX = 2;
const CALLS_PER_MESSAGE_MAX = 512;
const WAITING_CALLS_MAX = 20_000;
const STATEMENTS_MAX = 500;

// Written just so: the server's build finds its threads by this form and puts the built file in its place.
const WORKER_URL = new URL("./sqlite-worker.ts", import.meta.url);

/** The part of a worker that is used here; the simulation passes one that runs in its own turns. */
export type SqliteWorker = Pick<Worker, "on" | "once" | "off" | "postMessage" | "terminate">;
export type StartWorker = (setup: ThreadSetup) => SqliteWorker;

const startThread: StartWorker = (setup) => new Worker(WORKER_URL, { workerData: setup, name: `sqlite-${setup.role}` });

export class SqliteThread {
  readonly #worker: SqliteWorker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #statements = new Map<string, number>();
  #calls: ThreadCall[] = [];
  #remove: number[] = [];
  #callLast = 0;
  #statementLast = 0;
  #messagesOut = 0;
  #flushPlanned = false;
  #schemaChanged = false;
  #closing = false;
  #failure: DatabaseFault | undefined;

  private constructor(worker: SqliteWorker) {
    this.#worker = worker;
    worker.on("message", (message: ThreadMessage) => {
      if (message.type === "replies") this.#receive(message.replies);
    });
    worker.on("error", (error) => this.#fail(`the SQLite thread failed: ${error.message}`));
    worker.on("exit", (code) => this.#fail(`the SQLite thread ended with code ${code}`));
  }

  static open(setup: ThreadSetup, start: StartWorker = startThread): Promise<SqliteThread> {
    const worker = start(setup);
    return new Promise((resolve, reject) => {
      const fail = (code: unknown): void => reject(new DatabaseFault("unavailable", `a SQLite thread ended: ${code}`));
      worker.once("error", fail);
      worker.once("exit", fail);
      worker.once("message", (message: ThreadMessage) => {
        worker.off("error", fail);
        worker.off("exit", fail);
        if (message.type === "ready") return resolve(new SqliteThread(worker));
        const fault = message.type === "failed" ? message.fault : { kind: "broken" as const, message: "no greeting" };
        void worker.terminate();
        reject(new DatabaseFault(fault.kind, `${setup.path}: ${fault.message}`));
      });
    });
  }

  /** Runs the statements of one call; several only for mode `atomic`. */
  async run(mode: ThreadCall["mode"], statements: readonly StatementText[]): Promise<readonly StatementResult[]> {
    return (await this.runMeasured(mode, statements)).results;
  }

  runMeasured(mode: ThreadCall["mode"], statements: readonly StatementText[]): Promise<Measured> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#closing) return Promise.reject(new DatabaseFault("unavailable", "the database is closed"));
    // Calls inside an open transaction are never refused: ending it is what frees capacity.
    const entering = mode !== "inside" && mode !== "commit" && mode !== "rollback";
    if (entering && this.#waiting.size >= WAITING_CALLS_MAX) {
      return Promise.reject(new DatabaseFault("overloaded", `${WAITING_CALLS_MAX} statements are already waiting`));
    }
    this.#callLast += 1;
    const call = this.#callLast;
    this.#calls.push({ call, mode, statements: statements.map((statement) => this.#number(statement)) });
    this.#planFlush();
    return new Promise((resolve, reject) => this.#waiting.set(call, { resolve, reject }));
  }

  /** Prepared statements remember the columns they had: after a change of schema they are all prepared anew. */
  dropStatements(): void {
    this.#remove.push(...this.#statements.values());
    this.#statements.clear();
    this.#schemaChanged = true;
  }

  /** Answers what is waiting, then closes the connection and ends the thread. */
  async close(): Promise<void> {
    if (this.#closing || this.#failure !== undefined) return;
    const last = this.run("alone", []);
    this.#closing = true;
    await Promise.allSettled([last]);
    const ended = new Promise<void>((resolve) => this.#worker.once("exit", () => resolve()));
    this.#worker.postMessage("close");
    await ended;
  }

  #number({ sql, parameters }: StatementText): StatementCall {
    const known = this.#statements.get(sql);
    if (known !== undefined) {
      // Moved to the end, so that the first key is the one unused for longest.
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return { statement: known, parameters };
    }
    this.#statementLast += 1;
    this.#statements.set(sql, this.#statementLast);
    if (this.#statements.size > STATEMENTS_MAX) this.#dropOldestStatement();
    return { statement: this.#statementLast, sql, parameters };
  }

  #dropOldestStatement(): void {
    for (const [sql, statement] of this.#statements) {
      this.#statements.delete(sql);
      this.#remove.push(statement);
      return;
    }
  }

  #planFlush(): void {
    if (this.#flushPlanned || this.#messagesOut >= MESSAGES_MAX) return;
    this.#flushPlanned = true;
    queueMicrotask(() => {
      this.#flushPlanned = false;
      this.#flush();
    });
  }

  #flush(): void {
    while (this.#messagesOut < MESSAGES_MAX && this.#calls.length > 0) {
      const calls = this.#calls.splice(0, CALLS_PER_MESSAGE_MAX);
      // Evicted statements may still be named by calls not yet sent, so they leave with the last of them.
      const remove = this.#calls.length === 0 ? this.#remove : [];
      if (this.#calls.length === 0) this.#remove = [];
      this.#messagesOut += 1;
      const request: ThreadRequest = { calls, remove, schemaChanged: this.#schemaChanged };
      this.#schemaChanged = false;
      this.#worker.postMessage(request);
    }
  }

  #receive(replies: readonly ThreadReply[]): void {
    this.#messagesOut -= 1;
    for (const reply of replies) {
      const waiting = this.#waiting.get(reply.call);
      if (waiting === undefined) continue;
      this.#waiting.delete(reply.call);
      if (reply.fault === undefined) waiting.resolve({ results: reply.results ?? [], ms: reply.ms ?? 0 });
      else waiting.reject(new DatabaseFault(reply.fault.kind, reply.fault.message));
    }
    this.#planFlush();
  }

  #fail(message: string): void {
    this.#failure ??= new DatabaseFault("unavailable", this.#closing ? "the database is closed" : message);
    for (const waiting of this.#waiting.values()) waiting.reject(this.#failure);
    this.#waiting.clear();
    this.#calls = [];
  }
}
