// The exchange is closed while bots run and opened again from the same folder: a grid and a basket are what they were, go on by
// their own rules, and what fell due in between is done once.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Visitor } from "@clockwork/server/process/account-fixture";
import { type Floor, openFloor, place, setIndex } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";

const BASKET = "/v1/spot/strategy/rebalance";
const HALF_HOUR_MS = 1_800_000;

let folder: string;
let floor: Floor;
let maker: Visitor;
let owner: Visitor;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cw-bots-"));
  floor = await openFloor({ CW_DATA: folder });
  maker = await floor.trader({ BTC: "10", ETH: "100", USDT: "900000" });
  owner = await floor.trader({ USDT: "20000" });
  await owner.dev("/identity", { level: 1 });
  await owner.post("/v1/spot/strategy/protocol/agree", {});
});
afterAll(async () => {
  await floor?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Closes the exchange and opens it again from its folder; everybody is still signed in. */
async function restart(): Promise<void> {
  const nowMs = floor.nowMs();
  await floor.close();
  floor = await openFloor({ CW_DATA: folder });
  floor.wait(Math.max(0, nowMs - floor.nowMs()));
  const same = (visitor: Visitor): Visitor => {
    const again = new Visitor(floor, visitor.headers);
    for (const [name, value] of visitor.jar) again.jar.set(name, value);
    return again;
  };
  [maker, owner] = [same(maker), same(owner)];
}

async function moveTo(price: number, pairCode: string): Promise<void> {
  const other = await floor.trader({ BTC: "1", ETH: "10", USDT: "200000" });
  await setIndex(floor, pairCode.split("_")[0] ?? "", price);
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

test("[GRID-1] a restart changes nothing about a grid or a basket, and an interval that passed meanwhile is kept once", async () => {
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
  const begun = await owner.post(`${BASKET}/create`, {
    quote: "USDT",
    coins: [
      { coin: "BTC", weightBps: 5_000 },
      { coin: "ETH", weightBps: 5_000 },
    ],
    intervalMs: HALF_HOUR_MS,
    investment: "8000",
    clientId: "b1",
  });
  expect([made.status, begun.status]).toEqual([200, 200]);
  const [grid, basket] = [made.data.id as number, begun.data.id as number];
  expect(begun.data.nextAtMs - begun.data.createdAtMs).toBe(HALF_HOUR_MS);
  await expect.poll(lettersOf).toContain("Rebalancing bot started");
  await moveTo(97_900, "BTC_USDT");
  // More than it began with: the tables know of the fill.
  const coinsAtFirst = Number(made.data.coinsHeld);
  expect(coinsAtFirst).toBeGreaterThan(0);
  await expect.poll(async () => Number((await readGrid(grid)).coinsHeld)).toBeGreaterThan(coinsAtFirst);
  // And so does the table of bots, which is written behind what is kept in memory.
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
  // Both go on: the grid's counter order is there to be filled, and the basket's interval is kept once.
  await moveTo(100_100, "BTC_USDT");
  await moveTo(3_500, "ETH_USDT");
  await expect.poll(async () => (await readGrid(grid)).pairs).toBeGreaterThan(0);
  floor.wait(3 * HALF_HOUR_MS);
  // A basket is shown to its owner alone.
  expect((await owner.post("/v2/users/session/refresh")).status).toBe(200);
  await expect.poll(async () => (await readBasket(basket)).rounds).toBe(rounds + 1);
  const kept = await readBasket(basket);
  expect(kept.nextAtMs).toBeGreaterThan(floor.nowMs());
  expect((await owner.get(`${BASKET}/rounds?id=${basket}&limit=1`)).data.rounds).toMatchObject([{ cause: "interval" }]);
});
