// Every refusal a command can meet, and the fixed order in which an order's checks run.
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { createMachine } from "../../machine/machine.ts";
import type { Command } from "../../protocol/command.ts";
import { REJECTIONS, type Rejection } from "../../protocol/rejection.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createStage, type Stage } from "../../testing/stage.ts";

type Place = Extract<Command, { readonly kind: "placeOrder" }>;

const seen = new Set<Rejection>();
let stage: Stage;
let alice: number;
let bob: number;

const refusal = (command: Command): Rejection | undefined => {
  const code = eventsOf(stage.send(command), "rejected")[0]?.code;
  if (code !== undefined) seen.add(code);
  return code;
};
const order = (more: Partial<Place> = {}): Place => ({
  kind: "placeOrder",
  account: alice,
  market: stage.market,
  side: "buy",
  price: 1_000,
  quantity: 10,
  ...more,
});
/** Makes 1 000 the last price and leaves a spread of 990 to 1 010. */
const openTrading = (): void => {
  stage.send(order({ account: bob, side: "sell" }));
  stage.send(order());
  stage.send(order({ account: bob, side: "sell", price: 1_010, quantity: 5 }));
  stage.send(order({ account: bob, price: 990, quantity: 5 }));
};

beforeEach(() => {
  stage = createStage({
    minLots: 2,
    maxLots: 1_000,
    maxMarketLots: 500,
    minNotionalUnits: 2_000,
    restingMax: 3,
    conditionalMax: 2,
    listMax: 1,
    anchorTicks: 1_000,
  });
  alice = stage.trader(1e7, 1e7);
  bob = stage.trader(1e7, 1e7);
});

const ORDER_CASES: readonly [Rejection, () => Command][] = [
  ["UNKNOWN_ACCOUNT", () => order({ account: 9_999 })],
  ["UNKNOWN_MARKET", () => order({ market: 99 })],
  ["BOOK_NOT_TRADABLE", () => order({ account: stage.trader(0, 0, { book: "funding" }) })],
  ["INVALID_PRICE", () => order({ price: 0 })],
  ["INVALID_QUANTITY", () => order({ quantity: 0 })],
  ["QUANTITY_TOO_SMALL", () => order({ quantity: 1 })],
  ["QUANTITY_TOO_LARGE", () => order({ quantity: 1_001 })],
  ["NOTIONAL_TOO_SMALL", () => order({ quantity: 2, price: 999 })],
  ["PRICE_TOO_HIGH", () => order({ price: 1_201 })],
  ["PRICE_TOO_LOW", () => order({ price: 199, quantity: 100 })],
  ["PRICE_TOO_LOW", () => order({ side: "sell", price: 799 })],
  ["PRICE_TOO_HIGH", () => order({ side: "sell", price: 5_001 })],
  ["INSUFFICIENT_BALANCE", () => order({ account: stage.trader(0, 9_999) })],
  ["NO_LIQUIDITY", () => order({ type: "market", price: 0 })],
  ["INVALID_EXPIRY", () => order({ timeInForce: "GTD", expiresAt: stage.time + 59_999 })],
  ["INVALID_EXPIRY", () => order({ timeInForce: "GTD", expiresAt: stage.time + 91 * 86_400_000 })],
  ["INVALID_ICEBERG", () => order({ quantity: 100, visible: 4 })],
  ["INVALID_COMBINATION", () => order({ timeInForce: "IOC", postOnly: "reject" })],
  ["INVALID_COMBINATION", () => order({ inQuote: true })],
  ["INVALID_COMBINATION", () => order({ type: "market", price: 0, timeInForce: "FOK" })],
  ["SELF_TRADE_MODE_FORBIDDEN", () => order({ selfTrade: "NONE" })],
  ["INVALID_CLIENT_ORDER_ID", () => order({ clientOrderId: "no spaces" })],
  ["UNKNOWN_ORDER", () => ({ kind: "cancelOrder", account: alice, orderId: 12_345 })],
  ["UNKNOWN_ORDER", () => ({ kind: "cancelOrder", account: alice, clientOrderId: "never" })],
  ["UNKNOWN_ORDER", () => ({ kind: "amendOrder", account: alice, orderId: 1, quantity: 5 })],
  ["UNKNOWN_LIST", () => ({ kind: "cancelList", account: alice, list: 3 })],
  ["INVALID_TIMEOUT", () => ({ kind: "setDeadMan", account: alice, timeoutMs: 2_999 })],
  ["INVALID_TIMEOUT", () => ({ kind: "setDeadMan", account: alice, timeoutMs: 300_001 })],
  ["INVALID_SCALE", () => ({ ...order(), kind: "placeScaled", priceTo: 1_001, count: 3 })],
  ["INVALID_TWAP", () => ({ ...order(), kind: "placeTwap", durationMs: 299_999, intervalMs: 10_000 })],
  ["NO_REFERENCE_PRICE", () => ({ ...order(), kind: "placeOco", trigger: 1_100 })],
  ["NO_REFERENCE_PRICE", () => ({ ...order(), kind: "placeConditional", conditional: "stopLimit", trigger: 1_100 })],
  ["INVALID_TRIGGER", () => ({ ...order(), kind: "placeConditional", conditional: "stopLimit", trigger: 0 })],
  [
    "INVALID_CALLBACK",
    () => ({ ...order(), kind: "placeConditional", conditional: "trailingStop", callbackBps: 1_001 }),
  ],
  ["INVALID_BRACKET_PRICES", () => ({ ...order(), kind: "placeBracket", profitPrice: 990 })],
];

