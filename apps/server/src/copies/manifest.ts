// The list of what a copy of a data folder holds, with a hash of every file. Written last: a copy without it is unfinished.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const MANIFEST = "copy.json";
export const DUMP_FILE = "tables.dump";

export interface Manifest {
  readonly format: 1;
  readonly tables: "sqlite" | "postgres";
  readonly journal: string;
  /** The last command in the copy. */
  readonly sequence: number;
  /** The hash of the sealed keys that belong to these tables and are in no copy; absent where there were none. */
  readonly signer?: string;
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
}

export function listFiles(folder: string): Manifest["files"] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== MANIFEST)
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
    .map((name) => {
      const bytes = readFileSync(join(folder, name));
      return { name, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
    });
}

export function writeManifest(folder: string, manifest: Manifest): void {
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600, flush: true });
}

/** The manifest, after every file of the copy was verified against it. */
export function readCopy(folder: string): Manifest {
  let manifest: Manifest;
  try {
    manifest = JSON.parse(readFileSync(join(folder, MANIFEST), "utf8")) as Manifest;
  } catch (error) {
    throw new Error(`${folder} is no finished copy: ${MANIFEST} is missing or broken`, { cause: error });
  }
  const found = new Map(listFiles(folder).map((file) => [file.name, file]));
  for (const { name, sha256 } of manifest.files) {
    const file = found.get(name);
    if (file === undefined) throw new Error(`${join(folder, name)} is missing from the copy`);
    if (file.sha256 !== sha256) throw new Error(`${join(folder, name)} is not what was copied: take another copy`);
  }
  return manifest;
}
