// REST of copy trading, the same for futures and spot below their own addresses: schema → service → envelope.

import { answer, defineRoute, type Outcome, type RouteSpec, refuseBy } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import {
  ClosedCoin,
  COPY_PATHS,
  COPY_V2_PATH,
  type CopyKind,
  CopyPage,
  CopyPosition,
  CopyPositionList,
  Done,
  FocusList,
  Follow,
  Followed,
  FollowerList,
  FollowList,
  Identity,
  ProfitPage,
} from "./contract.ts";
import type { FollowService } from "./follow-service.ts";
import { configRoute, cursorRoutes, leaderRoutes, type Place, recordRoute } from "./leader-routes.ts";
import type { LeaderService } from "./leader-service.ts";
import type { OwnService } from "./own-service.ts";
import { type CopyRefusal, REFUSALS } from "./refusals.ts";
import {
  AnnounceBody,
  ApplyBody,
  CancelBody,
  CloseBody,
  EmptyBody,
  FocusBody,
  FollowBody,
  LeadBody,
  PageQuery,
  SettingsBody,
  StopsBody,
  TransferBody,
} from "./rules.ts";
import type { CopyStore } from "./store.ts";
import type { LeaderView } from "./view-service.ts";

export interface CopyServices {
  readonly leaders: LeaderView;
  readonly following: FollowService;
  readonly own: OwnService;
  readonly leading: LeaderService;
  readonly store: CopyStore;
}

const told = <Value>(result: Result<Value, CopyRefusal>): Outcome<Value> =>
  result.done ? answer(result.value) : refuseBy(REFUSALS, result);
const read = { tag: "copy", method: "GET", scope: { key: "read" } } as const;
const act = (kind: CopyKind) =>
  ({ tag: "copy", method: "POST", scope: { key: kind === "spot" ? "spot" : "futures" } }) as const;

export function copyRoutes(services: CopyServices): readonly RouteSpec[] {
  const { futures, spot } = COPY_PATHS;
  const places: readonly Place[] = [
    { kind: "futures", base: futures },
    { kind: "spot", base: spot },
    { kind: "futures", base: COPY_V2_PATH },
  ];
  return [
    ...places.flatMap((place) => [
      ...(place.base === COPY_V2_PATH ? cursorRoutes(services) : leaderRoutes(place, services)),
      configRoute(place, services),
      recordRoute(place, services),
      ...focusRoutes(place, services),
      ...followRoutes(place, services),
      ...ownRoutes(place, services),
      ...leadRoutes(place, services),
      ...(place.kind === "futures" ? [stopsRoute(place, services)] : []),
    ]),
    ...spotRoutes(services),
  ];
}

function stopsRoute({ kind, base }: Place, { own }: CopyServices): RouteSpec {
  return defineRoute({
    ...act(kind),
    path: `${base}/stops`,
    summary: "Take-profit and stop-loss of one's own on one copied trade, in the place of the leader's",
    body: StopsBody,
    output: CopyPosition,
    handle: ({ body }, { userId }) => own.setStops(Number(userId), body),
  });
}

/** Leaders people keep an eye on. */
function focusRoutes({ kind, base }: Place, { store }: CopyServices): RouteSpec[] {
  return [
    defineRoute({
      ...read,
      path: `${base}/focus`,
      summary: "Leaders the caller keeps an eye on, with his notes",
      output: FocusList,
      handle: async (_, { userId }) => {
        const rows = await store.listFocus(Number(userId));
        const found = await Promise.all(
          rows.map(async ({ leader, note, since_ms }) => ({ row: await store.find(leader), note, since_ms })),
        );
        return answer(
          found.flatMap(({ row, note, since_ms }) =>
            row?.kind === kind
              ? [{ leaderId: String(row.account), nickname: row.nickname, note, sinceMs: since_ms }]
              : [],
          ),
        );
      },
    }),
    defineRoute({
      ...act(kind),
      path: `${base}/focus`,
      summary: "Keeps an eye on a leader, with a note, or no longer; tells when he has room again",
      body: FocusBody,
      output: Done,
      handle: async ({ body: { leaderId, isOn, note = "", tellPlace = false } }, { userId, timeMs }) => {
        const leader = Number(leaderId);
        if ((await store.find(leader))?.kind !== kind) return refuseBy(REFUSALS, { code: "LEADER_UNKNOWN" });
        const row = { user_id: Number(userId), leader, note, since_ms: timeMs, wants_place: tellPlace };
        if (isOn) await store.setFocus(row);
        else await store.dropFocus(Number(userId), leader);
        return answer({ done: true });
      },
    }),
  ];
}

