// What the page says of an amount before the exchange is asked.
import { expect, test } from "vitest";
import { findAmountFault } from "./withdraw-model.ts";

test("[WAL-2] too much, too little and beyond the limit are told apart before anything is sent, exactly at their borders", () => {
  const facts = { leaves: "10.5", min: "2", priceUsdt: "3", limitLeftUsdt: "30" };
  const faultOf = (amount: string, more: object = {}) => findAmountFault({ ...facts, amount, ...more });
  expect(faultOf("")).toBeUndefined();
  expect([faultOf("1.999999"), faultOf("2"), faultOf("10")]).toEqual(["small", undefined, undefined]);
  expect([faultOf("10.000001"), faultOf("10.500001")]).toEqual(["limit", "much"]);
  expect(faultOf("1", { min: undefined })).toBeUndefined();
  // Without a price the exchange alone can say.
  expect(faultOf("10.5", { priceUsdt: null })).toBeUndefined();
});
