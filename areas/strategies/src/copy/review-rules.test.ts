import { expect, test } from "vitest";
import { describeReviews } from "./record-service.ts";
import type { LeaderRow } from "./store.ts";

const row = (account: number, state: LeaderRow["state"], applied_ms: number): LeaderRow => ({
  account,
  state,
  applied_ms,
  user_id: account,
  kind: "futures",
  nickname: `n${account}`,
  bio: "",
  level: 1,
  share_rate: 10_000_000,
  is_simulated: false,
  reason: "",
  decided_ms: 0,
  rest_until_ms: 0,
});

test("[COPY-1] applications come first in the console, the longest waiting before the others", () => {
  const rows = [row(1, "ACTIVE", 1), row(2, "SUSPENDED", 2), row(3, "APPLIED", 30), row(4, "APPLIED", 20)];
  const shown = describeReviews(rows, new Map([[2, 7]]));
  expect(shown.map(({ leaderId }) => leaderId)).toEqual(["4", "3", "1", "2"]);
  expect(shown.map(({ washTrades }) => washTrades)).toEqual([0, 0, 0, 7]);
});
