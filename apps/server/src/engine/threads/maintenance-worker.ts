// Entry of the maintenance thread: writes blank segment files and looks through old ones, so that the journal waits for
// neither. Must never touch a segment that is in use.

import { parentPort, workerData } from "node:worker_threads";
import { later } from "@clockwork/host/time/background";
import { giveWay } from "@clockwork/host/time/give-way";
import { writeBlank } from "../journal/file-journal.ts";
import { localFiles } from "../journal/files.ts";
import { EngineMemory } from "../memory/memory.ts";
import { scrubSegments } from "../recovery/scrub.ts";
import { toFaultMessage } from "./fault-message.ts";
import type { MaintenanceMessage, MaintenanceTask, MaintenanceWorkerData } from "./messages.ts";

const data = workerData as MaintenanceWorkerData;
const memory = new EngineMemory(data.buffers);
const publish = (message: MaintenanceMessage): void => parentPort?.postMessage(message);
const POLL_MS = 2;
const SCRUB_PAUSE_MS = 20;
const NICE = 10;
const still = new Int32Array(new SharedArrayBuffer(4));

function handle(task: MaintenanceTask): void {
  if (task.kind === "blank") {
    writeBlank(localFiles, task.path, task.bytes, pause);
    memory.spare = task.number;
    return;
  }
  scrubLater(scrubSegments(localFiles, task.folder, task.beforeSequence));
}

/** One segment at a time, so that other requests are served in between. */
function scrubLater(segments: Iterator<void>): void {
  const timer = later(
    "engine.scrub",
    () => {
      try {
        if (segments.next().done !== true) scrubLater(segments);
      } catch (error) {
        publish(toFaultMessage(error));
      }
    },
    SCRUB_PAUSE_MS,
  );
  timer.unref();
}

/** Lets the journal's own writes through. */
function pause(): void {
  Atomics.wait(still, 0, 0, POLL_MS);
}

function serve(task: MaintenanceTask): void {
  try {
    handle(task);
  } catch (error) {
    // A blank less is no reason to stop trading.
    publish(toFaultMessage(error));
  }
}

giveWay(NICE);
data.fromJournal.on("message", serve);
data.fromCore.on("message", serve);
