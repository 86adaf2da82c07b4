import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { KEY_FILE, loadSecretKey, openVault } from "./secret-key.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cw-key-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const SECRET = new TextEncoder().encode("JBSWY3DPEHPK3PXP");

test("[AUTH-7] the key is created once, outside the database, readable only by its owner", () => {
  const first = loadSecretKey(folder, "");
  expect(statSync(join(folder, KEY_FILE)).mode & 0o777).toBe(0o600);
  expect(loadSecretKey(folder, "")).toEqual(first);
  expect(readFileSync(join(folder, KEY_FILE), "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
  expect(loadSecretKey(folder, "ab".repeat(32))).toEqual(Buffer.alloc(32, 0xab));
  writeFileSync(join(folder, KEY_FILE), "lost");
  expect(() => loadSecretKey(folder, "")).toThrow("restore it");
});

test("[AUTH-7] a sealed secret opens for its own context and key only, and no bit of it can be changed", () => {
  const vault = openVault(Buffer.alloc(32, 1));
  const sealed = vault.seal(SECRET, "totp:7");
  expect(vault.open(sealed, "totp:7")).toEqual(SECRET);
  expect(Buffer.from(sealed).includes(Buffer.from(SECRET))).toBe(false);
  expect(vault.seal(SECRET, "totp:7")).not.toEqual(sealed);
  expect(() => vault.open(sealed, "totp:8")).toThrow();
  expect(() => openVault(Buffer.alloc(32, 2)).open(sealed, "totp:7")).toThrow("another key");
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = sealed.slice();
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => vault.open(changed, "totp:7")).toThrow();
  }
  expect(() => vault.open(sealed.slice(0, 20), "totp:7")).toThrow("damaged");
});

test("[AUTH-5] marks recognise a text without keeping it", () => {
  const vault = openVault(Buffer.alloc(32, 1));
  expect(vault.mark("123456", "a")).toBe(vault.mark("123456", "a"));
  expect(new Set([vault.mark("123456", "a"), vault.mark("123456", "b"), vault.mark("123457", "a")]).size).toBe(3);
  expect(openVault(Buffer.alloc(32, 2)).mark("123456", "a")).not.toBe(vault.mark("123456", "a"));
});
