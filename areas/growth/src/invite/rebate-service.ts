// Rebates: the result of each full hour of fees is computed once and stored as a whole, then paid by the ledger, one
// reference for each hour and receiver. A stop in between loses nothing and pays nothing twice.
import { type HourPlanner, HourService, WORTH_UNITS } from "./hour-service.ts";
import type { InviteNeeds, RebateLeg } from "./needs.ts";
import { type Friendship, hourOf } from "./rules.ts";
import type { InviteService } from "./service.ts";
import type { FriendRow, InviteStore } from "./store.ts";

const HOUR_MS = 3_600_000;
/** Legs of one settlement. */
const LEGS_MAX = 8;
/**
 * Payments that are sent, read and stored together. A concurrent order waits behind them; between two such bursts the
 * ledger and its disk serve orders only.
 */
const BURST = 512;
/** Of a burst, before yielding to others on this thread. */
const SENT_AT_ONCE = 64;
/** Fewer complete before they are noticeable. */
const FEW = 32;
const NOTICE = { kind: "rebates", title: "Rebates are paid", body: "They are in your spot account." } as const;

/** The result of a check: a payer's devices are checked, an inviter's when they pay themselves. */
interface Look {
  readonly isPayer: boolean;
  readonly friendship: Friendship | undefined;
}
type Checked = Map<number, Look>;

export class RebateService {
  readonly #store: InviteStore;
  readonly #needs: InviteNeeds;
  readonly #invite: InviteService;
  #paying: Promise<void> = Promise.resolve();

  constructor(parts: { readonly store: InviteStore; readonly needs: InviteNeeds }, invite: InviteService) {
    this.#store = parts.store;
    this.#needs = parts.needs;
    this.#invite = invite;
  }

  /** Plans every unplanned full hour before this time, then pays. */
  async run(timeMs: number): Promise<void> {
    await this.#invite.noteFriends();
    const to = hourOf(timeMs) - 1;
    const firstMs = await this.#store.firstJoinedMs();
    const last = await this.#store.lastHour();
    const from = Math.max(last === undefined ? 0 : last + 1, firstMs === undefined ? to : hourOf(firstMs));
    if (from <= to) {
      await this.#needs.settledAt((to + 1) * HOUR_MS);
      await this.#plan(from, to);
      // Hours without fees are done too.
      await this.#store.planHour(to, [], this.#needs.now());
    }
    await this.pay();
  }

