// The private channels of a trader: complete at the start, every change in order, and nothing lost after a reconnect.
import { allOf } from "@clockwork/kit/all-of";
import { SESSION_COOKIE } from "@clockwork/kit/constants";
import type { Visitor } from "@clockwork/server/process/account-fixture";
import { type Client, type Message, openClient } from "@clockwork/server/socket/socket-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { holds, place, startTradingServer, type TradingServer } from "./spot-fixture.ts";

let server: TradingServer;
beforeAll(async () => {
  server = await startTradingServer();
});
afterAll(() => server.close());

async function login(visitor: Visitor): Promise<Client> {
  const client = await openClient(`${server.url.replace("http", "ws")}/ws`);
  client.send({ event: "login", data: { token: visitor.jar.get(SESSION_COOKIE.accessToken) } });
  await client.until(({ event }) => event === "login");
  return client;
}

const subscribe = (client: Client, channel: string, data?: unknown) =>
  client.send({ event: "sub", channel, biz: "spot", ...(data === undefined ? {} : { data }) });

interface Row {
  readonly orderId?: string;
  readonly status?: string;
  readonly asset?: string;
  readonly available?: string;
  readonly frozen?: string;
  readonly tradeId?: number;
}

/** Follows a channel as a careful client does: a gap is a failure. */
function follow(messages: readonly Message[], channel: string, from?: { sequence: number; rows: Map<string, Row> }) {
  let sequence = from?.sequence ?? Number.NaN;
  const rows = new Map(from?.rows);
  for (const message of messages) {
    if (message.event !== "data" || message.channel !== channel) continue;
    if (message.resumed === true) {
      expect(message.sequence).toBe(sequence);
      continue;
    }
    if (message.snapshot === true) rows.clear();
    else expect((message.firstSequence ?? message.sequence) as number).toBeLessThanOrEqual(sequence + 1);
    sequence = message.sequence as number;
    for (const row of message.data as Row[]) rows.set(String(row.orderId ?? row.asset), row);
  }
  return { sequence, rows };
}

const answer = (client: Client, channel: string, sequence: number) =>
  client.until((message) => message.channel === channel && ((message.sequence ?? 0) as number) >= sequence);

test("[NET-6] orders, fills and balances start complete and follow every change, also for a client that reconnects", async () => {
  const maker = await server.trader({ BTC: "1" });
  const trader = await server.trader({ USDT: "100000" });
  const first = await place(trader, { side: "buy", price: "90000", quantity: "0.1" });
  const client = await login(trader);
  for (const channel of ["orders", "fills", "balances"]) {
    subscribe(client, channel);
    await client.until((message) => message.channel === channel && message.snapshot === true);
  }
  expect(follow(client.messages, "orders").rows.get(first.data.orderId)).toMatchObject({ status: "NEW" });
  expect(follow(client.messages, "balances").rows.get("USDT")).toMatchObject({ available: "91000", frozen: "9000" });

  const second = await place(trader, { side: "buy", price: "91000", quantity: "0.1" });
  // Another user's command fills it; its own user receives it all the same.
  const sold = await place(maker, { side: "sell", price: "91000", quantity: "0.04" });
  for (const channel of ["orders", "fills", "balances"]) await answer(client, channel, sold.data.sequence);
  expect(follow(client.messages, "orders").rows.get(second.data.orderId)).toMatchObject({
    status: "PARTIALLY_FILLED",
    filledQuantity: "0.04000",
  });
  expect(follow(client.messages, "fills").rows.get(second.data.orderId)).toMatchObject({
    role: "maker",
    feeAsset: "BTC",
  });
  const state = follow(client.messages, "orders");
  const balances = follow(client.messages, "balances");
  // A changed balance is published with its worth, so that a client's sum over all coins stays complete.
  expect(balances.rows.get("USDT")).toMatchObject({ total: "96360", worthUsdt: "96360" });

  client.close();
  await client.closed;
  await trader.delete(`/v1/spot/orders/${first.data.orderId}`);
  const last = await place(trader, { side: "buy", price: "89000", quantity: "0.1" });
  const back = await login(trader);
  subscribe(back, "orders", { sequence: state.sequence });
  subscribe(back, "balances", { sequence: balances.sequence });
  for (const channel of ["orders", "balances"]) await answer(back, channel, last.data.sequence);
  expect(back.messages.some(({ snapshot }) => snapshot === true)).toBe(false);
  const after = follow(back.messages, "orders", state).rows;
  expect([first, second, last].map(({ data }) => after.get(data.orderId)?.status)).toEqual([
    "CANCELED",
    "PARTIALLY_FILLED",
    "NEW",
  ]);
  const held = follow(back.messages, "balances", balances).rows.get("USDT");
  expect([held?.available, held?.frozen]).toEqual(await holds(trader, "USDT"));
});

