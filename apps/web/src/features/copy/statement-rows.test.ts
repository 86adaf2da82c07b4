// A statement holds every copy, skip and share once, newest first, each value below its own head.

import { allOf } from "@clockwork/kit/all-of";
import type { CopyLine, ShareLine } from "@clockwork/strategies/copy/contract";
import { expect, test } from "vitest";
import { headOf, sheetRows } from "./statement-rows.ts";

const copy: CopyLine = {
  id: "5.0",
  leaderId: "7",
  what: "open",
  pairCode: "BTC_USDT",
  quantity: "0.040",
  filled: "0.040",
  price: "50000.0",
  leaderPrice: "50000.0",
  isByStop: false,
  limitPrice: "50250.0",
  slippageBps: "0.00",
  place: 0,
  reason: null,
  code: null,
  bound: null,
  timeMs: 1_000,
};
const skip: CopyLine = {
  ...copy,
  id: "6.0",
  filled: "0.000",
  price: null,
  reason: "SLIPPAGE",
  bound: "50250.0",
  timeMs: 3_000,
};
const share: ShareLine = {
  id: "9.1",
  leaderId: "7",
  role: "follower",
  cause: "settlement",
  shareRate: "0.1",
  paid: "19.748",
  realizedPnl: "197.48",
  highWaterMark: "197.48",
  timeMs: 2_000,
};

test("[COPY-3] the statement lists copies, skips and shares by time in the chosen zone, without a leader's earnings", () => {
  const rows = sheetRows(
    [skip, copy],
    [share, { ...share, id: "9.2", role: "leader" }],
    new Map([["7", "Ada"]]),
    "UTC8",
  );
  const head = headOf("UTC+8");
  expect(allOf(rows, (row) => row.length === head.length)).toBe(true);
  const answer = rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at]])));
  expect(answer).toMatchObject([
    { kind: "skipped", reason: "SLIPPAGE", bound: "50250.0", filled: "0.000", paid: "", reference: "6.0" },
    { kind: "profit share", what: "settlement", paid: "19.748", "high-water mark": "197.48", leader: "Ada", price: "" },
    { kind: "copy", pair: "BTC_USDT", price: "50000.0", reason: "", "time, UTC+8": "1970-01-01 08:00:01" },
  ]);
});
