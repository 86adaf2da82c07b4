// The ledger over HTTP: exchange accounts by purpose, users' totals, and for whom.
import { enterAsOperator } from "@clockwork/identity/accounts/operator-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTradingServer, type TradingServer } from "../spot/spot-fixture.ts";

let server: TradingServer;
beforeAll(async () => {
  server = await startTradingServer();
});
afterAll(() => server.close());

test("[OPS-1] users' totals of a coin are what they own, the exchange's accounts are listed by purpose, and users read neither", async () => {
  const { operator } = await enterAsOperator(server);
  const trader = await server.trader({ USDT: "1000" });
  const read = async () => (await operator.get("/v2/operators/ledger")).data;
  const usdtOf = async () => (await read()).coins.find(({ asset }: { asset: string }) => asset === "USDT");
  await expect.poll(usdtOf).toMatchObject({ users: "1000", usersUsdt: "1000" });
  await trader.faucet("USDT", "500");
  await expect.poll(usdtOf).toMatchObject({ users: "1500" });
  const { balances } = await read();
  expect(balances.map(({ purpose }: { purpose: string }) => purpose)).toContain("campaignTreasury");
  expect((await trader.get("/v2/operators/ledger")).code).toBe("FORBIDDEN");
});
