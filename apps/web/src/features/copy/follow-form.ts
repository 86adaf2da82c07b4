// The settings of a follow in the form: each field's text, its errors, and the call's body. Pure.

import {
  compareDecimals,
  type Decimal,
  divideTruncated,
  multiplyDecimals,
  parseDecimal,
  roundDecimal,
  subtractDecimals,
  trimZeros,
  truncateToStep,
  writeDecimal,
  ZERO_DECIMAL,
} from "@clockwork/kit/decimal";
import type { CopyKind, Follow, LeaderDetail, SettingsBody } from "@clockwork/strategies/copy/contract";

export interface FollowDraft {
  readonly investment: string;
  readonly mode: "fixed" | "multiplier" | "proportional";
  readonly fixed: string;
  readonly multiplier: string;
  /** Percent. */
  readonly slippage: string;
  /** The follower's own leverage; empty means the leader's. */
  readonly leverage: string;
  readonly leverageMax: string;
  readonly maxOrder: string;
  readonly maxSymbol: string;
  readonly maxTotal: string;
  /** Percent of the investment. */
  readonly stopLoss: string;
  readonly takeProfit: string;
  readonly dailyLoss: string;
  readonly mirrorMargin: boolean;
  readonly marginMode: "follow" | "isolated" | "cross";
  /** Pairs that are copied; none means all. */
  readonly pairs: readonly string[];
}

export const FIRST_DRAFT: FollowDraft = {
  investment: "1000",
  mode: "fixed",
  fixed: "100",
  multiplier: "1",
  slippage: "0.5",
  leverage: "",
  leverageMax: "",
  maxOrder: "",
  maxSymbol: "",
  maxTotal: "",
  stopLoss: "70",
  takeProfit: "",
  dailyLoss: "",
  mirrorMargin: true,
  marginMode: "follow",
  pairs: [],
};

/** Typed fields. */
export type DraftField = Exclude<keyof FollowDraft, "mode" | "mirrorMargin" | "marginMode" | "pairs">;
export type Wrong = "number" | "least" | "slippage" | "multiplier" | "stopLoss" | "takeProfit" | "leverage" | "above";

/** The server's current state. */
export function draftOf({ invested, settings }: Follow): FollowDraft {
  const filled = (text: string): string => (/[1-9]/.test(text) ? trimZeros(text) : "");
  return {
    investment: trimZeros(invested),
    mode: settings.mode as FollowDraft["mode"],
    fixed: filled(settings.fixed) || FIRST_DRAFT.fixed,
    multiplier: filled(settings.multiplier) || FIRST_DRAFT.multiplier,
    slippage: shift(settings.slippage, 2),
    leverage: settings.leverage === 0 ? "" : String(settings.leverage),
    leverageMax: settings.leverageMax === 0 ? "" : String(settings.leverageMax),
    maxOrder: filled(settings.maxOrder),
    maxSymbol: filled(settings.maxSymbol),
    maxTotal: filled(settings.maxTotal),
    stopLoss: filled(settings.stopLoss) === "" ? "" : shift(settings.stopLoss, 2),
    takeProfit: filled(settings.takeProfit) === "" ? "" : shift(settings.takeProfit, 2),
    dailyLoss: filled(settings.dailyLoss),
    mirrorMargin: settings.mirrorMargin,
    marginMode: settings.marginMode as FollowDraft["marginMode"],
    pairs: settings.pairs,
  };
}

/** Moves the point: two places right makes percent of a rate, two left a rate of percent. */
export function shift(text: string, places: number): string {
  const read = parseDecimal(text);
  if (!read.ok) return text;
  const { units, scale } = read.value;
  const moved = scale - places;
  return trimZeros(
    moved >= 0
      ? writeDecimal({ units, scale: moved })
      : writeDecimal({ units: units * 10n ** BigInt(-moved), scale: 0 }),
  );
}

const isNumber = (text: string): boolean => parseDecimal(text, { scaleMax: 6 }).ok;
const within = (text: string, low: number, high: number): boolean =>
  isNumber(text) && Number(text) >= low && Number(text) <= high;

/** What is wrong, by field. */
export function wrongsOf(draft: FollowDraft, isNew: boolean): Partial<Record<DraftField, Wrong>> {
  const wrongs: Partial<Record<DraftField, Wrong>> = {};
  if (isNew && !within(draft.investment, 50, Number.MAX_SAFE_INTEGER)) wrongs.investment = "least";
  if (draft.mode === "fixed" && !(isNumber(draft.fixed) && Number(draft.fixed) > 0)) wrongs.fixed = "number";
  if (draft.mode === "multiplier" && !within(draft.multiplier, 0.01, 10)) wrongs.multiplier = "multiplier";
  if (!within(draft.slippage, 0.1, 5)) wrongs.slippage = "slippage";
  for (const field of ["leverage", "leverageMax"] as const)
    if (draft[field] !== "" && !(within(draft[field], 1, 125) && /^[0-9]+$/.test(draft[field])))
      wrongs[field] = "leverage";
  for (const field of ["maxOrder", "maxSymbol", "maxTotal", "dailyLoss"] as const) {
    if (draft[field] !== "" && !isNumber(draft[field])) wrongs[field] = "number";
    else if (draft[field] !== "" && Number(draft[field]) > Number(draft.investment)) wrongs[field] = "above";
  }
  if (draft.stopLoss !== "" && !within(draft.stopLoss, 0.01, 99.99)) wrongs.stopLoss = "stopLoss";
  if (draft.takeProfit !== "" && !within(draft.takeProfit, 100.01, 10_000)) wrongs.takeProfit = "takeProfit";
  return wrongs;
}

