import { expect, test } from "vitest";
import { readWorth } from "./worth.ts";

test("[SITE-22] one number is the account's worth: the live one, else the served; none where it is withheld", () => {
  const totalAsset = { amount: "12.34" };
  expect(readWorth({ globalConfig: {}, totalAsset }, "11")).toBe("12.34");
  expect(readWorth({ globalConfig: { hbtSwitch: "0" }, totalAsset: undefined }, "11")).toBe("11");
  expect(readWorth({ globalConfig: {}, totalAsset: undefined })).toBeUndefined();
  expect(readWorth({ globalConfig: { hbtSwitch: "1" }, totalAsset }, "11")).toBeUndefined();
});
