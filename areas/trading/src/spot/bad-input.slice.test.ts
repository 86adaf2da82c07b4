// Invalid input to every call of spot trading and of the wallet: refused with its code, in its envelope, and nothing
// changes.

import { type Answer, Visitor } from "@clockwork/server/process/account-fixture";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { place, startTradingServer, type TradingServer } from "./spot-fixture.ts";

let server: TradingServer;
let owner: Visitor;
let other: Visitor;
let otherOrder: string;
beforeAll(async () => {
  server = await startTradingServer();
  owner = await server.trader({ USDT: "1000", BTC: "0.5" });
  other = await server.trader({ USDT: "10000" });
  otherOrder = (await place(other, { side: "buy", price: "90000", quantity: "0.01" })).data.orderId;
});
afterAll(() => server.close());

/** Everything trading can change for both users. Not the state hash: contracts' own timers keep running. */
const everything = async () => {
  const read = async (visitor: Visitor, path: string) => (await visitor.get(path)).data;
  const orders = (visitor: Visitor) =>
    Promise.all(["open", "plan", "history"].map((state) => read(visitor, `/v1/spot/orders?state=${state}`)));
  const one = async (visitor: Visitor) => [
    await read(visitor, "/v1/spot/balance"),
    await read(visitor, "/asset/v1/api/wallet/bills"),
    await orders(visitor),
  ];
  return Promise.all([owner, other].map(one));
};

const LIMIT = { pairCode: "BTC_USDT", side: "buy", type: "limit", price: "90000", quantity: "0.001" };
const HUGE = `1${"0".repeat(40)}`;

/** Refused before they reach the core: these must leave no trace. */
const MALFORMED: readonly (readonly [string, Record<string, unknown>, number, string])[] = [
  ["a number for a price", { price: 90000 }, 400, "VALIDATION_FAILED"],
  ["a number for a quantity", { quantity: 0.001 }, 400, "VALIDATION_FAILED"],
  ["no price", { price: undefined }, 400, "INVALID_ORDER"],
  ["an empty price", { price: "" }, 400, "VALIDATION_FAILED"],
  ["a negative price", { price: "-90000" }, 400, "VALIDATION_FAILED"],
  ["a signed price", { price: "+90000" }, 400, "VALIDATION_FAILED"],
  ["an exponent", { price: "9e4" }, 400, "VALIDATION_FAILED"],
  ["NaN", { price: "NaN" }, 400, "VALIDATION_FAILED"],
  ["Infinity", { quantity: "Infinity" }, 400, "VALIDATION_FAILED"],
  ["hexadecimal", { quantity: "0x10" }, 400, "VALIDATION_FAILED"],
  ["a leading zero", { price: "090000" }, 400, "VALIDATION_FAILED"],
  ["a comma", { price: "90,000" }, 400, "VALIDATION_FAILED"],
  ["a space", { price: " 90000" }, 400, "VALIDATION_FAILED"],
  ["digits of another script", { price: "９0000" }, 400, "VALIDATION_FAILED"],
  ["a huge price", { price: HUGE }, 400, "VALIDATION_FAILED"],
  ["a price beyond every book", { price: "999999999999999999999999" }, 400, "INVALID_PRICE"],
  ["a price between ticks", { price: "90000.05" }, 400, "INVALID_PRICE"],
  ["a price of zero", { price: "0" }, 400, "INVALID_PRICE"],
  ["a quantity between steps", { quantity: "0.000001" }, 400, "INVALID_QUANTITY"],
  ["a quantity of zero", { quantity: "0.00000" }, 400, "INVALID_QUANTITY"],
  ["an unknown pair", { pairCode: "AAA_BBB" }, 404, "UNKNOWN_MARKET"],
  ["a malformed pair", { pairCode: "btc/usdt" }, 400, "VALIDATION_FAILED"],
  ["an unknown side", { side: "hold" }, 400, "VALIDATION_FAILED"],
  ["an unknown type", { type: "magic" }, 400, "VALIDATION_FAILED"],
  ["an unknown member", { leverage: "100" }, 400, "VALIDATION_FAILED"],
  ["a member of another type", { stopPrice: "1" }, 400, "INVALID_COMBINATION"],
  ["both quantity and amount", { type: "market", price: undefined, amount: "5" }, 400, "INVALID_COMBINATION"],
  ["a market order with a price", { type: "market" }, 400, "INVALID_COMBINATION"],
  ["neither quantity nor amount", { type: "market", price: undefined, quantity: undefined }, 400, "INVALID_ORDER"],
  [
    "a sell by amount",
    { type: "market", side: "sell", price: undefined, quantity: undefined, amount: "5" },
    400,
    "INVALID_COMBINATION",
  ],
  [
    "an amount finer than a unit",
    { type: "market", price: undefined, quantity: undefined, amount: "5.0000001" },
    400,
    "INVALID_AMOUNT",
  ],
  ["GTD without an end", { timeInForce: "GTD" }, 400, "INVALID_EXPIRY"],
  ["an end without GTD", { expiresAtMs: 1 }, 400, "INVALID_EXPIRY"],
  ["slippage beyond ten percent", { type: "market", price: undefined, slippagePercent: "11" }, 400, "INVALID_SLIPPAGE"],
  ["a client id with a space", { clientOrderId: "a b" }, 400, "VALIDATION_FAILED"],
  ["a client id too long", { clientOrderId: "a".repeat(37) }, 400, "VALIDATION_FAILED"],
  ["the house's self-trade mode", { selfTrade: "NONE" }, 400, "VALIDATION_FAILED"],
  ["too many rungs", { type: "scaled", priceTo: "91000", count: 51 }, 400, "VALIDATION_FAILED"],
  ["rungs without room", { type: "scaled", priceTo: "90000.1", count: 20 }, 400, "INVALID_SCALE"],
  [
    "a callback out of bounds",
    { type: "trailingStop", price: undefined, callbackPercent: "50" },
    400,
    "INVALID_CALLBACK",
  ],
  ["exits on an iceberg", { visibleQuantity: "0.0005", stopLossPrice: "80000" }, 400, "INVALID_COMBINATION"],
];

