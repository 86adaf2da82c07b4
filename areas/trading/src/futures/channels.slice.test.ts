// The futures data published to open pages: commits in order on the private channels, marks between them, prices to
// all; no user receives another user's data.
import { allOf } from "@clockwork/kit/all-of";
import { SESSION_COOKIE } from "@clockwork/kit/constants";
import type { Visitor } from "@clockwork/server/process/account-fixture";
import { type Client, openClient } from "@clockwork/server/socket/socket-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FuturesServer, meet, order, positionsOf, startFuturesServer } from "./futures-fixture.ts";

let server: FuturesServer;
beforeAll(async () => {
  server = await startFuturesServer();
});
afterAll(() => server.close());

async function login(visitor: Visitor): Promise<Client> {
  const client = await openClient(`${server.url.replace("http", "ws")}/ws`);
  client.send({ event: "login", data: { token: visitor.jar.get(SESSION_COOKIE.accessToken) } });
  await client.until(({ event }) => event === "login");
  return client;
}

const subscribe = async (client: Client, channel: string, more: object = {}): Promise<void> => {
  client.send({ event: "sub", channel, biz: "futures", ...more });
  await client.until((message) => message.channel === channel && message.event === "data");
};

/** Waits for a message of the channel with such a row. */
const listens = (client: Client, channel: string, row: object) =>
  client.until((message) => {
    if (message.channel !== channel || !Array.isArray(message.data)) return false;
    return message.data.some((one: Record<string, unknown>) =>
      allOf(Object.entries(row), ([name, value]) => one[name] === value),
    );
  });

test("[NET-6] orders, fills, positions and accounts follow commits and marks, and end as the calls report them", async () => {
  const [alice, bob] = [await server.player("10000"), await server.player("100000")];
  const [client, other] = [await login(alice), await login(await server.player("1"))];
  for (const channel of ["orders", "fills", "positions", "position-marks", "account"]) {
    await subscribe(client, channel);
    await subscribe(other, channel);
  }
  await meet(alice, bob, { price: "50000", quantity: "1" });
  await listens(client, "orders", { status: "FILLED", quantity: "1.000" });
  await listens(client, "fills", { price: "50000.0", role: "taker", fee: "30" });
  await listens(client, "positions", { quantity: "1.000", unrealizedPnl: "0" });
  await server.mark(server.linear, 505_000);
  await listens(client, "position-marks", { markPrice: "50500.0", unrealizedPnl: "500" });
  await listens(client, "account", { unrealizedPnl: "500", equity: "10470" });
  expect((await positionsOf(alice))[0]).toMatchObject({ unrealizedPnl: "500" });
  const [{ positionId }] = await positionsOf(alice);
  await order(bob, { side: "buy", price: "50500", quantity: "1" });
  await alice.futures("/v1/futuresc/positions/close", { positionId });
  await listens(client, "positions", { positionId, quantity: "0.000", realizedPnl: "500" });
  const received = other.messages.filter(
    ({ data }) => Array.isArray(data) && JSON.stringify(data).includes(positionId),
  );
  expect(received.filter(({ channel }) => channel === "positions" || channel === "position-marks")).toEqual([]);
  await server.mark(server.linear, 500_000);
  await server.sweep();
});

