// Sentences of the rules that no other test of perpetuals states: margins in hedge mode and of inverse orders, what does
// not move a price, the mark's special cases, and who is ended first and against whom.
import { describe, expect, test } from "vitest";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";

const MILLION = 1_000_000_000_000;
const INSURANCE = 2;
const HOUR = 3_600_000;
const START = 1_700_000_000_000 - (1_700_000_000_000 % (8 * HOUR));
const usdt = (amount: number): number => Math.round(amount * 1_000_000);
const code = (events: readonly MachineEvent[]): string | undefined => eventsOf(events, "rejected")[0]?.code;

function endow(stage: PerpStage, units: number): void {
  const money = { asset: stage.usdt, business: "adjustment", units, reference: "endow" } as const;
  stage.sure({ kind: "mint", account: INSURANCE, ...money });
}

function isolate(stage: PerpStage, account: number, leverage: number): void {
  stage.sure({ kind: "setMarginMode", account, market: stage.linear, isolated: true });
  stage.sure({ kind: "setLeverage", account, market: stage.linear, long: leverage });
}

function observe(stage: PerpStage, prices: readonly number[]): void {
  for (const [source, price] of prices.entries())
    stage.sure({ kind: "setIndexPrice", market: stage.linear, source, price });
}

function wait(stage: PerpStage, ms: number): MachineEvent[] {
  stage.time += ms;
  return stage.sure({ kind: "tick" });
}

describe("[FUT-2] what orders ask", () => {
  test("in hedge mode each side asks for its position and its opening orders at its own leverage", () => {
    // 50 000 ÷ 20 held long, 51 000 ÷ 10 to open short, its fee, and the fee the long has paid.
    const enough = usdt(2_500 + 5_100 + 30.6 + 30);
    for (const funds of [enough, enough - 1]) {
      const stage = createPerpStage();
      const bob = stage.trader(MILLION);
      const alice = stage.trader(funds);
      stage.sure({ kind: "setPositionMode", account: alice, hedge: true });
      stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long: 20, short: 10 });
      stage.sell(bob, 1_000, 500_000);
      stage.buy(alice, 1_000, 500_000);
      const events = stage.sell(alice, 1_000, 510_000);
      expect(code(events)).toBe(funds === enough ? undefined : "INSUFFICIENT_MARGIN");
    }
  });

  test("an inverse order asks in coin at its own price", () => {
    // 60 000 USD at 40 000 are 1.5 BTC: a twentieth, and 0.06 % for the fee.
    const enough = 7_500_000 + 90_000;
    for (const funds of [enough, enough - 1]) {
      const stage = createPerpStage();
      const alice = stage.trader(funds, { inverse: true });
      stage.mark(stage.inverse, 410_000);
      const events = stage.buy(alice, 600, 400_000, { market: stage.inverse });
      expect(code(events)).toBe(funds === enough ? undefined : "INSUFFICIENT_MARGIN");
    }
  });
});

test("[FUT-2] mode and layout change only when flat and without orders; split needs hedge and an own margin", () => {
  const stage = createPerpStage();
  const alice = stage.trader(MILLION);
  const bob = stage.trader(MILLION);
  const mode = (hedge: boolean, split = false): string | undefined =>
    code(stage.sure({ kind: "setPositionMode", account: alice, hedge, split }));
  stage.buy(alice, 10, 490_000);
  expect([mode(true), mode(true, true)]).toEqual(["MODE_LOCKED", "MODE_LOCKED"]);
  stage.sure({ kind: "cancelAll", account: alice });
  expect([mode(false, true), mode(true, true)]).toEqual(["INVALID_COMBINATION", undefined]);
  stage.sell(bob, 10, 500_000);
  stage.buy(alice, 10, 500_000);
  expect(stage.held(alice)).toMatchObject([{ lots: 10, margin: usdt(25) }]);
  expect(mode(true)).toBe("MODE_LOCKED");
  stage.buy(bob, 10, 500_000);
  stage.sure({ kind: "closeAll", account: alice });
  expect([stage.held(alice), mode(false)]).toEqual([[], undefined]);
});

