// Pure rules of coupons: states by volume and time, and coin by face and index.
import { expect, test } from "vitest";
import { convertFloor, describeCoupon, stateOf } from "./rules.ts";
import type { CouponRow } from "./store.ts";

const row = (changes: Partial<CouponRow> = {}): CouponRow => ({
  coupon_id: "00",
  user_id: 1,
  kind: "bonus",
  asset: "BTC",
  face_units: 20_000_000n,
  volume_units: 1_000n,
  reference: "r",
  issued_ms: 0,
  expires_ms: 100,
  state: "open",
  paid_units: null,
  index_price: null,
  converted_ms: null,
  ...changes,
});

test("[SPOT-5] a coupon is open, then ready; after its time it is expired, unless it is being paid", () => {
  expect(stateOf(row(), 999n, 99)).toBe("OPEN");
  expect(stateOf(row(), 1_000n, 99)).toBe("READY");
  expect(stateOf(row(), 1_000n, 100)).toBe("EXPIRED");
  expect(stateOf(row({ state: "intended" }), 0n, 100)).toBe("CONVERTING");
  expect(stateOf(row({ state: "converted" }), 0n, 100)).toBe("CONVERTED");
});

test("[SPOT-5] face value becomes coin at the index, rounded down to the unit", () => {
  // 20 USDT at 96 000.0: one lot of 1 000 units costs 960 000 units of USDT.
  expect(convertFloor(20_000_000n, { quoteUnits: 960_000n, baseUnits: 1_000n, text: "" })).toBe(20_833n);
  expect(convertFloor(20_000_000n, { quoteUnits: 1n, baseUnits: 1n, text: "" })).toBe(20_000_000n);
  expect(convertFloor(1n, { quoteUnits: 960_000n, baseUnits: 1_000n, text: "" })).toBe(0n);
});

test("[SPOT-5] progress never exceeds what is required, and a paid coupon keeps its figures", () => {
  const asset = { symbol: "BTC", asset: 2, scale: 8 };
  const index = { quoteUnits: 960_000n, baseUnits: 1_000n, text: "96000.0" };
  const open = describeCoupon(row(), { volumeUnits: 5_000n, asset, index, timeMs: 1 });
  expect(open).toMatchObject({ volumeDoneUsdt: "0.001", volumeNeededUsdt: "0.001", amount: "0.00020833" });
  const paid = row({ state: "converted", paid_units: 7n, index_price: "5", converted_ms: 3 });
  expect(describeCoupon(paid, { volumeUnits: 0n, asset, index, timeMs: 1 })).toMatchObject({
    amount: "0.00000007",
    price: "5",
    convertedAtMs: 3,
    volumeDoneUsdt: "0.001",
  });
});
