// Entry of the journal thread: opens the journal, waits until the core has taken it, then commits what the core passes
// until asked to stop. Owns no rule of its own; see journal-loop.ts and file-journal.ts.
import { once } from "node:events";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { FileJournal } from "../journal/file-journal.ts";
import { warmUpJournal } from "../journal/journal-warm-up.ts";
import { EngineMemory } from "../memory/memory.ts";
import { toFaultMessage } from "./fault-message.ts";
import { runJournal } from "./journal-loop.ts";
import type { JournalMessage, JournalWorkerData, MaintenanceTask } from "./messages.ts";

const data = workerData as JournalWorkerData;
const memory = new EngineMemory(data.buffers);
const publish = (message: JournalMessage): void => parentPort?.postMessage(message);

/** Requests one blank file at a time from the maintenance thread, a whole segment ahead of need. */
class Spares {
  #number = 0;
  #path = "";

  /** Orders a blank unless one is ordered or ready. */
  order(): void {
    if (this.#path !== "") return;
    this.#number++;
    this.#path = join(data.folder, `spare-${this.#number}.tmp`);
    const task: MaintenanceTask = { kind: "blank", path: this.#path, bytes: data.segmentBytes, number: this.#number };
    data.maintenance.postMessage(task);
  }

  take(): string | undefined {
    // One that is not ready yet remains ordered for the next time; the journal then writes its own blank.
    const path = this.#path !== "" && memory.spare === this.#number ? this.#path : undefined;
    if (path !== undefined) this.#path = "";
    this.order();
    return path;
  }
}

async function work(): Promise<void> {
  const spares = new Spares();
  const journal = new FileJournal({
    folder: data.folder,
    release: data.release,
    segmentBytes: data.segmentBytes,
    spares,
    onTornTail: (line) => publish({ kind: "note", line }),
  });
  memory.setDurable(journal.durableSequence);
  const permitted = parentPort === null ? undefined : once(parentPort, "message");
  publish({ kind: "open", identity: journal.identity, durableSequence: journal.durableSequence });
  // While the core comes back to the present; its first commands wait no longer than this takes.
  if (data.warmUpCommands > 0) warmUpJournal(data.warmUpCommands);
  // Nothing is written before every check that could refuse the start has run.
  const [rules] = ((await permitted) ?? []) as readonly number[];
  journal.begin(rules);
  spares.order();
  publish({ kind: "begun" });
  await runJournal(journal, memory, journal.framesBytesMax);
  journal.close();
  publish({ kind: "closed" });
}

try {
  await work();
} catch (error) {
  publish(toFaultMessage(error));
  // The core must stop too: nothing more becomes durable.
  memory.fail();
  memory.coreBell.ring();
} finally {
  data.maintenance.close();
}
