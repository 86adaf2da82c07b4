// Owns the question "does node_modules match package-lock.json" and the one command that makes it so.
// Must run on Node 20 without any dependency: it is what brings the dependencies.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./child.mjs";
import { Refusal, step } from "./progress.mjs";

/**
 * @typedef {{ version?: string, integrity?: string, link?: boolean, resolved?: string, optional?: boolean,
 *   devOptional?: boolean, peer?: boolean, os?: string | string[], cpu?: string | string[], libc?: string | string[] }} LockEntry
 * @typedef {Record<string, LockEntry>} LockEntries
 */

const STAMP = "node_modules/.clockwork-lock";

/** @param {string} root */
export const lockHash = (root) =>
  createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");

/** @param {string} path @returns {LockEntries} */
const entries = (path) => JSON.parse(readFileSync(path, "utf8")).packages ?? {};

/** @param {LockEntry} entry */
const isForThisMachine = (entry) =>
  (entry.os === undefined || [entry.os].flat().includes(process.platform)) &&
  (entry.cpu === undefined || [entry.cpu].flat().includes(process.arch)) &&
  (entry.libc === undefined || [entry.libc].flat().includes("glibc"));

/**
 * Whether npm's record of what it installed (its hidden lock file) matches the lock file. Entries of other machines may be
 * missing.
 * @param {LockEntries} wanted
 * @param {LockEntries} present
 */
export const isInstalled = (wanted, present) =>
  Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes("node_modules/")) return true;
    const there = present[path];
    if (!there) return (entry.optional || entry.devOptional) === true && !(entry.os && isForThisMachine(entry));
    if (entry.link) return there.link === true;
    return there.version === entry.version && there.integrity === entry.integrity;
  });

/** @param {string} root */
export const needsInstall = (root) => {
  const stamp = join(root, STAMP);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lockHash(root)) return false;
  const hidden = join(root, "node_modules/.package-lock.json");
  if (!existsSync(hidden)) return true;
  // Npm was run by hand: its own record is trusted instead of downloading everything again.
  if (!isInstalled(entries(join(root, "package-lock.json")), entries(hidden))) return true;
  writeFileSync(stamp, lockHash(root));
  return false;
};

/** @param {string} root */
export const install = async (root) => {
  if (!needsInstall(root)) return;
  await step("Installing dependencies", async () => {
    const args = ["ci", "--ignore-scripts", "--loglevel=error"];
    const npm = process.env.npm_execpath;
    const code = npm?.endsWith(".js")
      ? await run(process.execPath, [npm, ...args], { cwd: root })
      : await run(process.platform === "win32" ? "npm.cmd" : "npm", args, {
          cwd: root,
          shell: process.platform === "win32",
        });
    if (code !== 0)
      throw new Refusal(`npm ci failed (exit code ${code}): see the lines above, then run the command again.`);
  });
  writeFileSync(join(root, STAMP), lockHash(root));
};
