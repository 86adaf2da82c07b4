// Prices and funding at their ends: the lowest and the highest price, rates of one, books that just do or do not hold what
// is asked of them, and roundings that chance seldom meets.
import { describe, expect, test } from "vitest";
import { readIndexSources } from "../../inspect/contracts.ts";
import { coreOf } from "../../machine/machine.ts";
import { M_INDEX, M_MARK } from "../../market/markets.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { ROUNDING_ACCOUNT } from "../../protocol/names.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";

const HOUR = 3_600_000;
const RICH = 10 ** 13;
const START = 1_700_000_000_000 - (1_700_000_000_000 % (8 * HOUR));

interface Ladder {
  readonly rate?: number;
  readonly leverage?: number;
}

/** The stage with another linear market, whose terms are the test's. */
function stageWith(terms: object, ladder: Ladder | undefined = {}) {
  const stage = createPerpStage(undefined, {}, START + 1);
  const shape = { base: stage.btc, quote: stage.usdt, tickMantissa: 1, tickDecimals: 1, stepUnits: 100_000 } as const;
  const more = { slippageBps: 200, feeGroup: 1, symbol: "OWN", marketKind: "linear", ...terms } as const;
  const listed = stage.sure({ kind: "listMarket", ...shape, ...more });
  const market = eventsOf(listed, "marketListed")[0]?.market ?? 0;
  const tier = { cap1: 10 ** 15, rate1: ladder?.rate ?? 400_000, leverage1: ladder?.leverage ?? 125 };
  if (ladder !== undefined) stage.sure({ kind: "setTiers", market, count: 1, ...tier });
  const own = <E extends { readonly market: number }>(events: readonly E[]): E[] =>
    events.filter((event) => event.market === market);
  return {
    stage,
    market,
    own,
    observe: (...prices: number[]) =>
      prices.flatMap((price, source) => stage.sure({ kind: "setIndexPrice", market, source, price })),
    say: (ticks: number) => stage.sure({ kind: "setReferencePrice", market, markTicks: ticks, indexTicks: ticks }),
    prices: () => [M_INDEX, M_MARK].map((word) => coreOf(stage.machine).markets.word(market, word)),
    sampled: (events: readonly MachineEvent[]) => own(eventsOf(events, "premiumSampled")),
  };
}

function wait(stage: PerpStage, ms: number): MachineEvent[] {
  stage.time += ms;
  return stage.sure({ kind: "tick" });
}

function settle(stage: PerpStage): MachineEvent[] {
  stage.time = START + 8 * HOUR;
  return stage.sure({ kind: "tick" });
}

/** Two holders, one of each side. */
function hold(stage: PerpStage, market: number, lots: number, price: number, inverse = false): [number, number] {
  const [long, short] = [stage.trader(RICH, { inverse }), stage.trader(RICH, { inverse })];
  stage.sell(short, lots, price, { market });
  stage.buy(long, lots, price, { market });
  return [long, short];
}

const paid = (events: readonly MachineEvent[], market: number): [number, string, number][] =>
  eventsOf(events, "posting")
    .filter((event) => event.market === market && event.account !== 11)
    .map(({ account, business, deltaUnits }) => [account, business, deltaUnits]);

describe("[FUT-2] the lowest price", () => {
  test("at one tick there is an index, a mark, samples and a settlement; who receives less than a unit receives nothing", () => {
    const { stage, market, observe, prices, sampled } = stageWith({});
    observe(1, 1, 1);
    wait(stage, 1_000);
    expect(prices()).toEqual([1, 1]);
    const lots = [10_000, 100, 50];
    const holders = lots.map((one) => hold(stage, market, one, 1));
    expect(sampled(wait(stage, 4_000))).toMatchObject([{ premium: 0, impactBidTicks: 0, impactAskTicks: 0 }]);
    // A value of 1 000 000, 10 000 and 5 000 units at 0.01 %.
    const wanted = [
      [100, 100],
      [1, 1],
      [1, 0],
    ].map(([pays, gets], i) => [
      [holders[i]?.[0], "funding", 0 - (pays as number)],
      [holders[i]?.[1], "funding", gets],
    ]);
    const published = paid(settle(stage), market);
    expect(published).toEqual([
      ...wanted.map(([one]) => one),
      ...wanted.slice(0, 2).map(([, other]) => other),
      [ROUNDING_ACCOUNT, "rounding", 1],
    ]);
  });

  test("a last price of one tick counts for the mark like any other", () => {
    const { stage, market, observe, say, prices } = stageWith({});
    say(1);
    const [trader] = hold(stage, market, 1, 1);
    observe(100, 100);
    wait(stage, 1_000);
    stage.buy(trader, 1, 97, { market });
    stage.sell(stage.trader(RICH), 1, 99, { market });
    observe(100, 100);
    wait(stage, 1_000);
    expect(prices()).toEqual([100, 98]);
  });
});

