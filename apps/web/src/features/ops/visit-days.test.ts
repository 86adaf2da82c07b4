import { expect, test } from "vitest";
import { sumDays } from "./visit-days.ts";

test("[NET-8] a day is the sum of its events, phones apart", () => {
  const days = sumDays({
    totals: [
      { day: "2026-11-15", event: "home", source: "H5", count: 2 },
      { day: "2026-11-15", event: "home", source: "PC", count: 3 },
      { day: "2026-11-15", event: "spot", source: "H5", count: 1 },
      { day: "2026-11-14", event: "home", source: "PC", count: 4 },
    ],
  });
  expect(days).toEqual([
    { day: "2026-11-15", count: 6, mobile: 3 },
    { day: "2026-11-14", count: 4, mobile: 0 },
  ]);
});