describe("orders", () => {
  it.each(ORDER_CASES)("[REJECT-1] %s", (code, make) => {
    expect(refusal(make())).toBe(code);
  });

  it("[REJECT-2] checks run in their fixed order: a worse fault further down is not reported first", () => {
    openTrading();
    const worst = order({ price: 3_000, quantity: 0, selfTrade: "NONE", postOnly: "reject" });
    stage.send({ kind: "setMarketStatus", market: stage.market, status: "HALT" });
    expect(refusal(worst)).toBe("MARKET_NOT_TRADING");
    stage.send({ kind: "setMarketStatus", market: stage.market, status: "TRADING" });
    expect(refusal(worst)).toBe("INVALID_QUANTITY");
    expect(refusal({ ...worst, quantity: 1 })).toBe("QUANTITY_TOO_SMALL");
    expect(refusal({ ...worst, quantity: 2, price: 500 })).toBe("NOTIONAL_TOO_SMALL");
    expect(refusal({ ...worst, quantity: 2 })).toBe("PRICE_TOO_HIGH");
    for (let i = 0; i < 3; i++) stage.send(order({ price: 900 + i }));
    expect(refusal({ ...worst, quantity: 900, price: 1_100 })).toBe("TOO_MANY_ORDERS");
    stage.send({ kind: "cancelAll", account: alice });
    const poor = stage.trader(0, 100);
    expect(refusal({ ...worst, account: poor, quantity: 900, price: 1_100 })).toBe("INSUFFICIENT_BALANCE");
    expect(refusal({ ...worst, quantity: 10, price: 1_100 })).toBe("POST_ONLY_WOULD_CROSS");
    expect(refusal({ ...worst, quantity: 10, price: 1_000 })).toBe("SELF_TRADE_MODE_FORBIDDEN");
  });

  it("[REJECT-3] each status says what it allows", () => {
    const status = (name: "PRE" | "AUCTION" | "CANCEL_ONLY" | "REDUCE_ONLY" | "HALT" | "DELISTED") =>
      stage.send({ kind: "setMarketStatus", market: stage.market, status: name });
    openTrading();
    status("PRE");
    expect(refusal(order())).toBe("MARKET_NOT_TRADING");
    status("CANCEL_ONLY");
    expect(refusal(order())).toBe("MARKET_CANCEL_ONLY");
    status("REDUCE_ONLY");
    expect(refusal(order())).toBe("REDUCE_ONLY_REJECTED");
    expect(refusal(order({ side: "sell", price: 1_005 }))).toBeUndefined();
    status("AUCTION");
    expect(refusal(order({ price: 1_010 }))).toBe("MARKET_AUCTION");
    expect(refusal(order({ price: 1_000 }))).toBeUndefined();
    const ended = eventsOf(status("DELISTED"), "orderEnded");
    expect(ended.length).toBeGreaterThan(3);
    expect(new Set(ended.map(({ reason }) => reason))).toEqual(new Set(["MARKET_STATUS"]));
    expect(refusal({ kind: "setMarketStatus", market: stage.market, status: "TRADING" })).toBe("INVALID_STATUS_CHANGE");
  });

  it("[REJECT-4] plans and lists have their own limits and prices", () => {
    openTrading();
    const plan = {
      ...order({ side: "sell" }),
      kind: "placeConditional",
      conditional: "stopLimit",
      direction: "falls",
      trigger: 950,
    } as const;
    expect(refusal({ ...plan, trigger: 1_000 })).toBe("TRIGGER_ALREADY_TRUE");
    expect(refusal({ ...order({ side: "sell", price: 990 }), kind: "placeOco", trigger: 950 })).toBe(
      "INVALID_OCO_PRICES",
    );
    expect(refusal({ ...order({ side: "sell", price: 1_100 }), kind: "placeOco", trigger: 950 })).toBeUndefined();
    expect(refusal({ ...order({ side: "sell", price: 1_100 }), kind: "placeOco", trigger: 950 })).toBe(
      "TOO_MANY_LISTS",
    );
    stage.send(plan);
    expect(refusal(plan)).toBe("TOO_MANY_CONDITIONALS");
    expect(refusal(order({ type: "market", price: 0, slippageBps: 1_001 }))).toBe("INVALID_SLIPPAGE");
    expect(
      refusal(order({ account: alice, quantity: 1_000, price: 1_000, side: "buy", clientOrderId: "one" })),
    ).toBeUndefined();
    expect(refusal(order({ quantity: 999, price: 1_000, clientOrderId: "one" }))).toBe("DUPLICATE_CLIENT_ORDER_ID");
    expect(refusal({ kind: "amendOrder", account: alice, clientOrderId: "one" })).toBe("AMEND_NO_CHANGE");
    stage.send(order({ account: bob, side: "sell", quantity: 100 }));
    expect(refusal({ kind: "amendOrder", account: alice, clientOrderId: "one", quantity: 100 })).toBe(
      "AMEND_BELOW_FILLED",
    );
    const waiting = eventsOf(stage.send({ ...plan, account: bob, clientOrderId: "plan" }), "conditionalAccepted");
    expect(waiting).toHaveLength(1);
    expect(refusal({ kind: "amendOrder", account: bob, clientOrderId: "plan", quantity: 5 })).toBe("AMEND_NOT_ALLOWED");
    stage.send({ kind: "setAccountFlags", account: alice, blockTrading: true });
    expect(refusal(order())).toBe("ACCOUNT_BLOCKED");
  });

  it("[REJECT-5] a notional beyond 2^53 units is refused before anything is computed with it", () => {
    stage.send({ kind: "setMarketLimits", market: stage.market, buyMaxBps: 0, sellMaxBps: 0 });
    expect(refusal(order({ price: 1_000_000_000, quantity: 90_000_000 }))).toBe("NOTIONAL_TOO_LARGE");
  });
});

