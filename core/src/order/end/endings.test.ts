// Changes and ends of orders: what they hold is always theirs, and every order is told to its end.
import { beforeEach, describe, expect, it } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import type { Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { createCopyStage } from "../../testing/copy-stage.ts";
import { eventsOf, sendChecked } from "../../testing/driver.ts";
import { createStage, type Stage } from "../../testing/stage.ts";

let stage: Stage;
let alice: number;
let bob: number;

const send = (command: Command): MachineEvent[] => sendChecked(stage, command);
const limit = (account: number, side: "buy" | "sell", price: number, quantity: number): MachineEvent[] =>
  send({ kind: "placeOrder", account, market: stage.market, side, price, quantity });
const placedId = (events: readonly MachineEvent[]): number => eventsOf(events, "orderAccepted")[0]?.orderId ?? 0;
const balance = (account: number, asset: number): [number, number] => {
  const { ledger } = coreOf(stage.machine);
  const cell = ledger.cellOf(account, asset);
  return [ledger.available(cell), ledger.frozen(cell)];
};

beforeEach(() => {
  stage = createStage({ anchorTicks: 1_000 });
  alice = stage.trader(1e8, 1e8);
  bob = stage.trader(1e8, 1e8);
});

describe("amends", () => {
  it("[LEDGER-5] an amend under a new fee keeps its reserve in the order and gives it back at the end", () => {
    const bot = stage.trader(0, 1e6, { book: "bot" });
    const fees = (rate: number): MachineEvent[] =>
      send({ kind: "setAccountFees", account: bot, feeGroup: 0, makerRate: rate, takerRate: rate });
    fees(0);
    const orderId = placedId(limit(bot, "buy", 1_000, 5));
    fees(100_000);
    send({ kind: "amendOrder", account: bot, orderId, price: 1_001 });
    expect(balance(bot, stage.quote)).toEqual([1e6 - 5_011, 5_011]);
    const [ended] = eventsOf(send({ kind: "cancelOrder", account: bot, orderId }), "orderEnded");
    expect(ended?.releasedUnits).toBe(5_011);
    expect(balance(bot, stage.quote)).toEqual([1e6, 0]);
  });
});

describe("quote orders", () => {
  const spend = (account: number, quantity: number, selfTrade: "EXPIRE_TAKER" | "DECREMENT" = "EXPIRE_TAKER") =>
    eventsOf(
      send({
        kind: "placeOrder",
        account,
        market: stage.market,
        side: "buy",
        type: "market",
        inQuote: true,
        quantity,
        selfTrade,
      }),
      "orderEnded",
    );

  it("[ORDER-12] a quote order always tells its end and what of it was not spent", () => {
    limit(bob, "sell", 1_000, 5);
    expect(spend(alice, 999)).toMatchObject([{ reason: "MARKET_REST", lots: 999, releasedUnits: 999 }]);
    expect(spend(alice, 1_500)).toMatchObject([{ reason: "QUOTE_SPENT", lots: 500, releasedUnits: 500 }]);
    expect(spend(alice, 1_000)).toMatchObject([{ reason: "QUOTE_SPENT", lots: 0, releasedUnits: 0 }]);
    expect(spend(bob, 1_000)).toMatchObject([{ reason: "STP_TAKER", lots: 1_000 }]);
    expect(spend(alice, 3_001)).toMatchObject([{ reason: "MARKET_REST", lots: 1 }]);
    expect(balance(alice, stage.quote)).toEqual([1e8 - 5_000, 0]);
  });

  it("[ORDER-12] a quote order whose overlap was decremented was not spent", () => {
    limit(bob, "sell", 1_000, 1);
    limit(alice, "sell", 1_000, 5);
    expect(spend(bob, 2_500, "DECREMENT")).toMatchObject([
      { reason: "STP_DECREMENT", lots: 0 },
      { reason: "MARKET_REST", lots: 500 },
    ]);
  });

  it("[ORDER-12] the fee reserve of a quote order comes back with its rest", () => {
    const bot = stage.trader(0, 1e6, { book: "bot" });
    limit(bob, "sell", 1_000, 5);
    expect(spend(bot, 2_500)).toMatchObject([{ reason: "QUOTE_SPENT", lots: 500, releasedUnits: 501 }]);
    expect(balance(bot, stage.quote)).toEqual([1e6 - 2_002, 0]);
  });
});

describe("slicers", () => {
  const twap = (more: Partial<Extract<Command, { kind: "placeTwap" }>> = {}): MachineEvent[] =>
    send({
      kind: "placeTwap",
      account: alice,
      market: stage.market,
      side: "buy",
      price: 1_000,
      quantity: 300,
      durationMs: 300_000,
      intervalMs: 10_000,
      ...more,
    });
  const codes = (events: readonly MachineEvent[]): unknown[] => eventsOf(events, "rejected").map(({ code }) => code);

  it("[TWAP-2] every slice is IOC, whatever was asked, and the start says so", () => {
    for (const timeInForce of ["GTC", "IOC", "FOK", "GTD"] as const)
      expect(eventsOf(twap({ timeInForce }), "twapStarted")[0]?.timeInForce).toBe("IOC");
  });

  it("[TWAP-3] a slicer is withdrawn by id or by client id", () => {
    const orderId = eventsOf(twap(), "twapStarted")[0]?.twap ?? 0;
    expect(codes(send({ kind: "amendOrder", account: alice, orderId, quantity: 9 }))).toEqual(["AMEND_NOT_ALLOWED"]);
    const ended = eventsOf(send({ kind: "cancelOrder", account: alice, orderId }), "twapEnded");
    expect(ended).toMatchObject([{ twap: orderId, reason: "USER", leftLots: 300 }]);
    expect(codes(send({ kind: "cancelOrder", account: alice, orderId }))).toEqual(["UNKNOWN_ORDER"]);
    twap({ clientOrderId: "slow" });
    const named = send({ kind: "cancelOrder", account: alice, clientOrderId: "slow" });
    expect(eventsOf(named, "twapEnded")).toHaveLength(1);
    expect(stage.machine.nextTimerAt).toBe(Number.POSITIVE_INFINITY);
  });

  it("[TWAP-4] a slicer is checked when it is placed, as a plan is", () => {
    expect(codes(twap({ postOnly: "reject" }))).toEqual(["INVALID_COMBINATION"]);
    expect(codes(twap({ selfTrade: "NONE" }))).toEqual(["SELF_TRADE_MODE_FORBIDDEN"]);
    send({ kind: "setMarketStatus", market: stage.market, status: "CANCEL_ONLY" });
    expect(codes(twap())).toEqual(["MARKET_CANCEL_ONLY"]);
    send({ kind: "setAccountFlags", account: alice, blockTrading: true });
    expect(codes(twap())).toEqual(["ACCOUNT_BLOCKED"]);
  });
});

describe("brackets that end as a whole", () => {
  const closers: readonly (readonly [string, () => MachineEvent[]])[] = [
    ["delisting", () => send({ kind: "setMarketStatus", market: stage.market, status: "DELISTED" })],
    ["cancelAll", () => send({ kind: "cancelAll", account: alice })],
    [
      "the dead-man's switch",
      () => {
        send({ kind: "setDeadMan", account: alice, timeoutMs: 3_000 });
        stage.time += 3_000;
        return send({ kind: "tick" });
      },
    ],
  ];
  /** An entry of 10 lots, 4 of them filled: too few to arm exits yet. */
  const enter = (): number => {
    // A lot is a unit of the coin: nothing is too small for another order but by its worth.
    const units = { tickMantissa: 100, tickDecimals: 0, stepUnits: 1 };
    stage = createStage({ anchorTicks: 1_000, minNotionalUnits: 4_000, ...units });
    send({ kind: "setFeeGroup", feeGroup: 0, makerRate: 0, takerRate: 0 });
    alice = stage.trader(1e8, 1e8);
    bob = stage.trader(1e8, 1e8);
    const exits = { profitPrice: 1_100, stopTrigger: 900 };
    const order = { account: alice, market: stage.market, side: "buy", price: 1_000, quantity: 10 } as const;
    const orderId = placedId(send({ kind: "placeBracket", ...order, ...exits }));
    expect(eventsOf(limit(bob, "sell", 1_000, 4), "listLeg")).toEqual([]);
    return orderId;
  };

  it.each(closers)("[LIST-7] %s arms no exits for what the entry has brought in", (_name, close) => {
    enter();
    const events = close();
    expect(eventsOf(events, "listEnded")).toHaveLength(1);
    expect(eventsOf(events, "conditionalAccepted")).toEqual([]);
    expect(eventsOf(events, "orderAccepted")).toEqual([]);
    expect(eventsOf(events, "rejected")).toEqual([]);
    expect([balance(alice, stage.base)[1], balance(alice, stage.quote)[1]]).toEqual([0, 0]);
  });

  it("[LIST-7] withdrawing the entry alone, or all but plans, still protects what came in", () => {
    const orderId = enter();
    expect(eventsOf(send({ kind: "cancelOrder", account: alice, orderId }), "conditionalAccepted")).toHaveLength(1);
    enter();
    const events = send({ kind: "cancelAll", account: alice, conditionals: false });
    expect(eventsOf(events, "conditionalAccepted")).toHaveLength(1);
  });

  it("[LIST-8] a list's id is not an order's", () => {
    enter();
    const events = send({
      kind: "placeBracket",
      account: alice,
      market: stage.market,
      side: "buy",
      price: 990,
      quantity: 10,
      stopTrigger: 900,
    });
    const orderId = eventsOf(events, "listCreated")[0]?.list ?? 0;
    const requested = [
      { kind: "amendOrder", account: alice, orderId, quantity: 5 },
      { kind: "cancelOrder", account: alice, orderId },
    ] as const;
    for (const command of requested) expect(eventsOf(send(command), "rejected")[0]?.code).toBe("UNKNOWN_ORDER");
  });
});

describe("the money of an OCO", () => {
  it("[LIST-9] a book that pays in quote sets aside the stop leg's fee too, so that the stop can be paid", () => {
    limit(bob, "sell", 1_000, 1);
    limit(alice, "buy", 1_000, 1);
    // 10 lots at 1 100 with a fee of 0.1 % need 11 011.
    const bot = stage.trader(0, 11_011, { book: "bot" });
    const order = { account: bot, market: stage.market, side: "buy", quantity: 10 } as const;
    send({ kind: "placeOco", ...order, price: 900, trigger: 1_050, stopPrice: 1_100 });
    expect(balance(bot, stage.quote)).toEqual([0, 11_011]);
    limit(bob, "sell", 1_050, 1);
    const events = limit(alice, "buy", 1_050, 1);
    expect(eventsOf(events, "conditionalTriggered")).toHaveLength(1);
    expect(eventsOf(events, "rejected")).toEqual([]);
    expect(balance(bot, stage.quote)).toEqual([0, 11_011]);
  });
});

describe("the stops of a leader's position", () => {
  it("[COPY-3] that another takes the place of, or that end with it, are no thing of their own to be copied", () => {
    const copies = createCopyStage();
    const one = copies.follower();
    const { leader, maker, linear } = copies;
    const started = (events: readonly MachineEvent[]): unknown[] =>
      eventsOf(events, "copyStarted").map(({ what }) => what);
    const set = (stopTrigger: number): MachineEvent[] =>
      copies.sure({ kind: "setPositionStops", account: leader, market: linear, stopTrigger });
    copies.sell(maker, 100, 500_000);
    expect(started(copies.buy(leader, 20, 500_000))).toEqual(["open"]);
    expect(started(set(490_000))).toEqual(["stops"]);
    const replaced = set(485_000);
    expect(eventsOf(replaced, "orderEnded").map(({ account, reason }) => [account, reason])).toEqual([
      [leader, "AMEND_REPLACED"],
      [one, "AMEND_REPLACED"],
    ]);
    expect(started(replaced)).toEqual(["stops"]);
    copies.buy(maker, 100, 499_900);
    const closed = copies.sell(leader, 20, 499_900);
    expect(eventsOf(closed, "orderEnded").map(({ reason }) => reason)).toEqual(["POSITION_CLOSED", "POSITION_CLOSED"]);
    expect(started(closed)).toEqual(["close"]);
    copies.buy(leader, 20, 500_000);
    const [stop] = eventsOf(set(490_000), "conditionalAccepted");
    const gone = copies.sure({ kind: "cancelOrder", account: leader, orderId: stop?.orderId ?? 0 });
    expect(started(gone)).toEqual(["stopsEnded"]);
  });
});
