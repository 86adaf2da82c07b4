// Grid strategies and rebalancing bots over the wire: permissions, a bot's reaction to the market's trades, its owner's
// actions, public data.

import { Visitor } from "@clockwork/server/process/account-fixture";
import { accountOf, type FuturesServer, meet, startFuturesServer } from "@clockwork/trading/futures/futures-fixture";
import { holds } from "@clockwork/trading/spot/spot-fixture";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BASKET, basket, giveHistory, movePrice, readStanding, refusal, shape } from "./bots-fixture.ts";

const ONE = "3b241101-e2bb-4255-8caf-4136c566a962";
let server: FuturesServer;
let maker: Visitor;
let other: Visitor;
beforeAll(async () => {
  server = await startFuturesServer();
  maker = await server.trader({ BTC: "10", ETH: "100", USDT: "900000" });
  other = await server.trader({ BTC: "10", ETH: "100", USDT: "900000" });
  await moveTo(100_000);
});
afterAll(() => server?.close());

const moveTo = (price: number, pairCode?: string) => movePrice(server, [maker, other], price, pairCode);

let clients = 0;
const create = (visitor: Visitor, own: object = {}) => {
  clients += 1;
  return visitor.post("/v1/spot/strategy/create", { ...shape, clientId: `c${clients}`, ...own });
};

async function owner(): Promise<Visitor> {
  const visitor = await server.trader({ USDT: "20000" });
  await visitor.dev("/identity", { level: 1 });
  await visitor.post("/v1/spot/strategy/protocol/agree", {});
  return visitor;
}

