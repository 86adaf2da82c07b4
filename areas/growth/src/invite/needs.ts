// What invitations want from others: who signed up by which code, whose device is whose, prices, the ledger that pays and
// telling people. Interfaces only; the server connects them.
import type { HourPlanner } from "./hour-service.ts";
import type { HourFee } from "./rules.ts";

export interface InvitedUser {
  readonly userId: number;
  readonly inviterId: number;
  /** Null where the account was opened before codes were kept. */
  readonly code: string | null;
  readonly friendPercent: number;
  readonly joinedMs: number;
}

export interface InvitePerson {
  readonly nickname: string;
  /** The account's name as its owner's friends may see it. */
  readonly masked: string;
  readonly isVerified: boolean;
}

export interface RebateLeg {
  readonly asset: number;
  readonly units: bigint;
}

export interface InviteNeeds {
  readonly now: () => number;
  /** People somebody invited, from the one who signed up first, after the one given. */
  listInvited(
    after: { readonly joinedMs: number; readonly userId: number },
    limit: number,
  ): Promise<readonly InvitedUser[]>;
  /** Accounts used from a device one of these was used from too, oldest first; as many as a person could have. */
  listSharing(userIds: readonly number[]): Promise<ReadonlySet<number>>;
  /** Of some accounts, all those used from a device this one was used from too, or with its mailbox. */
  sharesWith(userId: number, among: readonly number[]): Promise<ReadonlySet<number>>;
  /** Of these accounts those that `listSharing` would tell somebody for. */
  listSharers(userIds: readonly number[]): Promise<ReadonlySet<number>>;
  /** The code everybody has from the beginning. */
  ownCode(userId: number): Promise<string | undefined>;
  isOwnCode(code: string): Promise<boolean>;
  describePeople(userIds: readonly number[]): Promise<ReadonlyMap<number, InvitePerson>>;
  /** Worth in USDT's units now; undefined while nothing tells it. */
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
  /** Resolves when the tables hold everything that happened before this time. */
  settledAt(timeMs: number): Promise<void>;
  /** What fee coupons pay these people back of their fees of an hour, in units of the fees' coins; all of it, or it throws. */
  listFeesBack(userIds: readonly number[], hour: number): Promise<readonly HourFee[]>;
  /** Makes ready for payments to many: what is to be found or opened for them is, a few at a time. */
  meet(receiverIds: readonly number[]): Promise<void>;
  /** Pays from the fees the exchange took, once for each reference however often it is asked. True when it is paid. */
  pay(receiverId: number, legs: readonly RebateLeg[], reference: string): Promise<boolean>;
  /** Where hours can be worked out beside the thread that answers people, and how many rows of turnover are worth it. */
  readonly beside?: { readonly rowsMin: number; open(): HourPlanner } | undefined;
  /** Resolves after whatever waits for this thread had its turn. */
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
