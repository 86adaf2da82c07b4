// Pure rules of earn: refusals, due times, and rows converted for the arithmetic of the kit.

import {
  type Accrual,
  type Boost,
  hourParts,
  PARTS_IN_UNIT,
  type RateSpan,
  type Tier,
} from "@clockwork/kit/earn/accrual";
import { isKnockedOut, type SharkFin, sharkInterest, sharkRate, termInterest } from "@clockwork/kit/earn/terms";
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import type { MarketAsset } from "@clockwork/trading/markets/pair";
import type { MoveAnswer } from "./contract.ts";
import type { EarnRefusal } from "./refusals.ts";
import type { CouponRow, HoldingRow, MoveRow, ProductRow } from "./row-store.ts";

/** Credits of a day are due ten minutes into the next. */
export const CREDIT_AFTER_MS = 10 * MINUTE_MS;
/** The price of a shark fin is the average of the half hour before its end. */
export const PRICE_WINDOW_MS = 30 * MINUTE_MS;
/** The treasury has this many days of flexible interest before it promises more. */
export const PROMISE_DAYS = 30n;
/** How long a shark fin waits for the next series after its end. */
export const RESUBSCRIBE_MS = 7 * DAY_MS;
export const EARN_LEVEL = 1;

export const hourOf = (timeMs: number): number => Math.floor(timeMs / HOUR_MS);
export const dayOf = (timeMs: number): number => Math.floor(timeMs / DAY_MS);
/** The newest day whose start is credited by now. */
export const creditDay = (timeMs: number): number => dayOf(timeMs - CREDIT_AFTER_MS);
export const nextMidnight = (timeMs: number): number => (dayOf(timeMs) + 1) * DAY_MS;

interface TierText {
  readonly upto: string | null;
  readonly rate: number;
}

export function readTiers(text: string): Tier[] {
  const rows = JSON.parse(text) as TierText[];
  return rows.map(({ upto, rate }) => ({ uptoUnits: upto === null ? null : BigInt(upto), rate }));
}

export function writeTiers(tiers: readonly Tier[]): string {
  return JSON.stringify(tiers.map(({ uptoUnits, rate }) => ({ upto: uptoUnits?.toString() ?? null, rate })));
}

/** Promises to flexible money, as far as the treasury must be able to pay them. */
export interface FlexiblePromise {
  readonly takenUnits: bigint;
  readonly tiers: readonly Tier[];
}

/** A month of interest at the best tier, with the additions of coupons; rounded up. */
export function promisedUnits(
  products: readonly FlexiblePromise[],
  boosts: readonly { readonly capUnits: bigint; readonly rate: number }[],
): bigint {
  const best = (tiers: readonly Tier[]): number => Math.max(0, ...tiers.map(({ rate }) => rate));
  const hourly = [
    ...products.map(({ takenUnits, tiers }) => [takenUnits, best(tiers)] as const),
    ...boosts.map(({ capUnits, rate }) => [capUnits, rate] as const),
  ].reduce((sum, [amount, rate]) => sum + hourParts(amount, [{ uptoUnits: null, rate }]), 0n);
  return (hourly * 24n * PROMISE_DAYS + PARTS_IN_UNIT - 1n) / PARTS_IN_UNIT;
}

/** Strikes as ticks, by the coin of their index. */
export interface SharkTerms {
  readonly index: string;
  readonly direction: "bullish" | "bearish";
  readonly isTouch: boolean;
  readonly low: string;
  readonly high: string;
  readonly baseRate: number;
  readonly lowRate: number;
  readonly highRate: number;
}

export const readShark = (product: Pick<ProductRow, "terms">): SharkTerms => JSON.parse(product.terms) as SharkTerms;

export const finOf = (terms: SharkTerms): SharkFin => ({
  ...terms,
  lowTicks: BigInt(terms.low),
  highTicks: BigInt(terms.high),
});

export function accrualOf(row: HoldingRow): Accrual {
  return {
    principalUnits: row.principal_units,
    earningUnits: row.earning_units,
    hour: row.hour,
    parts: row.parts,
    boostParts: BigInt(row.boost_parts),
  };
}

export function boostOf(row: HoldingRow): Boost | undefined {
  if (row.boost_rate === 0) return undefined;
  const { boost_rate: rate, boost_cap_units: capUnits, boost_from: fromHour, boost_until: untilHour } = row;
  return { rate, capUnits, fromHour, untilHour };
}

/** The columns of an accrual. */
export function accrualColumns({ principalUnits, earningUnits, hour, parts, boostParts }: Accrual) {
  const boost_parts = boostParts.toString();
  return { principal_units: principalUnits, earning_units: earningUnits, hour, parts, boost_parts };
}

/** The addition of a coupon on a flexible holding, in units rounded up; undefined while it may still add something. */
export function boostAdded(coupon: CouponRow, holding: HoldingRow, timeMs: number): bigint | undefined {
  const isHere = coupon.added_parts === null && holding.coupon_id === coupon.coupon_id;
  const isOver = holding.hour >= holding.boost_until || holding.state !== "RUNNING";
  if (isHere && !(isOver && hourOf(timeMs) >= holding.boost_until)) return undefined;
  const parts = BigInt(coupon.added_parts ?? (isHere ? holding.boost_parts : "0"));
  return (parts + PARTS_IN_UNIT - 1n) / PARTS_IN_UNIT;
}

