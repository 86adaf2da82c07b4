import { present } from "@clockwork/kit/assert";
import { describe, expect, test } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf } from "../../testing/driver.ts";
import { CTF_NEXT_SLICE } from "../state/records.ts";
import { demoStage } from "./demo-fixture.ts";

const HOUR = 3_600_000;
const START_UNITS = 100_000_000_000;

const fills = (events: readonly MachineEvent[]): [number, number][] =>
  eventsOf(events, "trade").map(({ price, lots }) => [price, lots]);
const refusal = (events: readonly MachineEvent[]): string | undefined => eventsOf(events, "rejected")[0]?.code;

describe("[FUT-4] demo takers walk a copy of the live depth", () => {
  test("the real book, its depth and real balances stay as they are", () => {
    const stage = demoStage();
    const maker = stage.trader(10 ** 12);
    const player = stage.player();
    stage.sell(maker, 10, 500_100);
    stage.sell(maker, 20, 500_200);
    const before = stage.balance(maker);
    const events = stage.buy(player, 15, 0, { market: stage.demo });
    expect(fills(events)).toEqual([
      [500_100, 10],
      [500_200, 5],
    ]);
    expect(eventsOf(events, "depth")).toEqual([]);
    expect(stage.balance(maker)).toEqual(before);
    expect(stage.held(maker)).toEqual([]);
    expect(stage.held(player, stage.demo)[0]?.lots).toBe(15);
    // The real depth is still whole for a real taker.
    const taker = stage.trader(10 ** 12);
    expect(fills(stage.buy(taker, 30, 500_200))).toEqual([
      [500_100, 10],
      [500_200, 20],
    ]);
  });

  test("what a player took comes back to him over a minute, and was never gone for another", () => {
    const stage = demoStage();
    const maker = stage.trader(10 ** 12);
    const [first, second] = [stage.player(), stage.player()];
    stage.sell(maker, 10, 500_100);
    const take = (account: number): [number, number][] =>
      fills(stage.buy(account, 10, 500_100, { market: stage.demo, timeInForce: "IOC" }));
    expect(take(first)).toEqual([[500_100, 10]]);
    expect(take(first)).toEqual([]);
    expect(take(second)).toEqual([[500_100, 10]]);
    stage.time += 30_000;
    expect(take(first)).toEqual([[500_100, 5]]);
    stage.time += 60_000;
    expect(take(first)).toEqual([[500_100, 10]]);
  });

  test("what a limit order could not take rests with what is left, is not changed, and ends with it", () => {
    const stage = demoStage();
    stage.sell(stage.trader(10 ** 12), 10, 500_100);
    const player = stage.player();
    const placed = stage.buy(player, 14, 500_100, { market: stage.demo });
    expect(fills(placed)).toEqual([[500_100, 10]]);
    const { orderId } = present(eventsOf(placed, "orderAccepted")[0], "TEST", "order");
    const amended = stage.sure({ kind: "amendOrder", account: player, orderId, quantity: 12 });
    expect(refusal(amended)).toBe("AMEND_NOT_ALLOWED");
    const ended = eventsOf(stage.sure({ kind: "cancelOrder", account: player, orderId }), "orderEnded");
    expect(ended).toMatchObject([{ reason: "USER", lots: 4 }]);
  });

  test("fill-or-kill is all or nothing on the copy too", () => {
    const stage = demoStage();
    stage.sell(stage.trader(10 ** 12), 10, 500_100);
    const player = stage.player();
    const events = stage.buy(player, 11, 500_100, { market: stage.demo, timeInForce: "FOK" });
    expect(fills(events)).toEqual([]);
    expect(eventsOf(events, "orderEnded")[0]?.reason).toBe("FOK_UNFILLED");
    const whole = stage.buy(player, 10, 500_100, { market: stage.demo, timeInForce: "FOK" });
    expect(fills(whole)).toEqual([[500_100, 10]]);
  });

  test("what may not rest ends with what it could not take", () => {
    const stage = demoStage();
    stage.sell(stage.trader(10 ** 12), 10, 500_100);
    const ends = (price: number, more: object): unknown[] =>
      eventsOf(stage.buy(stage.player(), 12, price, { market: stage.demo, ...more }), "orderEnded").map(
        ({ reason, lots }) => [reason, lots],
      );
    expect(ends(0, {})).toEqual([["MARKET_REST", 2]]);
    expect(ends(500_100, { timeInForce: "IOC" })).toEqual([["IOC_REST", 2]]);
    expect(ends(500_100, {})).toEqual([]);
  });

  test("trades are counted beside the real ones, and name an order that came in another's place by its own number", () => {
    const stage = demoStage();
    const [maker, player] = [stage.trader(10 ** 12), stage.player()];
    const trade = (): MachineEvent[] => {
      stage.sell(maker, 1, 500_100);
      return stage.buy(player, 1, 500_100, { market: stage.demo });
    };
    expect(eventsOf(trade(), "trade")).toMatchObject([{ tradeNumber: 1 }]);
    stage.buy(stage.trader(10 ** 12), 1, 500_100);
    const order = { kind: "placeOrder", side: "buy", quantity: 1, price: 480_000, account: player } as const;
    for (let i = 0; i < 1_024; i++) {
      const [placed] = eventsOf(stage.send({ ...order, market: stage.demo }), "orderAccepted");
      stage.send({ kind: "cancelOrder", account: player, orderId: placed?.orderId ?? 0 });
    }
    stage.time += 60_000;
    const events = trade();
    const [accepted] = eventsOf(events, "orderAccepted");
    expect(accepted?.orderId).toBeGreaterThan(2 ** 24);
    expect(eventsOf(events, "trade")).toMatchObject([{ tradeNumber: 2, takerOrderId: accepted?.orderId }]);
    // What the real market and others count is theirs.
    expect(eventsOf(stage.buy(stage.trader(10 ** 12), 1, 500_100), "trade").map((one) => one.tradeNumber)).toEqual([2]);
  });

  test("orders of one player are withdrawn in any order", () => {
    const stage = demoStage();
    const player = stage.player();
    const ids = [499_000, 499_100, 499_200].map(
      (price) =>
        present(eventsOf(stage.buy(player, 5, price, { market: stage.demo }), "orderAccepted")[0], "TEST", "order")
          .orderId,
    );
    for (const at of [1, 0, 2]) {
      const ended = stage.sure({ kind: "cancelOrder", account: player, orderId: ids[at] ?? 0 });
      expect(eventsOf(ended, "orderEnded")).toMatchObject([{ orderId: ids[at], lots: 5 }]);
    }
  });

  test("orders of players stand beside the real ones and change nothing of them", () => {
    const stage = demoStage();
    const maker = stage.trader(10 ** 12);
    const ids = [500_100, 499_000].flatMap((price, i) =>
      eventsOf(
        stage.sure({
          kind: "placeScaled",
          account: maker,
          market: stage.linear,
          count: 50,
          quantity: 500,
          side: i === 0 ? "sell" : "buy",
          price,
          priceTo: price + (i === 0 ? 49 : -49),
        }),
        "orderAccepted",
      ).map(({ orderId }) => orderId),
    );
    const player = stage.player();
    // One that is filled whole is gone.
    const filled = stage.buy(player, 5, 500_100, { market: stage.demo });
    const { orderId: gone } = present(eventsOf(filled, "orderAccepted")[0], "TEST", "order");
    expect([fills(filled), eventsOf(filled, "orderEnded")]).toEqual([[[500_100, 5]], []]);
    expect(refusal(stage.sure({ kind: "amendOrder", account: player, orderId: gone, price: 500_000 }))).toBe(
      "UNKNOWN_ORDER",
    );
    const placed = Array.from({ length: 30 }, (_, i) => {
      const events = stage.buy(player, 14 + i, 500_100 + i, { market: stage.demo });
      return present(eventsOf(events, "orderAccepted")[0], "TEST", "order").orderId;
    });
    for (const orderId of ids) {
      const same = { kind: "amendOrder", account: maker, orderId, quantity: 10 } as const;
      expect(refusal(stage.send(same))).toBe("AMEND_NO_CHANGE");
    }
    for (const orderId of placed.filter((_, i) => i % 3 === 1)) {
      const ended = stage.sure({ kind: "cancelOrder", account: player, orderId });
      expect([...eventsOf(ended, "orderEnded"), ...eventsOf(ended, "rejected")]).toMatchObject([{ orderId }]);
    }
  });
});

