// Invalid input to every futures call: refused with its code, in its envelope, and nothing changes.

import { type Answer, Visitor } from "@clockwork/server/process/account-fixture";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountOf, type FuturesServer, meet, order, positionsOf, startFuturesServer } from "./futures-fixture.ts";

let server: FuturesServer;
let owner: Visitor;
let other: Visitor;
let ownPosition: string;
let otherPosition: string;
let otherOrder: string;
beforeAll(async () => {
  server = await startFuturesServer();
  owner = await server.player("5000");
  other = await server.player("100000");
  await meet(owner, other, { price: "50000", quantity: "0.1" });
  [{ positionId: ownPosition }] = await positionsOf(owner);
  [{ positionId: otherPosition }] = await positionsOf(other);
  otherOrder = (await order(other, { side: "buy", price: "49000", quantity: "0.1" })).data.orderId;
});
afterAll(() => server.close());

/** Everything trading can change in both accounts. Not the state hash: contracts' own timers keep running. */
const everything = async () => {
  const read = async (visitor: Visitor, path: string) => (await visitor.futures(`/v1/futuresc/${path}`)).data;
  const one = async (visitor: Visitor) => ({
    account: await accountOf(visitor),
    open: await read(visitor, "orders?state=open"),
    plans: await read(visitor, "orders?state=plan"),
    history: await read(visitor, "orders?state=history"),
    bills: await read(visitor, "bills"),
    positions: (await positionsOf(visitor)).map(({ positionId, quantity, margin }) => ({
      positionId,
      quantity,
      margin,
    })),
  });
  return [await one(owner), await one(other)];
};

const LIMIT = { pairCode: "BTC_USDT", side: "buy", type: "limit", price: "49500", quantity: "0.01" };
const NONE = undefined;

/** Refused before they reach the core: these must leave no trace. */
const MALFORMED: readonly (readonly [string, Record<string, unknown>, number, string])[] = [
  ["a number for a price", { price: 49_500 }, 400, "VALIDATION_FAILED"],
  ["no price", { price: NONE }, 400, "INVALID_ORDER"],
  ["a negative price", { price: "-1" }, 400, "VALIDATION_FAILED"],
  ["an exponent", { price: "5e4" }, 400, "VALIDATION_FAILED"],
  ["a price between ticks", { price: "49500.05" }, 400, "INVALID_PRICE"],
  ["a price beyond every book", { price: "999999999999" }, 400, "INVALID_PRICE"],
  ["no quantity", { quantity: NONE }, 400, "VALIDATION_FAILED"],
  ["a quantity of zero", { quantity: "0" }, 400, "INVALID_QUANTITY"],
  ["a quantity between steps", { quantity: "0.0001" }, 400, "INVALID_QUANTITY"],
  ["an unknown contract", { pairCode: "AAA_BBB" }, 404, "UNKNOWN_MARKET"],
  ["a contract of another product", { biz: "delivery" }, 404, "UNKNOWN_MARKET"],
  ["an unknown product", { biz: "spot" }, 400, "VALIDATION_FAILED"],
  ["an unknown account", { account: "copy:7" }, 404, "UNKNOWN_ACCOUNT"],
  ["a malformed account", { account: "other" }, 400, "VALIDATION_FAILED"],
  ["an unknown side", { side: "hold" }, 400, "VALIDATION_FAILED"],
  ["an unknown member", { leverage: 10 }, 400, "VALIDATION_FAILED"],
  ["a member of another type", { stopPrice: "1" }, 400, "INVALID_COMBINATION"],
  ["a market order with a price", { type: "market" }, 400, "INVALID_COMBINATION"],
  ["a side of a hedge in one-way mode", { positionSide: "long" }, 400, "INVALID_COMBINATION"],
  ["a position without reducing", { positionId: "1" }, 400, "INVALID_COMBINATION"],
  ["GTD without an end", { timeInForce: "GTD" }, 400, "INVALID_EXPIRY"],
  ["slippage beyond ten percent", { type: "market", price: NONE, slippagePercent: "11" }, 400, "INVALID_SLIPPAGE"],
  ["a callback out of bounds", { type: "trailingStop", price: NONE, callbackPercent: "50" }, 400, "INVALID_CALLBACK"],
  ["a trigger between ticks", { type: "stopMarket", price: NONE, stopPrice: "1.01" }, 400, "INVALID_TRIGGER"],
  ["too many rungs", { type: "scaled", priceTo: "49600", count: 51 }, 400, "VALIDATION_FAILED"],
  ["rungs without room", { type: "scaled", priceTo: "49500.1", count: 20 }, 400, "INVALID_SCALE"],
  ["a bracket that reduces", { stopLoss: "49000", reduceOnly: true }, 400, "INVALID_COMBINATION"],
  ["a limit behind no stop", { stopLossPrice: "49000" }, 400, "INVALID_COMBINATION"],
  ["a client id with a space", { clientOrderId: "a b" }, 400, "VALIDATION_FAILED"],
  ["the house's self-trade mode", { selfTrade: "NONE" }, 400, "VALIDATION_FAILED"],
];

