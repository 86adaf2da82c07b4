// A long check of the books ccxt pro keeps: a served exchange with a fast simulated market in its own process, the
// unmodified client over lines that are cut at random, its books compared with the plain call at the same number.
// Prints its findings for spot and both kinds of contracts; exits with 1 when anything differed, or one of them was
// never compared. npm run soak -- ccxt [simulated minutes] [seed]
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wallMs } from "@clockwork/host/time/measure";
import { createRandom } from "@clockwork/kit/random";
import { type Levels, openWire, watchBooks } from "./book-watch.ts";
import { openCcxt } from "./dialect-fixture.ts";

const SPEED = 40;
const CUT_ONE_IN = 40;
/** By kind of market: where the plain call is, and which books are kept. */
const SIDES = {
  spot: { path: "/api/v3", symbols: { "BTC/USDT": "BTCUSDT", "ETH/USDT": "ETHUSDT", "SOL/USDT": "SOLUSDT" } },
  linear: { path: "/fapi/v1", symbols: { "BTC/USDT:USDT": "BTCUSDT", "ETH/USDT:USDT": "ETHUSDT" } },
  inverse: { path: "/dapi/v1", symbols: { "BTC/USD:BTC": "BTCUSD_PERP" } },
} as const;
type Kind = keyof typeof SIDES;
const KINDS = Object.keys(SIDES) as Kind[];
const minutes = Number(process.argv[2] ?? 60);
const seed = Number(process.argv[3] ?? wallMs() % 1_000_000);

const folder = mkdtempSync(join(tmpdir(), "cw-ccxt-"));
// The folder of this file differs between sources and build; soaks are run from the sources alone.
const child = spawn(process.execPath, ["areas/trading/src/market/market-child.ts", folder, String(SPEED)], {
  stdio: ["ignore", "pipe", "inherit"],
});
const line = await new Promise<string>((done) => child.stdout.once("data", (bytes: Buffer) => done(bytes.toString())));
const { url } = JSON.parse(line) as { url: string };
const readJson = async <Data>(path: string): Promise<Data> => (await (await fetch(url + path)).json()) as Data;

for (const { path, symbols } of Object.values(SIDES)) {
  for (const name of Object.values<string>(symbols)) {
    while ((await readJson<unknown[]>(`${path}/trades?symbol=${name}`)).length < 20) {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
const random = createRandom(seed);
const untilMs = wallMs() + (minutes * 60_000) / SPEED;
const numbers = (levels: readonly (readonly string[])[]): Levels =>
  levels.map(([price, quantity]) => [Number(price), Number(quantity)] as const);

async function watch(kind: Kind) {
  const { path, symbols } = SIDES[kind];
  const wire = await openWire(Number(new URL(url).port));
  const client = openCcxt(`http://127.0.0.1:${wire.port}`, undefined, undefined, kind);
  await client.loadHttpProxyAgent();
  await client.loadMarkets();
  const report = await watchBooks({
    symbols: Object.keys(symbols),
    watch: (symbol) => client.watchOrderBook(symbol),
    async read(symbol) {
      const name = (symbols as Readonly<Record<string, string>>)[symbol];
      const answer = await readJson<{ lastUpdateId: number; bids: string[][]; asks: string[][] }>(
        `${path}/depth?symbol=${name}&limit=100`,
      );
      return { id: answer.lastUpdateId, bids: numbers(answer.bids), asks: numbers(answer.asks) };
    },
    cut: wire.cut,
    isCut: () => random.below(CUT_ONE_IN) === 0,
    isOver: () => wallMs() >= untilMs,
    pauseMs: 50,
  });
  await Promise.race([client.close(), new Promise((done) => setTimeout(done, 1_000))]);
  await wire.close();
  return report;
}

const reports = await Promise.all(KINDS.map(watch));
const ended = new Promise((done) => child.once("exit", done));
child.kill("SIGTERM");
await ended;
rmSync(folder, { recursive: true, force: true });
for (const [place, kind] of KINDS.entries()) {
  const { differences = [], ...counts } = reports[place] ?? {};
  process.stdout.write(`${JSON.stringify({ kind, seed, minutes, ...counts, differences: differences.length })}\n`);
  process.stdout.write(`${differences.slice(0, 20).join("\n")}\n`);
}
process.exit(reports.every(({ differences, compared }) => differences.length === 0 && compared > 0) ? 0 : 1);
