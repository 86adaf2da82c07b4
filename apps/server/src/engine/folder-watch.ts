// Checks the data folder while the engine runs: whether it can be written, and all segments of the journal still exist.
// A process notices neither for a long time: open files remain open. Never changes other files.
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { measureMs } from "@clockwork/host/time/measure";
import { parseStubName } from "./journal/archive-format.ts";
import { parseSegmentName } from "./journal/journal-format.ts";
import { describeCause } from "./memory/fault.ts";
import { journalFolderOf } from "./places.ts";

const PROBE = "write-probe.tmp";
/** More frequent calls get the previous result. */
const POLL_MS_MIN = 1_000;

export interface FolderProblem {
  readonly reason: string;
  /** The segment that is being written is gone: what is committed now cannot be read again. */
  readonly isFatal: boolean;
}

export class FolderWatch {
  readonly #folder: string;
  readonly #pollMsMin: number;
  #segments = 0;
  #checkedMs = Number.NEGATIVE_INFINITY;
  #looking: Promise<FolderProblem | undefined> | undefined;

  constructor(folder: string, pollMsMin = POLL_MS_MIN) {
    this.#folder = folder;
    this.#pollMsMin = pollMsMin;
  }

  /** What is wrong now; undefined when nothing is. */
  look(): Promise<FolderProblem | undefined> {
    if (this.#looking === undefined || measureMs() - this.#checkedMs >= this.#pollMsMin) {
      this.#checkedMs = measureMs();
      this.#looking = this.#look();
    }
    return this.#looking;
  }

  async #look(): Promise<FolderProblem | undefined> {
    return (await this.#findMissing()) ?? (await this.#tryWrite());
  }

  async #findMissing(): Promise<FolderProblem | undefined> {
    const names = await readdir(journalFolderOf(this.#folder)).catch(() => [] as string[]);
    const found = new Set(names.map((name) => parseSegmentName(name) ?? parseStubName(name)));
    this.#segments = Math.max(this.#segments, ...[...found].map((index) => index ?? 0));
    for (let index = 1; index <= this.#segments; index++) {
      if (found.has(index)) continue;
      const reason = `segment ${index} of the journal is gone: restore it from a copy`;
      return { reason, isFatal: index === this.#segments };
    }
    return undefined;
  }

  async #tryWrite(): Promise<FolderProblem | undefined> {
    const path = join(this.#folder, PROBE);
    try {
      await writeFile(path, "probe\n", { mode: 0o600 });
      await rm(path, { force: true });
      return undefined;
    } catch (error) {
      return { reason: `the data folder cannot be written: ${describeCause(error)}`, isFatal: false };
    }
  }
}
