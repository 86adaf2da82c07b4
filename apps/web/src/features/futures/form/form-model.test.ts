// The futures form: what it sends, what it refuses, how sizes in value become quantities.
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { describe, expect, test } from "vitest";
import { tradeCatalogue } from "#locales/en-us-trade.ts";
import { ORDER_KINDS } from "#trade/order/form-kinds.ts";
import { describeMembers } from "#trade/order/order-words.ts";
import {
  applyPercent,
  buildOrder,
  computePrice,
  findFaults,
  quantityOf,
  sideOfPosition,
  takePick,
} from "./form-model.ts";
import { EMPTY_FORM, type FormState, type FormWorld, kindsOf, settleOptions, type TextField } from "./form-state.ts";

const PAIR = {
  pairCode: "BTC_USDT",
  biz: "futures",
  kind: "linear",
  base: "BTC",
  quote: "USDT",
  settle: "USDT",
  status: "TRADING",
  priceDecimals: 1,
  quantityDecimals: 3,
  tickSize: "0.1",
  stepSize: "0.001",
  minQuantity: "0.001",
  maxQuantity: "500",
  maxMarketQuantity: "50",
  band: { buyMax: "1.05", buyMin: "0.2", sellMin: "0.95", sellMax: "5" },
} as unknown as ContractInfo;

const WORLD: FormWorld = {
  pair: PAIR,
  isHedge: false,
  last: "64131.2",
  mark: "64127.6",
  bandPrice: "64100",
  bid: "64131.1",
  ask: "64131.2",
  mostBuy: "3.2",
  mostSell: "2.7",
  heldAgainst: { buy: "0", sell: "0.5" },
  nowMs: Date.UTC(2026, 10, 15, 14, 32),
  zone: "UTC0",
};

function form(options: Partial<Omit<FormState, "texts">>, texts: Partial<Record<TextField, string>> = {}): FormState {
  return { ...EMPTY_FORM, ...options, texts: { ...EMPTY_FORM.texts, ...texts } };
}

const FULL: Readonly<Record<(typeof ORDER_KINDS)[number], FormState>> = {
  limit: form(
    { exits: true, postOnly: true },
    { price: "64100", quantity: "0.25", stopProfit: "65800", stopLoss: "62400" },
  ),
  market: form({ kind: "market", side: "sell", reduceOnly: true }, { quantity: "0.25", slippagePercent: "1" }),
  stopLimit: form({ kind: "stopLimit" }, { stopPrice: "65000", price: "65100", quantity: "0.1" }),
  stopMarket: form({ kind: "stopMarket", side: "sell" }, { stopPrice: "60000", quantity: "0.1" }),
  trailingStop: form({ kind: "trailingStop", side: "sell" }, { stopPrice: "66000", quantity: "0.1" }),
  oco: form(
    { kind: "oco", side: "sell" },
    { price: "66000", stopPrice: "62000", stopLimitPrice: "61900", quantity: "0.1" },
  ),
  twap: form({ kind: "twap" }, { price: "65000", quantity: "0.5" }),
  scaled: form({ kind: "scaled" }, { price: "60000", priceTo: "62000", quantity: "0.5" }),
};

describe("the order that is sent", () => {
  test("[FUT-1] a limit order carries its exits and nothing hidden", () => {
    expect(buildOrder(FULL.limit, WORLD)).toEqual({
      biz: "futures",
      pairCode: "BTC_USDT",
      side: "buy",
      type: "limit",
      price: "64100",
      quantity: "0.25",
      stopProfit: "65800",
      stopLoss: "62400",
      timeInForce: "GTC",
      postOnly: true,
    });
  });

  test("[FUT-1] hedge mode names the position's side and never sends reduce-only", () => {
    const world = { ...WORLD, isHedge: true };
    const close = form({ side: "sell", intent: "close", reduceOnly: true }, { price: "64100", quantity: "0.5" });
    expect(buildOrder(close, world)).toMatchObject({ side: "sell", positionSide: "long" });
    expect(buildOrder(close, world)).not.toHaveProperty("reduceOnly");
    expect(sideOfPosition(form({ side: "sell", intent: "open" }))).toBe("short");
  });

  test("[FUT-1] triggers name their source and the direction the user saw", () => {
    expect(buildOrder(FULL.stopMarket, WORLD)).toMatchObject({ triggerSource: "mark", triggerDirection: "falls" });
    const between = form({ kind: "stopMarket" }, { stopPrice: "64130", quantity: "0.1" });
    expect(buildOrder(between, WORLD).triggerDirection).toBe("rises");
    expect(buildOrder({ ...between, triggerSource: "last" }, WORLD).triggerDirection).toBe("falls");
  });

  test.each(ORDER_KINDS)("[FUT-1] every member of a %s order is in its confirmation", (kind) => {
    const order = buildOrder(FULL[kind], WORLD);
    const lines = describeMembers(order, {
      text: (key, values) =>
        tradeCatalogue[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values?.[name] ?? whole)),
      assets: { price: "USDT", quantity: "BTC", value: "USDT" },
      priceDecimals: 1,
      quantityDecimals: 3,
      zone: "UTC0",
    });
    const reply = new Set(lines.flatMap(({ members }) => members));
    expect(Object.keys(order).filter((member) => !reply.has(member))).toEqual(["biz", "pairCode", "side", "type"]);
    expect(lines.filter(({ members, label }) => members.includes(label))).toEqual([]);
  });
});

