// The five-minute average beside the plain list of trades it is of.
import { allOf } from "@clockwork/kit/all-of";
import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import { createRandom } from "@clockwork/kit/random";
import { describe, expect, it } from "vitest";
import {
  M_ANCHOR,
  M_BAND_STALE,
  M_BUY_MAX,
  M_BUY_MAX_BPS,
  M_BUY_MIN,
  M_BUY_MIN_BPS,
  M_KIND,
  M_MARK,
  M_SELL_MAX,
  M_SELL_MAX_BPS,
  M_SELL_MIN,
  M_SELL_MIN_BPS,
  MARKET_SHIFT,
  Markets,
  MF_SUM_LOTS,
  MF_SUM_NOTIONAL,
  SUM_MAX,
} from "./markets.ts";

interface Trade {
  readonly market: number;
  readonly price: number;
  readonly lots: number;
  readonly timeMs: number;
}

/** Thirty buckets of ten seconds, the current one included. */
const isWithin = (timeMs: number, nowMs: number): boolean =>
  Math.floor(timeMs / 10_000) > Math.floor(nowMs / 10_000) - 30;

function averageOf(trades: readonly Trade[], market: number, nowMs: number): number | undefined {
  const kept = trades.filter((trade) => trade.market === market && isWithin(trade.timeMs, nowMs));
  const lots = kept.reduce((sum, trade) => sum + trade.lots, 0);
  return lots === 0 ? undefined : Math.floor(kept.reduce((sum, { price, lots: own }) => sum + price * own, 0) / lots);
}

describe("the average price", () => {
  it("is that of the trades of five minutes, of each market alone, and stays when none are left", () => {
    const random = createRandom(17);
    const markets = new Markets();
    for (let i = 0; i < 3; i++) markets.add();
    const trades: Trade[] = [];
    const last = new Map<number, number>();
    let nowMs = 1_700_000_000_000;
    for (let turn = 0; turn < 3_000; turn++) {
      // Often near five minutes, where the oldest bucket leaves.
      const nextMs = 10_000 - (nowMs % 10_000);
      nowMs += random.pick([0, 1, 900, 9_999, nextMs, 31_000, random.between(285_000, 305_000), 300_000, 900_000]);
      const market = random.between(1, 3);
      if (random.chance(2, 3)) {
        const trade = { market, price: random.between(1, 90_000), lots: random.between(1, 500), timeMs: nowMs };
        trades.push(trade);
        markets.addTrade(market, trade.price, trade.lots, nowMs);
        expect(markets.word(market, M_BAND_STALE)).toBe(1);
      }
      const aheadMs = random.pick([0, 5_000, 60_000, 400_000]);
      const ahead = averageOf(trades, market, nowMs + aheadMs) ?? markets.word(market, M_ANCHOR);
      expect(markets.readAverage(market, nowMs + aheadMs)).toBe(ahead);
      markets.refreshBand(market, nowMs);
      const average = averageOf(trades, market, nowMs) ?? last.get(market) ?? 0;
      last.set(market, average);
      expect([markets.word(market, M_ANCHOR), markets.word(market, M_BAND_STALE)]).toEqual([average, 0]);
      expect(markets.readAverage(market, nowMs)).toBe(average);
    }
  });

  it("a bucket ends at the very moment the next one begins", () => {
    const markets = new Markets();
    const market = markets.add();
    const bandAt = (nowMs: number): number => {
      markets.refreshBand(market, nowMs);
      return markets.word(market, M_ANCHOR);
    };
    markets.addTrade(market, 100, 1, 9_999);
    markets.addTrade(market, 200, 1, 290_000);
    expect([bandAt(299_999), bandAt(300_000)]).toEqual([150, 200]);
    markets.addTrade(market, 500, 2, 310_000);
    expect([bandAt(589_999), bandAt(599_999), bandAt(609_999)]).toEqual([400, 500, 500]);
    markets.addTrade(market, 900, 1, 610_000);
    expect([bandAt(610_000), bandAt(900_000), bandAt(2_000_000)]).toEqual([900, 900, 900]);
  });

  it("stays near when its sums are halved", () => {
    const markets = new Markets();
    const market = markets.add();
    for (let i = 0; i < 6; i++) markets.addTrade(market, 2_000, 2 ** 39 + i, 1_000 + i * 10_000);
    markets.refreshBand(market, 60_000);
    expect(markets.readAverage(market, 60_000)).toBeGreaterThanOrEqual(1_999);
    expect(markets.readAverage(market, 60_000)).toBeLessThanOrEqual(2_000);
    expect(markets.double(market, MF_SUM_NOTIONAL)).toBeLessThanOrEqual(SUM_MAX);
  });

  it("has its sums halved bucket by bucket, the price down and the lots up, when they pass 2^52 and no sooner", () => {
    const markets = new Markets();
    const [before, one, other] = [markets.add(), markets.add(), markets.add()];
    const bucketsOf = (market: number): number[] => [...markets.buckets.f64.subarray(market * 60, market * 60 + 60)];
    const sums = (): number[] => [markets.double(one, MF_SUM_NOTIONAL), markets.double(one, MF_SUM_LOTS)];
    for (let bucket = 0; bucket < 30; bucket++) {
      for (const market of [before, other]) markets.addTrade(market, 700, market, bucket * 10_000);
      if (bucket < 29) markets.addTrade(one, 3, 5, bucket * 10_000);
    }
    const neighbours = [bucketsOf(before), bucketsOf(other)];
    const most = 2 ** 52 - 29 * 15;
    markets.addTrade(one, 1, most, 299_999);
    expect(sums()).toEqual([2 ** 52, most + 29 * 5]);
    markets.addTrade(one, 1, 1, 299_999);
    const half = 2 ** 51 - 217;
    expect(sums()).toEqual([half + 29 * 7, half + 29 * 3]);
    expect(bucketsOf(one)).toEqual([...Array.from({ length: 29 }, () => [7, 3]).flat(), half, half]);
    expect([bucketsOf(before), bucketsOf(other)]).toEqual(neighbours);
    markets.refreshBand(one, 599_999);
    expect(sums()).toEqual([0, 0]);
  });

  it("has exact sums with the largest trades there may be", () => {
    const random = createRandom(19);
    const markets = new Markets();
    const market = markets.add();
    for (let turn = 0; turn < 300; turn++) {
      const price = random.pick([1, 2, 3, 1_000_003, PRICE_TICKS_MAX]);
      markets.addTrade(market, price, Math.floor(Number.MAX_SAFE_INTEGER / price) - random.below(3), turn * 4_000);
      const buckets = [...markets.buckets.f64.subarray(market * 60, market * 60 + 60)];
      const sums = [0, 1].map((part) => buckets.filter((_, at) => at % 2 === part).reduce((sum, one) => sum + one, 0));
      expect([markets.double(market, MF_SUM_NOTIONAL), markets.double(market, MF_SUM_LOTS)]).toEqual(sums);
      expect(allOf(sums, Number.isSafeInteger)).toBe(true);
    }
  });

  it("is kept with the buckets it is of, of more markets than there was room for at first", () => {
    const [markets, loaded] = [new Markets(), new Markets()];
    for (let market = 1; market <= 20; market++) {
      expect(markets.add()).toBe(market);
      markets.addTrade(market, 1_000 * market, 2, 5_000);
      markets.addTrade(market, 2_000 * market, 2, 15_000);
    }
    for (const [at, table] of markets.tables().entries()) {
      const words = table.i32.slice(0, table.usedWords);
      (loaded.tables()[at] as (typeof markets)["table"]).load(words, table.count, table.freeHead);
    }
    for (let market = 1; market <= 20; market++) {
      expect([15_000, 300_000].map((now) => loaded.readAverage(market, now))).toEqual([1_500 * market, 2_000 * market]);
    }
    expect([loaded.words === loaded.table.i32, loaded.doubles === loaded.table.f64]).toEqual([true, true]);
  });

  it("of a perpetual bounds nothing: its band hangs on the mark", () => {
    const markets = new Markets();
    const market = markets.add();
    markets.words[(market << MARKET_SHIFT) + M_KIND] = 1;
    markets.words[(market << MARKET_SHIFT) + M_MARK] = 321;
    markets.refreshBand(market, 1_000);
    markets.addTrade(market, 500, 4, 2_000);
    expect(markets.word(market, M_BAND_STALE)).toBe(0);
    markets.setBand(market);
    expect(markets.word(market, M_ANCHOR)).toBe(321);
    expect([markets.isMarket(0), markets.isMarket(1), markets.isMarket(2), markets.isMarket(-1)]).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });
});

