// Checks at their bounds: each met, and each missed by one.
import { present } from "@clockwork/kit/assert";
import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import { beforeEach, describe, expect, it } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import type { Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf, sendChecked } from "../../testing/driver.ts";
import { createStage, drawBook, type Stage } from "../../testing/stage.ts";

let stage: Stage;
let alice: number;
let bob: number;

const send = (command: Command): MachineEvent[] => sendChecked(stage, command);
const place = (account: number, side: "buy" | "sell", price: number, quantity: number, more: object = {}) =>
  send({ kind: "placeOrder", account, market: stage.market, side, price, quantity, ...more } as Command);
const market = (account: number, side: "buy" | "sell", quantity: number, more: object = {}): MachineEvent[] =>
  place(account, side, 0, quantity, { type: "market", ...more });
const refusals = (events: readonly MachineEvent[]): unknown[] =>
  eventsOf(events, "rejected").map(({ code, limit: bound }) => [code, bound]);
const fills = (events: readonly MachineEvent[]): unknown[] =>
  eventsOf(events, "trade").map(({ price, lots }) => [price, lots]);
const book = (): string => drawBook(stage.machine, stage.market);
const balance = (account: number, asset: number): [number, number] => {
  const { ledger } = coreOf(stage.machine);
  const cell = ledger.cellOf(account, asset);
  return [ledger.available(cell), ledger.frozen(cell)];
};

function open(listing: Parameters<typeof createStage>[0] = {}): void {
  stage = createStage(listing);
  alice = stage.trader(1e10, 1e10);
  bob = stage.trader(1e10, 1e10);
}

beforeEach(() => open());

