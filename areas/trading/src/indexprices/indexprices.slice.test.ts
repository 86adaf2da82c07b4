// Contracts of an exchange without a simulated market: two sources push index prices, two operators open, and it trades.
import { generateKeyPairSync, sign } from "node:crypto";
import { approve, enterAsOperator, TWO_OPERATORS } from "@clockwork/identity/accounts/operator-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTradingServer, type TradingServer } from "../spot/spot-fixture.ts";

const keys = ["one", "two"].map((name) => ({ name, ...generateKeyPairSync("ed25519") }));
const SOURCES = keys.map(
  ({ name, publicKey }) =>
    `${name}=${publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("base64")}`,
);

let server: TradingServer;
beforeAll(async () => {
  server = await startTradingServer({ ...TWO_OPERATORS, CW_INDEX_SOURCES: SOURCES.join(",") });
});
afterAll(() => server.close());

async function push(at: number, prices: Readonly<Record<string, string>>): Promise<{ status: number; data: unknown }> {
  const { name, privateKey } = keys[at] ?? keys[0] ?? { name: "", privateKey: undefined };
  if (privateKey === undefined) throw new Error("no such source");
  const message = JSON.stringify({ atMs: server.nowMs(), prices });
  const signature = sign(null, Buffer.from(message), privateKey).toString("base64");
  const response = await fetch(`${server.url}/api/v1/market/index-prices`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ source: name, message, signature }),
  });
  const { data } = (await response.json()) as { data: unknown };
  return { status: response.status, data };
}

test("[FUT-3] [OPS-7] signed index prices and two operators open a contract that was in PRE", async () => {
  const { operator: chief } = await enterAsOperator(server, 0);
  const { operator: second } = await enterAsOperator(server, 1);
  const findStatus = async () => {
    const { markets } = (await chief.get("/v2/operators/markets")).data;
    return markets.find(
      ({ biz, pairCode }: { biz: string; pairCode: string }) => biz === "futures" && pairCode === "BTC_USDT",
    )?.status;
  };
  const readSources = async () =>
    (await chief.futures("/v1/futuresc/index-sources?pairCode=BTC_USDT")).data.sources.map(
      ({ price, state }: { price: string; state: string }) => `${price} ${state}`,
    );
  expect(await findStatus()).toBe("PRE");
  // The linear contract and the inverse one.
  expect(await push(0, { BTC: "96500" })).toEqual({ status: 200, data: { taken: 2 } });
  expect(await push(1, { BTC: "96510" })).toEqual({ status: 200, data: { taken: 2 } });
  await expect.poll(readSources).toEqual(["96500.0 live", "96510.0 live"]);

  const open = { biz: "futures", pairCode: "BTC_USDT", clientId: crypto.randomUUID() };
  const made = await chief.post("/v2/operators/markets/open", open);
  expect((await approve(chief, made)).code).toBe("PROPOSER_IS_APPROVER");
  expect(await findStatus()).toBe("PRE");
  expect((await approve(second, made)).data).toMatchObject({ state: "EXECUTED", outcome: "opened" });
  await expect.poll(findStatus).toBe("TRADING");
  // Open once: a second proposal has nothing to open.
  expect((await chief.post("/v2/operators/markets/open", { ...open, clientId: crypto.randomUUID() })).code).toBe(
    "MARKET_NOT_STOPPED",
  );
});
