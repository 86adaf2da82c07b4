// The wallet over the real development chain, in the built process: how soon a deposit is seen after its block and
// credited after its last confirmation, how long catching up with ten thousand blocks takes, and what the idle chain's
// own process costs. In addition the first page with and without the chains. Run by npm run bench -- wallet [blocks].
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { callJson, openOwnSocket, signUp } from "./gateway/traders.ts";
import { processorMs, type ServedSite, startSite } from "./served-site.ts";

const BLOCKS = Number(process.argv[2] ?? 10_000);
const MINE_MAX = 200;
const ROUNDS = 20;
const STARTS = 5;
const IDLE_MS = 60_000;
const BARS = { seenMs: 1_000, creditedMs: 1_000, catchUpS: 60, chainMb: 200, chainPercent: 5 };
const NETWORK = "CWT";
/** As npm start has them: chains and signer run at low priority. */
const PLAIN = { CW_MARKET: "on", CW_CAPTCHA: "off" };
const SETTINGS = { ...PLAIN, CW_CHAIN: "auto", CW_CHAIN_PRIORITY: "normal", CW_RATE_WEIGHT_PER_MINUTE: "0" };

interface Deposit {
  readonly depositId: string;
  readonly amount: string;
  readonly state: string;
}

const portOf = ({ origin }: ServedSite): number => Number(new URL(origin).port);
const worst = (values: readonly number[]): number => Math.max(...values);
const middle = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0;

async function until<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  for (let tries = 0; tries < 6_000; tries += 1) {
    const found = await look().catch(() => undefined);
    if (found !== undefined) return found;
    await sleep(20);
  }
  throw new Error("waited in vain");
}

const mine = async (port: number, blocks: number): Promise<number> =>
  ((await callJson(port, "/dev/chain/mine", { network: NETWORK, blocks })).data as { block: number }).block;

/** The messages of the channel of deposits, with the first arrival of each state of each amount. */
async function listen(port: number, headers: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, number>> {
  const received = new Map<string, number>();
  const socket = await openOwnSocket(port, headers);
  const { promise: listening, resolve: begin, reject: refuse } = Promise.withResolvers<void>();
  socket.on("message", (bytes: Buffer) => {
    const nowMs = performance.now();
    const reply = JSON.parse(bytes.toString()) as { event?: string; channel?: string; data?: { deposits?: Deposit[] } };
    const { event, channel, data } = reply;
    if (event === "error" || event === "subfail") refuse(new Error(`the socket refused: ${bytes.toString()}`));
    if (channel !== "deposits" || data?.deposits === undefined) return;
    begin();
    for (const { amount, state } of data.deposits) {
      const key = `${amount}:${state}`;
      if (!received.has(key)) received.set(key, nowMs);
    }
  });
  socket.send(JSON.stringify({ event: "sub", channel: "deposits" }));
  await listening;
  return received;
}

/** A payment with its own amount, its block, then the block that makes its last confirmation. */
async function measureDeposits(port: number): Promise<{ seenMs: number[]; creditedMs: number[] }> {
  const { headers } = await signUp(port, 900);
  const ask = { asset: "USDT", network: NETWORK };
  const { address } = await until(
    async () => (await callJson(port, "/api/asset/v1/api/deposit/address", ask, headers)).data as { address: string },
  );
  const received = await listen(port, headers);
  const [seenMs, creditedMs]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const amount = `50.${String(round + 1).padStart(4, "0")}`.replace(/0+$/, "");
    await callJson(port, "/dev/chain/faucet", { network: NETWORK, asset: "USDT", address, amount });
    const minedMs = performance.now();
    await mine(port, 1);
    const seen = await until(async () => received.get(`${amount}:CONFIRMING`) ?? received.get(`${amount}:CREDITED`));
    seenMs.push(Math.max(0, seen - minedMs));
    const confirmedMs = performance.now();
    await mine(port, 6);
    const credited = await until(async () => received.get(`${amount}:CREDITED`) ?? received.get(`${amount}:UNLOCKED`));
    creditedMs.push(Math.max(0, credited - confirmedMs));
  }
  return { seenMs, creditedMs };
}

async function newestRead(port: number, headers: Readonly<Record<string, string>>): Promise<number> {
  const networks = (await callJson(port, "/api/asset/v1/api/wallet/networks", undefined, headers)).data as {
    network: string;
    block: number | null;
  }[];
  return networks.find(({ network }) => network === NETWORK)?.block ?? 0;
}

