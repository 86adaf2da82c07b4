// Lets the calling thread give way to others of the process: tables, snapshots and rebates may be late, answers may not.
import { setPriority } from "node:os";

export function giveWay(nice: number): void {
  try {
    // On Linux 0 names the calling thread; elsewhere it would be the whole process.
    if (process.platform === "linux") setPriority(0, nice);
  } catch {
    // Forbidden here: then they share.
  }
}