test("[NET-6] a transfer between two books publishes each book's own balance, and every row names its book", async () => {
  const trader = await server.trader({ USDT: "1000" });
  const client = await login(trader);
  // Both books are read, so both are followed.
  await trader.post("/asset/v1/api/wallet/account", { walletTypeList: ["1", "2"] });
  subscribe(client, "balances");
  client.send({ event: "sub", channel: "balances", biz: "wallet" });
  for (const biz of ["spot", "wallet"]) {
    await client.until((message) => message.biz === biz && message.snapshot === true);
  }
  const move = async (from: string, to: string, amount: string) => {
    const order = { asset: "USDT", amount, from, to, clientId: `${from}-${to}-${amount}` };
    return (await trader.post("/asset/v1/api/wallet/transfer", order)).data.sequence as number;
  };
  await move("1", "2", "400");
  const last = await move("2", "1", "150");
  for (const biz of ["spot", "wallet"]) {
    await client.until((message) => message.biz === biz && ((message.sequence ?? 0) as number) >= last);
  }
  const rowsOf = (biz: string) =>
    client.messages.filter((message) => message.biz === biz).flatMap(({ data }) => (Array.isArray(data) ? data : []));
  const spot = rowsOf("spot");
  expect(spot.map(({ available, walletType, sub }) => [available, walletType, sub])).toEqual([
    ["1000", "1", null],
    ["600", "1", null],
    ["750", "1", null],
  ]);
  const wallet = rowsOf("wallet").map(({ asset, available, walletType }) => `${walletType} ${asset} ${available}`);
  expect(wallet).toEqual(["1 USDT 1000", "1 USDT 600", "2 USDT 400", "2 USDT 250", "1 USDT 750"]);
});

test("[NET-6] no user receives another's orders, and without a login none are delivered", async () => {
  const [one, other] = [await server.trader({ USDT: "10000" }), await server.trader({ USDT: "10000" })];
  const outsider = await openClient(`${server.url.replace("http", "ws")}/ws`);
  subscribe(outsider, "orders");
  expect((await outsider.until(({ event }) => event === "subfail")).data).toMatchObject({ code: "UNAUTHENTICATED" });
  const listener = await login(other);
  subscribe(listener, "orders");
  await listener.until(({ snapshot }) => snapshot === true);
  const placed = await place(one, { side: "buy", price: "80000", quantity: "0.01" });
  const own = await place(other, { side: "buy", price: "80000", quantity: "0.01" });
  await answer(listener, "orders", own.data.sequence);
  expect(JSON.stringify(listener.messages)).not.toContain(`"${placed.data.orderId}"`);
  expect(JSON.stringify(listener.messages)).toContain(`"${own.data.orderId}"`);
});

test("[NET-6] under a burst of orders every change arrives, in as few messages as possible, and no order is left open", async () => {
  const trader = await server.trader({ USDT: "500000" });
  const client = await login(trader);
  subscribe(client, "orders");
  await client.until(({ snapshot }) => snapshot === true);
  const placed = await Promise.all(
    Array.from({ length: 150 }, (_, index) =>
      place(trader, { side: "buy", price: String(70_000 + index), quantity: "0.001", clientOrderId: `burst-${index}` }),
    ),
  );
  expect(allOf(placed, ({ status }) => status === 200)).toBe(true);
  const highest = Math.max(...placed.map(({ data }) => data.sequence as number));
  await answer(client, "orders", highest);
  expect(follow(client.messages, "orders").rows.size).toBe(150);
  const cleared = await trader.post("/v1/spot/orders/clear", {});
  expect(cleared.data).toEqual({ canceled: 150 });
  const states = () => [...follow(client.messages, "orders").rows.values()].map(({ status }) => status);
  await expect.poll(() => new Set(states())).toEqual(new Set(["CANCELED"]));
});
