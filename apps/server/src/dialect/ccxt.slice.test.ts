// Every unified method of ccxt that this exchange has a use for, tried by the real client; the table of what works is
// written from it (run with -u after a change). Binance's own connectors and ccxt by host name, both over TLS.
import { generateKeyPairSync } from "node:crypto";
import { allOf } from "@clockwork/kit/all-of";
import { CCXT_LEAST } from "@clockwork/kit/programs/dialect-samples";
import { type FuturesServer, order, startFuturesServer } from "@clockwork/trading/futures/futures-fixture";
import { SIDES_MS, sidesHistory } from "@clockwork/trading/futures/sides-history";
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Visitor } from "../process/account-fixture.ts";
import { type Desk, EMPTY, type Kind, LEASED, TRIED_ELSEWHERE, TRIES, type Tries, whyAbsent } from "./ccxt-fixture.ts";
import { stirUntil } from "./ccxt-watch-fixture.ts";
import {
  type Connector,
  INVERSE_CALLS,
  INVERSE_READS,
  INVERSE_STREAMS,
  LINEAR_CALLS,
  LINEAR_READS,
  LINEAR_STREAMS,
  openConnector,
  type Published,
  type Reads,
  SPOT_CALLS,
  SPOT_READS,
  SPOT_STREAMS,
} from "./connector-fixture.ts";
import { type Key, makeBook, makeKey, openCcxt, PATIENT, until } from "./dialect-fixture.ts";
import { openTls, type TlsDoor } from "./tls-fixture.ts";

const TABLE = "../../../../docs/ccxt.md";
const MARKETS = {
  spot: { name: "binance", symbol: "BTC/USDT", coin: "USDT", amount: 0.01, low: 91_000, stop: 88_000 },
  linear: { name: "binanceusdm", symbol: "BTC/USDT:USDT", coin: "USDT", amount: 0.01, low: 48_500, stop: 48_000 },
  inverse: { name: "binancecoinm", symbol: "BTC/USD:BTC", coin: "BTC", amount: 2, low: 48_500, stop: 48_000 },
} as const;
const DOMAIN = "exchange.test";
const EMPTY_WORDS = "works, empty";
/** Of each class: of the others each has a reason in the table. */
const METHODS_MIN = [150, 146, 140];
const KINDS = ["spot", "linear", "inverse"] as const;

let server: FuturesServer;
let maker: Visitor;
let door: TlsDoor;
const desks = new Map<Kind, Desk>();
const keys = new Map<Kind, Key>();
const connectors = new Map<Kind, Connector>();

const spotOrder = (visitor: Visitor, side: string, price: string, quantity: string) =>
  visitor.post("/v1/spot/orders", { pairCode: "BTC_USDT", type: "limit", side, price, quantity });

beforeAll(async () => {
  // Binance's connectors sign with the time of the machine.
  server = await startFuturesServer({ CW_DOMAIN: DOMAIN }, 0);
  maker = await server.player("1000000", "15");
  const seller = await server.trader({ BTC: "10", USDT: "100000" });
  for (const [side, price] of [
    ["sell", "96010"],
    ["buy", "96000"],
  ] as const)
    expect((await spotOrder(seller, side, price, "1")).status).toBe(200);
  await makeBook(maker, "futures");
  await makeBook(maker, "delivery");
  await sampleSides();
  door = await openTls(server.url, DOMAIN);
  for (const kind of KINDS) {
    desks.set(kind, await openDesk(kind));
    connectors.set(kind, openConnector(door.host, kind, keys.get(kind) as Key));
  }
});
afterAll(async () => {
  await Promise.all([...desks.values()].map(({ client }) => client.close()));
  await Promise.all([...connectors.values()].map((one) => one.close()));
  await door?.close();
  await server?.close();
});

/** As the job does every five minutes, with positions of both kinds. */
async function sampleSides(): Promise<void> {
  const other = await server.player("20000", "2");
  await order(other, { side: "buy", price: "50010", quantity: "0.01" });
  await order(other, { biz: "delivery", pairCode: "BTC_USD", side: "buy", price: "50010", quantity: "200" });
  const dueMs = server.nowMs() - (server.nowMs() % SIDES_MS);
  const { job } = sidesHistory(server.kysely as Kysely<unknown>);
  await until(async () => {
    await job.run({ dueMs, previousMs: dueMs - SIDES_MS, key: String(dueMs) });
    const { rows } = await sql`SELECT DISTINCT market FROM markets_sides`.execute(server.kysely as Kysely<unknown>);
    return rows.length >= 2 ? true : undefined;
  });
}

