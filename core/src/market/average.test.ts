// The five-minute average beside the plain list of trades it is of.
import { createRandom } from "@clockwork/kit/random";
import { describe, expect, it } from "vitest";
import { M_ANCHOR, M_BAND_STALE, M_KIND, M_MARK, MARKET_SHIFT, Markets, SUM_MAX } from "./markets.ts";

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
      nowMs += random.pick([0, 1, 900, 9_999, 31_000, random.between(285_000, 305_000), 300_000, 900_000]);
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

  it("stays near when its sums are halved, which keeps them exact", () => {
    const markets = new Markets();
    const [one, other] = [markets.add(), markets.add()];
    markets.addTrade(other, 700, 3, 5_000);
    for (let i = 0; i < 6; i++) markets.addTrade(one, 2_000, 2 ** 39 + i, 1_000 + i * 10_000);
    markets.refreshBand(one, 60_000);
    expect(markets.readAverage(one, 60_000)).toBeGreaterThanOrEqual(1_999);
    expect(markets.readAverage(one, 60_000)).toBeLessThanOrEqual(2_000);
    expect(markets.double(one, 23)).toBeLessThanOrEqual(SUM_MAX);
    const buckets = [...markets.buckets.f64.subarray(one * 60, one * 60 + 60)];
    const sum = (from: number): number => buckets.filter((_, at) => at % 2 === from).reduce((a, b) => a + b, 0);
    expect([markets.double(one, 23), markets.double(one, 24)]).toEqual([sum(0), sum(1)]);
    expect(markets.readAverage(other, 5_000)).toBe(700);
    // A market later every trade has left, and the last average stays.
    markets.refreshBand(one, 400_000);
    expect([markets.double(one, 23), markets.double(one, 24)]).toEqual([0, 0]);
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
