// Coupons of other slices, as rewards list them: spot bonus and ETF coupons, and those for interest.

import type { EarnCoupon } from "@clockwork/earning/earn/contract";
import type { Coupon } from "@clockwork/trading/coupons/contract";
import type { WelfareCoupon } from "./contract.ts";
import type { RewardSources } from "./part.ts";

export async function listOtherCoupons(
  { coupons, earn }: Pick<RewardSources, "coupons" | "earn">,
  userId: number,
  timeMs: number,
): Promise<readonly WelfareCoupon[]> {
  const [spot, interest] = await Promise.all([coupons.list(userId, timeMs), earn.listCoupons(userId, timeMs)]);
  return [...(spot.ok ? spot.data.map(describeSpot) : []), ...interest.map(describeEarn)];
}

const NOTHING = {
  face: null,
  left: null,
  biz: null,
  ratioPercent: null,
  isWaiting: false,
  product: null,
  rate: null,
  cap: null,
  days: null,
  volumeNeeded: null,
  volumeDone: null,
  isReady: false,
} as const;

function describeSpot(coupon: Coupon): WelfareCoupon {
  const { state } = coupon;
  const isUsed = state === "CONVERTED" || state === "CONVERTING";
  return {
    ...NOTHING,
    couponId: coupon.couponId,
    kind: coupon.kind,
    state: isUsed ? "USED" : state === "EXPIRED" ? "ENDED" : "USABLE",
    face: coupon.faceUsdt,
    left: isUsed ? "0" : coupon.faceUsdt,
    asset: coupon.asset,
    volumeNeeded: coupon.volumeNeededUsdt,
    volumeDone: coupon.volumeDoneUsdt,
    isReady: state === "READY",
    expiresAtMs: coupon.expiresAtMs,
  };
}

function describeEarn(coupon: EarnCoupon): WelfareCoupon {
  const states = { OPEN: "USABLE", USED: "USED", EXPIRED: "ENDED" } as const;
  const { couponId, asset, rate, cap, days, expiresAtMs } = coupon;
  return {
    ...NOTHING,
    couponId,
    kind: "earn",
    state: states[coupon.state],
    asset,
    product: coupon.kind,
    rate,
    cap,
    days,
    expiresAtMs,
  };
}