describe("sizes", () => {
  it("[CHECK-3] a lot's base units are bounded as well as the value", () => {
    // One lot is a whole coin at a millionth: 90 071 992 of them still fit into 53 bits.
    open({ tickDecimals: 6, stepUnits: 1e8 });
    const rich = stage.trader(Number.MAX_SAFE_INTEGER - 3e10, 0);
    expect(refusals(place(rich, "sell", 1, 90_071_992))).toEqual([["INSUFFICIENT_BALANCE", 2 ** 53 - 1 - 3e10]]);
    expect(refusals(place(rich, "sell", 1, 90_071_993))).toEqual([["NOTIONAL_TOO_LARGE", 2 ** 53 - 1]]);
  });

  it("[CHECK-3] the highest value that fits into 53 bits is one", () => {
    expect(refusals(place(alice, "buy", 1, 2 ** 53 - 1))).toEqual([["NOTIONAL_TOO_LARGE", 2 ** 53 - 1]]);
    // 6 361 × 69 431 × 20 394 401 = 2^53 − 1: at a price, whose lots are small enough for their base units, just whole.
    open({ tickDecimals: 1, stepUnits: 1_000 });
    const rich = stage.trader(0, 2 ** 53 - 1 - 2e10);
    const lots = 6_361 * 69_431;
    expect(refusals(place(rich, "buy", 20_394_401, lots))).toEqual([["INSUFFICIENT_BALANCE", 2 ** 53 - 1 - 2e10]]);
    expect(refusals(place(rich, "buy", 20_394_402, lots))).toEqual([["NOTIONAL_TOO_LARGE", 2 ** 53 - 1]]);
  });

  it("[CHECK-3] value and base units may both be the highest number there is", () => {
    // One tick of one lot is 6 361 units of either coin.
    open({ tickMantissa: 100, tickDecimals: 0, stepUnits: 6_361 });
    expect(refusals(place(alice, "sell", 1, 69_431 * 20_394_401))).toEqual([["INSUFFICIENT_BALANCE", 1e10]]);
    expect(refusals(place(alice, "sell", 1, 69_431 * 20_394_401 + 1))).toEqual([["NOTIONAL_TOO_LARGE", 2 ** 53 - 1]]);
  });

  it("[CHECK-4] each size is allowed to the bound itself", () => {
    open({ minLots: 2, maxLots: 50, maxMarketLots: 5, minNotionalUnits: 2_000 });
    place(bob, "sell", 1_000, 50);
    expect(refusals(place(alice, "buy", 1_000, 2))).toEqual([]);
    expect(refusals(place(alice, "buy", 500, 50))).toEqual([]);
    expect(refusals(place(alice, "buy", 500, 51))).toEqual([["QUANTITY_TOO_LARGE", 50]]);
    expect(refusals(market(alice, "buy", 5))).toEqual([]);
    expect(refusals(market(alice, "buy", 6))).toEqual([["QUANTITY_TOO_LARGE", 5]]);
    expect(refusals(market(alice, "buy", 2_000, { inQuote: true }))).toEqual([]);
    expect(refusals(market(alice, "buy", 1_999, { inQuote: true }))).toEqual([["NOTIONAL_TOO_SMALL", 2_000]]);
    // By amount no more than by quantity: what does not buy a sixth lot at the best price there is.
    expect(refusals(market(alice, "buy", 6_000, { inQuote: true }))).toEqual([["QUANTITY_TOO_LARGE", 5]]);
    expect(eventsOf(market(alice, "buy", 5_999, { inQuote: true }), "trade").map(({ lots }) => lots)).toEqual([5]);
  });

  it("[CHECK-4] the most a market order may buy by amount is reckoned in the market's own units", () => {
    // One tick of one lot is ten units.
    open({ tickDecimals: 0, maxMarketLots: 3 });
    place(bob, "sell", 700, 10);
    expect(refusals(market(alice, "buy", 28_000, { inQuote: true }))).toEqual([["QUANTITY_TOO_LARGE", 3]]);
    expect(refusals(market(alice, "buy", 27_999, { inQuote: true }))).toEqual([]);
  });

  it("[CHECK-4] a value is reckoned in the market's own units, and a refusal names the bound", () => {
    // One tick of one lot is ten units.
    open({ tickDecimals: 0, minLots: 2, minNotionalUnits: 20_000 });
    expect(refusals(place(alice, "buy", 2_000, 1))).toEqual([["QUANTITY_TOO_SMALL", 2]]);
    expect(refusals(place(alice, "buy", 999, 2))).toEqual([["NOTIONAL_TOO_SMALL", 20_000]]);
    expect(refusals(place(alice, "buy", 1_000, 2))).toEqual([]);
    const [accepted] = eventsOf(place(alice, "buy", 500, 8), "orderAccepted");
    const orderId = present(accepted, "TEST", "an order").orderId;
    const amend = (quantity: number) => refusals(send({ kind: "amendOrder", account: alice, orderId, quantity }));
    expect(amend(3)).toEqual([["NOTIONAL_TOO_SMALL", 20_000]]);
    expect(amend(4)).toEqual([]);
  });

  it("[CHECK-4] orders that rest are counted, those with an end too; those that never rest are not", () => {
    open({ restingMax: 1 });
    const timed = { timeInForce: "GTD", expiresAt: stage.time + 60_000 };
    expect(refusals(place(alice, "buy", 100, 1, timed))).toEqual([]);
    expect(refusals(place(alice, "buy", 100, 1, timed))).toEqual([["TOO_MANY_ORDERS", 1]]);
    for (const timeInForce of ["IOC", "FOK"])
      expect(refusals(place(alice, "buy", 100, 1, { timeInForce }))).toEqual([]);
  });

  it("[CHECK-4] an iceberg shows a twentieth at least, one lot at least and no more than it has", () => {
    const ice = (quantity: number, visible: number): unknown =>
      refusals(place(alice, "buy", 100, quantity, { visible }))[0];
    expect(ice(100, 5)).toBeUndefined();
    expect(ice(101, 5)).toEqual(["INVALID_ICEBERG", 0]);
    expect(ice(20, 1)).toBeUndefined();
    expect(ice(7, 7)).toBeUndefined();
    expect(ice(7, 8)).toEqual(["INVALID_ICEBERG", 0]);
  });

  it("[CHECK-4] an expiry lies a minute to ninety days ahead, both included", () => {
    const until = (ms: number): unknown =>
      refusals(place(alice, "buy", 100, 1, { timeInForce: "GTD", expiresAt: stage.time + ms }))[0];
    expect(until(60_000)).toBeUndefined();
    expect(until(59_999)).toEqual(["INVALID_EXPIRY", 0]);
    expect(until(90 * 86_400_000)).toBeUndefined();
    expect(until(90 * 86_400_000 + 1)).toEqual(["INVALID_EXPIRY", 0]);
  });

  it("[CHECK-4] prices begin at one tick and end at the highest there is", () => {
    expect(refusals(place(alice, "sell", PRICE_TICKS_MAX, 1))).toEqual([]);
    expect(refusals(place(alice, "sell", PRICE_TICKS_MAX + 1, 1))).toEqual([["INVALID_PRICE", 0]]);
    expect(refusals(place(alice, "buy", 1, 1))).toEqual([]);
    expect(refusals(place(alice, "buy", 0, 1))).toEqual([["INVALID_PRICE", 0]]);
  });
});

