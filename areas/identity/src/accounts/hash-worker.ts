// A thread that hashes passwords, one after another, optionally at the lowest priority of the system: trading comes
// first. Never keeps a password longer than its hash takes.
import { spawnSync } from "node:child_process";
import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { hashSync, verifySync } from "@node-rs/argon2";
import { HASH_COST, type HashAnswer, type HashTask, type HashThread } from "./hash-task.ts";

const NICE = 19;

/**
 * Linux preempts a thread of the idle class as soon as any other can run; a low priority alone still delays every step
 * of an order. Without the command, or where it is forbidden, passwords are hashed at normal priority.
 */
function giveWay(): void {
  if (process.platform !== "linux") return;
  try {
    // 0 is the calling thread on Linux, not the process.
    setPriority(0, NICE);
    const thread = readlinkSync("/proc/thread-self").split("/").at(-1) ?? "";
    spawnSync("chrt", ["--idle", "--pid", "0", thread], { stdio: "ignore", timeout: 2_000 });
  } catch {
    // As above.
  }
}

if ((workerData as HashThread).givesWay) giveWay();

function run(task: HashTask): boolean | string {
  if (task.kind === "hash") return hashSync(task.password, HASH_COST);
  return verifySync(task.hash, task.password);
}

parentPort?.on("message", (task: HashTask) => {
  let answer: HashAnswer;
  try {
    answer = { id: task.id, value: run(task) };
  } catch (error) {
    answer = { id: task.id, fault: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(answer);
});
