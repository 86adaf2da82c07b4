// Futures over the network: orders, positions, settings, closes, stops, bills and history of both kinds of contracts
// and of demo, as returned to their owner.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { accountOf, type FuturesServer, meet, order, positionsOf, startFuturesServer } from "./futures-fixture.ts";

let server: FuturesServer;
beforeAll(async () => {
  server = await startFuturesServer();
});
afterEach(() => server.sweep());
afterAll(() => server.close());

const LONG = { price: "50000", quantity: "1" };

describe("linear positions", () => {
  test("[FUT-1] without identity level 1 nothing opens; with it the same order passes", async () => {
    const visitor = await server.trader({ USDT: "100" });
    const refused = await order(visitor, { ...LONG, side: "buy" });
    expect([refused.status, refused.code]).toEqual([403, "IDENTITY_REQUIRED"]);
    expect((await visitor.dev("/identity", { level: 1 })).data).toEqual({ level: 1 });
    expect((await order(visitor, { ...LONG, side: "buy" })).code).toBe("INSUFFICIENT_MARGIN");
  });

  test("[FUT-2] an isolated long at 20 times has the liquidation and bankruptcy prices of the rules", async () => {
    const [alice, bob] = [await server.player("10000"), await server.player("100000")];
    const mode = { pairCode: "BTC_USDT", mode: "isolated" };
    expect((await alice.futures("/v1/futuresc/positions/margin-mode", mode)).data.mode).toBe("isolated");
    await meet(alice, bob, LONG);
    const [position] = await positionsOf(alice);
    expect(position).toMatchObject({
      side: "long",
      positionSide: "both",
      quantity: "1.000",
      entryPrice: "50000.0",
      markPrice: "50000.0",
      liquidationPrice: "47719.50974",
      bankruptcyPrice: "47528.51711",
      margin: "2500",
      maintenanceMargin: "200",
      unrealizedPnl: "0",
      fee: "-30",
      roe: "0.0000",
      leverage: 20,
      mode: "isolated",
      walletType: "3",
      biz: "futures",
      stops: [],
    });
    const [short] = await positionsOf(bob);
    expect([short.side, short.mode, short.marginRatio]).toEqual([
      "short",
      "cross",
      expect.stringMatching(/^0\.\d{4}$/),
    ]);
    await server.mark(server.linear, 510_000);
    const [later] = await positionsOf(alice);
    expect([later.unrealizedPnl, later.roe, later.markPrice]).toEqual(["1000", "0.4000", "51000.0"]);
    await server.mark(server.linear, 500_000);
    await alice.futures("/v1/futuresc/positions/close-all", {});
  });

  test("[FUT-2] margin and a part closed under one clientId count once", async () => {
    const [alice, bob] = [await server.player("10000"), await server.player("100000")];
    await alice.futures("/v1/futuresc/positions/margin-mode", { pairCode: "BTC_USDT", mode: "isolated" });
    await meet(alice, bob, LONG);
    await order(bob, { side: "buy", ...LONG });
    const [{ positionId }] = await positionsOf(alice);
    const twice = async (what: string, body: object) => {
      const send = () => alice.futures(`/v1/futuresc/positions/${what}`, { positionId, clientId: "one", ...body });
      return [await send(), await send()].map(({ data }) => data);
    };
    expect((await twice("margin", { amount: "500" })).map(({ margin }) => margin)).toEqual(["3000", "3000"]);
    const closes = await twice("close", { quantity: "0.5" });
    expect(closes.map(({ closedQuantity, isRepeated }) => [closedQuantity, isRepeated])).toEqual([
      ["0.500", false],
      ["0.000", true],
    ]);
    expect((await positionsOf(alice))[0].quantity).toBe("0.500");
    await alice.futures("/v1/futuresc/positions/close-all", {});
  });

  test("[FUT-2] margin is added and removed; leverage rescales; both return the position", async () => {
    const [alice, bob] = [await server.player("10000"), await server.player("100000")];
    await alice.futures("/v1/futuresc/positions/margin-mode", { pairCode: "BTC_USDT", mode: "isolated" });
    await meet(alice, bob, LONG);
    const [{ positionId }] = await positionsOf(alice);
    const change = (amount: string) => alice.futures("/v1/futuresc/positions/margin", { positionId, amount });
    expect((await change("500")).data.margin).toBe("3000");
    expect((await change("-400")).data.margin).toBe("2600");
    const refused = await change("-200");
    expect([refused.code, refused.message]).toEqual([
      "INSUFFICIENT_MARGIN",
      "At least 2500 USDT must stay: the initial margin.",
    ]);
    expect((await change("99999")).fields).toHaveProperty(["body.amount"]);
    const set = await alice.futures("/v1/futuresc/positions/leverage", { pairCode: "BTC_USDT", leverage: 10 });
    expect([set.data.leverageLong, set.data.leverageShort]).toEqual([10, 10]);
    expect((await positionsOf(alice))[0]).toMatchObject({ leverage: 10, margin: "5000" });
    const high = await alice.futures("/v1/futuresc/positions/leverage", { pairCode: "BTC_USDT", leverage: 126 });
    expect([high.code, high.message]).toEqual(["INVALID_LEVERAGE", "Leverage may be 1 to 125 here."]);
  });

  test("[FUT-2] a close cuts to the position, a reversal turns it, history and bills list both", async () => {
    const [alice, bob] = [await server.player("10000"), await server.player("100000")];
    await meet(alice, bob, LONG);
    const [{ positionId }] = await positionsOf(alice);
    await order(bob, { side: "buy", price: "50010", quantity: "3" });
    const part = await alice.futures("/v1/futuresc/positions/close", { positionId, quantity: "0.4" });
    expect(part.data).toMatchObject({
      closedQuantity: "0.400",
      averagePrice: "50010.0",
      realizedPnl: "4",
      refusal: null,
    });
    expect(part.data.position.quantity).toBe("0.600");
    const turned = await alice.futures("/v1/futuresc/positions/reverse", { positionId });
    expect(turned.data).toMatchObject({ closedQuantity: "0.600", refusal: null });
    expect(turned.data.position).toMatchObject({ side: "short", quantity: "0.600" });
    const history = await alice.futures("/v1/futuresc/positions/history");
    expect(history.data.positions).toMatchObject([
      { positionId, side: "long", endedBy: "close", maxQuantity: "1.000", closePrice: "50010.0", realizedPnl: "10" },
    ]);
    const bills = (await alice.futures("/v1/futuresc/bills")).data.bills;
    expect(bills.map(({ type }: { type: string }) => type)).toEqual([
      "OPEN_FEE",
      "CLOSE_FEE",
      "REALIZED",
      "CLOSE_FEE",
      "REALIZED",
      "OPEN_FEE",
      "TRANSFER",
    ]);
    const sum = bills.reduce((total: number, { change }: { change: string }) => total + Number(change), 0);
    expect(sum.toFixed(6)).toBe(Number((await accountOf(alice)).balance).toFixed(6));
    const fills = (await alice.futures("/v1/futuresc/fills")).data.fills;
    expect(fills.map(({ realizedPnl }: { realizedPnl: string }) => realizedPnl)).toEqual(["0", "6", "4", "0"]);
  });

  test("[FUT-2] two concurrent closes never flip, and a close of an ended position is unknown", async () => {
    const [alice, bob] = [await server.player("10000"), await server.player("100000")];
    await meet(alice, bob, LONG);
    await order(bob, { side: "buy", price: "50000", quantity: "5" });
    const [{ positionId }] = await positionsOf(alice);
    const closes = await Promise.all(
      Array.from({ length: 8 }, () => alice.futures("/v1/futuresc/positions/close", { positionId })),
    );
    expect(closes.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(closes.filter(({ status }) => status !== 200).map(({ code }) => code))).toEqual(
      new Set(["UNKNOWN_POSITION"]),
    );
    expect(await positionsOf(alice)).toEqual([]);
  });

  test("[FUT-2] reduce-only never opens: without a position it is refused, with one it is cut", async () => {
    const [alice, bob] = [await server.player("10000"), await server.player("100000")];
    const reduce = { side: "sell", price: "50000", quantity: "2", reduceOnly: true };
    expect((await order(alice, reduce)).code).toBe("REDUCE_ONLY_REJECTED");
    await meet(alice, bob, LONG);
    expect((await order(alice, { ...reduce, price: "50100" })).status).toBe(200);
    const open = (await alice.futures("/v1/futuresc/orders?state=open")).data.orders;
    expect(open).toMatchObject([{ quantity: "1.000", reduceOnly: true, status: "NEW" }]);
    await order(bob, { side: "buy", price: "50100", quantity: "3" });
    expect(await positionsOf(alice)).toEqual([]);
    expect((await alice.futures("/v1/futuresc/orders?state=open")).data.orders).toEqual([]);
  });

  test("[FUT-2] stops of a position are listed with it, replaced as a whole, and end with it", async () => {
    const [alice, bob] = [await server.player("10000"), await server.player("100000")];
    await meet(alice, bob, LONG);
    const [{ positionId }] = await positionsOf(alice);
    const stop = (body: object) => alice.futures("/v1/futuresc/positions/stop", { positionId, ...body });
    const set = await stop({ profit: { triggerPrice: "51000" }, loss: { triggerPrice: "49500" } });
    expect(set.data.stops).toMatchObject([
      { kind: "profit", isWhole: true, triggerPrice: "51000.0", price: null, quantity: "1.000" },
      { kind: "loss", isWhole: true, triggerPrice: "49500.0" },
    ]);
    expect(set.data.stops[0].pairId).toBe(set.data.stops[1].orderId);
    const part = { quantity: "0.5", profit: { triggerPrice: "51500", price: "51400" } };
    expect((await stop(part)).data.stops).toHaveLength(3);
    const replaced = await stop({ trailing: { trailBps: 100, activation: "50500" } });
    expect(replaced.data.stops.map(({ kind }: { kind: string }) => kind)).toEqual(["profit", "trailing"]);
    const reached = await stop({ profit: { triggerPrice: "49000" } });
    expect([reached.code, Object.keys(reached.fields ?? {})]).toEqual(["TRIGGER_ALREADY_TRUE", ["body.profit"]]);
    expect((await alice.futures("/v1/futuresc/orders?state=plan")).data.orders).toMatchObject([
      { positionId, isWhole: true },
      { positionId, isWhole: false },
    ]);
    await order(bob, { side: "buy", price: "50000", quantity: "1" });
    await alice.futures("/v1/futuresc/positions/close", { positionId });
    expect((await alice.futures("/v1/futuresc/orders?state=plan")).data.orders).toEqual([]);
  });
});

