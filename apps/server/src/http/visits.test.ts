import { expect, test } from "vitest";
import { Visits } from "./visits.ts";

test("[OPS-6] five minutes after the last request nobody is there; supervisors do not count", () => {
  let nowMs = 0;
  const visits = new Visits(() => nowMs);
  expect(visits.isRecent()).toBe(true);
  nowMs = 299_999;
  visits.note("/metrics");
  expect(visits.isRecent()).toBe(true);
  nowMs = 300_000;
  expect(visits.isRecent()).toBe(false);
  visits.note("/v1/market/tickers");
  expect(visits.isRecent()).toBe(true);
});