function followRoutes({ kind, base }: Place, { following, own }: CopyServices): RouteSpec[] {
  return [
    defineRoute({
      ...act(kind),
      path: `${base}/follow`,
      summary: "Follows a leader: opens the sub-book and moves the investment there",
      body: FollowBody,
      output: Followed,
      handle: ({ body }, { userId }) => following.follow(Number(userId), kind, body),
    }),
    defineRoute({
      ...act(kind),
      path: `${base}/settings`,
      summary: "Replaces every setting of a follow",
      body: SettingsBody,
      output: Follow,
      handle: ({ body }, { userId }) => following.change(Number(userId), kind, body),
    }),
    defineRoute({
      ...act(kind),
      path: `${base}/cancel`,
      summary: "Stops following: positions are closed or kept, the leader's share is paid, what is free comes back",
      body: CancelBody,
      output: Follow,
      handle: ({ body }, { userId }) => following.cancel(Number(userId), kind, body.leaderId, body.positions),
    }),
    defineRoute({
      tag: "copy",
      method: "POST",
      scope: { key: "transfer" },
      path: `${base}/transfer`,
      summary: "Moves money to or from the copy account: the own lead book, or the sub-book of a follow",
      body: TransferBody,
      output: Done,
      handle: ({ body }, { userId }) => own.transfer(Number(userId), kind, body),
    }),
  ];
}

function ownRoutes({ kind, base }: Place, { following }: CopyServices): RouteSpec[] {
  return [
    defineRoute({
      ...read,
      path: `${base}/follows`,
      summary: "Whom the caller follows or followed, with equity, high-water mark and what is held",
      output: FollowList,
      handle: async (_, { userId }) => answer(await following.list(Number(userId), kind)),
    }),
    defineRoute({
      ...read,
      path: `${base}/positions`,
      summary: "Open copied positions of the caller",
      output: CopyPositionList,
      handle: async (_, { userId }) => answer(await following.positions(Number(userId), kind)),
    }),
    defineRoute({
      ...read,
      path: `${base}/copies`,
      summary: "Copies and skips with their reasons, newest first",
      query: PageQuery,
      output: CopyPage,
      handle: async ({ query }, { userId }) => answer(await following.copies(Number(userId), kind, query)),
    }),
    defineRoute({
      ...read,
      path: `${base}/profits`,
      summary: "Shares paid and earned, newest first, with their sums",
      query: PageQuery,
      output: ProfitPage,
      handle: async ({ query }, { userId }) => answer(await following.profits(Number(userId), kind, query)),
    }),
  ];
}

async function followersOf(leaders: LeaderView, userId: number, kind: CopyKind): Promise<Outcome<FollowerList>> {
  const found = await leaders.followersOf(userId, kind);
  return found === undefined ? refuseBy(REFUSALS, { code: "NOT_LEADING" }) : answer(found);
}

function leadRoutes({ kind, base }: Place, { leaders, leading }: CopyServices): RouteSpec[] {
  const own = { tag: "copy", scope: "user" } as const;
  return [
    defineRoute({
      ...own,
      method: "GET",
      path: `${base}/identity`,
      summary: "The caller as a leader: state, level, conditions of applying, what he earned",
      output: Identity,
      handle: async (_, { userId }) => answer(await leading.identity(Number(userId), kind)),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: `${base}/apply`,
      summary: "Applies to lead",
      body: ApplyBody,
      output: Identity,
      handle: async ({ body }, { userId }) => told(await leading.apply(Number(userId), kind, body)),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: `${base}/apply/cancel`,
      summary: "Takes the application back, or stops leading once nothing is open",
      body: EmptyBody,
      output: Identity,
      handle: async (_, { userId }) => told(await leading.leave(Number(userId), kind)),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: `${base}/lead`,
      summary: "Pauses or goes on leading; a new share counts from the first settlement a week ahead",
      body: LeadBody,
      output: Identity,
      handle: async ({ body }, { userId }) => told(await leading.change(Number(userId), kind, body)),
    }),
    defineRoute({
      ...own,
      method: "GET",
      path: `${base}/followers`,
      summary: "The caller's followers, with what each brought",
      output: FollowerList,
      handle: (_, { userId }) => followersOf(leaders, Number(userId), kind),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: `${base}/announce`,
      summary: "Tells every follower something; three times a day at most",
      body: AnnounceBody,
      output: Done,
      handle: async ({ body: { text, clientId } }, { userId }) =>
        told(await leading.announce(Number(userId), kind, text, clientId)),
    }),
  ];
}

/** Names the spot group has of its own. */
function spotRoutes({ leaders, following, leading, own }: CopyServices): RouteSpec[] {
  const base = COPY_PATHS.spot;
  return [
    defineRoute({
      tag: "copy",
      method: "GET",
      scope: "user",
      path: `${base}/trader-info`,
      summary: "The caller as a leader of spot; the same as identity",
      output: Identity,
      handle: async (_, { userId }) => answer(await leading.identity(Number(userId), "spot")),
    }),
    defineRoute({
      tag: "copy",
      method: "GET",
      scope: "user",
      path: `${base}/copiers`,
      summary: "The caller's followers on spot; the same as followers",
      output: FollowerList,
      handle: (_, { userId }) => followersOf(leaders, Number(userId), "spot"),
    }),
    defineRoute({
      ...act("spot"),
      path: `${base}/close`,
      summary: "Sells at the market what a copy holds of one coin; the leader's later sales of it find nothing",
      body: CloseBody,
      output: ClosedCoin,
      handle: ({ body }, { userId }) => own.close(Number(userId), body),
    }),
    defineRoute({
      ...read,
      path: `${base}/orders`,
      summary: "Copied orders and skips on spot; the same as copies",
      query: PageQuery,
      output: CopyPage,
      handle: async ({ query }, { userId }) => answer(await following.copies(Number(userId), "spot", query)),
    }),
  ];
}
