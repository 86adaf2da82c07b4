// Statistics of leaders against figures computed by hand.
import { describe, expect, test } from "vitest";
import {
  carryIndex,
  copyQuality,
  INDEX_ONE,
  maxDrawdown,
  profitFactor,
  sharpeRatio,
  windowStatistics,
} from "./copy-statistics.ts";

const DAY = 86_400_000;
const nav = (value: number): bigint => BigInt(Math.round(value * 1_000_000)) * 1_000_000n;

describe("the index", () => {
  test("[COPY-3] deposits are no profit: 1 000 → 1 100, 900 deposited, 2 000 → 2 200 is 21 %", () => {
    const first = carryIndex(INDEX_ONE, 1_000n, 1_100n);
    expect(carryIndex(first, 2_000n, 2_200n)).toBe(nav(1.21));
    expect(carryIndex(nav(1.1), 0n, 500n)).toBe(nav(1.1));
    expect(carryIndex(nav(1.1), 500n, -20n)).toBe(0n);
  });

  test("[COPY-3] the deepest fall is from the height before it", () => {
    expect(maxDrawdown([1, 1.2, 0.9, 1.3, 1.04].map(nav))).toBe(250_000n);
    expect(maxDrawdown([1, 1.1, 1.2].map(nav))).toBe(0n);
  });
});

describe("figures of a window", () => {
  const now = 100 * DAY;
  const days = [90, 91, 92, 97, 98, 99].map((day, index) => ({
    dayMs: day * DAY,
    nav: nav([1, 1.1, 1.05, 1.05, 1.26, 1.2][index] as number),
    pnlUnits: BigInt([0, 100, -50, 0, 210, -60][index] as number),
  }));
  const trade = (closed: number, pnl: number) => ({
    openedMs: closed * DAY - 3_600_000,
    closedMs: closed * DAY,
    market: 1,
    pnlUnits: BigInt(pnl),
  });
  const trades = [trade(91, 150), trade(92, -50), trade(98, 300), trade(99, -100)];
  const record = { days, nowMs: now, nav: nav(1.323), todayUnits: 123n, trades };

  test("[COPY-3] ROI counts from where the window starts, PnL from its first day, trades by when they closed", () => {
    const week = windowStatistics(record, 7);
    expect(week.roi).toBe(260_000n);
    expect(week.pnlUnits).toBe(273n);
    expect([week.trades, week.wins, week.winRate]).toEqual([2, 1, 500_000n]);
    expect(week.profitFactor).toBe(300n);
    expect(week.drawdown).toBe(47_619n);
    expect(week.holdingMs).toBe(3_600_000);
    expect(windowStatistics(record, 30).roi).toBe(323_000n);
    expect(windowStatistics(record, 30).trades).toBe(4);
  });

  test("[COPY-3] the holding time is the median: a position left open for weeks changes nothing", () => {
    const held = (hours: number) => ({ ...trade(99, 1), openedMs: 99 * DAY - hours * 3_600_000 });
    const of = (...hours: number[]) => windowStatistics({ ...record, trades: hours.map(held) }, 30).holdingMs;
    expect(of(1, 500, 2)).toBe(2 * 3_600_000);
    expect(of(1, 4, 500, 2)).toBe(3 * 3_600_000);
    expect(of()).toBe(0);
  });

  test("[COPY-3] the profit factor is undefined without a loss; Sharpe needs returns that differ", () => {
    expect(profitFactor([{ pnlUnits: 5n }])).toBeUndefined();
    expect(sharpeRatio([1, 1].map(nav))).toBeUndefined();
    // Returns of 2 %, 0 %, 1 %: mean 1 %, deviation 1 %, × √365 = 19.105.
    expect(sharpeRatio([1, 1.02, 1.02, 1.0302].map(nav))).toBe(1910);
  });

  test("[COPY-3] copies: the median of slippages, the 95th part, skips among all that were wanted", () => {
    expect(copyQuality([300, 100, 200], 3, 1)).toEqual({
      copies: 3,
      skips: 1,
      skipRate: 250_000n,
      medianSlippage: 200,
      highSlippage: 300,
      histogram: [0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0],
    });
    expect(copyQuality([100, 300], 2, 0).medianSlippage).toBe(200);
    // Better than the leader's price counts as none, the last bar takes everything worse.
    expect(copyQuality([-700, 0, 99, 100, 1_099, 1_100, 25_000], 7, 0).histogram).toEqual([
      3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2,
    ]);
    expect(copyQuality([], 0, 0)).toMatchObject({ medianSlippage: undefined, skipRate: 0n });
  });
});