describe("open orders", () => {
  test("[FUT-1] a price or quantity is amended in place; an invalid one is refused and nothing changes", async () => {
    const alice = await server.player("10000");
    const placed = await order(alice, { side: "buy", price: "49000", quantity: "1" });
    const patch = (body: object) => alice.futures(`/v1/futuresc/orders/${placed.data.orderId}`, body, "PATCH");
    expect((await patch({ price: "49100.0" })).data).toMatchObject({
      price: "49100.0",
      quantity: "1.000",
      status: "NEW",
    });
    expect((await patch({ quantity: "0.6" })).data).toMatchObject({ price: "49100.0", quantity: "0.600" });
    for (const [body, code] of [
      [{ price: "49100.05" }, "INVALID_PRICE"],
      [{ quantity: "0.0001" }, "INVALID_QUANTITY"],
      [{ quantity: "900" }, "POSITION_LIMIT"],
      [{ quantity: "90" }, "INSUFFICIENT_MARGIN"],
      [{ price: "49100" }, "AMEND_NO_CHANGE"],
      [{ price: "49000", stopPrice: "48000" }, "INVALID_COMBINATION"],
      [{ stopPrice: "48000" }, "AMEND_NOT_ALLOWED"],
      [{}, "INVALID_ORDER"],
    ] as const)
      expect([body, (await patch(body)).code]).toEqual([body, code]);
    const outsider = await server.player("100");
    const other = await outsider.futures(`/v1/futuresc/orders/${placed.data.orderId}`, { price: "49200" }, "PATCH");
    expect([other.status, other.code]).toEqual([404, "UNKNOWN_ORDER"]);
    expect((await alice.futures("/v1/futuresc/orders?state=open")).data.orders).toMatchObject([
      { orderId: placed.data.orderId, price: "49100.0", quantity: "0.600" },
    ]);
  });

  test("[FUT-1] clearing ends everything, all but the stops, or only what rests in the book", async () => {
    const [alice, bob] = [await server.player("100000"), await server.player("100000")];
    await meet(alice, bob, LONG);
    const [{ positionId }] = await positionsOf(alice);
    await alice.futures("/v1/futuresc/positions/stop", { positionId, loss: { triggerPrice: "49000" } });
    const lay = async () => {
      await order(alice, { side: "buy", price: "48000", quantity: "0.1" });
      await order(alice, { side: "buy", type: "stopMarket", stopPrice: "52000", quantity: "0.1" });
    };
    const clear = async (body: object) => (await alice.futures("/v1/futuresc/orders/clear", body)).data.canceled;
    const left = async () => {
      const lists = await Promise.all(
        ["open", "plan"].map(async (state) => (await alice.futures(`/v1/futuresc/orders?state=${state}`)).data.orders),
      );
      return lists.map((list) => list.length);
    };
    await lay();
    expect([await clear({ plans: false }), await left()]).toEqual([1, [0, 2]]);
    await order(alice, { side: "buy", price: "48000", quantity: "0.1" });
    expect([await clear({ keepStops: true }), await left()]).toEqual([2, [0, 1]]);
    expect((await positionsOf(alice))[0].stops).toHaveLength(1);
    await lay();
    expect([await clear({}), await left()]).toEqual([3, [0, 0]]);
  });

  test("[DLV-1] a transfer may name the inverse account's coin; another coin's account is refused", async () => {
    const visitor = await server.trader({ BTC: "1" });
    const move = (body: object) =>
      visitor.post("/asset/v1/api/wallet/transfer", { asset: "BTC", amount: "0.2", from: "1", to: "4", ...body });
    expect((await move({ sub: "BTC", clientId: "sub-1" })).status).toBe(200);
    expect((await move({ sub: "ETH", clientId: "sub-2" })).code).toBe("INVALID_SUB");
    expect((await move({ sub: "BTC", to: "2", clientId: "sub-3" })).code).toBe("INVALID_SUB");
    expect(await accountOf(visitor, "delivery")).toMatchObject({ asset: "BTC", sub: "BTC", balance: "0.2" });
  });
});