/** Marks of a market second by second, whose book changes before each. */
type Side = "buy" | "sell";
type Step = (put: (side: Side, price: number) => void, clear: (side: Side) => void) => void;
function marksOf(...steps: readonly Step[]) {
  const { stage, market, observe, say, prices } = stageWith({});
  say(100_000);
  hold(stage, market, 1, 97_500);
  const trader = { buy: stage.trader(RICH), sell: stage.trader(RICH) };
  const put = (side: Side, price: number): void => {
    stage[side](trader[side], 10, price, { market });
  };
  const clear = (side: Side): void => {
    stage.sure({ kind: "cancelAll", account: trader[side], market });
  };
  return steps.map((step) => {
    step(put, clear);
    observe(100_000, 100_000);
    wait(stage, 1_000);
    return prices()[1];
  });
}

describe("[FUT-2] a book of one side", () => {
  test.each(["buy", "sell"] as const)("says nothing of the middle while only those who %s stand in it", (side) => {
    const [bid, ask] = [98_000, 98_200];
    const other = side === "buy" ? "sell" : "buy";
    const priceOf = { buy: bid, sell: ask };
    const late = marksOf(
      (put) => put(side, priceOf[side]),
      (put) => put(other, priceOf[other]),
    );
    const both = marksOf(
      () => undefined,
      (put) => {
        put("buy", bid);
        put("sell", ask);
      },
    );
    expect(late).toEqual(both);
  });

  test.each(["buy", "sell"] as const)("counts no more for the mark once those who %s have left it", (side) => {
    const open: Step = (put) => {
      put("buy", 98_000);
      put("sell", 98_200);
    };
    const [before, after] = marksOf(open, (_, clear) => clear(side));
    const [, without] = marksOf(open, (_, clear) => {
      clear("buy");
      clear("sell");
    });
    expect([before, after]).toEqual([98_100, without]);
    expect(without).not.toBe(98_100);
  });
});

describe("[FUT-2] the highest price", () => {
  test("what is left of the last rate is exact: half of the interval leaves half of it, its end leaves nothing", () => {
    const { stage, market, observe, say, prices } = stageWith({ fundingHours: 1 }, { rate: 5_000_000 });
    say(500_000);
    const [trader] = hold(stage, market, 1, 500_000);
    stage.buy(trader, 5_000, 500_000, { market });
    say(100_000);
    wait(stage, 5_000);
    stage.sure({ kind: "cancelAll", account: trader });
    stage.time = START + HOUR;
    const settled = eventsOf(stage.sure({ kind: "tick" }), "fundingSettled");
    expect(settled.find((event) => event.market === market)?.rate).toBe(2_000_000);
    stage.time = START + 1.5 * HOUR - 1;
    observe(500_000_000, 500_000_000);
    wait(stage, 1);
    expect(prices()).toEqual([500_000_000, 505_000_000]);
    stage.time = START + 2 * HOUR - 1;
    observe(1_000_000_000, 1_000_000_000);
    wait(stage, 1);
    expect(prices()).toEqual([1_000_000_000, 1_000_000_000]);
  });
});

