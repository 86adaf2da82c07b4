// The exchange is closed while bots run and opened again from the same folder: a grid and a basket are unchanged,
// continue by their own rules, and what became due in between is done once.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Visitor } from "@clockwork/server/process/account-fixture";
import { place, setIndex, startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";

const BASKET = "/v1/spot/strategy/rebalance";
const HALF_HOUR_MS = 1_800_000;

let folder: string;
let server: TradingServer;
let maker: Visitor;
let owner: Visitor;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cw-bots-"));
  server = await startTradingServer({ CW_DATA: folder });
  maker = await server.trader({ BTC: "10", ETH: "100", USDT: "900000" });
  owner = await server.trader({ USDT: "20000" });
  await owner.dev("/identity", { level: 1 });
  await owner.post("/v1/spot/strategy/protocol/agree", {});
});
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Closes the exchange and opens it again from its folder; all users are still signed in. */
async function restart(): Promise<void> {
  const nowMs = server.nowMs();
  await server.close();
  server = await startTradingServer({ CW_DATA: folder });
  server.wait(Math.max(0, nowMs - server.nowMs()));
  const same = (visitor: Visitor): Visitor => {
    const again = new Visitor(server, visitor.headers);
    for (const [name, value] of visitor.jar) again.jar.set(name, value);
    return again;
  };
  [maker, owner] = [same(maker), same(owner)];
}

async function moveTo(price: number, pairCode: string): Promise<void> {
  const other = await server.trader({ BTC: "1", ETH: "10", USDT: "200000" });
  await setIndex(server, pairCode.split("_")[0] ?? "", price);
  await maker.post("/v1/spot/orders/clear", { pairCode });
  await place(other, { pairCode, side: "sell", price: String(price), quantity: "0.2", timeInForce: "IOC" });
  await place(maker, { pairCode, side: "sell", price: String(price), quantity: "0.01" });
  await place(other, { pairCode, side: "buy", price: String(price), quantity: "0.01" });
  await place(maker, { pairCode, side: "buy", price: String(price - 1), quantity: "3" });
  await place(maker, { pairCode, side: "sell", price: String(price + 1), quantity: "3" });
}

const readGrid = async (id: number) => (await owner.get(`/v1/spot/strategy/detail?id=${id}`)).data;
const readOrders = async (id: number) => (await owner.get(`/v1/spot/strategy/orders?id=${id}`)).data.orders;
const readBasket = async (id: number) => (await owner.get(`${BASKET}/detail?id=${id}`)).data;
const lettersOf = async () =>
  ((await owner.get("/v2/users/letters")).data.letters as { title: string }[]).map(({ title }) => title);

test("[GRID-1] a restart changes nothing about a grid or a basket, and a missed interval is applied once", async () => {
  await moveTo(100_000, "BTC_USDT");
  await moveTo(3_200, "ETH_USDT");
  const made = await owner.post("/v1/spot/strategy/create", {
    kind: "spot",
    pairCode: "BTC_USDT",
    lower: "90000",
    upper: "110000",
    count: 10,
    spacing: "arithmetic",
    investment: "8000",
    clientId: "g1",
  });
  const started = await owner.post(`${BASKET}/create`, {
    quote: "USDT",
    coins: [
      { coin: "BTC", weightBps: 5_000 },
      { coin: "ETH", weightBps: 5_000 },
    ],
    intervalMs: HALF_HOUR_MS,
    investment: "8000",
    clientId: "b1",
  });
  expect([made.status, started.status]).toEqual([200, 200]);
  const [grid, basket] = [made.data.id as number, started.data.id as number];
  expect(started.data.nextAtMs - started.data.createdAtMs).toBe(HALF_HOUR_MS);
  await expect.poll(lettersOf).toContain("A rebalancing bot is running");
  await moveTo(97_900, "BTC_USDT");
  // More than it started with: the tables have the fill.
  const coinsAtFirst = Number(made.data.coinsHeld);
  expect(coinsAtFirst).toBeGreaterThan(0);
  await expect.poll(async () => Number((await readGrid(grid)).coinsHeld)).toBeGreaterThan(coinsAtFirst);
  // Also in the table of bots, which is written after the memory.
  await expect.poll(async () => Number((await readGrid(grid)).fees)).toBeGreaterThan(Number(made.data.fees));
  const [gridBefore, ordersBefore] = [await readGrid(grid), await readOrders(grid)];
  const { coins: coinsBefore, rounds, fees } = await readBasket(basket);
  await restart();
  const gridAfter = await readGrid(grid);
  for (const name of ["status", "lines", "pairs", "grid", "fees", "coinsHeld", "quoteHeld", "invested"])
    expect([name, gridAfter[name]]).toEqual([name, gridBefore[name]]);
  expect(await readOrders(grid)).toEqual(ordersBefore);
  const quantities = (list: { coin: string; quantity: string }[]) => list.map(({ coin, quantity }) => [coin, quantity]);
  const after = await readBasket(basket);
  expect([quantities(after.coins), after.rounds, after.fees]).toEqual([quantities(coinsBefore), rounds, fees]);
  // Both continue: the grid's counter order can be filled, and the basket's interval is applied once.
  await moveTo(100_100, "BTC_USDT");
  await moveTo(3_500, "ETH_USDT");
  await expect.poll(async () => (await readGrid(grid)).pairs).toBeGreaterThan(0);
  server.wait(3 * HALF_HOUR_MS);
  // A basket is visible only to its owner.
  expect((await owner.post("/v2/users/session/refresh")).status).toBe(200);
  await expect.poll(async () => (await readBasket(basket)).rounds).toBe(rounds + 1);
  const kept = await readBasket(basket);
  expect(kept.nextAtMs).toBeGreaterThan(server.nowMs());
  expect((await owner.get(`${BASKET}/rounds?id=${basket}&limit=1`)).data.rounds).toMatchObject([{ cause: "interval" }]);
});
