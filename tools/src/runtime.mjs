// Owns the choice of the Node that runs everything but the launcher: the pinned 24 of the lock file, else a new enough one.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { print, Refusal } from "./progress.mjs";

const FALLBACK_FROM = [22, 22];

/** @param {string} version */
export const isNewEnough = (version) => {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const [fromMajor = 0, fromMinor = 0] = FALLBACK_FROM;
  return major > fromMajor || (major === fromMajor && minor >= fromMinor);
};

/** @param {string} root @returns {string | undefined} */
export const pinnedNode = (root) => {
  const modules = join(root, "node_modules");
  if (!existsSync(modules)) return undefined;
  const system = process.platform === "win32" ? "win" : process.platform;
  const name = `node-${system}-${process.arch}`;
  const path = join(modules, name, "bin", process.platform === "win32" ? "node.exe" : "node");
  return readdirSync(modules).includes(name) && existsSync(path) ? path : undefined;
};

/** @param {string} root */
export const findNode = (root) => {
  const pinned = pinnedNode(root);
  if (pinned) return pinned;
  if (isNewEnough(process.version)) {
    print(`No pinned Node for ${process.platform}-${process.arch}: using the system's ${process.version}.`);
    return process.execPath;
  }
  throw new Refusal(
    `No pinned Node for ${process.platform}-${process.arch}, and ${process.version} is too old: install Node 24 (at least ${FALLBACK_FROM.join(".")}).`,
  );
};
