// Converts over the wire against a real book: a firm quote, accepted once, expired after ten seconds, dust swept.

import { Visitor } from "@clockwork/server/process/account-fixture";
import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { holds, owes, place, setIndex, startTradingServer, type TradingServer } from "../spot/spot-fixture.ts";
import { COIN_LIMIT_UNITS, LIMIT_MS, USER_LIMIT_UNITS } from "./rules.ts";
import { convertStore, type QuoteRow } from "./store.ts";

let server: TradingServer;
beforeAll(async () => {
  server = await startTradingServer();
});
afterAll(() => server?.close());

test("[WAL-1] a quote is firm for ten seconds and accepted once", async () => {
  const maker = await server.trader({ BTC: "1", USDT: "100000" });
  await place(maker, { side: "sell", price: "100000", quantity: "0.5" });
  await place(maker, { side: "buy", price: "90000", quantity: "0.5" });
  await setIndex(server, "BTC", 100_000);
  const visitor = await server.trader({ USDT: "1000" });
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
  const debtor = await server.trader({ USDT: "1000" });
  const asked = { from: "USDT", to: "BTC", amount: "100" };
  const promised = (await debtor.post("/asset/v1/api/convert/quote", asked)).data.quoteId;
  await owes(server, debtor, "ETH", 1_000);
  expect((await debtor.post("/asset/v1/api/convert/accept", { quoteId: promised })).code).toBe("IN_DEBT");
  expect(await holds(debtor, "USDT")).toEqual(["1000", "0"]);
  const late = await ask({ amount: "100" });
  server.wait(10_001);
  expect((await visitor.post("/asset/v1/api/convert/accept", { quoteId: late.data.quoteId })).code).toBe(
    "QUOTE_EXPIRED",
  );
  const much = await ask({ amount: "600" });
  const refused = await visitor.post("/asset/v1/api/convert/accept", { quoteId: much.data.quoteId });
  expect([refused.code, refused.data, await holds(visitor, "USDT")]).toEqual([
    "INSUFFICIENT_BALANCE",
    null,
    ["500", "0"],
  ]);
});