describe("money", () => {
  it("[CHECK-5] all that is there may be used and not a unit more", () => {
    const poor = stage.trader(3_000, 5_000);
    expect(refusals(place(poor, "sell", 1_000, 4))).toEqual([["INSUFFICIENT_BALANCE", 3_000]]);
    expect(refusals(place(poor, "sell", 1_000, 3))).toEqual([]);
    expect(refusals(place(poor, "buy", 501, 10))).toEqual([["INSUFFICIENT_BALANCE", 5_000]]);
    expect(refusals(place(poor, "buy", 500, 10))).toEqual([]);
    expect(balance(poor, stage.base)).toEqual([0, 3_000]);
    expect(balance(poor, stage.quote)).toEqual([0, 5_000]);
  });

  it("[CHECK-5] a book that pays in quote sets aside the taker's fee, rounded up", () => {
    send({ kind: "setFeeGroup", feeGroup: 0, makerRate: 10_000, takerRate: 300_000 });
    const bot = stage.trader(0, 3_010, { book: "bot" });
    // 0.3 % of 3 003 is a little more than nine.
    expect(refusals(place(bot, "buy", 1_001, 3))).toEqual([["INSUFFICIENT_BALANCE", 3_010]]);
    expect(refusals(place(bot, "buy", 1_000, 3))).toEqual([]);
    expect(balance(bot, stage.quote)).toEqual([1, 3_009]);
    place(alice, "sell", 1_000, 3);
    expect(balance(bot, stage.quote)).toEqual([9, 0]);
  });
});

describe("market orders", () => {
  it("[CHECK-6] the protective limit is the best price and the slippage, rounded toward it, inside the band", () => {
    place(bob, "sell", 1_010, 1);
    for (const price of [1_013, 1_014]) place(bob, "sell", price, 1);
    // 0.35 % above 1 010 is 1 013.535.
    expect(fills(market(alice, "buy", 5, { slippageBps: 35 }))).toEqual([
      [1_010, 1],
      [1_013, 1],
    ]);
    for (const price of [990, 987, 986]) place(bob, "buy", price, 1);
    // 0.35 % below 990 is 986.535.
    expect(fills(market(alice, "sell", 5, { slippageBps: 35 }))).toEqual([
      [990, 1],
      [987, 1],
    ]);
    expect(refusals(market(alice, "sell", 1, { slippageBps: 1_001 }))).toEqual([["INVALID_SLIPPAGE", 1_000]]);
    expect(fills(market(alice, "sell", 1, { slippageBps: 1_000 }))).toEqual([[986, 1]]);
  });

  it("[CHECK-6] the slippage allowed is exact where prices are high, and nobody to trade with is told", () => {
    expect(refusals(market(alice, "sell", 1))).toEqual([["NO_LIQUIDITY", 0]]);
    expect(refusals(market(alice, "buy", 1))).toEqual([["NO_LIQUIDITY", 0]]);
    for (const price of [1_000_000, 1_000_100, 1_000_101]) place(bob, "sell", price, 1);
    expect(fills(market(alice, "buy", 5, { slippageBps: 1 }))).toEqual([
      [1_000_000, 1],
      [1_000_100, 1],
    ]);
    for (const price of [1_000_000, 999_900, 999_899]) place(bob, "buy", price, 1);
    expect(fills(market(alice, "sell", 5, { slippageBps: 1 }))).toEqual([
      [1_000_000, 1],
      [999_900, 1],
    ]);
  });

  it("[CHECK-6] one tick is the lowest limit of a sale, and is met", () => {
    place(bob, "buy", 1, 3);
    expect(fills(market(alice, "sell", 2))).toEqual([[1, 2]]);
  });

  it("[CHECK-6] the band draws the limit in", () => {
    open({ anchorTicks: 1_000, buyMaxBps: 10_100, sellMinBps: 9_900 });
    for (const price of [1_010, 1_011]) place(bob, "sell", price, 1);
    expect(fills(market(alice, "buy", 5))).toEqual([[1_010, 1]]);
    open({ anchorTicks: 1_000, buyMaxBps: 10_100, sellMinBps: 9_900 });
    for (const price of [990, 989]) place(bob, "buy", price, 1);
    expect(fills(market(alice, "sell", 5))).toEqual([[990, 1]]);
  });

  it("[ORDER-12] an amount is spent where a lot more, at the limit itself, would cost more than is left", () => {
    const spend = (next: number): unknown => {
      open();
      place(bob, "sell", 1_000, 1);
      place(bob, "sell", next, 5);
      return eventsOf(market(alice, "buy", 1_500, { inQuote: true }), "orderEnded")[0]?.reason;
    };
    expect(spend(1_050)).toBe("QUOTE_SPENT");
    expect(spend(1_051)).toBe("MARKET_REST");
  });
});