export function bodyOf(kind: CopyKind, leaderId: string, draft: FollowDraft): SettingsBody {
  const { mode } = draft;
  const optional = <Name extends string>(name: Name, text: string): { readonly [name in Name]?: string } =>
    text === "" ? {} : ({ [name]: text } as { readonly [name in Name]: string });
  return {
    leaderId,
    mode,
    ...(mode === "fixed" ? { fixed: draft.fixed } : {}),
    ...(mode === "multiplier" ? { multiplier: draft.multiplier } : {}),
    slippage: shift(draft.slippage, -2),
    ...optional("maxOrder", draft.maxOrder),
    ...optional("maxSymbol", draft.maxSymbol),
    ...optional("maxTotal", draft.maxTotal),
    ...optional("dailyLoss", draft.dailyLoss),
    ...optional("stopLoss", draft.stopLoss === "" ? "" : shift(draft.stopLoss, -2)),
    ...optional("takeProfit", draft.takeProfit === "" ? "" : shift(draft.takeProfit, -2)),
    ...(kind === "spot"
      ? {}
      : {
          mirrorMargin: draft.mirrorMargin,
          marginMode: draft.marginMode,
          ...(draft.leverage === "" ? {} : { leverage: Number(draft.leverage) }),
          ...(draft.leverageMax === "" ? {} : { leverageMax: Number(draft.leverageMax) }),
        }),
    ...(draft.pairs.length === 0 ? {} : { pairs: [...draft.pairs] }),
  };
}

/** What cannot be read counts for nothing. */
function read(text: string): Decimal {
  const parsed = parseDecimal(text);
  return parsed.ok ? parsed.value : ZERO_DECIMAL;
}

const isAbove = (left: Decimal, right: Decimal): boolean => compareDecimals(left, right) > 0;

export interface Example {
  /** The share of the leader's equity used by the leader's latest order, as a rate. */
  readonly leaderMargin: string;
  readonly part: string;
  /** What the copy may take, then as many whole steps as that gives, and what they take. */
  readonly margin: string;
  readonly quantity: string;
  readonly taken: string;
  readonly leverage: number;
}

const RATE_DECIMALS = 8;
const MONEY_DECIMALS = 6;

/** A copy of the leader's latest order by the settings, exact to the step, as the exchange sizes it. */
export function exampleOf(
  draft: FollowDraft,
  { latest, equity }: { readonly latest: NonNullable<LeaderDetail["latest"]>; readonly equity: string },
): Example {
  const [price, step, own] = [read(latest.price), read(latest.step), read(draft.leverage)];
  const requested = own.units === 0n ? latest.leverage : Number(draft.leverage);
  const most = draft.leverageMax === "" ? requested : Number(draft.leverageMax);
  const leverage = Math.max(1, Math.min(requested, most));
  const times = (count: number): Decimal => ({ units: BigInt(count), scale: 0 });
  const marginOf = (quantity: Decimal, by: number): Decimal =>
    divideTruncated(multiplyDecimals(quantity, price), times(by), MONEY_DECIMALS);
  const leaderMargin = marginOf(read(latest.quantity), latest.leverage);
  const whole = read(equity);
  const part = whole.units === 0n ? ZERO_DECIMAL : divideTruncated(leaderMargin, whole, RATE_DECIMALS);
  const scaled = multiplyDecimals(read(latest.quantity), read(draft.multiplier));
  const wanted =
    draft.mode === "fixed"
      ? read(draft.fixed)
      : draft.mode === "multiplier"
        ? marginOf(scaled, leverage)
        : roundDecimal(multiplyDecimals(part, read(draft.investment)), MONEY_DECIMALS, "truncate");
  const cap = draft.maxOrder === "" ? wanted : read(draft.maxOrder);
  const margin = isAbove(wanted, cap) ? cap : wanted;
  const isWhole = draft.mode === "multiplier" && !isAbove(wanted, cap);
  const bought =
    price.units === 0n
      ? ZERO_DECIMAL
      : divideTruncated(multiplyDecimals(margin, times(leverage)), price, step.scale + MONEY_DECIMALS);
  const quantity = step.units === 0n ? ZERO_DECIMAL : truncateToStep(isWhole ? scaled : bought, step);
  return {
    leaderMargin: writeDecimal(leaderMargin),
    part: writeDecimal(part),
    margin: writeDecimal(margin),
    quantity: writeDecimal(roundDecimal(quantity, step.scale, "truncate")),
    taken: writeDecimal(marginOf(quantity, leverage)),
    leverage,
  };
}

/** What is lost when the copy stops itself, all of it without such a limit. */
export function worstLoss({ investment, stopLoss }: Pick<FollowDraft, "investment" | "stopLoss">): string {
  const put = read(investment);
  const kept = multiplyDecimals(put, read(shift(stopLoss, -2)));
  return writeDecimal(subtractDecimals(roundDecimal(kept, MONEY_DECIMALS, "truncate"), put));
}

/** The part of the investment at which it stops. */
export function stopsAt({ investment, stopLoss }: Pick<FollowDraft, "investment" | "stopLoss">): string {
  return writeDecimal(roundDecimal(multiplyDecimals(read(investment), read(shift(stopLoss, -2))), 2, "truncate"));
}

/** p × max(0, R − H) through a week, as the rules have it. */
export function exampleWeek(
  shareRate: string,
): { readonly change: number; readonly realised: number; readonly held: string }[] {
  let realised = 0;
  return [200, -50, 300, -500].map((change) => {
    realised += change;
    const above: Decimal = { units: BigInt(Math.max(0, realised)), scale: 0 };
    const held = writeDecimal(roundDecimal(multiplyDecimals(above, read(shareRate)), 2, "truncate"));
    return { change, realised, held };
  });
}
