// Plans, slicers and scales at their bounds: each met, and each missed by one.
import { present } from "@clockwork/kit/assert";
import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import { beforeEach, describe, expect, it } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import type { Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { CONDITIONAL_TYPES, SCALED_SHAPES, TRIGGER_DIRECTIONS, TRIGGER_SOURCES } from "../../protocol/names.ts";
import { eventsOf, sendChecked } from "../../testing/driver.ts";
import { createStage, drawBook, type Stage } from "../../testing/stage.ts";
import { scaledLots } from "./twap.ts";

let stage: Stage;
let alice: number;
let bob: number;

const send = (command: Command): MachineEvent[] => sendChecked(stage, command);
const limit = (account: number, side: "buy" | "sell", price: number, quantity: number): MachineEvent[] =>
  send({ kind: "placeOrder", account, market: stage.market, side, price, quantity });
const order = (kind: Command["kind"], more: object): MachineEvent[] =>
  send({ kind, account: alice, market: stage.market, side: "buy", price: 1_010, quantity: 10, ...more } as Command);
/** Why a command was refused and by which bound, where that is all it did; undefined where nothing was refused. */
const refusal = (events: readonly MachineEvent[]): unknown => {
  const [first] = eventsOf(events, "rejected");
  if (first === undefined) return undefined;
  return events.length === 1 ? [first.code, first.limit] : events.map(({ kind }) => kind);
};
/** Numbers that are no quantity, written where the command has its own. */
const brokenQuantities = (command: Command): unknown[] =>
  [0, -1, 2.5, 2 ** 53, Number.NaN].map((quantity) =>
    refusal(sendChecked(stage, command, (view) => view.setFloat64(32, quantity, true))),
  );
const INVALID_QUANTITIES = Array<unknown>(5).fill(["INVALID_QUANTITY", 0]);
const balance = (account: number, asset: number): [number, number] => {
  const { ledger } = coreOf(stage.machine);
  const cell = ledger.cellOf(account, asset);
  return [ledger.available(cell), ledger.frozen(cell)];
};

function open(listing: Parameters<typeof createStage>[0] = {}): void {
  stage = createStage({ anchorTicks: 1_000, ...listing });
  alice = stage.trader(1e9, 1e9);
  bob = stage.trader(1e9, 1e9);
  limit(bob, "sell", 1_000, 10);
  limit(alice, "buy", 1_000, 10);
}

beforeEach(() => open());

describe("plans", () => {
  const plan = (more: object): unknown =>
    refusal(order("placeConditional", { conditional: "stopLimit", direction: "rises", trigger: 1_010, ...more }));

  it("[PLAN-10] a trigger lies beyond the price on its side, within the prices there are", () => {
    expect(plan({ trigger: 1_000 })).toEqual(["TRIGGER_ALREADY_TRUE", 1_000]);
    expect(plan({ trigger: 1_001 })).toBeUndefined();
    expect(plan({ direction: "falls", trigger: 1_000 })).toEqual(["TRIGGER_ALREADY_TRUE", 1_000]);
    expect(plan({ direction: "falls", trigger: 999 })).toBeUndefined();
    expect(plan({ direction: "falls", trigger: 1 })).toBeUndefined();
    expect(plan({ direction: "falls", trigger: 0 })).toEqual(["INVALID_TRIGGER", 0]);
    expect(plan({ trigger: PRICE_TICKS_MAX })).toBeUndefined();
    expect(plan({ trigger: PRICE_TICKS_MAX + 1 })).toEqual(["INVALID_TRIGGER", 0]);
    expect(plan({ source: "mark" })).toEqual(["NO_REFERENCE_PRICE", 0]);
  });

  it("[PLAN-10] a limit behind it is a price; a market plan needs none", () => {
    expect(plan({ price: 0 })).toEqual(["INVALID_PRICE", 0]);
    expect(plan({ price: 1 })).toBeUndefined();
    expect(plan({ price: PRICE_TICKS_MAX })).toBeUndefined();
    expect(plan({ price: PRICE_TICKS_MAX + 1 })).toEqual(["INVALID_PRICE", 0]);
    expect(plan({ conditional: "stopMarket", price: 0 })).toBeUndefined();
    expect(plan({ conditional: "stopMarket", price: 0, postOnly: "reject" })).toEqual(["INVALID_COMBINATION", 0]);
    expect(plan({ postOnly: "reject" })).toBeUndefined();
    expect(plan({ timeInForce: "GTD" })).toEqual(["INVALID_COMBINATION", 0]);
    for (const timeInForce of ["IOC", "FOK"]) expect(plan({ timeInForce })).toBeUndefined();
    expect(plan({ inQuote: true })).toEqual(["INVALID_COMBINATION", 0]);
    const sale = { conditional: "stopMarket", side: "sell", direction: "falls", trigger: 900 };
    expect(plan({ ...sale, inQuote: true })).toEqual(["INVALID_COMBINATION", 0]);
  });

  it("[PLAN-10] a callback is a tenth of a percent to ten, an activation any price or none", () => {
    const trail = (more: object): unknown =>
      plan({ conditional: "trailingStop", callbackBps: 100, trigger: 0, ...more });
    expect(trail({ callbackBps: 9 })).toEqual(["INVALID_CALLBACK", 0]);
    expect(trail({ callbackBps: 10 })).toBeUndefined();
    expect(trail({ callbackBps: 1_000 })).toBeUndefined();
    expect(trail({ callbackBps: 1_001 })).toEqual(["INVALID_CALLBACK", 0]);
    expect(trail({ trigger: -1 })).toEqual(["INVALID_TRIGGER", 0]);
    expect(trail({ trigger: PRICE_TICKS_MAX })).toBeUndefined();
    expect(trail({ trigger: PRICE_TICKS_MAX + 1 })).toEqual(["INVALID_TRIGGER", 0]);
    expect(trail({ source: "index" })).toEqual(["NO_REFERENCE_PRICE", 0]);
    expect(trail({ source: "index", trigger: 900 })).toBeUndefined();
  });

  it("[PLAN-10] a plan is of a kind, a source and a direction there are, and for a whole number of lots", () => {
    const order = { account: alice, market: stage.market, side: "buy", price: 1_010, quantity: 10 } as const;
    const stop = { conditional: "stopLimit", direction: "rises", trigger: 1_010 } as const;
    const command = { kind: "placeConditional", ...order, ...stop } as const;
    for (const [byte, names] of [
      [48, CONDITIONAL_TYPES],
      [49, TRIGGER_SOURCES],
      [50, TRIGGER_DIRECTIONS],
    ] as const) {
      const events = sendChecked(stage, command, (view) => view.setUint8(byte, names.length));
      expect(refusal(events)).toEqual(["MALFORMED_COMMAND", 0]);
    }
    expect(brokenQuantities(command)).toEqual(INVALID_QUANTITIES);
  });

  it("[PLAN-11] worth is reckoned in units of the coin, whatever a tick of a lot is", () => {
    // A tick of a lot is ten units.
    open({ tickDecimals: 0, minNotionalUnits: 50_000 });
    expect(plan({ quantity: 5, price: 999 })).toEqual(["NOTIONAL_TOO_SMALL", 50_000]);
    expect(plan({ quantity: 5, price: 1_000 })).toBeUndefined();
    const slicer = { quantity: 150, durationMs: 300_000, intervalMs: 10_000 };
    expect(refusal(order("placeTwap", { ...slicer, price: 999 }))).toEqual(["NOTIONAL_TOO_SMALL", 50_000]);
    expect(refusal(order("placeTwap", { ...slicer, price: 1_000 }))).toBeUndefined();
  });

  it("[PLAN-11] sizes are those of an order at the limit, at the trigger, or at the price there is", () => {
    open({ minLots: 2, maxLots: 1_000, minNotionalUnits: 5_000 });
    expect(plan({ quantity: 2, price: 2_499 })).toEqual(["NOTIONAL_TOO_SMALL", 5_000]);
    expect(plan({ quantity: 2, price: 2_500 })).toBeUndefined();
    expect(plan({ quantity: 1_000 })).toBeUndefined();
    const market = { conditional: "stopMarket", price: 0 };
    expect(plan({ ...market, quantity: 4, trigger: 1_249 })).toEqual(["NOTIONAL_TOO_SMALL", 5_000]);
    expect(plan({ ...market, quantity: 4, trigger: 1_250 })).toBeUndefined();
    expect(plan({ ...market, inQuote: true, quantity: 5_000 })).toBeUndefined();
    const trail = { conditional: "trailingStop", type: "market", price: 0, callbackBps: 100, trigger: 0 };
    expect(plan({ ...trail, quantity: 4 })).toEqual(["NOTIONAL_TOO_SMALL", 5_000]);
    expect(plan({ ...trail, quantity: 5 })).toBeUndefined();
  });

  it("[PLAN-11] no plan is worth more than 53 bits hold, in either coin", () => {
    const most = Number.MAX_SAFE_INTEGER;
    // 2^53 − 1 is 6 361 × 69 431 × 20 394 401.
    expect(plan({ price: 20_394_401, quantity: 6_361 * 69_431 })).toBeUndefined();
    expect(plan({ price: 20_394_402, quantity: 6_361 * 69_431 })).toEqual(["NOTIONAL_TOO_LARGE", most]);
    open({ tickMantissa: 100, tickDecimals: 0, stepUnits: 6_361 });
    expect(plan({ price: 1, quantity: 69_431 * 20_394_401 })).toBeUndefined();
    open({ tickDecimals: 6, stepUnits: 1e8 });
    expect(plan({ price: 1, quantity: 90_071_993 })).toEqual(["NOTIONAL_TOO_LARGE", most]);
    expect(plan({ price: 1, quantity: 90_071_992 })).toBeUndefined();
  });

  it("[PLAN-12] a sale's coins are all that is there and not a lot more, and its end gives them back", () => {
    const carol = stage.trader(3_999, 0);
    const stop = { account: carol, side: "sell", direction: "falls", trigger: 900, price: 890 };
    expect(plan({ ...stop, quantity: 4 })).toEqual(["INSUFFICIENT_BALANCE", 3_999]);
    const made = order("placeConditional", { conditional: "stopLimit", ...stop, quantity: 3 });
    const { orderId } = present(eventsOf(made, "conditionalAccepted")[0], "TEST", "a plan");
    expect(eventsOf(made, "frozen")).toMatchObject([{ account: carol, deltaUnits: 3_000, reference: orderId }]);
    expect(balance(carol, stage.base)).toEqual([999, 3_000]);
    const ended = send({ kind: "cancelOrder", account: carol, orderId });
    expect(eventsOf(ended, "orderEnded")).toMatchObject([{ reason: "USER", lots: 3, releasedUnits: 3_000 }]);
    expect(balance(carol, stage.base)).toEqual([3_999, 0]);
  });

  it("[PLAN-12] a sale of a single unit holds it and gives it back", () => {
    open({ tickMantissa: 100, tickDecimals: 0, stepUnits: 1 });
    const [all] = balance(alice, stage.base);
    const stop = { side: "sell", conditional: "stopLimit", direction: "falls", trigger: 900, price: 890 };
    const made = order("placeConditional", { ...stop, quantity: 1 });
    expect(balance(alice, stage.base)).toEqual([all - 1, 1]);
    const { orderId } = present(eventsOf(made, "conditionalAccepted")[0], "TEST", "a plan");
    send({ kind: "cancelOrder", account: alice, orderId });
    expect(balance(alice, stage.base)).toEqual([all, 0]);
  });

  it("[PLAN-13] a status other than trading takes no plans", () => {
    for (const status of ["PRE", "AUCTION", "REDUCE_ONLY", "HALT"] as const) {
      send({ kind: "setMarketStatus", market: stage.market, status });
      expect(plan({})).toEqual(["MARKET_NOT_TRADING", 0]);
    }
    send({ kind: "setMarketStatus", market: stage.market, status: "CANCEL_ONLY" });
    expect(plan({})).toEqual(["MARKET_CANCEL_ONLY", 0]);
    send({ kind: "setMarketStatus", market: stage.market, status: "TRADING" });
    send({ kind: "setAccountFlags", account: alice, blockTrading: true });
    expect(plan({})).toEqual(["ACCOUNT_BLOCKED", 0]);
    send({ kind: "setAccountFlags", account: alice, allowSelfTrade: true });
    expect(plan({ selfTrade: "NONE" })).toBeUndefined();
  });
});

describe("slicers", () => {
  const twap = (more: object): MachineEvent[] =>
    order("placeTwap", { price: 1_000, quantity: 300, durationMs: 300_000, intervalMs: 10_000, ...more });
  const MINUTE = 60_000;

  it("[TWAP-5] last five minutes to a day in steps of ten seconds to five minutes", () => {
    const timely = (durationMs: number, intervalMs: number): boolean =>
      eventsOf(twap({ quantity: 1e6, durationMs, intervalMs }), "twapStarted").length === 1;
    expect(timely(5 * MINUTE, 10_000)).toBe(true);
    expect(timely(5 * MINUTE - 1, 10_000)).toBe(false);
    expect(timely(5 * MINUTE, 9_999)).toBe(false);
    expect(timely(5 * MINUTE, 5 * MINUTE)).toBe(true);
    expect(timely(10 * MINUTE, 5 * MINUTE + 1)).toBe(false);
    expect(timely(24 * 60 * MINUTE, 5 * MINUTE)).toBe(true);
    expect(timely(24 * 60 * MINUTE + 1, 5 * MINUTE)).toBe(false);
    expect(refusal(twap({ durationMs: 1 }))).toEqual(["INVALID_TWAP", 0]);
  });

  it("[TWAP-5] are limits of whole lots, and even slices that could stand", () => {
    expect(refusal(twap({ price: 0 }))).toEqual(["INVALID_PRICE", 0]);
    // Its slices are outside the band, the slicer itself is not asked for that.
    expect(eventsOf(twap({ price: 1 }), "twapStarted")).toHaveLength(1);
    expect(eventsOf(twap({ price: PRICE_TICKS_MAX }), "twapStarted")).toHaveLength(1);
    expect(refusal(twap({ price: PRICE_TICKS_MAX + 1 }))).toEqual(["INVALID_PRICE", 0]);
    for (const quantity of [1, 29]) expect(refusal(twap({ quantity }))).toEqual(["QUANTITY_TOO_SMALL", 1]);
    const times = { durationMs: 300_000, intervalMs: 10_000 } as const;
    const command = { kind: "placeTwap", account: alice, market: stage.market, side: "buy", price: 1_000 } as const;
    expect(brokenQuantities({ ...command, ...times, quantity: 300 })).toEqual(INVALID_QUANTITIES);
    for (const more of [{ type: "market" }, { inQuote: true }, { postOnly: "reprice" }])
      expect(refusal(twap(more))).toEqual(["INVALID_COMBINATION", 0]);
    open({ minLots: 2, minNotionalUnits: 2_000 });
    expect(refusal(twap({ quantity: 60 }))).toBeUndefined();
    expect(refusal(twap({ quantity: 60, price: 999 }))).toEqual(["NOTIONAL_TOO_SMALL", 2_000]);
    expect(refusal(twap({ quantity: 59 }))).toEqual(["QUANTITY_TOO_SMALL", 2]);
    for (const status of ["PRE", "AUCTION", "REDUCE_ONLY", "HALT"] as const) {
      send({ kind: "setMarketStatus", market: stage.market, status });
      expect(refusal(twap({}))).toEqual(["MARKET_NOT_TRADING", 0]);
    }
  });

  it("[TWAP-5] may trade with their owner's own orders only where the owner may", () => {
    expect(refusal(twap({ selfTrade: "NONE" }))).toEqual(["SELF_TRADE_MODE_FORBIDDEN", 0]);
    expect(eventsOf(twap({ selfTrade: "DECREMENT" }), "twapStarted")).toHaveLength(1);
    send({ kind: "setAccountFlags", account: alice, allowSelfTrade: true });
    expect(eventsOf(twap({ selfTrade: "NONE" }), "twapStarted")).toHaveLength(1);
  });

  it("[TWAP-5] take what is there, down to a lot at a time, and rest nowhere, whatever was asked", () => {
    for (const timeInForce of ["GTC", "IOC", "FOK", "GTD"]) {
      limit(bob, "sell", 1_000, 1);
      for (const [quantity, filledLots] of [
        [60, 1],
        [30, 0],
      ] as const) {
        const made = twap({ quantity, timeInForce });
        expect(eventsOf(made, "orderAccepted")).toMatchObject([{ timeInForce: "IOC", quantity: quantity / 30 }]);
        expect(eventsOf(made, "twapSlice")).toMatchObject([{ filledLots }]);
      }
      expect(drawBook(stage.machine, stage.market)).toBe("--");
    }
  });

  it("[TWAP-6] tell what they are, run at their intervals, and catch up with three times the even slice", () => {
    const made = twap({ quantity: 100, durationMs: 340_000, intervalMs: 100_000 });
    const [started] = eventsOf(made, "twapStarted");
    const { twap: id } = present(started, "TEST", "a slicer");
    expect(started).toMatchObject({ account: alice, market: stage.market, price: 1_000, lots: 100, intervals: 3 });
    expect(started?.intervalMs).toBe(100_000);
    expect(stage.machine.nextTimerAt).toBe(stage.time + 100_000);
    const run = (lots: number): unknown => {
      if (lots > 0) limit(bob, "sell", 1_000, lots);
      stage.time += 100_000;
      const [slice] = eventsOf(send({ kind: "tick" }), "twapSlice");
      return [slice?.twap, slice?.slice, slice?.filledLots, slice?.leftLots];
    };
    expect(eventsOf(made, "twapSlice")).toMatchObject([{ slice: 1, filledLots: 0, leftLots: 100 }]);
    // Half of what is left, then all of it.
    expect(run(200)).toEqual([id, 2, 50, 50]);
    expect(run(0)).toEqual([id, 3, 50, 0]);
    expect(stage.machine.nextTimerAt).toBe(Number.POSITIVE_INFINITY);
  });

  it("[TWAP-6] never more than three times the even slice, rounded up; what is left then is told", () => {
    const made = twap({ quantity: 91, durationMs: 300_000, intervalMs: 30_000 });
    const { twap: id } = present(eventsOf(made, "twapStarted")[0], "TEST", "a slicer");
    for (let i = 0; i < 8; i++) {
      stage.time += 30_000;
      send({ kind: "tick" });
    }
    limit(bob, "sell", 1_000, 200);
    stage.time += 30_000;
    const last = send({ kind: "tick" });
    expect(eventsOf(last, "twapSlice")).toMatchObject([{ twap: id, slice: 10, filledLots: 30, leftLots: 61 }]);
    expect(eventsOf(last, "twapEnded")).toMatchObject([{ twap: id, reason: "TWAP_ENDED", leftLots: 61 }]);
  });

  it("[TWAP-7] a slice that is refused says why, names the bound, and the next one comes", () => {
    const carol = stage.trader(0, 9_999);
    limit(bob, "sell", 1_000, 100);
    const made = twap({ account: carol, quantity: 300 });
    expect(eventsOf(made, "rejected")).toMatchObject([
      { code: "INSUFFICIENT_BALANCE", account: carol, market: stage.market, asset: 0, limit: 9_999 },
    ]);
    expect(eventsOf(made, "twapSlice")).toMatchObject([{ account: carol, filledLots: 0, leftLots: 300 }]);
    expect(stage.machine.nextTimerAt).toBe(stage.time + 10_000);
    // Another's refusal in the same command, which has no bound, names none.
    const dave = stage.trader(0, 1e6);
    twap({ account: dave, quantity: 300, price: 999 });
    send({ kind: "setAccountFlags", account: dave, blockTrading: true });
    stage.time += 10_000;
    expect(eventsOf(send({ kind: "tick" }), "rejected")).toMatchObject([
      { code: "INSUFFICIENT_BALANCE", account: carol, limit: 9_999 },
      { code: "ACCOUNT_BLOCKED", account: dave, limit: 0 },
    ]);
  });
});

describe("scales", () => {
  const scale = (more: object): MachineEvent[] =>
    order("placeScaled", { price: 900, priceTo: 910, quantity: 50, count: 5, ...more });

  it("[SCALE-2] have 2 to 50 orders, a tick apart at least, of a lot at least", () => {
    const wrong = ["INVALID_SCALE", 0];
    expect(refusal(scale({ count: 1 }))).toEqual(wrong);
    expect(refusal(scale({ count: 2 }))).toBeUndefined();
    expect(refusal(scale({ count: 50, price: 900, priceTo: 949 }))).toBeUndefined();
    expect(refusal(scale({ count: 51, price: 900, priceTo: 990, quantity: 100 }))).toEqual(wrong);
    expect(refusal(scale({ count: 5, priceTo: 904 }))).toBeUndefined();
    expect(refusal(scale({ count: 5, priceTo: 903 }))).toEqual(wrong);
    expect(refusal(scale({ count: 5, priceTo: 897 }))).toEqual(wrong);
    expect(refusal(scale({ quantity: 4 }))).toEqual(wrong);
    expect(refusal(scale({ quantity: 5 }))).toBeUndefined();
    expect(refusal(scale({ type: "market" }))).toEqual(["INVALID_COMBINATION", 0]);
    for (const more of [{ price: 0 }, { priceTo: 0 }, { price: PRICE_TICKS_MAX + 1 }, { priceTo: PRICE_TICKS_MAX + 1 }])
      expect(refusal(scale(more))).toEqual(["INVALID_PRICE", 0]);
    expect(refusal(scale({ quantity: 1 }))).toEqual(wrong);
    const ends = { account: alice, market: stage.market, side: "buy", price: 900, priceTo: 910 } as const;
    const command = { kind: "placeScaled", ...ends, quantity: 50, count: 5 } as const;
    expect(brokenQuantities(command)).toEqual(INVALID_QUANTITIES);
    const shaped = sendChecked(stage, command, (view) => view.setUint8(53, SCALED_SHAPES.length));
    expect(refusal(shaped)).toEqual(wrong);
  });

  it("[SCALE-2] reach to the first and the last price there is, where each order is refused by itself", () => {
    const most = PRICE_TICKS_MAX;
    for (const [price, priceTo, code] of [
      [1, 9, "PRICE_TOO_LOW"],
      [9, 1, "PRICE_TOO_LOW"],
      [most, most - 8, "PRICE_TOO_HIGH"],
      [most - 8, most, "PRICE_TOO_HIGH"],
    ] as const) {
      const refused = eventsOf(scale({ price, priceTo }), "rejected");
      expect(refused.map((one) => [one.code, one.item])).toEqual([0, 1, 2, 3, 4].map((item) => [code, item]));
    }
  });

  it("[SCALE-2] what they set in motion has no place in them", () => {
    const carol = stage.trader(0, 1);
    const stop = { conditional: "stopLimit", direction: "rises", trigger: 1_005, price: 1_005 };
    order("placeConditional", { account: carol, ...stop });
    limit(bob, "sell", 1_005, 1);
    expect(eventsOf(scale({ price: 900, priceTo: 1_005, count: 2, quantity: 2 }), "rejected")).toMatchObject([
      { code: "INSUFFICIENT_BALANCE", account: carol, item: 0 },
    ]);
  });

  it("[SCALE-2] prices go evenly from one to the other, rounded toward the first", () => {
    scale({ price: 900, priceTo: 910, count: 4, quantity: 40 });
    expect(drawBook(stage.machine, stage.market)).toBe("--\n910 10\n906 10\n903 10\n900 10");
    send({ kind: "cancelAll", account: alice });
    scale({ price: 910, priceTo: 900, count: 4, quantity: 40, shape: "rising" });
    expect(drawBook(stage.machine, stage.market)).toBe("--\n910 4\n907 8\n904 12\n900 16");
    send({ kind: "cancelAll", account: alice });
    scale({ price: 910, priceTo: 900, count: 4, quantity: 40, shape: "falling" });
    expect(drawBook(stage.machine, stage.market)).toBe("--\n910 16\n907 12\n904 8\n900 4");
  });

  it("[SCALE-2] each refusal names its place and its bound", () => {
    const events = scale({ price: 1_100, priceTo: 1_300, count: 3, quantity: 9 });
    expect(eventsOf(events, "rejected")).toMatchObject([
      { code: "PRICE_TOO_HIGH", limit: 1_200, item: 2, account: alice, market: stage.market, asset: 0 },
    ]);
    expect(eventsOf(limit(alice, "buy", 5_000, 1), "rejected")).toMatchObject([{ item: 0 }]);
  });

  it("[SCALE-3] sizes follow the weights to a lot, whatever the whole", () => {
    const naive = (lots: bigint, count: number, shape: number): bigint[] => {
      const weights = Array.from({ length: count }, (_, i) => BigInt([1, i + 1, count - i][shape] ?? 0));
      const sum = weights.reduce((total, weight) => total + weight, 0n);
      const sizes = weights.map((weight) => (lots * weight) / sum);
      const given = sizes.reduce((total, size) => total + size, 0n);
      return sizes.map((size, i) => (i === count - 1 ? size + lots - given : size));
    };
    for (const lots of [1, 2, 7, 99, 12_345, 2 ** 40 + 1, Number.MAX_SAFE_INTEGER])
      for (const count of [2, 3, 7, 50])
        for (const shape of [0, 1, 2])
          expect(scaledLots(lots, count, shape).map(BigInt)).toEqual(naive(BigInt(lots), count, shape));
  });
});