describe("[FUT-4] demo makers are filled by real trades", () => {
  test("at its price an order waits for the volume ahead; a trade through its price fills it there", () => {
    const stage = demoStage();
    const [maker, taker] = [stage.trader(10 ** 12), stage.trader(10 ** 12)];
    const player = stage.player();
    stage.buy(maker, 30, 499_900);
    stage.buy(player, 5, 499_900, { market: stage.demo });
    expect(fills(stage.sell(taker, 20, 499_900))).toEqual([[499_900, 20]]);
    expect(stage.held(player, stage.demo)).toEqual([]);
    stage.buy(maker, 30, 499_900);
    stage.sell(taker, 12, 499_900);
    expect(stage.held(player, stage.demo)[0]?.lots).toBe(2);
    stage.buy(maker, 50, 499_800);
    const events = stage.sell(taker, 60, 499_800);
    const own = eventsOf(events, "trade").filter(({ market }) => market === stage.demo);
    expect(own.map(({ price, lots, makerAccount }) => [price, lots, makerAccount])).toEqual([[499_900, 3, player]]);
    expect(stage.held(player, stage.demo)[0]?.lots).toBe(5);
    // The maker fee is that of the real book: 0.02 % of what was filled.
    const fees = [2, 3].map((lots) => Math.ceil((lots * 499_900 * 100 * 2) / 10_000));
    expect(stage.balance(player, stage.play).available).toBe(START_UNITS - (fees[0] ?? 0) - (fees[1] ?? 0));
    expect(stage.held(player, stage.demo)[0]?.cost).toBe(5 * 499_900 * 100);
  });

  test("a resting order that only reduces shrinks with the position, unseen by the real book, and is filled for what is left", () => {
    const stage = demoStage();
    const [maker, player] = [stage.trader(10 ** 12), stage.player()];
    stage.sell(maker, 50, 500_100);
    stage.buy(maker, 50, 499_900);
    stage.buy(player, 20, 500_100, { market: stage.demo });
    stage.sell(player, 20, 500_200, { market: stage.demo, reduceOnly: true });
    const shrunk = stage.sell(player, 12, 499_900, { market: stage.demo, timeInForce: "IOC" });
    expect(eventsOf(shrunk, "orderAmended")).toMatchObject([{ market: stage.demo, lots: 8, price: 500_200 }]);
    expect(eventsOf(shrunk, "depth")).toEqual([]);
    const taker = stage.trader(10 ** 12);
    stage.sell(maker, 5, 500_300);
    const passed = eventsOf(stage.buy(taker, 55, 500_300), "trade").filter(({ market }) => market === stage.demo);
    expect(passed.map(({ lots, price, makerDone }) => [lots, price, makerDone])).toEqual([[8, 500_200, true]]);
    expect(stage.held(player, stage.demo)).toEqual([]);
  });

  test("one real trade fills orders in turn, and what reduces gives way to what was filled before it", () => {
    for (const first of [6, 10]) {
      const stage = demoStage();
      const [maker, player] = [stage.trader(10 ** 12), stage.player()];
      stage.sell(maker, 10, 500_050);
      stage.buy(player, 10, 500_050, { market: stage.demo });
      stage.sell(player, first, 500_100, { market: stage.demo });
      stage.sell(player, 10, 500_200, { market: stage.demo, reduceOnly: true });
      stage.sell(maker, 5, 500_300);
      const events = stage.buy(stage.trader(10 ** 12), 15, 500_300);
      const own = eventsOf(events, "trade").filter(({ market }) => market === stage.demo);
      expect(own.map(({ lots, price }) => [lots, price])).toEqual(
        first === 6
          ? [
              [6, 500_100],
              [4, 500_200],
            ]
          : [[10, 500_100]],
      );
      expect(stage.held(player, stage.demo)).toEqual([]);
    }
  });

  test("a plan on the last price fires with the real trade that printed it", () => {
    const stage = demoStage();
    const [maker, player] = [stage.trader(10 ** 12), stage.player()];
    const plan = { kind: "placeConditional", account: player, market: stage.demo, side: "buy", quantity: 1 } as const;
    const trade = (price: number): MachineEvent[] => {
      stage.sell(maker, 1, price);
      return stage.buy(stage.trader(10 ** 12), 1, price);
    };
    trade(500_000);
    stage.sure({ ...plan, conditional: "stopMarket", source: "last", direction: "rises", trigger: 500_400 });
    expect(eventsOf(trade(500_300), "conditionalTriggered")).toEqual([]);
    expect(eventsOf(trade(500_400), "conditionalTriggered")).toMatchObject([{ market: stage.demo, observed: 500_400 }]);
  });

  test("demo orders never meet each other and can be withdrawn", () => {
    const stage = demoStage();
    const [first, second] = [stage.player(), stage.player()];
    const placed = stage.buy(first, 5, 500_500, { market: stage.demo });
    expect(fills(placed)).toEqual([]);
    expect(fills(stage.sell(second, 5, 500_000, { market: stage.demo }))).toEqual([]);
    const { orderId } = present(eventsOf(placed, "orderAccepted")[0], "TEST", "order");
    expect(eventsOf(stage.sure({ kind: "cancelOrder", account: first, orderId }), "orderEnded")).toHaveLength(1);
  });
});

