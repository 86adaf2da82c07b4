// The life of legs: what an exit takes from its entry, what one leg's fate means for the other, and what never is of concern
// to anybody else's list.
import { present } from "@clockwork/kit/assert";
import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import { beforeEach, describe, expect, it } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import type { Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { TRIGGER_SOURCES } from "../../protocol/names.ts";
import { eventsOf, sendChecked } from "../../testing/driver.ts";
import { createStage, drawBook, passRounds, type Stage } from "../../testing/stage.ts";

let stage: Stage;
let alice: number;
let bob: number;

const send = (command: Command): MachineEvent[] => sendChecked(stage, command);
const order = (kind: Command["kind"], more: object): MachineEvent[] =>
  send({ kind, account: alice, market: stage.market, side: "buy", price: 990, quantity: 10, ...more } as Command);
const bracket = (more: object): MachineEvent[] => order("placeBracket", more);
const oco = (more: object): MachineEvent[] => order("placeOco", { side: "sell", price: 1_100, trigger: 900, ...more });
const take = (side: "buy" | "sell", price: number, quantity: number): MachineEvent[] =>
  order("placeOrder", { account: bob, side, price, quantity, timeInForce: "IOC" });
const tradeAt = (price: number): MachineEvent[] => {
  order("placeOrder", { account: bob, price, quantity: 1 });
  return order("placeOrder", { account: bob, side: "sell", price, quantity: 1, selfTrade: "NONE" });
};
const balance = (account: number, asset: number): [number, number] => {
  const { ledger } = coreOf(stage.machine);
  const cell = ledger.cellOf(account, asset);
  return [ledger.available(cell), ledger.frozen(cell)];
};
const plans = (events: readonly MachineEvent[]): unknown[] =>
  eventsOf(events, "conditionalAccepted").map(({ quantity, trigger }) => [quantity, trigger]);
const refusals = (events: readonly MachineEvent[]): unknown[] =>
  eventsOf(events, "rejected").map(({ code, limit }) => [code, limit]);
/** Why a list was not made. */
const refusal = (events: readonly MachineEvent[]): unknown => {
  const codes = refusals(events);
  return codes.length === 0 || events.length === 1 ? codes[0] : events.map(({ kind }) => kind);
};
const ends = (events: readonly MachineEvent[]): unknown[] => eventsOf(events, "orderEnded").map(({ reason }) => reason);
const listOf = (events: readonly MachineEvent[]): number =>
  present(eventsOf(events, "listCreated")[0], "TEST", "a list").list;
const legOf = (events: readonly MachineEvent[], leg: string): number =>
  present(
    eventsOf(events, "listLeg").find((event) => event.leg === leg),
    "TEST",
    leg,
  ).orderId;

function open(listing: Parameters<typeof createStage>[0] = {}): void {
  stage = createStage({ anchorTicks: 1_000, ...listing });
  send({ kind: "setFeeGroup", feeGroup: 0, makerRate: 0, takerRate: 0 });
  alice = stage.trader(1e6, 1e6);
  bob = stage.trader(1e9, 1e9);
  send({ kind: "setAccountFlags", account: bob, allowSelfTrade: true });
  tradeAt(1_000);
}

beforeEach(() => open());

describe("what exits take from their entry", () => {
  it("[LIST-17] they go the other way, in its self-trade mode, and the stop listens to its source", () => {
    send({ kind: "setReferencePrice", market: stage.market, markTicks: 1_000, indexTicks: 1_000 });
    const modes = ["EXPIRE_TAKER", "EXPIRE_MAKER", "EXPIRE_BOTH", "DECREMENT"] as const;
    for (const selfTrade of modes)
      for (const [side, price, profitPrice, stopTrigger, exit, direction] of [
        ["buy", 990, 1_100, 900, "sell", "falls"],
        ["sell", 1_010, 900, 1_100, "buy", "rises"],
      ] as const) {
        for (const source of TRIGGER_SOURCES) {
          const given = { side, price, profitPrice, stopTrigger, selfTrade, source, slippageBps: 1 };
          const made = bracket(given);
          const filled = take(exit, price, 10);
          expect(refusals(filled)).toEqual([]);
          expect(eventsOf(filled, "conditionalAccepted")).toMatchObject([
            { side: exit, direction, selfTrade, source, conditionalType: "stopMarket", callbackBps: 0 },
          ]);
          const profit = eventsOf(filled, "orderAccepted").find(({ account }) => account === alice);
          expect(profit).toMatchObject({ side: exit, price: profitPrice, selfTrade, postOnly: "no" });
          send({ kind: "cancelList", account: alice, list: listOf(made) });
        }
      }
  });

  it("[LIST-17] the entry's slippage, when the stop sells at the market; then the list is done", () => {
    order("placeOrder", { account: bob, side: "sell", price: 1_000, quantity: 10 });
    bracket({ type: "market", price: 0, slippageBps: 100, stopTrigger: 950 });
    for (const [price, quantity] of [
      [940, 4],
      [931, 2],
      [930, 100],
    ] as const)
      order("placeOrder", { account: bob, price, quantity });
    const events = tradeAt(945);
    // One percent below the best of 940 is 930.6.
    const sold = eventsOf(events, "trade").filter(({ account }) => account === alice);
    expect(sold.map(({ price, lots }) => [price, lots])).toEqual([
      [940, 4],
      [931, 2],
    ]);
    expect(eventsOf(events, "listEnded")).toMatchObject([{ reason: "LIST_DONE" }]);
    expect(balance(alice, stage.base)[1]).toBe(0);
  });

  it("[LIST-17] no exit of which it has no price, and one at the lowest price of all", () => {
    bracket({ stopTrigger: 1 });
    const stopped = take("sell", 990, 1);
    expect([plans(stopped), refusals(stopped)]).toEqual([[[1, 1]], []]);
    bracket({ profitPrice: 1_200, quantity: 1 });
    const limited = take("sell", 990, 10);
    expect([plans(limited), refusals(limited)]).toEqual([[[10, 1]], []]);
    expect(drawBook(stage.machine, stage.market)).toBe("1200 1\n--");
    bracket({ side: "sell", price: 1_010, profitPrice: 1, stopTrigger: 1_100 });
    const refused = take("buy", 1_010, 10);
    expect([plans(refused), eventsOf(refused, "rejected")]).toMatchObject([[[10, 1_100]], [{ code: "PRICE_TOO_LOW" }]]);
  });

  it("[LIST-17] a stop at the lowest price is half of a pair as any other", () => {
    bracket({ profitPrice: 1_100, stopTrigger: 1, stopPrice: 1 });
    const filled = take("sell", 990, 10);
    expect(eventsOf(filled, "conditionalAccepted")).toMatchObject([{ conditionalType: "stopLimit", price: 1 }]);
    const gone = send({ kind: "cancelOrder", account: alice, orderId: legOf(filled, "profit") });
    expect(ends(gone)).toEqual(["USER", "LIST_SIBLING"]);
  });

  it("[LIST-11] a buying stop that protects alone freezes nothing", () => {
    bracket({ side: "sell", price: 1_010, stopTrigger: 1_100 });
    expect(plans(take("buy", 1_010, 10))).toEqual([[10, 1_100]]);
    expect(balance(alice, stage.quote)[1]).toBe(0);
  });

  it("[LIST-11] a stop that protects alone and is withdrawn frees its coins while the entry works on", () => {
    const made = bracket({ stopTrigger: 900 });
    const filled = take("sell", 990, 4);
    expect(balance(alice, stage.base)[1]).toBe(4_000);
    const gone = send({ kind: "cancelOrder", account: alice, orderId: legOf(filled, "stop") });
    expect(eventsOf(gone, "listEnded")).toEqual([]);
    expect(balance(alice, stage.base)[1]).toBe(0);
    expect(plans(take("sell", 990, 6))).toEqual([[6, 900]]);
    expect(balance(alice, stage.base)[1]).toBe(6_000);
    send({ kind: "cancelList", account: alice, list: listOf(made) });
    expect(balance(alice, stage.base)[1]).toBe(0);
  });

  it("[LIST-12] one exit alone grows with what comes in too, by what waits and what is new together", () => {
    for (const exit of [{ profitPrice: 1_100 }, { stopTrigger: 950 }]) {
      // A tick of a lot is ten units: three lots are enough.
      const lotUnits = 10 * (exit.profitPrice ?? exit.stopTrigger ?? 0);
      open({ tickDecimals: 0, minNotionalUnits: 3 * lotUnits });
      bracket({ quantity: 20, ...exit });
      const covered = (events: readonly MachineEvent[]): unknown[] =>
        [...eventsOf(events, "conditionalAccepted"), ...eventsOf(events, "orderAccepted")].flatMap((event) =>
          event.account === alice ? [event.quantity] : [],
        );
      expect(covered(take("sell", 990, 4))).toEqual([4]);
      order("placeOrder", { account: bob, price: 991, quantity: 6 });
      const limits = { anchorTicks: 1_000, minNotionalUnits: 6 * lotUnits };
      send({ kind: "setMarketLimits", market: stage.market, ...limits });
      const more = order("placeOrder", { account: bob, side: "sell", quantity: 9, selfTrade: "NONE" });
      expect(eventsOf(more, "trade").map(({ makerAccount, lots }) => [makerAccount, lots])).toEqual([
        [bob, 6],
        [alice, 3],
      ]);
      expect(covered(more)).toEqual([7]);
    }
  });

  it("[LIST-18] a refusal names its own bound, not that of an exit refused before", () => {
    open({ sellMaxBps: 10_500 });
    const dave = stage.trader(0, 1e6);
    bracket({ profitPrice: 1_100 });
    bracket({ account: dave, profitPrice: 1_040 });
    send({ kind: "setAccountFlags", account: dave, blockTrading: true });
    const events = eventsOf(take("sell", 990, 20), "rejected");
    expect(events.map(({ code, account, limit }) => [code, account, limit > 0])).toEqual([
      ["PRICE_TOO_HIGH", alice, true],
      ["ACCOUNT_BLOCKED", dave, false],
    ]);
  });
});

describe("a pair of which one leg is decided", () => {
  it("[LIST-19] lets its limit leg fill on alone and arms a new pair for what comes later, which that one does not concern", () => {
    // A stranger's list has the first slot of all.
    stage = createStage({ anchorTicks: 1_000 });
    send({ kind: "setFeeGroup", feeGroup: 0, makerRate: 0, takerRate: 0 });
    [alice, bob] = [stage.trader(1e6, 1e6), stage.trader(1e9, 1e9)];
    send({ kind: "setAccountFlags", account: bob, allowSelfTrade: true });
    const carol = stage.trader(0, 1e6);
    const hers = bracket({ account: carol, price: 1_000, quantity: 5, profitPrice: 1_200, stopTrigger: 800 });
    expect(listOf(hers)).toBe(1);
    expect(plans(take("sell", 1_000, 5))).toEqual([[5, 800]]);
    const made = bracket({ quantity: 12, profitPrice: 1_100, stopTrigger: 900 });
    expect(plans(take("sell", 990, 4))).toEqual([[4, 900]]);
    expect(ends(take("buy", 1_100, 1))).toEqual(["LIST_SIBLING"]);
    expect(balance(alice, stage.base)[1]).toBe(3_000);
    expect(plans(take("sell", 990, 6))).toEqual([[6, 900]]);
    expect(drawBook(stage.machine, stage.market)).toBe("1200 5\n1100 9\n--\n990 2");
    // The new pair grows as the first one did.
    expect(plans(take("sell", 990, 2))).toEqual([[8, 900]]);
    expect(drawBook(stage.machine, stage.market)).toBe("1200 5\n1100 11\n--");
    // The first one's rest, then a lot of the second, which only now is decided.
    expect(ends(take("buy", 1_100, 3))).toEqual([]);
    expect(drawBook(stage.machine, stage.market)).toBe("1200 5\n1100 8\n--");
    const last = take("buy", 1_100, 1);
    expect(ends(last)).toEqual(["LIST_SIBLING"]);
    expect(eventsOf(last, "listEnded")).toMatchObject([{ list: listOf(made), reason: "LIST_DONE" }]);
    expect(ends(take("buy", 1_100, 7))).toEqual([]);
    expect(ends(send({ kind: "cancelList", account: carol, list: 1 }))).toEqual(["USER", "USER"]);
  });
});

describe("what makes no list", () => {
  it("[LIST-20] a bracket is checked as its entry is, and as one list more", () => {
    expect(refusal(bracket({ quantity: 2_000, stopTrigger: 900 }))).toEqual(["INSUFFICIENT_BALANCE", 1e6]);
    expect(refusal(bracket({ price: 6_000, stopTrigger: 900 }))).toMatchObject(["PRICE_TOO_HIGH", expect.any(Number)]);
    const most = PRICE_TICKS_MAX;
    for (const more of [{ profitPrice: most + 1 }, { profitPrice: most + 1, stopTrigger: 900 }])
      expect(refusal(bracket(more))).toEqual(["INVALID_BRACKET_PRICES", 0]);
    expect(refusal(bracket({ stopTrigger: 900, stopPrice: most + 1 }))).toEqual(["INVALID_BRACKET_PRICES", 0]);
    const known = { account: alice, market: stage.market, side: "buy", price: 990, quantity: 10 } as const;
    const unknown = sendChecked(stage, { kind: "placeBracket", ...known, stopTrigger: 900 }, (view) =>
      view.setUint8(48, TRIGGER_SOURCES.length),
    );
    expect(refusal(unknown)).toEqual(["INVALID_BRACKET_PRICES", 0]);
    send({ kind: "setMarketLimits", market: stage.market, anchorTicks: 1_000, listMax: 2 });
    expect(refusal(bracket({ profitPrice: most }))).toBeUndefined();
    expect(refusal(bracket({ stopTrigger: 900, stopPrice: most }))).toBeUndefined();
    expect(refusal(bracket({ stopTrigger: 900 }))).toEqual(["TOO_MANY_LISTS", 2]);
  });

  it("[LIST-20] an OCO is checked as the plan and as the limit it is", () => {
    expect(refusal(oco({ source: "mark" }))).toEqual(["NO_REFERENCE_PRICE", 0]);
    expect(refusal(oco({ stopPrice: PRICE_TICKS_MAX + 1 }))).toEqual(["INVALID_PRICE", 0]);
    expect(refusal(oco({ timeInForce: "GTD" }))).toEqual(["INVALID_COMBINATION", 0]);
    send({ kind: "setMarketLimits", market: stage.market, anchorTicks: 1_000, conditionalMax: 1, listMax: 5 });
    expect(refusal(oco({ stopPrice: 1 }))).toBeUndefined();
    expect(refusal(oco({}))).toEqual(["TOO_MANY_CONDITIONALS", 1]);
  });

  it("[LIST-21] only its owner withdraws a list, by the id it has now", () => {
    const list = listOf(oco({}));
    const refused = (id: number, account = alice): unknown => refusal(send({ kind: "cancelList", account, list: id }));
    const resting = present(eventsOf(order("placeOrder", {}), "orderAccepted")[0], "TEST", "an order").orderId;
    const far = coreOf(stage.machine).books.orders.table.count;
    for (const id of [0, resting, list + 2 ** 24, far, far + 1e6]) expect(refused(id)).toEqual(["UNKNOWN_LIST", 0]);
    expect(refused(list, bob)).toEqual(["UNKNOWN_LIST", 0]);
    expect(refused(list)).toBeUndefined();
    expect(refused(list)).toEqual(["UNKNOWN_LIST", 0]);
    // Its slot is another list's in the next round.
    passRounds(stage.machine, 1, list % 2 ** 24);
    const lists = Array.from({ length: 3 }, () => listOf(bracket({ quantity: 1, stopTrigger: 900 })));
    expect(lists.map((id) => id % 2 ** 24)).toContain(list % 2 ** 24);
    expect(refused(list)).toEqual(["UNKNOWN_LIST", 0]);
    for (const id of lists) expect(refused(id)).toBeUndefined();
  });
});

describe("the legs of an OCO", () => {
  it("[LIST-22] the limit leg alone is post-only, both have the self-trade mode", () => {
    for (const postOnly of ["reject", "reprice"] as const)
      for (const selfTrade of ["EXPIRE_MAKER", "EXPIRE_BOTH", "DECREMENT"] as const)
        for (const stopPrice of [0, 890]) {
          const made = oco({ postOnly, selfTrade, stopPrice });
          expect(refusals(made)).toEqual([]);
          expect(eventsOf(made, "conditionalAccepted")).toMatchObject([
            { postOnly: "no", selfTrade, price: stopPrice, callbackBps: 0, side: "sell", direction: "falls" },
          ]);
          expect(eventsOf(made, "orderAccepted")).toMatchObject([{ postOnly, selfTrade, price: 1_100 }]);
          send({ kind: "cancelList", account: alice, list: listOf(made) });
        }
  });

  it("[LIST-22] a stop that sells at the market does so within the market's own slippage", () => {
    oco({ trigger: 950 });
    for (const [price, quantity] of [
      [940, 4],
      [900, 4],
      [880, 100],
    ] as const)
      order("placeOrder", { account: bob, price, quantity });
    const sold = eventsOf(tradeAt(945), "trade").filter(({ account }) => account === alice);
    // Five percent below the best of 940 is 893.
    expect(sold.map(({ price, lots }) => [price, lots])).toEqual([
      [940, 4],
      [900, 4],
    ]);
  });

  it("[LIST-15] a single unit more is set aside too, and is reckoned in units of the coin", () => {
    const made = oco({ side: "buy", quantity: 1, price: 999, trigger: 1_001, stopPrice: 1_000 });
    expect(balance(alice, stage.quote)[1]).toBe(1_000);
    send({ kind: "cancelList", account: alice, list: listOf(made) });
    expect(balance(alice, stage.quote)[1]).toBe(0);
    open({ tickDecimals: 0 });
    oco({ side: "buy", price: 990, trigger: 1_010, stopPrice: 1_050 });
    expect(balance(alice, stage.quote)[1]).toBe(105_000);
  });

  it("[LIST-15] a stop at the market needs its trigger and the slippage, to the tick at any price", () => {
    open({ anchorTicks: 100_000 });
    tradeAt(100_000);
    oco({ side: "buy", quantity: 1, price: 90_000, trigger: 101_001 });
    // 5 % above 101 001 is 106 051.05.
    expect(balance(alice, stage.quote)[1]).toBe(106_051);
  });
});
