// Edges of the index and the mark that chance seldom meets: what is refused, what lies just within, and what follows a
// price in the very command that moved it.
import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import { describe, expect, test } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import { M_INDEX, M_MARK } from "../../market/markets.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";
import { indexOf, isOffMedian, medianOf } from "./index.ts";

const HOUR = 3_600_000;
const RICH = 10 ** 12;
const START = 1_700_000_000_000 - (1_700_000_000_000 % (8 * HOUR));

const refusal = (events: readonly MachineEvent[]): unknown => eventsOf(events, "rejected")[0]?.code;

function observe(stage: PerpStage, prices: readonly number[], market = stage.linear): MachineEvent[] {
  return prices.flatMap((price, source) => stage.sure({ kind: "setIndexPrice", market, source, price }));
}

function wait(stage: PerpStage, ms: number): MachineEvent[] {
  stage.time += ms;
  return stage.sure({ kind: "tick" });
}

describe("[FUT-2] sources", () => {
  test("exactly 5 % from the middle counts, a tick more is left out; of an even number the mean of both middle ones", () => {
    expect([95_000, 94_999, 105_000, 105_001].map((price) => isOffMedian(price, 100_000))).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect([medianOf([3, 1, 2]), medianOf([4, 1, 8, 3]), medianOf([7]), medianOf([1, 2])]).toEqual([2, 3, 7, 1]);
    const quote = (price: number, weight = 1) => ({ price, weight });
    expect(indexOf([quote(95_000), quote(100_000), quote(105_000, 3)])).toBe(Math.floor(510_000 / 5));
    expect(indexOf([quote(94_999, 9), quote(100_000), quote(105_000, 3)])).toBe(Math.floor(415_000 / 4));
    // Ends that no double holds.
    expect(indexOf([quote(PRICE_TICKS_MAX, 2 ** 31 - 1), quote(PRICE_TICKS_MAX, 2 ** 31 - 1)])).toBe(PRICE_TICKS_MAX);
  });

  test("a price, a place and a weight that can be none are refused, and nothing is heard", () => {
    const stage = createPerpStage();
    const spot = eventsOf(
      stage.sure({
        kind: "listMarket",
        base: stage.btc,
        quote: stage.usdt,
        tickMantissa: 1,
        tickDecimals: 1,
        stepUnits: 1_000,
        symbol: "S",
      }),
      "marketListed",
    )[0]?.market;
    const reply = { kind: "setIndexPrice", market: stage.linear, source: 0, price: 1 } as const;
    const code = (change: object): unknown => refusal(stage.sure({ ...reply, ...change }));
    expect([code({ market: 99 }), code({ market: spot }), code({ market: 0 })]).toEqual([
      "UNKNOWN_MARKET",
      "NOT_A_PERPETUAL",
      "UNKNOWN_MARKET",
    ]);
    expect([0, -1, PRICE_TICKS_MAX + 1].map((price) => code({ price }))).toEqual(Array(3).fill("INVALID_PRICE"));
    expect([code({ source: 8 }), code({ weight: -1 })]).toEqual(["MALFORMED_COMMAND", "MALFORMED_COMMAND"]);
    const timer = stage.machine.nextTimerAt;
    expect([code({}), code({ source: 7, price: PRICE_TICKS_MAX })]).toEqual([undefined, undefined]);
    expect(timer - stage.machine.nextTimerAt).toBeGreaterThan(0);
  });
});

/** A market without any price, with sources or by hand. */
function unpriced() {
  const stage = createPerpStage(undefined, {}, START + 1);
  const listed = stage.sure({
    kind: "listMarket",
    marketKind: "linear",
    base: stage.btc,
    quote: stage.usdt,
    tickMantissa: 1,
    tickDecimals: 1,
    stepUnits: 100_000,
    slippageBps: 200,
    feeGroup: 1,
    symbol: "NEW",
  });
  const market = eventsOf(listed, "marketListed")[0]?.market ?? 0;
  const ladder = { kind: "setTiers", market, count: 1, cap1: 10 ** 12, rate1: 400_000, leverage1: 125 } as const;
  stage.sure(ladder);
  return { stage, market };
}