describe("public data", () => {
  test("[FUT-1] an index lists its sources with their weights, and both sides of a contract are counted", async () => {
    const market = await server.marketOf("BTC_USD");
    for (const [source, price] of [
      [0, 500_000],
      [1, 500_100],
      [2, 540_000],
    ] as const)
      await server.submit({ kind: "setIndexPrice", market, source, price });
    const visitor = await server.trader();
    const read = (call: string, pairCode: string) =>
      visitor.futures(`/v1/futuresc/${call}?biz=delivery&pairCode=${pairCode}`);
    expect((await read("index-sources", "BTC_USD")).data).toMatchObject({
      pairCode: "BTC_USD",
      isDegraded: false,
      sources: [
        { name: "Source 1", price: "50000.0", weight: "0.5", state: "live" },
        { name: "Source 2", price: "50010.0", weight: "0.5", state: "live" },
        { name: "Source 3", price: "54000.0", weight: "0", state: "outlier" },
      ],
    });
    expect((await read("index-sources", "AAA_USD")).code).toBe("UNKNOWN_MARKET");
    // Nothing was traded here and no rate was settled: of the three inputs only the index counts.
    const { index, mark, premium } = (await read("index-sources", "ETH_USD")).data;
    expect(mark).toEqual(index === null ? null : { byFunding: index, byBook: null, last: null, clamp: "0.03" });
    expect(premium).toMatchObject({ notional: "25000", impactBid: null, impactAsk: null });
    expect((await read("long-short", "ETH_USD")).data).toEqual({
      pairCode: "ETH_USD",
      longAccounts: 0,
      shortAccounts: 0,
      ratio: null,
      longQuantity: "0",
      shortQuantity: "0",
    });
    await server.mark(server.inverse, 500_000);
  });
});

