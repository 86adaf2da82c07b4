// What makes a demo market, how it keeps level with the real one, and how a player begins again: to the unit, the minute
// and the last event.
import { present } from "@clockwork/kit/assert";
import { describe, expect, test } from "vitest";
import { readContract } from "../../inspect/contracts.ts";
import { coreOf } from "../../machine/machine.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { EXTERNAL_ACCOUNT, INSURANCE_ACCOUNT } from "../../protocol/names.ts";
import { eventsOf } from "../../testing/driver.ts";
import { demoStage } from "./demo-fixture.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;
const DAY = 24 * HOUR;
const RICH = 10 ** 13;
const START_UNITS = 100_000_000_000;
const HOUSE_UNITS = 10 ** 15;
const START = 1_700_000_000_000 - (1_700_000_000_000 % DAY);

const published = (events: readonly MachineEvent[]): [string, number] | undefined => {
  const [refused] = eventsOf(events, "rejected");
  return refused === undefined ? undefined : [refused.code, refused.limit];
};

type Stage = ReturnType<typeof demoStage>;

function list(stage: Stage, change: object): MachineEvent[] {
  const shape = { base: stage.btc, quote: stage.play, tickMantissa: 1, tickDecimals: 1, stepUnits: 100_000 } as const;
  const more = { slippageBps: 200, feeGroup: 1, marketKind: "linear" } as const;
  return stage.sure({ kind: "listMarket", ...shape, ...more, symbol: `T${stage.machine.sequence}`, ...change });
}

const marketOf = (events: readonly MachineEvent[]): number =>
  present(eventsOf(events, "marketListed")[0], "TEST", "a market").market;

function coin(stage: Stage, symbol: string, scale: number): number {
  return present(eventsOf(stage.sure({ kind: "listAsset", symbol, scale }), "assetListed")[0], "TEST", symbol).asset;
}

describe("[FUT-4] which market may follow which", () => {
  test("the same contract in another coin of the same scale, of a real linear one that nobody follows", () => {
    const stage = demoStage();
    const real = marketOf(list(stage, { quote: stage.usdt }));
    const [other, coarse] = [coin(stage, "OTHER", 8), coin(stage, "COARSE", 5)];
    const spot = marketOf(list(stage, { quote: stage.usdt, marketKind: "spot" }));
    const mirror = (change: object): string | undefined => published(list(stage, { mirror: real, ...change }))?.[0];
    const no = "INVALID_LISTING";
    expect([99, spot, stage.inverse, stage.linear, stage.demo].map((one) => mirror({ mirror: one }))).toEqual(
      Array(5).fill(no),
    );
    expect(
      [{ base: other }, { quote: stage.usdt }, { quote: coarse, tickDecimals: 0 }, { stepUnits: 200_000 }].map(mirror),
    ).toEqual(Array(4).fill(no));
    expect(mirror({ marketKind: "inverse", faceUnits: 10_000_000, base: stage.btc })).toBe(no);
    expect(mirror({})).toBeUndefined();
    expect(mirror({})).toBe(no);
  });

  test("it begins level with the real one, and the house gets its play money once for each coin", () => {
    const stage = demoStage();
    const real = marketOf(list(stage, { quote: stage.usdt }));
    stage.sure({ kind: "setTiers", market: real, count: 1, cap1: 10 ** 12, rate1: 700_000, leverage1: 33 });
    stage.sure({ kind: "setReferencePrice", market: real, markTicks: 490_000, indexTicks: 491_000 });
    expect(stage.balance(INSURANCE_ACCOUNT, stage.play)).toEqual({ available: HOUSE_UNITS, frozen: 0 });
    const second = list(stage, { mirror: real });
    const market = marketOf(second);
    expect(eventsOf(second, "posting")).toEqual([]);
    expect(eventsOf(second, "contractListed")).toMatchObject([{ market, mirror: real, settle: stage.play }]);
    expect(eventsOf(second, "referencePrice")).toMatchObject([{ market, markTicks: 490_000, indexTicks: 491_000 }]);
    const tiers = [{ cap: 10n ** 12n, rate: 700_000n, leverageMax: 33, deduction: 0n }];
    expect(readContract(coreOf(stage.machine), market)).toMatchObject({ tiers, mirror: real });
    const play = coin(stage, "PLAY2", 6);
    const third = marketOf(list(stage, { quote: stage.usdt }));
    const opened = list(stage, { mirror: third, quote: play });
    expect(
      eventsOf(opened, "posting").map(({ account, counterparty, business, deltaUnits }) => [
        account,
        counterparty,
        business,
        deltaUnits,
      ]),
    ).toEqual([
      [EXTERNAL_ACCOUNT, INSURANCE_ACCOUNT, "adjustment", -HOUSE_UNITS],
      [INSURANCE_ACCOUNT, EXTERNAL_ACCOUNT, "adjustment", HOUSE_UNITS],
    ]);
    // Nothing is level with what has no price.
    expect(eventsOf(opened, "referencePrice")).toEqual([]);
  });

  test("one that would be settled at other hours than the real one follows nobody, and none wants a tick that is over", () => {
    const stage = demoStage(undefined, START + 1);
    const real = marketOf(list(stage, { quote: stage.usdt, fundingHours: 4 }));
    expect([1, 2, 8].map((fundingHours) => published(list(stage, { mirror: real, fundingHours }))?.[0])).toEqual(
      Array(3).fill("INVALID_LISTING"),
    );
    expect(published(list(stage, { mirror: real, fundingHours: 4 }))).toBeUndefined();
    stage.time += 5 * HOUR;
    stage.sure({ kind: "tick" });
    expect(stage.machine.nextTimerAt).toBeGreaterThan(stage.time);
  });
});

