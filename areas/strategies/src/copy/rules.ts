// Pure rules of copy trading outside the core: levels, the conditions of leading, settings ⇄ the core's words,
// refusals.

import { decimalText, parseDecimal, trimZeros } from "@clockwork/kit/decimal";
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import type { Condition, CopyKind, SettingsBody } from "./contract.ts";
import { type CopyRefusal, REFUSALS } from "./refusals.ts";

/** The limits by lead equity, in whole coins; rates in 1e-8. */
export const LEVELS = [
  { level: 1, equity: 500, followers: 100, shareRate: 10_000_000 },
  { level: 2, equity: 2_000, followers: 200, shareRate: 12_000_000 },
  { level: 3, equity: 10_000, followers: 300, shareRate: 15_000_000 },
  { level: 4, equity: 50_000, followers: 500, shareRate: 20_000_000 },
  { level: 5, equity: 200_000, followers: 1_000, shareRate: 30_000_000 },
] as const;
export type Level = (typeof LEVELS)[number];

export const INVESTMENT_MIN = 50;
export const IDENTITY_TO_FOLLOW = 1;
const IDENTITY_TO_LEAD = 2;
const AGE_DAYS = 30;
const TRADES_MIN = 10;
export const TRADES_DAYS = 30;
export const REJECTED_REST_MS = 7 * DAY_MS;
export const CLOSED_REST_MS = 30 * DAY_MS;
export const ANNOUNCEMENTS_PER_DAY = 3;
export const SIMULATED_DECIDES_MS = 5_000;

const RATE_SCALE = 8;
const BPS_SCALE = 4;
const DEFAULT_SLIPPAGE_BPS = 50;
const FIRST_MONDAY_MS = 4 * DAY_MS;

export const rateText = (rate: number): string => trimZeros(decimalText(BigInt(rate), RATE_SCALE));
export const partsText = (parts: bigint): string => decimalText(parts, 6);
export const bpsText = (hundredths: number): string => decimalText(BigInt(hundredths), 2);

/** Text of a rate as whole parts of the scale; undefined where it does not fit. */
export function readRate(text: string, scale: number): number | undefined {
  const parsed = parseDecimal(text);
  if (!parsed.ok) return undefined;
  const { units: value, scale: own } = parsed.value;
  if (own > scale) return undefined;
  return Number(value * 10n ** BigInt(scale - own));
}

export function levelOf(equityUnits: bigint, scale: number): Level {
  const coins = equityUnits / 10n ** BigInt(scale);
  return LEVELS.findLast(({ equity }) => coins >= BigInt(equity)) ?? LEVELS[0];
}

export function nextSettlement(nowMs: number): number {
  const week = 7 * DAY_MS;
  return FIRST_MONDAY_MS + (Math.floor((nowMs - FIRST_MONDAY_MS) / week) + 1) * week;
}

export interface Standing {
  readonly kycLevel: number;
  readonly ageMs: number;
  readonly equityUnits: bigint;
  readonly trades: number;
  readonly follows: number;
  readonly scale: number;
}

/** The five conditions of leading, each with the applicant's progress. */
export function conditionsOf(standing: Standing): Condition[] {
  const { kycLevel, ageMs, equityUnits, trades, follows, scale } = standing;
  const least = BigInt(LEVELS[0].equity) * 10n ** BigInt(scale);
  const days = Math.floor(ageMs / DAY_MS);
  return [
    { name: "identity", isMet: kycLevel >= IDENTITY_TO_LEAD, have: String(kycLevel), need: String(IDENTITY_TO_LEAD) },
    { name: "age", isMet: days >= AGE_DAYS, have: String(days), need: String(AGE_DAYS) },
    {
      name: "equity",
      isMet: equityUnits >= least,
      have: formatUnits(units(equityUnits), scale),
      need: String(LEVELS[0].equity),
    },
    { name: "trades", isMet: trades >= TRADES_MIN, have: String(trades), need: String(TRADES_MIN) },
    { name: "following", isMet: follows === 0, have: String(follows), need: "0" },
  ];
}

/** The core's form of the settings of a follow. */
export interface CoreSettings {
  readonly mode: "fixed" | "multiplier" | "proportional";
  readonly marginMode: "follow" | "isolated" | "cross";
  readonly mirrorMargin: boolean;
  readonly fixedUnits: number;
  readonly multiplier: number;
  readonly leverage: number;
  readonly leverageMax: number;
  readonly slippageBps: number;
  readonly stopLossBps: number;
  readonly takeProfitBps: number;
  readonly maxOrderUnits: number;
  readonly maxSymbolUnits: number;
  readonly maxTotalUnits: number;
  readonly dailyLossUnits: number;
  readonly markets: { readonly market: number }[];
}

