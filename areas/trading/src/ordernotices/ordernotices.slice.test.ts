// Notices of spot orders over a running exchange: by the ways the owner chose, also when no page of his is open.

import type { Visitor } from "@clockwork/server/process/account-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Floor, openFloor, place } from "../spot/spot-fixture.ts";

let floor: Floor;
let maker: Visitor;
beforeAll(async () => {
  floor = await openFloor();
  maker = await floor.trader({ BTC: "5" });
});
afterAll(() => floor.close());

const letters = async (visitor: Visitor) =>
  (await visitor.get("/v2/users/letters")).data.letters as { kind: string; title: string }[];

test("[USR-3] a filled and an ended order are told by letter to whoever asked for it, once each", async () => {
  const both = [await floor.trader({ USDT: "10000" }), await floor.trader({ USDT: "10000" })];
  const [asked, silent] = both as [Visitor, Visitor];
  for (const kind of ["fills", "orderEnded"])
    expect((await asked.post("/v2/users/notices/choices", { kind, channel: "letter", isOn: true })).status).toBe(200);
  for (const one of both) await place(one, { side: "buy", price: "96000", quantity: "0.01" });
  await place(asked, { side: "buy", price: "96000", quantity: "0.01", timeInForce: "IOC" });
  const mine = await place(asked, { side: "buy", price: "95000", quantity: "0.01" });
  await asked.delete(`/v1/spot/orders/${mine.data.orderId}`);
  await place(maker, { side: "sell", price: "96000", quantity: "0.02" });
  const told = async () => (await letters(asked)).map(({ title }) => title).sort();
  await expect.poll(told).toEqual(["Bought 0.01 BTC", "Order in BTC/USDT ended"]);
  // Another look at the same rows tells nothing new.
  floor.wait(60_000);
  await expect.poll(told).toHaveLength(2);
  expect(await letters(silent)).toEqual([]);
});