/** Rejected by the core: journalled, but no balance and no order changes. */
const REFUSED: readonly (readonly [string, Record<string, unknown>, number, string, string])[] = [
  ["more than there is", { quantity: "0.5" }, 422, "INSUFFICIENT_BALANCE", "body.quantity"],
  ["less than the smallest worth", { quantity: "0.00001" }, 422, "NOTIONAL_TOO_SMALL", "body.quantity"],
  ["more than the largest order", { quantity: "5000" }, 422, "QUANTITY_TOO_LARGE", "body.quantity"],
  ["a price above the band", { price: "200000" }, 422, "PRICE_TOO_HIGH", "body.price"],
  ["a price below the band", { price: "1000", quantity: "0.01" }, 422, "PRICE_TOO_LOW", "body.price"],
  [
    "an iceberg that shows too little",
    { quantity: "0.01", visibleQuantity: "0.00001" },
    400,
    "INVALID_ICEBERG",
    "body.visibleQuantity",
  ],
  ["an end too near", { timeInForce: "GTD", expiresAtMs: 1 }, 400, "INVALID_EXPIRY", "body.expiresAtMs"],
  ["post-only and IOC", { postOnly: true, timeInForce: "IOC" }, 400, "INVALID_COMBINATION", "body.type"],
  [
    "a sale of nobody's bid",
    { side: "sell", type: "market", pairCode: "ETH_USDT", price: undefined },
    422,
    "NO_LIQUIDITY",
    "",
  ],
];

