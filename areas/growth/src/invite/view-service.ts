// A user's view of invitations: links and their income, friends, the week's ranking, and texts to share. Others' names
// are masked here, not in the browser.
import { formatUnits, units } from "@clockwork/kit/money";
import { cutPage } from "@clockwork/kit/pages/page";
import { DAY_MS } from "@clockwork/kit/time";
import {
  type DetailQuery,
  type InviteDetail,
  type InviteLink,
  type InviteProfile,
  type InviteRanking,
  type InviteRate,
  type InviteRecommendation,
  invitePath,
} from "./contract.ts";
import type { InviteNeeds } from "./needs.ts";
import { hideName, hourOf, LINKS_MAX, SECOND_PERCENT, SHARED_PERCENT, WEEK_MS, weekOf } from "./rules.ts";
import type { InviteService } from "./service.ts";
import type { FriendRow, InviteStore, LinkRow } from "./store.ts";
import type { FriendSum, InviteViewStore } from "./view-store.ts";

const USDT_SCALE = 6;
const DAYS = 30;
const FIRST_PLACES = 10;
const PAGE = 20;

export interface InviteParts {
  readonly store: InviteStore;
  readonly views: InviteViewStore;
  readonly needs: InviteNeeds;
}

export class InviteView {
  readonly #parts: InviteParts;
  readonly #invite: InviteService;

  constructor(parts: InviteParts, invite: InviteService) {
    this.#parts = parts;
    this.#invite = invite;
  }

  rate(): InviteRate {
    return { sharedPercent: SHARED_PERCENT, secondPercent: SECOND_PERCENT, linksMax: LINKS_MAX };
  }

  async profile(userId: number, timeMs: number): Promise<InviteProfile> {
    const { views, store } = this.#parts;
    await this.#invite.noteFriends();
    const today = Math.floor(timeMs / DAY_MS);
    const [links, counts, invited, days, all, since, named] = await Promise.all([
      this.#invite.links(userId),
      views.countByCode(userId),
      views.countFriends(userId),
      views.sumDays(userId, today - DAYS),
      views.sumAll(userId),
      views.countSince(userId, timeMs - DAYS * DAY_MS),
      store.listNamed([userId]),
    ]);
    const sum = (name: "usdtUnits" | "feeUsdtUnits"): bigint =>
      [...days.values()].reduce((total, day) => total + day[name], 0n);
    return {
      rate: this.rate(),
      links: links.map((row) => describeLink(row, counts.get(row.code) ?? 0)),
      invited,
      traded: since.traded,
      allTimeUsdt: usdt(all.earned),
      days: Array.from({ length: DAYS + 1 }, (_, at) => {
        const day = today - DAYS + at;
        return { dayMs: day * DAY_MS, usdt: usdt(days.get(day)?.usdtUnits ?? 0n) };
      }),
      monthUsdt: usdt(sum("usdtUnits")),
      monthFeesUsdt: usdt(sum("feeUsdtUnits")),
      ownBackUsdt: usdt(all.back),
      isNamed: named.has(userId),
    };
  }

  async detail(userId: number, query: DetailQuery, timeMs: number): Promise<InviteDetail> {
    const { views, needs } = this.#parts;
    await this.#invite.noteFriends();
    const limit = query.limit ?? PAGE;
    const [joinedMs, friendId] = (query.cursor ?? "").split(".").map(Number);
    const after = joinedMs === undefined || friendId === undefined ? undefined : ([joinedMs, friendId] as const);
    const found = await views.listFriends(userId, after, limit + 1);
    const { shown, end } = cutPage(found, limit);
    const ids = shown.map((row) => row.user_id);
    const [total, people, sums] = await Promise.all([
      views.countFriends(userId),
      needs.describePeople(ids),
      views.sumFriends(userId, ids, hourOf(timeMs - (query.days ?? DAYS) * DAY_MS)),
    ]);
    return {
      friends: shown.map((row) => describeFriend(row, people.get(row.user_id), sums)),
      total,
      nextCursor: end === undefined ? null : `${end.joined_ms}.${end.user_id}`,
    };
  }

  async ranking(userId: number | undefined, timeMs: number): Promise<InviteRanking> {
    const { views } = this.#parts;
    const weekFromMs = weekOf(timeMs);
    const [from, to] = [hourOf(weekFromMs), hourOf(weekFromMs + WEEK_MS)];
    const first = await views.rank(from, to, 0, FIRST_PLACES);
    const before = userId === undefined ? undefined : await views.countBefore(userId, from, to);
    const isFar = before !== undefined && before >= FIRST_PLACES;
    const near = isFar ? await views.rank(from, to, before, 2) : [];
    const names = await this.#namesOf([...first, ...near].map((row) => row.userId));
    const describe = (at: number) => (row: { userId: number; usdtUnits: bigint }, index: number) => ({
      place: at + index + 1,
      name: names.get(row.userId) ?? "•",
      usdt: usdt(row.usdtUnits),
      isCaller: row.userId === userId,
    });
    return {
      weekFromMs,
      closesAtMs: weekFromMs + WEEK_MS,
      timeMs,
      rows: first.map(describe(0)),
      near: near.map(describe(before ?? 0)),
    };
  }

  async recommendation(userId: number): Promise<InviteRecommendation | undefined> {
    const { views } = this.#parts;
    const [links, counts] = await Promise.all([this.#invite.links(userId), views.countByCode(userId)]);
    const [best] = links.toSorted((left, right) => (counts.get(right.code) ?? 0) - (counts.get(left.code) ?? 0));
    if (best === undefined) return undefined;
    const back =
      best.friend_percent === 0 ? "" : ` With my link ${best.friend_percent} % of your fees come back to you.`;
    return {
      code: best.code,
      path: invitePath(best.code),
      title: "Trade with me on Clockwork",
      text: `Spot, futures, copy trading and earn in one open exchange.${back}`,
    };
  }

  async #namesOf(userIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const { needs, store } = this.#parts;
    const [people, named] = await Promise.all([needs.describePeople(userIds), store.listNamed(userIds)]);
    return new Map(
      [...people].map(([userId, { nickname }]) => [userId, named.has(userId) ? nickname : hideName(nickname)]),
    );
  }
}

export function describeLink(row: LinkRow, friends: number): InviteLink {
  return {
    code: row.code,
    name: row.name,
    friendPercent: row.friend_percent,
    isDefault: row.slot === 1,
    friends,
    createdAtMs: row.created_ms,
  };
}

function describeFriend(
  row: FriendRow,
  person: { readonly masked: string; readonly isVerified: boolean } | undefined,
  sums: readonly FriendSum[],
): InviteDetail["friends"][number] {
  const own = sums.filter(({ friendId }) => friendId === row.user_id);
  const of = (degree: number) => own.find((sum) => sum.degree === degree);
  const fees = own.reduce((most, sum) => (sum.feeUsdtUnits > most ? sum.feeUsdtUnits : most), 0n);
  const state =
    row.state === "void" ? "void" : fees > 0n ? "trading" : person?.isVerified === true ? "verified" : "signedUp";
  return {
    friend: person?.masked ?? "•",
    joinedAtMs: row.joined_ms,
    state,
    code: row.code,
    friendPercent: row.friend_percent,
    feesUsdt: usdt(fees),
    ownerUsdt: usdt(of(1)?.usdtUnits ?? 0n),
    friendUsdt: usdt(of(0)?.usdtUnits ?? 0n),
  };
}

function usdt(value: bigint): string {
  return formatUnits(units(value), USDT_SCALE);
}
