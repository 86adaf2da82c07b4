// Pure rules of invitations: shares of a fee, the rebates of an hour of fees, weeks, and masked names. Receipts round
// down.

/** Of the net fee, in percent: to the inviter and their friend together, and to the inviter's inviter. */
export const SHARED_PERCENT = 20;
export const SECOND_PERCENT = 5;
export const LINKS_MAX = 20;
const CODE_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const CODE_LENGTH = 8;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const WEEK_DAYS = 7;
/** Days from the Monday before 1970 to its first day, a Thursday. */
const THURSDAY = 3;

export interface Friendship {
  readonly inviterId: number;
  readonly friendPercent: number;
}

export interface HourFee {
  readonly userId: number;
  readonly asset: number;
  readonly feeUnits: bigint;
}

export interface Rebate {
  readonly receiverId: number;
  readonly friendId: number;
  readonly asset: number;
  /** 0 the friend, 1 the inviter, 2 the inviter's inviter. */
  readonly degree: 0 | 1 | 2;
  readonly feeUnits: bigint;
  readonly rebateUnits: bigint;
}

export function shareFloor(feeUnits: bigint, percent: number): bigint {
  return (feeUnits * BigInt(percent)) / 100n;
}

/** Fees less their returns. */
export function netFees(fees: readonly HourFee[], backs: readonly HourFee[]): HourFee[] {
  const keyOf = ({ userId, asset }: HourFee): string => `${userId}:${asset}`;
  const backOf = new Map<string, bigint>();
  for (const back of backs) backOf.set(keyOf(back), (backOf.get(keyOf(back)) ?? 0n) + back.feeUnits);
  return fees
    .map((fee) => ({ ...fee, feeUnits: fee.feeUnits - (backOf.get(keyOf(fee)) ?? 0n) }))
    .filter(({ feeUnits }) => feeUnits > 0n);
}

/** The rebates of an hour's net fees; a payer not in `friends` has no inviter that counts. */
export function planHour(fees: readonly HourFee[], friends: ReadonlyMap<number, Friendship>): Rebate[] {
  const rebates: Rebate[] = [];
  for (const { userId, asset, feeUnits } of fees) {
    const own = friends.get(userId);
    if (own === undefined || own.inviterId === userId) continue;
    const add = (receiverId: number, degree: Rebate["degree"], percent: number): void => {
      const rebateUnits = shareFloor(feeUnits, percent);
      if (rebateUnits > 0n) rebates.push({ receiverId, friendId: userId, asset, degree, feeUnits, rebateUnits });
    };
    add(userId, 0, own.friendPercent);
    add(own.inviterId, 1, SHARED_PERCENT - own.friendPercent);
    const second = friends.get(own.inviterId)?.inviterId;
    // A ring would pay its own fees back to itself.
    if (second !== undefined && second !== userId && second !== own.inviterId) add(second, 2, SECOND_PERCENT);
  }
  return rebates;
}

export function hourOf(timeMs: number): number {
  return Math.floor(timeMs / HOUR_MS);
}

/** Monday 00:00 UTC of the week a time is in. */
export function weekOf(timeMs: number): number {
  const day = Math.floor(timeMs / DAY_MS);
  return (day - ((day + THURSDAY) % WEEK_DAYS)) * DAY_MS;
}

export const WEEK_MS = WEEK_DAYS * DAY_MS;

export function drawCode(randomBelow: (bound: number) => number): string {
  return Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS.charAt(randomBelow(CODE_LETTERS.length))).join("");
}

/** The first and the last letter of a name. */
export function hideName(name: string): string {
  const letters = [...name];
  const last = letters.length > 1 ? (letters.at(-1) ?? "") : "";
  return `${letters[0] ?? "•"}•••••${last}`;
}

/** Why nothing is paid for a friend, and the accounts that prove it. */
export interface VoidReason {
  readonly reason: "self" | "ring";
  readonly through: readonly number[];
}

/** The friend is at a device of a user who gains by it, or of a friend invited before. */
export function findVoid(
  sharing: ReadonlySet<number>,
  gaining: readonly number[],
  earlierFriends: readonly number[],
): VoidReason | undefined {
  const self = gaining.filter((userId) => sharing.has(userId));
  if (self.length > 0) return { reason: "self", through: self };
  const ring = earlierFriends.filter((userId) => sharing.has(userId));
  return ring.length > 0 ? { reason: "ring", through: ring } : undefined;
}

/** Rings are searched over this many users: the one the friend's person invited, and the one invited by that user. */
export const RING_PEOPLE = 2;

interface RingSteps {
  /** All users invited by one of these. */
  listInvitedBy(userIds: readonly number[]): Promise<readonly number[]>;
  /** All users at a device of one of these. */
  listSharing(userIds: readonly number[]): Promise<ReadonlySet<number>>;
  /** Of these accounts those at a device of this one. */
  sharesWith(userId: number, among: readonly number[]): Promise<ReadonlySet<number>>;
}

/**
 * Users who invite each other's second accounts: from the friend's person along their invitations, until one is the
 * inviter or shares the inviter's device.
 */
export async function findRing(
  { userId, inviterId }: { readonly userId: number; readonly inviterId: number },
  steps: RingSteps,
): Promise<VoidReason | undefined> {
  let person: readonly number[] = [userId, ...(await steps.listSharing([userId]))];
  for (let step = 0; step < RING_PEOPLE; step++) {
    const invited = (await steps.listInvitedBy(person)).filter((one) => one !== userId);
    if (invited.length === 0) return undefined;
    const closing = [...(await steps.sharesWith(inviterId, invited))];
    if (invited.includes(inviterId)) closing.push(inviterId);
    if (closing.length > 0) return { reason: "ring", through: closing };
    person = [...new Set([...invited, ...(await steps.listSharing(invited))])];
  }
  return undefined;
}