describe("[FUT-4] play money and real money never meet", () => {
  test("each book trades its own market only", () => {
    const stage = demoStage();
    const real = stage.trader(10 ** 12);
    const player = stage.player();
    expect(refusal(stage.buy(real, 1, 500_000, { market: stage.demo }))).toBe("BOOK_NOT_TRADABLE");
    expect(refusal(stage.buy(player, 1, 500_000))).toBe("BOOK_NOT_TRADABLE");
    const transfer = { kind: "transfer", business: "transfer", units: 1, asset: stage.play } as const;
    expect(refusal(stage.sure({ ...transfer, account: player, to: real, reference: "a" }))).toBeDefined();
    expect(
      refusal(stage.sure({ ...transfer, account: real, to: player, asset: stage.usdt, reference: "b" })),
    ).toBeDefined();
  });

  test("a reset ends orders, closes positions and is had once in 24 hours", () => {
    const stage = demoStage();
    stage.sell(stage.trader(10 ** 12), 50, 500_100);
    const player = stage.player();
    stage.buy(player, 20, 0, { market: stage.demo });
    stage.buy(player, 5, 480_000, { market: stage.demo });
    const reset = { kind: "resetDemo", account: player, asset: stage.play } as const;
    expect(refusal(stage.sure(reset))).toBe("RESET_TOO_SOON");
    stage.time += 24 * HOUR;
    expect(eventsOf(stage.sure(reset), "demoReset")[0]?.units).toBe(START_UNITS);
    expect(stage.held(player, stage.demo)).toEqual([]);
    expect(stage.balance(player, stage.play)).toEqual({ available: START_UNITS, frozen: 0 });
  });

  test("mark, funding and liquidation follow the real market; nobody else is touched", () => {
    const stage = demoStage();
    stage.sell(stage.trader(10 ** 12), 20_000, 500_100);
    const [poor, other] = [stage.player(), stage.player()];
    stage.sure({ kind: "setLeverage", account: poor, market: stage.demo, long: 100 });
    stage.buy(poor, 19_000, 500_100, { market: stage.demo });
    stage.buy(other, 10, 500_100, { market: stage.demo });
    const bear = stage.player();
    stage.buy(stage.trader(10 ** 12), 10, 499_900);
    stage.sell(bear, 4, 499_900, { market: stage.demo });
    const before = stage.balance(other, stage.play);
    const events = stage.mark(stage.linear, 450_000);
    const started = eventsOf(events, "liquidationStarted");
    expect(started.map(({ account, market }) => [account, market])).toEqual([[poor, stage.demo]]);
    expect(stage.held(poor, stage.demo)).toEqual([]);
    // The fund stands opposite all players: what it holds of play it never works off.
    expect(coreOf(stage.machine).perps.contractDouble(stage.demo, CTF_NEXT_SLICE)).toBe(0);
    expect(stage.balance(other, stage.play)).toEqual(before);
    expect(eventsOf(events, "deleveraged")).toEqual([]);
    expect(eventsOf(events, "liquidationStep").at(-1)).toMatchObject({ step: "takenOver" });
  });

  test("a large position leaves tier by tier through the copy as a real one through the book", () => {
    const stepsOf = (isDemo: boolean): unknown[] => {
      const stage = demoStage();
      const [bob, alice] = [stage.trader(10 ** 13), isDemo ? stage.player() : stage.trader(START_UNITS)];
      const market = isDemo ? stage.demo : stage.linear;
      const reference = "endow";
      stage.sure({ kind: "mint", account: 2, asset: stage.usdt, business: "adjustment", units: 10 ** 15, reference });
      stage.sure({ kind: "setMarginMode", account: alice, market, isolated: true });
      stage.sell(bob, 24_000, 500_000);
      stage.buy(alice, 24_000, 500_000, { market });
      stage.sure({ kind: "cancelAll", account: bob });
      stage.mark(stage.linear, 480_500);
      stage.buy(bob, 24_000, 477_000);
      const events = stage.mark(stage.linear, 477_500);
      return eventsOf(events, "liquidationStep").map((step) => [
        step.step,
        step.lots,
        step.bankruptcyTicks,
        step.valueUnits,
        step.cashUnits,
      ]);
    };
    const steps = stepsOf(false);
    expect(steps.length).toBeGreaterThan(0);
    expect(stepsOf(true)).toEqual(steps);
  });

  test("what players win the house of play has lost, and nobody is closed for it", () => {
    const stage = demoStage();
    const maker = stage.trader(10 ** 12);
    stage.sell(maker, 5_000, 500_100);
    stage.buy(maker, 5_000, 499_900);
    const [bear, poor] = [stage.player(), stage.player()];
    stage.sell(bear, 1_500, 499_900, { market: stage.demo });
    stage.sure({ kind: "setMarginMode", account: poor, market: stage.demo, isolated: true });
    stage.sure({ kind: "setLeverage", account: poor, market: stage.demo, long: 100 });
    stage.buy(poor, 100, 500_100, { market: stage.demo });
    const events = stage.mark(stage.linear, 450_000);
    expect(eventsOf(events, "liquidationStep")).toMatchObject([{ account: poor, step: "takenOver" }]);
    expect(eventsOf(stage.mark(stage.linear, 440_000), "deleveraged")).toEqual([]);
    expect(stage.held(bear, stage.demo)).toMatchObject([{ lots: -1_500 }]);
  });
});