async function openDesk(kind: Kind): Promise<Desk> {
  const visitor = await server.player("20000", "3");
  for (const [asset, amount] of [
    ["USDT", "30000"],
    ["BTC", "2"],
  ] as const)
    expect((await visitor.faucet(asset, amount)).status).toBe(200);
  const other = await server.player("50000", "3");
  expect((await other.faucet("USDT", "50000")).status).toBe(200);
  const key = await makeKey(visitor, { permissions: ["read", "spot", "futures", "transfer"] });
  keys.set(kind, key);
  const client = openCcxt(server.url, key, server.nowMs, kind);
  await client.loadHttpProxyAgent();
  await client.loadMarkets();
  let turns = 0;
  const stir = async (): Promise<void> => {
    const side = turns % 2 === 0 ? "buy" : "sell";
    turns += 1;
    const price = side === "buy" ? "50010" : "49990";
    // What was bought came without its fee.
    if (kind === "spot" && side === "buy") await spotOrder(other, side, "96010", "0.001");
    else if (kind === "spot") await spotOrder(other, side, "96000", "0.00099");
    else if (kind === "linear") await order(other, { side, price, quantity: "0.001" });
    else await order(other, { biz: "delivery", pairCode: "BTC_USD", side, price, quantity: "100" });
  };
  await stir();
  await client.createMarketBuyOrder(MARKETS[kind].symbol, MARKETS[kind].amount);
  return { client, kind, ...MARKETS[kind], stir };
}

/** Every one of them, with the error of those that failed. */
async function tryAll(desk: Desk, tries: Tries): Promise<void> {
  const failures: string[] = [];
  for (const [name, attempt] of Object.entries(tries)) {
    try {
      await attempt(desk);
    } catch (error) {
      failures.push(`${name}: ${String(error).slice(0, 200)}`);
    }
    if (/^(create|edit|fetch(Open)?Order$)/.test(name))
      await desk.client.cancelAllOrders(desk.symbol).catch(() => undefined);
  }
  expect(failures).toEqual([]);
}

test.each(KINDS)(
  "[BOT-1] every offered method of ccxt works on %s, and lists of what is not offered are empty",
  (kind) => tryAll(desks.get(kind) as Desk, { ...TRIES[kind], ...EMPTY }),
);

test("[BOT-1] the class of all markets trades contracts too", async () => {
  const { client } = desks.get("spot") as Desk;
  const { stir } = desks.get("linear") as Desk;
  await client.createMarketBuyOrder(MARKETS.linear.symbol, MARKETS.linear.amount);
  await tryAll({ client, kind: "linear", ...MARKETS.linear, stir }, LEASED);
});

/** A row for each method ccxt lists for Binance: tried here, not offered, or not tried. */
test("[BOT-1] the table of methods states what is offered", async () => {
  const has = (kind: Kind) => Object.entries(desks.get(kind)?.client.has ?? {}).filter(([, value]) => Boolean(value));
  const isMethod = (name: string): boolean =>
    /^(fetch|create|cancel|edit|set|add|reduce|watch|unWatch|transfer|withdraw|borrow|repay)/.test(name);
  const names = [...new Set(KINDS.flatMap((kind) => has(kind).map(([name]) => name)))].filter(isMethod).sort();
  const says = (name: string, kind: Kind): string => {
    if (name in TRIES[kind] || TRIED_ELSEWHERE[kind].includes(name) || (kind === "spot" && name in LEASED))
      return "works";
    // Methods that ccxt lacks for this kind are skipped.
    if (!desks.get(kind)?.client.has[name]) return "";
    if (name in EMPTY) return EMPTY_WORDS;
    return whyAbsent(name, kind) ?? "not tried";
  };
  const rows = names.map((name) => `| ${name} | ${KINDS.map((kind) => says(name, kind)).join(" | ")} |`);
  expect(rows.filter((row) => row.includes("not tried"))).toEqual([]);
  const count = (...words: readonly string[]): readonly number[] =>
    KINDS.map((kind) => names.filter((name) => words.includes(says(name, kind))).length);
  const all = KINDS.map((kind) => has(kind).filter(([name]) => isMethod(name)).length).join(", ");
  const answered = count("works", EMPTY_WORDS);
  expect(answered.map((methods, place) => methods >= (METHODS_MIN[place] ?? 0))).toEqual([true, true, true]);
  const text = `# What ccxt can do here

Every unified method that ccxt says Binance has, as the test of the dialect tries it with the unmodified
client (\`apps/server/src/dialect/ccxt.slice.test.ts\` writes this table). "works": tried and answered, by the class of
all markets (binance) on spot, and on linear contracts what spot has no use for. Empty: ccxt itself says that this class
has none. "works, empty": what it lists is not offered here, so the right answer has nothing in it. Anything else says why there is
no such thing here. Of ${all} methods ${answered.join(", ")} answer, ${count("works").join(", ")} of them with something.
By the host alone, streams of contracts included, this takes ccxt ${CCXT_LEAST} or later.

| method | binance | binanceusdm | binancecoinm |
|---|---|---|---|
${rows.join("\n")}
`;
  await expect(text).toMatchFileSnapshot(TABLE);
});

