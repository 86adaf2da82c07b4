// What every change of an account's security does beside its write: withdrawals rest, and its owner is notified.
import type { Kysely } from "kysely";

/** Suspends withdrawals where the rule requires it, within the change's transaction. */
export type Rest<Cause extends string> = (
  kysely: Kysely<unknown>,
  userId: number,
  change: Cause,
  timeMs: number,
) => Promise<void>;

/** Notifies the owner. */
export type Change<Cause extends string> = (userId: number, change: Cause, timeMs: number) => Promise<void>;
