// The ports of invitations: sign-ups by code, shared devices, prices, the ledger that pays and notices. Interfaces
// only; the server connects them.
import type { HourPlanner } from "./hour-service.ts";
import type { HourFee } from "./rules.ts";

export interface InvitedUser {
  readonly userId: number;
  readonly inviterId: number;
  /** Null where the account was opened before codes were stored. */
  readonly code: string | null;
  readonly friendPercent: number;
  readonly joinedMs: number;
}

export interface InvitePerson {
  readonly nickname: string;
  /** The account's name, masked for friends. */
  readonly masked: string;
  readonly isVerified: boolean;
}

export interface RebateLeg {
  readonly asset: number;
  readonly units: bigint;
}

export interface InviteNeeds {
  readonly now: () => number;
  /** Users invited by a user, from the earliest sign-up, after the given one. */
  listInvited(
    after: { readonly joinedMs: number; readonly userId: number },
    limit: number,
  ): Promise<readonly InvitedUser[]>;
  /** Accounts used from a device of one of these, oldest first; up to the maximum per person. */
  listSharing(userIds: readonly number[]): Promise<ReadonlySet<number>>;
  /** Of some accounts, all those used from a device this one was used from too, or with its mailbox. */
  sharesWith(userId: number, among: readonly number[]): Promise<ReadonlySet<number>>;
  /** Those of these accounts for which `listSharing` would return any. */
  listSharers(userIds: readonly number[]): Promise<ReadonlySet<number>>;
  /** The code every user has from the start. */
  ownCode(userId: number): Promise<string | undefined>;
  isOwnCode(code: string): Promise<boolean>;
  describePeople(userIds: readonly number[]): Promise<ReadonlyMap<number, InvitePerson>>;
  /** Current worth in USDT's units; undefined without a price. */
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
  /** Resolves when the tables hold everything that happened before this time. */
  settledAt(timeMs: number): Promise<void>;
  /**
   * What fee coupons return to these users of their fees of an hour, in units of the fees' coins; complete, or it
   * throws.
   */
  listFeesBack(userIds: readonly number[], hour: number): Promise<readonly HourFee[]>;
  /** Prepares payments to many: finds or opens their accounts, a few at a time. */
  meet(receiverIds: readonly number[]): Promise<void>;
  /** Pays from the fees the exchange took, once per reference however often it is called. True when it is paid. */
  pay(receiverId: number, legs: readonly RebateLeg[], reference: string): Promise<boolean>;
  /** Where hours can be computed off the main thread, and the number of turnover rows that justifies it. */
  readonly beside?: { readonly rowsMin: number; open(): HourPlanner } | undefined;
  /** Yields to other work of this thread. */
  giveWay(): Promise<void>;
  /** Resolves after a while in which orders have the ledger for themselves. */
  rest(): Promise<void>;
  randomBelow(bound: number): number;
  notify(
    userId: number,
    notice: {
      readonly kind: "invite" | "rebates";
      readonly reference: string;
      readonly title: string;
      readonly body: string;
    },
    timeMs: number,
  ): Promise<void>;
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
}