type Wrong = { readonly field: string; readonly message: string };

/** The settings in the core's form, or the first invalid field. */
export function readSettings(
  kind: CopyKind,
  body: Omit<SettingsBody, "leaderId">,
  scale: number,
  findPair: (pairCode: string) => MarketPair | undefined,
): { readonly settings: CoreSettings } | { readonly wrong: Wrong } {
  const wrongs: Wrong[] = [];
  const wrong = (field: string, message: string): 0 => {
    wrongs.push({ field, message });
    return 0;
  };
  const amount = (field: string, text: string | undefined): number => {
    const read = parseUnits(text ?? "0", scale);
    return read.done ? Number(read.value) : wrong(field, `At most ${scale} decimals.`);
  };
  const bps = (field: string, text: string | undefined, fallback: number, low: number, high: number): number => {
    if (text === undefined) return fallback;
    const value = readRate(text, BPS_SCALE);
    if (value === undefined) return wrong(field, "Up to four decimals.");
    if (value === 0 && fallback === 0) return 0;
    return value >= low && value <= high
      ? value
      : wrong(field, `From ${decimalText(BigInt(low), 4)} to ${decimalText(BigInt(high), 4)}.`);
  };
  const multiplier = body.mode === "multiplier" ? (readRate(body.multiplier ?? "", RATE_SCALE) ?? 0) : 0;
  if (body.mode === "multiplier" && (multiplier < 1_000_000 || multiplier > 1_000_000_000))
    wrong("multiplier", "From 0.01 to 10.");
  if (body.mode === "proportional" && kind === "spot") wrong("mode", "Spot copies use a fixed amount or a multiplier.");
  const fixedUnits = amount("fixed", body.fixed);
  if (body.mode === "fixed" && fixedUnits === 0) wrong("fixed", "Enter the amount per opening order.");
  const markets = (body.pairs ?? []).map((code) => ({
    market: findPair(code)?.market ?? wrong("pairs", `${code} cannot be copied.`),
  }));
  const settings: CoreSettings = {
    mode: body.mode,
    marginMode: body.marginMode ?? "follow",
    mirrorMargin: body.mirrorMargin ?? true,
    fixedUnits: body.mode === "fixed" ? fixedUnits : 0,
    multiplier,
    leverage: body.leverage ?? 0,
    leverageMax: body.leverageMax ?? 0,
    slippageBps: bps("slippage", body.slippage, DEFAULT_SLIPPAGE_BPS, 10, 500),
    stopLossBps: bps("stopLoss", body.stopLoss, 0, 1, 9_999),
    takeProfitBps: bps("takeProfit", body.takeProfit, 0, 10_001, 1_000_000),
    maxOrderUnits: amount("maxOrder", body.maxOrder),
    maxSymbolUnits: amount("maxSymbol", body.maxSymbol),
    maxTotalUnits: amount("maxTotal", body.maxTotal),
    dailyLossUnits: amount("dailyLoss", body.dailyLoss),
    markets,
  };
  const first = wrongs[0];
  return first === undefined ? { settings } : { wrong: first };
}

/** Codes of the core that are equivalent for a user closing a copy. */
const SAME: Readonly<Record<string, CopyRefusal>> = {
  QUANTITY_TOO_SMALL: "COPY_TOO_SMALL",
  NOTIONAL_TOO_SMALL: "COPY_TOO_SMALL",
  MARKET_CANCEL_ONLY: "MARKET_NOT_TRADING",
  MARKET_AUCTION: "MARKET_NOT_TRADING",
  UNKNOWN_POSITION: "POSITION_GONE",
};
const KNOWN: ReadonlySet<string> = new Set(Object.keys(REFUSALS));

/** A refusal of the core in the terms of this slice. */
export function refusalOf(code: string): CopyRefusal {
  return KNOWN.has(code) ? (code as CopyRefusal) : (SAME[code] ?? "LEDGER_AWAY");
}

/** A share within the level, in 1e-8. */
export function readShare(text: string, level: Level): Result<number, CopyRefusal> {
  const rate = readRate(text, RATE_SCALE);
  return rate === undefined || rate > level.shareRate ? refused("SHARE_ABOVE_LEVEL") : done(rate);
}

/** The page of a leader. */
export const pathOf = ({ kind, account }: { readonly kind: CopyKind; readonly account: number }): string =>
  kind === "spot" ? `/copy/spot/${account}` : `/copy/${account}`;