describe("the band", () => {
  const buy = (price: number): unknown => refusals(place(alice, "buy", price, 1, { timeInForce: "IOC" }))[0];
  const trade = (price: number, quantity: number): void => {
    place(bob, "sell", price, quantity);
    place(alice, "buy", price, quantity);
  };

  it("[CHECK-10] prices may lie at its bounds and not a tick beyond", () => {
    open({ anchorTicks: 1_000, buyMinBps: 5_000, buyMaxBps: 11_000, sellMinBps: 9_000, sellMaxBps: 15_000 });
    expect([buy(500), buy(1_100)]).toEqual([undefined, undefined]);
    expect(buy(499)).toEqual(["PRICE_TOO_LOW", 500]);
    expect(buy(1_101)).toEqual(["PRICE_TOO_HIGH", 1_100]);
    expect(refusals(place(alice, "sell", 900, 1))).toEqual([]);
    expect(refusals(place(alice, "sell", 1_500, 1))).toEqual([]);
    expect(refusals(place(alice, "sell", 899, 1))).toEqual([["PRICE_TOO_LOW", 900]]);
    expect(refusals(place(alice, "sell", 1_501, 1))).toEqual([["PRICE_TOO_HIGH", 1_500]]);
  });

  it("[CHECK-10] it follows each trade for the next order, and the clock when the trades of a bucket leave the window", () => {
    open({ anchorTicks: 1_000, buyMaxBps: 11_000 });
    // Buckets are ten seconds long and begin with the clock's.
    stage.time = Math.ceil(stage.time / 10_000) * 10_000;
    trade(1_000, 10);
    trade(1_100, 30);
    // 1 075 on average of forty lots.
    expect(buy(1_182)).toBeUndefined();
    expect(buy(1_183)).toEqual(["PRICE_TOO_HIGH", 1_182]);
    stage.time += 60_000;
    trade(1_180, 40);
    expect(buy(1_240)).toEqual(["PRICE_TOO_HIGH", 1_239]);
    stage.time += 239_999;
    expect(buy(1_240)).toEqual(["PRICE_TOO_HIGH", 1_239]);
    stage.time += 1;
    expect(buy(1_299)).toEqual(["PRICE_TOO_HIGH", 1_298]);
  });

  it("[CHECK-10] a market order finds it as a limit order does", () => {
    for (const [side, other, ask] of [
      ["buy", "sell", 1_100],
      ["sell", "buy", 900],
    ] as const) {
      open({ anchorTicks: 1_000, buyMaxBps: 11_000, sellMinBps: 9_000 });
      stage.time = Math.ceil(stage.time / 10_000) * 10_000;
      trade(1_000, 10);
      stage.time += 200_000;
      trade(ask, 10);
      const beyond = side === "buy" ? 1_160 : 850;
      place(bob, other, beyond, 5);
      // The average is half-way: 1 155 or 855 are the bounds.
      expect(fills(market(alice, side, 1, { slippageBps: 1_000 }))).toEqual([]);
      stage.time += 100_000;
      expect(fills(market(alice, side, 1, { slippageBps: 1_000 }))).toEqual([[beyond, 1]]);
    }
  });
});