test("[FUT-2] settings are published as they change: one contract's, and with the position mode every contract's", async () => {
  const alice = await server.player("100");
  const [client, other] = [await login(alice), await login(await server.player("1"))];
  for (const one of [client, other]) await subscribe(one, "settings");
  const path = "/v1/futuresc/positions";
  const pairCode = "BTC_USDT";
  expect((await alice.futures(`${path}/margin-mode`, { pairCode, mode: "isolated" })).status).toBe(200);
  await listens(client, "settings", { pairCode, mode: "isolated", positionMode: "one-way" });
  expect((await alice.futures(`${path}/leverage`, { pairCode, leverage: 7 })).status).toBe(200);
  await listens(client, "settings", { pairCode, mode: "isolated", leverageLong: 7, leverageShort: 7 });
  expect((await alice.futures(`${path}/mode`, { mode: "hedge" })).status).toBe(200);
  const answer = await listens(client, "settings", {
    pairCode,
    mode: "isolated",
    leverageLong: 7,
    positionMode: "hedge",
  });
  const rows = answer.data as { pairCode: string; positionMode: string; walletType: string }[];
  const listed = await alice.futures("/v1/futuresc/instruments");
  const names = (listed.data as { pairCode: string }[]).map((one) => one.pairCode);
  expect(rows.map((one) => one.pairCode).toSorted()).toEqual(names.toSorted());
  expect(new Set(rows.map(({ positionMode, walletType }) => `${positionMode} ${walletType}`))).toEqual(
    new Set(["hedge 3"]),
  );
  const late = await login(alice);
  await subscribe(late, "settings");
  await listens(late, "settings", { pairCode, leverageLong: 7, positionMode: "hedge" });
  expect(other.messages.filter(({ channel, data }) => channel === "settings" && (data as []).length > 0)).toEqual([]);
});

test("[FUT-2] a coin's account publishes to the contracts of that coin only", async () => {
  const alice = await server.player("0", "1");
  const client = await login(alice);
  client.send({ event: "sub", channel: "settings", biz: "delivery" });
  await client.until((message) => message.channel === "settings" && message.event === "data");
  const done = await alice.futures("/v1/futuresc/positions/mode", {
    biz: "delivery",
    coin: "BTC",
    mode: "hedge",
  });
  expect(done.status).toBe(200);
  const answer = await listens(client, "settings", { pairCode: "BTC_USD", positionMode: "hedge" });
  expect((answer.data as { pairCode: string; sub: string }[]).map(({ pairCode, sub }) => `${pairCode} ${sub}`)).toEqual(
    ["BTC_USD BTC"],
  );
});

test("[NET-6] mark, index, funding, open interest, books and candles of a contract are published to all", async () => {
  const client = await openClient(`${server.url.replace("http", "ws")}/ws`);
  const about = { pairCode: "BTC_USDT" };
  for (const channel of ["mark", "index", "funding", "interest", "liquidations", "depth", "trades", "ticker"]) {
    await subscribe(client, channel, about);
  }
  await subscribe(client, "candles", { ...about, type: "mark:1m" });
  await server.mark(server.linear, 501_000);
  await client.until(({ channel, data }) => channel === "mark" && (data as { price: string }).price === "50100.0");
  await client.until(({ channel, data }) => channel === "index" && (data as { price: string }).price === "50100.0");
  // Liquidations of every contract of a kind come on one topic, as on the contract's own.
  await subscribe(client, "liquidations", { type: "all" });
  const [alice, bob] = [await server.player("3000"), await server.player("100000")];
  await alice.futures("/v1/futuresc/positions/margin-mode", { pairCode: "BTC_USDT", mode: "isolated" });
  await meet(alice, bob, { price: "50000", quantity: "1" });
  await server.mark(server.linear, 477_000);
  const answer: unknown[] = [];
  for (const topic of [{ type: "all" }, about]) {
    const received = await client.until(
      ({ channel, type, pairCode, data }) =>
        channel === "liquidations" &&
        type === ("type" in topic ? topic.type : undefined) &&
        pairCode === ("pairCode" in topic ? topic.pairCode : undefined) &&
        (data as unknown[]).length > 0,
    );
    answer.push(received.data);
  }
  expect(answer[0]).toMatchObject([{ pairCode: "BTC_USDT", side: "long", quantity: "1.000", outcome: "takenOver" }]);
  expect(answer[1]).toEqual(answer[0]);
  client.send({ event: "sub", channel: "liquidations", biz: "spot", type: "all" });
  await client.until(({ event, channel }) => event === "subfail" && channel === "liquidations");
  client.send({ event: "sub", channel: "mark", biz: "futures", pairCode: "AAA_BBB" });
  await client.until(({ event, channel }) => event === "subfail" && channel === "mark");
  await server.mark(server.linear, 500_000);
});
