// Contracts and their ladders as operators list them: which terms make one, what is told and kept of them, and what they
// mean for orders and holders.
import { describe, expect, test } from "vitest";
import { readContract } from "../inspect/contracts.ts";
import { coreOf, createMachine } from "../machine/machine.ts";
import type { Command } from "../protocol/command.ts";
import type { MachineEvent } from "../protocol/event.ts";
import type { ListMarket } from "../protocol/listing-command.ts";
import { createDriver, eventsOf } from "../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../testing/perp-stage.ts";
import { sendChanged } from "../testing/raw-command.ts";

const HOUR = 3_600_000;
const RICH = 10 ** 13;
const START = 1_700_000_000_000 - (1_700_000_000_000 % (24 * HOUR));

type Terms = Partial<ListMarket>;
const refusal = (events: readonly MachineEvent[]): string | undefined => eventsOf(events, "rejected")[0]?.code;

function listing(stage: PerpStage, terms: Terms): ListMarket {
  const shape = { base: stage.btc, quote: stage.usdt, tickMantissa: 1, tickDecimals: 1, stepUnits: 100_000 } as const;
  const symbol = `T${stage.machine.sequence}`;
  return { kind: "listMarket", marketKind: "linear", slippageBps: 200, feeGroup: 1, symbol, ...shape, ...terms };
}

const listed = (stage: PerpStage, terms: Terms): MachineEvent[] => stage.sure(listing(stage, terms));
const marketOf = (events: readonly MachineEvent[]): number => eventsOf(events, "marketListed")[0]?.market ?? 0;

describe("[FUT-2] the terms of a contract", () => {
  test("every term has its ends, and one beyond is refused", () => {
    const stage = createPerpStage();
    const list = (terms: Terms): string | undefined => refusal(listed(stage, terms));
    const passes = (name: keyof ListMarket, values: readonly number[]): (string | undefined)[] =>
      values.map((value) => list({ [name]: value }));
    const no = "INVALID_LISTING";
    expect(passes("fundingHours", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16])).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16].map((hours) => ([1, 2, 4, 8].includes(hours) ? undefined : no)),
    );
    expect(passes("interestRate", [-1, 0])).toEqual([no, undefined]);
    expect(passes("liquidationRate", [-1, 0, 50_000_000, 50_000_001])).toEqual([no, undefined, undefined, no]);
    expect(passes("bandBps", [-1, 0, 9_999, 10_000])).toEqual([no, undefined, undefined, no]);
    expect(passes("settle", [0, stage.usdt, stage.btc])).toEqual([undefined, undefined, no]);
    const inverse = { marketKind: "inverse", faceUnits: 10_000 } as const;
    expect([stage.btc, stage.usdt].map((settle) => list({ ...inverse, settle }))).toEqual([undefined, no]);
    for (const [contractClass, wanted] of [
      [1, undefined],
      [2, no],
    ] as const) {
      const events = sendChanged(stage, listing(stage, {}), (view) => view.setUint8(160, contractClass));
      expect(refusal(events)).toBe(wanted);
    }
  });

  test("the face of an inverse contract is a whole number that makes a whole factor", () => {
    const stage = createPerpStage();
    const list = (faceUnits: number): string | undefined => {
      const terms = listing(stage, { marketKind: "inverse", faceUnits: 1 });
      return refusal(sendChanged(stage, terms, (view) => view.setFloat64(176, faceUnits, true)));
    };
    expect([0, -1, 0.5, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53].map(list)).toEqual(
      Array(7).fill("TICK_STEP_NOT_WHOLE"),
    );
    expect(list(1)).toBeUndefined();
    expect(refusal(listed(stage, { marketKind: "inverse", faceUnits: 1, tickMantissa: 3 }))).toBe(
      "TICK_STEP_NOT_WHOLE",
    );
  });

  test("what was listed is told and kept: terms, the coin it settles in, and the next settlement", () => {
    const stage = createPerpStage(undefined, {}, START + 9 * HOUR);
    const terms = { fundingHours: 4, interestRate: 7, liquidationRate: 8, contractClass: "B" } as const;
    const own = { interestRate: 7, liquidationRate: 8, contractClass: "B", fundingHours: 4, mirror: 0 };
    const events = listed(stage, terms);
    const market = marketOf(events);
    expect(eventsOf(events, "contractListed")).toMatchObject([
      { contractKind: "linear", market, settle: stage.usdt, factor: 100, ...own },
    ]);
    expect(readContract(coreOf(stage.machine), market)).toMatchObject({
      ...own,
      settle: stage.usdt,
      factor: 100,
      tiers: [],
      nextFundingMs: START + 12 * HOUR,
    });
    const other = listed(stage, { ...terms, marketKind: "inverse", faceUnits: 10_000 });
    expect(eventsOf(other, "contractListed")).toMatchObject([
      { contractKind: "inverse", settle: stage.btc, factor: 10_000_000, ...own },
    ]);
    expect(readContract(coreOf(stage.machine), marketOf(other))?.settle).toBe(stage.btc);
  });

  test("the first settlement is at the next whole interval, and a tick is wanted then", () => {
    const next = (time: number, fundingHours: number): number => {
      const driver = createDriver(createMachine(), START + time);
      for (const symbol of ["BTC", "USDT"]) driver.send({ kind: "listAsset", symbol, scale: 6 });
      const shape = { tickMantissa: 1, tickDecimals: 1, stepUnits: 100_000, symbol: "M", base: 1, quote: 2 } as const;
      driver.send({ kind: "listMarket", marketKind: "linear", fundingHours, ...shape });
      expect(driver.machine.nextTimerAt).toBe(readContract(coreOf(driver.machine), 1)?.nextFundingMs);
      return (driver.machine.nextTimerAt - START) / HOUR;
    };
    expect([next(9 * HOUR - 1, 1), next(9 * HOUR, 1), next(9 * HOUR, 2), next(9 * HOUR, 4), next(8 * HOUR, 8)]).toEqual(
      [9, 10, 10, 12, 16],
    );
  });

  test("orders keep within the class's distance of the mark, or within their own", () => {
    const bounds = (terms: Terms, mark: number): [number, number] => {
      const stage = createPerpStage();
      const market = marketOf(listed(stage, terms));
      const tier = { cap1: 10 ** 15, rate1: 400_000, leverage1: 125 };
      stage.sure({ kind: "setTiers", market, count: 1, ...tier });
      stage.sure({ kind: "setReferencePrice", market, markTicks: mark });
      const trader = stage.trader(RICH);
      const limitOf = (side: "buy" | "sell", price: number): number => {
        const events = stage[side](trader, 1, price, { market });
        return eventsOf(events, "rejected")[0]?.limit ?? 0;
      };
      const highest = [limitOf("buy", mark * 3), limitOf("sell", mark * 3)];
      const lowest = [limitOf("buy", 1), limitOf("sell", 1)];
      expect([new Set(highest).size, new Set(lowest).size]).toEqual([1, 1]);
      return [lowest[0] as number, highest[0] as number];
    };
    expect(bounds({}, 500_000)).toEqual([475_000, 525_000]);
    expect(bounds({ contractClass: "B" }, 500_000)).toEqual([450_000, 550_000]);
    expect(bounds({ bandBps: 1 }, 500_000)).toEqual([499_950, 500_050]);
    expect(bounds({ bandBps: 777, contractClass: "B" }, 500_000)).toEqual([461_150, 538_850]);
  });
});

