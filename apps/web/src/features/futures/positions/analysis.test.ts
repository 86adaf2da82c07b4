// What closed positions came to, by hand.
import type { ClosedPosition } from "@clockwork/trading/positions/contract";
import { expect, test } from "vitest";
import { analyse, settleOf } from "./analysis.ts";

function closed(pairCode: string, closedAtMs: number, [realizedPnl, fee, funding, netPnl]: readonly string[]) {
  return { biz: "futures", sub: null, pairCode, closedAtMs, realizedPnl, fee, funding, netPnl } as ClosedPosition;
}

const ROWS = [
  closed("ETH_USDT", 3, ["10", "-1", "0.5", "9.5"]),
  closed("BTC_USDT", 1, ["100.1", "-2", "-0.1", "98"]),
  closed("BTC_USDT", 2, ["-40", "-1.5", "0", "-41.5"]),
];

test("[FUT-3] sums, averages and the profit factor are exact and in the order of time", () => {
  const found = analyse(ROWS);
  expect(found).toMatchObject({
    count: 3,
    winners: 2,
    losers: 1,
    realized: "70.1",
    fees: "-4.5",
    funding: "0.4",
    net: "66.0",
    averageWin: "53.75000000",
    averageLoss: "-41.50000000",
    profitFactor: "2.59",
  });
  expect(found.curve.map(({ timeMs, total }) => [timeMs, total])).toEqual([
    [1, "98"],
    [2, "56.5"],
    [3, "66.0"],
  ]);
  expect(found.contracts).toEqual([
    { pairCode: "BTC_USDT", count: 2, winners: 1, net: "56.5" },
    { pairCode: "ETH_USDT", count: 1, winners: 1, net: "9.5" },
  ]);
  expect([found.best?.netPnl, found.worst?.netPnl]).toEqual(["98", "-41.5"]);
});

test("[FUT-3] nothing closed comes to nothing, and nothing is divided by it", () => {
  expect(analyse([])).toMatchObject({ count: 0, net: "0", averageWin: undefined, profitFactor: undefined, curve: [] });
  expect(settleOf({ ...ROWS[0], biz: "delivery", pairCode: "ETH_USD", sub: "ETH" } as ClosedPosition)).toBe("ETH");
});
