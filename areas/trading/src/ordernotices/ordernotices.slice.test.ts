// Notices of spot orders over a running exchange: by the channels the owner chose, also without an open page.

import type { Visitor } from "@clockwork/server/process/account-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { place, startTradingServer, type TradingServer } from "../spot/spot-fixture.ts";

let server: TradingServer;
let maker: Visitor;
beforeAll(async () => {
  server = await startTradingServer();
  maker = await server.trader({ BTC: "5" });
});
afterAll(() => server.close());

const letters = async (visitor: Visitor) =>
  (await visitor.get("/v2/users/letters")).data.letters as { kind: string; title: string }[];

test("[USR-3] a filled and an ended order are sent by letter to users who enabled it, once each", async () => {
  const both = [await server.trader({ USDT: "10000" }), await server.trader({ USDT: "10000" })];
  const [requested, silent] = both as [Visitor, Visitor];
  for (const kind of ["fills", "orderEnded"])
    expect((await requested.post("/v2/users/notices/choices", { kind, channel: "letter", isOn: true })).status).toBe(
      200,
    );
  for (const one of both) await place(one, { side: "buy", price: "96000", quantity: "0.01" });
  await place(requested, { side: "buy", price: "96000", quantity: "0.01", timeInForce: "IOC" });
  const mine = await place(requested, { side: "buy", price: "95000", quantity: "0.01" });
  await requested.delete(`/v1/spot/orders/${mine.data.orderId}`);
  await place(maker, { side: "sell", price: "96000", quantity: "0.02" });
  const answer = async () => (await letters(requested)).map(({ title }) => title).sort();
  await expect.poll(answer).toEqual(["Bought 0.01 BTC", "Order in BTC/USDT ended"]);
  // Another pass over the same rows sends nothing new.
  server.wait(60_000);
  await expect.poll(answer).toHaveLength(2);
  expect(await letters(silent)).toEqual([]);
});