describe("rebalancing bots over the wire", () => {
  const make = (visitor: Visitor, own: object = {}) => {
    clients += 1;
    return visitor.post(`${BASKET}/create`, { ...basket, clientId: `b${clients}`, ...own });
  };

  test("[GRID-1] errors in a basket are refused by code, and nothing moves", async () => {
    await moveTo(100_000);
    await moveTo(3_200, "ETH_USDT");
    const visitor = await server.trader({ USDT: "20000" });
    expect((await make(visitor)).code).toBe("IDENTITY_REQUIRED");
    await visitor.dev("/identity", { level: 1 });
    expect((await make(visitor)).code).toBe("AGREEMENT_REQUIRED");
    await visitor.post("/v1/spot/strategy/protocol/agree", {});
    const [btc, eth] = basket.coins;
    for (const [own, code] of [
      [{ coins: [{ coin: "BTC", weightBps: 10_000 }] }, "REBALANCE_COUNT_INVALID"],
      [{ coins: Array.from({ length: 11 }, () => btc) }, "REBALANCE_COUNT_INVALID"],
      [{ coins: [btc, btc] }, "REBALANCE_COINS_INVALID"],
      [{ coins: [{ coin: "USDT", weightBps: 10_000 }] }, "REBALANCE_COINS_INVALID"],
      [{ coins: [btc, { ...eth, weightBps: 4_000 }] }, "REBALANCE_WEIGHTS_INVALID"],
      [{ coins: [btc, { ...eth, coin: "NOPE" }] }, "UNKNOWN_PAIR"],
      [{ thresholdBps: 0 }, "REBALANCE_RULE_INVALID"],
      [{ intervalMs: 60_000 }, "REBALANCE_RULE_INVALID"],
      [{ investment: "0" }, "INVALID_AMOUNT"],
      [{ investment: "5" }, "REBALANCE_INVESTMENT_TOO_SMALL"],
      [{ investment: "30000" }, "INSUFFICIENT_BALANCE"],
    ] as const)
      expect([own, (await make(visitor, own)).code]).toEqual([own, code]);
    expect((await visitor.post(`${BASKET}/create`, { quote: "USDT" })).status).toBe(400);
    expect((await visitor.get(`${BASKET}/detail?id=1`)).code).toBe("UNKNOWN_BOT");
    expect(await holds(visitor, "USDT")).toEqual(["20000", "0"]);
  });

  test("[GRID-1] a basket is created once, returns to its weights, lists every round, and returns everything", async () => {
    const visitor = await owner();
    await moveTo(100_000);
    await moveTo(3_200, "ETH_USDT");
    const made = await make(visitor, { clientId: ONE });
    expect(made.data).toMatchObject({
      status: "RUNNING",
      rounds: 1,
      invested: "10000",
      thresholdBps: 300,
      intervalMs: null,
    });
    expect(made.data.coins.map(({ coin }: { coin: string }) => coin)).toEqual(["BTC", "ETH", "USDT"]);
    const { id } = made.data;
    expect((await make(visitor, { clientId: ONE })).data.id).toBe(id);
    expect((await make(visitor, { clientId: ONE, investment: "9000" })).code).toBe("REFERENCE_REUSED");
    expect(await holds(visitor, "USDT")).toEqual(["10000", "0"]);
    await moveTo(3_660, "ETH_USDT");
    const read = async () => (await visitor.get(`${BASKET}/detail?id=${id}`)).data;
    // Out of balance, unless the next check has already run.
    const isOut = async () => {
      const { coins, rounds } = await read();
      return coins[1].shareBps > 5_300 || rounds === 2;
    };
    await expect.poll(isOut).toBe(true);
    server.wait(10_000);
    await expect.poll(async () => (await read()).rounds).toBe(2);
    const detail = await read();
    for (const { shareBps } of detail.coins.slice(0, 2)) expect(Math.abs(shareBps - 5_000)).toBeLessThan(60);
    const worth = detail.coins.reduce((sum: number, { value }: { value: string }) => sum + Number(value), 0);
    expect(worth).toBeCloseTo(Number(detail.value), 6);
    const { rounds } = (await visitor.get(`${BASKET}/rounds?id=${id}`)).data;
    expect(rounds).toMatchObject([
      {
        number: 2,
        change: "rebalanced",
        cause: "threshold",
        legs: [
          { coin: "BTC", side: "buy" },
          { coin: "ETH", side: "sell" },
        ],
      },
      { number: 1, cause: "start", legs: [{ side: "buy" }, { side: "buy" }] },
      { number: 0, change: "created", legs: [], fee: "0" },
    ]);
    const fees = rounds.reduce((sum: number, { fee }: { fee: string }) => sum + Number(fee), 0);
    expect(fees).toBeCloseTo(Number(detail.fees), 8);
    expect((await visitor.get(`${BASKET}/rounds?id=${id}&before=2&limit=1`)).data.rounds).toEqual([rounds[1]]);
    const outsider = await owner();
    // Only ranked bots of others are visible; any other does not exist.
    for (const one of [id, 9_999]) {
      for (const path of [`detail?id=${one}`, `rounds?id=${one}`]) {
        expect((await outsider.get(`${BASKET}/${path}`)).code).toBe("UNKNOWN_BOT");
      }
      const follow = { id: one, investment: "3000", clientId: "x" };
      expect((await outsider.post(`${BASKET}/follow`, follow)).code).toBe("UNKNOWN_BOT");
    }
    expect((await outsider.post(`${BASKET}/finish`, { id, base: "sell" })).code).toBe("UNKNOWN_BOT");
    expect((await visitor.post(`${BASKET}/follow`, { id, investment: "1", clientId: "x" })).code).toBe(
      "REBALANCE_INVESTMENT_TOO_SMALL",
    );
    const cloned = await visitor.post(`${BASKET}/follow`, { id, investment: "3000", clientId: "y" });
    expect(cloned.data).toMatchObject({ isYours: true, invested: "3000", thresholdBps: 300, intervalMs: null });
    expect((await visitor.get(`${BASKET}/ranking`)).data).toMatchObject({ bots: [], young: [] });
    const copy = await visitor.post(`${BASKET}/finish`, { id: cloned.data.id, base: "sell" });
    const ended = await visitor.post(`${BASKET}/finish`, { id, base: "sell" });
    expect(ended.data).toMatchObject({ status: "CLOSED", rounds: 2 });
    const [free] = await holds(visitor, "USDT");
    expect(Number(free)).toBeCloseTo(20_000 + Number(ended.data.total) + Number(copy.data.total), 6);
    expect(await holds(visitor, "ETH")).toEqual(["0", "0"]);
    expect((await visitor.post(`${BASKET}/finish`, { id, base: "sell" })).code).toBe("BOT_NOT_RUNNING");
    expect((await visitor.get(`${BASKET}/list?state=running`)).data.bots).toEqual([]);
    expect((await visitor.get(`${BASKET}/list?state=closed`)).data.bots).toMatchObject([
      { id: cloned.data.id },
      { id, total: ended.data.total },
    ]);
    const letters = async () =>
      ((await visitor.get("/v2/users/letters")).data.letters as { title: string }[]).map(({ title }) => title);
    await expect
      .poll(letters)
      .toEqual(expect.arrayContaining(["A rebalancing bot is running", "A rebalancing bot has ended"]));
    await moveTo(100_000);
  });

  test("[GRID-1] a basket is tested over stored candles with the refusals of a live one", async () => {
    const visitor = await owner();
    const ask = (own: object) => visitor.post(`${BASKET}/backtest`, { ...basket, days: 1, ...own });
    for (const [own, code] of [
      [{ coins: [basket.coins[0], basket.coins[0]] }, "REBALANCE_COINS_INVALID"],
      [{ coins: [basket.coins[0]] }, "REBALANCE_COUNT_INVALID"],
      [{ coins: [basket.coins[0], { coin: "ETH", weightBps: 1 }] }, "REBALANCE_WEIGHTS_INVALID"],
      [{ coins: [basket.coins[0], { coin: "NOPE", weightBps: 5_000 }] }, "UNKNOWN_PAIR"],
      [{ thresholdBps: 5 }, "REBALANCE_RULE_INVALID"],
      [{ investment: "0" }, "INVALID_AMOUNT"],
    ] as const)
      expect([own, (await ask(own)).code]).toEqual([own, code]);
    expect((await ask({})).code).toBe("TOO_FEW_CANDLES");
    await giveHistory(server, "BTC_USDT", [950_000, 1_050_000]);
    await giveHistory(server, "ETH_USDT", [320_000, 320_000]);
    const { taskId } = (await ask({})).data;
    const read = async () => (await visitor.get(`${BASKET}/backtest?taskId=${taskId}`)).data;
    await expect.poll(async () => (await read()).state).toBe("done");
    expect((await read()).result.rounds).toBeGreaterThan(0);
    expect((await visitor.post(`${BASKET}/backtest/cancel`, { taskId })).data.state).toBe("done");
    expect((await visitor.get(`${BASKET}/backtest?taskId=0000000000000000`)).code).toBe("UNKNOWN_TASK");
  });
});

