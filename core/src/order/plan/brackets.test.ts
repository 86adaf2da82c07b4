// Brackets and OCOs figure by figure: what is armed, what is frozen, and for whom.
import { present } from "@clockwork/kit/assert";
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
const limit = (account: number, side: "buy" | "sell", price: number, quantity: number, more: object = {}) =>
  send({ kind: "placeOrder", account, market: stage.market, side, price, quantity, ...more } as Command);
const bracket = (more: object): MachineEvent[] =>
  send({ kind: "placeBracket", account: alice, market: stage.market, side: "buy", quantity: 10, ...more } as Command);
const refusals = (events: readonly MachineEvent[]): unknown[] =>
  eventsOf(events, "rejected").map(({ code, limit: bound }) => [code, bound]);
const balance = (account: number, asset: number): [number, number] => {
  const { ledger } = coreOf(stage.machine);
  const cell = ledger.cellOf(account, asset);
  return [ledger.available(cell), ledger.frozen(cell)];
};
const plans = (events: readonly MachineEvent[]): unknown[] =>
  eventsOf(events, "conditionalAccepted").map(({ side, quantity, trigger, price }) => [side, quantity, trigger, price]);

function open(listing: Parameters<typeof createStage>[0] = {}): void {
  stage = createStage({ anchorTicks: 1_000, ...listing });
  send({ kind: "setFeeGroup", feeGroup: 0, makerRate: 100_000, takerRate: 500_000 });
  alice = stage.trader(1e9, 1e9);
  bob = stage.trader(1e9, 1e9);
  limit(bob, "sell", 1_000, 1);
  limit(alice, "buy", 1_000, 1);
}

beforeEach(() => open());

describe("what came in", () => {
  it("[LIST-10] is after the maker's fee where the entry waited, and after the taker's where it took", () => {
    bracket({ price: 990, quantity: 10_000, stopTrigger: 950 });
    // 0.1 % of ten thousand lots.
    expect(plans(limit(bob, "sell", 990, 10_000))).toEqual([["sell", 9_990, 950, 0]]);
    open();
    limit(bob, "sell", 1_010, 10_000);
    // 0.5 % of them.
    expect(plans(bracket({ price: 1_010, quantity: 10_000, stopTrigger: 950 }))).toEqual([["sell", 9_950, 950, 0]]);
  });

  it("[LIST-10] is whole where the fee is paid in quote, and where coins were sold", () => {
    const bot = stage.trader(0, 1e9, { book: "bot" });
    bracket({ account: bot, price: 990, quantity: 1_000, stopTrigger: 950 });
    expect(plans(limit(bob, "sell", 990, 1_000))).toEqual([["sell", 1_000, 950, 0]]);
    bracket({ side: "sell", price: 1_010, quantity: 1_000, stopTrigger: 1_050, stopPrice: 1_060 });
    expect(plans(limit(bob, "buy", 1_010, 1_000))).toEqual([["buy", 1_000, 1_050, 1_060]]);
  });

  it("[LIST-10] a part of a lot waits for the next fill", () => {
    bracket({ price: 990, quantity: 20, stopTrigger: 950 });
    // Of 5 lots 4 995 units come in: four lots. The units left of two fills make one more.
    expect(plans(limit(bob, "sell", 990, 5))).toEqual([["sell", 4, 950, 0]]);
    expect(plans(limit(bob, "sell", 990, 5))).toEqual([["sell", 9, 950, 0]]);
  });

  it("[LIST-11] a stop that protects alone freezes what it protects, as far as it is there", () => {
    const carol = stage.trader(0, 1e6);
    bracket({ account: carol, price: 990, stopTrigger: 950 });
    const events = limit(bob, "sell", 990, 10);
    expect(balance(carol, stage.base)).toEqual([990, 9_000]);
    const list = present(eventsOf(events, "listLeg")[0], "TEST", "a leg").list;
    expect(eventsOf(events, "frozen").filter(({ account }) => account === carol)).toMatchObject([
      { asset: stage.base, deltaUnits: 9_000, reference: list },
    ]);
    const gone = send({ kind: "cancelList", account: carol, list });
    expect(eventsOf(gone, "frozen")).toMatchObject([{ account: carol, deltaUnits: -9_000, reference: list }]);
    expect(balance(carol, stage.base)).toEqual([9_990, 0]);
  });

  it("[LIST-11] with a profit leg it freezes nothing; when that is refused it protects alone", () => {
    bracket({ price: 990, profitPrice: 1_100, stopTrigger: 950 });
    limit(bob, "sell", 990, 10);
    expect(balance(alice, stage.base)[1]).toBe(9_000);
    open({ sellMaxBps: 10_500 });
    bracket({ price: 990, profitPrice: 1_100, stopTrigger: 950 });
    const events = limit(bob, "sell", 990, 10);
    expect(eventsOf(events, "rejected")).toMatchObject([
      { code: "PRICE_TOO_HIGH", account: alice, market: stage.market, asset: 0 },
    ]);
    expect(plans(events)).toEqual([["sell", 9, 950, 0]]);
    expect(balance(alice, stage.base)[1]).toBe(9_000);
  });
});