async function makeBlocks(port: number): Promise<number> {
  const startedMs = performance.now();
  let head = 0;
  for (let made = 0; made < BLOCKS; made += MINE_MAX) head = await mine(port, Math.min(MINE_MAX, BLOCKS - made));
  process.stdout.write(`${BLOCKS} blocks made in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s\n`);
  return head;
}

/** The watcher's cursor is cleared, so that it is behind by all of them when the exchange starts again. */
async function measureCatchUp(folder: string, head: number): Promise<number> {
  const database = new DatabaseSync(join(folder, "clockwork.sqlite"));
  database.exec("DELETE FROM custody_cursor; DELETE FROM custody_block");
  database.close();
  const site = await startSite("wallet", SETTINGS, folder);
  try {
    const { headers } = await signUp(portOf(site), 901);
    const startedMs = performance.now();
    await until(async () => ((await newestRead(portOf(site), headers)) >= head ? true : undefined));
    return (performance.now() - startedMs) / 1_000;
  } finally {
    await site.stop();
  }
}

function chainPid(parent: number): number {
  const listed = execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(parent)], { encoding: "utf8" });
  const line = listed.split("\n").find((one) => one.includes("chain-worker"));
  return Number(/\d+/.exec(line ?? "")?.[0]);
}

async function measureIdle(pid: number): Promise<{ megabytes: number; percent: number }> {
  const before = processorMs(pid);
  await sleep(IDLE_MS);
  const percent = ((processorMs(pid) - before) * 100) / IDLE_MS;
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
  return { megabytes: Number(kilobytes) / 1_024, percent };
}

/** From the start of the process to its first whole page, in turns. */
async function measureStarts(): Promise<{ withMs: number; withoutMs: number }> {
  const took: Record<"auto" | "off", number[]> = { auto: [], off: [] };
  for (const chain of Array.from({ length: STARTS }, () => ["off", "auto"] as const).flat()) {
    const startedMs = performance.now();
    const site = await startSite("wallet", { ...PLAIN, CW_CHAIN: chain });
    await (await fetch(`${site.origin}/`)).text();
    took[chain].push(performance.now() - startedMs);
    await site.stop();
  }
  return { withMs: middle(took.auto), withoutMs: middle(took.off) };
}

/** What is measured in one life of the exchange. */
async function measureLife(folder: string) {
  const site = await startSite("wallet", SETTINGS, folder);
  const port = portOf(site);
  try {
    await until(async () => mine(port, 1));
    const deposits = await measureDeposits(port);
    const pid = chainPid(site.pid);
    const idle = await measureIdle(pid);
    const head = await makeBlocks(port);
    if (chainPid(site.pid) !== pid) throw new Error("the chain ended while it made blocks");
    return { ...deposits, idle, head };
  } finally {
    await site.stop();
  }
}

async function main(): Promise<void> {
  const starts = await measureStarts();
  const folder = mkdtempSync(join(tmpdir(), "clockwork-wallet-"));
  try {
    const { seenMs, creditedMs, idle, head } = await measureLife(folder);
    const catchUpS = await measureCatchUp(folder, head);
    const lines = [
      `first page: ${starts.withMs.toFixed(0)} ms with the chains, ${starts.withoutMs.toFixed(0)} ms without`,
      `a deposit seen on the socket after its block: median ${middle(seenMs).toFixed(0)} ms, worst of ${ROUNDS} ${worst(seenMs).toFixed(0)} ms (below ${BARS.seenMs})`,
      `credited after its last confirmation: median ${middle(creditedMs).toFixed(0)} ms, worst ${worst(creditedMs).toFixed(0)} ms (below ${BARS.creditedMs})`,
      `${BLOCKS} blocks caught up with: ${catchUpS.toFixed(1)} s from the first call after the start on (below ${BARS.catchUpS})`,
      `the chain's process when idle: ${idle.megabytes.toFixed(0)} MB (at most ${BARS.chainMb}), ${idle.percent.toFixed(1)} % of a core (below ${BARS.chainPercent})`,
    ];
    const passed =
      worst(seenMs) < BARS.seenMs &&
      worst(creditedMs) < BARS.creditedMs &&
      catchUpS < BARS.catchUpS &&
      idle.megabytes <= BARS.chainMb &&
      idle.percent < BARS.chainPercent;
    process.stdout.write(`${lines.join("\n")}\n${passed ? "passed" : "FAILED"}\n`);
    process.exitCode = passed ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
