// `clockwork backup-keys`: the signer's keys, copied separately from everything else. A copy of the tables alone must
// not give access to the funds; a restore of the tables must bring the keys that belong to them.
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { copyDatabase } from "../storage/backup.ts";

export const SIGNER_FOLDER = "signer";
const SEALED = "keys.sealed";
const UNLOCK = "unlock.key";
/** The cold wallet's key may be stored elsewhere. */
const COLD = "cold-wallet.sealed";
/** What was signed under which number: with it nothing is ever signed twice. */
const POLICY = "policy.sqlite";

/** Sealed keys never change, so their hash identifies them. */
export function hashOfKeys(folder: string): string | undefined {
  const path = join(folder, SEALED);
  return existsSync(path) ? createHash("sha256").update(readFileSync(path)).digest("hex") : undefined;
}

/** The folder, when it holds the keys in question and what opens them. */
export function requireKeys(hash: string, folder: string | undefined): string {
  if (folder === undefined) {
    throw new Error(
      "this copy belongs to keys of a signer: name their copy with --keys, or go without them with --without-keys (nothing is paid out until they are put into signer/)",
    );
  }
  if (hashOfKeys(folder) !== hash) throw new Error(`${join(folder, SEALED)} is not the one this copy belongs to`);
  if (!existsSync(join(folder, UNLOCK))) throw new Error(`${join(folder, UNLOCK)} is missing`);
  return folder;
}

/** Into a new folder that its owner alone may read. */
export function copyKeys(from: string, to: string): readonly string[] {
  if (hashOfKeys(from) === undefined) throw new Error(`${from} holds no keys`);
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const names = [SEALED, UNLOCK, COLD].filter((name) => existsSync(join(from, name)));
  for (const name of names) {
    copyFileSync(join(from, name), join(to, name));
    chmodSync(join(to, name), 0o600);
  }
  if (!existsSync(join(from, POLICY))) return names;
  copyDatabase(join(from, POLICY), join(to, POLICY));
  return [...names, POLICY];
}
