import { expect, test } from "vitest";
import { isShort } from "./short-funds.tsx";

test("[SITE-22] a balance is short when nothing is there or less than is wanted, to the last digit", () => {
  expect(isShort("0", "")).toBe(true);
  expect(isShort("0.00000000", "1")).toBe(true);
  expect(isShort("10", "10.00000001")).toBe(true);
  expect(isShort("10", "10.000")).toBe(false);
  expect(isShort("10", "")).toBe(false);
  expect(isShort("10", "1e9")).toBe(false);
});
