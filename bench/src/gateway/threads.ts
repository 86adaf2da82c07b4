// Owns how much processor time a process has used so far, thread by thread, as the kernel counts it. Linux alone has it;
// elsewhere every figure is zero.
import { readdirSync, readFileSync } from "node:fs";

export interface ThreadTimes {
  /** The thread that started the process: in Node the one that runs the event loop. */
  readonly mainS: number;
  readonly allS: number;
  /** Every other thread by its name; those of one name together. */
  readonly others: ReadonlyMap<string, number>;
}

const NANOS_PER_S = 1e9;

/** The scheduler's own count, in nanoseconds: the ticks of `stat` are too coarse for a round of a few seconds. */
function readSeconds(folder: string): number {
  return Number(readFileSync(`${folder}/schedstat`, "utf8").split(" ")[0]) / NANOS_PER_S;
}

export function readThreads(pid: number | undefined): ThreadTimes {
  const others = new Map<string, number>();
  let mainS = 0;
  let allS = 0;
  try {
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      const folder = `/proc/${pid}/task/${task}`;
      const seconds = readSeconds(folder);
      allS += seconds;
      if (task === String(pid)) mainS = seconds;
      else {
        const name = readFileSync(`${folder}/comm`, "utf8").trim();
        others.set(name, (others.get(name) ?? 0) + seconds);
      }
    }
  } catch {
    // Not this kernel, or a thread ended during the read: the figures are informative, not for the verdict.
  }
  return { mainS, allS, others };
}