describe("exits too small to stand", () => {
  it("[LIST-12] wait while the entry works, and are armed at the bounds themselves", () => {
    open({ minLots: 3, minNotionalUnits: 2_850 });
    send({ kind: "setFeeGroup", feeGroup: 0, makerRate: 0, takerRate: 0 });
    bracket({ price: 990, quantity: 20, stopTrigger: 950, profitPrice: 1_100 });
    expect(plans(limit(bob, "sell", 990, 3))).toEqual([["sell", 3, 950, 0]]);
    open({ minLots: 1, minNotionalUnits: 2_851 });
    send({ kind: "setFeeGroup", feeGroup: 0, makerRate: 0, takerRate: 0 });
    bracket({ price: 990, quantity: 20, stopTrigger: 950, profitPrice: 1_100 });
    expect(plans(limit(bob, "sell", 990, 3))).toEqual([]);
    // With what waits already, one lot more is enough.
    expect(plans(limit(bob, "sell", 990, 3))).toEqual([["sell", 6, 950, 0]]);
    stage.send({
      kind: "setMarketLimits",
      market: stage.market,
      anchorTicks: 1_000,
      minLots: 1,
      minNotionalUnits: 6_650,
    });
    expect(plans(limit(bob, "sell", 990, 7, { timeInForce: "IOC" }))).toEqual([["sell", 13, 950, 0]]);
  });

  it("[LIST-12] are armed and refused when the entry is over", () => {
    open({ minLots: 3 });
    send({ kind: "setFeeGroup", feeGroup: 0, makerRate: 0, takerRate: 0 });
    limit(bob, "sell", 1_000, 5);
    limit(alice, "buy", 1_000, 3);
    bracket({ price: 1_000, quantity: 4, stopTrigger: 950, timeInForce: "IOC" });
    expect(drawBook(stage.machine, stage.market)).toBe("--");
    expect(balance(alice, stage.base)[1]).toBe(2_000);
  });
});

describe("an entry that is changed", () => {
  it("[LIST-16] and then takes is over for its list, which is the first slot of all", () => {
    stage = createStage({ anchorTicks: 1_000 });
    send({ kind: "setFeeGroup", feeGroup: 0, makerRate: 0, takerRate: 0 });
    alice = stage.trader(1e9, 1e9);
    bob = stage.trader(1e9, 1e9);
    const made = bracket({ price: 990, stopTrigger: 950 });
    const { list } = present(eventsOf(made, "listCreated")[0], "TEST", "a list");
    const { orderId } = present(eventsOf(made, "orderAccepted")[0], "TEST", "an entry");
    expect(list).toBe(1);
    limit(bob, "sell", 1_010, 10);
    const taken = send({ kind: "amendOrder", account: alice, orderId, price: 1_010 });
    const [stop] = eventsOf(taken, "conditionalAccepted");
    expect(stop).toMatchObject({ quantity: 10, trigger: 950 });
    const ended = send({ kind: "cancelOrder", account: alice, orderId: stop?.orderId ?? 0 });
    expect(eventsOf(ended, "listEnded")).toMatchObject([{ list, reason: "LIST_DONE" }]);
  });

  it("[LIST-16] and then meets its owner's own ends its list", () => {
    const made = bracket({ price: 990, stopTrigger: 950 });
    const { orderId } = present(eventsOf(made, "orderAccepted")[0], "TEST", "an entry");
    limit(alice, "sell", 1_010, 10);
    const events = send({ kind: "amendOrder", account: alice, orderId, price: 1_010 });
    expect(eventsOf(events, "orderEnded")).toMatchObject([{ orderId, reason: "STP_TAKER", lots: 10 }]);
    expect(eventsOf(events, "listEnded")).toMatchObject([{ reason: "LIST_DONE" }]);
    expect(eventsOf(events, "conditionalAccepted")).toEqual([]);
  });
});

