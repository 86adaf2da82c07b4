// Pure rules of copy trading outside the core: levels, the conditions of leading, settings ⇄ the core's words, refusals.
import { decimalText, parseDecimal, trimZeros } from "@clockwork/kit/decimal";
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import type { Condition, CopyKind } from "./api.ts";
import type { SettingsBody } from "./input-rules.ts";
import type { CopyMarket } from "./needs.ts";

/** What lead equity allows, in whole coins; rates in 1e-8. */
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

/** The five conditions of leading, each with how far somebody has come. */
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

/** What the core calls the settings of a follow. */
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

/** The settings as the core knows them, or the first field that makes no sense. */
export function readSettings(
  kind: CopyKind,
  body: Omit<SettingsBody, "leaderId">,
  scale: number,
  findPair: (pairCode: string) => CopyMarket | undefined,
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
    if (value === undefined) return wrong(field, "At most four decimals.");
    if (value === 0 && fallback === 0) return 0;
    return value >= low && value <= high
      ? value
      : wrong(field, `From ${decimalText(BigInt(low), 4)} to ${decimalText(BigInt(high), 4)}.`);
  };
  const multiplier = body.mode === "multiplier" ? (readRate(body.multiplier ?? "", RATE_SCALE) ?? 0) : 0;
  if (body.mode === "multiplier" && (multiplier < 1_000_000 || multiplier > 1_000_000_000))
    wrong("multiplier", "From 0.01 to 10.");
  if (body.mode === "proportional" && kind === "spot") wrong("mode", "Spot is copied by a fixed amount or a multiple.");
  const fixedUnits = amount("fixed", body.fixed);
  if (body.mode === "fixed" && fixedUnits === 0) wrong("fixed", "Say how much each opening order may take.");
  const markets = (body.pairs ?? []).map((code) => ({
    market: findPair(code)?.market ?? wrong("pairs", `${code} is not copied.`),
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

/** What the core refuses, and what is refused before it is asked. */
export const REFUSALS = {
  LEADER_UNKNOWN: [404, "There is no such leader."],
  NOT_A_LEADER: [404, "There is no such leader."],
  LEADER_NOT_ACTIVE: [409, "This leader takes no followers now."],
  LEADER_FOLLOWS: [409, "Whoever leads cannot follow, and whoever follows cannot lead."],
  LEADER_HOLDS_POSITIONS: [409, "Close the positions of the lead account first."],
  SELF_FOLLOW: [409, "You cannot follow yourself."],
  ALREADY_FOLLOWING: [409, "You follow this leader already; change the settings instead."],
  NOT_FOLLOWING: [409, "You do not follow this leader."],
  FOLLOWERS_FULL: [409, "This leader has no room for another follower."],
  INVESTMENT_TOO_SMALL: [400, "Invest at least 50 USDT."],
  INVALID_COPY_SETTING: [400, "These settings do not fit this leader."],
  COPY_UNDER_WAY: [409, "A copy is under way; try again in a moment."],
  COPY_BOOK_CLOSES_ONLY: [409, "A copy account opens nothing by hand."],
  INSUFFICIENT_BALANCE: [409, "There is not enough free in the account the money comes from."],
  INSUFFICIENT_MARGIN: [409, "The leader's share of the open profit cannot be paid from what is free: close instead."],
  INVALID_AMOUNT: [400, "The amount must be above zero, with no more decimals than the coin has."],
  ACCOUNT_BLOCKED: [403, "Nothing may leave this account now."],
  POSITION_GONE: [409, "This copied position is closed."],
  INVALID_PRICE: [400, "This market cannot have this price."],
  INVALID_TRIGGER: [400, "This market cannot have this price."],
  TRIGGER_ALREADY_TRUE: [400, "The price is there already: it would close at once."],
  NOTHING_HELD: [409, "This copy holds none of the coin."],
  COPY_TOO_SMALL: [409, "What is held is below the smallest order."],
  NO_LIQUIDITY: [409, "Nobody buys it now; try again in a moment."],
  MARKET_NOT_TRADING: [409, "This market does not trade now."],
  NOT_TRANSFERABLE: [409, "Money cannot be moved between these accounts."],
  MODE_LOCKED: [409, "Copy trading needs the merged position layout in this account."],
  IDENTITY_REQUIRED: [403, "Verify your identity first: level 1 to follow, level 2 to lead."],
  LEAD_CONDITIONS: [409, "Not every condition of leading is met yet."],
  NICKNAME_TAKEN: [409, "Somebody else leads under this name, or one that reads the same."],
  LEAD_APPLIED: [409, "You have applied or lead already."],
  LEAD_RESTS: [409, "It is too early to apply again."],
  LEAD_STATE: [409, "This is not possible in the leader's present state."],
  SHARE_ABOVE_LEVEL: [400, "The share is above what your level allows."],
  NOT_LEADING: [409, "You do not lead."],
  ANNOUNCED_TOO_OFTEN: [429, "Three announcements a day are enough."],
  ACCOUNT_NOT_READY: [503, "The account is being opened; try again in a moment."],
  LEDGER_AWAY: [503, "The exchange cannot answer now; try again in a moment."],
} as const;
export type CopyRefusal = keyof typeof REFUSALS;

/** Codes of the core that are one thing to whoever closes a copy. */
const SAME: Readonly<Record<string, CopyRefusal>> = {
  QUANTITY_TOO_SMALL: "COPY_TOO_SMALL",
  NOTIONAL_TOO_SMALL: "COPY_TOO_SMALL",
  MARKET_CANCEL_ONLY: "MARKET_NOT_TRADING",
  MARKET_AUCTION: "MARKET_NOT_TRADING",
  UNKNOWN_POSITION: "POSITION_GONE",
};
const KNOWN: ReadonlySet<string> = new Set(Object.keys(REFUSALS));

/** A refusal of the core in the words of this slice. */
export function refusalOf(code: string): CopyRefusal {
  return KNOWN.has(code) ? (code as CopyRefusal) : (SAME[code] ?? "LEDGER_AWAY");
}

/** A share within the level, in 1e-8. */
export function readShare(text: string, level: Level): Result<number, CopyRefusal> {
  const rate = readRate(text, RATE_SCALE);
  return rate === undefined || rate > level.shareRate ? refused("SHARE_ABOVE_LEVEL") : done(rate);
}

/** A fill of a spot sub-book as the tables have it. */
export interface SpotFill {
  readonly market: number;
  readonly side: string;
  readonly lots: bigint;
  readonly notional_units: bigint;
  readonly fee_asset: number | null;
  readonly fee_units: bigint;
}

interface Lot {
  units: bigint;
  cost: bigint;
}

/** Takes the oldest first; a part of a lot takes its share of the cost, rounded as the core does. */
function takeOldest(lots: Lot[], wanted: bigint): void {
  let left = wanted;
  for (let lot = lots[0]; left > 0n && lot !== undefined; lot = lots[0]) {
    const taken = left < lot.units ? left : lot.units;
    lot.cost -= (lot.cost * taken + lot.units - 1n) / lot.units;
    lot.units -= taken;
    left -= taken;
    if (lot.units === 0n) lots.shift();
  }
}

/**
 * What is held of a coin and what it cost, fees with it: bought lots, sold first in, first out. Of a book that has less than
 * was not sold, the rest was taken out, the oldest first.
 */
export function lotsHeld(
  fills: readonly SpotFill[],
  { market, stepUnits, base }: Pick<CopyMarket, "market" | "stepUnits" | "base">,
  thereUnits: bigint,
): { readonly heldUnits: bigint; readonly costUnits: bigint } {
  const lots: Lot[] = [];
  for (const fill of fills) {
    if (fill.market !== market) continue;
    const moved = fill.lots * BigInt(stepUnits);
    const fee = fill.fee_asset === base.asset ? fill.fee_units : 0n;
    if (fill.side === "buy") lots.push({ units: moved - fee, cost: fill.notional_units + fill.fee_units - fee });
    else takeOldest(lots, moved + fee);
  }
  const sum = (pick: (lot: Lot) => bigint): bigint => lots.reduce((all, lot) => all + pick(lot), 0n);
  takeOldest(lots, sum(({ units: held }) => held) - thereUnits);
  return { heldUnits: sum(({ units: held }) => held), costUnits: sum(({ cost }) => cost) };
}

/** The page of a leader. */
export const pathOf = ({ kind, account }: { readonly kind: CopyKind; readonly account: number }): string =>
  kind === "spot" ? `/copy/spot/${account}` : `/copy/${account}`;