const connectorOf = (kind: Kind): Connector => connectors.get(kind) as Connector;
const TABLES: Readonly<Record<Kind, readonly [Reads, Reads, Reads]>> = {
  spot: [SPOT_READS, SPOT_CALLS, SPOT_STREAMS],
  linear: [LINEAR_READS, LINEAR_CALLS, LINEAR_STREAMS],
  inverse: [INVERSE_READS, INVERSE_CALLS, INVERSE_STREAMS],
};

test.each(KINDS)("[BOT-1] Binance's own connector reads, calls and receives %s over TLS", async (kind) => {
  const connector = connectorOf(kind);
  const [reads, calls, streams] = TABLES[kind];
  const failures: string[] = [];
  const note = (name: string) => (error: unknown) => {
    failures.push(`${name}: ${String(error)} ${JSON.stringify(error)}`.slice(0, 200));
  };
  for (const [name, values] of Object.entries(reads)) {
    await connector.rest(name, values).then((answer) => expect(answer).toBeTypeOf("object"), note(`rest ${name}`));
  }
  for (const [name, values] of Object.entries(calls)) {
    await connector.call(name, values).then((answer) => expect(answer).toBeTypeOf("object"), note(`call ${name}`));
  }
  expect(failures).toEqual([]);
  const received = new Map<string, Published[]>();
  for (const [name, values] of Object.entries(streams)) received.set(name, await connector.listen(name, values));
  const missing = () => [...received].filter(([, news]) => news.length === 0).map(([name]) => name);
  await stirUntil(desks.get(kind) as Desk, () => missing().length === 0).catch(() => undefined);
  expect(missing()).toEqual([]);
});

