// A served process for benchmarks: built, on a free port, with its own data folder that is removed with it. Its market
// is quiet unless the settings enable it: it would take the processor time that is measured.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

export interface Site {
  readonly origin: string;
  readonly stop: () => Promise<void>;
}
export interface ServedSite extends Site {
  readonly pid: number;
}

const TICK_MS = 10;

/** As the launcher serves; none where a benchmark is run without it. */
const FLAGS = process.env.CW_BENCH_HEAP_FLAG === undefined ? [] : [process.env.CW_BENCH_HEAP_FLAG];

/** What a process has used of the processors so far, with all its threads. */
export function processorMs(pid: number): number {
  return usedMs(`/proc/${pid}/stat`);
}

/** The same by threads' names; those of one name are summed. */
export function threadsMs(pid: number): Map<string, number> {
  const used = new Map<string, number>();
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${task}`;
    try {
      const name = readFileSync(`${folder}/comm`, "latin1").trim();
      used.set(name, (used.get(name) ?? 0) + usedMs(`${folder}/stat`));
    } catch {
      // It has ended since.
    }
  }
  return used;
}

function usedMs(file: string): number {
  const stat = readFileSync(file, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** A folder that is passed in remains with the caller. */
export async function startSite(
  name: string,
  settings: Readonly<Record<string, string>> = {},
  given?: string,
): Promise<ServedSite> {
  const folder = given ?? mkdtempSync(join(tmpdir(), `clockwork-${name}-`));
  const child = spawn(process.execPath, [...FLAGS, "apps/server/build/main.js"], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: "0",
      HOST: "127.0.0.1",
      CW_DATA: folder,
      CW_LOG_LEVEL: "error",
      CW_MARKET: "off",
      ...settings,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const origin = await new Promise<string>((done, fail) => {
    let reply = "";
    child.stdout.on("data", (chunk: Buffer) => {
      reply += chunk.toString();
      const port = /http:\/\/[^\s:]+:(\d+)/.exec(reply)?.[1];
      if (port !== undefined) done(`http://127.0.0.1:${port}`);
    });
    child.once("exit", (code) => fail(new Error(`the site ended with ${code}:\n${reply}`)));
  });
  return {
    origin,
    pid: child.pid ?? 0,
    stop: async () => {
      const ended = new Promise((done) => child.once("exit", done));
      child.kill("SIGTERM");
      await ended;
      if (given === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
