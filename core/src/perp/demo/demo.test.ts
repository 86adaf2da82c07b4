import { present } from "@clockwork/kit/assert";
import { describe, expect, test } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";
import { CTF_NEXT_SLICE } from "../state/records.ts";

const HOUR = 3_600_000;
const START_UNITS = 100_000_000_000;

/** The futures stage with a demo market beside the real one and a demo account with play money. */
function demoStage(): PerpStage & { play: number; demo: number; player(): number } {
  const stage = createPerpStage();
  const play = present(
    eventsOf(stage.send({ kind: "listAsset", symbol: "DUSDT", scale: 6 }), "assetListed")[0],
    "TEST",
    "coin",
  ).asset;
  const listed = stage.send({
    kind: "listMarket",
    marketKind: "linear",
    base: stage.btc,
    quote: play,
    tickMantissa: 1,
    tickDecimals: 1,
    stepUnits: 100_000,
    slippageBps: 200,
    feeGroup: 1,
    symbol: "BTCUSDT-DEMO",
    mirror: stage.linear,
  });
  const demo = present(eventsOf(listed, "marketListed")[0], "TEST", "market").market;
  let user = 900;
  return Object.assign(stage, {
    play,
    demo,
    player(): number {
      user += 1;
      const made = eventsOf(stage.send({ kind: "createAccount", user, book: "demo" }), "accountCreated")[0];
      const { account } = present(made, "TEST", "account");
      stage.sure({ kind: "resetDemo", account, asset: play });
      return account;
    },
  });
}

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