test("[WAL-1] small balances are swept once per id, whatever was credited since, and a repeat returns the same answer", async () => {
  const visitor = await server.trader({ BTC: "0.00005" });
  await setIndex(server, "BTC", 100_000);
  type Priced = { asset: string; priceUsdt: string | null }[];
  const priceOf = async () =>
    ((await visitor.get("/asset/v1/api/wallet/coins")).data as Priced).find(({ asset }) => asset === "BTC")?.priceUsdt;
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

test("[WAL-1] no orders of the caller or an accomplice make the exchange pay more than the fair price", async () => {
  const pairCode = "ETH_USDT";
  const maker = await server.trader({ ETH: "10", USDT: "50000" });
  const [caller, accomplice] = [
    await server.trader({ ETH: "5", USDT: "50000" }),
    await server.trader({ USDT: "50000" }),
  ];
  await place(maker, { pairCode, side: "sell", price: "3300", quantity: "0.5" });
  await place(maker, { pairCode, side: "sell", price: "3340", quantity: "0.5" });
  await place(maker, { pairCode, side: "buy", price: "3290", quantity: "5" });
  await place(accomplice, { pairCode, side: "buy", price: "3300", quantity: "0.1" });
  const ask = () => caller.post("/asset/v1/api/convert/quote", { from: "ETH", to: "USDT", amount: "1" });
  const take = (quoteId: string) => caller.post("/asset/v1/api/convert/accept", { quoteId });
  await setIndex(server, "ETH", 3_300);
  // Sweeps the thin asks, then bids far above; the caller's own bid does not count.
  await place(caller, { pairCode, side: "buy", price: "3340", quantity: "0.9", timeInForce: "IOC" });
  const bid = { pairCode, side: "buy", price: "3850", quantity: "5", postOnly: true };
  const own = await place(caller, bid);
  expect(own.status).toBe(200);
  const alone = await ask();
  expect(alone.data.receives).toBe("3286.71");
  expect((await caller.delete(`/v1/spot/orders/${own.data.orderId}`)).status).toBe(200);
  // An accomplice's bid counts up to the fair price, and only while it rests.
  const theirs = await place(accomplice, bid);
  const helped = await ask();
  expect(Number(helped.data.receives)).toBeLessThanOrEqual(3_296.7);
  expect(Number(helped.data.receives)).toBeGreaterThan(3_286.71);
  await accomplice.delete(`/v1/spot/orders/${theirs.data.orderId}`);
  expect((await take(helped.data.quoteId)).code).toBe("PRICE_MOVED");
  // Three are open: the one from before the bid is accepted at its price.
  expect((await ask()).status).toBe(200);
  expect((await ask()).code).toBe("TOO_MANY_QUOTES");
  expect((await take(alone.data.quoteId)).data?.receives).toBe("3286.71");
});

test("[WAL-1] orders of users sharing device, mailbox or document with the caller count as the caller's own", async () => {
  const pairCode = "SOL_USDT";
  const maker = await server.trader({ SOL: "100", USDT: "50000" });
  const caller = new Visitor(server);
  await caller.signUp("jo.asks@gmail.com");
  await caller.faucet("SOL", "10");
  const named = async (email: string) => {
    const visitor = new Visitor(server);
    await visitor.signUp(email);
    await visitor.faucet("USDT", "50000");
    return visitor;
  };
  const documented = await server.trader({ USDT: "50000" });
  for (const visitor of [caller, documented]) {
    const details = { firstName: "Jo", lastName: "Doe", birthDate: "1990-05-01", country: "DE" };
    const document = { documentType: "passport", documentNumber: "C01X00T47" };
    await visitor.post("/v2/users/kyc/draft", { ...details, ...document });
  }
  expect((await caller.post("/v2/users/kyc/submit")).code).toBe(0);
  expect((await documented.post("/v2/users/kyc/submit")).code).toBe("KYC_DOCUMENT_USED");
  const linked = [
    await server.trader({ USDT: "50000" }, caller.headers.cwDeviceId),
    await named("joasks+second@gmail.com"),
    await named("j.o.asks@googlemail.com"),
    documented,
  ];
  const others = [await named("joasks@example.com"), await named("joasksx@gmail.com")];
  await place(maker, { pairCode, side: "sell", price: "151", quantity: "5" });
  await place(maker, { pairCode, side: "buy", price: "149", quantity: "5" });
  await place(await server.trader({ USDT: "1000" }), { pairCode, side: "buy", price: "151", quantity: "0.1" });
  const ask = async () => {
    await setIndex(server, "SOL", 150);
    const quote = { from: "SOL", to: "USDT", amount: "1" };
    const { data } = await caller.post("/asset/v1/api/convert/quote", quote);
    server.wait(10_001);
    return data?.receives;
  };
  const alone = await ask();
  expect(alone).toBe("148.851");
  for (const visitor of [...linked, ...others]) {
    const bid = await place(visitor, { pairCode, side: "buy", price: "150", quantity: "5" });
    expect(bid.status).toBe(200);
    expect(await ask(), visitor.account).toBe(linked.includes(visitor) ? alone : "149.85");
    await visitor.delete(`/v1/spot/orders/${bid.data.orderId}`);
  }
});

test("[WAL-1] a quote reads a limited number of open orders of linked users", async () => {
  const { kysely } = server;
  if (kysely === undefined) throw new Error("no database");
  const visitor = await server.trader({ USDT: "50000" });
  await place(visitor, { pairCode: "ETH_USDT", side: "buy", price: "1000", quantity: "1" });
  await place(visitor, { side: "buy", price: "89000", quantity: "0.001" });
  const open = await sql<{ user: number; market: number }>`
    select a.user_id as user, o.market from engine_orders o join engine_accounts a on a.account = o.account
    join users_account u on u.id = a.user_id where u.email = ${visitor.account} order by o.created_sequence`;
  await expect.poll(async () => (await open.execute(kysely)).rows.length).toBe(2);
  const [{ user, market } = { user: -1, market: -1 }] = (await open.execute(kysely)).rows;
  const read = (most: number) => convertStore(kysely).listResting([user], market, ["spot"], [0, 1e9], most);
  // Orders of other markets count too: they are read past.
  expect(await read(1)).toBeUndefined();
  expect(await read(2)).toHaveLength(1);
});

forEachMigrated("limits of converting", (database) => {
  const NOW_MS = 1_790_000_000_000;
  let made = 0;
  const quote = (user_id: number, worth: bigint, coins: readonly [string, string] = ["BTC", "USDT"]): QuoteRow => ({
    quote_id: `q${++made}`,
    user_id,
    from_asset: coins[0],
    to_asset: coins[1],
    from_units: 1n,
    to_units: 1n,
    worth_units: worth,
    state: "OPEN",
    expires_ms: NOW_MS + 10_000,
  });
  const store = () => convertStore(database.database().kysely);
  const all = <Value>(work: (at: number) => Promise<Value>) =>
    Promise.all(Array.from({ length: 8 }, (_, at) => work(at)));

  test("[WAL-1] past conversions are listed in either order", async () => {
    const rows = [1, 2, 3].map((at) => ({ ...quote(9, 1n), state: "DONE" as const, expires_ms: NOW_MS + at }));
    for (const row of rows) await store().add(row, row.expires_ms);
    const listed = async (order?: "newest") =>
      (await store().listOf(9, { limit: 2, order })).map(({ expires_ms }) => expires_ms - NOW_MS);
    expect([await listed(), await listed("newest")]).toEqual([
      [1, 2],
      [3, 2],
    ]);
  });

  test("[WAL-1] of eight concurrent quotes three are open, and expired ones do not count", async () => {
    const answers = await all(() => store().add(quote(1, 1n), NOW_MS));
    expect(answers.filter((one) => one === undefined)).toHaveLength(3);
    expect(new Set(answers)).toEqual(new Set([undefined, "TOO_MANY_QUOTES"]));
    expect(await store().add(quote(1, 1n), NOW_MS + 10_000)).toBeUndefined();
  });

  test("[WAL-1] concurrent accepts stay within a user's limit; a quote the ledger rejected no longer counts", async () => {
    const rows = Array.from({ length: 8 }, (_, at) => quote(2, USER_LIMIT_UNITS / 2n, [`C${at}`, "USDT"]));
    for (const row of rows) expect(await store().add(row, row.expires_ms - 10_000 + 20_000)).toBeUndefined();
    const answers = await all((at) => store().take(rows[at] as QuoteRow, NOW_MS));
    expect(answers.filter((one) => one === undefined)).toHaveLength(2);
    expect(new Set(answers)).toEqual(new Set([undefined, "USER_LIMIT"]));
    const [taken] = rows.filter((_, at) => answers[at] === undefined);
    const [left, other] = rows.filter((_, at) => answers[at] !== undefined);
    await store().giveBack(taken as QuoteRow);
    await store().giveBack(taken as QuoteRow);
    expect(await store().take(left as QuoteRow, NOW_MS)).toBeUndefined();
    expect(await store().take(other as QuoteRow, NOW_MS)).toBe("USER_LIMIT");
    expect(await store().take(left as QuoteRow, NOW_MS)).toBe("USER_LIMIT");
    // A day later the full limit is available again.
    expect(await store().take(other as QuoteRow, NOW_MS + LIMIT_MS + 3_600_000)).toBeUndefined();
  });

  test("[WAL-1] the exchange takes no more of one coin than its limit, from any number of users, and trades that reduce it are free", async () => {
    const steps = Number(COIN_LIMIT_UNITS / USER_LIMIT_UNITS);
    const takeOf = async (user: number, coins: readonly [string, string]) => {
      const row = quote(user, USER_LIMIT_UNITS, coins);
      await store().add(row, row.expires_ms + 1);
      return store().take(row, NOW_MS);
    };
    for (let i = 0; i < steps; i++) expect(await takeOf(100 + i, ["ADA", "USDT"])).toBeUndefined();
    expect(await takeOf(200, ["ADA", "USDT"])).toBe("COIN_LIMIT");
    expect(await takeOf(201, ["USDT", "ADA"])).toBeUndefined();
    expect(await takeOf(202, ["ADA", "USDT"])).toBeUndefined();
  });
});
