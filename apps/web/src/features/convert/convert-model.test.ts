// Rates as they are shown.
import { expect, test } from "vitest";
import { rateOf } from "./convert-model.ts";

test("[WAL-1] a rate has eight figures, two decimals at least where they say something, and is cut off", () => {
  expect(rateOf("2", "128240")).toBe("64120");
  expect(rateOf("3", "10")).toBe("3.3333333");
  expect(rateOf("64120", "1")).toBe("0.000015595757");
  expect(rateOf("0.000003", "299999.999999999")).toBe("99999999999.99");
  expect([rateOf("0", "1"), rateOf("1", "0"), rateOf("", "1")]).toEqual([undefined, undefined, undefined]);
});