describe("orders that must not take", () => {
  it("[CHECK-7] one that gives way rests a tick behind, where there is one", () => {
    place(bob, "sell", 2, 5);
    place(alice, "buy", 3, 4, { postOnly: "reprice" });
    expect(book()).toBe("2 5\n--\n1 4");
    expect(balance(alice, stage.quote)[1]).toBe(4);
    open();
    place(bob, "sell", 1, 4);
    expect(refusals(place(alice, "buy", 2, 4, { postOnly: "reprice" }))).toEqual([["POST_ONLY_WOULD_CROSS", 0]]);
    expect(refusals(place(alice, "buy", 1, 4, { postOnly: "reject" }))).toEqual([["POST_ONLY_WOULD_CROSS", 0]]);
  });

  it("[CHECK-7] what gives way sets aside what it costs where it rests, in the market's own units", () => {
    open({ tickDecimals: 0 });
    place(bob, "sell", 1_000, 5);
    place(alice, "buy", 1_005, 4, { postOnly: "reprice" });
    expect(book()).toBe("1000 5\n--\n999 4");
    expect(balance(alice, stage.quote)[1]).toBe(39_960);
  });

  it("[CHECK-7] what gives way is held to the mode it may meet its owner in, and no market order gives way", () => {
    place(bob, "sell", 1_000, 5);
    const code = (more: object): unknown =>
      refusals(place(alice, "buy", 1_005, 4, { postOnly: "reprice", ...more }))[0];
    expect(code({ selfTrade: "NONE" })).toEqual(["SELF_TRADE_MODE_FORBIDDEN", 0]);
    for (const postOnly of ["reprice", "reject"])
      expect(code({ postOnly, type: "market", price: 0 })).toEqual(["INVALID_COMBINATION", 0]);
    expect(book()).toBe("1000 5\n--");
  });

  it("[CHECK-7] what must fill whole and meets nobody at its price says so", () => {
    place(bob, "sell", 1_000, 5);
    const end = (timeInForce: string): unknown =>
      eventsOf(place(alice, "buy", 999, 4, { timeInForce }), "orderEnded").map(({ reason }) => reason);
    expect(end("FOK")).toEqual(["FOK_UNFILLED"]);
    expect(end("IOC")).toEqual(["IOC_REST"]);
  });

  it("[CHECK-7] a sale that gives way stands a tick above, with the same coins set aside", () => {
    place(bob, "buy", 1_000, 5);
    place(alice, "sell", 990, 4, { postOnly: "reprice" });
    expect(book()).toBe("1001 4\n--\n1000 5");
    expect(balance(alice, stage.base)[1]).toBe(4_000);
  });

  it("[CHECK-8] before the opening nothing trades: what would, or would not rest, is refused", () => {
    place(bob, "sell", 1_010, 5);
    place(bob, "buy", 990, 5);
    send({ kind: "setMarketStatus", market: stage.market, status: "AUCTION" });
    const code = (side: "buy" | "sell", price: number, more: object = {}): unknown =>
      refusals(place(alice, side, price, 1, more))[0];
    const refused = ["MARKET_AUCTION", 0];
    const until = { timeInForce: "GTD", expiresAt: stage.time + 60_000 };
    expect(code("buy", 1_009)).toBeUndefined();
    expect(code("sell", 1_010, until)).toBeUndefined();
    expect(code("buy", 1_010)).toEqual(refused);
    expect(code("sell", 1_009, until)).toEqual(refused);
    expect(code("buy", 1_000, { timeInForce: "IOC" })).toEqual(refused);
    expect(code("buy", 1_000, { timeInForce: "FOK" })).toEqual(refused);
    expect(code("buy", 0, { type: "market" })).toEqual(refused);
    expect(code("sell", 0, { type: "market" })).toEqual(refused);
  });
});

describe("own orders", () => {
  it("[CHECK-9] only who may trade with himself does, and by that mode alone", () => {
    const code = (selfTrade: string): unknown => refusals(place(alice, "buy", 100, 1, { selfTrade }))[0];
    expect(code("NONE")).toEqual(["SELF_TRADE_MODE_FORBIDDEN", 0]);
    send({ kind: "setAccountFlags", account: alice, allowSelfTrade: true });
    for (const mode of ["NONE", "DECREMENT", "EXPIRE_BOTH"]) expect(code(mode)).toBeUndefined();
    const [accepted] = eventsOf(place(alice, "sell", 100, 2, { selfTrade: "NONE" }), "trade");
    expect(present(accepted, "TEST", "a trade")).toMatchObject({ account: alice, makerAccount: alice, lots: 1 });
  });
});
