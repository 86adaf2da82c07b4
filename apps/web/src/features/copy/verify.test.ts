import type { LeaderRecord } from "@clockwork/strategies/copy/contract";
import { expect, test } from "vitest";
import { verifyRecord } from "./verify.ts";

const DAY_MS = 86_400_000;
const NOW = 200 * DAY_MS;

/** A gain of a tenth, then a fall by half of it; two closed trades. */
const RECORD: LeaderRecord = {
  sequence: 1,
  reckonedAtMs: NOW,
  index: "1050000000000",
  todayUnits: "-5000000",
  scale: 6,
  days: [
    { dayMs: NOW - 2 * DAY_MS, index: "1000000000000", pnlUnits: "0" },
    { dayMs: NOW - DAY_MS, index: "1100000000000", pnlUnits: "10000000" },
  ],
  trades: [
    { openedAtMs: NOW - 3_600_000, closedAtMs: NOW - 1_800_000, pnlUnits: "10000000" },
    { openedAtMs: NOW - 1_800_000, closedAtMs: NOW - 60_000, pnlUnits: "-5000000" },
  ],
  windows: [7, 30, 90, 180].map((days) => ({
    days,
    roi: "0.050000",
    drawdown: "0.045454",
    pnl: "5",
    trades: 2,
    winRate: "0.500000",
    profitFactor: "2.00",
    sharpe: "4.67",
    holdingMs: 1_770_000,
  })),
};

test("[COPY-1] figures that follow from the record are found the same", () => {
  const { count, differing } = verifyRecord(RECORD);
  expect(count).toBe(32);
  expect(differing).toEqual([]);
});

test("[COPY-1] a figure that does not follow from the record is named with its window", () => {
  const windows = RECORD.windows.map((one) => (one.days === 30 ? { ...one, roi: "0.08", trades: 3 } : one));
  const { differing } = verifyRecord({ ...RECORD, windows });
  expect(differing).toEqual(["roi 30", "trades 30"]);
});
