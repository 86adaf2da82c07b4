// A user's view of levels: the current one, what is missing, fees paid and saved, and the history.
import { decimalText, trimZeros } from "@clockwork/kit/decimal";
import { formatUnits, units } from "@clockwork/kit/money";
import { DAY_MS, MINUTE_MS } from "@clockwork/kit/time";
import { ANSWERED_FIRST_LEVEL } from "@clockwork/kit/vip-levels";
import {
  VIP_CAUSES,
  type VipHistory,
  type VipMeasure,
  type VipRates,
  type VipStanding,
  type VipTier,
  type VipTrials,
} from "./contract.ts";
import type { VipFees, VipNeeds } from "./needs.ts";
import {
  FALL_DAYS,
  feeAt,
  LEVEL_MAX,
  type Measures,
  reachedBy,
  TIERS,
  type Tier,
  tierOf,
  USDT_SCALE,
  WINDOW_DAYS,
} from "./rules.ts";
import type { DayRow, VipRow, VipStore } from "./store.ts";

/** The daily count, after midnight. */
export const COUNT_AFTER_MS = 10 * MINUTE_MS;
const CHANGES_MAX = 100;
const HISTORY_DAYS = 90;
const PROGRESS_ONE = 10_000n;

export class VipView {
  readonly #store: VipStore;
  readonly #needs: VipNeeds;

