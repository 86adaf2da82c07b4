// Bots on a swept book: what a stranger's trade does to the last price neither wakes, values nor robs them.
import { describe, expect, it } from "vitest";
import { type BotStage, COIN, type CreateBot, createBotStage } from "../testing/bot-stage.ts";
import { eventsOf } from "../testing/driver.ts";
import { createRebalanceStage } from "../testing/rebalance-stage.ts";

const FAIR = 1_004_000;

/** The makers withdraw; a stranger takes what is left, trades a little with himself at a price of his own, and stands there. */
function sweep(stage: BotStage, ticks: number, market = stage.spot): void {
  const [thief, partner] = market === stage.spot ? stage.spotMakers : stage.futuresMakers;
  const order = { kind: "placeOrder", account: thief, market, price: ticks, quantity: 10 } as const;
  stage.sure({ kind: "cancelAll", account: thief, market });
  for (const side of ["buy", "sell"] as const) stage.sure({ ...order, side, quantity: 200_000, timeInForce: "IOC" });
  stage.sure({ ...order, side: "sell" });
  expect(eventsOf(stage.sure({ ...order, account: partner, side: "buy" }), "trade").at(-1)?.price).toBe(ticks);
  stage.sure({ ...order, side: "buy", price: ticks - 1, quantity: 200_000 });
  stage.sure({ ...order, side: "sell", price: ticks + 1, quantity: 200_000 });
}

function standing(own: Partial<CreateBot> = {}): BotStage {
  const stage = createBotStage();
  stage.moveTo(FAIR);
  stage.create(own);
  return stage;
}

describe("[GRID-1] bots and the fair price", () => {
  it("a trade on a swept book fires no stop, trigger or exit and moves no range; the same price borne out by the index does", () => {
    const cases: readonly (readonly [Partial<CreateBot>, number])[] = [
      [{ stopBelowTicks: 880_000 }, 850_000],
      [{ stopAboveTicks: 1_150_000 }, 1_200_000],
      [{ triggerTicks: 950_000 }, 930_000],
      [{ exitBps: 500 }, 940_000],
      [{ trailUpTicks: 1_300_000 }, 1_115_000],
    ];
    for (const [own, ticks] of cases) {
      const stage = standing(own);
      const before = stage.state();
      const [{ status }, lines] = [before, before.lines.length];
      const bottom = before.lines.at(0);
      sweep(stage, ticks);
      stage.time += 10_000;
      stage.sure({ kind: "tick" });
      const after = stage.state();
      expect([after.status, after.lines.length, after.lines.at(0)], JSON.stringify(own)).toEqual([
        status,
        lines,
        bottom,
      ]);
      stage.sure({ kind: "setReferencePrice", market: stage.linear, indexTicks: ticks });
      const moved = stage.state();
      expect(moved.status === status && moved.lines.at(0) === bottom, JSON.stringify(own)).toBe(false);
    }
  });

  it("a start does not buy from who has swept the book", () => {
    const stage = createBotStage();
    stage.moveTo(FAIR);
    sweep(stage, 1_060_000);
    const events = stage.create();
    expect(eventsOf(events, "trade")).toEqual([]);
    expect(eventsOf(events, "botChanged").at(-1)).toMatchObject({ reason: "START_UNFILLED" });
    expect(stage.balance(stage.user).available).toBe(1_000_000 * COIN);
  });

  it("an end sells no coin to who has swept the book: coins go back as coins", () => {
    const stage = standing();
    const { account } = stage.bot();
    const held = stage.balance(account, stage.btc);
    expect(held.available + held.frozen).toBeGreaterThan(0);
    sweep(stage, 890_000);
    const events = stage.sure({ kind: "stopBot", account, sells: true });
    expect(eventsOf(events, "trade")).toEqual([]);
    expect(stage.state().status).toBe("CLOSED");
  });

  it("a futures grid sees no print that its mark does not bear out", () => {
    const stage = createBotStage();
    stage.moveTo(500_000, stage.linear);
    const range = { lowTicks: 490_000, highTicks: 510_000, cells: 10, leverage: 2, stopBelowTicks: 480_000 } as const;
    stage.create({ grid: "neutral", ...range });
    sweep(stage, 478_000, stage.linear);
    expect(stage.state().status).not.toBe("CLOSED");
    stage.mark(stage.linear, 478_000);
    expect(stage.state()).toMatchObject({ status: "CLOSED", reason: "STOP_LOSS" });
  });

  it("a basket is neither weighed by a swept book nor traded there", () => {
    const stage = createRebalanceStage();
    const [btc, eth] = stage.markets;
    stage.price(btc, 1_000_000);
    stage.price(eth, 400_000);
    const account = eventsOf(stage.create(), "rebalancerChanged")[0]?.account as number;
    const held = stage.balance(account, stage.btc).available;
    const order = { kind: "placeOrder", account: stage.maker, market: btc } as const;
    stage.sure({ kind: "cancelAll", account: stage.maker, market: btc });
    stage.sure({ ...order, side: "sell", price: 1_300_000, quantity: 1_000_000 });
    stage.sure({ ...order, account: stage.user, side: "buy", price: 1_300_000, quantity: 100 });
    // Far over its threshold by the last price, and well within it by the fair one.
    expect(eventsOf(stage.pass(10_000), "rebalancerChanged")).toEqual([]);
    // The coin has lost a tenth in truth: what is wanted of it is not bought from the thief.
    stage.sure({ kind: "setReferencePrice", market: stage.linear, indexTicks: 850_000 });
    expect(eventsOf(stage.pass(10_000), "rebalancerCoin").map(({ tradedLots }) => tradedLots)[0] ?? 0).toBe(0);
    expect(stage.balance(account, stage.btc).available).toBe(held);
  });
});
