// Runs a back-test on a thread of its own, which ends with it or on cancellation.
import { Worker } from "node:worker_threads";
import type { BackTestMessage, BackTestWork } from "./back-test-worker.ts";
import type { GridNeeds } from "./needs.ts";

export const runBackTest: GridNeeds["runBackTest"] = (task, candles, onProgress, signal) =>
  runOn(
    {
      kind: "grid",
      task,
      rows: new Float64Array(candles.flatMap(({ timeMs, open, high, low, close }) => [timeMs, open, high, low, close])),
    },
    onProgress,
    signal,
  );

/** Undefined when it was cancelled. */
export function runOn<Result>(
  work: BackTestWork,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<Result | undefined> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL("./back-test-worker.ts", import.meta.url), {
      name: "back-test",
      workerData: work,
      transferList: [work.rows.buffer as ArrayBuffer],
    });
    const end = (): void => void thread.terminate();
    signal.addEventListener("abort", end, { once: true });
    thread.on("message", (message: BackTestMessage) => {
      if ("progress" in message) onProgress(message.progress);
      else resolve(message.result as Result | undefined);
    });
    thread.on("error", reject);
    thread.on("exit", () => {
      signal.removeEventListener("abort", end);
      resolve(undefined);
    });
  });
}