describe("[FUT-2] what the book holds", () => {
  test("the impact is there or it is not: one contract short is nothing, the last one is at its own price", () => {
    const stage = createPerpStage(undefined, {}, START + 1);
    const { inverse: market } = stage;
    const maker = stage.trader(RICH, { inverse: true });
    const bid = (): unknown =>
      eventsOf(wait(stage, 5_000), "premiumSampled").find((event) => event.market === market)?.impactBidTicks;
    stage.buy(maker, 249, 500_500, { market });
    expect(bid()).toBe(0);
    stage.buy(maker, 1, 490_000, { market });
    expect(bid()).toBe(Math.floor((249 * 500_500 + 490_000) / 250));
  });

  test("one lot can be all of it; without a ladder there is nothing to take", () => {
    const { stage, market, say, sampled } = stageWith({}, { leverage: 1 });
    say(5_000_000);
    stage.buy(stage.trader(RICH), 1, 4_999_999, { market });
    expect(sampled(wait(stage, 5_000))).toMatchObject([{ premium: 0, impactBidTicks: 4_999_999 }]);
    const bare = stageWith({}, undefined);
    bare.say(500_000);
    expect(bare.sampled(wait(bare.stage, 5_000))).toMatchObject([{ premium: 0, impactBidTicks: 0 }]);
  });

  test("an average price counts in ten-thousandths of a tick", () => {
    const { stage, market, say, sampled } = stageWith({}, { leverage: 1 });
    say(1_000);
    // 200 coins are 1 998 lots: one part at 1 002, two at 1 001.
    stage.buy(stage.trader(RICH), 666, 1_002, { market });
    stage.buy(stage.trader(RICH), 5_000, 1_001, { market });
    const left = 200_000_000 - 666 * 1_002 * 100;
    const more = Math.ceil(left / (1_001 * 100));
    const fine = Math.floor(((666 * 1_002 + more * 1_001) * 10_000) / (666 + more));
    const [sample] = sampled(wait(stage, 5_000));
    expect(sample?.premium).toBe(Math.floor(((fine - 10_000_000) * 100_000_000) / 10_000_000));
  });

  test("before the first mark of its own a book says nothing of it", () => {
    const { stage, market, say } = stageWith({});
    say(500_000);
    stage.buy(stage.trader(RICH), 1, 499_000, { market });
    stage.sell(stage.trader(RICH), 1, 501_000, { market });
    const state = readIndexSources(stage.machine).marks.find((one) => one.market === market);
    expect(state).toMatchObject({ byFunding: 500_000, byBook: 0, last: 0 });
  });
});

describe("[FUT-2] who pays to the unit", () => {
  test("one lot at a rate of one: who pays pays a unit, who receives half of one nothing", () => {
    const { stage, market, say } = stageWith({ interestRate: 1 });
    say(500_000);
    const [long] = hold(stage, market, 1, 500_000);
    wait(stage, 5_000);
    expect(paid(settle(stage), market)).toEqual([
      [long, "funding", -1],
      [ROUNDING_ACCOUNT, "rounding", 1],
    ]);
  });

  test("an inverse position's charge is rounded once, from its exact value", () => {
    const stage = createPerpStage(undefined, {}, START + 1);
    const { inverse: market } = stage;
    const ticks = { markTicks: 500_001, indexTicks: 500_001 };
    stage.sure({ kind: "setReferencePrice", market, ...ticks });
    const [long, short] = hold(stage, market, 1, 500_000, true);
    wait(stage, 5_000);
    // A contract is worth 199 999.6 units: at 0.01 % 19.99996 are paid, and received.
    expect(paid(settle(stage), market)).toEqual([
      [long, "funding", -20],
      [short, "funding", 19],
      [ROUNDING_ACCOUNT, "rounding", 1],
    ]);
  });
});

describe("[FUT-2] how long what was said counts", () => {
  test("a trade counts for a minute to the millisecond", () => {
    const markAt = (tradedMs: number): number | undefined => {
      const { stage, market, observe, prices } = stageWith({});
      observe(500_000, 500_000);
      wait(stage, 999);
      stage.time = START + tradedMs;
      const [trader] = hold(stage, market, 1, 502_000);
      stage.buy(trader, 1, 503_000, { market });
      stage.sell(stage.trader(RICH), 1, 505_000, { market });
      stage.time = START + 62_000 - 1;
      observe(500_000, 500_000);
      wait(stage, 1);
      return prices()[1];
    };
    expect([markAt(2_000), markAt(1_999)]).toEqual([502_000, 500_000]);
  });

  test("a source keeps its weight until it says another", () => {
    const stage = createPerpStage(undefined, {}, 1_600_000 * 2 ** 20);
    const observe = (source: number, price: number, weight?: number): void =>
      void stage.sure({
        kind: "setIndexPrice",
        market: stage.linear,
        source,
        price,
        ...(weight === undefined ? {} : { weight }),
      });
    observe(0, 500_000, 3);
    observe(1, 500_400);
    observe(0, 500_000);
    expect(coreOf(stage.machine).markets.word(stage.linear, M_INDEX)).toBe(500_100);
  });
});
