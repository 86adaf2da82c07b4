import { expect, test } from "vitest";
import { compareAmounts, gainOf, MIXES, mixPath } from "./earn-model.ts";

test("[EARN-1] amounts of every size are compared as numbers", () => {
  expect(compareAmounts("100", "0")).toBe(1);
  expect(compareAmounts("100", "2000")).toBe(-1);
  expect(compareAmounts("1000000000000.5", "1000000000000.50")).toBe(0);
  expect(compareAmounts("0.000000000000000001", "0")).toBe(1);
  expect(compareAmounts("9", "10")).toBe(-1);
  expect(compareAmounts("", "0")).toBe(0);
});

test("[EARN-1] ready mixes are whole plans, and their past is told with its sign", () => {
  for (const { coins } of MIXES) {
    expect(coins.reduce((sum, { weight }) => sum + weight, 0)).toBe(100);
    expect(coins.length).toBeLessThanOrEqual(5);
  }
  expect(mixPath({ coins: [{ asset: "BTC", weight: 100 }] }, "Gold & all")).toBe(
    "/earn/recurring?mix=BTC-100&name=Gold%20%26%20all",
  );
  expect(gainOf({ putIn: "2600", worth: "2985.32" })).toBe("0.1482");
  expect(gainOf({ putIn: "2600", worth: "2470" })).toBe("-0.05");
  expect(gainOf({ putIn: "0", worth: "0" })).toBeUndefined();
});