test("[BOT-1] Binance's spot connector places, reads, amends, replaces and ends orders, with updates", async () => {
  const spot = connectorOf("spot");
  const symbol = "BTCUSDT";
  const limit = { symbol, side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: 0.02, price: 91_000 };
  const own = await spot.listenOwn();
  await spot.rest("orderTest", limit);
  const placed = await spot.rest("newOrder", limit);
  expect(placed).toMatchObject({ symbol, status: "NEW", origQty: "0.02000000", price: "91000.00000000" });
  const { orderId } = placed;
  expect(await spot.rest("getOrder", { symbol, orderId })).toMatchObject({ orderId, status: "NEW" });
  expect(await spot.rest("orderAmendKeepPriority", { symbol, orderId, newQty: 0.01 })).toMatchObject({
    amendedOrder: { orderId, qty: "0.01000000" },
  });
  const replaced = await spot.rest("orderCancelReplace", {
    ...limit,
    cancelReplaceMode: "STOP_ON_FAILURE",
    cancelOrderId: orderId,
  });
  expect(replaced).toMatchObject({ cancelResult: "SUCCESS", newOrderResult: "SUCCESS" });
  const second = replaced.newOrderResponse.orderId;
  expect(await spot.rest("deleteOrder", { symbol, orderId: second })).toMatchObject({ status: "CANCELED" });
  await expect(spot.rest("deleteOrder", { symbol, orderId: second })).rejects.toMatchObject({
    message: "Unknown order sent.",
  });
  const bought = await spot.rest("newOrder", { symbol, side: "BUY", type: "MARKET", quantity: 0.001 });
  expect(bought).toMatchObject({ status: "FILLED", executedQty: "0.00100000" });
  expect((await spot.rest("myTrades", { symbol, orderId: bought.orderId }))[0]).toMatchObject({ qty: "0.00100000" });
  const over = await spot.call("orderPlace", limit);
  expect(await spot.call("orderStatus", { symbol, orderId: over.orderId })).toMatchObject({ status: "NEW" });
  expect(await spot.call("orderCancel", { symbol, orderId: over.orderId })).toMatchObject({ status: "CANCELED" });
  const pair = await spot.rest("orderListOco", {
    symbol,
    side: "SELL",
    quantity: 0.001,
    aboveType: "LIMIT_MAKER",
    abovePrice: 99_000,
    belowType: "STOP_LOSS",
    belowStopPrice: 90_000,
  });
  const { orderListId } = pair;
  expect(await spot.rest("getOrderList", { orderListId })).toMatchObject({ listOrderStatus: "EXECUTING" });
  expect(await spot.rest("deleteOrderList", { symbol, orderListId })).toMatchObject({ listOrderStatus: "ALL_DONE" });
  await spot.rest("newOrder", limit);
  expect(await spot.rest("deleteOpenOrders", { symbol })).toHaveLength(1);
  const [amendment] = await spot.rest("orderAmendments", { symbol, orderId });
  expect(amendment).toMatchObject({ orderId, origQty: "0.02000000", newQty: "0.01000000" });
  await spot.rest("orderOco", { symbol, side: "SELL", quantity: 0.001, price: 99_000, stopPrice: 90_000 });
  await spot.rest("deleteOpenOrders", { symbol });
  await bringUnderPending(spot);
  await meetItself(spot);
  const reply = (x: string, i: number) =>
    own.some((news) => news.e === "executionReport" && news.x === x && news.i === i);
  await until(() =>
    reply("NEW", orderId) && reply("CANCELED", second) && reply("TRADE", bought.orderId) ? true : undefined,
  );
  await until(() => own.find(({ e }) => e === "outboundAccountPosition"));
  const lists = () => own.filter(({ e, g }) => e === "listStatus" && g === orderListId);
  await until(() => (lists().length >= 2 ? true : undefined));
  expect(lists().map(({ l, L, O }) => [l, L, O.length])).toEqual([
    ["EXEC_STARTED", "EXECUTING", 2],
    ["ALL_DONE", "ALL_DONE", 2],
  ]);
});

/** A working order that fills arms its exits, of which one ends the other. */
async function bringUnderPending(spot: Connector): Promise<void> {
  const symbol = "BTCUSDT";
  const working = {
    symbol,
    workingType: "LIMIT",
    workingTimeInForce: "GTC",
    workingSide: "BUY",
    workingPrice: 96_010,
    workingQuantity: 0.002,
    pendingSide: "SELL",
    pendingQuantity: 0.002,
  };
  const one = await spot.rest("orderListOto", { ...working, pendingType: "LIMIT_MAKER", pendingPrice: 99_000 });
  expect(one).toMatchObject({ contingencyType: "OTO", symbol, listOrderStatus: "EXECUTING" });
  const exits = { pendingAboveType: "LIMIT_MAKER", pendingAbovePrice: 99_000, pendingBelowType: "STOP_LOSS" };
  const pair = await spot.rest("orderListOtoco", { ...working, ...exits, pendingBelowStopPrice: 90_000 });
  expect(pair).toMatchObject({ contingencyType: "OTO", symbol, listOrderStatus: "EXECUTING" });
  const open = await until(async () => {
    const found = (await spot.rest("getOpenOrders", { symbol })) as Published[];
    return found.length >= 3 ? found : undefined;
  });
  expect(
    open.map(({ type, side, price, stopPrice }) => `${type} ${side} ${Number(price)} ${Number(stopPrice)}`).sort(),
  ).toEqual(["LIMIT SELL 99000 0", "LIMIT SELL 99000 0", "STOP_LOSS SELL 0 90000"]);
  expect(new Set(open.map(({ orderListId }) => orderListId))).toEqual(new Set([one.orderListId, pair.orderListId]));
  const otherSize = { ...working, pendingQuantity: 0.003, pendingType: "LIMIT", pendingPrice: 99_000 };
  await expect(spot.rest("orderListOto", otherSize)).rejects.toMatchObject({
    message: "Pending orders must have the quantity of the working order.",
  });
  await spot.rest("deleteOpenOrders", { symbol });
}

