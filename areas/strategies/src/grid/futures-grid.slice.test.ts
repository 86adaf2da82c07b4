// Futures grids over the wire: margin in and out, closing the position, the stream of the user's bots, and automatic
// ends.
import { SESSION_COOKIE } from "@clockwork/kit/constants";
import type { Visitor } from "@clockwork/server/process/account-fixture";
import { type Client, openClient } from "@clockwork/server/socket/socket-fixture";
import {
  accountOf,
  type FuturesServer,
  meet,
  order,
  startFuturesServer,
} from "@clockwork/trading/futures/futures-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refusal } from "./bots-fixture.ts";

let server: FuturesServer;
let maker: Visitor;
let other: Visitor;
beforeAll(async () => {
  server = await startFuturesServer();
  [maker, other] = [await server.player("900000"), await server.player("900000")];
});
afterAll(() => server?.close());

/** Trades through all prices in between, prints at the price, and leaves a book on both sides. */
async function moveTo(price: number): Promise<void> {
  await maker.futures("/v1/futuresc/orders/clear", { biz: "futures" });
  for (const side of ["buy", "sell"])
    await order(other, { side, price: String(price), quantity: "1", timeInForce: "IOC" });
  await order(maker, { side: "buy", price: String(price - 10), quantity: "5" });
  await order(maker, { side: "sell", price: String(price + 10), quantity: "5" });
  await meet(other, maker, { price: String(price), quantity: "0.01" });
  await server.mark(server.linear, price * 10);
}

const range = { pairCode: "BTC_USDT", lower: "48000", upper: "52000", count: 10, spacing: "arithmetic" };
let clients = 0;

async function makeBot(own: object = {}) {
  await moveTo(50_000);
  const visitor = await server.player("20000");
  await visitor.post("/v1/sps/protocol/agree", {});
  clients += 1;
  const body = { ...range, kind: "long", leverage: 2, investment: "5000", clientId: `m${clients}`, ...own };
  const made = await visitor.post("/v1/sps/create", body);
  expect(made.data).toMatchObject({ status: "RUNNING", invested: "5000" });
  const id = made.data.id as number;
  const read = async () => (await visitor.get(`/v1/sps/detail?id=${id}`)).data;
  return { visitor, id, made: made.data, read };
}

const titlesOf = async (visitor: Visitor) =>
  ((await visitor.get("/v2/users/letters")).data.letters as { title: string; body?: string }[]).map(
    ({ title }) => title,
  );

async function login(visitor: Visitor): Promise<Client> {
  const client = await openClient(`${server.url.replace("http", "ws")}/ws`);
  client.send({ event: "login", data: { token: visitor.jar.get(SESSION_COOKIE.accessToken) } });
  await client.until(({ event }) => event === "login");
  client.send({ event: "sub", channel: "bots", biz: "futures" });
  await client.until(({ channel, event }) => channel === "bots" && event === "data");
  return client;
}

interface Published {
  readonly bots: readonly { readonly id: number; readonly pairs: number; readonly fees: string }[];
}

/** Waits for a matching event of the user's bots. */
const listens = (client: Client, fits: (answer: Published) => boolean) =>
  client.until(({ channel, event, data }) => channel === "bots" && event === "data" && fits(data as Published));

test("[GRID-1] margin goes into a futures grid and out again, each once, and invalid changes are refused by code", async () => {
  const { visitor, id, made, read } = await makeBot();
  expect(made.liquidations.short).toBeNull();
  expect(Number(made.liquidations.long)).toBeLessThan(48_000);
  const before = Number((await accountOf(visitor)).balance);
  const ask = (amount: string, clientId: string) => visitor.post("/v1/sps/margin/update", { id, amount, clientId });
  expect((await ask("500", "a")).data).toMatchObject({ invested: "5500" });
  // Repeated under the same id it is the same.
  expect((await ask("500", "a")).data).toMatchObject({ invested: "5500" });
  const more = await read();
  expect(Number(more.liquidations.long)).toBeLessThan(Number(made.liquidations.long));
  expect((await ask("-200", "b")).data).toMatchObject({ invested: "5300" });
  expect(Number((await accountOf(visitor)).balance)).toBe(before - 300);
  expect(await refusal(ask("0", "c"))).toEqual(["INVALID_AMOUNT", 400]);
  expect(await refusal(ask("999999", "d"))).toEqual(["INSUFFICIENT_BALANCE", 422]);
  expect((await refusal(ask("-5299", "e")))[1]).toBe(422);
  expect(await refusal(visitor.post("/v1/spot/strategy/margin/update", { id, amount: "1", clientId: "f" }))).toEqual([
    "UNKNOWN_BOT",
    404,
  ]);
  expect(await refusal(other.post("/v1/sps/margin/update", { id, amount: "1", clientId: "g" }))).toEqual([
    "UNKNOWN_BOT",
    404,
  ]);
  expect((await read()).invested).toBe("5300");
});

