// A disk in memory for simulated crashes: what was written but not synced survives by sectors as chance has it, names
// given but not synced survive up to some moment. Must never be used by the running server.
import { dirname } from "node:path";
import type { Random } from "@clockwork/kit/random";
import { systemError } from "../engine/journal/fault-files.ts";
import type { Files, OpenFile } from "../engine/journal/files.ts";

const SECTOR_BYTES = 512;

interface Write {
  readonly position: number;
  readonly bytes: Uint8Array;
}

/** The content of a file, under any name. */
class Content {
  bytes = new Uint8Array(0);
  /** The bytes as of the last sync, and those written since. */
  #safe = new Uint8Array(0);
  #unsafe: Write[] = [];

  write(bytes: Uint8Array, position: number): void {
    const copy = bytes.slice();
    this.bytes = lay(this.bytes, copy, position);
    this.#unsafe.push({ position, bytes: copy });
  }

  sync(): void {
    for (const { bytes, position } of this.#unsafe.splice(0)) this.#safe = lay(this.#safe, bytes, position);
  }

  /** Each sector that was not synced is there or not. */
  crash(random: Random): void {
    for (const { bytes, position } of this.#unsafe.splice(0)) {
      for (let from = 0; from < bytes.length; ) {
        const size = Math.min(SECTOR_BYTES - ((position + from) % SECTOR_BYTES), bytes.length - from);
        if (random.chance(1, 2)) this.#safe = lay(this.#safe, bytes.subarray(from, from + size), position + from);
        from += size;
      }
    }
    this.bytes = this.#safe.slice();
  }
}

/** The first with the second laid over it. Room grows by doubling, so a file written piece by piece is copied seldom. */
function lay(under: Uint8Array<ArrayBuffer>, over: Uint8Array, position: number): Uint8Array<ArrayBuffer> {
  const size = Math.max(under.length, position + over.length);
  const room =
    under.buffer.byteLength >= size
      ? new Uint8Array(under.buffer, 0, size)
      : new Uint8Array(new ArrayBuffer(size * 2), 0, size);
  if (room.buffer !== under.buffer) room.set(under);
  room.set(over, position);
  return room;
}

type Names = Map<string, Content>;
type NameChange = (names: Names) => void;

export type DiskFault = "full" | "short" | "sync";

export class SimulatedDisk implements Files {
  #names: Names = new Map();
  /** Names that survive for certain, and by folder the changes that may. */
  #safeNames: Names = new Map();
  readonly #unsafe = new Map<string, NameChange[]>();
  #fault: DiskFault | undefined;

  /** The next write or sync fails so. */
  failNext(fault: DiskFault): void {
    this.#fault = fault;
  }

  /** The power is cut, and comes back. */
  crash(random: Random): void {
    this.#fault = undefined;
    for (const changes of this.#unsafe.values()) {
      for (const change of changes.slice(0, random.between(0, changes.length))) change(this.#safeNames);
    }
    this.#unsafe.clear();
    this.#names = new Map(this.#safeNames);
    for (const content of new Set(this.#names.values())) content.crash(random);
  }

  readonly list = (folder: string): string[] =>
    [...this.#names.keys()]
      .filter((path) => dirname(path) === folder)
      .map((path) => path.slice(folder.length + 1))
      .sort();

  readonly makeFolder = (): void => undefined;

  readonly open = (path: string, mode: "read" | "write" | "create"): OpenFile => {
    if (mode === "create") {
      const content = new Content();
      this.#change(path, (names) => names.set(path, content));
    }
    const content = this.#names.get(path);
    if (content === undefined) throw systemError("ENOENT");
    return {
      path,
      size: () => content.bytes.length,
      read: (bytes, position) => {
        const found = content.bytes.subarray(position, position + bytes.length);
        bytes.set(found);
        return found.length;
      },
      write: (bytes, position) => {
        const fault = this.#takeFault(["full", "short"]);
        if (fault === "full") throw systemError("ENOSPC");
        const taken = fault === "short" ? bytes.subarray(0, bytes.length >> 1) : bytes;
        content.write(taken, position);
        return taken.length;
      },
      syncData: () => {
        if (this.#takeFault(["sync"]) !== undefined) throw systemError("EIO");
        content.sync();
      },
      close: () => undefined,
    };
  };

  readonly rename = (from: string, to: string): void => {
    this.#change(to, (names) => {
      const content = names.get(from);
      if (content === undefined) return;
      names.delete(from);
      names.set(to, content);
    });
  };

  readonly remove = (path: string): void => this.#change(path, (names) => names.delete(path));

  readonly syncFolder = (folder: string): void => {
    for (const change of this.#unsafe.get(folder) ?? []) change(this.#safeNames);
    this.#unsafe.delete(folder);
  };

  #change(path: string, change: NameChange): void {
    change(this.#names);
    const folder = dirname(path);
    this.#unsafe.set(folder, [...(this.#unsafe.get(folder) ?? []), change]);
  }

  #takeFault(kinds: readonly DiskFault[]): DiskFault | undefined {
    if (this.#fault === undefined || !kinds.includes(this.#fault)) return undefined;
    const fault = this.#fault;
    this.#fault = undefined;
    return fault;
  }
}