/** Both orders of a prevented match find it. */
async function meetItself(spot: Connector): Promise<void> {
  const symbol = "BTCUSDT";
  const order = { symbol, type: "LIMIT", timeInForce: "GTC", quantity: 0.001, price: 96_005 };
  const maker = await spot.rest("newOrder", { ...order, side: "BUY" });
  const taker = await spot.rest("newOrder", { ...order, side: "SELL", selfTradePreventionMode: "EXPIRE_MAKER" });
  const found = await Promise.all(
    [maker, taker].map(({ orderId }) => spot.rest("myPreventedMatches", { symbol, orderId })),
  );
  expect(found[0]).toEqual(found[1]);
  expect(found[0]).toMatchObject([
    {
      makerOrderId: maker.orderId,
      takerOrderId: taker.orderId,
      selfTradePreventionMode: "EXPIRE_MAKER",
      makerPreventedQuantity: "0.00100000",
    },
  ]);
  const [{ preventedMatchId }] = found[0];
  expect(await spot.rest("myPreventedMatches", { symbol, preventedMatchId })).toEqual(found[0]);
  await spot.rest("deleteOpenOrders", { symbol });
}

test("[BOT-1] a session logged on once with an Ed25519 key trades without a signature", async () => {
  const owner = await server.trader({ USDT: "5000" });
  const pair = generateKeyPairSync("ed25519");
  const publicKey = pair.publicKey.export({ type: "spki", format: "pem" }).toString();
  const { apiKey } = await makeKey(owner, { kind: "ED25519", publicKey });
  const privateKey = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const connector = openConnector(door.host, "spot", { apiKey, privateKey });
  expect(await connector.call("sessionLogon")).toMatchObject({ apiKey });
  const symbol = "BTCUSDT";
  const limit = { symbol, side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: 0.02, price: 91_000 };
  const { orderId } = await connector.call("orderPlace", limit);
  expect(await connector.call("orderCancel", { symbol, orderId })).toMatchObject({ status: "CANCELED" });
  expect(await connector.rest("getAccount")).toMatchObject({ accountType: "SPOT" });
  await connector.close();
});

test.each([
  ["linear", "BTCUSDT", 0.02, 48_500],
  ["inverse", "BTCUSD_PERP", 2, 48_500],
] as const)(
  "[BOT-1] Binance's connector of %s contracts trades, amends, sets and receives events",
  async (kind, symbol, quantity, price) => {
    const connector = connectorOf(kind);
    const limit = { symbol, side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity, price };
    const { listenKey } = await connector.rest("startUserDataStream");
    const own = await connector.listen("userData", listenKey);
    // The line is open from its first event on.
    await until(async () => {
      if (own.length > 0) return true;
      await connector.rest("newOrder", limit);
      await connector.rest("cancelAllOpenOrders", { symbol });
      return undefined;
    });
    const placed = await connector.rest("newOrder", limit);
    const { orderId } = placed;
    expect(placed).toMatchObject({ symbol, status: "NEW", positionSide: "BOTH" });
    expect(await connector.rest("queryOrder", { symbol, orderId })).toMatchObject({ orderId, status: "NEW" });
    expect(await connector.rest("queryCurrentOpenOrder", { symbol, orderId })).toMatchObject({ orderId });
    const changed = await connector.rest("modifyOrder", {
      symbol,
      orderId,
      side: "BUY",
      quantity: quantity * 2,
      price: price + 100,
    });
    expect([changed.orderId, Number(changed.origQty), Number(changed.price)]).toEqual([
      orderId,
      quantity * 2,
      price + 100,
    ]);
    expect(await connector.rest("cancelOrder", { symbol, orderId })).toMatchObject({ status: "CANCELED" });
    await expect(connector.rest("cancelOrder", { symbol, orderId })).rejects.toMatchObject({
      message: "Unknown order sent.",
    });
    const over = await connector.call("newOrder", limit);
    expect(await connector.call("modifyOrder", { ...limit, orderId: over.orderId, price: price + 50 })).toMatchObject({
      orderId: over.orderId,
    });
    expect(await connector.call("queryOrder", { symbol, orderId: over.orderId })).toMatchObject({ status: "NEW" });
    expect(await connector.call("cancelOrder", { symbol, orderId: over.orderId })).toMatchObject({
      status: "CANCELED",
    });
    expect(await connector.rest("getOrderModifyHistory", { symbol, orderId })).toMatchObject([
      { orderId, amendment: { count: 1, origQty: { before: placed.origQty, after: changed.origQty } } },
    ]);
    await connector.rest("newOrder", limit);
    expect(await connector.rest("cancelAllOpenOrders", { symbol })).toMatchObject({ code: 200 });
    await tryContractRest(connector, kind, limit);
    expect(await connector.rest("changeInitialLeverage", { symbol, leverage: 7 })).toMatchObject({ leverage: 7 });
    expect(await connector.rest("autoCancelAllOpenOrders", { symbol, countdownTime: 0 })).toMatchObject({ symbol });
    const market = await connector.rest("newOrder", { symbol, side: "BUY", type: "MARKET", quantity });
    const reply = (x: string, i: number) =>
      own.some(({ e, o }) => e === "ORDER_TRADE_UPDATE" && o.x === x && o.i === i);
    await until(() =>
      reply("NEW", orderId) && reply("CANCELED", orderId) && reply("TRADE", market.orderId) ? true : undefined,
    );
    await until(() => own.find(({ e }) => e === "ACCOUNT_UPDATE"));
    expect(await connector.rest("keepaliveUserDataStream")).toMatchObject({ listenKey });
    await connector.rest("closeUserDataStream");
  },
);

