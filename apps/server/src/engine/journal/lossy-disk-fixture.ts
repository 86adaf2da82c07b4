// Owns a disk in memory for tests that at a power cut loses everything unsynced: written sectors until their file is
// synced, names until their folder is. The seed decides which of them survive. Must never be used by the running
// server.
import { dirname } from "node:path";
import { createRandom } from "@clockwork/kit/random";
import type { Files, OpenFile } from "./files.ts";
import { SECTOR_BYTES } from "./journal-format.ts";

export class PowerCut extends Error {}

interface Stored {
  /** What programs see. */
  cached: Uint8Array;
  /** What has been on the disk at the last sync. */
  kept: Uint8Array;
}

type Names = Map<string, Stored>;
interface NameChange {
  readonly folder: string;
  apply(names: Names): void;
}

export class LossyDisk implements Files {
  /** Files that were opened and not closed. */
  opened = 0;
  /** Writes, syncs and changes of names so far. */
  steps = 0;
  /** The power is cut in this step. */
  cutAt = Number.POSITIVE_INFINITY;
  #names: Names = new Map();
  #keptNames: Names = new Map();
  #pending: NameChange[] = [];
  #life = 0;

  /** Comes back after a power cut with everything synced and a seeded part of the rest. */
  restart(seed: number): void {
    const random = createRandom(seed);
    const share = random.below(5);
    const survives = (): boolean => random.below(4) < share;
    for (const change of this.#pending) if (survives()) change.apply(this.#keptNames);
    for (const file of new Set([...this.#names.values(), ...this.#keptNames.values()])) {
      const { cached, kept } = file;
      const next = new Uint8Array(survives() ? cached.length : kept.length);
      next.set(kept.subarray(0, next.length));
      for (let at = 0; at < Math.min(next.length, cached.length); at += SECTOR_BYTES)
        if (survives()) next.set(cached.subarray(at, Math.min(at + SECTOR_BYTES, next.length)), at);
      file.cached = next;
      file.kept = next.slice();
    }
    this.#names = new Map(this.#keptNames);
    this.#pending = [];
    this.#life++;
    this.opened = 0;
    this.cutAt = Number.POSITIVE_INFINITY;
  }

  list(folder: string): string[] {
    const own = [...this.#names.keys()].filter((path) => dirname(path) === folder);
    return own.map((path) => path.slice(folder.length + 1)).sort();
  }

  makeFolder(): void {
    // Folders are always there.
  }

  open(path: string, mode: "read" | "write" | "create"): OpenFile {
    let file = this.#names.get(path);
    if (mode === "create") {
      const made: Stored = { cached: new Uint8Array(0), kept: new Uint8Array(0) };
      this.#change({ folder: dirname(path), apply: (names) => void names.set(path, made) });
      file = made;
    }
    if (file === undefined) throw Object.assign(new Error(`no ${path}`), { code: "ENOENT" });
    this.opened++;
    return this.#handle(path, file);
  }

  rename(from: string, to: string): void {
    const file = this.#names.get(from);
    if (file === undefined) throw Object.assign(new Error(`no ${from}`), { code: "ENOENT" });
    const apply = (names: Names): void => {
      names.delete(from);
      names.set(to, file);
    };
    this.#change({ folder: dirname(to), apply });
  }

  remove(path: string): void {
    this.#change({ folder: dirname(path), apply: (names) => void names.delete(path) });
  }

  syncFolder(folder: string): void {
    this.#step();
    for (const change of this.#pending) if (change.folder === folder) change.apply(this.#keptNames);
    this.#pending = this.#pending.filter((change) => change.folder !== folder);
  }

  #change(change: NameChange): void {
    this.#step();
    change.apply(this.#names);
    this.#pending.push(change);
  }

  #step(): void {
    if (++this.steps >= this.cutAt) throw new PowerCut();
  }

  #handle(path: string, file: Stored): OpenFile {
    const life = this.#life;
    const alive = (): void => {
      if (life !== this.#life) throw new Error(`${path} was opened before the power cut`);
    };
    return {
      path,
      size: () => file.cached.length,
      read: (bytes, position) => {
        const found = file.cached.subarray(position, position + bytes.length);
        bytes.set(found);
        return found.length;
      },
      write: (bytes, position) => {
        alive();
        const end = position + bytes.length;
        if (end > file.cached.length) {
          const longer = new Uint8Array(end);
          longer.set(file.cached);
          file.cached = longer;
        }
        file.cached.set(bytes, position);
        // After, not before: of a write that the cut came into, some sectors may arrive.
        this.#step();
        return bytes.length;
      },
      syncData: () => {
        alive();
        this.#step();
        file.kept = file.cached.slice();
      },
      close: () => {
        this.opened--;
      },
    };
  }
}
