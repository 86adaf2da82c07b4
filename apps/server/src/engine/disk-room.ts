// How much is left on the data folder's disk, and what follows from it: an alarm early, no more commands before it is full.
import { statfs } from "node:fs/promises";

export interface RoomLimits {
  readonly alarmBytes: number;
  /** 0: trading continues until the disk is full. */
  readonly floorBytes: number;
  /** Left out, what the system says. */
  readonly readFreeBytes?: (folder: string) => Promise<number>;
}

export interface Room {
  readonly level: "enough" | "little" | "none";
  readonly reason: string;
}

/** Trading resumes at this multiple of the floor, so that it does not stop and resume at every byte. */
const RETURN_FACTOR = 1.25;
/** What a user of the disk may take, without what is reserved for the system. */
export async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

export function judgeRoom(before: Room, freeBytes: number, { alarmBytes, floorBytes }: RoomLimits): Room {
  const left = `${Math.floor(freeBytes / 1e6)} MB are left on the disk of the data folder`;
  const stopBytes = before.level === "none" ? floorBytes * RETURN_FACTOR : floorBytes;
  if (freeBytes < stopBytes) {
    const reason = `DISK_FULL: ${left}: no command is taken until there are ${Math.ceil((floorBytes * RETURN_FACTOR) / 1e6)} MB`;
    return { level: "none", reason };
  }
  if (freeBytes >= alarmBytes) return { level: "enough", reason: "" };
  return { level: "little", reason: `${left}: make room, trading stops below ${Math.ceil(floorBytes / 1e6)} MB` };
}