/** What is left of a connector's calls: several orders at once, conditional ones, settings, and files. */
async function tryContractRest(connector: Connector, kind: Kind, limit: { readonly symbol: string }): Promise<void> {
  const { symbol } = limit;
  const text = {
    ...limit,
    quantity: String(Reflect.get(limit, "quantity")),
    price: String(Reflect.get(limit, "price")),
  };
  const ids: Published[] = [];
  if (kind === "linear") {
    const made = (await connector.rest("placeMultipleOrders", { batchOrders: [text, text] })) as Published[];
    ids.push(...made.map(({ orderId }) => orderId));
  } else {
    // The connector of inverse contracts has no call for it.
    for (let count = 0; count < 2; count += 1) ids.push((await connector.rest("newOrder", limit)).orderId);
  }
  expect(allOf(ids, Number.isInteger)).toBe(true);
  const more = { ...text, quantity: String(Number(text.quantity) * 2) };
  const moved = ids.map((orderId) => ({ ...more, orderId }));
  expect(await connector.rest("modifyMultipleOrders", { batchOrders: moved })).toMatchObject(
    ids.map((orderId) => ({ orderId })),
  );
  expect(await connector.rest("cancelMultipleOrders", { symbol, orderIdList: ids })).toMatchObject(
    ids.map((orderId) => ({ orderId, status: "CANCELED" })),
  );
  if (kind === "linear") {
    await connector.rest("testOrder", limit);
    const stop = {
      algoType: "CONDITIONAL",
      symbol,
      side: "SELL",
      type: "STOP_MARKET",
      quantity: 0.01,
      triggerPrice: 48_000,
    };
    const { algoId } = await connector.rest("newAlgoOrder", stop);
    expect(await connector.rest("queryAlgoOrder", { algoId })).toMatchObject({ algoId });
    expect(await connector.rest("cancelAlgoOrder", { algoId })).toMatchObject({ algoId });
    await connector.rest("newAlgoOrder", stop);
    expect(await connector.rest("cancelAllAlgoOpenOrders", { symbol })).toMatchObject({ code: 200 });
  }
  await closeAll(connector, symbol);
  const { marginType: before } = (await positionOf(connector, kind, symbol)) ?? {};
  const types = String(before).toLowerCase() === "isolated" ? ["CROSSED", "ISOLATED"] : ["ISOLATED", "CROSSED"];
  for (const marginType of types) {
    expect(await connector.rest("changeMarginType", { symbol, marginType })).toMatchObject({ code: 200 });
    if (marginType !== "ISOLATED") continue;
    await connector.rest("newOrder", { symbol, side: "BUY", type: "MARKET", quantity: Reflect.get(limit, "quantity") });
    const added = { symbol, amount: kind === "linear" ? 5 : 0.001, type: 1 };
    expect(await connector.rest("modifyIsolatedPositionMargin", added)).toMatchObject({ type: 1 });
    await closeAll(connector, symbol);
  }
  for (const dualSidePosition of ["true", "false"]) {
    expect(await connector.rest("changePositionMode", { dualSidePosition })).toMatchObject({ code: 200 });
  }
  const span = { startTime: server.nowMs() - 86_400_000, endTime: server.nowMs() + 60_000 };
  for (const [request, find, heading] of DOWNLOADS) {
    const { downloadId } = await connector.rest(request, span);
    const { url, status } = await connector.rest(find, { downloadId });
    expect(status).toBe("completed");
    const file = await (await fetch(`${server.url}${new URL(url, server.url).pathname}`)).text();
    expect(file.split("\n")[0]?.split(",")).toContain(heading);
    expect(file.trimEnd().split("\n").length).toBeGreaterThan(1);
  }
  await expect(
    connector.rest("getFuturesTradeDownloadLinkById", { downloadId: "123456789012345" }),
  ).rejects.toMatchObject({ message: "Data sent for parameter 'downloadId' is not valid." });
}

