// Halting a market takes one operator and its typed code; opening it takes two.

import { approve, enterAsOperator, TWO_OPERATORS } from "@clockwork/identity/accounts/operator-fixture";
import type { Visitor } from "@clockwork/server/process/account-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { place, startTradingServer, type TradingServer } from "../spot/spot-fixture.ts";

const MARKETS = "/v2/operators/markets";
const STOP = { biz: "spot", pairCode: "BTC_USDT", status: "HALT", reason: "Wrong prices", confirmation: "BTC_USDT" };

let server: TradingServer;
let chief: Visitor;
let second: Visitor;
let trader: Visitor;
beforeAll(async () => {
  server = await startTradingServer(TWO_OPERATORS);
  chief = (await enterAsOperator(server, 0)).operator;
  second = (await enterAsOperator(server, 1)).operator;
  trader = await server.trader({ USDT: "100000" });
});
afterAll(() => server.close());

const buy = () => place(trader, { side: "buy", price: "50000", quantity: "0.01" });
const propose = (by: Visitor) =>
  by.post(`${MARKETS}/open`, { biz: "spot", pairCode: "BTC_USDT", clientId: crypto.randomUUID() });
const look = async () => {
  const { markets } = (await chief.get(MARKETS)).data;
  return markets.find((one: { biz: string; pairCode: string }) => one.biz === "spot" && one.pairCode === "BTC_USDT");
};

test("[OPS-1] one operator with the typed code halts a market and two open it", async () => {
  const { data } = await buy();
  expect(await trader.post(`${MARKETS}/stop`, STOP)).toMatchObject({ status: 403 });
  for (const [wrong, code] of [
    [{ confirmation: "BTC" }, "CONFIRMATION_WRONG"],
    [{ pairCode: "NONE_USDT", confirmation: "NONE_USDT" }, "UNKNOWN_MARKET"],
    [{ reason: " " }, "VALIDATION_FAILED"],
    [{ status: "TRADING" }, "VALIDATION_FAILED"],
  ] as const)
    expect((await chief.post(`${MARKETS}/stop`, { ...STOP, ...wrong })).code).toBe(code);
  expect((await propose(chief)).code).toBe("MARKET_NOT_STOPPED");
  expect(await buy()).toMatchObject({ status: 200 });

  expect((await chief.post(`${MARKETS}/stop`, STOP)).status).toBe(200);
  await expect.poll(look).toMatchObject({ status: "HALT", stop: { reason: "Wrong prices" } });
  expect((await buy()).status).toBeGreaterThanOrEqual(400);
  const made = await propose(chief);
  expect((await approve(chief, made)).code).toBe("PROPOSER_IS_APPROVER");
  expect((await buy()).status).toBeGreaterThanOrEqual(400);
  expect((await approve(second, made)).data).toMatchObject({ state: "EXECUTED", outcome: "opened" });
  await expect.poll(look).toMatchObject({ status: "TRADING", stop: null });
  expect(await buy()).toMatchObject({ status: 200 });
  expect((await trader.get("/v1/spot/orders?state=open")).data.orders.length).toBeGreaterThanOrEqual(1);
  expect(data.orderId).toBeDefined();
  const log = (await chief.get("/v2/operators/audit")).data.rows;
  expect(log.map(({ action }: { action: string }) => action)).toContain("market.stopped");
});

test("[OPS-1] an approval opens the market it was requested for, not one halted again since", async () => {
  await chief.post(`${MARKETS}/stop`, STOP);
  const made = await propose(chief);
  server.wait(1_000);
  expect((await second.post(`${MARKETS}/stop`, { ...STOP, status: "CANCEL_ONLY", reason: "Again" })).status).toBe(200);
  expect((await approve(second, made)).data).toMatchObject({
    state: "FAILED",
    outcome: expect.stringContaining("STOPPED_AGAIN"),
  });
  await expect.poll(look).toMatchObject({ status: "CANCEL_ONLY", stop: { reason: "Again" } });
  expect((await approve(chief, await propose(second))).data).toMatchObject({ state: "EXECUTED" });
});
