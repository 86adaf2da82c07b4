// The past of an account read forwards in the Binance dialect: every row once, oldest first, however many there are.

import { type FuturesServer, startFuturesServer } from "@clockwork/trading/futures/futures-fixture";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Visitor } from "../process/account-fixture.ts";
import { callSigned, type Key, makeBook, makeKey, RECEIVE_MS, until } from "./dialect-fixture.ts";

const MANY = 1_030;
const AT_ONCE = 10;

describe("paging", () => {
  let server: FuturesServer;
  let maker: Visitor;
  let trader: Visitor;
  let key: Key;

  beforeAll(async () => {
    server = await startFuturesServer();
    maker = await server.player("1000000", "15");
    trader = await server.player("50000", "2");
    for (const [asset, amount] of [
      ["USDT", "50000"],
      ["BTC", "1"],
    ] as const)
      expect((await trader.faucet(asset, amount)).status).toBe(200);
    key = await makeKey(trader, { permissions: ["read", "spot", "futures"] });
  });
  afterAll(() => server?.close());

  let requested = 0;
  const call = async (method: string, path: string, parameters: Record<string, string | number>) => {
    requested += 1;
    // Two calls in a millisecond are two calls.
    const { status, body } = await callSigned(server.url, key, path, {
      method,
      parameters: { ...parameters, recvWindow: RECEIVE_MS - requested },
      timeMs: server.nowMs(),
    });
    expect([path, status, status === 200 ? "" : body]).toEqual([path, 200, ""]);
    return body;
  };
  const order = (parameters: Record<string, string | number>, path = "/api/v3/order") =>
    call("POST", path, { type: "LIMIT", timeInForce: "GTC", side: "BUY", ...parameters });

  // biome-ignore lint/suspicious/noExplicitAny: rows of every shape
  type Row = any;
  /** Page after page, from the last row's number on. */
  const readAll = async (
    path: string,
    parameters: Record<string, string | number>,
    next: (last: Row) => Record<string, string | number>,
  ): Promise<Row[]> => {
    const rows: Row[] = [];
    for (let more = parameters; ; ) {
      const page: Row[] = await call("GET", path, more);
      rows.push(...page);
      if (page.length < Number(parameters.limit)) return rows;
      more = { ...parameters, ...next(page.at(-1)) };
    }
  };
  const numbers = (rows: Row[], name = "orderId"): number[] => rows.map((row) => Number(row[name]));

  test("[BOT-1] more than a thousand ended orders are reached from the first on, with what is open among them", async () => {
    const startTime = server.nowMs();
    const resting = await order({ symbol: "BTCUSDT", price: "90000", quantity: "0.001" });
    const placed: number[] = [resting.orderId];
    for (let at = 0; at < MANY; at += AT_ONCE) {
      const some = Array.from({ length: AT_ONCE }, () =>
        order({ symbol: "BTCUSDT", price: "90000", quantity: "0.001", timeInForce: "IOC" }),
      );
      placed.push(...(await Promise.all(some)).map(({ orderId }) => orderId));
    }
    const first = await call("GET", "/api/v3/allOrders", { symbol: "BTCUSDT", startTime, limit: 5 });
    expect(first[0]).toMatchObject({ orderId: resting.orderId, status: "NEW" });
    const all = await readAll("/api/v3/allOrders", { symbol: "BTCUSDT", orderId: 1, limit: 400 }, ({ orderId }) => ({
      orderId: orderId + 1,
    }));
    // Their slots were reused many times since; their numbers grow all the same.
    const byNumber = (left: number, right: number) => left - right;
    expect(numbers(all)).toEqual(placed.toSorted(byNumber));
    const times = all.map(({ time }) => time);
    expect(times).toEqual(times.toSorted(byNumber));
    const wanted = numbers(all);
    expect(numbers(first)).toEqual(wanted.slice(0, 5));
    const timed = new Set<number>();
    for (let from = startTime; ; ) {
      const page = await call("GET", "/api/v3/allOrders", { symbol: "BTCUSDT", startTime: from, limit: 400 });
      expect(page.map(({ time }: Row) => time)).toEqual(page.map(({ time }: Row) => time).sort());
      for (const orderId of numbers(page)) timed.add(orderId);
      if (page.length < 400) break;
      from = page.at(-1).time;
    }
    expect([...timed]).toEqual(wanted);
    const newest = await call("GET", "/api/v3/allOrders", { symbol: "BTCUSDT", limit: 7 });
    expect(numbers(newest)).toEqual(wanted.slice(-7));
    // A request for what is newer than the last number returns only that.
    const last = wanted.at(-1) ?? 0;
    const since = (orderId: number) => call("GET", "/api/v3/allOrders", { symbol: "BTCUSDT", orderId });
    expect(await since(last + 1)).toEqual([]);
    const fresh: number[] = [];
    for (let at = 0; at < 3; at += 1) {
      const timeInForce = at === 0 ? "GTC" : "IOC";
      fresh.push((await order({ symbol: "BTCUSDT", price: "90000", quantity: "0.001", timeInForce })).orderId);
    }
    expect(Math.min(...fresh)).toBeGreaterThan(Math.max(...wanted));
    expect(numbers(await since(last + 1))).toEqual(fresh);
    expect(numbers(await since(last))).toEqual([last, ...fresh]);
    expect(numbers(await since(fresh[0] ?? 0))).toEqual(fresh);
  });

  test("[BOT-1] trades are reached by number, by time and by their order", async () => {
    const place = (side: string, price: string, quantity: string) =>
      maker.post("/v1/spot/orders", { pairCode: "BTC_USDT", type: "limit", side, price, quantity });
    expect((await maker.faucet("BTC", "5")).status).toBe(200);
    const bought: number[] = [];
    const startTime = server.nowMs();
    for (let at = 0; at < 12; at += 1) {
      expect((await place("sell", "96000", "0.001")).status).toBe(200);
      const { orderId, fills } = await order({ symbol: "BTCUSDT", price: "96000", quantity: "0.001" });
      expect(fills).toHaveLength(1);
      bought.push(orderId);
      server.wait(10);
    }
    const next = ({ id }: Row) => ({ fromId: id + 1 });
    const all = await readAll("/api/v3/myTrades", { symbol: "BTCUSDT", fromId: 0, limit: 5 }, next);
    expect(numbers(all)).toEqual(bought);
    const timed = await call("GET", "/api/v3/myTrades", { symbol: "BTCUSDT", startTime, limit: 3 });
    expect(numbers(timed)).toEqual(bought.slice(0, 3));
    const newest = await call("GET", "/api/v3/myTrades", { symbol: "BTCUSDT", limit: 3 });
    expect(numbers(newest)).toEqual(bought.slice(-3));
    const one = await call("GET", "/api/v3/myTrades", { symbol: "BTCUSDT", orderId: bought[4] ?? 0 });
    expect(numbers(one)).toEqual([bought[4]]);
  });

  test("[BOT-1] lists of orders are reached by number, and one of them by number or by name", async () => {
    const made: number[] = [];
    for (let at = 0; at < 5; at += 1) {
      const list = await call("POST", "/api/v3/orderList/oco", {
        symbol: "BTCUSDT",
        side: "SELL",
        quantity: "0.001",
        aboveType: "LIMIT_MAKER",
        abovePrice: "99000",
        belowType: "STOP_LOSS",
        belowStopPrice: "90000",
        listClientOrderId: `list-${at}`,
      });
      made.push(list.orderListId);
      if (at % 2 !== 0) continue;
      const named = at === 0 ? { orderListId: list.orderListId } : { listClientOrderId: `list-${at}` };
      const ended = await call("DELETE", "/api/v3/orderList", { symbol: "BTCUSDT", ...named });
      expect([ended.listClientOrderId, ended.orderReports.length]).toEqual([`list-${at}`, 2]);
    }
    const next = ({ orderListId }: Row) => ({ fromId: orderListId + 1 });
    const all = await readAll("/api/v3/allOrderList", { fromId: 1, limit: 2 }, next);
    expect(numbers(all, "orderListId")).toEqual([...made].sort((left, right) => left - right));
    const answer = new Map(all.map((list) => [list.orderListId, list]));
    const states = made.map((id) => answer.get(id).listOrderStatus);
    expect(states).toEqual(["ALL_DONE", "EXECUTING", "ALL_DONE", "EXECUTING", "ALL_DONE"]);
    expect(all.map(({ orders }) => orders.length)).toEqual([2, 2, 2, 2, 2]);
    const newest = await call("GET", "/api/v3/allOrderList", { limit: 2 });
    expect(numbers(newest, "orderListId")).toEqual(made.slice(-2));
    const byId = await call("GET", "/api/v3/orderList", { orderListId: made[0] ?? 0 });
    expect(byId).toEqual(answer.get(made[0]));
    expect(await call("GET", "/api/v3/orderList", { origClientOrderId: "list-3" })).toEqual(answer.get(made[3]));
  });

  test("[BOT-1] orders, fills and cash changes of contracts are reached from the first on", async () => {
    await makeBook(maker, "futures");
    const orders: number[] = [];
    for (let at = 0; at < 9; at += 1) {
      const type =
        at % 3 === 0
          ? { type: "LIMIT", timeInForce: "IOC", price: at % 2 === 0 ? "49980" : "50020" }
          : { type: "MARKET" };
      const body = { symbol: "BTCUSDT", side: at % 2 === 0 ? "BUY" : "SELL", quantity: "0.01", ...type };
      orders.push((await call("POST", "/fapi/v1/order", body)).orderId);
    }
    const all = await readAll("/fapi/v1/allOrders", { symbol: "BTCUSDT", orderId: 1, limit: 4 }, ({ orderId }) => ({
      orderId: orderId + 1,
    }));
    expect(numbers(all)).toEqual(orders);
    const traded = new Set(all.filter(({ executedQty }) => executedQty !== "0").map(({ orderId }) => orderId));
    const filled = orders.filter((orderId) => traded.has(orderId));
    expect(filled).toHaveLength(6);
    const next = ({ id }: Row) => ({ fromId: id + 1 });
    const fills = await readAll("/fapi/v1/userTrades", { symbol: "BTCUSDT", fromId: 0, limit: 2 }, next);
    expect(numbers(fills)).toEqual(filled);
    const newest = await call("GET", "/fapi/v1/userTrades", { symbol: "BTCUSDT", limit: 2 });
    expect(numbers(newest)).toEqual(filled.slice(-2));
    const whole = await call("GET", "/fapi/v1/income", { incomeType: "COMMISSION", limit: 1_000 });
    expect(whole.length).toBeGreaterThanOrEqual(filled.length);
    const first = await call("GET", "/fapi/v1/income", { incomeType: "COMMISSION", startTime: 0, limit: 3 });
    expect(first).toEqual(whole.slice(0, 3));
    const last = await call("GET", "/fapi/v1/income", { incomeType: "COMMISSION", limit: 3 });
    expect(last).toEqual(whole.slice(-3));
  });

  test("[BOT-1] both fills of a self-trade are listed once, wherever a page ends", async () => {
    const placed = await trader.post("/v1/spot/orders", {
      pairCode: "BTC_USDT",
      type: "limit",
      side: "sell",
      price: "97000",
      quantity: "0.001",
    });
    const row = await until(() =>
      server.kysely
        ?.$extendTables<{ engine_orders: { order_id: number; account: number; market: number; price_ticks: number } }>()
        .selectFrom("engine_orders")
        .selectAll()
        .where("order_id", "=", Number(placed.data.orderId))
        .executeTakeFirst(),
    );
    const { account, market, price_ticks: price } = row;
    expect((await trader.post("/v1/spot/orders/clear", {})).status).toBe(200);
    // Users' orders never match their own; the core permits it with this flag.
    await server.submit({ kind: "setAccountFlags", account, allowSelfTrade: true });
    for (let turn = 0; turn < 4; turn += 1) {
      for (const side of ["sell", "buy"] as const) {
        const order = { account, market, side, type: "limit", price, quantity: 100, selfTrade: "NONE" } as const;
        await server.submit({ kind: "placeOrder", ...order });
      }
    }
    const read = (parameters: Record<string, string | number>): Promise<Row[]> =>
      call("GET", "/api/v3/myTrades", { symbol: "BTCUSDT", ...parameters });
    const answer = (rows: Row[]) => rows.map(({ id, isBuyer }) => `${id} ${isBuyer}`);
    const met = await read({ limit: 8 });
    const all = answer(met);
    expect([all.length, new Set(all).size]).toEqual([8, 8]);
    for (const limit of [1, 2, 3, 5]) {
      const pages: Row[] = [];
      for (let fromId = met[0].id; ; ) {
        const page = await read({ fromId, limit });
        pages.push(...page);
        if (page.length < limit) break;
        fromId = page.at(-1).id + 1;
      }
      expect([limit, answer(pages)]).toEqual([limit, all]);
    }
    // Our own pages are cut between the two, and continue with the other.
    const fills: string[] = [];
    for (let after: string | null = "0-0"; after !== null; ) {
      const { data } = await trader.get(`/v1/spot/fills?limit=1&fromId=${met[0].id}&after=${after}`);
      for (const { tradeId, side } of data.fills) fills.push(`${tradeId} ${side === "buy"}`);
      after = data.next;
    }
    expect(fills.toSorted()).toEqual(all.toSorted());
  });
});