const DOWNLOADS = [
  ["getDownloadIdForFuturesTransactionHistory", "getFuturesTransactionHistoryDownloadLinkById", "incomeType"],
  ["getDownloadIdForFuturesOrderHistory", "getFuturesOrderHistoryDownloadLinkById", "clientOrderId"],
  ["getDownloadIdForFuturesTradeHistory", "getFuturesTradeDownloadLinkById", "commission"],
] as const;

async function positionOf(connector: Connector, kind: Kind, symbol: string): Promise<Published> {
  const name = kind === "linear" ? "positionInformationV2" : "positionInformation";
  const rows = (await connector.rest(name, kind === "linear" ? { symbol } : {})) as Published[];
  return rows.find((row) => row.symbol === symbol);
}

async function closeAll(connector: Connector, symbol: string): Promise<void> {
  await connector.rest("cancelAllOpenOrders", { symbol });
  const kind = symbol.endsWith("_PERP") ? "inverse" : "linear";
  const amount = Number((await positionOf(connector, kind, symbol))?.positionAmt ?? 0);
  if (amount === 0) return;
  const side = amount > 0 ? "SELL" : "BUY";
  await connector.rest("newOrder", { symbol, side, type: "MARKET", quantity: Math.abs(amount), reduceOnly: "true" });
}

/** Those of all that are no product or no rule of this exchange are left. */
const CONNECTOR_MIN = { spot: 44, linear: 85, inverse: 58 } as const;

test.each(KINDS)("[BOT-1] most REST methods of Binance's own connector of %s are answered", (kind) => {
  const { methods, answered } = connectorOf(kind);
  const left = methods.filter((name) => !answered.has(name));
  expect(methods.length - left.length >= CONNECTOR_MIN[kind] ? [] : left).toEqual([]);
});

test("[BOT-1] by host name and TLS, ccxt distinguishes contracts' refusals without a merged table", async () => {
  const { hostname, apis } = { hostname: door.host, apis: { linear: "fapi", inverse: "dapi" } as const };
  for (const kind of ["linear", "inverse"] as const) {
    const { client, symbol } = desks.get(kind) as Desk;
    const Client = client.constructor as new (options: object) => typeof client;
    const key = keys.get(kind) as Key;
    const named = new Client({ ...key, hostname, ...PATIENT });
    named.urls.api = JSON.parse(
      JSON.stringify(named.urls.api).replaceAll(
        /(https|wss):\/\/([a-z]*)[a-z0-9-]*\.[a-z.]+(:\d+)?\//g,
        (_, scheme, sub) => (scheme === "https" ? `https://${sub}.${hostname}/` : `wss://${hostname}/`),
      ),
    );
    expect(JSON.stringify(named.urls.api)).toContain(`https://${apis[kind]}.${hostname}/`);
    await named.loadMarkets();
    const tooMuch = kind === "linear" ? 50 : 100_000;
    await expect(named.createOrder(symbol, "limit", "buy", tooMuch, 48_500)).rejects.toMatchObject({
      name: "InsufficientFunds",
    });
    await expect(named.fetchOrder("999999999", symbol)).rejects.toMatchObject({ name: "OrderNotFound" });
    await expect(
      named.createOrder(symbol, "market", "sell", 1, undefined, { stopLossPrice: 60_000 }),
    ).rejects.toMatchObject({ name: "OrderImmediatelyFillable" });
    const wrong = new Client({ ...key, secret: "wrong", hostname, ...PATIENT });
    wrong.urls.api = named.urls.api;
    await expect(wrong.fetchBalance()).rejects.toMatchObject({ name: "AuthenticationError" });
    await Promise.all([named.close(), wrong.close()]);
  }
});
