// Whether the treasury can promise one more interest: of flexible money, of a coupon, of a term.
import type { EarnCoin, EarnNeeds } from "./needs.ts";
import type { CouponRow, MoveRow, ProductRow } from "./row-store.ts";
import { hourOf, promisedUnits, spansOf } from "./rules.ts";
import type { EarnInside } from "./store.ts";

/** What somebody wants to put in. */
export interface Wanted {
  readonly product: ProductRow;
  readonly coin: EarnCoin;
  readonly amountUnits: bigint;
  readonly coupon: CouponRow | undefined;
}

/** With what the treasury has free. */
export type Intent = Wanted & { readonly freeUnits: bigint };

/** Undefined while the ledger cannot answer. */
export async function treasuryFree(needs: EarnNeeds, coin: EarnCoin): Promise<bigint | undefined> {
  const treasury = await needs.accountOf(0, "treasury");
  return treasury === undefined ? undefined : needs.freeUnits(treasury, coin.asset);
}

/**
 * Flexible interest has no end: the treasury has a month of all that was promised in this coin before it promises more, be
 * it a flexible subscription, a coupon or a term, whose interest is set aside. Asked where the quota is taken.
 */
export async function canPromise(
  inside: EarnInside,
  wanted: Intent,
  move: Pick<MoveRow, "interest_units">,
  timeMs: number,
): Promise<boolean> {
  const { product, coin, coupon } = wanted;
  const hour = hourOf(timeMs);
  const flexible = await Promise.all(
    (await inside.listFlexible(coin.symbol)).map(async ({ product_id, taken_units }) => {
      const spans = spansOf(await inside.listRates(product_id));
      const tiers = spans.findLast(({ fromHour }) => fromHour <= hour)?.tiers ?? [];
      return { takenUnits: taken_units, tiers };
    }),
  );
  const boosts = await inside.sumBoosts(coin.symbol, hour);
  const isBoosted = coupon !== undefined && product.kind === "flexible";
  const own = isBoosted ? [{ rate: coupon.rate, capUnits: coupon.cap_units }] : [];
  return promisedUnits(flexible, [...boosts, ...own]) + move.interest_units <= wanted.freeUnits;
}