test("[DLV-1] one command changes the modes of several accounts of an owner, or of none; what is kept stays in each", () => {
  const stage = createPerpStage();
  const [linear, coin] = [stage.trader(MILLION, { user: 500 }), stage.trader(MILLION, { inverse: true, user: 500 })];
  const outsider = stage.trader(MILLION);
  const set = (change: { hedge?: boolean; split?: boolean; keeps?: "hedge" | "split"; also1?: number }) => {
    const events = stage.sure({ kind: "setPositionMode", account: linear, also1: coin, ...change });
    const published = eventsOf(events, "perpSettings").map(({ account, hedge, split }) => [account, hedge, split]);
    return code(events) ?? published;
  };
  stage.buy(coin, 10, 490_000, { market: stage.inverse });
  expect(set({ hedge: true, keeps: "split" })).toBe("MODE_LOCKED");
  // The first one would have been free to change: it did not.
  const requested = stage.sure({ kind: "setPositionMode", account: linear, keeps: "hedge" });
  expect(eventsOf(requested, "perpSettings")).toMatchObject([{ account: linear, hedge: false }]);
  stage.sure({ kind: "cancelAll", account: coin });
  expect(set({ hedge: true, also1: outsider })).toBe("UNKNOWN_ACCOUNT");
  expect(set({ split: true, keeps: "hedge" })).toBe("INVALID_COMBINATION");
  stage.sure({ kind: "setPositionMode", account: coin, hedge: true, split: true });
  expect(set({ split: true, keeps: "hedge" })).toBe("INVALID_COMBINATION");
  expect(set({ hedge: true, keeps: "split" })).toEqual([
    [linear, true, false],
    [coin, true, true],
  ]);
  expect(set({ split: true, keeps: "hedge" })).toEqual([
    [linear, true, true],
    [coin, true, true],
  ]);
  expect(set({ hedge: false, keeps: "split" })).toEqual([
    [linear, false, false],
    [coin, false, false],
  ]);
});

test("[FUT-2] a fee level does not move the liquidation price", () => {
  const stage = createPerpStage();
  endow(stage, usdt(10_000));
  const bob = stage.trader(MILLION);
  const holders = [stage.trader(usdt(2_600)), stage.trader(usdt(2_600))];
  const rates = { feeGroup: 1, makerRate: 0, takerRate: 0 };
  stage.sure({ kind: "setAccountFees", account: holders[1] as number, ...rates });
  for (const account of holders) {
    isolate(stage, account, 20);
    stage.sell(bob, 1_000, 500_000);
    stage.buy(account, 1_000, 500_000);
  }
  expect(eventsOf(stage.mark(stage.linear, 477_196), "liquidationStarted")).toEqual([]);
  const ended = eventsOf(stage.mark(stage.linear, 477_195), "liquidationStarted").map(({ account }) => account);
  expect(ended).toEqual(holders);
});

describe("[FUT-2] the mark's special cases", () => {
  const open = (stage: PerpStage, bid: number, ask: number): { alice: number; bob: number } => {
    const alice = stage.trader(MILLION);
    const bob = stage.trader(MILLION);
    observe(stage, [500_000, 500_000, 500_000]);
    wait(stage, 1_000);
    stage.buy(alice, 5, bid);
    stage.sell(bob, 1, bid);
    stage.sell(bob, 1, ask);
    return { alice, bob };
  };
  const markOf = (events: readonly MachineEvent[]): number | undefined =>
    eventsOf(events, "referencePrice").find(({ market }) => market === 1)?.markTicks;

  test("a smaller coin's mark may leave the index by 5 %", () => {
    const stage = createPerpStage(undefined, { contractClass: "B" }, START + 1);
    open(stage, 529_000, 533_000);
    expect(markOf(wait(stage, 1_000))).toBe(525_000);
  });

  test("with one side of the book empty, or no trade for a minute, only the index and funding speak", () => {
    const stage = createPerpStage(undefined, {}, START + 1);
    const { bob } = open(stage, 502_000, 504_000);
    expect(markOf(wait(stage, 1_000))).toBe(502_000);
    for (let i = 0; i < 6; i++) {
      observe(stage, [500_000, 500_000, 500_000]);
      wait(stage, 9_800);
    }
    observe(stage, [500_000, 500_000, 500_000]);
    expect(markOf(wait(stage, 2_000))).toBe(500_000);
    stage.sell(bob, 1, 502_000);
    expect(markOf(wait(stage, 1_000))).toBe(502_000);
    stage.sure({ kind: "cancelAll", account: bob, market: stage.linear });
    expect(markOf(wait(stage, 1_000))).toBe(500_000);
  });

  test("while the index is degraded no premium is sampled", () => {
    const stage = createPerpStage(undefined, {}, START + 1);
    open(stage, 502_000, 504_000);
    const samples = (ms: number): number =>
      eventsOf(wait(stage, ms), "premiumSampled").filter(({ market }) => market === stage.linear).length;
    expect(samples(5_000)).toBe(1);
    expect(samples(10_000)).toBe(0);
    observe(stage, [500_000, 500_000]);
    expect(samples(5_000)).toBe(1);
  });
});

