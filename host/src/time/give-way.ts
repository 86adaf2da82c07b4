// Lowers the priority of the calling thread: tables, snapshots and rebates may be late, responses may not.
import { setPriority } from "node:os";

export function giveWay(nice: number): void {
  try {
    // On Linux 0 is the calling thread; elsewhere it would be the whole process.
    if (process.platform === "linux") setPriority(0, nice);
  } catch {
    // Forbidden here: then they share.
  }
}
