// Pure rules of coupons: the state, the value and the texts of one. Rounding down is named in each function.
import type { LedgerCoin } from "@clockwork/kit/instrument";
import { formatUnits, units } from "@clockwork/kit/money";
import type { Coupon } from "./contract.ts";
import type { IndexPrice } from "./needs.ts";
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
  const asks = row.volume_units === 0n ? "" : ` It requires ${usdtText(row.volume_units)} USDT of spot volume.`;
  const words = {
    "coupon-issued": ["New coupon", `It is worth ${worth}.${asks} You can find it below your assets.`],
    "coupon-ready": [
      "Your coupon is ready",
      `Your coupon of ${worth} has reached its volume. Convert it below your assets before it expires.`,
    ],
    "coupon-converted": [
      "Your coupon was paid",
      `${amount} ${row.asset} of your coupon was credited to your spot account.`,
    ],
  } as const;
  const [title, body] = words[topic];
  return { topic, reference: `${topic}:${row.coupon_id}`, title, body };
}

export interface CouponFacts {
  readonly volumeUnits: bigint;
  readonly asset: LedgerCoin | undefined;
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
