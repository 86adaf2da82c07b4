// Converts over the wire against a real book: a firm quote, taken once, expired after ten seconds, dust swept.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Floor, holds, openFloor, place } from "../spot/spot-fixture.ts";

let floor: Floor;
beforeAll(async () => {
  floor = await openFloor();
});
afterAll(() => floor?.close());

test("[WAL-1] a quote is firm for ten seconds and taken once", async () => {
  const maker = await floor.trader({ BTC: "1", USDT: "100000" });
  await place(maker, { side: "sell", price: "100000", quantity: "0.5" });
  await place(maker, { side: "buy", price: "90000", quantity: "0.5" });
  const visitor = await floor.trader({ USDT: "1000" });
  const ask = (body: object) => visitor.post("/asset/v1/api/convert/quote", { from: "USDT", to: "BTC", ...body });
  expect((await ask({ amount: "0" })).code).toBe("INVALID_AMOUNT");
  expect((await ask({ amount: "10", to: "USDT" })).code).toBe("SAME_ASSET");
  expect((await ask({ amount: "90000" })).code).toBe("BOOK_TOO_THIN");
  const quote = await ask({ amount: "500" });
  expect(quote.data).toMatchObject({ amount: "500", receives: "0.004995", spread: "0.001" });
  const { quoteId } = quote.data;
  const taken = await Promise.all(
    Array.from({ length: 8 }, () => visitor.post("/asset/v1/api/convert/accept", { quoteId })),
  );
  expect(new Set(taken.map(({ status, data }) => `${status} ${data?.receives}`))).toEqual(new Set(["200 0.004995"]));
  expect([await holds(visitor, "USDT"), await holds(visitor, "BTC")]).toEqual([
    ["500", "0"],
    ["0.004995", "0"],
  ]);
  const late = await ask({ amount: "100" });
  floor.wait(10_001);
  expect((await visitor.post("/asset/v1/api/convert/accept", { quoteId: late.data.quoteId })).code).toBe(
    "QUOTE_EXPIRED",
  );
  const much = await ask({ amount: "600" });
  const refused = await visitor.post("/asset/v1/api/convert/accept", { quoteId: much.data.quoteId });
  expect(refused.code).toBe("INSUFFICIENT_BALANCE");
});

test("[WAL-1] small balances are swept once for each id, whatever came in since, and asked again the answer is the same", async () => {
  const [maker, taker] = [await floor.trader({ BTC: "1" }), await floor.trader({ USDT: "1000" })];
  const visitor = await floor.trader({ BTC: "0.00005" });
  await place(maker, { side: "sell", price: "100000", quantity: "0.001" });
  await place(taker, { side: "buy", price: "100000", quantity: "0.001" });
  type Priced = { asset: string; priceUsdt: string | null }[];
  const priceOf = async () =>
    ((await taker.get("/asset/v1/api/wallet/coins")).data as Priced).find(({ asset }) => asset === "BTC")?.priceUsdt;
  await expect.poll(priceOf).toBe("100000");
  const sweep = (clientId: string) => visitor.post("/asset/v1/api/convert/small", { clientId });
  const [first, ...others] = await Promise.all(Array.from({ length: 6 }, () => sweep("a-long-client-id")));
  expect(first?.status).toBe(200);
  expect(first?.data.converted).toHaveLength(1);
  for (const one of others) expect(one.data).toEqual(first?.data);
  const held = await holds(visitor, "USDT");
  expect((await holds(visitor, "BTC"))[0]).toBe("0");
  expect((await visitor.faucet("BTC", "0.00002")).status).toBe(200);
  const again = await sweep("a-long-client-id");
  expect(again.data).toEqual(first?.data);
  expect([await holds(visitor, "BTC"), await holds(visitor, "USDT")]).toEqual([["0.00002", "0"], held]);
  expect((await sweep("another")).data.converted).toMatchObject([{ asset: "BTC", amount: "0.00002" }]);
});