describe("grid strategies over the wire", () => {
  test("[GRID-1] level 1 and the agreement come first, and a refusal moves nothing", async () => {
    const visitor = await server.trader({ USDT: "20000" });
    expect((await create(visitor)).code).toBe("IDENTITY_REQUIRED");
    await visitor.dev("/identity", { level: 1 });
    expect((await create(visitor)).code).toBe("AGREEMENT_REQUIRED");
    expect((await visitor.get("/v1/spot/strategy/protocol")).data).toEqual({ agreedAtMs: null });
    expect((await visitor.post("/v1/spot/strategy/protocol/agree", {})).data.agreedAtMs).toBeGreaterThan(0);
    for (const [own, code] of [
      [{ upper: "80000" }, "GRID_RANGE_INVALID"],
      [{ lower: "10000", investment: "15000" }, "GRID_OUTSIDE_BAND"],
      [{ upper: "900000", count: 100, investment: "19000" }, "GRID_OUTSIDE_BAND"],
      [{ lower: "99999.9", upper: "100000.5" }, "GRID_LINES_NOT_DISTINCT"],
      [{ exitBps: 500, trailUp: "95000" }, "GRID_TRAIL_INVALID"],
      [{ count: 200, lower: "99900", upper: "100100" }, "GRID_CELL_EARNS_NOTHING"],
      [{ lower: "100500" }, "GRID_PRICE_OUTSIDE"],
      [{ investment: "50" }, "GRID_INVESTMENT_TOO_SMALL"],
      [{ investment: "30000" }, "INSUFFICIENT_BALANCE"],
      [{ takeProfit: "105000" }, "GRID_STOP_INSIDE"],
      [{ lower: "90000.00001" }, "INVALID_PRICE"],
      [{ pairCode: "NO_PAIR" }, "UNKNOWN_PAIR"],
      [{ kind: "long" }, "INVALID_KIND"],
    ] as const)
      expect([own, await refusal(create(visitor, own))]).toEqual([
        own,
        [code, code.startsWith("GRID") ? 422 : expect.any(Number)],
      ]);
    expect((await visitor.post("/v1/spot/strategy/create", { kind: "spot" })).status).toBe(400);
    expect((await create(visitor, { exitBps: 49 })).status).toBe(400);
    expect(await readStanding(visitor)).toEqual({ usdt: ["20000", "0"], bots: [] });
  });

  test("[GRID-1] a twenty-first bot is refused, baskets counted, and nothing moves", async () => {
    const visitor = await owner();
    await moveTo(100_000);
    await moveTo(3_200, "ETH_USDT");
    for (let i = 0; i < 19; i++) {
      const made = await create(visitor, { count: 2, investment: "200" });
      expect([i, made.status]).toEqual([i, 200]);
    }
    expect((await visitor.post(`${BASKET}/create`, { ...basket, investment: "500", clientId: "20th" })).status).toBe(
      200,
    );
    const [free] = await holds(visitor, "USDT");
    expect(await refusal(create(visitor, { count: 2, investment: "200" }))).toEqual(["TOO_MANY_BOTS", 422]);
    const again = visitor.post(`${BASKET}/create`, { ...basket, investment: "500", clientId: "21st" });
    expect((await refusal(again))[0]).toBe("TOO_MANY_BOTS");
    expect(await holds(visitor, "USDT")).toEqual([free, "0"]);
    const { bots } = (await visitor.get("/v1/spot/strategy/list?state=running")).data;
    expect(bots).toHaveLength(19);
    await visitor.post("/v1/spot/strategy/finish", { id: bots[0].id, base: "keep" });
    expect((await create(visitor, { count: 2, investment: "200" })).status).toBe(200);
    for (const { id } of (await visitor.get(`${BASKET}/list?state=running`)).data.bots)
      await visitor.post(`${BASKET}/finish`, { id, base: "sell" });
    for (const { id } of (await visitor.get("/v1/spot/strategy/list?state=running")).data.bots)
      await visitor.post("/v1/spot/strategy/finish", { id, base: "keep" });
  });

  test("[GRID-1] a futures grid that would be liquidated inside its range is refused, and nothing moves", async () => {
    const [visitor, buyer, seller] = [await server.player(), await server.player(), await server.player()];
    await visitor.post("/v1/sps/protocol/agree", {});
    await meet(buyer, seller, { price: "50000", quantity: "0.01" });
    const range = { pairCode: "BTC_USDT", lower: "40000", upper: "60000", count: 10, spacing: "arithmetic" };
    const ask = (own: object) => {
      clients += 1;
      return visitor.post("/v1/sps/create", { ...range, investment: "5000", clientId: `s${clients}`, ...own });
    };
    const narrow = { lower: "48000", upper: "52000" };
    const before = await accountOf(visitor);
    for (const kind of ["long", "short", "neutral"])
      expect(await refusal(ask({ kind, leverage: 20 }))).toEqual(["GRID_LIQUIDATION_INSIDE", 422]);
    expect(await refusal(ask({ ...narrow, kind: "neutral", leverage: 2, exitBps: 500 }))).toEqual([
      "GRID_EXIT_INVALID",
      422,
    ]);
    expect(await accountOf(visitor)).toEqual(before);
    expect(await readStanding(visitor)).toEqual({ usdt: ["0", "0"], bots: [] });
    const made = await ask({ ...narrow, kind: "neutral", leverage: 2 });
    expect(made.data).toMatchObject({ kind: "neutral", status: "RUNNING", leverage: 2, exitBps: null });
    expect(Number(made.data.liquidationPrice)).toBeLessThan(48_000);
  });

  test("[GRID-1] a trailing exit ends a bot automatically, and its owner is notified with the reason", async () => {
    const visitor = await owner();
    await moveTo(100_000);
    const made = await create(visitor, { exitBps: 300 });
    expect(made.data).toMatchObject({ status: "RUNNING", exitBps: 300 });
    const { id } = made.data;
    await moveTo(104_000);
    await moveTo(100_500);
    const read = async () => (await visitor.get(`/v1/spot/strategy/detail?id=${id}`)).data;
    await expect.poll(read).toMatchObject({ status: "CLOSED", reason: "TRAILING_EXIT" });
    const [free] = await holds(visitor, "USDT");
    expect(Number(free)).toBeCloseTo(20_000 + Number((await read()).total), 4);
    await moveTo(100_000);
  });

  test("[GRID-1] a bot is created once, earns pairs, lists its figures, pays profit out and returns everything", async () => {
    const visitor = await owner();
    const made = await create(visitor, { clientId: ONE });
    expect(made.data).toMatchObject({ status: "RUNNING", count: 20, pairs: 0, isYours: true, quantity: "0.00508" });
    expect(made.data.lines).toHaveLength(21);
    const { id } = made.data;
    expect((await create(visitor, { clientId: ONE })).data.id).toBe(id);
    expect((await create(visitor, { clientId: ONE, count: 10 })).code).toBe("REFERENCE_REUSED");
    expect(await holds(visitor, "USDT")).toEqual(["10000", "0"]);
    const { orders } = (await visitor.get(`/v1/spot/strategy/orders?id=${id}`)).data;
    expect(orders).toHaveLength(20);
    for (let i = 0; i < 3; i++) {
      await moveTo(95_000);
      await moveTo(100_000);
    }
    const read = async () => (await visitor.get(`/v1/spot/strategy/detail?id=${id}`)).data;
    // Tables follow the journal.
    await expect.poll(async () => (await read()).pairs).toBe(15);
    const detail = await read();
    expect(Number(detail.grid)).toBeGreaterThan(40);
    expect(Number(detail.total)).toBeCloseTo(Number(detail.grid) + Number(detail.float), 6);
    const { pairs } = (await visitor.get(`/v1/spot/strategy/pairs?id=${id}`)).data;
    const net = pairs.reduce((sum: number, pair: { net: string }) => sum + Number(pair.net), 0);
    expect(net).toBeCloseTo(Number(detail.grid), 6);
    expect(pairs[0].earlierMs).toBeGreaterThan(0);
    const ask = (amount: string) => visitor.post("/v1/spot/strategy/profit", { id, amount, clientId: `p${amount}` });
    expect((await ask("5000")).code).toBe("BOT_PROFIT_TOO_SMALL");
    expect((await ask("1")).data.taken).toBe("1");
    const { orderId } = orders[0];
    await visitor.post("/v1/spot/strategy/order/cancel", { id, orderId });
    expect((await visitor.get(`/v1/spot/strategy/orders?id=${id}`)).data.orders).toHaveLength(19);
    const changed = await visitor.post("/v1/spot/strategy/update", { id, stopLoss: "85000", clientId: "u1" });
    expect(changed.data.stopLoss).toBe("85000.0");
    expect((await visitor.get(`/v1/spot/strategy/orders?id=${id}`)).data.orders).toHaveLength(20);
    const outsider = await owner();
    expect((await outsider.post("/v1/spot/strategy/finish", { id, base: "sell" })).code).toBe("UNKNOWN_BOT");
    for (const one of [id, 9_999]) {
      for (const path of [`detail?id=${one}`, `pairs?id=${one}`, `clone?id=${one}&investment=1000`]) {
        for (const other of [outsider, new Visitor(server)]) {
          expect((await other.get(`/v1/spot/strategy/${path}`)).code).toBe("UNKNOWN_BOT");
        }
      }
      const follow = { id: one, investment: "1000", clientId: "f9" };
      expect((await outsider.post("/v1/spot/strategy/follow", follow)).code).toBe("UNKNOWN_BOT");
    }
    const ended = await visitor.post("/v1/spot/strategy/finish", { id, base: "sell" });
    expect(ended.data).toMatchObject({ status: "CLOSED", reason: "USER" });
    expect(Number(ended.data.total)).toBeGreaterThan(0);
    const [free] = await holds(visitor, "USDT");
    expect(Number(free)).toBeCloseTo(20_000 + Number(ended.data.total), 4);
    expect((await visitor.post("/v1/spot/strategy/finish", { id, base: "sell" })).code).toBe("BOT_NOT_RUNNING");
  });

  test("[GRID-1] an infinity grid has no upper price, sells above it without end and is cloned at the current price", async () => {
    const visitor = await owner();
    await moveTo(100_000);
    const requested = { kind: "infinity", upper: undefined, lower: "90000", count: 8, spacing: "geometric" };
    expect((await create(visitor, { ...requested, upper: "110000" })).code).toBe("INVALID_PRICE");
    expect((await create(visitor, { ...requested, count: 101 })).code).toBe("GRID_COUNT_INVALID");
    expect((await create(visitor, { ...requested, trailUp: "200000" })).code).toBe("GRID_TRAIL_INVALID");
    expect((await create(visitor, { upper: undefined })).code).toBe("INVALID_PRICE");
    expect(await holds(visitor, "USDT")).toEqual(["20000", "0"]);
    const made = await create(visitor, requested);
    expect(made.data).toMatchObject({ kind: "infinity", status: "RUNNING", count: 16, lower: "90000.0" });
    const { id } = made.data;
    for (const price of [105_000, 112_000, 100_000]) await moveTo(price);
    const read = async () => (await visitor.get(`/v1/spot/strategy/detail?id=${id}`)).data;
    await expect.poll(async () => (await read()).pairs).toBeGreaterThan(0);
    expect(Number((await read()).coinsHeld)).toBeGreaterThan(0);
    expect((await visitor.get("/v1/spot/strategy/list?state=running")).data.bots).toHaveLength(1);
    const cloned = await visitor.post("/v1/spot/strategy/follow", { id, investment: "3000", clientId: "fi" });
    expect(cloned.data).toMatchObject({ kind: "infinity", count: 16, invested: "3000" });
    expect((await visitor.post("/v1/spot/strategy/finish", { id, base: "sell" })).data.status).toBe("CLOSED");
  });

  test("[GRID-1] a back-test runs on its own thread, reports progress, and can be cancelled; without candles it reports so", async () => {
    const visitor = await owner();
    const ask = async (pairCode: string) => visitor.post("/v1/spot/strategy/backtest", { ...shape, pairCode, days: 1 });
    expect((await ask("SOL_USDT")).code).toBe("TOO_FEW_CANDLES");
    await giveHistory(server, "BTC_USDT", [950_000, 1_050_000]);
    const { taskId } = (await ask("BTC_USDT")).data;
    const read = async () => (await visitor.get(`/v1/spot/strategy/backtest?taskId=${taskId}`)).data;
    await expect.poll(async () => (await read()).state).toBe("done");
    const { result } = await read();
    expect(Number(result.grid)).toBeGreaterThan(0);
    expect(Number(result.total)).toBeCloseTo(Number(result.grid) + Number(result.float), 6);
    const again = (await ask("BTC_USDT")).data;
    const ended = await visitor.post("/v1/spot/strategy/backtest/cancel", { taskId: again.taskId });
    expect(["cancelled", "done"]).toContain(ended.data.state);
    expect((await visitor.get("/v1/spot/strategy/backtest?taskId=0000000000000000")).code).toBe("UNKNOWN_TASK");
    const suggested = await visitor.get("/v1/spot/strategy/suggestion?pairCode=BTC_USDT&days=7");
    expect([200, 422]).toContain(suggested.status);
  });

  test("[GRID-1] the ranking has bots of a day with twenty pairs, and one is cloned with money of one's own", async () => {
    const visitor = await owner();
    await moveTo(3_200, "ETH_USDT");
    const kept = (await visitor.post(`${BASKET}/create`, { ...basket, investment: "2000", clientId: "ranked" })).data
      .id;
    const clone = await visitor.post(`${BASKET}/follow`, { id: kept, investment: "200", clientId: "z" });
    await moveTo(3_660, "ETH_USDT");
    server.wait(10_000);
    const rounds = () =>
      Promise.all(
        [kept, clone.data.id].map(async (id) => (await visitor.get(`${BASKET}/detail?id=${id}`)).data.rounds),
      );
    // Both: a round at later prices would rank them otherwise.
    await expect.poll(rounds).toEqual([2, 2]);
    // The end of another bot has moved the price.
    await moveTo(100_000);
    const { id } = (await create(visitor, { investment: "9000" })).data;
    for (let i = 0; i < 5; i++) {
      await moveTo(94_000);
      await moveTo(100_000);
    }
    const pairs = async () => (await visitor.get(`/v1/spot/strategy/detail?id=${id}`)).data.pairs;
    await expect.poll(pairs).toBe(30);
    expect((await visitor.get("/v1/spot/strategy/ranking?limit=99")).data.bots).toEqual([]);
    server.wait(25 * 3_600_000);
    const { bots } = (await visitor.get("/v1/spot/strategy/ranking?limit=98")).data;
    const mine = bots.find((bot: { id: number }) => bot.id === id);
    expect(mine).toMatchObject({ usedBy: 0, isSimulated: false });
    expect(Number(mine.apr)).toBeGreaterThan(0);
    const baskets = (await visitor.get(`${BASKET}/ranking`)).data;
    expect(baskets).toMatchObject({ bots: [{ rank: 1, usedBy: 1, rounds: 2, isSimulated: false }, { usedBy: 0 }] });
    expect(baskets.bots.map((one: { id: number }) => one.id).toSorted()).toEqual([kept, clone.data.id].toSorted());
    const follower = await owner();
    const shown = (await follower.get(`/v1/spot/strategy/detail?id=${id}`)).data;
    expect(shown).toMatchObject({ isYours: false, stopLoss: null, takeProfit: null, log: [] });
    expect((await follower.get(`${BASKET}/detail?id=${kept}`)).data.isYours).toBe(false);
    const cloned = await follower.post("/v1/spot/strategy/follow", { id, investment: "2000", clientId: "f1" });
    expect(cloned.data).toMatchObject({ lower: "90000.0", upper: "110000.0", count: 20, invested: "2000" });
    expect((await follower.get("/v1/spot/strategy/list?state=running")).data.bots).toHaveLength(1);
    expect((await follower.get("/v1/sps/list")).data.bots).toEqual([]);
  });
});