test("[FUT-4] nobody gives a demo account anything but its reset, and nobody takes from it", () => {
  const stage = demoStage();
  const player = stage.player();
  const trader = stage.trader(10 ** 9);
  const money = { business: "adjustment", units: 1_000 } as const;
  const before = stage.balance(player, stage.play);
  const refused = [stage.usdt, stage.btc, stage.play].map((asset) =>
    refusal(stage.sure({ kind: "mint", account: player, asset, reference: `m${asset}`, ...money })),
  );
  stage.sure({ kind: "mint", account: trader, asset: stage.play, reference: "p", ...money });
  for (const asset of [stage.usdt, stage.play]) {
    stage.sure({ kind: "hold", account: trader, asset, reference: `h${asset}`, ...money });
    const reference = `c${asset}`;
    refused.push(
      refusal(stage.sure({ kind: "capture", account: trader, hold: `h${asset}`, to: player, reference, ...money })),
    );
  }
  for (const kind of ["burn", "hold"] as const)
    refused.push(refusal(stage.sure({ kind, account: player, asset: stage.play, reference: kind, ...money })));
  expect(refused).toEqual(Array(7).fill("NOT_TRANSFERABLE"));
  expect([stage.balance(player, stage.play), stage.balance(player, stage.usdt).available]).toEqual([before, 0]);
});