describe("[FUT-2] ladders", () => {
  interface Tier {
    readonly cap: number;
    readonly rate: number;
    readonly leverage: number;
  }
  const ladder = (market: number, tiers: readonly Tier[]): Command => {
    const named = tiers.flatMap(({ cap, rate, leverage }, i) => [
      [`cap${i + 1}`, cap],
      [`rate${i + 1}`, rate],
      [`leverage${i + 1}`, leverage],
    ]);
    return { kind: "setTiers", market, count: tiers.length, ...Object.fromEntries(named) } as Command;
  };
  const STEPS: readonly Tier[] = Array.from({ length: 8 }, (_, i) => ({
    cap: (i + 1) * 100_000_000,
    rate: 1_000_000 + i * 300_000,
    leverage: 100 - i * 10,
  }));

  test("one to eight tiers that climb in cap and rate and fall in leverage; each end passes and one beyond does not", () => {
    const stage = createPerpStage();
    const set = (tiers: readonly Tier[], market = stage.linear): string | undefined =>
      refusal(stage.sure(ladder(market, tiers)));
    const [one, two] = STEPS as unknown as readonly [Tier, Tier];
    const no = "INVALID_TIERS";
    const counted = (count: number): string | undefined =>
      refusal(sendChanged(stage, ladder(stage.linear, STEPS), (view) => view.setUint8(28, count)));
    expect([set(STEPS), set([one]), counted(0), counted(9)]).toEqual([undefined, undefined, no, no]);
    expect(set([one], 99)).toBe("UNKNOWN_MARKET");
    const first = (change: Partial<Tier>): string | undefined => set([{ ...one, ...change }]);
    expect([{ cap: 1 }, { cap: 0 }, { cap: -5 }].map(first)).toEqual([undefined, no, no]);
    expect([{ rate: 1 }, { rate: 0 }, { rate: 50_000_000 }, { rate: 50_000_001 }].map(first)).toEqual([
      undefined,
      no,
      undefined,
      no,
    ]);
    expect([{ leverage: 1 }, { leverage: 0 }, { leverage: 1_000 }, { leverage: 1_001 }].map(first)).toEqual([
      undefined,
      no,
      undefined,
      no,
    ]);
    const second = (change: Partial<Tier>): string | undefined => set([one, { ...two, ...change }]);
    expect([{}, { cap: one.cap }, { cap: one.cap + 1 }].map(second)).toEqual([undefined, no, undefined]);
    expect([{ rate: one.rate }, { rate: one.rate + 1 }].map(second)).toEqual([no, undefined]);
    expect([{ leverage: one.leverage }, { leverage: one.leverage - 1 }].map(second)).toEqual([no, undefined]);
    // The step of a deduction is whole: 99 999 999 units at a hundred-millionth are not.
    expect(
      set([
        { ...one, cap: 99_999_999 },
        { ...two, rate: one.rate + 1 },
      ]),
    ).toBe(no);
    for (const cap of [0.5, 100_000_000.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      const events = sendChanged(stage, ladder(stage.linear, [one]), (view) => view.setFloat64(32, cap, true));
      expect([cap, refusal(events)]).toEqual([cap, no]);
    }
    const most = set([
      { ...one, cap: 90_000_000 * 100_000_000 },
      { ...two, cap: Number.MAX_SAFE_INTEGER },
    ]);
    expect(most).toBeUndefined();
  });

  test("each tier is told with its deduction, which sums the steps below, and kept; fewer take the place of more", () => {
    const stage = createPerpStage();
    const market = stage.linear;
    const wanted = STEPS.map(({ cap, rate, leverage }, i) => ({
      tier: i + 1,
      market,
      leverageMax: leverage,
      rate,
      capUnits: cap,
      deductionUnits: (300_000 * ((i * (i + 1)) / 2) * 100_000_000) / 100_000_000,
    }));
    expect(eventsOf(stage.sure(ladder(market, STEPS)), "tierSet")).toMatchObject(wanted);
    const kept = (): unknown => readContract(coreOf(stage.machine), market)?.tiers;
    const plain = wanted.map(({ capUnits, rate, leverageMax, deductionUnits }) => ({
      cap: BigInt(capUnits),
      rate: BigInt(rate),
      leverageMax,
      deduction: BigInt(deductionUnits),
    }));
    expect(kept()).toMatchObject(plain);
    stage.sure(ladder(market, STEPS.slice(0, 2)));
    expect(kept()).toMatchObject(plain.slice(0, 2));
    const trader = stage.trader(RICH);
    const most = eventsOf(stage.sure({ kind: "setLeverage", account: trader, market, long: 101 }), "rejected")[0];
    expect(most).toMatchObject({ code: "INVALID_LEVERAGE", limit: 100 });
  });

  test("each tier steps up from the one below it, not from the first", () => {
    const stage = createPerpStage();
    const [one, two, three] = STEPS as unknown as readonly [Tier, Tier, Tier];
    const third = (change: Partial<Tier>): string | undefined =>
      refusal(stage.sure(ladder(stage.linear, [one, two, { ...three, ...change }])));
    expect([{}, { cap: two.cap }, { rate: two.rate }, { leverage: two.leverage }].map(third)).toEqual([
      undefined,
      ...Array(3).fill("INVALID_TIERS"),
    ]);
  });

  test("who holds is measured by a new ladder at the next mark, though it stands: whoever came first, and both sides of a hedge", () => {
    const steep = [{ cap: 10 ** 12, rate: 6_000_000, leverage: 20 }];
    const ended = (hold: (stage: PerpStage, other: number) => number): void => {
      const stage = createPerpStage();
      const other = stage.trader(RICH);
      const holder = hold(stage, other);
      expect(eventsOf(stage.mark(stage.linear, 499_999), "liquidationStarted")).toEqual([]);
      expect(eventsOf(stage.sure(ladder(stage.linear, steep)), "liquidationStarted")).toEqual([]);
      const events = stage.mark(stage.linear, 499_999);
      expect(eventsOf(events, "liquidationStarted").map(({ account }) => account)).toContain(holder);
    };
    ended((stage, other) => {
      const long = stage.trader(2_530_000_000);
      stage.buy(long, 1_000, 500_000);
      stage.sell(other, 1_000, 500_000);
      return long;
    });
    ended((stage, other) => {
      const both = stage.trader(5_070_000);
      stage.sure({ kind: "setPositionMode", account: both, hedge: true });
      stage.sell(other, 1, 500_000);
      stage.buy(both, 1, 500_000);
      stage.buy(other, 1, 500_000);
      stage.sell(both, 1, 500_000);
      return both;
    });
  });
});
