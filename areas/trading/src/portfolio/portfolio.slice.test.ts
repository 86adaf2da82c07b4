// Cost and profit over the API: bought coins have a cost, granted ones have none, and a day counts both.

import type { Visitor } from "@clockwork/server/process/account-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { place, startTradingServer, type TradingServer } from "../spot/spot-fixture.ts";

let server: TradingServer;
let maker: Visitor;
let buyer: Visitor;
beforeAll(async () => {
  server = await startTradingServer();
  maker = await server.trader({ BTC: "2", USDT: "100000" });
  buyer = await server.trader({ USDT: "100000" });
});
afterAll(() => server.close());

interface Coin {
  readonly asset: string;
  readonly averageCostUsdt: string | null;
  readonly unrealisedUsdt: string | null;
  readonly realisedUsdt: string;
}
const read = async (visitor: Visitor) => {
  const { data } = await visitor.get("/v1/portfolio/spot");
  return { ...data, coin: (asset: string): Coin => data.coins.find((one: Coin) => one.asset === asset) };
};

test("[WAL-3] the average cost of bought coins includes fees; granted ones have none", async () => {
  for (const [who, side] of [
    [maker, "sell"],
    [buyer, "buy"],
  ] as const)
    expect(await place(who, { side, price: "96420", quantity: "0.1" })).toMatchObject({ status: 200 });
  await expect.poll(async () => (await read(buyer)).coin("BTC")?.averageCostUsdt ?? "").toMatch(/^96\d{3}/);
  const bought = await read(buyer);
  expect(Number(bought.coin("BTC").averageCostUsdt)).toBeGreaterThanOrEqual(96_000);
  expect(Number(bought.coin("BTC").averageCostUsdt)).toBeLessThan(97_000);
  expect(Number(bought.coin("BTC").unrealisedUsdt)).toBeLessThanOrEqual(0);
  expect(Number(bought.todayUsdt)).toBeLessThanOrEqual(0);
  const given = (await read(maker)).coin("BTC");
  expect(given).toMatchObject({ averageCostUsdt: null, unrealisedUsdt: null, realisedUsdt: "0" });
});

test("[WAL-3] selling dearer realises the difference", async () => {
  await place(maker, { side: "buy", price: "97500", quantity: "0.05" });
  await place(buyer, { side: "sell", price: "97500", quantity: "0.05" });
  await expect.poll(async () => Number((await read(buyer)).coin("BTC").realisedUsdt)).toBeGreaterThan(0);
  expect(Number((await read(buyer)).coin("BTC").realisedUsdt)).toBeLessThan(75);
});
