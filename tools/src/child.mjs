// Owns child processes of the launcher: inherited output, signals passed on, the parent watched, the exit code
// returned. Never leaves a child behind: npm does not pass SIGTERM on, so the death of npm has to be detected here.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { print } from "./progress.mjs";

const WATCH_MS = 500;
const KILL_MS = 30_000;

/** @param {number} pid @returns {{ name: string, parent: number } | undefined} */
const processAt = (pid) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const end = stat.lastIndexOf(")");
    return { name: stat.slice(stat.indexOf("(") + 1, end), parent: Number(stat.slice(end + 2).split(" ")[1]) };
  } catch {
    return undefined;
  }
};

/**
 * The processes between npm and us, us included: each with the parent it must keep. Empty when npm did not start us,
 * since a launcher started by hand may outlive its shell.
 */
export const lineage = () => {
  if (process.env.npm_lifecycle_event === undefined) return [];
  const chain = [{ pid: process.pid, parent: process.ppid }];
  const parent = processAt(process.ppid);
  if (parent && /^(?:sh|dash|bash|ash|zsh)$/.test(parent.name))
    chain.push({ pid: process.ppid, parent: parent.parent });
  return chain;
};

/** @param {ReadonlyArray<{ pid: number, parent: number }>} chain */
export const isOrphaned = (chain) =>
  chain.some(({ pid, parent }) => (pid === process.pid ? process.ppid : processAt(pid)?.parent) !== parent);

/** @param {import("node:child_process").ChildProcess} child @param {boolean} isApart */
const guard = (child, isApart) => {
  let stopping = false;
  /** @type {NodeJS.Timeout | undefined} */
  let killer;
  /** @param {NodeJS.Signals} signal @param {boolean} isDelivered */
  const stop = (signal, isDelivered) => {
    if (!isDelivered) child.kill(signal);
    if (stopping) return;
    stopping = true;
    killer = setTimeout(() => {
      print(`Still running ${KILL_MS / 1000} s after it was asked to stop: ending it.`);
      child.kill("SIGKILL");
    }, KILL_MS);
  };
  // Ctrl-C in a terminal reaches a child of our own group directly: passing it on would signal twice.
  const onInt = () => stop("SIGINT", !isApart && process.stdin.isTTY === true);
  const onTerm = () => stop("SIGTERM", false);
  const chain = lineage();
  const watch = setInterval(() => {
    if (!stopping && isOrphaned(chain)) stop("SIGTERM", false);
  }, WATCH_MS);
  process.on("SIGINT", onInt).on("SIGTERM", onTerm).on("SIGHUP", onTerm);
  return () => {
    clearInterval(watch);
    clearTimeout(killer);
    process.off("SIGINT", onInt).off("SIGTERM", onTerm).off("SIGHUP", onTerm);
  };
};

/**
 * Runs a program with our own output and resolves to its exit code. A detached one gets its own process group, so that
 * a signal to ours reaches it exactly once, through us: to a server the second signal means "at once".
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, shell?: boolean, detached?: boolean }} options
 * @returns {Promise<number>}
 */
export const run = (program, args, options = {}) =>
  new Promise((done, fail) => {
    const child = spawn(program, args, { stdio: "inherit", ...options });
    const release = guard(child, options.detached === true);
    child.once("error", (error) => {
      release();
      fail(error);
    });
    child.once("exit", (code, signal) => {
      release();
      done(signal ? 128 + constants.signals[signal] : (code ?? 1));
    });
  });

/**
 * Runs a program quietly; its output is returned to be shown only when it failed.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ code: number, output: string }>}
 */
export const runQuietly = (program, args, options = {}) =>
  new Promise((done, fail) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    const release = guard(child, false);
    /** @type {Buffer[]} */
    const parts = [];
    child.stdout.on("data", (part) => parts.push(part));
    child.stderr.on("data", (part) => parts.push(part));
    child.once("error", (error) => {
      release();
      fail(error);
    });
    child.once("close", (code, signal) => {
      release();
      done({ code: signal ? 128 + constants.signals[signal] : (code ?? 1), output: Buffer.concat(parts).toString() });
    });
  });
