// Entry of a SQLite thread: runs what the main thread sends, in order.

import { parentPort, workerData } from "node:worker_threads";
import { measureMs } from "@clockwork/host/time/measure";
import { classifySqliteError } from "./dialect.ts";
import type { ThreadFault, ThreadMessage, ThreadRequest, ThreadSetup } from "./sqlite-messages.ts";
import { openConnection, SqliteRunner } from "./sqlite-runner.ts";

function start(): void {
  const port = parentPort;
  if (port === null) throw new Error("sqlite-worker runs as a worker thread only");
  const post = (message: ThreadMessage): void => port.postMessage(message);
  let runner: SqliteRunner;
  try {
    runner = new SqliteRunner(openConnection(workerData as ThreadSetup), measureMs);
  } catch (error) {
    post({ type: "failed", fault: classifySqliteError(error) satisfies ThreadFault });
    return;
  }
  port.on("message", (request: ThreadRequest | "close") => {
    if (request === "close") {
      runner.close();
      port.close();
      return;
    }
    post({ type: "replies", replies: runner.handle(request) });
  });
  post({ type: "ready" });
}

start();
