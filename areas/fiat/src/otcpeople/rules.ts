// Pure rules of OTC's people: bonds and what they permit, the fields of a payment account, and the texts of refusals.

import { isIban, isLuhn, type PaymentField, paymentFields } from "@clockwork/kit/otc/fiat";
import { DAY_MS } from "@clockwork/kit/time";
import type { PaymentBody } from "./contract.ts";

export interface BondRule {
  readonly level: 1 | 2 | 3;
  readonly bondUnits: bigint;
  readonly adsMax: number;
  readonly orderMaxUnits: bigint;
  readonly identityLevel: number;
}

const USDT = 1_000_000n;
export const BONDS: readonly BondRule[] = [
  { level: 1, bondUnits: 1_000n * USDT, adsMax: 2, orderMaxUnits: 2_000n * USDT, identityLevel: 2 },
  { level: 2, bondUnits: 5_000n * USDT, adsMax: 5, orderMaxUnits: 20_000n * USDT, identityLevel: 3 },
  { level: 3, bondUnits: 20_000n * USDT, adsMax: 20, orderMaxUnits: 200_000n * USDT, identityLevel: 3 },
];
export const USDT_SCALE = 6;
export const ACCOUNT_AGE_MS = 30 * DAY_MS;
export const REFILL_MS = 14 * DAY_MS;
export const EXIT_MS = 7 * DAY_MS;
export const SIMULATED_AUDIT_MS = 2_000;
export const PAYMENTS_MAX = 20;
export const BLOCKS_MAX = 500;
/** Required of all OTC users. */
export const LEVEL_MIN = 2;

export function bondOf(level: number): BondRule {
  return BONDS.find((one) => one.level === level) ?? (BONDS[0] as BondRule);
}

/** The account's fields, numbers without spaces; or the name of the first invalid one. */
export function readFields(
  body: PaymentBody,
):
  | { readonly fields: readonly { readonly field: PaymentField; readonly value: string }[] }
  | { readonly wrong: string } {
  const fields = [];
  for (const field of paymentFields(body.kind, body.fiat)) {
    const value = readField(field, body[field.name]?.normalize("NFKC").trim() ?? "");
    if (!new RegExp(field.pattern, "u").test(value) || !isChecked(field, value)) return { wrong: field.name };
    fields.push({ field, value });
  }
  return { fields };
}

/** Numbers without separators, in capitals; a handle as its owner writes it, since many are case-sensitive. */
function readField({ name, isSecret }: PaymentField, given: string): string {
  if (!isSecret) return given;
  return name === "account" ? given.replace(/[\s_-]/g, "").toUpperCase() : given.replace(/\s/g, "");
}

function isChecked({ check }: PaymentField, value: string): boolean {
  if (check === undefined) return true;
  return check === "iban" ? isIban(value) : isLuhn(value);
}

/** Two names that look the same are the same: case and spaces are ignored. */
export function nameKey(name: string): string {
  return name.normalize("NFKC").toLocaleLowerCase("en").replace(/\s+/gu, " ").trim();
}

/** Is the merchant at work at this time of day? */
export function isWithinHours(opensMinute: number, closesMinute: number, timeMs: number): boolean {
  if (opensMinute % 1440 === closesMinute % 1440) return true;
  const minute = Math.floor((timeMs % DAY_MS) / 60_000);
  return opensMinute < closesMinute
    ? minute >= opensMinute && minute < closesMinute
    : minute >= opensMinute || minute < closesMinute;
}
