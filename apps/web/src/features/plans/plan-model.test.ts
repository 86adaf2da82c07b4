import { expect, test } from "vitest";
import { gainOf, MIXES, mixPath } from "./mix-model.ts";
import { readMix, START } from "./plan-model.ts";

test("[EARN-1] a mix named in the address fills the editor, anything else leaves the default", () => {
  const read = (address: string) => readMix(new URLSearchParams(address), ["BTC", "ETH", "SOL"]);
  const coins = [
    { asset: "BTC", weight: 70 },
    { asset: "ETH", weight: 30 },
  ];
  expect(read("mix=BTC-70.ETH-30&name=The%20two%20largest")).toEqual({ ...START, coins, name: "The two largest" });
  expect(read("mix=BTC-70.ETH-30")).toEqual({ ...START, coins });
  for (const wrong of [
    "",
    "mix=",
    "mix=BTC-70.ETH-20",
    "mix=BTC-50.BTC-50",
    "mix=BTC-50.NONE-50",
    "mix=BTC-0.ETH-100",
    "mix=BTC-1e2",
  ])
    expect(read(wrong)).toEqual(START);
});

test("[EARN-1] ready mixes are whole plans, and their past result is shown with its sign", () => {
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