test("[GRID-1] the preview of a clone equals its start", async () => {
  const { visitor, id, read } = await makeBot();
  const plan = (investment: string, tree = "sps") => visitor.get(`/v1/${tree}/clone?id=${id}&investment=${investment}`);
  const answer = (await plan("2000")).data;
  expect(answer).toMatchObject({ buys: 5, sells: 5, refusal: null });
  // Five orders' coins at the price, and the taker's fee.
  const price = Number((await read()).lastPrice);
  expect(Number(answer.startCost)).toBeCloseTo(5 * Number(answer.quantity) * price * 1.0006, 4);
  expect((await plan("2")).data).toEqual({
    quantity: null,
    buys: null,
    sells: null,
    startCost: null,
    refusal: "GRID_INVESTMENT_TOO_SMALL",
  });
  expect([(await plan("0")).code, (await plan("9", "spot/strategy")).code]).toEqual(["INVALID_AMOUNT", "UNKNOWN_BOT"]);
  const cloned = await visitor.post("/v1/sps/follow", { id, investment: "2000", clientId: "clone" });
  expect(cloned.data).toMatchObject({ kind: "long", invested: "2000", quantity: answer.quantity });
  for (const bot of [id, cloned.data.id]) await visitor.post("/v1/sps/position/close", { id: bot });
});

test("[GRID-1] the owner's stream publishes every change of their bots, and of no others", async () => {
  const { visitor, id, read } = await makeBot();
  const [own, outsider] = [await login(visitor), await login(other)];
  await moveTo(49_000);
  await moveTo(50_000);
  await listens(own, ({ bots }) => bots.some((bot) => bot.id === id && bot.pairs > 0));
  await expect.poll(async () => (await read()).pairs).toBeGreaterThan(0);
  const { takeable, fees } = await read();
  expect(Number(fees)).toBeGreaterThan(0);
  // The profit shown can be taken, to the last unit, and no more of it.
  const take = (amount: string, clientId: string) => visitor.post("/v1/sps/profit", { id, amount, clientId });
  expect(await refusal(take("4000", "p1"))).toEqual(["BOT_PROFIT_TOO_SMALL", 422]);
  if (Number(takeable) > 0) expect((await take(takeable, "p2")).data).toMatchObject({ taken: takeable, takeable: "0" });
  const ended = await visitor.post("/v1/sps/position/close", { id });
  expect(ended.data).toMatchObject({ status: "CLOSED", reason: "USER", coinsHeld: "0.000", quoteHeld: "0" });
  await listens(own, ({ bots }) => !bots.some((bot) => bot.id === id));
  expect((await visitor.get(`/v1/sps/orders?id=${id}`)).data.orders).toEqual([]);
  expect(await refusal(visitor.post("/v1/sps/position/close", { id }))).toEqual(["BOT_NOT_RUNNING", 409]);
  expect(JSON.stringify(outsider.messages)).not.toContain(`"id":${id},`);
  // Everything is returned: the difference is fees and price changes.
  expect(Number((await accountOf(visitor)).balance)).toBeGreaterThan(19_900);
});

test("[GRID-1] a bot whose position is liquidated is over, and its owner is notified with the reason", async () => {
  const { visitor, read } = await makeBot({ leverage: 8, lower: "49000", upper: "51000" });
  await server.mark(server.linear, 300_000);
  await expect.poll(async () => (await read()).status).toBe("CLOSED");
  expect(await read()).toMatchObject({ reason: "LIQUIDATED", takeable: "0", coinsHeld: "0.000" });
  await expect.poll(() => titlesOf(visitor)).toContain("A grid bot has ended");
  await server.mark(server.linear, 500_000);
});

test("[GRID-1] a delisted market ends its bots with the reason given, and the money is back", async () => {
  const { visitor, read } = await makeBot({ kind: "neutral" });
  await server.submit({ kind: "setMarketStatus", market: server.linear, status: "DELISTED" });
  await expect.poll(async () => (await read()).status).toBe("CLOSED");
  expect((await read()).reason).toBe("DELISTED");
  await expect.poll(() => titlesOf(visitor)).toContain("A grid bot has ended");
  expect(Number((await accountOf(visitor)).balance)).toBe(20_000);
});
