// Pure rules of users: numbers, invite codes, and an account's own view.
import { type AccountName, maskAccountName } from "@clockwork/kit/account";
import type { Profile, UserInfo } from "./contract.ts";
import type { Extras } from "./needs.ts";

export interface AccountRow {
  readonly id: number;
  readonly email: string | null;
  readonly phone: string | null;
  readonly password_hash: string;
  readonly nickname: string;
  readonly country: string;
  readonly role: "user" | "operator";
  readonly status: "active" | "frozen";
  /** When its owner closed it; it is frozen from then on. */
  readonly closed_at_ms: number | null;
  readonly books: "intended" | "open";
  readonly invite_code: string;
  readonly invited_by: number | null;
  /** The code the account was opened with. */
  readonly invited_code: string | null;
  /** The share of fees the code promised to return at that time. */
  readonly invited_percent: number | null;
  readonly user_language: string;
  readonly pricing_currency: string;
  readonly created_at_ms: number;
}

/** Numbers are drawn, not counted: the number of accounts is not revealed, nor can a neighbour's be guessed. */
const ID_MIN = 100_000_000;
const ID_SPAN = 1_900_000_000;
const INVITE_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const INVITE_LENGTH = 8;

type RandomBelow = (bound: number) => number;

export function drawUserId(randomBelow: RandomBelow): number {
  return ID_MIN + randomBelow(ID_SPAN);
}

export function drawInviteCode(randomBelow: RandomBelow): string {
  return Array.from({ length: INVITE_LENGTH }, () => INVITE_LETTERS.charAt(randomBelow(INVITE_LETTERS.length))).join(
    "",
  );
}

/** Where codes and notices go: the mail address, else the phone. */
export function contactOf({ email, phone }: Pick<AccountRow, "email" | "phone">): AccountName {
  return email === null ? { kind: "phone", value: phone ?? "" } : { kind: "email", value: email };
}

export interface ProfileRow {
  readonly user_id: number;
  readonly avatar: number;
  readonly intro: string;
  readonly is_public: boolean;
  readonly updated_at_ms: number;
}

/** A user's appearance; without a row the default one. */
export function describeProfile({ nickname }: Pick<AccountRow, "nickname">, row: ProfileRow | undefined): Profile {
  return { nickname, avatar: row?.avatar ?? 0, intro: row?.intro ?? "", isPublic: row?.is_public ?? false };
}

export function describeUser(row: AccountRow, extras: Extras, profile: ProfileRow | undefined): UserInfo {
  return {
    anchorInfo: describeProfile(row, profile),
    id: String(row.id),
    email: row.email === null ? null : maskAccountName({ kind: "email", value: row.email }),
    phone: row.phone === null ? null : maskAccountName({ kind: "phone", value: row.phone }),
    nickname: row.nickname,
    country: row.country,
    role: row.role,
    inviteCode: row.invite_code,
    createdAtMs: row.created_at_ms,
    ...extras,
    // An operator does not trade and needs no level.
    identityPopup: extras.identityPopup && row.role !== "operator",
    userLanguage: row.user_language,
    pricingCurrency: row.pricing_currency,
  };
}