/** Calls about one contract without side effects. */
const ABOUT_ONE = [
  "instruments",
  "quotations",
  "depth",
  "trades",
  "candles",
  "ladder",
  "funding-history",
  "premium-samples",
  "liquidations",
  "index-sources",
  "long-short",
  "risk-state",
  "positions/settings",
  "positions/margin-history",
] as const;

/** Rejected by the core: journalled, but no balance and no order changes. */
const REFUSED: readonly (readonly [string, Record<string, unknown>, number, string, string])[] = [
  ["more than margin carries", { quantity: "3" }, 422, "INSUFFICIENT_MARGIN", "body.quantity"],
  ["more than the leverage may hold", { quantity: "500" }, 422, "POSITION_LIMIT", "body.quantity"],
  ["a price above the band", { price: "60000" }, 422, "PRICE_TOO_HIGH", "body.price"],
  ["a price below the band", { price: "40000" }, 422, "PRICE_TOO_LOW", "body.price"],
  ["a reduction of the wrong side", { reduceOnly: true }, 409, "REDUCE_ONLY_REJECTED", "body.quantity"],
  ["post-only and IOC", { postOnly: true, timeInForce: "IOC" }, 400, "INVALID_COMBINATION", "body.type"],
  ["an end too near", { timeInForce: "GTD", expiresAtMs: 1 }, 400, "INVALID_EXPIRY", "body.expiresAtMs"],
];

describe("placing an order", () => {
  test.each(MALFORMED)("[FUT-1] %s is refused and leaves no trace", async (_, change, status, code) => {
    const before = await everything();
    const answer = await owner.futures("/v1/futuresc/orders", { ...LIMIT, ...change });
    expect([answer.status, answer.code, answer.data]).toEqual([status, code, null]);
    expect(answer.message.length).toBeGreaterThan(5);
    expect(await everything()).toEqual(before);
  });

  test.each(REFUSED)("[FUT-1] %s is refused by name and bound", async (_, change, status, code, field) => {
    const before = await accountOf(owner);
    const answer = await owner.futures("/v1/futuresc/orders", { ...LIMIT, ...change });
    expect([answer.status, answer.code]).toEqual([status, code]);
    expect(answer.fields).toHaveProperty([field]);
    expect(await accountOf(owner)).toEqual(before);
    expect((await owner.futures("/v1/futuresc/orders?state=open")).data.orders).toEqual([]);
  });
});