test("[FUT-2] an isolated position pays funding from its own margin", () => {
  const stage = createPerpStage(undefined, {}, START + 1);
  const [long, short, maker] = [stage.trader(MILLION), stage.trader(MILLION), stage.trader(MILLION)];
  isolate(stage, long, 20);
  stage.sell(short, 2_000, 500_000);
  stage.buy(long, 2_000, 500_000);
  stage.buy(maker, 1_000, 500_600);
  stage.sell(maker, 1_000, 501_000);
  wait(stage, 5_000);
  const before = stage.balance(long);
  stage.time = START + 8 * HOUR;
  stage.sure({ kind: "tick" });
  expect(stage.held(long)).toMatchObject([{ margin: usdt(5_000 - 70) }]);
  expect(stage.balance(long)).toEqual({ available: before.available, frozen: before.frozen - usdt(70) });
});

describe("[FUT-2] who is ended, and against whom", () => {
  test("the worst margin ratio goes first", () => {
    const stage = createPerpStage();
    endow(stage, usdt(100_000));
    const bob = stage.trader(MILLION);
    const holders = [20, 50, 30].map((leverage) => {
      const account = stage.trader(usdt(3_000));
      isolate(stage, account, leverage);
      stage.sell(bob, 1_000, 500_000);
      stage.buy(account, 1_000, 500_000);
      return account;
    });
    const [low, high, middle] = holders;
    const events = stage.mark(stage.linear, 477_000);
    // Two have nothing left at all: they share the worst ratio and go by age.
    expect(eventsOf(events, "liquidationStarted").map(({ account }) => account)).toEqual([high, middle, low]);
  });

  test("a symbol that drew 30 % of the fund's peak in eight hours is deleveraged though the fund could pay", () => {
    const stage = createPerpStage();
    endow(stage, usdt(10_000));
    const bob = stage.trader(MILLION);
    const long = (price: number): number => {
      const account = stage.trader(usdt(3_000));
      isolate(stage, account, 20);
      stage.sell(bob, 1_000, price);
      stage.buy(account, 1_000, price);
      return account;
    };
    const steps = (events: readonly MachineEvent[]): string[] =>
      eventsOf(events, "liquidationStep").map(({ step }) => step);
    long(500_000);
    expect(steps(stage.mark(stage.linear, 477_000))).toEqual(["takenOver"]);
    stage.mark(stage.linear, 440_000);
    stage.buy(bob, 9_000, 439_900);
    for (let i = 0; i < 60; i++) wait(stage, 500);
    expect(stage.held(INSURANCE)).toEqual([]);
    const left = stage.balance(INSURANCE).available;
    expect(left).toBeGreaterThan(usdt(5_000));
    long(440_000);
    expect(steps(stage.mark(stage.linear, 419_900))).toEqual(["deleveraged"]);
    // Eight hours later the drawdown is forgotten.
    stage.time += 9 * HOUR;
    stage.mark(stage.linear, 440_000);
    long(440_000);
    expect(steps(stage.mark(stage.linear, 419_900))).toEqual(["takenOver"]);
  });
});