describe("prices of lists", () => {
  const code = (more: object): unknown => refusals(bracket(more))[0];
  const oco = (side: "buy" | "sell", price: number, trigger: number, stopPrice = 0): MachineEvent[] =>
    send({ kind: "placeOco", account: alice, market: stage.market, side, price, quantity: 10, trigger, stopPrice });

  it("[LIST-13] the exits of a bracket stand on both sides of the entry, not at it", () => {
    const wrong = ["INVALID_BRACKET_PRICES", 0];
    expect(code({ price: 990, profitPrice: 990 })).toEqual(wrong);
    expect(code({ price: 990, profitPrice: 991 })).toBeUndefined();
    expect(code({ price: 990, stopTrigger: 990 })).toEqual(wrong);
    expect(code({ price: 990, stopTrigger: 989 })).toBeUndefined();
    expect(code({ side: "sell", price: 1_010, profitPrice: 1_010 })).toEqual(wrong);
    expect(code({ side: "sell", price: 1_010, profitPrice: 1_009 })).toBeUndefined();
    expect(code({ side: "sell", price: 1_010, stopTrigger: 1_010 })).toEqual(wrong);
    expect(code({ side: "sell", price: 1_010, stopTrigger: 1_011 })).toBeUndefined();
    expect(code({ price: 990 })).toEqual(wrong);
    expect(code({ price: 990, profitPrice: 1_100, stopTrigger: -1 })).toEqual(wrong);
    expect(code({ price: 990, profitPrice: 1_100, stopTrigger: 950, stopPrice: -1 })).toEqual(wrong);
  });

  it("[LIST-13] a market entry is measured by the last price", () => {
    limit(bob, "sell", 1_020, 50);
    const wrong = ["INVALID_BRACKET_PRICES", 0];
    expect(code({ type: "market", price: 0, profitPrice: 1_000 })).toEqual(wrong);
    expect(code({ type: "market", price: 0, stopTrigger: 1_000 })).toEqual(wrong);
    expect(code({ type: "market", price: 0, profitPrice: 1_001, stopTrigger: 999 })).toBeUndefined();
  });

  it("[LIST-14] the legs of an OCO stand on both sides of the last price, not at it", () => {
    const wrong = [["INVALID_OCO_PRICES", 0]];
    expect(refusals(oco("sell", 1_000, 950))).toEqual(wrong);
    expect(refusals(oco("sell", 1_001, 1_000))).toEqual(wrong);
    expect(refusals(oco("sell", 1_001, 999))).toEqual([]);
    expect(refusals(oco("buy", 1_000, 1_050))).toEqual(wrong);
    expect(refusals(oco("buy", 999, 1_000))).toEqual(wrong);
    expect(refusals(oco("buy", 999, 1_001))).toEqual([]);
    expect(
      refusals(
        send({
          kind: "placeOco",
          account: alice,
          market: stage.market,
          side: "buy",
          price: 0,
          type: "market",
          quantity: 10,
          trigger: 1_010,
        }),
      ),
    ).toEqual([["INVALID_COMBINATION", 0]]);
  });

  it("[LIST-15] a buying OCO needs the dearer leg to the unit: its limit, or its trigger and the slippage rounded down", () => {
    const carol = stage.trader(0, 10_605);
    const buy = (account: number, trigger: number, stopPrice: number) =>
      send({
        kind: "placeOco",
        account,
        market: stage.market,
        side: "buy",
        price: 990,
        quantity: 10,
        trigger,
        stopPrice,
      });
    // 5 % above 1 011 is 1 061.55.
    expect(refusals(buy(carol, 1_011, 0))).toEqual([["INSUFFICIENT_BALANCE", 10_605]]);
    // 5 % above 1 010 is 1 060.5: ten lots at 1 060.
    const made = buy(carol, 1_010, 0);
    expect(balance(carol, stage.quote)).toEqual([5, 10_600]);
    const list = present(eventsOf(made, "listCreated")[0], "TEST", "a list").list;
    expect(eventsOf(made, "frozen")).toMatchObject([{ account: carol, deltaUnits: 700, reference: list }]);
    send({ kind: "cancelList", account: carol, list });
    expect(balance(carol, stage.quote)).toEqual([10_605, 0]);
    expect(refusals(buy(carol, 1_010, 1_061))).toEqual([["INSUFFICIENT_BALANCE", 10_605]]);
    // A stop below the limit needs nothing more than the limit.
    buy(carol, 1_010, 900);
    expect(balance(carol, stage.quote)).toEqual([705, 9_900]);
  });
});
