// Pure rules of OTC's people: bonds and what they allow, what a payment account must say, and the words of refusals.

import type { RefusalTable } from "@clockwork/kit/endpoint";
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
/** Everybody who trades between people. */
export const LEVEL_MIN = 2;

export function bondOf(level: number): BondRule {
  return BONDS.find((one) => one.level === level) ?? (BONDS[0] as BondRule);
}

export type PeopleRefusal =
  | "IDENTITY_LEVEL"
  | "SECOND_FACTOR_REQUIRED"
  | "ACCOUNT_TOO_YOUNG"
  | "STEP_UP_REQUIRED"
  | "PAYMENT_FIELD"
  | "PAYMENT_NAME"
  | "PAYMENT_NAME_UNKNOWN"
  | "PAYMENTS_FULL"
  | "PAYMENT_UNKNOWN"
  | "PAYMENT_USED"
  | "BLOCK_SELF"
  | "BLOCK_UNKNOWN"
  | "BLOCKS_FULL"
  | "MERCHANT_STATE"
  | "MERCHANT_NAME_TAKEN"
  | "MERCHANT_UNKNOWN"
  | "MERCHANT_ORDERS_OPEN"
  | "BOND_SHORT"
  | "BOND_FULL"
  | "LEVEL_NOT_HIGHER"
  | "LEDGER_AWAY";

export const REFUSALS: RefusalTable<PeopleRefusal> = {
  IDENTITY_LEVEL: [403, "Your identity must be verified to a higher level first."],
  SECOND_FACTOR_REQUIRED: [403, "Bind an authenticator or a passkey first."],
  ACCOUNT_TOO_YOUNG: [403, "Merchants' accounts are at least 30 days old."],
  STEP_UP_REQUIRED: [403, "Prove once more that it is you: this change needs a fresh code."],
  PAYMENT_FIELD: [400, "A field of this payment account is missing or does not fit."],
  PAYMENT_NAME: [422, "The account must be in the name of your identity."],
  PAYMENT_NAME_UNKNOWN: [403, "Your identity does not name you yet; complete it first."],
  PAYMENTS_FULL: [409, "You have as many payment accounts as there may be."],
  PAYMENT_UNKNOWN: [404, "There is no such payment account."],
  PAYMENT_USED: [409, "One of your ads uses this account; change the ad first."],
  BLOCK_SELF: [400, "You cannot block yourself."],
  BLOCK_UNKNOWN: [404, "There is no merchant of this number, nor anybody you have had an order with."],
  BLOCKS_FULL: [409, "You have blocked as many people as there may be."],
  MERCHANT_STATE: [409, "This cannot be done in the merchant's present state."],
  MERCHANT_NAME_TAKEN: [409, "Another merchant has this name."],
  MERCHANT_UNKNOWN: [404, "There is no such merchant."],
  MERCHANT_ORDERS_OPEN: [409, "There are open orders; end them first."],
  BOND_SHORT: [422, "There is not enough USDT in your funding account for the bond."],
  BOND_FULL: [409, "The bond is complete."],
  LEVEL_NOT_HIGHER: [409, "Choose a bond above the one you have."],
  LEDGER_AWAY: [503, "The exchange cannot answer now; ask again."],
};

/** The account's fields without spaces where they are numbers; the name of the first that does not fit. */
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

/** Numbers without what groups them, in capitals; a handle as its owner writes it, for many tell a from A. */
function readField({ name, isSecret }: PaymentField, given: string): string {
  if (!isSecret) return given;
  return name === "account" ? given.replace(/[\s_-]/g, "").toUpperCase() : given.replace(/\s/g, "");
}

function isChecked({ check }: PaymentField, value: string): boolean {
  if (check === undefined) return true;
  return check === "iban" ? isIban(value) : isLuhn(value);
}

/** Two names that look the same are the same: whatever their case and spaces. */
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