describe("modes", () => {
  test("[FUT-2] hedge mode holds both sides; mode and layout change only when flat and without orders", async () => {
    const [alice, bob] = [await server.player("100000"), await server.player("100000")];
    const set = (path: string, body: object) => alice.futures(`/v1/futuresc/positions/${path}`, body);
    expect((await set("layout", { layout: "split" })).code).toBe("SPLIT_NEEDS_HEDGE");
    expect((await set("mode", { mode: "hedge" })).data).toEqual({ positionMode: "hedge", layout: "merge" });
    await order(bob, { ...LONG, side: "sell" });
    expect((await order(alice, { ...LONG, side: "buy", positionSide: "long" })).data.status).toBe("FILLED");
    await order(bob, { side: "buy", price: "50000", quantity: "0.5" });
    const sold = { side: "sell", positionSide: "short", price: "50000", quantity: "0.5" };
    expect((await order(alice, sold)).data.status).toBe("FILLED");
    expect((await positionsOf(alice)).map(({ positionSide, quantity }) => [positionSide, quantity])).toEqual([
      ["long", "1.000"],
      ["short", "0.500"],
    ]);
    expect((await set("mode", { mode: "one-way" })).code).toBe("MODE_LOCKED");
    expect((await set("layout", { layout: "split" })).code).toBe("MODE_LOCKED");
    const one = await set("leverage", { pairCode: "BTC_USDT", leverage: 5, side: "short" });
    expect([one.data.leverageLong, one.data.leverageShort]).toEqual([20, 5]);
    await order(bob, { side: "buy", price: "50000", quantity: "1" });
    await order(bob, { side: "sell", price: "50001", quantity: "0.5" });
    await set("close-all", {});
    await bob.futures("/v1/futuresc/orders/clear", {});
    expect(await positionsOf(alice)).toEqual([]);
    expect((await set("layout", { layout: "split" })).data).toEqual({ positionMode: "hedge", layout: "split" });
  });

  test("[FUT-2] split positions are independent and isolated, and a close names one", async () => {
    const [alice, bob] = [await server.player("100000"), await server.player("100000")];
    await alice.futures("/v1/futuresc/positions/mode", { mode: "hedge" });
    await alice.futures("/v1/futuresc/positions/layout", { layout: "split" });
    await order(bob, { side: "sell", price: "50000", quantity: "3" });
    for (const quantity of ["1", "2"]) {
      const placed = await order(alice, { side: "buy", positionSide: "long", price: "50000", quantity });
      expect(placed.data.status).toBe("FILLED");
    }
    const open = await positionsOf(alice);
    expect(open.map(({ quantity, mode, isSplit }) => [quantity, mode, isSplit])).toEqual([
      ["1.000", "isolated", true],
      ["2.000", "isolated", true],
    ]);
    await order(bob, { side: "buy", price: "50000", quantity: "2" });
    const closed = await alice.futures("/v1/futuresc/positions/close", { positionId: open[1].positionId });
    expect(closed.data).toMatchObject({ closedQuantity: "2.000", position: null });
    expect((await positionsOf(alice)).map(({ positionId }) => positionId)).toEqual([open[0].positionId]);
  });
});

