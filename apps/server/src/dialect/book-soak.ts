// A long watch over the books ccxt pro keeps: a served exchange with a fast simulated market in a process of its own, the
// unmodified client over lines that are cut at random, its books compared with the plain call at the same number. Prints
// what it saw; ends with 1 when anything differed. npm run soak -- ccxt [simulated minutes] [seed]
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "@clockwork/kit/random";
import { wallMs } from "../clock/measure.ts";
import { type Levels, openWire, watchBooks } from "./book-watch.ts";
import { openCcxt } from "./dialect-fixture.ts";

const SPEED = 40;
const CUT_ONE_IN = 40;
const SYMBOLS = { "BTC/USDT": "BTCUSDT", "ETH/USDT": "ETHUSDT", "SOL/USDT": "SOLUSDT" } as const;
const minutes = Number(process.argv[2] ?? 60);
const seed = Number(process.argv[3] ?? wallMs() % 1_000_000);

const folder = mkdtempSync(join(tmpdir(), "cw-ccxt-"));
// The folder of this file differs between sources and build; soaks are run from the sources alone.
const child = spawn(process.execPath, ["apps/server/src/market/market-child.ts", folder, String(SPEED)], {
  stdio: ["ignore", "pipe", "inherit"],
});
const line = await new Promise<string>((done) => child.stdout.once("data", (bytes: Buffer) => done(bytes.toString())));
const { url } = JSON.parse(line) as { url: string };
const readJson = async <Data>(path: string): Promise<Data> => (await (await fetch(url + path)).json()) as Data;

while ((await readJson<unknown[]>("/api/v3/trades?symbol=BTCUSDT")).length < 20) {
  await new Promise((resolve) => setTimeout(resolve, 200));
}
const wire = await openWire(Number(new URL(url).port));
const client = openCcxt(`http://127.0.0.1:${wire.port}`);
await client.loadHttpProxyAgent();
await client.loadMarkets();
const random = createRandom(seed);
const untilMs = wallMs() + (minutes * 60_000) / SPEED;
const numbers = (levels: readonly (readonly string[])[]): Levels =>
  levels.map(([price, quantity]) => [Number(price), Number(quantity)] as const);
const report = await watchBooks({
  symbols: Object.keys(SYMBOLS),
  watch: (symbol) => client.watchOrderBook(symbol),
  async read(symbol) {
    const name = SYMBOLS[symbol as keyof typeof SYMBOLS];
    const told = await readJson<{ lastUpdateId: number; bids: string[][]; asks: string[][] }>(
      `/api/v3/depth?symbol=${name}&limit=100`,
    );
    return { id: told.lastUpdateId, bids: numbers(told.bids), asks: numbers(told.asks) };
  },
  cut: wire.cut,
  isCut: () => random.below(CUT_ONE_IN) === 0,
  isOver: () => wallMs() >= untilMs,
  pauseMs: 50,
});
await Promise.race([client.close(), new Promise((done) => setTimeout(done, 1_000))]);
await wire.close();
const ended = new Promise((done) => child.once("exit", done));
child.kill("SIGTERM");
await ended;
rmSync(folder, { recursive: true, force: true });
const { differences, ...counts } = report;
process.stdout.write(`${JSON.stringify({ seed, minutes, ...counts, differences: differences.length })}\n`);
process.stdout.write(`${differences.slice(0, 20).join("\n")}\n`);
process.exit(differences.length === 0 && counts.compared > 0 ? 0 : 1);
