// The helper processes: they are restarted when killed, nothing confirmed is lost, and the signer's secrets are nowhere
// outside it: neither in the server's memory nor in its files, its log or a backup.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backup } from "@clockwork/server/copies/copies";
import { Visitor } from "@clockwork/server/process/account-fixture";
import { PROGRAM_ENVIRONMENT, programOf } from "@clockwork/server/process/program-fixture";
import { holds } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSecrets, searchFiles, searchMemory } from "./soak/key-search.ts";

const TIMEOUT_MS = 240_000;
const folder = mkdtempSync(join(tmpdir(), "cw-keys-"));
const place = { url: "" };
let server: ChildProcess;

/** A separate process: its memory must contain nothing of this test's own. */
beforeAll(async () => {
  const logFile = join(folder, "log.txt");
  const log = openSync(logFile, "a");
  const settings = { PORT: "0", HOST: "127.0.0.1", CW_DATA: folder, CW_MARKET: "off", CW_CAPTCHA: "off" };
  const more = { CW_CHAIN: "auto", CW_CHAIN_PRIORITY: "normal", CW_LOG_LEVEL: "info", CW_RATE_WEIGHT_PER_MINUTE: "0" };
  server = spawn(process.execPath, programOf("main"), {
    env: { ...PROGRAM_ENVIRONMENT, ...settings, ...more },
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const port = await until(
    "the port",
    async () => /serving on http:\/\/[^:]+:(\d+)/.exec(readFileSync(logFile, "utf8"))?.[1],
  );
  place.url = `http://127.0.0.1:${port}`;
  await until("the chain", async () => ((await dev("mine", { network: "CWT", blocks: 1 })) ? true : undefined));
}, TIMEOUT_MS);
afterAll(async () => {
  if (server?.exitCode === null && server.signalCode === null) {
    const ended = new Promise((done) => server.once("exit", done));
    server.kill("SIGTERM");
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

async function until<Value>(what: string, look: () => Promise<Value | undefined>): Promise<Value> {
  for (const endMs = performance.now() + TIMEOUT_MS; performance.now() < endMs; ) {
    const found = await look().catch(() => undefined);
    if (found !== undefined) return found;
    await new Promise((wake) => setTimeout(wake, 40));
  }
  throw new Error(`waited in vain for ${what}`);
}

async function dev(call: string, body: object): Promise<boolean> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  return (await fetch(`${place.url}/dev/chain/${call}`, init)).ok;
}

function findHelper(worker: string): number {
  const listed = execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(server.pid)], { encoding: "utf8" });
  const line = listed.split("\n").find((one) => one.includes(worker));
  return Number(/\d+/.exec(line ?? "")?.[0]);
}

const addressOf = (visitor: Visitor): Promise<string> =>
  until("an address", async () => {
    const answer = await visitor.post("/asset/v1/api/deposit/address", { asset: "USDT", network: "CWT" });
    return answer.status === 200 ? (answer.data.address as string) : undefined;
  });

test(
  "[WAL-2] a chain and a signer that are killed come back with everything they had confirmed",
  async () => {
    const visitor = new Visitor(place);
    await visitor.signUp("keys@example.com");
    const address = await addressOf(visitor);
    expect(await dev("faucet", { network: "CWT", asset: "USDT", address, amount: "40" })).toBe(true);
    process.kill(findHelper("chain-worker"), "SIGKILL");
    process.kill(findHelper("signer-worker"), "SIGKILL");
    await until("the chain to come back", async () =>
      (await dev("mine", { network: "CWT", blocks: 8 })) ? true : undefined,
    );
    await until("the credit", async () => ((await holds(visitor, "USDT"))[0] === "40" ? true : undefined));
    expect(await addressOf(visitor)).toBe(address);
  },
  TIMEOUT_MS,
);

test(
  "[WAL-2] no private key is in the server's memory, its files, its log or a backup",
  async () => {
    const signer = join(folder, "signer");
    const secrets = readSecrets(signer);
    const copy = join(folder, "backup");
    backup({ from: folder, to: copy, databaseUrl: undefined, print: () => undefined });
    expect(existsSync(join(copy, "signer"))).toBe(false);
    expect(searchFiles(folder, secrets)).toEqual([]);
    expect(statSync(signer).mode & 0o077).toBe(0);
    // The search is validated by finding the hot wallet's key where it belongs. After a restart the process exists some
    // time before it has opened its keys.
    await until("the signer", async () => {
      const held = searchMemory(findHelper("signer-worker"), secrets);
      return held.some((name) => name.startsWith("the hot key")) ? true : undefined;
    });
    expect(searchMemory(server.pid ?? 0, secrets)).toEqual([]);
  },
  TIMEOUT_MS,
);