describe("the band of prices", () => {
  it("is four parts of the average, those above it rounded down and those below it up, each market's own", () => {
    const markets = new Markets();
    const band = (market: number): number[] =>
      [M_BUY_MAX, M_BUY_MIN, M_SELL_MIN, M_SELL_MAX].map((word) => markets.word(market, word));
    for (const limits of [
      [11_000, 5_001, 9_001, 20_003],
      [10_100, 0, 9_900, 0],
    ]) {
      const at = markets.add() << MARKET_SHIFT;
      for (const [i, word] of [M_BUY_MAX_BPS, M_BUY_MIN_BPS, M_SELL_MIN_BPS, M_SELL_MAX_BPS].entries())
        markets.words[at + word] = limits[i] as number;
    }
    markets.setBand(1);
    expect(band(1)).toEqual([0, 0, 0, 0]);
    markets.addTrade(1, 1_003, 4, 5_000);
    markets.addTrade(2, PRICE_TICKS_MAX, 1, 5_000);
    for (const market of [1, 2]) markets.refreshBand(market, 5_000);
    // 1 103.3, 501.6003, 902.8003 and 2 006.3009.
    expect(band(1)).toEqual([1_103, 502, 903, 2_006]);
    expect(band(2)).toEqual([PRICE_TICKS_MAX, 0, Math.ceil(PRICE_TICKS_MAX * 0.99), 0]);
    markets.addTrade(1, 1_006, 4, 5_000);
    expect(band(1)).toEqual([1_103, 502, 903, 2_006]);
    markets.refreshBand(1, 5_000);
    expect([markets.word(1, M_ANCHOR), ...band(1)]).toEqual([1_004, 1_104, 503, 904, 2_008]);
  });
});