describe("placing an order", () => {
  test.each(MALFORMED)("[SPOT-2] %s is refused and leaves no trace", async (_, change, status, code) => {
    const before = await everything();
    const answer = await owner.post("/v1/spot/orders", { ...LIMIT, ...change });
    expect([answer.status, answer.code, answer.data]).toEqual([status, code, null]);
    expect(answer.message.length).toBeGreaterThan(5);
    expect(await everything()).toEqual(before);
  });

  test.each(REFUSED)("[SPOT-2] %s is refused by name and bound", async (_, change, status, code, field) => {
    const before = (await owner.get("/v1/spot/balance")).data;
    const answer = await owner.post("/v1/spot/orders", { ...LIMIT, ...change });
    expect([answer.status, answer.code]).toEqual([status, code]);
    if (field !== "") expect(answer.fields).toHaveProperty([field]);
    expect((await owner.get("/v1/spot/balance")).data).toEqual(before);
    expect((await owner.get("/v1/spot/orders?state=open")).data.orders).toEqual([]);
  });

  test("[SPOT-2] the bound is given in the pair's own units", async () => {
    const notify = async (change: object) => (await owner.post("/v1/spot/orders", { ...LIMIT, ...change })).message;
    expect(await notify({ quantity: "0.5" })).toBe("Not enough USDT: 1000 available.");
    expect(await notify({ quantity: "0.00001" })).toBe("The order must be worth at least 5 USDT.");
    expect(await notify({ quantity: "5000" })).toBe("At most 1000.00000 BTC.");
    expect(await notify({ price: "200000" })).toMatch(/^The price may be at most [0-9.]+ now\.$/);
  });
});

