// Pure rules of copy trading outside the core: what calls may say, levels, the conditions of leading, settings ⇄ the core's
// words, refusals.

import { decimalText, parseDecimal, trimZeros } from "@clockwork/kit/decimal";
import { CLIENT_ID_LENGTH_MAX, CLIENT_ID_PATTERN } from "@clockwork/kit/intent/client-id";
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import { type Static, Type } from "typebox";
import { type Condition, type CopyKind, LEADER_IDENTITIES, LEADER_SORTS, WINDOW_TEXTS } from "./contract.ts";
import type { CopyMarket } from "./needs.ts";
import { type CopyRefusal, REFUSALS } from "./refusals.ts";

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

/** The page of a leader. */
export const pathOf = ({ kind, account }: { readonly kind: CopyKind; readonly account: number }): string =>
  kind === "spot" ? `/copy/spot/${account}` : `/copy/${account}`;

// ---- What calls may say: every input bounded

const Amount = Type.String({ pattern: "^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,8})?$", maxLength: 24 });
const Rate = Type.String({ pattern: "^0(\\.[0-9]{1,4})?$", maxLength: 6 });
const Id = Type.String({ pattern: "^[0-9]{1,10}$", maxLength: 10 });
const ClientId = Type.String({ pattern: CLIENT_ID_PATTERN, maxLength: CLIENT_ID_LENGTH_MAX });
const PairCode = Type.String({ pattern: "^[A-Z0-9]{1,12}_[A-Z0-9]{1,12}$", maxLength: 25 });
const Words = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: "\\S" });
const closed = { additionalProperties: false } as const;

