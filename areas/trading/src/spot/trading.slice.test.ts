// A program without a browser signs up, receives funds and trades over HTTP; responses match what happened.

import { enterAsOperator } from "@clockwork/identity/accounts/operator-fixture";
import type { Visitor } from "@clockwork/server/process/account-fixture";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { holds, place, startTradingServer, type TradingServer } from "./spot-fixture.ts";

let server: TradingServer;
beforeAll(async () => {
  server = await startTradingServer();
});
afterAll(() => server.close());

const ids = (orders: { orderId: string }[]) => orders.map(({ orderId }) => orderId);
const open = async (visitor: Visitor, state = "open") =>
  (await visitor.get(`/v1/spot/orders?state=${state}`)).data.orders as {
    orderId: string;
    status: string;
    [member: string]: unknown;
  }[];

describe("trading over HTTP", () => {
  test("[OPS-1] an operator sees empty books like a new user, and every order of theirs is rejected", async () => {
    const { operator } = await enterAsOperator(server);
    expect(await operator.get("/v1/spot/balance")).toMatchObject({ status: 200, data: [] });
    expect(await open(operator)).toEqual([]);
    expect((await operator.get("/v1/spot/fee")).status).toBe(200);
    const wallets = { walletTypeList: ["1", "2"] };
    expect((await operator.post("/asset/v1/api/wallet/account", wallets)).status).toBe(200);
    const order = { side: "buy", price: "90000", quantity: "0.001" };
    expect(await place(operator, order)).toMatchObject({ status: 403, code: "ACCOUNT_BLOCKED" });
    expect(await open(operator)).toEqual([]);
  });

  test("[AUTH-7] an ended session cannot trade from that moment, however recently its token was checked", async () => {
    const trader = await server.trader({ USDT: "10000" });
    const order = { side: "buy", price: "90000", quantity: "0.001" };
    const kept = new Map(trader.jar);
    const asBefore = () => {
      for (const [name, value] of kept) trader.jar.set(name, value);
    };
    // The second is known from the first.
    for (let count = 0; count < 2; count++) expect((await place(trader, order)).status).toBe(200);
    // Orders on their way while the session ends are either placed or refused; none follows the answer.
    const onTheWay = Array.from({ length: 20 }, () => place(trader, order));
    const ended = await trader.post("/v2/users/sign-out");
    expect(ended.status).toBe(200);
    asBefore();
    expect(await place(trader, order)).toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
    for (const answer of await Promise.all(onTheWay)) expect([200, 401]).toContain(answer.status);
    asBefore();
    expect(await place(trader, order)).toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
  });

  test("[AUTH-7] an account with anything in a wallet account, or held by an order, is not closed", async () => {
    const close = (visitor: Visitor) => visitor.post("/v2/users/security/close");
    const owner = await server.trader({ USDT: "100" });
    expect(await close(owner)).toMatchObject({ status: 409, code: "ACCOUNT_NOT_EMPTY" });
    const order = await place(owner, { side: "buy", price: "90000", quantity: "0.001" });
    await owner.post("/asset/v1/api/wallet/transfer", {
      asset: "USDT",
      amount: "9",
      from: "1",
      to: "2",
      clientId: "c",
    });
    expect(await close(owner)).toMatchObject({ code: "ACCOUNT_NOT_EMPTY" });
    expect((await owner.get(`/v1/spot/orders/${order.data.orderId}`)).data.status).toBe("NEW");
    expect((await close(await server.trader({}))).status).toBe(200);
  });

  test("[SPOT-2] two people trade: fills, fees, balances and history agree at once", async () => {
    const seller = await server.trader({ BTC: "2" });
    const buyer = await server.trader({ USDT: "200000" });
    const resting = await place(seller, { side: "sell", price: "96000", quantity: "1", clientOrderId: "s-1" });
    expect(resting).toMatchObject({ status: 200, code: 200, data: { status: "NEW", clientOrderId: "s-1" } });
    expect(await holds(seller, "BTC")).toEqual(["1", "1"]);
    const taken = await place(buyer, { side: "BUY", type: "LIMIT", price: "96500", quantity: "0.4" });
    expect(taken.data).toMatchObject({
      status: "FILLED",
      filledQuantity: "0.40000",
      filledAmount: "38400",
      averagePrice: "96000.0",
      isRepeat: false,
    });
    expect(await holds(buyer, "BTC")).toEqual(["0.3996", "0"]);
    expect(await holds(buyer, "USDT")).toEqual(["161600", "0"]);
    expect(await holds(seller, "USDT")).toEqual(["38361.6", "0"]);
    expect(await open(seller)).toMatchObject([
      { orderId: resting.data.orderId, status: "PARTIALLY_FILLED", filledQuantity: "0.40000", quantity: "1.00000" },
    ]);
    const { fills } = (await buyer.get("/v1/spot/fills")).data;
    expect(fills).toMatchObject([
      {
        orderId: taken.data.orderId,
        role: "taker",
        price: "96000.0",
        quantity: "0.40000",
        fee: "0.0004",
        feeAsset: "BTC",
      },
    ]);
    const canceled = await seller.delete(`/v1/spot/orders/${resting.data.orderId}`);
    expect(canceled.data).toMatchObject({ status: "CANCELED", endReason: "USER", filledQuantity: "0.40000" });
    expect(await open(seller)).toEqual([]);
    expect(await holds(seller, "BTC")).toEqual(["1.6", "0"]);
    expect(await open(seller, "history")).toMatchObject([{ orderId: resting.data.orderId, status: "CANCELED" }]);
    expect((await seller.get(`/v1/spot/orders/${resting.data.orderId}`)).data.status).toBe("CANCELED");
    expect((await buyer.get(`/v1/spot/orders/${resting.data.orderId}`)).status).toBe(404);
    expect((await buyer.get("/v1/spot/fee")).data).toEqual({ level: 0, makerRate: "0.001", takerRate: "0.001" });
  });

  test("[SPOT-2] a repeated client order id returns the first order and does nothing", async () => {
    const buyer = await server.trader({ USDT: "100000" });
    const order = { side: "buy", price: "60000", quantity: "0.01", clientOrderId: "again" };
    const first = await place(buyer, order);
    const second = await place(buyer, order);
    expect(second.data).toMatchObject({ orderId: first.data.orderId, isRepeat: true, sequence: first.data.sequence });
    expect(await open(buyer)).toHaveLength(1);
    const other = await place(buyer, { ...order, quantity: "0.02" });
    expect(other).toMatchObject({ status: 409, code: "DUPLICATE_CLIENT_ORDER_ID" });
    expect(other.fields).toHaveProperty(["body.clientOrderId"]);
  });

  test("[SPOT-2] every kind of order is accepted, listed where it belongs and ended by clear", async () => {
    const maker = await server.trader({ BTC: "5", USDT: "900000" });
    const trader = await server.trader({ BTC: "5", USDT: "900000" });
    await place(maker, { side: "sell", price: "96000", quantity: "1" });
    await place(maker, { side: "buy", price: "95000", quantity: "1" });
    // A trade, so that there is a last price.
    await place(trader, { side: "buy", price: "96000", quantity: "0.001" });
    const kinds: Record<string, Record<string, unknown>> = {
      iceberg: { side: "buy", price: "90000", quantity: "0.1", visibleQuantity: "0.01" },
      postOnly: { side: "buy", price: "90000", quantity: "0.01", postOnly: true },
      reprice: { side: "buy", price: "97000", quantity: "0.01", postOnly: "reprice" },
      gtd: {
        side: "buy",
        price: "90000",
        quantity: "0.01",
        timeInForce: "GTD",
        expiresAtMs: server.nowMs() + 3_600_000,
      },
      stopLimit: { side: "sell", type: "stopLimit", stopPrice: "92000", price: "91900", quantity: "0.01" },
      stopMarket: { side: "buy", type: "stopMarket", stopPrice: "99000", quantity: "0.01" },
      trailing: { side: "sell", type: "trailingStop", callbackPercent: "1.5", quantity: "0.01" },
      oco: { side: "sell", type: "oco", price: "99000", stopPrice: "93000", quantity: "0.01" },
      bracket: { side: "buy", price: "90000", quantity: "0.01", takeProfitPrice: "99000", stopLossPrice: "85000" },
      twap: { side: "buy", type: "twap", price: "90000", quantity: "0.1", durationSeconds: 3600, intervalSeconds: 300 },
      scaled: { side: "buy", type: "scaled", price: "90000", priceTo: "91000", count: 5, quantity: "0.05" },
    };
    const answers: Record<string, Awaited<ReturnType<typeof place>>> = {};
    for (const [name, order] of Object.entries(kinds))
      answers[name] = await place(trader, { ...order, clientOrderId: name });
    for (const [name, { status, message }] of Object.entries(answers))
      expect([name, status, message]).toEqual([name, 200, "success"]);
    expect(answers.scaled?.data.orderIds).toHaveLength(4);
    expect(answers.oco?.data.orderIds).toHaveLength(1);
    const plans = await open(trader, "plan");
    expect(plans.map(({ type }) => type).sort()).toEqual([
      "stopLimit",
      "stopMarket",
      "stopMarket",
      "trailingStop",
      "twap",
    ]);
    expect(await open(trader)).toHaveLength(4 + 1 + 1 + 5);
    const byId = new Map([...(await open(trader)), ...plans].map((order) => [order.clientOrderId, order]));
    expect(byId.get("iceberg")).toMatchObject({ isIceberg: true, price: "90000.0", quantity: "0.10000" });
    expect(byId.get("reprice")).toMatchObject({ postOnly: true, price: "95999.9" });
    expect(byId.get("gtd")).toMatchObject({ timeInForce: "GTD" });
    expect(byId.get("stopLimit")).toMatchObject({
      status: "PENDING_TRIGGER",
      stopPrice: "92000.0",
      triggerDirection: "falls",
    });
    expect(byId.get("trailing")).toMatchObject({ callbackPercent: "1.5" });
    // Exits are known before anything has filled.
    const exits = { takeProfitPrice: "99000.0", stopLossPrice: "85000.0", stopLossLimitPrice: null };
    expect(byId.get("bracket")).toMatchObject({ listLeg: "entry", ...exits });
    expect(byId.get("gtd")).toMatchObject({ takeProfitPrice: null, stopLossPrice: null, stopLossLimitPrice: null });
    const result = (await trader.get(`/v1/spot/orders/${answers.bracket?.data.orderId}`)).data;
    expect(result).toMatchObject(exits);
    expect((await trader.get("/v1/spot/position-limit?pairCode=BTC_USDT")).data).toMatchObject({
      openOrders: 11,
      plans: 5,
    });
    const again = await place(trader, { ...kinds.scaled, clientOrderId: "scaled" });
    expect(again.data).toMatchObject({ orderId: answers.scaled?.data.orderId, isRepeat: true });
    expect((await trader.post("/v1/spot/orders/clear", { pairCode: "BTC_USDT" })).data).toEqual({ canceled: 16 });
    expect([await open(trader), await open(trader, "plan")]).toEqual([[], []]);
    expect((await holds(trader, "USDT"))[1]).toBe("0");
    expect((await holds(trader, "BTC"))[1]).toBe("0");
    const { bandPrice } = (await trader.get("/v1/spot/quotations")).data.find(
      (one: { pairCode: string }) => one.pairCode === "BTC_USDT",
    );
    expect(bandPrice).toBe("96000.0");
    // A fifth above the average is the highest bid: the published price is the one the core checks against.
    const bid = (price: string) => place(trader, { side: "buy", price, quantity: "0.001", postOnly: "reprice" });
    expect(await bid("115200.1")).toMatchObject({ status: 422, code: "PRICE_TOO_HIGH" });
    expect((await bid("115200")).status).toBe(200);
    await trader.post("/v1/spot/orders/clear", {});
    await maker.post("/v1/spot/orders/clear", {});
  });

  test("[SPOT-2] market orders by base and by amount, IOC, FOK, batch and amend", async () => {
    const maker = await server.trader({ BTC: "5" });
    const trader = await server.trader({ USDT: "500000" });
    const first = await place(maker, { side: "sell", price: "96000", quantity: "1" });
    const bought = await place(trader, { side: "buy", type: "market", quantity: "0.1" });
    expect(bought.data).toMatchObject({ status: "FILLED", filledAmount: "9600" });
    const spent = await place(trader, { side: "buy", type: "market", amount: "1000" });
    expect(spent.data).toMatchObject({ status: "FILLED", filledQuantity: "0.01041", filledAmount: "999.36" });
    const killed = await place(trader, { side: "buy", price: "96000", quantity: "3", timeInForce: "FOK" });
    expect(killed.data).toMatchObject({ status: "EXPIRED", endReason: "FOK_UNFILLED", filledQuantity: "0.00000" });
    const part = await place(trader, { side: "buy", price: "96000", quantity: "1", timeInForce: "IOC" });
    expect(part.data).toMatchObject({ status: "EXPIRED", endReason: "IOC_REST", filledQuantity: "0.88959" });
    expect((await maker.get(`/v1/spot/orders/${first.data.orderId}`)).data.status).toBe("FILLED");
    const batch = await trader.post("/v1/spot/orders/batch", {
      orders: [
        { pairCode: "BTC_USDT", side: "buy", type: "limit", price: "80000", quantity: "0.1" },
        { pairCode: "BTC_USDT", side: "buy", type: "limit", price: "80000.05", quantity: "0.1" },
        { pairCode: "BTC_USDT", side: "buy", type: "limit", price: "81000", quantity: "0.1" },
      ],
    });
    expect(batch.data).toMatchObject([{ code: null }, { order: null, code: "INVALID_PRICE" }, { code: null }]);
    expect((await open(trader)).map(({ price }) => price)).toEqual(["81000.0", "80000.0"]);
    const { orderId } = batch.data[0].order;
    const amended = await trader.patch(`/v1/spot/orders/${orderId}`, { price: "82000", quantity: "0.05" });
    expect(amended.data).toMatchObject({ orderId, price: "82000.0", quantity: "0.05000", status: "NEW" });
    expect(await trader.patch(`/v1/spot/orders/${orderId}`, { quantity: "0.05" })).toMatchObject({
      status: 409,
      code: "AMEND_NO_CHANGE",
    });
    expect(await trader.patch(`/v1/spot/orders/${orderId}`, {})).toMatchObject({ status: 400, code: "INVALID_ORDER" });
    const set = await trader.post("/v1/spot/orders/cancel-after", { timeoutSeconds: 300 });
    expect(set.data.firesAtMs).toBeGreaterThan(0);
    expect((await trader.post("/v1/spot/orders/cancel-after", { timeoutSeconds: 0 })).data).toEqual({
      firesAtMs: null,
    });
    // Plans are excluded when the caller requests it.
    await place(trader, { side: "buy", type: "stopLimit", stopPrice: "99000", price: "99100", quantity: "0.01" });
    expect((await trader.post("/v1/spot/orders/clear", { plans: false })).data).toEqual({ canceled: 2 });
    expect(await open(trader, "plan")).toHaveLength(1);
    expect((await trader.post("/v1/spot/orders/clear", {})).data).toEqual({ canceled: 1 });
  });

  test("[PLAN-1] plans change in place, both legs of an OCO at once, and the lists show the follow-up orders and due times", async () => {
    const maker = await server.trader({ BTC: "5" });
    const trader = await server.trader({ BTC: "1", USDT: "500000" });
    const trade = async (price: string) => {
      await place(maker, { side: "sell", price, quantity: "0.001" });
      await place(trader, { side: "buy", price, quantity: "0.001" });
    };
    const change = (orderId: string, body: object) => trader.patch(`/v1/spot/orders/${orderId}`, body);
    await trade("96000");
    const stop = await place(trader, { side: "sell", type: "stopMarket", stopPrice: "90000", quantity: "0.1" });
    const { orderId } = stop.data;
    expect((await change(orderId, { stopPrice: "91000", quantity: "0.2" })).data).toMatchObject({
      orderId,
      stopPrice: "91000.0",
      quantity: "0.20000",
      status: "PENDING_TRIGGER",
    });
    expect(await change(orderId, { stopPrice: "97000" })).toMatchObject({ status: 422, code: "TRIGGER_ALREADY_TRUE" });
    expect(await change(orderId, { price: "90000" })).toMatchObject({ code: "INVALID_COMBINATION" });
    expect(await change(orderId, { quantity: "2" })).toMatchObject({ code: "INSUFFICIENT_BALANCE" });
    expect(await change(orderId, { amount: "5" })).toMatchObject({ status: 400, code: "INVALID_QUANTITY" });
    expect((await open(trader, "plan"))[0]).toMatchObject({ stopPrice: "91000.0", quantity: "0.20000" });
    const trail = { side: "sell", type: "trailingStop", callbackPercent: "5", quantity: "0.01" };
    const trailing = (await place(trader, trail)).data.orderId;
    const read = async (id: string) => (await trader.get(`/v1/spot/orders/${id}`)).data;
    expect(await read(trailing)).toMatchObject({ callbackPercent: "5", currentTrigger: "91200.0" });
    await trade("97000");
    expect(await read(trailing)).toMatchObject({ currentTrigger: "92150.0" });
    expect((await change(trailing, { callbackPercent: "2" })).data).toMatchObject({ currentTrigger: "95060.0" });
    const legs = { side: "sell", type: "oco", price: "99000", stopPrice: "94000", quantity: "0.05" };
    const oco = await place(trader, legs);
    const stopLeg = (await open(trader, "plan")).find(({ listLeg }) => listLeg === "stop");
    await change(stopLeg?.orderId ?? "", { stopPrice: "94500", quantity: "0.06" });
    await change(oco.data.orderId, { price: "98500" });
    expect(await read(oco.data.orderId)).toMatchObject({ price: "98500.0", quantity: "0.06000", listLeg: "profit" });
    expect(await read(stopLeg?.orderId ?? "")).toMatchObject({ stopPrice: "94500.0", quantity: "0.06000" });
    const slicer = {
      side: "buy",
      type: "twap",
      price: "97100",
      quantity: "0.06",
      durationSeconds: 300,
      intervalSeconds: 60,
    };
    await place(maker, { side: "sell", price: "97000", quantity: "0.5" });
    const twap = await place(trader, slicer);
    const parent = await read(twap.data.orderId);
    expect(parent.schedule).toMatchObject({ count: 5, intervalSeconds: 60 });
    // The first slice ran at once: it names its order, whose average is that of its slices.
    const past = (await trader.get("/v1/spot/orders?state=history")).data.orders as (typeof parent)[];
    const slice = past.find((order) => order.slice?.twapId === twap.data.orderId);
    expect(slice).toMatchObject({ slice: { number: 1 }, filledQuantity: parent.filledQuantity });
    expect([parent.averagePrice, parent.filledAmount]).toEqual([slice?.averagePrice, slice?.filledAmount]);
    expect(Number(slice?.filledQuantity)).toBeGreaterThan(0);
    expect(await change(twap.data.orderId, { quantity: "0.1" })).toMatchObject({ code: "AMEND_NOT_ALLOWED" });
    await trader.post("/v1/spot/orders/clear", {});
    await maker.post("/v1/spot/orders/clear", {});
  });

  test("[SPOT-3] history and fills are paged without losing or repeating a row", async () => {
    const maker = await server.trader({ BTC: "5" });
    const trader = await server.trader({ USDT: "900000" });
    await place(maker, { side: "sell", type: "scaled", price: "95000", priceTo: "95010", count: 10, quantity: "0.01" });
    await place(trader, { side: "buy", price: "95010", quantity: "0.01" });
    const scaled = { side: "buy", type: "scaled", price: "80000", priceTo: "80010", count: 7, quantity: "0.007" };
    await place(trader, scaled);
    await trader.post("/v1/spot/orders/clear", {});
    for (const [path, list, total] of [
      ["/v1/spot/orders?state=history&limit=3", "orders", 8],
      ["/v1/spot/fills?limit=3", "fills", 10],
    ] as const) {
      const seen: string[] = [];
      for (let next: string | null = ""; next !== null; ) {
        const { data }: { data: Record<string, unknown> } = await trader.get(
          next === "" ? path : `${path}&before=${next}`,
        );
        for (const row of data[list] as { orderId: string; tradeId?: number }[])
          seen.push(`${row.orderId}:${row.tradeId ?? ""}`);
        next = data.next as string | null;
      }
      expect([path, seen.length, new Set(seen).size]).toEqual([path, total, total]);
    }
    expect(ids((await trader.get("/v1/spot/orders?state=history&side=sell")).data.orders)).toEqual([]);
  });
});