  async #plan(from: number, to: number): Promise<void> {
    const planner = await this.#openPlanner(from, to);
    // Hours computed together share one check per user.
    const looked: Checked = new Map();
    try {
      const next = (after: number): Promise<number | undefined> => this.#store.nextTraded(after, to);
      for (let hour = await next(from - 1); hour !== undefined; hour = await next(hour)) {
        await this.#planHour(hour, planner, looked);
        // Paid while the next hour is computed; failures are retried by the last.
        this.pay().catch(() => undefined);
      }
    } finally {
      await planner.close();
    }
  }

  async #openPlanner(from: number, to: number): Promise<HourPlanner> {
    const { beside, giveWay } = this.#needs;
    const isWorth =
      beside !== undefined && (await this.#store.countTurnover(from, to, beside.rowsMin)) >= beside.rowsMin;
    return isWorth ? beside.open() : new HourService(this.#store, giveWay);
  }

  async #planHour(hour: number, planner: HourPlanner, looked: Checked): Promise<void> {
    const { userIds, assets } = await planner.listPayers(hour);
    const backs = userIds.length === 0 ? [] : await this.#needs.listFeesBack(userIds, hour);
    const friends = await this.#friendsOf(userIds, looked);
    const worths = new Map<number, bigint>();
    for (const asset of assets) {
      const worth = this.#needs.worthUnits(asset, WORTH_UNITS);
      if (worth !== undefined) worths.set(asset, worth);
    }
    await planner.plan({ hour, friends, backs, worths, plannedMs: this.#needs.now() });
  }

  /** The payers and their inviters, without those found to be the same person. */
  async #friendsOf(userIds: readonly number[], looked: Checked): Promise<ReadonlyMap<number, Friendship>> {
    await this.#look(
      userIds.filter((userId) => looked.get(userId)?.isPayer !== true),
      looked,
    );
    const inviters = userIds.flatMap((userId) => looked.get(userId)?.friendship?.inviterId ?? []);
    const missing = [...new Set(inviters)].filter((inviter) => !looked.has(inviter));
    for (const inviter of missing) looked.set(inviter, { isPayer: false, friendship: undefined });
    for (const row of await this.#store.listCounting(missing)) looked.set(row.user_id, checkedAt(row, false));
    const friends = new Map<number, Friendship>();
    for (const userId of [...userIds, ...inviters]) {
      const friendship = looked.get(userId)?.friendship;
      if (friendship !== undefined) friends.set(userId, friendship);
    }
    return friends;
  }

  /** Checks the devices of the payers. */
  async #look(userIds: readonly number[], looked: Checked): Promise<void> {
    const counting = await this.#store.listCounting(userIds);
    const sharers = await this.#needs.listSharers(userIds);
    for (const userId of userIds) looked.set(userId, { isPayer: true, friendship: undefined });
    for (const row of counting) {
      const isSuspect = row.inviter_id === row.user_id || sharers.has(row.user_id);
      const found = isSuspect ? await this.#invite.findVoid(row) : undefined;
      if (found === undefined) looked.set(row.user_id, checkedAt(row, true));
      else if (await this.#store.voidFriend(row.user_id, found.reason, found.through.join(" "))) {
        this.#needs.report("invite.void", { userId: row.user_id, inviterId: row.inviter_id, ...found });
      }
    }
  }

  /** Pays what is planned; one round after another. Failed payments wait for the next. */
  pay(): Promise<void> {
    const next = this.#paying.then(() => this.#pay());
    this.#paying = next.catch(() => undefined);
    return next;
  }

  async #pay(): Promise<void> {
    let after = { hour: -1, receiverId: -1 };
    for (;;) {
      const planned = await this.#store.listPlanned(BURST, after);
      const last = planned.at(-1);
      if (last === undefined) return;
      const hours = new Map<number, number[]>();
      for (const { hour, receiver_id } of planned) hours.set(hour, [...(hours.get(hour) ?? []), receiver_id]);
      await this.#payBurst(hours);
      if (planned.length >= FEW) await this.#needs.rest();
      if (planned.length < BURST) return;
      // A receiver who could not be paid is left for the next round: others do not wait.
      after = { hour: last.hour, receiverId: last.receiver_id };
    }
  }

  async #payBurst(hours: ReadonlyMap<number, readonly number[]>): Promise<void> {
    const payments: { hour: number; receiver: number; legs: readonly RebateLeg[] }[] = [];
    for (const [hour, receivers] of hours) {
      const legs = await this.#store.sumPayments(hour, receivers);
      for (const receiver of receivers) payments.push({ hour, receiver, legs: legs.get(receiver) ?? [] });
    }
    await this.#needs.meet(payments.map(({ receiver }) => receiver));
    const paying: Promise<boolean>[] = [];
    for (const [at, { hour, receiver, legs }] of payments.entries()) {
      if (at > 0 && at % SENT_AT_ONCE === 0) await this.#needs.giveWay();
      const one = this.#payOne(hour, receiver, legs);
      // One that fails while others are still being sent is handled below.
      one.catch(() => undefined);
      paying.push(one);
    }
    const ends = await Promise.all(paying);
    for (const hour of hours.keys()) {
      await this.#note(
        hour,
        payments.flatMap((payment, at) => (payment.hour === hour && ends[at] === true ? [payment.receiver] : [])),
      );
    }
  }

  /** A paid receiver is notified once, by the call that stores the payment. */
  async #note(hour: number, paid: readonly number[]): Promise<void> {
    const timeMs = this.#needs.now();
    for (const receiver of await this.#store.setPaid(hour, paid, timeMs)) {
      await this.#needs.notify(receiver, { ...NOTICE, reference: referenceOf(hour, receiver) }, timeMs);
    }
  }

  async #payOne(hour: number, receiver: number, legs: readonly RebateLeg[]): Promise<boolean> {
    const reference = referenceOf(hour, receiver);
    for (let at = 0; at < legs.length; at += LEGS_MAX) {
      const name = at === 0 ? reference : `${reference}:${at / LEGS_MAX}`;
      if (!(await this.#needs.pay(receiver, legs.slice(at, at + LEGS_MAX), name))) {
        this.#needs.report("invite.unpaid", { hour, receiver });
        return false;
      }
    }
    return true;
  }
}

function checkedAt({ inviter_id, friend_percent }: FriendRow, isPayer: boolean): Look {
  return { isPayer, friendship: { inviterId: inviter_id, friendPercent: friend_percent } };
}

const referenceOf = (hour: number, receiver: number): string => `rebate:${hour}:${receiver}`;
