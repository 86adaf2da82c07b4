// Entry of the thread that asks a store for pieces of archived segments, while the one that needs them waits.
import { parentPort, workerData } from "node:worker_threads";
import { openStore } from "./archive-store.ts";
import { ANSWER_BYTES, ANSWER_FAILED, ANSWER_NONE, type ArchiveAnswer, type ArchiveRequest } from "./archived.ts";

const { control, bytes } = workerData as ArchiveAnswer;

function answer(state: number, found: Uint8Array = new Uint8Array(0)): void {
  bytes.set(found.subarray(0, bytes.length));
  Atomics.store(control, 1, Math.min(found.length, bytes.length));
  Atomics.store(control, 0, state);
  Atomics.notify(control, 0);
}

parentPort?.on("message", ({ place, journalFolder, name, from, length }: ArchiveRequest) => {
  Promise.resolve()
    .then(() => openStore(place, journalFolder).read(name, from, length))
    .then(
      (found) => (found === undefined ? answer(ANSWER_NONE) : answer(ANSWER_BYTES, found)),
      (error: unknown) => answer(ANSWER_FAILED, new TextEncoder().encode(String(error).slice(0, 500))),
    );
});
