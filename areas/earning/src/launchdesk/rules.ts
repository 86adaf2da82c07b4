// Pure rules of creating a launch: the required fields of a proposal, the invalid one, and the resulting rows.

import type { RouteRejection } from "@clockwork/host/route";
import { commitTo, roundSeed } from "@clockwork/kit/earn/draw";
import type { LedgerCoin } from "@clockwork/kit/instrument";
import { parseUnits } from "@clockwork/kit/money";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import type { LaunchPayload, RoundInput } from "./contract.ts";
import type { LaunchDraft, RoundDraft } from "./needs.ts";
import { type LaunchDeskRefusal, REFUSALS } from "./refusals.ts";
import type { MakingRow } from "./store.ts";

export const LAUNCH_PERMISSION = "launchpad.manage";
const USDT = "USDT";
const USDT_SCALE = 6;
/** The time to pay for a lot won at the end of a flash sale. */
const FLASH_PAY_MS = 10 * MINUTE_MS;
/** The waiting list of a lottery has its turn after the window and before the listing. */
const WAITING_PAY_MS = 2 * HOUR_MS;
const AHEAD_MS_MAX = 730 * DAY_MS;
/** Well within the period of the record of seeds, which verifies a draw. */
const DRAW_MS_MAX = 3 * DAY_MS;
/** Accounts of launches that operators made are numbered from here on, ten for each. */
const FIRST_SUB = 100_000;
const SUBS_EACH = 10;
const UNITS_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/** Why a launch is not created, with its field. */
export type Wrong = RouteRejection<LaunchDeskRefusal>;

export const wrong = (code: LaunchDeskRefusal, field: string, message: string = REFUSALS[code][1]): Wrong => ({
  code,
  status: REFUSALS[code][0],
  message,
  fields: { [`body.${field}`]: message },
});
export const NO_COIN = wrong("UNKNOWN_ASSET", "asset");
export const NAME_TAKEN = wrong("PROJECT_EXISTS", "projectId");
export const STOCK_SHORT = wrong("STOCK_SHORT", "rounds.0.stock");
export const RETURN_SHORT = wrong("STOCK_SHORT", "amount");

/** Above zero, with as many decimals as the coin has, and countable. */
export function amountOf(text: string, scale: number): bigint | undefined {
  const read = parseUnits(text, scale);
  return read.done && read.value > 0n && read.value <= UNITS_MAX ? read.value : undefined;
}

export const stockOf = (payload: LaunchPayload, coin: LedgerCoin): bigint =>
  payload.rounds.reduce((sum, { stock }) => sum + (amountOf(stock, coin.scale) ?? 0n), 0n);

/** Why a launch cannot be created now. */
export function refusalOf(payload: LaunchPayload, coin: LedgerCoin | undefined, nowMs: number): Wrong | undefined {
  if (coin === undefined) return NO_COIN;
  if (coin.symbol === USDT) return wrong("INVALID_ASSET", "asset");
  const price = amountOf(payload.price, USDT_SCALE);
  if (price === undefined) return wrong("INVALID_AMOUNT", "price", "Enter USDT above zero, with up to six decimals.");
  if (payload.vestDays === 0 && payload.vestFirstPercent !== 100) return wrong("INVALID_VESTING", "vestFirstPercent");
  for (const [index, round] of payload.rounds.entries()) {
    const refused = roundRefusal(round, index, coin) ?? timeRefusal(payload, index, nowMs);
    if (refused !== undefined) return refused;
  }
  const stock = stockOf(payload, coin);
  const supply = parseUnits(payload.supply, coin.scale);
  if (!supply.done || supply.value < stock)
    return wrong("INVALID_AMOUNT", "supply", "The supply must cover the coins for sale.");
  if ((stock * price) / 10n ** BigInt(coin.scale) > UNITS_MAX)
    return wrong("INVALID_AMOUNT", "price", "The amount is too large.");
  return listingRefusal(payload, nowMs);
}

function roundRefusal(round: RoundInput, index: number, coin: LedgerCoin): Wrong | undefined {
  const at = (field: keyof RoundInput, message?: string) =>
    wrong("INVALID_AMOUNT", `rounds.${index}.${field}`, message);
  const stock = amountOf(round.stock, coin.scale);
  if (stock === undefined) return at("stock");
  const lot = amountOf(round.lot, coin.scale);
  if (lot === undefined || lot > stock) return at("lot", "Must be above zero and not above the stock.");
  if (round.kind === "subscription") {
    const cap = amountOf(round.cap, coin.scale);
    return cap === undefined || cap < lot ? at("cap", "Must be at least one step.") : undefined;
  }
  if (stock % lot !== 0n) return at("stock", "Must be a multiple of the lot.");
  if (round.kind === "lottery" && amountOf(round.ticketUnit, USDT_SCALE) === undefined)
    return at("ticketUnit", "Enter USDT above zero, with up to six decimals.");
  return undefined;
}

