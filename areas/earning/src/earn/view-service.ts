// Views of earn: products with what is left, holdings with interest up to now, coupons and records. Moves no money, and
// writes only the coupons every user starts with.

import { accrueTo, blendedRate, hourParts, PARTS_IN_UNIT, type Tier } from "@clockwork/kit/earn/accrual";
import { sharkRate } from "@clockwork/kit/earn/terms";
import { divideFloor } from "@clockwork/kit/fraction";
import { formatUnits, units } from "@clockwork/kit/money";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import type { MarketAsset } from "@clockwork/trading/markets/pair";
import type {
  EarnBalance,
  EarnCoupon,
  EarnHolding,
  EarnHoldings,
  EarnProduct,
  EarnProducts,
  EarnRecords,
  SharkView,
} from "./contract.ts";
import type { EarnParts } from "./move-service.ts";
import type { CouponRow, HoldingRow, ProductRow } from "./row-store.ts";
import {
  accrualOf,
  boostOf,
  CREDIT_AFTER_MS,
  creditDay,
  dayOf,
  finOf,
  hourOf,
  interestOf,
  readShark,
  spansOf,
  stateOf,
} from "./rules.ts";
import type { MoveCursor } from "./store.ts";

const USDT_SCALE = 6;
const RATE_SCALE = 8;
const PART_DECIMALS = 8;
const PAGE = 50;
const PAID_MS = MINUTE_MS;
const YEAR_DAYS = 365n;
const FIRST_COUPONS_MS = 30 * DAY_MS;

/** In 1e-8, rounded down. */
function yearlyRate({ interestUnits, baseUnits }: { interestUnits: bigint; baseUnits: bigint }): bigint {
  return (interestUnits * YEAR_DAYS * 10n ** BigInt(RATE_SCALE)) / baseUnits;
}

export const rateText = (rate: number | bigint): string => formatUnits(units(rate), RATE_SCALE);
const never = (timeMs: number): number | null => (timeMs === 0 || timeMs >= Number.MAX_SAFE_INTEGER ? null : timeMs);

const FIRST_COINS = ["USDT", "BTC", "ETH", "SOL"];
const rankOf = ({ asset }: Pick<EarnProduct, "asset">): number => {
  const place = FIRST_COINS.indexOf(asset);
  return place === -1 ? FIRST_COINS.length : place;
};

export class EarnView {
  readonly #parts: EarnParts;
  #paid: { readonly dueMs: number; readonly untilMs: number; readonly rates: Promise<Map<string, string>> } | undefined;

  constructor(parts: EarnParts) {
    this.#parts = parts;
  }

  async listProducts(timeMs: number): Promise<EarnProducts> {
    const { store } = this.#parts;
    const pools = new Map((await store.listPools(dayOf(timeMs))).map((row) => [row.product_id, row.in_units]));
    const paid = await this.#paidRates(timeMs);
    const products: EarnProduct[] = [];
    for (const row of await store.listProducts()) {
      const facts = { usedUnits: pools.get(row.product_id) ?? 0n, paidRate: paid.get(row.product_id) ?? null };
      const described = await this.#describeProduct(row, facts, timeMs);
      if (described !== undefined) products.push(described);
    }
    // Products in money come first, the others in listing order.
    return { products: products.sort((left, right) => rankOf(left) - rankOf(right) || left.days - right.days), timeMs };
  }

  /** The last day's credits as an annual rate, from the record of movements; cached, as all users read it. */
  #paidRates(timeMs: number): Promise<ReadonlyMap<string, string>> {
    const dueMs = creditDay(timeMs) * DAY_MS + CREDIT_AFTER_MS;
    if (this.#paid?.dueMs === dueMs && timeMs < this.#paid.untilMs) return this.#paid.rates;
    const rates = this.#parts.store
      .sumCredits(dueMs)
      .then((rows) => new Map(rows.map((row) => [row.productId, rateText(yearlyRate(row))])));
    this.#paid = { dueMs, untilMs: timeMs + PAID_MS, rates };
    rates.catch(() => {
      this.#paid = undefined;
    });
    return rates;
  }