describe("lists, icebergs and expiries", () => {
  test("[FUT-1] an OCO contains both prices and its source; the last price must be between them", () => {
    expect(buildOrder(FULL.oco, WORLD)).toMatchObject({
      type: "oco",
      price: "66000",
      stopPrice: "62000",
      stopLimitPrice: "61900",
      triggerSource: "mark",
    });
    expect(findFaults(FULL.oco, { ...WORLD, heldAgainst: { buy: "0", sell: "0.5" } })).toEqual({});
    const turned = form({ kind: "oco", side: "buy" }, { price: "66000", stopPrice: "62000", quantity: "0.1" });
    expect(findFaults(turned, WORLD)).toMatchObject({
      stopPrice: { code: "OCO_ABOVE_LAST", limit: "64131.2" },
      price: { code: "OCO_BELOW_LAST", limit: "64131.2" },
    });
    // The size is computed at the more expensive leg.
    expect(computePrice(FULL.oco, WORLD)).toBe("66000");
  });

  test("[FUT-1] an iceberg shows at least a twentieth; an expiry is a minute to ninety days ahead", () => {
    const hidden = form({ iceberg: true }, { price: "64100", quantity: "2", visibleQuantity: "0.05" });
    expect(findFaults(hidden, WORLD)).toEqual({ visibleQuantity: { code: "INVALID_ICEBERG", limit: "0.100" } });
    const dated = form({ timeInForce: "GTD" }, { price: "64100", quantity: "1", expiresAt: "2026-11-16T00:00" });
    expect(findFaults(dated, WORLD)).toEqual({});
    expect(buildOrder(dated, WORLD)).toMatchObject({ timeInForce: "GTD", expiresAtMs: Date.UTC(2026, 10, 16) });
    const late = form({ timeInForce: "GTD" }, { price: "64100", quantity: "1", expiresAt: "2027-11-16T00:00" });
    expect(findFaults(late, WORLD)).toEqual({ expiresAt: { code: "INVALID_EXPIRY" } });
  });

  test("[FUT-4] the demo offers only what its fills support; exits, expiry and hidden parts are dropped", () => {
    const demo = form({ isDemo: true, exits: true, iceberg: true, timeInForce: "GTD" });
    expect(kindsOf(demo)).toEqual(["limit", "market", "stopLimit", "stopMarket", "trailingStop", "scaled"]);
    expect(settleOptions(demo)).toMatchObject({ exits: false, iceberg: false, timeInForce: "GTC" });
    expect(settleOptions(form({ kind: "twap", reduceOnly: true })).reduceOnly).toBe(false);
  });
});

describe("what is refused before it is sent", () => {
  test("[FUT-1] more than the margin carries, and more than is held to close", () => {
    const buy = form({}, { price: "64100", quantity: "3.201" });
    expect(findFaults(buy, WORLD)).toEqual({ quantity: { code: "INSUFFICIENT_MARGIN", limit: "3.200" } });
    const close = form({ side: "sell", reduceOnly: true }, { price: "64200", quantity: "0.501" });
    expect(findFaults(close, WORLD)).toEqual({ quantity: { code: "CLOSE_TOO_LARGE", limit: "0.500" } });
  });

  test("[FUT-1] exits on the wrong side, prices off the grid, triggers that are true already", () => {
    const exits = form({ exits: true }, { price: "64100", quantity: "0.1", stopProfit: "64000", stopLoss: "64200" });
    expect(findFaults(exits, WORLD)).toEqual({
      stopProfit: { code: "EXIT_ABOVE_ENTRY", limit: "64100.0" },
      stopLoss: { code: "EXIT_BELOW_ENTRY", limit: "64100.0" },
    });
    expect(findFaults(form({}, { price: "64100.05", quantity: "0.1" }), WORLD)).toEqual({
      price: { code: "INVALID_PRICE", limit: "0.1" },
    });
    const stop = form({ kind: "stopMarket" }, { stopPrice: "64127.6", quantity: "0.1" });
    expect(findFaults(stop, WORLD)).toEqual({ stopPrice: { code: "TRIGGER_ALREADY_TRUE" } });
  });
});

describe("sizes", () => {
  test("[FUT-1] a size typed in value becomes whole steps, never more than it pays for", () => {
    const linear = form({ sizeIn: "value" }, { price: "64100", quantity: "1000" });
    expect(quantityOf(linear, WORLD)).toEqual({ units: 15n, scale: 3 });
    const inverse = {
      ...WORLD,
      pair: { ...PAIR, kind: "inverse", stepSize: "100", quantityDecimals: 0 } as ContractInfo,
    };
    expect(quantityOf(form({ sizeIn: "value" }, { price: "50000", quantity: "0.0205" }), inverse)?.units).toBe(1000n);
  });

  test("[FUT-1] the slider is a share of what the server would take, or of what is held when closing", () => {
    expect(applyPercent(form({}), WORLD, 50).texts.quantity).toBe("1.600");
    expect(applyPercent(form({ side: "sell", reduceOnly: true }), WORLD, 100).texts.quantity).toBe("0.500");
    const pick = { source: "book", price: "64120.0", quantity: "50" } as const;
    expect(takePick(form({}), WORLD, pick, "affordable").texts.quantity).toBe("3.200");
  });
});