/** The payment of a term at its end; of a shark fin only once its price is set. */
export function interestOf(holding: HoldingRow, product: ProductRow): bigint | undefined {
  const { principal_units: principal, rate, days } = holding;
  if (holding.kind === "fixed") {
    const boost = { rate: holding.boost_rate, capUnits: holding.boost_cap_units, days: holding.boost_until };
    return termInterest(principal, rate, days, holding.boost_rate === 0 ? undefined : boost);
  }
  if (product.settled_ms === null || product.price_sum === null || product.price_count === null) return undefined;
  const price = { over: BigInt(product.price_sum), under: BigInt(product.price_count) };
  return sharkInterest(principal, sharkRate(finOf(readShark(product)), price, product.is_knocked_out), days);
}

/** The next similar series that is open now: other strikes, all else the same. */
export function nextSeries(ended: ProductRow, products: readonly ProductRow[], timeMs: number): ProductRow | undefined {
  const own = readShark(ended);
  const isAlike = (one: ProductRow): boolean => {
    if (one.kind !== "shark" || one.asset !== ended.asset || one.days !== ended.days) return false;
    const { index, direction, isTouch } = readShark(one);
    return index === own.index && direction === own.direction && isTouch === own.isTouch;
  };
  const open = products.filter((one) => isAlike(one) && stateOf(one, one.quota_units, timeMs) === "OPEN");
  return open.sort((left, right) => left.starts_ms - right.starts_ms)[0];
}

export function isTouched(terms: SharkTerms, seen: { readonly highTicks: number; readonly lowTicks: number }): boolean {
  const [high, low] = [BigInt(seen.highTicks), BigInt(seen.lowTicks)];
  return isKnockedOut(finOf(terms), { highTicks: high, lowTicks: low });
}

export type ProductState = "UPCOMING" | "OPEN" | "FULL" | "PAUSED" | "CLOSED" | "LOCKED" | "SETTLED";

export function stateOf(product: ProductRow, poolLeftUnits: bigint, timeMs: number): ProductState {
  if (product.kind === "shark") {
    if (product.settled_ms !== null) return "SETTLED";
    if (timeMs >= product.closes_ms) return "LOCKED";
  }
  if (timeMs < product.opens_ms) return "UPCOMING";
  if (timeMs >= product.closes_ms) return "CLOSED";
  if (!product.is_open) return "PAUSED";
  const leftUnits = product.quota_units - product.taken_units;
  return leftUnits < product.min_units || poolLeftUnits < product.min_units ? "FULL" : "OPEN";
}

/** Rates in force, oldest first, in the form of the arithmetic. */
export function spansOf(rows: readonly { readonly from_hour: number; readonly tiers: string }[]): RateSpan[] {
  return rows.map(({ from_hour, tiers }) => ({ fromHour: from_hour, tiers: readTiers(tiers) }));
}

export function closedOf(product: ProductRow | undefined): EarnRefusal {
  return product === undefined ? "PRODUCT_UNKNOWN" : "PRODUCT_CLOSED";
}

export function checkRedeem(
  row: HoldingRow,
  amountUnits: bigint | undefined,
  timeMs: number,
): Result<bigint, EarnRefusal> {
  if (row.kind === "shark") return refused("NO_EARLY_EXIT");
  if (row.state !== "OPEN" && row.state !== "RUNNING") return refused("HOLDING_ENDED");
  if (row.kind === "fixed" && timeMs >= row.ends_ms) return refused("HOLDING_ENDED");
  if (amountUnits === undefined || amountUnits === 0n) return refused("INVALID_AMOUNT");
  if (amountUnits > row.principal_units) return refused("HOLDING_SHORT");
  return row.kind === "fixed" && amountUnits !== row.principal_units ? refused("WHOLE_ONLY") : done(amountUnits);
}

export function emptyHolding(userId: number, product: ProductRow, timeMs: number): HoldingRow {
  return {
    holding_id: "",
    user_id: userId,
    product_id: product.product_id,
    kind: product.kind,
    asset: product.asset,
    state: "VOID",
    principal_units: 0n,
    earning_units: 0n,
    hour: 0,
    parts: 0n,
    credited_day: 0,
    rate: product.rate,
    days: product.days,
    term: 1,
    starts_ms: timeMs,
    ends_ms: 0,
    is_compound: false,
    is_renewed: false,
    coupon_id: null,
    boost_rate: 0,
    boost_cap_units: 0n,
    boost_from: 0,
    boost_until: 0,
    boost_parts: "0",
    paid_units: 0n,
    pending: null,
    version: 1,
    opened_ms: timeMs,
  };
}

export function amountOf(text: string, coin: MarketAsset): bigint | undefined {
  const read = parseUnits(text, coin.scale);
  return read.done ? read.value : undefined;
}

export function answerOf(move: MoveRow, coin: MarketAsset, state: "done" | "queued"): MoveAnswer {
  const amount = formatUnits(units(move.units), coin.scale);
  return { holdingId: move.holding_id, amount, state, dueAtMs: state === "queued" ? move.due_ms : null };
}