function timeRefusal({ rounds }: LaunchPayload, index: number, nowMs: number): Wrong | undefined {
  const round = rounds[index] as RoundInput;
  const at = (field: keyof RoundInput, message: string) => wrong("INVALID_TIME", `rounds.${index}.${field}`, message);
  if (round.opensAtMs <= nowMs) return at("opensAtMs", "A round must open in the future.");
  const before = rounds[index - 1];
  if (before !== undefined && round.opensAtMs < before.closesAtMs)
    return at("opensAtMs", "Must open after the previous round has closed.");
  if (round.preheatAtMs > round.opensAtMs) return at("preheatAtMs", "Must not be after the opening.");
  if (round.closesAtMs <= round.opensAtMs) return at("closesAtMs", "Must close after it opens.");
  const drawAtMs = round.drawAtMs ?? round.closesAtMs;
  const drawnMs = round.kind === "flash" ? 0 : DRAW_MS_MAX;
  if (drawAtMs < round.closesAtMs || drawAtMs > round.closesAtMs + drawnMs)
    return at(
      "drawAtMs",
      "Lotteries and subscriptions are calculated within three days of the close, flash sales immediately.",
    );
  const payMs = round.kind === "flash" ? FLASH_PAY_MS : round.kind === "lottery" ? HOUR_MS : 0;
  if (round.payUntilMs < drawAtMs + payMs)
    return at(
      "payUntilMs",
      "Payment must end at least one hour after a lottery draw or ten minutes after a flash sale closes.",
    );
  if (round.kind !== "lottery") return undefined;
  const first = (Math.floor(round.opensAtMs / DAY_MS) - round.snapshotDays + 1) * DAY_MS;
  return first <= nowMs || first < round.preheatAtMs
    ? at("snapshotDays", "Daily snapshots at 00:00 UTC must fit between the preheat and the opening, from tomorrow.")
    : undefined;
}

function listingRefusal({ rounds, listingAtMs }: LaunchPayload, nowMs: number): Wrong | undefined {
  const ends = rounds.map(({ kind, payUntilMs }) => payUntilMs + (kind === "lottery" ? WAITING_PAY_MS : 0));
  if (listingAtMs < Math.max(...ends))
    return wrong("INVALID_TIME", "listingAtMs", "The listing must be after all payments, including waiting lists.");
  return listingAtMs > nowMs + AHEAD_MS_MAX
    ? wrong("INVALID_TIME", "listingAtMs", "The listing must be within two years.")
    : undefined;
}

/** The rows of a launch; its payload is validated. */
export function draftOf(payload: LaunchPayload, coin: LedgerCoin, making: MakingRow): LaunchDraft {
  const units = (text: string, scale: number): bigint => amountOf(text, scale) ?? 0n;
  const sub = FIRST_SUB + making.id * SUBS_EACH;
  return {
    project: {
      project_id: payload.projectId,
      name: payload.name.trim(),
      asset: coin.symbol,
      scale: coin.scale,
      summary: payload.summary.trim(),
      supply: payload.supply,
      price_units: units(payload.price, USDT_SCALE),
      vest_bps: payload.vestFirstPercent * 100,
      vest_days: payload.vestDays,
      announced_ms: making.begun_ms,
      listing_ms: payload.listingAtMs,
      promise: commitTo(making.server_seed),
      server_seed: making.server_seed,
      salt: making.salt,
      sub,
    },
    rounds: payload.rounds.map((round, index): RoundDraft => {
      const stock = units(round.stock, coin.scale);
      const lot = units(round.lot, coin.scale);
      return {
        round_id: `${payload.projectId}-${index + 1}`,
        project_id: payload.projectId,
        number: index + 1,
        kind: round.kind,
        promise: commitTo(roundSeed(making.server_seed, `${payload.projectId}-${index + 1}`)),
        stock_units: stock,
        lot_units: lot,
        cap_units: round.kind === "subscription" ? units(round.cap, coin.scale) : 0n,
        tickets_max: round.ticketsMax,
        unit_units: round.kind === "lottery" ? units(round.ticketUnit, USDT_SCALE) : 0n,
        snapshot_days: round.snapshotDays,
        preheat_ms: round.preheatAtMs,
        opens_ms: round.opensAtMs,
        closes_ms: round.closesAtMs,
        draw_ms: round.drawAtMs ?? null,
        pay_until_ms: round.payUntilMs,
        winners_max: round.kind === "lottery" ? Number((stock / lot).toString()) : 0,
        sub: sub + index + 1,
      };
    }),
  };
}