test("[FUT-4] each demo market counts its own trades", () => {
  const stage = demoStage();
  const real = marketOf(list(stage, { quote: stage.usdt }));
  stage.sure({ kind: "setTiers", market: real, count: 1, cap1: 10 ** 12, rate1: 400_000, leverage1: 50 });
  stage.sure({ kind: "setReferencePrice", market: real, markTicks: 500_000, indexTicks: 500_000 });
  const second = marketOf(list(stage, { mirror: real }));
  const [maker, player] = [stage.trader(RICH), stage.player()];
  for (const market of [stage.linear, real]) stage.sell(maker, 10, 500_000, { market });
  const numbers = [stage.demo, stage.demo, second].flatMap((market) =>
    eventsOf(stage.buy(player, 1, 500_000, { market }), "trade").map(({ tradeNumber }) => tradeNumber),
  );
  expect(numbers).toEqual([1, 2, 1]);
});

describe("[FUT-4] level with the real market", () => {
  test("each of mark and index that moved is told once and fires what waits for it; the bounds go with the mark", () => {
    const stage = demoStage();
    const player = stage.player();
    const plan = (source: "mark" | "index"): void => {
      const shape = { conditional: "stopMarket", quantity: 1, direction: "rises", trigger: 500_500 } as const;
      const base = { kind: "placeConditional", account: player, market: stage.demo, side: "buy" } as const;
      expect(published(stage.sure({ ...base, ...shape, source }))).toBeUndefined();
    };
    plan("mark");
    plan("index");
    const follow = (prices: object) => {
      const events = stage.sure({ kind: "setReferencePrice", market: stage.linear, ...prices });
      const own = eventsOf(events, "referencePrice").filter(({ market }) => market === stage.demo);
      return [
        own.map(({ markTicks, indexTicks }) => [markTicks, indexTicks]),
        eventsOf(events, "conditionalTriggered").length,
      ];
    };
    expect(follow({ indexTicks: 500_500 })).toEqual([[[500_000, 500_500]], 1]);
    expect(follow({ indexTicks: 500_500 })).toEqual([[], 0]);
    expect(published(stage.sell(player, 1, 525_100, { market: stage.demo }))?.[0]).toBe("PRICE_TOO_HIGH");
    expect(follow({ markTicks: 500_500 })).toEqual([[[500_500, 500_500]], 1]);
    expect(published(stage.sell(player, 1, 525_525, { market: stage.demo }))).toBeUndefined();
    expect(published(stage.sell(player, 1, 525_526, { market: stage.demo }))?.[0]).toBe("PRICE_TOO_HIGH");
    expect(follow({ markTicks: 501_000, indexTicks: 501_001 })).toEqual([[[501_000, 501_001]], 0]);
  });

  test("trust, ladder and rate are the real one's; sources that move a price move both, and it is settled at the same time", () => {
    const stage = demoStage(undefined, START + 1);
    const [maker, player, bear] = [stage.trader(RICH), stage.player(), stage.player()];
    const state = () => readContract(coreOf(stage.machine), stage.demo);
    stage.sell(maker, 5_000, 500_100);
    stage.buy(maker, 5_000, 499_900);
    stage.buy(player, 500, 500_100, { market: stage.demo });
    stage.sell(bear, 200, 499_900, { market: stage.demo });
    stage.sure({ kind: "setIndexPrice", market: stage.linear, source: 0, price: 500_000 });
    expect(state()?.isDegraded).toBe(true);
    expect(published(stage.buy(player, 1, 0, { market: stage.demo }))?.[0]).toBe("INDEX_DEGRADED");
    const received = stage.sure({ kind: "setIndexPrice", market: stage.linear, source: 1, price: 500_300 });
    expect(eventsOf(received, "referencePrice")).toMatchObject([{ market: stage.demo, indexTicks: 500_150 }]);
    expect(state()).toMatchObject({ isDegraded: false, indexTicks: 500_150, markTicks: 500_000 });
    stage.time += 5_000;
    const moved = eventsOf(stage.sure({ kind: "tick" }), "referencePrice");
    expect(moved.map(({ market }) => market)).toEqual([stage.linear, stage.demo]);
    expect(new Set(moved.map(({ markTicks }) => markTicks)).size).toBe(1);
    stage.sure({ kind: "setTiers", market: stage.linear, count: 1, cap1: 10 ** 13, rate1: 500_000, leverage1: 99 });
    expect(state()?.tiers).toMatchObject([{ rate: 500_000n, leverageMax: 99 }]);
    for (const source of [0, 1])
      stage.sure({ kind: "setIndexPrice", market: stage.linear, source, price: source === 0 ? 500_000 : 500_300 });
    stage.time += 1_000;
    expect([eventsOf(stage.sure({ kind: "tick" }), "indexState"), state()?.isDegraded]).toEqual([[], false]);
    const before = [player, bear].map((account) => stage.balance(account, stage.play).available);
    stage.time = START + 8 * HOUR;
    const ticked = stage.sure({ kind: "tick" });
    expect(eventsOf(ticked, "indexState").map(({ market }) => market)).toEqual([stage.linear]);
    const settled = eventsOf(ticked, "fundingSettled");
    const own = settled.filter(({ market }) => [stage.linear, stage.demo].includes(market));
    const [real] = own;
    const rate = real?.rate ?? 0;
    const mark = real?.markTicks ?? 0;
    expect(rate).toBeGreaterThan(0);
    expect(own).toMatchObject([
      { market: stage.linear, rate, positions: 0, dueAt: START + 8 * HOUR },
      { market: stage.demo, rate, markTicks: mark, dueAt: START + 8 * HOUR, samples: 0 },
    ]);
    const charge = (lots: number): number => (lots * mark * 100 * rate) / 100_000_000;
    expect([player, bear].map((account) => stage.balance(account, stage.play).available)).toEqual([
      (before[0] as number) - Math.ceil(charge(500)),
      (before[1] as number) + Math.floor(charge(200)),
    ]);
    // Settled with the real one alone: its own time passes with it.
    expect(state()?.nextFundingMs).toBe(START + 16 * HOUR);
    stage.sure({ kind: "setMarketStatus", market: stage.demo, status: "DELISTED" });
    stage.time = START + 16 * HOUR;
    const later = eventsOf(stage.sure({ kind: "tick" }), "fundingSettled").map(({ market }) => market);
    expect([later.includes(stage.linear), later.includes(stage.demo)]).toEqual([true, false]);
  });

  test("who cannot pay a settlement of the demo market is ended with it, and so is whom the mark of a tick reaches", () => {
    const stage = demoStage(undefined, START + 1);
    const [maker, player] = [stage.trader(RICH), stage.player()];
    stage.sell(maker, 19_000, 500_000);
    stage.sure({ kind: "setLeverage", account: player, market: stage.demo, long: 100 });
    stage.buy(player, 19_000, 500_000, { market: stage.demo });
    for (const source of [0, 1]) stage.sure({ kind: "setIndexPrice", market: stage.linear, source, price: 450_000 });
    stage.sure({ kind: "cancelAll", account: maker });
    stage.time += 1_000;
    const ended = eventsOf(stage.sure({ kind: "tick" }), "liquidationStarted");
    expect(ended.map(({ account, market }) => [account, market])).toEqual([[player, stage.demo]]);
  });
});