  async #describeProduct(
    row: ProductRow,
    { usedUnits, paidRate }: { readonly usedUnits: bigint; readonly paidRate: string | null },
    timeMs: number,
  ): Promise<EarnProduct | undefined> {
    const coin = this.#parts.needs.findCoin(row.asset);
    if (coin === undefined) return undefined;
    const text = (value: bigint): string => formatUnits(units(value), coin.scale);
    const tiers = row.kind === "flexible" ? await this.#tiersOf(row.product_id, timeMs) : [];
    const leftUnits = row.quota_units - row.taken_units;
    const poolUnits = row.kind === "flexible" ? row.day_in_units - usedUnits : leftUnits;
    const shark = row.kind === "shark" ? this.#describeShark(row) : null;
    const rate = row.kind === "flexible" ? (tiers[0]?.rate ?? 0) : row.rate;
    return {
      productId: row.product_id,
      kind: row.kind,
      asset: row.asset,
      name: coin.name,
      decimals: coin.scale,
      days: row.days,
      rate: shark?.highRate ?? rateText(rate),
      tiers: tiers.map((tier) => ({
        upto: tier.uptoUnits === null ? null : text(tier.uptoUnits),
        rate: rateText(tier.rate),
      })),
      paidRate,
      shark,
      state: stateOf(row, poolUnits, timeMs),
      minimum: text(row.min_units),
      userMaximum: text(row.user_max_units),
      quota: text(row.quota_units),
      left: text(leftUnits),
      poolLeft: row.kind === "flexible" ? text(poolUnits < leftUnits ? poolUnits : leftUnits) : null,
      opensAtMs: row.opens_ms,
      closesAtMs: never(row.closes_ms),
      startsAtMs: never(row.starts_ms),
      endsAtMs: never(row.ends_ms),
      isSimulated: row.is_simulated,
    };
  }

  async #tiersOf(productId: string, timeMs: number): Promise<readonly Tier[]> {
    const spans = spansOf(await this.#parts.store.listRates(productId));
    return spans.findLast(({ fromHour }) => fromHour <= hourOf(timeMs))?.tiers ?? [];
  }

  #describeShark(row: ProductRow): SharkView {
    const { needs } = this.#parts;
    const terms = readShark(row);
    const index = needs.readIndex(terms.index);
    const price = (ticks: number | bigint): string => needs.priceText(terms.index, Number(BigInt(ticks)));
    const settled =
      row.price_sum === null || row.price_count === null
        ? undefined
        : { over: BigInt(row.price_sum), under: BigInt(row.price_count) };
    const rate = settled === undefined ? undefined : sharkRate(finOf(terms), settled, row.is_knocked_out);
    return {
      index: terms.index,
      direction: terms.direction,
      isTouch: terms.isTouch,
      low: price(BigInt(terms.low)),
      high: price(BigInt(terms.high)),
      baseRate: rateText(terms.baseRate),
      lowRate: rateText(terms.lowRate),
      highRate: rateText(terms.highRate),
      price: index === undefined ? null : price(index),
      settledPrice: settled === undefined ? null : price(divideFloor(settled.over, settled.under)),
      settledRate: rate === undefined ? null : rateText(divideFloor(rate.over, rate.under)),
      isKnockedOut: row.is_knocked_out,
    };
  }

  async listHoldings(userId: number, timeMs: number, isEnded = false): Promise<EarnHoldings> {
    const { store } = this.#parts;
    const rows = (await store.listOwn(userId, isEnded)).filter(({ state }) => state !== "VOID");
    const shown = rows.filter((row) => isEnded || row.principal_units > 0n || row.parts > 0n || row.pending !== null);
    const holdings: EarnHolding[] = [];
    for (const row of shown) holdings.push(...(await this.#describeHolding(row, timeMs)));
    const today = dayOf(timeMs) * DAY_MS;
    const [since, all] = await Promise.all([store.sumInterest(userId, today), store.sumInterest(userId, 0)]);
    const total = rows.map(({ asset, principal_units }) => ({ asset, sum: principal_units }));
    const autoApply = (await store.listApply(userId)).flatMap(({ asset, reserve_units, is_on }) => {
      const coin = this.#parts.needs.findCoin(asset);
      return coin === undefined ? [] : [{ asset, reserve: formatUnits(units(reserve_units), coin.scale), isOn: is_on }];
    });
    return {
      totalUsdt: this.#worth(isEnded ? [] : total),
      yesterdayUsdt: this.#worth(since),
      allTimeUsdt: this.#worth(all),
      holdings,
      autoApply,
      timeMs,
    };
  }

  #worth(sums: readonly { readonly asset: string; readonly sum: bigint }[]): string {
    const { needs } = this.#parts;
    const worth = sums.reduce((total, { asset, sum }) => {
      const coin = needs.findCoin(asset);
      return total + (coin === undefined ? 0n : (needs.worthUnits(coin.asset, sum) ?? 0n));
    }, 0n);
    return formatUnits(units(worth), USDT_SCALE);
  }

  async #describeHolding(row: HoldingRow, timeMs: number): Promise<EarnHolding[]> {
    const { store, needs } = this.#parts;
    const coin = needs.findCoin(row.asset);
    const product = await store.findProduct(row.product_id);
    if (coin === undefined || product === undefined) return [];
    const interest = row.kind === "flexible" ? undefined : interestOf(row, product);
    const { accrued, hourly, rate } = await this.#accrued(row, coin, timeMs);
    const state = row.state === "OPEN" && timeMs >= row.starts_ms ? "RUNNING" : row.state;
    return [
      {
        holdingId: row.holding_id,
        productId: row.product_id,
        kind: row.kind,
        asset: row.asset,
        state: state === "VOID" ? "OPEN" : state,
        principal: formatUnits(units(row.principal_units), coin.scale),
        rate: row.kind === "flexible" ? rate : rateText(row.rate),
        accrued,
        hourly,
        accruedAtMs: hourOf(timeMs) * HOUR_MS,
        paid: formatUnits(units(row.paid_units), coin.scale),
        expected: interest === undefined ? null : formatUnits(units(interest), coin.scale),
        startsAtMs: row.starts_ms,
        endsAtMs: row.kind === "flexible" ? null : row.ends_ms,
        days: row.days,
        isCompound: row.is_compound,
        isRenewed: row.is_renewed,
        couponRate: row.boost_rate === 0 ? null : rateText(row.boost_rate),
        isMoving: row.pending !== null,
      },
    ];
  }

  async #accrued(row: HoldingRow, coin: MarketAsset, timeMs: number) {
    if (row.kind !== "flexible") return { accrued: "0", hourly: "0", rate: "0" };
    const spans = spansOf(await this.#parts.store.listRates(row.product_id));
    const hour = hourOf(timeMs);
    const isRunning = row.state === "RUNNING";
    const state = isRunning ? accrueTo(accrualOf(row), hour, spans, boostOf(row)) : accrualOf(row);
    const tiers = spans.findLast(({ fromHour }) => fromHour <= hour)?.tiers ?? [];
    const boost = boostOf(row);
    const isBoosted = boost !== undefined && hour >= boost.fromHour && hour < boost.untilHour;
    const text = (parts: bigint): string => formatUnits(units(parts), coin.scale + PART_DECIMALS);
    return {
      accrued: text(state.parts),
      hourly: text(isRunning ? hourParts(state.earningUnits, tiers, isBoosted ? boost : undefined) : 0n),
      rate: rateText(blendedRate(row.principal_units, tiers)),
    };
  }

  async readBalance(userId: number): Promise<EarnBalance> {
    const { store, needs } = this.#parts;
    const sums = new Map<string, bigint>();
    for (const row of await store.listOwn(userId, false)) {
      sums.set(row.asset, (sums.get(row.asset) ?? 0n) + row.principal_units);
    }
    const rows = [...sums].map(([asset, sum]) => ({ asset, sum })).filter(({ sum }) => sum > 0n);
    return {
      totalUsdt: this.#worth(rows),
      assets: rows.flatMap(({ asset, sum }) => {
        const coin = needs.findCoin(asset);
        if (coin === undefined) return [];
        const worth = needs.worthUnits(coin.asset, sum);
        const worthUsdt = worth === undefined ? null : formatUnits(units(worth), USDT_SCALE);
        return [{ asset, amount: formatUnits(units(sum), coin.scale), worthUsdt }];
      }),
    };
  }

  async listRecords(userId: number, cursor?: string, limit = PAGE): Promise<EarnRecords> {
    const rows = await this.#parts.store.listMoves(userId, readCursor(cursor), limit);
    const records = rows.flatMap((row) => {
      const coin = this.#parts.needs.findCoin(row.asset);
      if (coin === undefined) return [];
      const interest = row.kind === "subscribe" ? 0n : row.interest_units;
      return [
        {
          reference: row.reference,
          kind: row.kind,
          productId: row.product_id,
          asset: row.asset,
          amount: formatUnits(units(row.units), coin.scale),
          interest: formatUnits(units(interest), coin.scale),
          state: row.state,
          code: row.code,
          timeMs: row.at_ms,
        },
      ];
    });
    const last = rows.length < limit ? undefined : rows.at(-1);
    return { records, next: last === undefined ? null : `${last.at_ms}.${last.reference}` };
  }

  async listCoupons(userId: number, timeMs: number): Promise<EarnCoupon[]> {
    const rows = await this.#ownCoupons(userId, timeMs);
    return rows.flatMap((row) => this.#describeCoupon(row, timeMs));
  }

  /** With those every user starts with, whichever page reads first: they count from sign-up. */
  async #ownCoupons(userId: number, timeMs: number): Promise<readonly CouponRow[]> {
    const { store, needs } = this.#parts;
    const rows = await store.listCoupons(userId);
    const missing = needs.firstCoupons.filter((one) => !rows.some(({ reference }) => reference === one.reference));
    if (missing.length === 0) return rows;
    const issued_ms = (await needs.joinedMs(userId)) ?? timeMs;
    const expires_ms = issued_ms + FIRST_COUPONS_MS;
    // Expired coupons are not issued.
    if (timeMs >= expires_ms) return rows;
    for (const one of missing) {
      const empty = { used_by: null, added_parts: null };
      await store.addCoupon({ ...one, ...empty, coupon_id: needs.randomId(), user_id: userId, issued_ms, expires_ms });
    }
    return store.listCoupons(userId);
  }

  #describeCoupon(row: CouponRow, timeMs: number): EarnCoupon[] {
    const coin = this.#parts.needs.findCoin(row.asset);
    if (coin === undefined) return [];
    const state = row.used_by !== null ? "USED" : timeMs >= row.expires_ms ? "EXPIRED" : "OPEN";
    return [
      {
        couponId: row.coupon_id,
        kind: row.kind,
        asset: row.asset,
        rate: rateText(row.rate),
        cap: formatUnits(units(row.cap_units), coin.scale),
        days: row.days,
        expiresAtMs: row.expires_ms,
        state,
      },
    ];
  }

  /** Interest the treasury owes for a month at today's rates, by coin. */
  async owedMonth(timeMs: number): Promise<ReadonlyMap<string, bigint>> {
    const { store } = this.#parts;
    const owed = new Map<string, bigint>();
    for (const row of await store.listProducts()) {
      if (row.kind !== "flexible") continue;
      const tiers = await this.#tiersOf(row.product_id, timeMs);
      const best = [{ uptoUnits: null, rate: Math.max(0, ...tiers.map(({ rate }) => rate)) }];
      const monthly = (hourParts(row.taken_units, best) * 720n) / PARTS_IN_UNIT;
      owed.set(row.asset, (owed.get(row.asset) ?? 0n) + monthly);
    }
    return owed;
  }
}

/** A time, and the record at that time after which a page starts. */
function readCursor(cursor: string | undefined): MoveCursor {
  const [atMs = "", ...reference] = (cursor ?? "").split(".");
  return { atMs: atMs === "" ? Number.MAX_SAFE_INTEGER : Number(atMs), reference: reference.join(".") };
}
