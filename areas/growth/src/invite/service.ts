// Invitation links, and the users who signed up by them. Sign-ups are found in the accounts themselves, so that none is
// lost when a process ends in between.
import { done, type Result, refused } from "@clockwork/kit/result";
import type { LinkBody, LinkChangeBody } from "./contract.ts";
import type { InvitedUser, InviteNeeds } from "./needs.ts";
import type { LinkRefusal } from "./refusals.ts";
import { drawCode, findRing, findVoid, LINKS_MAX, type VoidReason } from "./rules.ts";
import type { FriendRow, InviteStore, LinkRow } from "./store.ts";

const DEFAULT_NAME = "Default";
const DEFAULT_ID = "default";
const DRAWS_MAX = 8;
const BATCH = 200;
/** Accounts are read again for this time: their rows may be written a moment after their timestamp. */
const SLACK_MS = 60_000;

export class InviteService {
  readonly #store: InviteStore;
  readonly #needs: InviteNeeds;
  #seenMs = 0;
  #noting: Promise<void> = Promise.resolve();
  readonly #listeners = new Set<(friend: FriendRow) => void>();

  constructor({ store, needs }: { readonly store: InviteStore; readonly needs: InviteNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  /** The default one first; it is created on first use. */
  async links(userId: number): Promise<LinkRow[]> {
    const rows = await this.#store.listLinks(userId);
    if (rows.some(({ slot }) => slot === 1)) return rows;
    const code = await this.#needs.ownCode(userId);
    if (code === undefined) return rows;
    await this.#store.addLink({
      code,
      user_id: userId,
      slot: 1,
      name: DEFAULT_NAME,
      friend_percent: 0,
      client_id: DEFAULT_ID,
      created_ms: this.#needs.now(),
    });
    return this.#store.listLinks(userId);
  }

  /** One id gives one link; the slot in the key limits their number. */
  async add(userId: number, body: LinkBody, timeMs: number): Promise<Result<LinkRow, LinkRefusal>> {
    for (let draw = 0; draw < DRAWS_MAX + LINKS_MAX; draw += 1) {
      const rows = await this.links(userId);
      const same = rows.find(({ client_id }) => client_id === body.clientId);
      if (same !== undefined) {
        const isSame = same.name === body.name && same.friend_percent === body.friendPercent;
        return isSame ? done(same) : refused("CLIENT_ID_REUSED");
      }
      const taken = new Set(rows.map(({ slot }) => slot));
      const slot = Array.from({ length: LINKS_MAX }, (_, at) => at + 1).find((one) => !taken.has(one));
      if (slot === undefined) return refused("TOO_MANY_LINKS");
      const code = drawCode(this.#needs.randomBelow);
      if (await this.#needs.isOwnCode(code)) continue;
      await this.#store.addLink({
        code,
        user_id: userId,
        slot,
        name: body.name,
        friend_percent: body.friendPercent,
        client_id: body.clientId,
        created_ms: timeMs,
      });
    }
    return refused("ACCOUNT_NOT_READY");
  }

  async change(userId: number, body: LinkChangeBody): Promise<Result<LinkRow, LinkRefusal>> {
    const code = body.code.toUpperCase();
    const known = (await this.links(userId)).some((one) => one.code === code);
    if (!known) return refused("LINK_UNKNOWN");
    const values = {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.friendPercent === undefined ? {} : { friend_percent: body.friendPercent }),
    };
    if (Object.keys(values).length > 0) await this.#store.changeLink(userId, code, values);
    const row = await this.#store.findLink(code);
    return row === undefined ? refused("LINK_UNKNOWN") : done(row);
  }

  setNamed(userId: number, isNamed: boolean): Promise<void> {
    return this.#store.setNamed(userId, isNamed);
  }

  /** Called for every friend who signed up and counts, once per process that sees it. For rewards of inviters. */
  onJoined(listener: (friend: FriendRow) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Stores sign-ups since the last call; one round at a time. */
  noteFriends(): Promise<void> {
    const next = this.#noting.then(() => this.#noteFriends());
    this.#noting = next.catch(() => undefined);
    return next;
  }

  async #noteFriends(): Promise<void> {
    let after = { joinedMs: Math.max(0, this.#seenMs - SLACK_MS), userId: 0 };
    for (;;) {
      const people = await this.#needs.listInvited(after, BATCH);
      for (const one of people) await this.#note(one);
      const last = people.at(-1);
      if (last !== undefined) {
        after = last;
        this.#seenMs = Math.max(this.#seenMs, last.joinedMs);
      }
      if (people.length < BATCH) return;
    }
  }

  async #note({ userId, inviterId, code, friendPercent, joinedMs }: InvitedUser): Promise<void> {
    if ((await this.#store.findFriend(userId)) !== undefined) return;
    const row: FriendRow = {
      user_id: userId,
      inviter_id: inviterId,
      code: code ?? (await this.#needs.ownCode(inviterId)) ?? "",
      friend_percent: friendPercent,
      joined_ms: joinedMs,
      state: "counts",
      reason: "",
      through: "",
      released_ms: null,
    };
    const found = await this.findVoid(row);
    const reasons =
      found === undefined ? {} : { state: "void", reason: found.reason, through: found.through.join(" ") };
    const noted = { ...row, ...reasons };
    if (!(await this.#store.addFriend(noted))) return;
    if (found !== undefined) {
      this.#needs.report("invite.void", { userId, inviterId, ...found });
      return;
    }
    for (const listener of this.#listeners) listener(noted);
    const title = "A friend has joined";
    const body = "Somebody signed up by your link. You get a share of every fee your friend pays, each hour.";
    await this.#needs.notify(
      inviterId,
      { kind: "invite", reference: `friend:${userId}`, title, body },
      this.#needs.now(),
    );
  }

  /** The decision of two operators about a friend, from the next hour computed; repeatable. */
  async judge(userId: number, counts: boolean, call: { reference: string; timeMs: number }): Promise<void> {
    const isNew = await this.#store.judgeFriend(userId, counts, call.timeMs);
    const row = await this.#store.findFriend(userId);
    if (row === undefined || !counts) return;
    if (isNew) for (const listener of this.#listeners) listener(row);
    const title = "A friend of yours counts";
    const body = "We have looked at it again: you get a share of every fee this friend pays from now on.";
    const notice = { kind: "invite", reference: `judged:${call.reference}`, title, body } as const;
    await this.#needs.notify(row.inviter_id, notice, call.timeMs);
  }

  /** Why the friend would be void by the devices recorded so far; a decision of operators overrides it. */
  async findVoid(row: FriendRow): Promise<VoidReason | undefined> {
    const { user_id: userId, inviter_id: inviterId } = row;
    if (inviterId === userId) return { reason: "self", through: [userId] };
    if (row.released_ms !== null) return undefined;
    const second = (await this.#store.findFriend(inviterId))?.inviter_id;
    const gaining = second === undefined ? [inviterId] : [inviterId, second];
    const earlier = await this.#store.listEarlier(row);
    const sharing = await this.#needs.sharesWith(userId, [...gaining, ...earlier]);
    const found = findVoid(sharing, gaining, earlier);
    if (found !== undefined) return found;
    const ring = await findRing(
      { userId, inviterId },
      {
        listInvitedBy: (userIds) => this.#store.listInvitedBy(userIds),
        listSharing: (userIds) => this.#needs.listSharing(userIds),
        sharesWith: (one, among) => this.#needs.sharesWith(one, among),
      },
    );
    return ring;
  }
}
