// Daily files of market data, read by a program that is not ours.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { allOf } from "@clockwork/kit/all-of";
import { DAY_MS, HOUR_MS } from "@clockwork/kit/time";
import { type FuturesServer, meet, startFuturesServer } from "@clockwork/trading/futures/futures-fixture";
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../dialect-fixture.ts";
import { readArchivePath } from "./paths.ts";

const run = promisify(execFile);
/** Fails on a damaged archive. */
const READ =
  "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; [n] = z.namelist(); print(n); sys.stdout.write(z.read(n).decode())";

let server: FuturesServer;
let folder: string;
let day = "";
let openAt = 0;

beforeAll(async () => {
  server = await startFuturesServer();
  folder = await mkdtemp(join(tmpdir(), "archive-"));
  openAt = server.nowMs();
  day = new Date(openAt).toISOString().slice(0, 10);
  const buyer = await server.trader({ USDT: "100000" });
  const seller = await server.trader({ BTC: "3" });
  const order = (who: typeof buyer, side: string, price: string, quantity: string) =>
    who.post("/v1/spot/orders", { pairCode: "BTC_USDT", type: "limit", side, price, quantity });
  for (const price of ["96000", "96000", "96010"]) {
    expect((await order(seller, "sell", price, "0.01")).status).toBe(200);
  }
  // Two at one price are one aggregate.
  expect((await order(buyer, "buy", "96020", "0.025")).status).toBe(200);
  expect((await order(buyer, "buy", "95990", "0.1")).status).toBe(200);
  const [long, short] = [await server.player("20000"), await server.player("20000")];
  await meet(long, short, { price: "50000", quantity: "0.01" });
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await server?.close();
});

const get = (path: string): Promise<Response> => fetch(`${server.url}/data/${path}`);

async function readLines(path: string): Promise<readonly string[]> {
  const answer = await get(path);
  expect([path, answer.status]).toEqual([path, 200]);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const name = path.split("/").at(-1) ?? "";
  const sum = await (await get(`${path}.CHECKSUM`)).text();
  expect(sum).toBe(`${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`);
  await writeFile(join(folder, "file.zip"), bytes);
  const { stdout } = await run("python3", ["-c", READ, join(folder, "file.zip")]);
  const [inner, ...lines] = stdout.trimEnd().split("\n");
  expect(inner).toBe(name.replace(".zip", ".csv"));
  return lines;
}

// biome-ignore lint/suspicious/noExplicitAny: rows of every shape
const call = async (path: string): Promise<any> => (await fetch(`${server.url}${path}`)).json();

test("[BOT-3] a day's files are there once the day is over, with their checksums, and hold what the calls answer", async () => {
  expect((await get(`spot/daily/trades/BTCUSDT/BTCUSDT-trades-${day}.zip`)).status).toBe(404);
  // Samples of the book are taken as time goes by.
  await until(async () => {
    server.wait(30_000);
    const { rows } = await sql`SELECT 1 FROM markets_depth`.execute(server.kysely as Kysely<unknown>);
    return rows.length > 0 ? true : undefined;
  });
  server.wait(DAY_MS - (server.nowMs() % DAY_MS) + HOUR_MS);
  const trades = await readLines(`spot/daily/trades/BTCUSDT/BTCUSDT-trades-${day}.zip`);
  const answered = await call("/api/v3/historicalTrades?symbol=BTCUSDT&fromId=1");
  expect(trades.map((line) => line.split(",").slice(0, 2).map(Number))).toEqual(
    // biome-ignore lint/suspicious/noExplicitAny: rows of every shape
    answered.map(({ id, price }: any) => [id, Number(price)]),
  );
  expect(trades[0]).toMatch(new RegExp(`^1,96000(\\.0+)?,0\\.010*,960(\\.0+)?,${answered[0].time}000,False,True$`));
  const aggregates = await readLines(`spot/daily/aggTrades/BTCUSDT/BTCUSDT-aggTrades-${day}.zip`);
  const joined = await call("/api/v3/aggTrades?symbol=BTCUSDT&fromId=0");
  expect(joined).toMatchObject([
    { a: 1, f: 1, l: 2, q: "0.02000000" },
    { a: 2, f: 3, l: 3, q: "0.00500000" },
  ]);
  expect(aggregates.map((line) => line.split(",").slice(3, 5).map(Number))).toEqual([
    [1, 2],
    [3, 3],
  ]);
  const candles = await readLines(`spot/daily/klines/BTCUSDT/1h/BTCUSDT-1h-${day}.zip`);
  const traded = candles.filter((line) => Number(line.split(",")[8]) > 0);
  expect(traded.map((line) => line.split(",").slice(1, 6).map(Number))).toEqual([
    [96_000, 96_010, 96_000, 96_010, 0.025],
  ]);
  expect(allOf(candles, (line) => line.split(",").length === 12 && /^[0-9]{16},/.test(line))).toBe(true);
  const contract = await readLines(`futures/um/daily/trades/BTCUSDT/BTCUSDT-trades-${day}.zip`);
  expect(contract[0]).toBe("id,price,qty,quote_qty,time,is_buyer_maker");
  expect(contract).toHaveLength(2);
  const marks = await readLines(`futures/um/daily/markPriceKlines/BTCUSDT/1d/BTCUSDT-1d-${day}.zip`);
  expect(marks[1]?.split(",")[4]).toBe("50000.0");
  const depth = await readLines(`futures/um/daily/bookDepth/BTCUSDT/BTCUSDT-bookDepth-${day}.zip`);
  expect(depth[0]).toBe("timestamp,percentage,depth,notional");
  for (const path of ["spot/daily/trades/NOPEUSDT/NOPEUSDT-trades-", "spot/daily/trades/BTCUSDT/ETHUSDT-trades-"]) {
    expect((await get(`${path}${day}.zip`)).status).toBe(404);
  }
  expect((await get("spot/daily/trades/BTCUSDT/BTCUSDT-trades-2017-01-01.zip")).status).toBe(404);
});

test("[BOT-3] only the addresses of data.binance.vision are archives", () => {
  const isPath = (text: string): boolean => readArchivePath(text) !== undefined;
  expect(isPath("spot/daily/klines/BTCUSDT/1m/BTCUSDT-1m-2026-11-19.zip")).toBe(true);
  expect(isPath("futures/cm/daily/aggTrades/BTCUSD_PERP/BTCUSD_PERP-aggTrades-2026-11-19.zip.CHECKSUM")).toBe(true);
  const others = [
    "spot/daily/klines/BTCUSDT/BTCUSDT-1m-2026-11-19.zip",
    "spot/daily/klines/BTCUSDT/1s/BTCUSDT-1s-2026-11-19.zip",
    "spot/daily/markPriceKlines/BTCUSDT/1m/BTCUSDT-1m-2026-11-19.zip",
    "spot/daily/trades/BTCUSDT/1m/BTCUSDT-1m-2026-11-19.zip",
    "spot/daily/trades/BTCUSDT/BTCUSDT-trades-2026-02-30.zip",
    "spot/daily/trades/../BTCUSDT-trades-2026-11-19.zip",
    "spot/monthly/trades/BTCUSDT/BTCUSDT-trades-2026-11.zip",
  ];
  expect(allOf(others, (text) => !isPath(text))).toBe(true);
});
