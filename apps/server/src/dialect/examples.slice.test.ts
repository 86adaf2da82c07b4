// The bots in examples/ run as users run them: as separate programs, against a listening exchange.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Visitor } from "../process/account-fixture.ts";
import { makeKey } from "./dialect-fixture.ts";

const FOLDER = join(import.meta.dirname, "../../../../examples/src");
const run = promisify(execFile);

let server: TradingServer;
let maker: Visitor;
beforeAll(async () => {
  // The bots sign with the time of the machine.
  server = await startTradingServer({}, undefined, 0);
  maker = await server.trader({ BTC: "5", USDT: "80000" });
  for (const [side, price] of [
    ["sell", "96100"],
    ["buy", "95900"],
  ] as const)
    expect((await place(maker, side, price, "0.1")).status).toBe(200);
});
afterAll(() => server?.close());

const place = (visitor: Visitor, side: string, price: string, quantity: string) =>
  visitor.post("/v1/spot/orders", { pairCode: "BTC_USDT", type: "limit", side, price, quantity });

/** Runs a bot to its end, or until its output satisfies the check: then it is stopped. */
async function start(
  visitor: Visitor,
  file: string,
  more: Readonly<Record<string, string>>,
  enough?: RegExp,
): Promise<string> {
  const { apiKey, secret } = await makeKey(visitor);
  const env = { ...process.env, CW_URL: server.url, CW_API_KEY: apiKey, CW_API_SECRET: secret, ...more };
  const running = run(process.execPath, [join(FOLDER, file)], { env, timeout: 150_000 });
  let reply = "";
  running.child.stdout?.on("data", (part) => {
    reply += String(part);
    if (enough?.test(reply)) running.child.kill("SIGINT");
  });
  return (await running).stdout;
}

const countOpen = async (visitor: Visitor): Promise<number> =>
  (await visitor.get("/v1/spot/orders?state=open")).data?.orders.length;

test("[BOT-1] the market maker quotes both sides inside the book and takes its quotes back", async () => {
  const visitor = await server.trader({ BTC: "1", USDT: "50000" });
  const answer = await start(visitor, "market-maker.ts", { CW_ROUNDS: "2", CW_PAUSE_MS: "10" });
  expect(answer.match(/^buy 0\.001 at /gm)).toHaveLength(2);
  expect(answer.match(/^sell 0\.001 at /gm)).toHaveLength(2);
  expect(await countOpen(visitor)).toBe(0);
});

test("[BOT-1] the grid rests on both sides, answers fills with the opposite order, and cancels its orders", async () => {
  const visitor = await server.trader({ BTC: "1", USDT: "50000" });
  const seller = await server.trader({ BTC: "1" });
  const answered = /buy at [0-9.]+ was filled\nsell 0\.001 at .*\n/;
  const running = start(visitor, "grid.ts", { CW_PAUSE_MS: "100" }, answered);
  // As soon as the grid rests another user sells into its highest buy.
  const meet = async (): Promise<void> => {
    await vi.waitUntil(async () => (await countOpen(visitor)) === 6, { timeout: 60_000, interval: 250 });
    expect((await place(seller, "sell", "95700", "0.101")).status).toBe(200);
  };
  const [answer] = await Promise.all([running, meet()]);
  expect(answer).toMatch(answered);
  expect(await countOpen(visitor)).toBe(0);
});