describe("[FUT-2] the first price", () => {
  test("one source makes neither index nor mark nor sample; two make them at the next second", () => {
    const { stage, market } = unpriced();
    const trader = stage.trader(RICH);
    const order = (): unknown => refusal(stage.buy(trader, 1, 500_000, { market }));
    expect(order()).toBe("NO_REFERENCE_PRICE");
    const alone = observe(stage, [500_000], market);
    expect(eventsOf(alone, "indexState")).toMatchObject([{ market, degraded: true, liveSources: 1, indexTicks: 0 }]);
    const waited = [...wait(stage, 1_000), ...wait(stage, 4_000)].filter((event) => "market" in event);
    expect(waited.filter((event) => "market" in event && event.market === market)).toEqual([]);
    const both = observe(stage, [500_000, 500_003], market);
    expect(eventsOf(both, "indexState")).toMatchObject([
      { market, degraded: false, liveSources: 2, indexTicks: 500_001 },
    ]);
    expect(order()).toBe("NO_REFERENCE_PRICE");
    expect(eventsOf(wait(stage, 1_000), "referencePrice")).toMatchObject([
      { market, markTicks: 500_001, indexTicks: 500_001 },
    ]);
    expect(order()).toBeUndefined();
  });

  test("an index by hand begins the samples five seconds on; a mark alone does not", () => {
    const { stage, market } = unpriced();
    const samples = (ms: number): number =>
      eventsOf(wait(stage, ms), "premiumSampled").filter((event) => event.market === market).length;
    stage.sure({ kind: "setReferencePrice", market, markTicks: 500_000 });
    expect(samples(10_000)).toBe(0);
    stage.sure({ kind: "setReferencePrice", market, indexTicks: 500_000 });
    stage.sure({ kind: "setReferencePrice", market, indexTicks: 500_010 });
    expect([samples(4_998), samples(1), samples(4_999), samples(1)]).toEqual([0, 1, 0, 1]);
  });
});

describe("[FUT-2] what follows the prices", () => {
  test("plans on the index and on the mark fire in the command that moved it", () => {
    const stage = createPerpStage();
    const [holder, other] = [stage.trader(RICH), stage.trader(RICH)];
    stage.sell(other, 1, 500_000);
    stage.buy(holder, 1, 500_000);
    const plan = (source: "index" | "mark"): void => {
      stage.sure({
        kind: "placeConditional",
        account: holder,
        market: stage.linear,
        side: "buy",
        conditional: "stopLimit",
        quantity: 1,
        price: 490_000,
        source,
        direction: "rises",
        trigger: 501_000,
      });
    };
    plan("index");
    plan("mark");
    const fired = (events: readonly MachineEvent[]): number[] =>
      eventsOf(events, "conditionalTriggered").map(({ observed }) => observed);
    expect(fired(observe(stage, [500_998, 501_000]))).toEqual([]);
    expect(fired(observe(stage, [501_000]))).toEqual([501_000]);
    expect(fired(wait(stage, 1_000))).toEqual([501_000]);
  });

  test("the bounds of orders go with the mark that a tick made", () => {
    const stage = createPerpStage();
    const trader = stage.trader(RICH);
    expect(refusal(stage.sell(trader, 1, 525_001))).toBe("PRICE_TOO_HIGH");
    observe(stage, [510_000, 510_000]);
    expect(refusal(stage.sell(trader, 1, 525_001))).toBe("PRICE_TOO_HIGH");
    wait(stage, 1_000);
    expect(refusal(stage.sell(trader, 1, 535_501))).toBe("PRICE_TOO_HIGH");
    expect(refusal(stage.sell(trader, 1, 535_500))).toBeUndefined();
  });

  test("no mark is further below the index than the class allows, nor further above", () => {
    for (const [price, against, wanted] of [
      [476_000, 477_000, 485_003],
      [524_000, 523_000, 515_003],
    ] as const) {
      const stage = createPerpStage();
      const [one, two] = [stage.trader(RICH), stage.trader(RICH)];
      const [side, other] = price < against ? (["buy", "sell"] as const) : (["sell", "buy"] as const);
      stage[side](one, 5, price);
      stage[other](two, 1, price);
      stage[other](two, 1, against);
      observe(stage, [500_003, 500_003]);
      expect(eventsOf(wait(stage, 1_000), "referencePrice")[0]?.markTicks).toBe(wanted);
    }
  });

  test("no mark is higher than the highest price", () => {
    const stage = createPerpStage(undefined, {}, START + 1);
    // A positive rate lifts the mark above the index until it is paid.
    const maker = stage.trader(RICH);
    stage.buy(maker, 1_000, 502_000);
    stage.sell(maker, 1_000, 503_000);
    wait(stage, 5_000);
    stage.time = START + 8 * HOUR;
    expect(eventsOf(stage.sure({ kind: "tick" }), "fundingSettled")[0]?.rate).toBeGreaterThan(0);
    observe(stage, [PRICE_TICKS_MAX - 1, PRICE_TICKS_MAX - 1]);
    wait(stage, 1_000);
    const core = coreOf(stage.machine);
    expect(core.markets.word(stage.linear, M_INDEX)).toBe(PRICE_TICKS_MAX - 1);
    expect(core.markets.word(stage.linear, M_MARK)).toBe(PRICE_TICKS_MAX);
  });
});