describe("operators and money", () => {
  const listing = { kind: "listMarket", tickMantissa: 1, tickDecimals: 1, stepUnits: 1_000, symbol: "X/Y" } as const;

  it("[REJECT-6] a market whose tick × step is no whole number of quote units is not listed", () => {
    const bad = { ...listing, base: stage.base, quote: stage.quote, tickDecimals: 2 };
    expect(refusal(bad)).toBe("TICK_STEP_NOT_WHOLE");
    expect(refusal({ ...bad, stepUnits: 10_000 })).toBeUndefined();
  });

  it("[REJECT-7] listings, rates, references and batches are checked", () => {
    expect(refusal({ kind: "listAsset", symbol: "BTC", scale: 8 })).toBe("ASSET_EXISTS");
    expect(refusal({ ...listing, symbol: "BTC/USDT", base: stage.base, quote: stage.quote })).toBe("MARKET_EXISTS");
    expect(refusal({ ...listing, base: stage.base, quote: stage.base })).toBe("INVALID_LISTING");
    expect(refusal({ ...listing, base: 77, quote: stage.base })).toBe("UNKNOWN_ASSET");
    expect(refusal({ kind: "setFeeGroup", feeGroup: 0, makerRate: -1, takerRate: 0 })).toBe("INVALID_FEE_RATE");
    expect(refusal({ kind: "setFeeGroup", feeGroup: 16, makerRate: 0, takerRate: 0 })).toBe("MALFORMED_COMMAND");
    const mint = {
      kind: "mint",
      account: alice,
      asset: stage.quote,
      units: 1,
      business: "deposit",
      reference: "r",
    } as const;
    expect(refusal({ ...mint, reference: "" })).toBe("INVALID_REFERENCE");
    expect(refusal({ ...mint, units: 0 })).toBe("INVALID_AMOUNT");
    expect(refusal({ ...mint, units: Number.MAX_SAFE_INTEGER })).toBe("MINT_LIMIT");
    expect(refusal({ ...mint, kind: "transfer", to: alice })).toBe("NOT_TRANSFERABLE");
    expect(refusal({ ...mint, kind: "release", hold: "none" })).toBe("UNKNOWN_HOLD");
    stage.send({ ...mint, kind: "hold", reference: "h" });
    expect(refusal({ ...mint, kind: "release", units: 2, hold: "h" })).toBe("HOLD_EXCEEDED");
    expect(refusal({ ...mint, reference: "h" })).toBe("REFERENCE_REUSED");
    expect(refusal({ kind: "batch", account: alice, count: 51 })).toBe("BATCH_TOO_LARGE");
    const forbidden = eventsOf(stage.batch(alice, [{ kind: "tick" }]), "rejected")[0]?.code;
    expect(forbidden).toBe("BATCH_ITEM_FORBIDDEN");
    seen.add("BATCH_ITEM_FORBIDDEN");
  });

  it("[REJECT-8] bytes that are no command are refused, not obeyed", () => {
    const machine = createMachine();
    const bytes = new Uint8Array(32);
    const view = new DataView(bytes.buffer);
    const codes = [
      [16, 1],
      [24, 0],
      [24, 200],
    ].map(([length, kind], i) => {
      view.setUint16(0, length as number, true);
      view.setUint8(2, kind as number);
      view.setFloat64(8, i + 1, true);
      machine.events.clear();
      machine.apply(bytes, 0);
      return new DataView(machine.events.bytes.buffer).getUint8(2);
    });
    const names = codes.map((code) => REJECTIONS[code]);
    expect(names).toEqual(["MALFORMED_COMMAND", "UNKNOWN_COMMAND", "UNKNOWN_COMMAND"]);
    for (const name of names) if (name !== undefined) seen.add(name);
  });
});

/** Codes that belong to parts of the machine that cannot be reached yet, or to capacities no test can fill. */
/** Met by the tests of core/src/perp. */
const PERPETUAL = REJECTIONS.slice(REJECTIONS.indexOf("NOT_A_PERPETUAL"));
const ELSEWHERE: readonly Rejection[] = ["NONE", "POSITION_LIMIT", "CAPACITY", ...PERPETUAL];

afterAll(() => {
  const missing = REJECTIONS.filter((code) => !seen.has(code) && !ELSEWHERE.includes(code));
  expect(missing, "codes no test has met").toEqual([]);
});
