// A thread that hashes passwords, one after another, at the lowest priority the system gives: trading comes first.
// Never keeps a password longer than its hash takes.
import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { hashSync, verifySync } from "@node-rs/argon2";
import { HASH_COST, type HashAnswer, type HashTask } from "./hash-task.ts";

const NICE = 15;

try {
  // 0 names the calling thread on Linux, not the process.
  if (process.platform === "linux") setPriority(0, NICE);
} catch {
  // A system that forbids it still hashes, only less politely.
}

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
