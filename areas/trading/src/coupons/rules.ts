// Pure rules of coupons: the state, the value and the texts of one. Rounding down is named in each function.
import { formatUnits, units } from "@clockwork/kit/money";
import type { Coupon } from "./contract.ts";
import type { CouponAsset, IndexPrice } from "./needs.ts";
import type { CouponRow } from "./store.ts";

/** USDT's own decimals. */
export const USDT_SCALE = 6;

/** Coin units a face value buys at the index, rounded down. */
export function convertFloor(faceUnits: bigint, { quoteUnits, baseUnits }: IndexPrice): bigint {
  return quoteUnits === 0n ? 0n : (faceUnits * baseUnits) / quoteUnits;
}

export function stateOf(row: CouponRow, volumeUnits: bigint, timeMs: number): Coupon["state"] {
  if (row.state === "converted") return "CONVERTED";
  if (row.state === "intended") return "CONVERTING";
  if (timeMs >= row.expires_ms) return "EXPIRED";
  return volumeUnits >= row.volume_units ? "READY" : "OPEN";
}

const usdtText = (amountUnits: bigint): string => formatUnits(units(amountUnits), USDT_SCALE);

/** Notices to the owner: coupon received, volume met, coupon converted. */
export function describeNotice(
  topic: "coupon-issued" | "coupon-ready" | "coupon-converted",
  row: CouponRow,
  amount: string,
): { readonly topic: string; readonly reference: string; readonly title: string; readonly body: string } {
  const worth = `${usdtText(row.face_units)} USDT in ${row.asset}`;
  const asks = row.volume_units === 0n ? "" : ` It asks for ${usdtText(row.volume_units)} USDT of spot turnover.`;
  const words = {
    "coupon-issued": ["You have a new coupon", `It is worth ${worth}.${asks} You find it below your assets.`],
    "coupon-ready": [
      "Your bonus is earned",
      `Your coupon of ${worth} has its turnover. Convert it below your assets before it expires.`,
    ],
    "coupon-converted": ["Your bonus is paid", `${amount} ${row.asset} of your coupon are in your spot account.`],
  } as const;
  const [title, body] = words[topic];
  return { topic, reference: `${topic}:${row.coupon_id}`, title, body };
}

export interface CouponFacts {
  readonly volumeUnits: bigint;
  readonly asset: CouponAsset | undefined;
  readonly index: IndexPrice | undefined;
  readonly timeMs: number;
}

export function describeCoupon(row: CouponRow, { volumeUnits, asset, index, timeMs }: CouponFacts): Coupon {
  const paid = row.paid_units ?? (index === undefined ? undefined : convertFloor(row.face_units, index));
  const shown = volumeUnits > row.volume_units ? row.volume_units : volumeUnits;
  return {
    couponId: row.coupon_id,
    kind: row.kind === "etf" ? "etf" : "bonus",
    asset: row.asset,
    faceUsdt: usdtText(row.face_units),
    volumeNeededUsdt: usdtText(row.volume_units),
    // A converted coupon has met its requirement.
    volumeDoneUsdt: usdtText(row.state === "open" ? shown : row.volume_units),
    state: stateOf(row, volumeUnits, timeMs),
    amount: paid === undefined || asset === undefined ? null : formatUnits(units(paid), asset.scale),
    price: row.index_price ?? index?.text ?? null,
    issuedAtMs: row.issued_ms,
    expiresAtMs: row.expires_ms,
    convertedAtMs: row.converted_ms,
  };
}
