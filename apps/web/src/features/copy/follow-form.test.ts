// The follow dialog's worked example against the rules and the vectors of the specification, to the last digit.
import { expect, test } from "vitest";
import { exampleOf, exampleWeek, FIRST_DRAFT, stopsAt, worstLoss } from "./follow-form.ts";

const latest = { pairCode: "BTC_USDT", quantity: "1.450", price: "62104.8", leverage: 10, step: "0.001" };
const leader = { latest, equity: "148236.4" };

test("[COPY-3] proportional: the leader's 9 005.196 of 148 236.4, a part of own 1 000, cut to the step", () => {
  expect(exampleOf({ ...FIRST_DRAFT, mode: "proportional" }, leader)).toEqual({
    leaderMargin: "9005.196000",
    part: "0.06074888",
    margin: "60.748880",
    quantity: "0.009",
    taken: "55.894320",
    leverage: 10,
  });
  const vector = { latest: { ...latest, quantity: "1", price: "1000", step: "0.01" }, equity: "1000" };
  const own = { ...FIRST_DRAFT, mode: "proportional", investment: "100" } as const;
  expect(exampleOf(own, vector).margin).toBe("10.000000");
});

test("[COPY-3] fixed and multiplier are exact where floats are not, and obey leverage and the cap", () => {
  const small = { latest: { ...latest, quantity: "0.3", price: "0.1", leverage: 3, step: "0.1" }, equity: "10" };
  // 0.1 × 3 ÷ 0.1 is 3 and not 2.9999999999999996.
  expect(exampleOf({ ...FIRST_DRAFT, fixed: "0.1" }, small).quantity).toBe("3.0");
  const times = { ...FIRST_DRAFT, mode: "multiplier", multiplier: "0.7" } as const;
  expect(exampleOf(times, { ...leader, latest: { ...latest, quantity: "0.100" } }).quantity).toBe("0.070");
  const own = { ...FIRST_DRAFT, fixed: "621.048" };
  expect(exampleOf({ ...own, leverage: "20", leverageMax: "5" }, leader)).toMatchObject({
    quantity: "0.050",
    taken: "621.048000",
    leverage: 5,
  });
  expect(exampleOf({ ...own, maxOrder: "310.524" }, leader)).toMatchObject({ margin: "310.524", quantity: "0.050" });
  expect(exampleOf({ ...own, fixed: "1" }, leader).quantity).toBe("0.000");
});

test("[COPY-3] a share of ten percent through +200, −50, +300, −500 holds 20, 15, 45 and nothing", () => {
  expect(exampleWeek("0.1").map(({ held }) => held)).toEqual(["20.00", "15.00", "45.00", "0.00"]);
  expect(exampleWeek("0.07").map(({ held }) => held)).toEqual(["14.00", "10.50", "31.50", "0.00"]);
});

test("[COPY-3] the worst planned loss is the difference between the investment and its stop", () => {
  expect(worstLoss({ investment: "1000.1", stopLoss: "70" })).toBe("-300.030000");
  expect(stopsAt({ investment: "1000.1", stopLoss: "70" })).toBe("700.07");
  expect(Number(worstLoss({ investment: "1000", stopLoss: "" }))).toBe(-1000);
});