describe("[FUT-4] a player begins again", () => {
  test("who is no player, and what is no play money, is refused", () => {
    const stage = demoStage();
    const [real, player] = [stage.trader(RICH), stage.player()];
    stage.time += 2 * DAY;
    const reset = (account: number, asset: number): unknown =>
      published(stage.sure({ kind: "resetDemo", account, asset }))?.[0];
    expect([reset(2, stage.play), reset(999, stage.play)]).toEqual(["UNKNOWN_ACCOUNT", "UNKNOWN_ACCOUNT"]);
    expect([reset(real, stage.play), reset(player, stage.usdt), reset(player, 99)]).toEqual([
      "BOOK_NOT_TRADABLE",
      "UNKNOWN_ASSET",
      "UNKNOWN_ASSET",
    ]);
    expect(reset(player, stage.play)).toBeUndefined();
  });

  test("a whole day after the minute of the last time, and not a minute sooner", () => {
    const stage = demoStage(undefined, START);
    stage.time = START + 30_000;
    const player = stage.player();
    const reset = { kind: "resetDemo", account: player, asset: stage.play } as const;
    stage.time = START + DAY - 1;
    expect(published(stage.sure(reset))).toEqual(["RESET_TOO_SOON", START + DAY]);
    stage.time = START + DAY;
    const again = stage.sure(reset);
    expect(eventsOf(again, "demoReset")).toMatchObject([{ account: player, asset: stage.play, units: START_UNITS }]);
    // There is all of it already: nothing moves.
    expect(eventsOf(again, "posting")).toEqual([]);
    stage.time += DAY - MINUTE;
    expect(published(stage.sure(reset))).toEqual(["RESET_TOO_SOON", START + 2 * DAY]);
  });

  test("a single unit that is missing is given", () => {
    const stage = demoStage();
    const player = stage.player();
    stage.time += DAY;
    stage.sell(stage.trader(RICH), 1, 500_000);
    const fees = { kind: "setAccountFees", account: player, feeGroup: 1, makerRate: 0 } as const;
    stage.sure({ ...fees, takerRate: 1 });
    stage.buy(player, 1, 500_000, { market: stage.demo });
    expect(stage.balance(player, stage.play).available).toBe(START_UNITS - 1);
    const events = stage.sure({ kind: "resetDemo", account: player, asset: stage.play });
    const given = eventsOf(events, "posting").filter(({ business }) => business === "faucet");
    expect(given.map(({ account, deltaUnits }) => [account, deltaUnits])).toEqual([
      [EXTERNAL_ACCOUNT, -1],
      [player, 1],
    ]);
    expect(stage.balance(player, stage.play)).toEqual({ available: START_UNITS, frozen: 0 });
  });

  test("orders and plans end, both sides of a hedge close at the mark against the house, and what was won or lost is evened out", () => {
    for (const price of [500_100, 499_000]) {
      const stage = demoStage();
      const [maker, player] = [stage.trader(RICH), stage.player()];
      stage.time += DAY;
      stage.sell(maker, 50, price);
      stage.buy(maker, 50, price - 100);
      const { demo: market, linear } = stage;
      stage.sure({ kind: "setPositionMode", account: player, hedge: true });
      stage.sure({ kind: "setMarginMode", account: player, market, isolated: true });
      stage.buy(player, 20, price, { market });
      stage.sell(player, 7, price - 100, { market });
      stage.sell(player, 3, 515_000, { market, reduceOnly: true });
      stage.sure({ kind: "setPositionStops", account: player, market, side: "long", stopTrigger: 480_000 });
      stage.mark(linear, 500_500);
      const had = stage.balance(player, stage.play);
      const events = stage.sure({ kind: "resetDemo", account: player, asset: stage.play });
      expect(eventsOf(events, "orderEnded").map(({ reason }) => reason)).toEqual(["USER", "USER"]);
      const realized = [20 * (500_500 - price) * 100, 7 * (price - 100 - 500_500) * 100];
      const changed = eventsOf(events, "positionChanged").filter(({ account }) => account === player);
      expect(changed.map((event) => [event.lots, event.realizedUnits, event.marginUnits])).toEqual([
        [0, realized[0], 0],
        [0, realized[1], 0],
      ]);
      expect([stage.held(player, market), stage.held(INSURANCE_ACCOUNT, market)]).toEqual([[], []]);
      expect(stage.balance(player, stage.play)).toEqual({ available: START_UNITS, frozen: 0 });
      const change = START_UNITS - had.available - had.frozen - (realized[0] as number) - (realized[1] as number);
      const given = eventsOf(events, "posting").filter(({ business }) => business === "faucet");
      expect(given.map(({ reference, market: where }) => [reference, where])).toEqual(Array(2).fill([0, 0]));
      expect(given.map(({ account, deltaUnits }) => [account, deltaUnits])).toEqual(
        change > 0
          ? [
              [EXTERNAL_ACCOUNT, -change],
              [player, change],
            ]
          : [
              [player, change],
              [EXTERNAL_ACCOUNT, -change],
            ],
      );
      expect(eventsOf(events, "posting").filter(({ business }) => business.endsWith("Fee"))).toEqual([]);
      expect(published(stage.sure({ kind: "setPositionMode", account: player, hedge: false }))).toBeUndefined();
    }
  });
});
