// Entry of the maintenance thread: writes snapshots and blank segment files, so that neither core nor journal waits for it.
// Must never let a snapshot be seen before the journal holds every command in it.

import { parentPort, workerData } from "node:worker_threads";
import { restoreMachine } from "@clockwork/core/machine/machine";
import { later } from "../../base/background.ts";
import { giveWay } from "../../base/give-way.ts";
import { measureMs } from "../../clock/measure.ts";
import { writeBlank } from "../journal/file-journal.ts";
import { localFiles } from "../journal/files.ts";
import { EngineMemory } from "../memory/memory.ts";
import { scrubSegments } from "../recovery/scrub.ts";
import { writeSnapshot } from "../recovery/snapshots.ts";
import { toFaultMessage } from "./fault-message.ts";
import type { MaintenanceMessage, MaintenanceTask, MaintenanceWorkerData } from "./messages.ts";

const data = workerData as MaintenanceWorkerData;
const memory = new EngineMemory(data.buffers);
const tell = (message: MaintenanceMessage): void => parentPort?.postMessage(message);
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
  if (task.kind === "scrub") {
    scrubLater(scrubSegments(localFiles, task.folder, task.beforeSequence));
    return;
  }
  const { parts } = task;
  const startedMs = measureMs();
  const stateHash = task.header.stateHash || restoreMachine(parts).stateHash();
  const header = { ...task.header, stateHash };
  const ready = (): void => waitDurable(header.sequence);
  writeSnapshot(localFiles, data.snapshotFolder, header, parts, { ready, pause });
  const tookMs = measureMs() - startedMs;
  tell({ kind: "snapshot", sequence: header.sequence, stateHash, tookMs });
}

/** One segment at a time, so that whatever else is asked for is done in between. */
function scrubLater(segments: Iterator<void>): void {
  const timer = later(
    "engine.scrub",
    () => {
      try {
        if (segments.next().done !== true) scrubLater(segments);
      } catch (error) {
        tell(toFaultMessage(error));
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

function waitDurable(sequence: number): void {
  while (memory.durableSequence < sequence) {
    if (memory.failed) throw new Error("the journal failed before the snapshot's commands were safe");
    pause();
  }
}

function serve(task: MaintenanceTask): void {
  try {
    handle(task);
  } catch (error) {
    // A snapshot less or a blank less is no reason to stop trading: the journal holds everything.
    tell(toFaultMessage(error));
  } finally {
    if (task.kind === "snapshot") {
      memory.snapshotBusy = false;
      memory.coreBell.ring();
    }
  }
}

giveWay(NICE);
data.fromJournal.on("message", serve);
data.fromCore.on("message", serve);
