// Owns `npm run dev`: the server from its sources, restarted when one of them changes; the pages reload themselves. Not
// `node --watch`: it sends messages of its own through every worker's port, where the server's own are expected.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, watch } from "node:fs";
import { constants } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
const WATCHED = ["apps/server/src", "areas", "host/src", "core/src", "kit/src", "sim/src"];
const FLAGS = ["--enable-source-maps", "--conditions=development", "--import", "./tools/src/parent-watch.mjs"];
/** Editors write a file in several steps, and a checkout writes many. */
const QUIET_MS = 150;

let child: ChildProcess | undefined;
let isRestarting = false;
let isStopping = false;
let timer: NodeJS.Timeout | undefined;

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const start = (): void => {
  const running = spawn(process.execPath, [...FLAGS, "apps/server/src/process/main.ts"], {
    cwd: ROOT,
    stdio: "inherit",
  });
  child = running;
  running.once("exit", (code, signal) => {
    child = undefined;
    if (isStopping) process.exit(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
    if (isRestarting) {
      isRestarting = false;
      start();
    } else print(`The server ended (${signal ?? `exit code ${code}`}): waiting for a change.`);
  });
};

const restart = (path: string): void => {
  if (isStopping || isRestarting) return;
  print(`↻ ${path} changed`);
  if (child === undefined) {
    start();
    return;
  }
  isRestarting = true;
  child.kill("SIGTERM");
};

const onChange = (path: string): void => {
  if (!/\.(?:ts|sql)$/.test(path) || /\.test\.ts$/.test(path)) return;
  clearTimeout(timer);
  timer = setTimeout(() => restart(path), QUIET_MS);
};

const stop = (signal: NodeJS.Signals): void => {
  isStopping = true;
  if (child === undefined) process.exit(0);
  child.kill(signal);
};

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stop(signal));
for (const folder of WATCHED.filter((path) => existsSync(join(ROOT, path)))) {
  watch(join(ROOT, folder), { recursive: true }, (_event, name) => onChange(`${folder}/${name ?? ""}`));
}
start();
