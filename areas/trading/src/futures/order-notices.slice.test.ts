// Notices of contracts' orders over a running exchange: fills, take-profits and stops that fired, by the ways their
// owner chose and once each.

import type { Visitor } from "@clockwork/server/process/account-fixture";
import { openClient } from "@clockwork/server/socket/socket-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FuturesServer, order, positionsOf, startFuturesServer } from "./futures-fixture.ts";

let server: FuturesServer;
let maker: Visitor;
beforeAll(async () => {
  server = await startFuturesServer();
  maker = await server.player("1000000", "10");
});
afterAll(() => server.close());

const titles = async (visitor: Visitor): Promise<readonly string[]> => {
  const { letters } = (await visitor.get("/v2/users/letters")).data as { letters: { title: string }[] };
  return letters.map(({ title }) => title).sort();
};

const requestLetters = async (visitor: Visitor): Promise<void> => {
  const choice = { kind: "fills", channel: "letter", isOn: true };
  expect((await visitor.post("/v2/users/notices/choices", choice)).status).toBe(200);
};

test("[FUT-1] a contract's fill and a fired take-profit are sent by letter to users who enabled it, once each", async () => {
  const [alice, silent] = [await server.player("10000", "1"), await server.player("10000")];
  await requestLetters(alice);
  for (const one of [alice, silent]) await order(one, { side: "buy", price: "50000", quantity: "0.1" });
  await order(maker, { side: "sell", price: "50000", quantity: "0.2" });
  const inverse = { biz: "delivery", pairCode: "BTC_USD", price: "50000", quantity: "100" };
  await order(alice, { ...inverse, side: "sell" });
  await order(maker, { ...inverse, side: "buy" });
  await expect.poll(() => titles(alice)).toEqual(["Bought 0.1 BTC", "Sold 100 USD"]);
  const [{ positionId }] = await positionsOf(alice);
  const stops = { positionId, profit: { triggerPrice: "51000" }, loss: { triggerPrice: "49000" } };
  expect((await alice.futures("/v1/futuresc/positions/stop", stops)).status).toBe(200);
  await order(maker, { side: "buy", price: "50900", quantity: "1" });
  await server.mark(server.linear, 511_000);
  const all = ["Bought 0.1 BTC", "Sold 100 USD", "Take profit: sold 0.1 BTC"];
  await expect.poll(() => titles(alice)).toEqual(all);
  // Another pass over the same rows sends nothing new, and nothing of the stop that ended with the position.
  server.wait(60_000);
  await expect.poll(() => titles(alice)).toEqual(all);
  expect(await titles(silent)).toEqual([]);
  await server.mark(server.linear, 500_000);
});

test("[FUT-1] an open page receives a fill at once, without a request", async () => {
  await maker.futures("/v1/futuresc/orders/clear", { biz: "futures" });
  const carol = await server.player("10000");
  const cookie = [...carol.jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const socket = await openClient(`${server.url.replace("http", "ws")}/ws`, { headers: { cookie } });
  socket.send({ event: "login", data: {} });
  await socket.until(({ event }) => event === "login");
  socket.send({ event: "sub", channel: "notices" });
  // Notices start empty; a later request is answered after them.
  socket.send({ event: "sub", channel: "orders", biz: "futures" });
  await socket.until(({ event, channel }) => event === "data" && channel === "orders");
  await order(carol, { side: "buy", price: "49900", quantity: "0.1" });
  await order(maker, { side: "sell", price: "49900", quantity: "0.1" });
  const answer = await socket.until(({ channel, data }) => channel === "notices" && data !== undefined);
  expect(answer.data).toMatchObject({ kind: "fills", title: "Bought 0.1 BTC", path: "/futures/BTC_USDT" });
  socket.close();
  expect(await titles(carol)).toEqual([]);
});
