// Reading, formatting and proposing alerts.
import { expect, test } from "vitest";
import { proposePrice, readAlert } from "./alert-model.ts";

const ALERT = {
  id: 1,
  pairCode: "BTC_USDT",
  direction: "rises",
  price: "97000.0",
  createdAtMs: 1,
  firedAtMs: null,
  firedPrice: null,
};

test("[SPOT-4] what is no alert is not read as one", () => {
  expect(readAlert(ALERT)).toEqual(ALERT);
  for (const bad of [null, undefined, 1, "x", [], {}, { ...ALERT, id: "1" }, { ...ALERT, direction: "up" }])
    expect(readAlert(bad)).toBeUndefined();
});

test("[SPOT-4] a proposed price is on the pair's grid and never zero", () => {
  expect(proposePrice({ tickSize: "0.1", priceDecimals: 1 }, "96500.3", 1)).toBe("97465.3");
  expect(proposePrice({ tickSize: "0.5", priceDecimals: 1 }, "101.2", -5)).toBe("96.0");
  expect(proposePrice({ tickSize: "0.00001", priceDecimals: 5 }, "0.13862", 5)).toBe("0.14555");
  expect(proposePrice({ tickSize: "0.01", priceDecimals: 2 }, "0.01", -5)).toBe("0.01");
});
