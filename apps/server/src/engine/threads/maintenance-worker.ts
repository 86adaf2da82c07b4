// Entry of the maintenance thread: writes blank segment files, looks through old ones and moves them into the archive, so that
// the journal waits for none of it. Must never touch a segment that is in use.

import { setImmediate as turn } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { later } from "@clockwork/host/time/background";
import { giveWay } from "@clockwork/host/time/give-way";
import { type ArchivePlace, describePlace, notePlace, openStore } from "../journal/archive-store.ts";
import { writeBlank } from "../journal/file-journal.ts";
import { localFiles } from "../journal/files.ts";
import { EngineMemory } from "../memory/memory.ts";
import { archiveOldest } from "../recovery/archiver.ts";
import { scrubSegments } from "../recovery/scrub.ts";
import { toFaultMessage } from "./fault-message.ts";
import type { MaintenanceMessage, MaintenanceTask, MaintenanceWorkerData } from "./messages.ts";

const data = workerData as MaintenanceWorkerData;
const memory = new EngineMemory(data.buffers);
const publish = (message: MaintenanceMessage): void => parentPort?.postMessage(message);
const POLL_MS = 2;
const SCRUB_PAUSE_MS = 20;
const ARCHIVE_MS = 30_000;
/** A store that is unavailable, or a snapshot that is broken: reported again at most so often. */
const ARCHIVE_RETRY_MS = 600_000;
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

/** Only of a journal that is written: before, a start may be refused and leaves everything as it was. */
async function archive(place: ArchivePlace): Promise<void> {
  if (memory.state !== "running") return;
  const { journalFolder, snapshotFolder } = data;
  const store = openStore(place, journalFolder);
  const options = { files: localFiles, journalFolder, snapshotFolder, store, pause: () => turn() };
  notePlace(localFiles, journalFolder, place);
  for (let moved = await archiveOldest(options); moved !== undefined; moved = await archiveOldest(options)) {
    const { name, segmentBytes, objectBytes } = moved;
    publish({
      kind: "note",
      line: `${name} was archived: ${segmentBytes} bytes as ${objectBytes} in ${describePlace(place)}`,
    });
  }
}

function archiveLater(place: ArchivePlace, waitMs: number): void {
  const timer = later(
    "engine.archive",
    async () => {
      let nextMs = ARCHIVE_MS;
      try {
        await archive(place);
      } catch (error) {
        // The segments remain where they are.
        publish(toFaultMessage(error));
        nextMs = ARCHIVE_RETRY_MS;
      }
      archiveLater(place, nextMs);
    },
    waitMs,
  );
  timer.unref();
}

giveWay(NICE);
if (data.archive !== undefined) archiveLater(data.archive, ARCHIVE_MS);
data.fromJournal.on("message", serve);
data.fromCore.on("message", serve);
