import { expect, test } from "vitest";
import { compareAmounts, missingOf } from "./earn-model.ts";

test("[EARN-1] amounts of every size are compared as numbers", () => {
  expect(compareAmounts("100", "0")).toBe(1);
  expect(compareAmounts("100", "2000")).toBe(-1);
  expect(compareAmounts("1000000000000.5", "1000000000000.50")).toBe(0);
  expect(compareAmounts("0.000000000000000001", "0")).toBe(1);
  expect(compareAmounts("9", "10")).toBe(-1);
  expect(compareAmounts("", "0")).toBe(0);
});

test("[EARN-1] a form knows exactly what spot lacks", () => {
  expect(missingOf("1800", "1500.25", 6)).toBe("299.75");
  expect(missingOf("1500.25", "1500.25", 6)).toBeUndefined();
  expect(missingOf("1", "2000", 6)).toBeUndefined();
  expect(missingOf("0.00000001", "0", 8)).toBe("0.00000001");
});
