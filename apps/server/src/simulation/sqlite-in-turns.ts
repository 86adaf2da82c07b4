// A SQLite thread replacement on the same thread: it answers a few turns later, so that the order of events depends on
// the seed and not on the machine. Its commits do not wait for the real disk.
import { EventEmitter } from "node:events";
import { classifySqliteError } from "../storage/dialect.ts";
import type { ThreadMessage, ThreadRequest } from "../storage/sqlite-messages.ts";
import { openConnection, SqliteRunner } from "../storage/sqlite-runner.ts";
import type { SqliteWorker, StartWorker } from "../storage/sqlite-thread.ts";

export const startInTurns: StartWorker = (setup) => {
  const emitter = new EventEmitter();
  const post = (message: ThreadMessage): void => void emitter.emit("message", message);
  let runner: SqliteRunner | undefined;
  const take = (request: ThreadRequest | "close"): void => {
    if (runner === undefined) return;
    if (request !== "close") {
      post({ type: "replies", replies: runner.handle(request) });
      return;
    }
    runner.close();
    runner = undefined;
    emitter.emit("exit", 0);
  };
  setImmediate(() => {
    try {
      const connection = openConnection(setup);
      connection.exec("PRAGMA synchronous = OFF");
      runner = new SqliteRunner(connection);
    } catch (error) {
      post({ type: "failed", fault: classifySqliteError(error) });
      return;
    }
    post({ type: "ready" });
  });
  return Object.assign(emitter, {
    postMessage: (request: ThreadRequest | "close") => void setImmediate(() => take(request)),
    terminate: async () => 0,
  }) as unknown as SqliteWorker;
};
