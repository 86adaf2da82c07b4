// The signer's keys are created once. A loss is detected later, and never replaced by new keys.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { KeysRefused, openColdKey, openKeys } from "./signer-keys.ts";
import type { KnownHouse } from "./signer-wire.ts";

const NOBODY: KnownHouse = { hasAddresses: false };
/** Created once by a first start, with what the tables hold of it afterwards. */
const made = mkdtempSync(join(tmpdir(), "cw-signer-"));
let known: KnownHouse;
let root: string;
let folder: string;
beforeAll(() => {
  const { extendedPublicKey, hot, cold } = openKeys(join(made, "signer"), NOBODY);
  known = { extendedPublicKey, hot: hot.address.toLowerCase(), cold, hasAddresses: true };
});
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cw-signer-"));
  folder = join(root, "signer");
  cpSync(join(made, "signer"), folder, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
afterAll(() => rmSync(made, { recursive: true, force: true }));

test("[WAL-2] keys are created for an exchange without any, and never change", () => {
  expect(openKeys(folder, NOBODY).cold).toBe(known.cold);
  expect(readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600, 0o600]);
});

test("[WAL-2] a lost signer folder is detected and not created again", () => {
  rmSync(folder, { recursive: true });
  for (const tables of [known, { hasAddresses: true }]) {
    expect(() => openKeys(folder, tables)).toThrow(KeysRefused);
    expect(existsSync(folder)).toBe(false);
  }
});

test("[WAL-2] neither the seed nor its unlocking secret is created again next to the one that is left", () => {
  for (const name of ["keys.sealed", "unlock.key"]) {
    renameSync(join(folder, name), join(root, name));
    const left = readdirSync(folder);
    expect(() => openKeys(folder, known)).toThrow(`${name} is missing`);
    expect(readdirSync(folder)).toEqual(left);
    renameSync(join(root, name), join(folder, name));
  }
  // Also where the tables are empty: sealed data could never be opened again.
  renameSync(join(folder, "unlock.key"), join(root, "unlock.key"));
  expect(() => openKeys(folder, NOBODY)).toThrow("unlock.key is missing");
  expect(existsSync(join(folder, "unlock.key"))).toBe(false);
});

test("[WAL-2] a cold key stored elsewhere is identified by its address, and no other one is created", () => {
  renameSync(join(folder, "cold-wallet.sealed"), join(root, "cold-wallet.sealed"));
  expect(openKeys(folder, known).cold).toBe(known.cold);
  expect(existsSync(join(folder, "cold-wallet.sealed"))).toBe(false);
  const bytes = readFileSync(join(folder, "unlock.key"));
  renameSync(join(folder, "unlock.key"), join(root, "unlock.key"));
  expect(openColdKey(root).address.toLowerCase()).toBe(known.cold);
  expect(bytes).toHaveLength(32);
});

test("[WAL-2] keys other than those in use are refused by name", () => {
  const others = { ...known, extendedPublicKey: "xpub-of-another" };
  expect(() => openKeys(folder, others)).toThrow("others than those in use (extendedPublicKey)");
});
