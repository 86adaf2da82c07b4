import { expect, test } from "vitest";
import { compareAmounts, missingOf, termOf } from "./earn-model.ts";

test("[EARN-1] amounts of every size are compared as numbers", () => {
  expect(compareAmounts("100", "0")).toBe(1);
  expect(compareAmounts("100", "2000")).toBe(-1);
  expect(compareAmounts("1000000000000.5", "1000000000000.50")).toBe(0);
  expect(compareAmounts("0.000000000000000001", "0")).toBe(1);
  expect(compareAmounts("9", "10")).toBe(-1);
  expect(compareAmounts("", "0")).toBe(0);
});

test("[EARN-1] a form computes exactly what spot lacks", () => {
  expect(missingOf("1800", "1500.25", 6)).toBe("299.75");
  expect(missingOf("1500.25", "1500.25", 6)).toBeUndefined();
  expect(missingOf("1", "2000", 6)).toBeUndefined();
  expect(missingOf("0.00000001", "0", 8)).toBe("0.00000001");
});

test("[EARN-1] a term shows its earning period and the lock of a deposit made now, the wait for its start included", () => {
  const day = 86_400_000;
  const [closesAtMs, startsAtMs] = [106 * day, 107 * day];
  const fin = { kind: "shark", days: 7, closesAtMs, startsAtMs, endsAtMs: 114 * day } as const;
  expect(termOf(fin, 100 * day)).toEqual({
    closesMs: closesAtMs,
    startsMs: startsAtMs,
    endsMs: 114 * day,
    lockedDays: 14,
  });
  expect(termOf(fin, 106 * day - 1)?.lockedDays).toBe(9);
  const fixed = { kind: "fixed", days: 7, closesAtMs: null, startsAtMs: null, endsAtMs: null } as const;
  const term = { closesMs: undefined, startsMs: 101 * day, endsMs: 108 * day, lockedDays: 8 };
  expect(termOf(fixed, 100 * day + 1)).toEqual(term);
  expect(termOf({ ...fixed, kind: "flexible" }, 0)).toBeUndefined();
});
