import { describe, expect, test } from "vitest";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";

const MILLION = 1_000_000_000_000;
const HOUR = 3_600_000;
const START = 1_700_000_000_000 - (1_700_000_000_000 % (8 * HOUR));
const usdt = (amount: number): number => Math.round(amount * 1_000_000);

const createStage = (): PerpStage => createPerpStage(undefined, {}, START + 1);

/** Three sources say a price. */
function observe(stage: PerpStage, prices: readonly number[]): void {
  for (const [source, price] of prices.entries())
    stage.sure({ kind: "setIndexPrice", market: stage.linear, source, price });
}

function wait(stage: PerpStage, ms: number) {
  stage.time += ms;
  return stage.sure({ kind: "tick" });
}

describe("[FUT-2] index and mark", () => {
  test("the index is a weighted mean; one source far off is left out, two make the median speak", () => {
    const stage = createStage();
    observe(stage, [500_000, 500_300, 501_000]);
    let [price] = eventsOf(wait(stage, 1_000), "referencePrice");
    expect(price).toMatchObject({ indexTicks: 500_433, markTicks: 500_433 });
    observe(stage, [500_000, 500_300, 900_000]);
    [price] = eventsOf(wait(stage, 1_000), "referencePrice");
    expect(price?.indexTicks).toBe(500_150);
    observe(stage, [400_000, 500_300, 900_000]);
    [price] = eventsOf(wait(stage, 1_000), "referencePrice");
    expect(price?.indexTicks).toBe(500_300);
    stage.sure({ kind: "setIndexPrice", market: stage.linear, source: 0, price: 500_000, weight: 3 });
    stage.sure({ kind: "setIndexPrice", market: stage.linear, source: 2, price: 500_400, weight: 1 });
    expect(eventsOf(wait(stage, 1_000), "referencePrice")[0]?.indexTicks).toBe(
      Math.floor((1_500_000 + 500_300 + 500_400) / 5),
    );
  });

  test("fewer than two live sources degrade the market: no market orders, no liquidation, the mark stands", () => {
    const stage = createStage();
    const alice = stage.trader(usdt(2_530));
    const bob = stage.trader(MILLION);
    observe(stage, [500_000, 500_000, 500_000]);
    wait(stage, 1_000);
    stage.sell(bob, 1_000, 500_000);
    stage.buy(alice, 1_000, 500_000);
    stage.time += 9_500;
    const alone = stage.sure({ kind: "setIndexPrice", market: stage.linear, source: 0, price: 300_000 });
    const events = wait(stage, 1_000);
    expect(eventsOf(alone, "indexState")).toMatchObject([{ degraded: true, liveSources: 1 }]);
    expect(eventsOf(events, "liquidationStarted")).toEqual([]);
    stage.buy(bob, 10, 499_000);
    expect(eventsOf(stage.sell(alice, 1, 0), "rejected")[0]?.code).toBe("INDEX_DEGRADED");
    observe(stage, [300_000, 300_000, 300_000]);
    const healed = wait(stage, 1_000);
    expect(eventsOf(healed, "liquidationStarted")).toHaveLength(1);
  });

  test("the mark is the median of both models and the last price, within 3 % of the index", () => {
    const stage = createStage();
    const alice = stage.trader(MILLION);
    const bob = stage.trader(MILLION);
    observe(stage, [500_000, 500_000, 500_000]);
    wait(stage, 1_000);
    stage.buy(alice, 5, 519_000);
    stage.sell(bob, 1, 519_000);
    stage.sell(bob, 1, 523_000);
    // Mid 521 000 and last 519 000 against an index of 500 000: the median is 519 000, the bound 515 000.
    expect(eventsOf(wait(stage, 1_000), "referencePrice")[0]?.markTicks).toBe(515_000);
  });
});

describe("[FUT-2] funding", () => {
  /** Book 0.12 % above the index for a whole interval, one sample. */
  function openPair(stage: PerpStage): { long: number; short: number; maker: number } {
    const long = stage.trader(MILLION);
    const short = stage.trader(MILLION);
    const maker = stage.trader(MILLION);
    stage.sell(short, 2_000, 500_000);
    stage.buy(long, 2_000, 500_000);
    return { long, short, maker };
  }

  test("holders pay each other once at the hour, from the rate the samples give", () => {
    const stage = createStage();
    const { long, short, maker } = openPair(stage);
    stage.buy(maker, 1_000, 500_600);
    stage.sell(maker, 1_000, 501_000);
    const before = stage.balance(long).available;
    const other = stage.balance(short).available;
    const [sample] = eventsOf(wait(stage, 5_000), "premiumSampled");
    expect(sample).toMatchObject({ premium: 120_000, predictedRate: 70_000, impactBidTicks: 500_600, openLots: 2_000 });
    stage.time = START + 8 * HOUR;
    const events = stage.sure({ kind: "tick" });
    const [settled] = eventsOf(events, "fundingSettled");
    expect([settled]).toMatchObject([{ market: stage.linear, rate: 70_000, premium: 120_000, positions: 2 }]);
    // 2 BTC at 50 000 and 0.07 %: 70 USDT.
    expect(stage.balance(long).available).toBe(before - usdt(70));
    expect(stage.balance(short).available).toBe(other + usdt(70));
    expect(eventsOf(stage.sure({ kind: "tick" }), "fundingSettled")).toEqual([]);
  });

  test("missed settlements are caught up on, each exactly once; an interval without a sample charges nothing", () => {
    const stage = createStage();
    const { long, maker } = openPair(stage);
    stage.buy(maker, 1_000, 500_600);
    stage.sell(maker, 1_000, 501_000);
    wait(stage, 5_000);
    const before = stage.balance(long).available;
    stage.time = START + 27 * HOUR;
    const settled = eventsOf(stage.sure({ kind: "tick" }), "fundingSettled").filter(
      ({ market }) => market === stage.linear,
    );
    expect(settled.map(({ dueAt, rate }) => [(dueAt - START) / HOUR, rate])).toEqual([
      [8, 70_000],
      [16, 0],
      [24, 0],
    ]);
    expect(stage.balance(long).available).toBe(before - usdt(70));
  });

  test("a payer who cannot pay is covered by the fund and liquidated in the same command", () => {
    const stage = createStage();
    const alice = stage.trader(usdt(810));
    const bob = stage.trader(MILLION);
    stage.sure({
      kind: "mint",
      account: 2,
      asset: stage.usdt,
      business: "adjustment",
      units: usdt(500),
      reference: "e",
    });
    stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long: 125 });
    stage.sure({ kind: "setMarginMode", account: alice, market: stage.linear, isolated: true });
    stage.sell(bob, 1_800, 500_000);
    stage.buy(alice, 1_800, 500_000);
    stage.buy(bob, 5_000, 505_000);
    stage.sell(bob, 5_000, 506_000);
    wait(stage, 5_000);
    stage.mark(stage.linear, 498_400);
    stage.time = START + 8 * HOUR;
    const events = stage.sure({ kind: "tick" });
    expect(eventsOf(events, "fundingSettled").some(({ rate }) => rate === 300_000)).toBe(true);
    expect(eventsOf(events, "liquidationStarted")).toMatchObject([{ account: alice }]);
    expect(stage.held(alice)).toEqual([]);
  });
});