describe("everything else", () => {
  const calls: readonly (readonly [string, () => Promise<Answer>, number, string])[] = [
    ["cancel another's order", () => owner.delete(`/v1/spot/orders/${otherOrder}`), 404, "UNKNOWN_ORDER"],
    ["read another's order", () => owner.get(`/v1/spot/orders/${otherOrder}`), 404, "UNKNOWN_ORDER"],
    ["amend another's order", () => owner.patch(`/v1/spot/orders/${otherOrder}`, { price: "1" }), 404, "UNKNOWN_ORDER"],
    ["cancel what never was", () => owner.delete("/v1/spot/orders/999999999999999"), 404, "UNKNOWN_ORDER"],
    ["read what never was", () => owner.get("/v1/spot/orders/999999999999999"), 404, "UNKNOWN_ORDER"],
    ["cancel an inexact number", () => owner.delete("/v1/spot/orders/9007199254740993"), 400, "VALIDATION_FAILED"],
    ["read an inexact number", () => owner.get("/v1/spot/orders/9007199254740993"), 400, "VALIDATION_FAILED"],
    [
      "fills of an inexact number",
      () => owner.get("/v1/spot/fills?orderId=9007199254740993"),
      400,
      "VALIDATION_FAILED",
    ],
    [
      "orders before an inexact number",
      () => owner.get("/v1/spot/orders?state=history&before=1-9007199254740993"),
      400,
      "VALIDATION_FAILED",
    ],
    [
      "bills before an inexact number",
      () => owner.get("/asset/v1/api/wallet/bills?walletType=1&before=9007199254740993"),
      400,
      "VALIDATION_FAILED",
    ],
    ["cancel no number", () => owner.delete("/v1/spot/orders/abc"), 400, "VALIDATION_FAILED"],
    ["cancel a negative number", () => owner.delete("/v1/spot/orders/-1"), 400, "VALIDATION_FAILED"],
    [
      "clear an unknown pair",
      () => owner.post("/v1/spot/orders/clear", { pairCode: "AAA_BBB" }),
      404,
      "UNKNOWN_MARKET",
    ],
    ["a batch of none", () => owner.post("/v1/spot/orders/batch", { orders: [] }), 400, "VALIDATION_FAILED"],
    [
      "a batch of too many",
      () => owner.post("/v1/spot/orders/batch", { orders: Array(21).fill(LIMIT) }),
      400,
      "VALIDATION_FAILED",
    ],
    [
      "a switch beyond its bound",
      () => owner.post("/v1/spot/orders/cancel-after", { timeoutSeconds: 301 }),
      400,
      "VALIDATION_FAILED",
    ],
    ["an unknown state", () => owner.get("/v1/spot/orders?state=all"), 400, "VALIDATION_FAILED"],
    ["no state", () => owner.get("/v1/spot/orders"), 400, "VALIDATION_FAILED"],
    ["a page of too many", () => owner.get("/v1/spot/orders?state=open&limit=201"), 400, "VALIDATION_FAILED"],
    ["a made-up page", () => owner.get("/v1/spot/fills?before=x"), 400, "VALIDATION_FAILED"],
    ["fills of an unknown pair", () => owner.get("/v1/spot/fills?pairCode=AAA_BBB"), 404, "UNKNOWN_MARKET"],
    [
      "the limit of an unknown pair",
      () => owner.get("/v1/spot/position-limit?pairCode=AAA_BBB"),
      404,
      "UNKNOWN_MARKET",
    ],
    [
      "an unknown wallet",
      () => owner.post("/asset/v1/api/wallet/account", { walletTypeList: ["10"] }),
      400,
      "VALIDATION_FAILED",
    ],
    ["no wallet", () => owner.post("/asset/v1/api/wallet/account", {}), 400, "VALIDATION_FAILED"],
    ["a move of a negative amount", () => move({ amount: "-1" }), 400, "VALIDATION_FAILED"],
    ["a move of an exponent", () => move({ amount: "1e3" }), 400, "VALIDATION_FAILED"],
    ["a move of nothing", () => move({ amount: "0" }), 400, "INVALID_AMOUNT"],
    ["a move finer than a unit", () => move({ amount: "0.0000001" }), 400, "INVALID_AMOUNT"],
    ["a move of an unknown coin", () => move({ asset: "NONE" }), 404, "UNKNOWN_ASSET"],
    ["a move to where it is", () => move({ to: "1" }), 400, "SAME_WALLET"],
    ["the faucet for a negative amount", () => owner.faucet("USDT", "-5"), 400, "VALIDATION_FAILED"],
    ["the faucet for too much", () => owner.faucet("USDT", "100000000"), 429, "FAUCET_EXHAUSTED"],
  ];
  const move = (change: object): Promise<Answer> =>
    owner.post("/asset/v1/api/wallet/transfer", {
      asset: "USDT",
      amount: "1",
      from: "1",
      to: "2",
      clientId: "bad",
      ...change,
    });

  test.each(calls)("[SPOT-2] %s is refused and leaves no trace", async (_, call, status, code) => {
    const before = await everything();
    const answer = await call();
    expect([answer.status, answer.code, answer.data]).toEqual([status, code, null]);
    expect(await everything()).toEqual(before);
  });

  test("[SPOT-2] a visitor, a made-up token and an ended session must sign in", async () => {
    const gone = await server.trader({ USDT: "100" });
    const kept = new Map(gone.jar);
    await gone.post("/v2/users/sign-out");
    for (const [name, value] of kept) gone.jar.set(name, value);
    const forged = new Visitor(server, { "x-authorization": "a.b.c" });
    for (const visitor of [new Visitor(server), forged, gone]) {
      for (const answer of [
        await place(visitor, { side: "buy", price: "90000", quantity: "0.001" }),
        await visitor.get("/v1/spot/balance"),
        await visitor.faucet("USDT", "1"),
        await visitor.post("/asset/v1/api/wallet/account", { walletTypeList: ["1"] }),
      ]) {
        expect([answer.status, answer.code]).toEqual([401, "UNAUTHENTICATED"]);
      }
    }
  });

  test("[SPOT-2] the other user's order rests unchanged", async () => {
    expect((await other.get(`/v1/spot/orders/${otherOrder}`)).data).toMatchObject({ status: "NEW", price: "90000.0" });
  });
});