  constructor({ store, needs }: { readonly store: VipStore; readonly needs: VipNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  levels(): VipTier[] {
    return TIERS.map(describeTier);
  }

  async trials(timeMs: number): Promise<VipTrials> {
    const rows = await this.#store.listTrials(timeMs);
    return {
      trials: rows.map(({ user_id, trial_level, earned_level, trial_until_ms }) => ({
        user: String(user_id),
        level: trial_level,
        earnedLevel: earned_level,
        untilMs: trial_until_ms,
      })),
    };
  }

  async standing(userId: number, timeMs: number): Promise<VipStanding> {
    const row = await this.#store.find(userId);
    const countedMs = row === undefined || row.counted_ms === 0 ? null : row.counted_ms;
    const lastCountMs = countBefore(timeMs);
    const today = Math.floor((countedMs ?? lastCountMs) / DAY_MS);
    const days = await this.#store.listDays(userId, today - WINDOW_DAYS, today - 1);
    const level = row?.fees_level ?? 0;
    return {
      level,
      earnedLevel: row?.earned_level ?? 0,
      nextLevel: level === LEVEL_MAX ? null : level + 1,
      trial: trialOf(row, timeMs),
      falling: fallOf(row),
      countedAtMs: countedMs,
      nextCountMs: lastCountMs + DAY_MS,
      timeMs,
      windowFromMs: (today - WINDOW_DAYS) * DAY_MS,
      windowToMs: (today - 1) * DAY_MS,
      measures: measuresOf(row, level),
      rates: describeRates(this.#needs.readFees(userId)),
      withdrawalFactor: factorText(tierOf(level)),
      paid: paidOf(days, level),
      levels: this.levels(),
    };
  }

  async history(userId: number, timeMs: number): Promise<VipHistory> {
    const today = Math.floor(timeMs / DAY_MS);
    const [changes, days, assets] = await Promise.all([
      this.#store.listChanges(userId, CHANGES_MAX),
      this.#store.listDays(userId, today - HISTORY_DAYS, today),
      this.#store.listAssets(userId, today - HISTORY_DAYS, today),
    ]);
    const worths = new Map(assets.map(({ day, worth_units }) => [day, worth_units]));
    return {
      changes: changes.map(({ at_ms, from_level, to_level, cause }) => ({
        atMs: at_ms,
        fromLevel: from_level,
        toLevel: to_level,
        cause: VIP_CAUSES.find((known) => known === cause) ?? "counted",
      })),
      days: days.map((row) => ({
        dayMs: row.day * DAY_MS,
        spotUsdt: usdt(row.spot_maker_units + row.spot_taker_units),
        futuresUsdt: usdt(row.perp_maker_units + row.perp_taker_units),
        assetsUsdt: usdt(worths.get(row.day + 1) ?? 0n),
        feeUsdt: usdt(row.fee_units),
      })),
    };
  }
}

function countBefore(timeMs: number): number {
  const today = timeMs - (timeMs % DAY_MS) + COUNT_AFTER_MS;
  return timeMs < today ? today - DAY_MS : today;
}

function trialOf(row: VipRow | undefined, timeMs: number): VipStanding["trial"] {
  if (row === undefined || row.trial_level === 0 || timeMs >= row.trial_until_ms) return null;
  return { level: row.trial_level, untilMs: row.trial_until_ms };
}

function fallOf(row: VipRow | undefined): VipStanding["falling"] {
  if (row === undefined || row.below_since_ms === null) return null;
  return { toLevel: row.below_best, atMs: row.below_since_ms + FALL_DAYS * DAY_MS };
}

function measuresOf(row: VipRow | undefined, level: number): VipMeasure[] {
  const held = tierOf(level);
  const next = level === LEVEL_MAX ? undefined : tierOf(level + 1);
  const describe = (measure: VipMeasure["measure"], bar: keyof Measures, value: bigint): VipMeasure => {
    const share = next === undefined ? PROGRESS_ONE : (value * PROGRESS_ONE) / next[bar];
    return {
      measure,
      usdt: usdt(value),
      reachedLevel: reachedBy(bar, value),
      heldUsdt: barText(held[bar]),
      nextUsdt: next === undefined ? null : barText(next[bar]),
      progress: Number(share > PROGRESS_ONE ? PROGRESS_ONE : share),
    };
  };
  return [
    describe("assets", "assetsUnits", row?.assets_units ?? 0n),
    describe("futures", "futuresUnits", row?.futures_units ?? 0n),
    describe("spot", "spotUnits", row?.spot_units ?? 0n),
  ];
}

function paidOf(days: readonly DayRow[], level: number): VipStanding["paid"] {
  const sum = (name: Exclude<keyof DayRow, "user_id" | "day">): bigint =>
    days.reduce((total, row) => total + row[name], 0n);
  const traded = {
    spotMakerUnits: sum("spot_maker_units"),
    spotTakerUnits: sum("spot_taker_units"),
    perpMakerUnits: sum("perp_maker_units"),
    perpTakerUnits: sum("perp_taker_units"),
  };
  const paid = sum("fee_units");
  const asBase = feeAt(0, traded);
  return {
    paidUsdt: usdt(paid),
    asBaseUsdt: usdt(asBase),
    asNextUsdt: level === LEVEL_MAX ? null : usdt(feeAt(level + 1, traded)),
    savedUsdt: usdt(asBase > paid ? asBase - paid : 0n),
  };
}

function describeTier(one: Tier): VipTier {
  return {
    level: one.level,
    spotUsdt: barText(one.spotUnits),
    futuresUsdt: barText(one.futuresUnits),
    assetsUsdt: barText(one.assetsUnits),
    rates: describeRates({
      spotMakerRate: one.spot.maker,
      spotTakerRate: one.spot.taker,
      perpMakerRate: one.perpetual.maker,
      perpTakerRate: one.perpetual.taker,
    }),
    withdrawalFactor: factorText(one),
    orderFactor: one.orderFactor,
    isAnsweredFirst: one.level >= ANSWERED_FIRST_LEVEL,
  };
}

function describeRates(fees: VipFees): VipRates {
  return {
    spotMaker: percentText(fees.spotMakerRate),
    spotTaker: percentText(fees.spotTakerRate),
    futuresMaker: percentText(fees.perpMakerRate),
    futuresTaker: percentText(fees.perpTakerRate),
  };
}

/** 1e-8 as percent, three decimals at least: 0.080. */
function percentText(rate: number): string {
  const [whole = "0", part = ""] = trimZeros(decimalText(BigInt(rate), 6)).split(".");
  return `${whole}.${part.padEnd(3, "0")}`;
}

function factorText({ withdrawalTenths }: Tier): string {
  return trimZeros(decimalText(withdrawalTenths, 1));
}

function barText(value: bigint): string | null {
  return value === 0n ? null : usdt(value);
}

function usdt(value: bigint): string {
  return formatUnits(units(value), USDT_SCALE);
}
