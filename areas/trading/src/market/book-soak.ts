// A soak of order books: a served exchange with a fast simulated market in a process of its own, clients that
// disconnect at random, every book compared with the plain call at the same sequence. Prints its findings; exits with 1
// on any difference. npm run soak -- books [simulated minutes] [seed]

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wallMs } from "@clockwork/host/time/measure";
import { createRandom } from "@clockwork/kit/random";
import type { Depth, Pair } from "../markets/contract.ts";
import { rebuildBooks } from "./book-client.ts";

const SPEED = 40;
const PAUSE_MS = 50;
const minutes = Number(process.argv[2] ?? 60);
const seed = Number(process.argv[3] ?? wallMs() % 1_000_000);

const folder = mkdtempSync(join(tmpdir(), "cw-books-"));
// The folder of this file differs between sources and build; soaks are run only from the sources.
const child = spawn(process.execPath, ["areas/trading/src/market/market-child.ts", folder, String(SPEED)], {
  stdio: ["ignore", "pipe", "inherit"],
});
const line = await new Promise<string>((done) => child.stdout.once("data", (bytes: Buffer) => done(bytes.toString())));
const { url, socketUrl } = JSON.parse(line) as { url: string; socketUrl: string };
const read = async <Data>(path: string): Promise<Data> =>
  ((await (await fetch(`${url}/api${path}`)).json()) as { data: Data }).data;

while ((await read<unknown[]>("/v1/spot/trades?pairCode=BTC_USDT")).length < 20) {
  await new Promise((resolve) => setTimeout(resolve, 200));
}
const random = createRandom(seed);
const untilMs = wallMs() + (minutes * 60_000) / SPEED;
const total = { compared: 0, cuts: 0, updates: 0, snapshots: 0 };
const differences: string[] = [];
const pairCodes = (await read<Pair[]>("/v1/spot/pairs")).map(({ pairCode }) => pairCode);
while (wallMs() < untilMs) {
  const report = await rebuildBooks({
    socketUrl,
    readDepth: (pairCode) => read<Depth>(`/v1/spot/depth?pairCode=${pairCode}&limit=500`),
    pairCodes,
    rounds: 100,
    pauseMs: PAUSE_MS,
    below: (bound) => random.below(bound),
  });
  for (const key of ["compared", "cuts", "updates", "snapshots"] as const) total[key] += report[key];
  differences.push(...report.differences);
}
const ended = new Promise((done) => child.once("exit", done));
child.kill("SIGTERM");
await ended;
rmSync(folder, { recursive: true, force: true });
const answer = { seed, minutes, pairs: pairCodes.length, ...total, differences: differences.length };
process.stdout.write(`${JSON.stringify(answer)}\n${differences.slice(0, 20).join("\n")}\n`);
process.exitCode = differences.length === 0 ? 0 : 1;
