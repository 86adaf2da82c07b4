// The machine's monotonic clock as every thread reads it.
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";

const THREADS = 8;
/** Far more than the time between the readings of a pair, far less than the millisecond resolution of times. */
const APART_MS = 0.1;

const CODE = `
  import(process.getBuiltinModule("node:worker_threads").workerData).then(({ monotonicMs }) => {
    const machineMs = () => Number(process.hrtime.bigint()) / 1e6;
    const beforeMs = machineMs();
    const saidMs = monotonicMs();
    process.getBuiltinModule("node:worker_threads").parentPort.postMessage([beforeMs, saidMs, machineMs()]);
  });
`;

function readInThread(): Promise<readonly [number, number, number]> {
  const workerData = new URL("./measure.ts", import.meta.url).href;
  return new Promise((resolve, reject) => {
    new Worker(CODE, { eval: true, workerData }).once("message", resolve).once("error", reject);
  });
}

test("[OPS-4] no thread is behind another: each reads the machine's monotonic clock as it is", async () => {
  const readings = await Promise.all(Array.from({ length: THREADS }, readInThread));
  // Between the two readings of the machine around it, however long the thread was preempted there.
  for (const [beforeMs, replyMs, afterMs] of readings) {
    expect(replyMs).toBeGreaterThan(beforeMs - APART_MS);
    expect(replyMs).toBeLessThan(afterMs + APART_MS);
  }
});