describe("everything else", () => {
  const act = (path: string, body: object): Promise<Answer> => owner.futures(`/v1/futuresc/positions/${path}`, body);
  const calls: readonly (readonly [string, () => Promise<Answer>, number, string])[] = [
    [
      "cancel another's order",
      () => owner.futures(`/v1/futuresc/orders/${otherOrder}`, NONE, "DELETE"),
      404,
      "UNKNOWN_ORDER",
    ],
    ["read another's order", () => owner.futures(`/v1/futuresc/orders/${otherOrder}`), 404, "UNKNOWN_ORDER"],
    ["close another's position", () => act("close", { positionId: otherPosition }), 404, "UNKNOWN_POSITION"],
    ["reverse another's position", () => act("reverse", { positionId: otherPosition }), 404, "UNKNOWN_POSITION"],
    [
      "margin of another's position",
      () => act("margin", { positionId: otherPosition, amount: "1" }),
      404,
      "UNKNOWN_POSITION",
    ],
    ["stops of another's position", () => act("stop", { positionId: otherPosition }), 404, "UNKNOWN_POSITION"],
    ["close no number", () => act("close", { positionId: "abc" }), 400, "VALIDATION_FAILED"],
    [
      "close between steps",
      () => act("close", { positionId: ownPosition, quantity: "0.0001" }),
      400,
      "INVALID_QUANTITY",
    ],
    ["close between ticks", () => act("close", { positionId: ownPosition, price: "1.01" }), 400, "INVALID_PRICE"],
    [
      "slippage of a close at a price",
      () => act("close", { positionId: ownPosition, price: "50000", slippagePercent: "1" }),
      400,
      "INVALID_COMBINATION",
    ],
    [
      "margin of a cross position",
      () => act("margin", { positionId: ownPosition, amount: "1" }),
      409,
      "MARGIN_NOT_ISOLATED",
    ],
    ["margin of zero", () => act("margin", { positionId: ownPosition, amount: "0" }), 400, "INVALID_AMOUNT"],
    [
      "margin finer than a unit",
      () => act("margin", { positionId: ownPosition, amount: "0.0000001" }),
      400,
      "INVALID_AMOUNT",
    ],
    ["a leverage of zero", () => act("leverage", { pairCode: "BTC_USDT", leverage: 0 }), 400, "VALIDATION_FAILED"],
    [
      "a leverage beyond the ladder",
      () => act("leverage", { pairCode: "BTC_USDT", leverage: 200 }),
      400,
      "INVALID_LEVERAGE",
    ],
    ["half a leverage", () => act("leverage", { pairCode: "BTC_USDT", leverage: 1.5 }), 400, "VALIDATION_FAILED"],
    [
      "a side's leverage in one-way mode",
      () => act("leverage", { pairCode: "BTC_USDT", leverage: 5, side: "long" }),
      400,
      "INVALID_COMBINATION",
    ],
    ["leverage of nothing", () => act("leverage", { pairCode: "AAA_BBB", leverage: 5 }), 404, "UNKNOWN_MARKET"],
    [
      "an unknown margin mode",
      () => act("margin-mode", { pairCode: "BTC_USDT", mode: "both" }),
      400,
      "VALIDATION_FAILED",
    ],
    ["a mode with a position", () => act("mode", { mode: "hedge" }), 409, "MODE_LOCKED"],
    ["split layout without hedge", () => act("layout", { layout: "split" }), 409, "SPLIT_NEEDS_HEDGE"],
    [
      "modes of a coin nobody settles in",
      () => act("mode", { mode: "hedge", biz: "delivery", coin: "DOGE" }),
      404,
      "UNKNOWN_ASSET",
    ],
    ["auto-append of nothing", () => act("auto-append", { pairCode: "AAA_BBB", isOn: true }), 404, "UNKNOWN_MARKET"],
    [
      "a stop already reached",
      () => act("stop", { positionId: ownPosition, loss: { triggerPrice: "51000" } }),
      422,
      "TRIGGER_ALREADY_TRUE",
    ],
    [
      "a limit behind a whole stop",
      () => act("stop", { positionId: ownPosition, profit: { triggerPrice: "51000", price: "51000" } }),
      400,
      "INVALID_COMBINATION",
    ],
    [
      "a loss and a trail",
      () => act("stop", { positionId: ownPosition, loss: { triggerPrice: "49000" }, trailing: { trailBps: 100 } }),
      400,
      "INVALID_COMBINATION",
    ],
    ["a part of nothing", () => act("stop", { positionId: ownPosition, quantity: "0.05" }), 400, "INVALID_ORDER"],
    [
      "a part larger than the whole",
      () => act("stop", { positionId: ownPosition, quantity: "9", profit: { triggerPrice: "51000" } }),
      422,
      "QUANTITY_TOO_LARGE",
    ],
    ["close all of nothing", () => act("close-all", { pairCode: "AAA_BBB" }), 404, "UNKNOWN_MARKET"],
    ["clear nothing", () => owner.futures("/v1/futuresc/orders/clear", { pairCode: "AAA_BBB" }), 404, "UNKNOWN_MARKET"],
    ["a batch of none", () => owner.futures("/v1/futuresc/orders/batch", { orders: [] }), 400, "VALIDATION_FAILED"],
    ["cancel of none", () => owner.futures("/v1/futuresc/orders/cancel", { orderIds: [] }), 400, "VALIDATION_FAILED"],
    ["orders without a state", () => owner.futures("/v1/futuresc/orders"), 400, "VALIDATION_FAILED"],
    ["positions of nothing", () => owner.futures("/v1/futuresc/positions?pairCode=AAA_BBB"), 404, "UNKNOWN_MARKET"],
    [
      "history of nothing",
      () => owner.futures("/v1/futuresc/positions/history?pairCode=AAA_BBB"),
      404,
      "UNKNOWN_MARKET",
    ],
    ["fills of nothing", () => owner.futures("/v1/futuresc/fills?pairCode=AAA_BBB"), 404, "UNKNOWN_MARKET"],
    ["bills of nothing", () => owner.futures("/v1/futuresc/bills?pairCode=AAA_BBB"), 404, "UNKNOWN_MARKET"],
    [
      "the largest order of nothing",
      () => owner.futures("/v1/futuresc/max-order?pairCode=AAA_BBB"),
      404,
      "UNKNOWN_MARKET",
    ],
    [
      "the largest order between ticks",
      () => owner.futures("/v1/futuresc/max-order?pairCode=BTC_USDT&price=1.01"),
      400,
      "INVALID_PRICE",
    ],
    ...ABOUT_ONE.flatMap((name) =>
      ["futuresc", "perpcm"].map(
        (kind) =>
          [
            `${name} of nothing (${kind})`,
            () => owner.futures(`/v1/${kind}/${name}?pairCode=AAA_BBB${name === "candles" ? "&interval=1m" : ""}`),
            404,
            "UNKNOWN_MARKET",
          ] as const,
      ),
    ),
    ...["liquidations?before=x", "funding-history?pairCode=BTC_USDT&limit=0", "trades?pairCode=BTC_USDT&limit=x"].map(
      (query) =>
        [`no such page: ${query}`, () => owner.futures(`/v1/futuresc/${query}`), 400, "VALIDATION_FAILED"] as const,
    ),
    [
      "samples of no settlement",
      () => owner.futures("/v1/futuresc/premium-samples?pairCode=BTC_USDT&settlement=1234567"),
      404,
      "UNKNOWN_SETTLEMENT",
    ],
    ["a report by no id", () => owner.futures("/v1/futuresc/liquidations/abc"), 400, "VALIDATION_FAILED"],
    ["accounts of no product", () => owner.futures("/v1/futuresc/accounts?biz=spot"), 400, "VALIDATION_FAILED"],
    ["a fee of no product", () => owner.futures("/v1/futuresc/user-level-fee?biz=spot"), 400, "VALIDATION_FAILED"],
    [
      "candles of no kind",
      () => owner.futures("/v1/futuresc/candles?pairCode=BTC_USDT&interval=1m&kind=x"),
      400,
      "VALIDATION_FAILED",
    ],
    ["a fund of no coin", () => owner.futures("/v1/futuresc/risk-fund?asset=NONE"), 404, "UNKNOWN_ASSET"],
    ["a level beyond the highest", () => owner.dev("/identity", { level: 4 }), 400, "VALIDATION_FAILED"],
  ];
  // The auto-deleveraging rank is recomputed periodically, independent of any call.
  const mine = async () => [await accountOf(owner), (await positionsOf(owner)).map((one) => ({ ...one, adl: 0 }))];
  test.each(calls)("[FUT-1] %s is refused and changes nothing", async (_, call, status, code) => {
    const before = await mine();
    const answer = await call();
    expect([answer.status, answer.code, answer.data]).toEqual([status, code, null]);
    expect(await mine()).toEqual(before);
  });

  test("[FUT-1] a visitor sees public data and must sign in for the rest", async () => {
    const visitor = new Visitor(server);
    for (const path of ["instruments", "quotations", "ladder?pairCode=BTC_USDT", "depth?pairCode=BTC_USDT"]) {
      expect((await visitor.futures(`/v1/futuresc/${path}`)).status).toBe(200);
    }
    for (const path of ["positions", "accounts", "orders?state=open", "fills", "bills", "my-liquidations"]) {
      expect((await visitor.futures(`/v1/futuresc/${path}`)).code).toBe("UNAUTHENTICATED");
    }
    expect((await order(visitor, LIMIT)).code).toBe("UNAUTHENTICATED");
  });

  test("[FUT-1] the largest order is accepted, one lot more is not", async () => {
    const room = (await owner.futures("/v1/futuresc/max-order?pairCode=BTC_USDT&price=49900")).data;
    const lots = Math.round(Number(room.buyQuantity) * 1_000);
    const more = { side: "buy", price: "49900", quantity: ((lots + 1) / 1_000).toFixed(3) };
    expect((await order(owner, more)).code).toBe("INSUFFICIENT_MARGIN");
    expect((await order(owner, { ...more, quantity: room.buyQuantity })).status).toBe(200);
    await owner.futures("/v1/futuresc/orders/clear", {});
  });

  test("[FUT-1] an order is changed and ended only in the named account, which must be the user's own", async () => {
    const { orderId } = (await order(owner, { ...LIMIT, price: "49000" })).data;
    const path = `/v1/futuresc/orders/${orderId}`;
    const named = await owner.futures(`${path}?account=lead`, NONE, "DELETE");
    expect([named.code, named.fields]).toEqual(["UNKNOWN_ACCOUNT", { "query.account": named.message }]);
    expect((await owner.futures(path, { account: "lead", price: "48900" }, "PATCH")).code).toBe("UNKNOWN_ACCOUNT");
    const many = { account: "lead", orderIds: [orderId] };
    expect((await owner.futures("/v1/futuresc/orders/cancel", many)).code).toBe("UNKNOWN_ACCOUNT");
    expect((await owner.futures(path, { account: "main", price: "48900" }, "PATCH")).data.price).toBe("48900.0");
    expect((await owner.futures(`${path}?account=main`, NONE, "DELETE")).data.status).toBe("CANCELED");
  });

  test("[DLV-1] another mode is set for every coin or for none", async () => {
    const visitor = await server.trader({ BTC: "1", XRP: "5000" });
    await visitor.dev("/identity", { level: 1 });
    const moved = { asset: "XRP", amount: "5000", from: "1", to: "4", clientId: "modes-xrp" };
    expect((await visitor.post("/asset/v1/api/wallet/transfer", moved)).status).toBe(200);
    const market = await server.marketOf("XRP_USD");
    await server.mark(market, 10_000);
    await server.submit({ kind: "setMarketStatus", market, status: "TRADING" });
    const settings = (pairCode: string) =>
      visitor.futures(`/v1/futuresc/positions/settings?biz=delivery&pairCode=${pairCode}`);
    const modes = async () => [
      (await settings("BTC_USD")).data.positionMode,
      (await settings("XRP_USD")).data.positionMode,
    ];
    const about = { biz: "delivery", pairCode: "XRP_USD", price: "0.9900" };
    const placed = await order(visitor, { ...about, side: "buy", type: "limit", quantity: "100" });
    expect(placed.status).toBe(200);
    const refused = await visitor.futures("/v1/futuresc/positions/mode", { biz: "delivery", mode: "hedge" });
    expect(refused.code).toBe("MODE_LOCKED");
    expect(await modes()).toEqual(["one-way", "one-way"]);
    const alone = await visitor.futures("/v1/futuresc/positions/mode", { biz: "delivery", mode: "hedge", coin: "BTC" });
    expect(alone.status).toBe(200);
    expect(await modes()).toEqual(["hedge", "one-way"]);
    await visitor.futures("/v1/futuresc/orders/clear", { biz: "delivery" });
    expect((await visitor.futures("/v1/futuresc/positions/mode", { biz: "delivery", mode: "hedge" })).status).toBe(200);
    expect(await modes()).toEqual(["hedge", "hedge"]);
  });
});