describe("inverse positions", () => {
  test("[DLV-1] the vectors of the rules, quantities in USD, everything in the coin", async () => {
    const [alice, bob] = [await server.player("0", "1"), await server.player("0", "2")];
    const about = { biz: "delivery", pairCode: "BTC_USD" };
    await alice.futures("/v1/perpcm/positions/leverage", { pairCode: "BTC_USD", leverage: 10 });
    await alice.futures("/v1/perpcm/positions/type", { pairCode: "BTC_USD", mode: "isolated" });
    const face = await order(alice, { ...about, side: "buy", price: "50000", quantity: "150" });
    expect([face.code, face.message]).toEqual(["INVALID_QUANTITY", "quantity must be a multiple of 100 above zero."]);
    await meet(alice, bob, { ...about, price: "50000", quantity: "60000" });
    const [position] = (await alice.futures("/v1/perpcm/positions")).data;
    expect(position).toMatchObject({
      biz: "delivery",
      walletType: "4",
      sub: "BTC",
      quantity: "60000",
      cost: "1.2",
      margin: "0.12",
      liquidationPrice: "45663.63636",
      bankruptcyPrice: "45481.81818",
      leverage: 10,
    });
    await server.mark(server.inverse, 550_000);
    const [later] = (await alice.futures("/v1/perpcm/positions")).data;
    expect(later.unrealizedPnl).toBe("0.1090909");
    await server.mark(server.inverse, 500_000);
    const assets = (await alice.futures("/v1/perpcm/assets")).data;
    expect(assets).toMatchObject([{ asset: "BTC", sub: "BTC", isolatedMargin: "0.12" }]);
  });
});

describe("demo", () => {
  test("[FUT-4] play money is given once a day, fills from the live depth and never touches a real balance", async () => {
    const [player, maker] = [await server.trader(), await server.player("100000")];
    await order(maker, { side: "sell", price: "50000", quantity: "2" });
    const early = await order(player, { biz: "demo", side: "buy", type: "market", quantity: "1" });
    expect(early.code).toBe("INSUFFICIENT_MARGIN");
    const reset = await player.futures("/v1/futuresc/simulated/reset", {});
    expect(reset.data).toMatchObject({ asset: "DUSDT", balance: "100000" });
    const again = await player.futures("/v1/futuresc/simulated/reset", {});
    expect([again.status, again.code]).toEqual([409, "RESET_TOO_SOON"]);
    expect((await order(player, { biz: "demo", side: "buy", type: "market", quantity: "1" })).data.status).toBe(
      "FILLED",
    );
    expect(await positionsOf(player, "demo")).toMatchObject([
      { biz: "demo", quantity: "1.000", entryPrice: "50000.0" },
    ]);
    expect((await player.futures("/v1/futuresc/simulated/positions")).data).toHaveLength(1);
    expect((await player.futures("/v1/futuresc/simulated/status")).data).toMatchObject({ isOpened: true });
    expect((await maker.futures("/v1/futuresc/orders?state=open")).data.orders).toMatchObject([
      { filledQuantity: "0.000" },
    ]);
    expect(await positionsOf(player)).toEqual([]);
    await maker.futures("/v1/futuresc/orders/clear", {});
  });
});
