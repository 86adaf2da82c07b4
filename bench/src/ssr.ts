// How many pages a core renders: uncached compared with a bare streaming render of the same tree in the same run, and
// anonymous pages from the short cache. Rates are per second of the server's own processor time, so that load on the
// machine has no effect.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
const ROUND_MS = 2_000;
const WARM_MS = 1_500;
const ROUNDS = 4;
const CONNECTIONS = 16;
const RATIO_MIN = 0.5;
const CACHED_MIN = 3_000;
/** The whole home page is twice this; an empty or broken one does not come near. */
const PAGE_BYTES_MIN = 30_000;

interface Served {
  readonly child: ChildProcess;
  readonly origin: string;
}

interface Rate {
  readonly pages: number;
  readonly wallS: number;
  readonly cpuS: number;
}

function start(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Served> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((done, fail) => {
    let reply = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      reply += chunk.toString();
      const port = /http:\/\/[^\s:]+:(\d+)/.exec(reply)?.[1];
      if (port !== undefined) done({ child, origin: `http://127.0.0.1:${port}` });
    });
    child.once("exit", (code) => fail(new Error(`a server ended with ${code}:\n${reply}`)));
  });
}

const TICKS_PER_S = 100;

/** Processor seconds of the main threads, by the system's own account: what answers requests and what draws pages. */
function readCpuS(pid: number | undefined): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  const drawing = children.filter(
    (child) => child !== "" && readFileSync(`/proc/${child}/cmdline`, "latin1").includes("pages-worker"),
  );
  return [String(pid), ...drawing].reduce((sum, one) => {
    const fields = readFileSync(`/proc/${one}/task/${one}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return sum + (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S;
  }, 0);
}

function fetchOnce(url: string, agent: Agent, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((done, fail) => {
    get(url, { agent, headers }, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on("end", () => {
        if (response.statusCode === 200 && bytes > PAGE_BYTES_MIN) done(bytes);
        else fail(new Error(`${url} answered ${response.statusCode} with ${bytes} bytes`));
      });
    }).on("error", fail);
  });
}

async function load(served: Served, forMs: number, headers: Readonly<Record<string, string>>): Promise<Rate> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const cpuBeforeS = readCpuS(served.child.pid);
  const startedMs = performance.now();
  let pages = 0;
  const ask = async () => {
    while (performance.now() - startedMs < forMs) {
      await fetchOnce(`${served.origin}/`, agent, headers);
      pages++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));
  agent.destroy();
  return { pages, wallS: (performance.now() - startedMs) / 1000, cpuS: readCpuS(served.child.pid) - cpuBeforeS };
}

function add(a: Rate, b: Rate): Rate {
  return { pages: a.pages + b.pages, wallS: a.wallS + b.wallS, cpuS: a.cpuS + b.cpuS };
}

async function measure(site: Served, bare: Served): Promise<Readonly<Record<"bare" | "uncached" | "cached", Rate>>> {
  const none: Rate = { pages: 0, wallS: 0, cpuS: 0 };
  const total = { bare: none, uncached: none, cached: none };
  // A request with a session gets a page of its own, even when the session is over.
  const kinds = [
    ["bare", bare, {}],
    ["uncached", site, { cookie: "cw_access_token=bench" }],
    ["cached", site, {}],
  ] as const;
  for (const [, served, headers] of kinds) await load(served, WARM_MS, headers);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, served, headers] of kinds) total[name] = add(total[name], await load(served, ROUND_MS, headers));
  }
  return total;
}

function perCore(rate: Rate): number {
  return Math.round(rate.pages / rate.cpuS);
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "clockwork-ssr-"));
  const site = await start(["apps/server/src/process/main.ts"], {
    PORT: "0",
    HOST: "127.0.0.1",
    CW_DATA: folder,
    CW_LOG_LEVEL: "error",
    CW_MARKET: "off",
    CW_RATE_WEIGHT_PER_MINUTE: "0",
  });
  const bare = await start(["bench/src/ssr-bare.ts", site.origin], {});
  try {
    const rates = await measure(site, bare);
    const ratio = perCore(rates.uncached) / perCore(rates.bare);
    const rows = (["bare", "uncached", "cached"] as const).map((name) => ({
      page: name,
      pagesPerCoreSecond: perCore(rates[name]),
      pagesPerSecond: Math.round(rates[name].pages / rates[name].wallS),
    }));
    const passed = ratio >= RATIO_MIN && perCore(rates.cached) >= CACHED_MIN;
    if (process.argv.includes("--json")) {
      process.stdout.write(
        `${JSON.stringify({ name: "ssr", rows, ratio: Number(ratio.toFixed(3)), ratioMin: RATIO_MIN, cachedMin: CACHED_MIN, passed })}\n`,
      );
    } else {
      process.stdout.write("page        per core second   per second\n");
      for (const row of rows) {
        process.stdout.write(
          `${row.page.padEnd(12)}${String(row.pagesPerCoreSecond).padStart(15)}${String(row.pagesPerSecond).padStart(13)}\n`,
        );
      }
      process.stdout.write(
        `uncached is ${ratio.toFixed(2)} of bare (at least ${RATIO_MIN}); cached at least ${CACHED_MIN}: ${passed ? "passed" : "FAILED"}\n`,
      );
    }
    process.exitCode = passed ? 0 : 1;
  } finally {
    site.child.kill("SIGTERM");
    bare.child.kill("SIGTERM");
    await new Promise((done) => site.child.once("exit", done));
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