describe("wallet", () => {
  test("[WAL-1] an amount moves between accounts once per client id, and its bills say so", async () => {
    const owner = await server.trader({ USDT: "1000" });
    const move = { asset: "USDT", amount: "250.5", from: "1", to: "2", clientId: "move-1" };
    const first = await owner.post("/asset/v1/api/wallet/transfer", move);
    const second = await owner.post("/asset/v1/api/wallet/transfer", move);
    expect([first.code, second.data]).toEqual([200, first.data]);
    const { data, code } = await owner.post("/asset/v1/api/wallet/account", { walletTypeList: ["1", "2"] });
    expect(code).toBe(200);
    expect(data.totalUsdt).toBe("1000");
    expect(data.accounts).toMatchObject([
      { walletType: "1", assets: [{ asset: "USDT", available: "749.5" }] },
      { walletType: "2", assets: [{ asset: "USDT", available: "250.5" }] },
    ]);
    const { bills } = (await owner.get("/asset/v1/api/wallet/bills")).data;
    expect(bills).toMatchObject([
      { walletType: "2", business: "transfer", change: "250.5", balance: "250.5" },
      { walletType: "1", business: "transfer", change: "-250.5", balance: "749.5" },
      { walletType: "1", business: "faucet", change: "1000", balance: "1000" },
    ]);
    const found = async (query: string) =>
      ((await owner.get(`/asset/v1/api/wallet/bills?${query}`)).data.bills as { business: string }[]).map(
        ({ business }) => business,
      );
    expect(await found("business=faucet,transfer")).toEqual(["transfer", "transfer", "faucet"]);
    expect(await found("business=deposit,faucet")).toEqual(["faucet"]);
    expect(await found("search=MOVE-1")).toEqual(["transfer", "transfer"]);
    expect(await found("search=ove-1&walletType=2")).toEqual(["transfer"]);
    expect(await found("search=move-2")).toEqual([]);
    // By number: every bill on one page of them, and how many there are.
    const page = async (query: string) => {
      const result = (await owner.get(`/asset/v1/api/wallet/bills?${query}`)).data as {
        bills: unknown[];
        total: number;
      };
      return [result.bills.length, result.total];
    };
    expect(await page("page=1&limit=2")).toEqual([2, 3]);
    expect(await page("page=2&limit=2")).toEqual([1, 3]);
    expect(await page("page=3&limit=2")).toEqual([0, 3]);
    expect(await page("page=10000&limit=200")).toEqual([0, 3]);
    expect(await page("page=1&business=faucet")).toEqual([1, 1]);
    expect(await page("page=1&least=250.5")).toEqual([3, 3]);
    expect(await page("page=1&least=250.500001")).toEqual([1, 1]);
    expect((await owner.get("/asset/v1/api/wallet/bills")).data.total).toBeNull();
    expect((await owner.get("/asset/v1/api/wallet/bills?page=0")).status).toBe(400);
    const reused = await owner.post("/asset/v1/api/wallet/transfer", { ...move, amount: "1" });
    expect(reused).toMatchObject({ status: 409, code: "REFERENCE_REUSED" });
    const much = await owner.post("/asset/v1/api/wallet/transfer", { ...move, amount: "750", clientId: "move-2" });
    expect(much).toMatchObject({ status: 422, code: "INSUFFICIENT_BALANCE" });
    expect(much.message).toContain("749.5");
  });

  test("[WAL-1] two people's transfers under the same UUID are two transfers, and another UUID is another", async () => {
    const move = { asset: "USDT", amount: "1", from: "1", to: "2", clientId: "3b241101-e2bb-4255-8caf-4136c566a962" };
    for (const owner of [await server.trader({ USDT: "10" }), await server.trader({ USDT: "10" })]) {
      for (let press = 0; press < 2; press += 1) {
        expect(await owner.post("/asset/v1/api/wallet/transfer", move)).toMatchObject({ status: 200 });
        expect(await holds(owner, "USDT")).toEqual(["9", "0"]);
      }
      const next = { ...move, clientId: move.clientId.replace("62", "63") };
      expect(await owner.post("/asset/v1/api/wallet/transfer", next)).toMatchObject({ status: 200 });
      expect(await holds(owner, "USDT")).toEqual(["8", "0"]);
    }
  });

  test("[WAL-1] the faucet gives once per client id", async () => {
    const both = [await server.trader(), await server.trader()];
    for (const owner of both) {
      for (let press = 0; press < 2; press += 1) {
        expect((await owner.faucet("USDT", "5", "one-press")).data).toMatchObject({ amount: "5", available: "5" });
      }
      expect(await owner.faucet("USDT", "6", "one-press")).toMatchObject({ code: "REFERENCE_REUSED" });
    }
  });

  test("[WAL-1] the faucet gives a limited amount of a coin a day", async () => {
    const owner = await server.trader();
    const most = () => owner.faucet("USDT", "999999", "all-of-it");
    expect((await most()).data).toEqual({ asset: "USDT", amount: "999999", available: "999999" });
    // Repeated because the response was lost: paid once, and answered so, not that nothing is left.
    expect((await most()).data).toEqual({ asset: "USDT", amount: "999999", available: "999999" });
    const both = await Promise.all([owner.faucet("USDT", "1"), owner.faucet("USDT", "1")]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 429]);
    expect(await owner.faucet("NONE", "1")).toMatchObject({ status: 404, code: "UNKNOWN_ASSET" });
    expect(await owner.faucet("USDT", "0.0000001")).toMatchObject({ status: 400, code: "INVALID_AMOUNT" });
  });
});
