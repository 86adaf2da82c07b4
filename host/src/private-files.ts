// Access to the data folder: its owner and no other user of the machine. Owns the modes of its files; touches only
// names that are ours, since the folder may contain other files.
import { chmodSync, closeSync, lstatSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const OURS = /^(?:clockwork\.(?:lock|pid|sqlite)(?:-(?:wal|shm|journal))?|secret\.key|tables\.seen|tables\.dump)$/;
const OUR_FOLDERS = ["journal", "snapshots", "chain", "signer", "prehistory"];

/** Creates an empty file only its owner may read, if there is none: databases then keep its mode. */
export function touchPrivate(path: string): void {
  closeSync(openSync(path, "a", FILE_MODE));
}

/**
 * Corrects the mode of the folder and of files an earlier start, another tool or a restored copy left readable for
 * others.
 */
export function makePrivate(folder: string): void {
  setMode(folder, FOLDER_MODE);
  for (const name of readdirSync(folder)) {
    if (OURS.test(name)) setMode(join(folder, name), FILE_MODE);
    if (!OUR_FOLDERS.includes(name)) continue;
    const inner = join(folder, name);
    if (!lstatSync(inner).isDirectory()) continue;
    setMode(inner, FOLDER_MODE);
    for (const file of readdirSync(inner)) setMode(join(inner, file), FILE_MODE);
  }
}

/** Never through a link: its target is not ours. */
function setMode(path: string, mode: number): void {
  const known = lstatSync(path);
  if (known.isSymbolicLink() || (known.mode & 0o777) === mode) return;
  chmodSync(path, mode);
}