export const LeadersQuery = Type.Object({
  sort: Type.Optional(Type.Enum([...LEADER_SORTS])),
  window: Type.Optional(Type.Enum([...WINDOW_TEXTS])),
  level: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  pair: Type.Optional(PairCode),
  search: Type.Optional(Type.String({ maxLength: 40 })),
  /** Only those with room for another follower. */
  open: Type.Optional(Type.Boolean()),
  focused: Type.Optional(Type.Boolean()),
  /** Deepest fall of the index that is still shown, as a rate. */
  maxDrawdown: Type.Optional(Rate),
  /** Days of history at least. */
  minDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_650 })),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 480 })),
});
export type LeadersQuery = Static<typeof LeadersQuery>;
export const LeaderParams = Type.Object({ id: Id });
export const LeadTradesQuery = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
});
export const FollowersQuery = Type.Object({
  /** By what was invested, or by what came of it. */
  sort: Type.Optional(Type.Enum(["amount", "result"])),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
});
export type FollowersQuery = Static<typeof FollowersQuery>;
export const PageQuery = Type.Object({
  leaderId: Type.Optional(Id),
  before: Type.Optional(Type.String({ pattern: "^[0-9]{1,16}(\\.[0-9]{1,9})?$", maxLength: 26 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
});
export type PageQuery = Static<typeof PageQuery>;
/** A rank and how many of it were shown. */
const Cursor = Type.Optional(Type.String({ pattern: "^-?[0-9]{1,30}\\.[0-9]{1,6}$", maxLength: 40 }));
const { page: _page, ...filters } = LeadersQuery.properties;
export const CursorQuery = Type.Object({ ...filters, cursor: Cursor });
export type CursorQuery = Static<typeof CursorQuery>;
export const TradesCursorQuery = Type.Object({ cursor: Cursor, limit: LeadTradesQuery.properties.limit });
export type TradesCursorQuery = Static<typeof TradesCursorQuery>;
export const FollowersCursorQuery = Type.Object({
  sort: FollowersQuery.properties.sort,
  cursor: Cursor,
  limit: FollowersQuery.properties.limit,
});
export type FollowersCursorQuery = Static<typeof FollowersCursorQuery>;

const settings = {
  mode: Type.Enum(["fixed", "multiplier", "proportional"]),
  /** Mode fixed: margin (spot: quote amount) for each opening order of the leader's. */
  fixed: Type.Optional(Amount),
  multiplier: Type.Optional(Type.String({ pattern: "^[0-9]{1,2}(\\.[0-9]{1,4})?$", maxLength: 7 })),
  marginMode: Type.Optional(Type.Enum(["follow", "isolated", "cross"])),
  mirrorMargin: Type.Optional(Type.Boolean()),
  leverage: Type.Optional(Type.Integer({ minimum: 0, maximum: 125 })),
  leverageMax: Type.Optional(Type.Integer({ minimum: 0, maximum: 125 })),
  /** Against the leader's average price, as a rate: 0.001 to 0.05. */
  slippage: Type.Optional(Rate),
  /** All is closed and the follow ends when equity falls to this part of the investment, as a rate; 0 for none. */
  stopLoss: Type.Optional(Rate),
  /** The same when it rises to this multiple of it. */
  takeProfit: Type.Optional(Type.String({ pattern: "^[0-9]{1,3}(\\.[0-9]{1,4})?$", maxLength: 8 })),
  dailyLoss: Type.Optional(Amount),
  maxOrder: Type.Optional(Amount),
  maxSymbol: Type.Optional(Amount),
  maxTotal: Type.Optional(Amount),
  pairs: Type.Optional(Type.Array(PairCode, { maxItems: 16, uniqueItems: true })),
};
export const FollowBody = Type.Object(
  { leaderId: Id, investment: Amount, from: Type.Optional(Type.Enum(["1", "2", "3"])), ...settings },
  closed,
);
export type FollowBody = Static<typeof FollowBody>;
export const SettingsBody = Type.Object({ leaderId: Id, ...settings }, closed);
export type SettingsBody = Static<typeof SettingsBody>;
export const CancelBody = Type.Object({ leaderId: Id, positions: Type.Enum(["close", "keep"]) }, closed);
/** On one copied trade: what is left out is taken back. */
export const StopsBody = Type.Object(
  {
    leaderId: Id,
    positionId: Type.String({ pattern: "^[0-9]{1,16}$", maxLength: 16 }),
    takeProfit: Type.Optional(Amount),
    stopLoss: Type.Optional(Amount),
  },
  closed,
);
export type StopsBody = Static<typeof StopsBody>;
/** Of spot: everything a copy holds of one coin. */
export const CloseBody = Type.Object({ leaderId: Id, pairCode: PairCode, clientId: ClientId }, closed);
export type CloseBody = Static<typeof CloseBody>;
export const TransferBody = Type.Object(
  {
    /** Into or out of the own lead book, or the sub-book of a follow when a leader is named. */
    direction: Type.Enum(["in", "out"]),
    leaderId: Type.Optional(Id),
    /** Out of a spot sub-book, for a coin that was kept; the coin leaders are counted in where none is named. */
    asset: Type.Optional(Type.String({ pattern: "^[A-Z0-9]{1,12}$", maxLength: 12 })),
    /** With `all`, everything of it that is free, to the last unit. */
    amount: Type.String({ pattern: "^(all|(0|[1-9][0-9]{0,14})(\\.[0-9]{1,18})?)$", maxLength: 34 }),
    clientId: ClientId,
  },
  closed,
);
export type TransferBody = Static<typeof TransferBody>;
export const ApplyBody = Type.Object(
  {
    nickname: Type.String({ pattern: "^[\\p{L}\\p{N}][\\p{L}\\p{N} _.-]{1,19}$", maxLength: 20 }),
    bio: Words(500),
    shareRate: Rate,
  },
  closed,
);
export type ApplyBody = Static<typeof ApplyBody>;
export const LeadBody = Type.Object(
  {
    state: Type.Optional(Type.Enum(["active", "paused"])),
    shareRate: Type.Optional(Rate),
    bio: Type.Optional(Words(500)),
  },
  closed,
);
export type LeadBody = Static<typeof LeadBody>;
export const EmptyBody = Type.Object({}, closed);
export const AnnounceBody = Type.Object({ text: Words(500), clientId: ClientId }, closed);
export const FocusBody = Type.Object(
  {
    leaderId: Id,
    isOn: Type.Boolean(),
    note: Type.Optional(Type.String({ maxLength: 200 })),
    /** Tells once when the leader has room for another follower. */
    tellPlace: Type.Optional(Type.Boolean()),
  },
  closed,
);

export const ReviewQuery = Type.Object({ state: Type.Optional(Type.Enum([...LEADER_IDENTITIES])) });
export const DecidePayload = Type.Object({ leaderId: Id, user: Id, action: Type.Enum(["approve", "resume"]) }, closed);
export type DecidePayload = Static<typeof DecidePayload>;
export const DecideBody = Type.Object(
  { leaderId: Id, action: Type.Enum(["approve", "resume"]), clientId: ClientId },
  closed,
);
export const StopBody = Type.Object(
  { leaderId: Id, action: Type.Enum(["reject", "suspend"]), reason: Words(300) },
  closed,
);
