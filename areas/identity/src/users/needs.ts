// What users take of codes and the core, and of slices above them.
import type { AccountName } from "@clockwork/kit/account";
import type { RetryAfter } from "../attempts/rules.ts";
import type { Checks } from "../codes/checks.ts";

/** The initial books of every account. */
export type FirstBook = "funding" | "spot";

export interface Extras {
  readonly hasTotp: boolean;
  readonly hasTradePassword: boolean;
  readonly unreadLetters: number;
  readonly kycLevel: number;
  readonly vipLevel: number;
  readonly identityPopup: boolean;
}

export interface UserNeeds
  extends Pick<Checks, "isCaptchaSolved" | "mintCode" | "sendCode" | "hashBusy" | "hashPassword" | "verifyPassword"> {
  /** Counts wrong codes over all codes to a receiver; an object while there were too many. */
  checkCode(purpose: "sign-up", receiver: string, code: string, timeMs: number): Promise<boolean | RetryAfter>;
  /** A sign-up with an existing account. */
  sendKnown(to: AccountName, timeMs: number): Promise<void>;
  /** The core's account for a book, opened if needed; undefined when the core cannot answer now. */
  openBook(userId: number, book: FirstBook, isBlocked: boolean): Promise<number | undefined>;
  /** The owner and terms of a link by its code; a user's own code may have none. */
  findLink(code: string): Promise<{ readonly ownerId: number; readonly friendPercent: number } | undefined>;
  readExtras(userId: number): Promise<Extras>;
  /** An unpredictable whole number from 0 to bound − 1. */
  randomBelow(bound: number): number;
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
}
