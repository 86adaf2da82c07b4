// REST of copy trading, the same for futures and spot below their own addresses: schema → service → envelope.

import { answer, type Outcome, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { type Result, refused } from "@clockwork/kit/result";
import {
  COPY_CALLS,
  COPY_V2_CALLS,
  type CopyKind,
  type FollowerList,
  SPOT_COPY_CALLS,
  type StopsCall,
} from "./contract.ts";
import type { FollowService } from "./follow-service.ts";
import { configRoute, cursorRoutes, leaderRoutes, type Place, recordRoute } from "./leader-routes.ts";
import type { LeaderService } from "./leader-service.ts";
import type { OwnService } from "./own-service.ts";
import { type CopyRefusal, REFUSALS } from "./refusals.ts";
import type { CopyStore } from "./store.ts";
import type { LeaderView } from "./view-service.ts";

export interface CopyServices {
  readonly leaders: LeaderView;
  readonly following: FollowService;
  readonly own: OwnService;
  readonly leading: LeaderService;
  readonly store: CopyStore;
}

const outcome = <Value>(result: Result<Value, CopyRefusal>): Outcome<Value, CopyRefusal> =>
  result.done ? answer(result.value) : refuseBy(REFUSALS, result);
const read = { tag: "copy", scope: { key: "read" } } as const;
const act = (kind: CopyKind) => ({ tag: "copy", scope: { key: kind === "spot" ? "spot" : "futures" } }) as const;

export function copyRoutes(services: CopyServices): readonly RouteSpec[] {
  const { futures, spot } = COPY_CALLS;
  const places: readonly Place[] = [
    { kind: "futures", calls: futures },
    { kind: "spot", calls: spot },
    { kind: "futures", calls: COPY_V2_CALLS },
  ];
  return [
    ...leaderRoutes("futures", futures, services),
    ...leaderRoutes("spot", spot, services),
    ...cursorRoutes(services),
    ...places.flatMap((place) => [
      configRoute(place, services),
      recordRoute(place, services),
      ...focusRoutes(place, services),
      ...followRoutes(place, services),
      ...ownRoutes(place, services),
      ...leadRoutes(place, services),
    ]),
    stopsRoute(futures.stops, services),
    stopsRoute(COPY_V2_CALLS.stops, services),
    ...spotRoutes(services),
  ];
}

function stopsRoute(call: StopsCall, { own }: CopyServices): RouteSpec {
  return serve(call, {
    ...act("futures"),
    summary: "Take-profit and stop-loss of one's own on one copied trade, in the place of the leader's",
    handle: ({ body }, { userId }) => own.setStops(Number(userId), body),
  });
}

/** Leaders users watch. */
function focusRoutes({ kind, calls }: Place, { store }: CopyServices): RouteSpec[] {
  return [
    serve(calls.focused, {
      ...read,
      summary: "Leaders the caller keeps an eye on, with his notes",
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
    serve(calls.focus, {
      ...act(kind),
      summary: "Keeps an eye on a leader, with a note, or no longer; tells when he has room again",
      handle: async ({ body: { leaderId, isOn, note = "", tellPlace = false } }, { userId, timeMs }) => {
        const leader = Number(leaderId);
        if ((await store.find(leader))?.kind !== kind) return outcome(refused("LEADER_UNKNOWN"));
        const row = { user_id: Number(userId), leader, note, since_ms: timeMs, wants_place: tellPlace };
        if (isOn) await store.setFocus(row);
        else await store.dropFocus(Number(userId), leader);
        return answer({ done: true });
      },
    }),
  ];
}

function followRoutes({ kind, calls }: Place, { following, own }: CopyServices): RouteSpec[] {
  return [
    serve(calls.follow, {
      ...act(kind),
      summary: "Follows a leader: opens the sub-book and moves the investment there",
      handle: ({ body }, { userId }) => following.follow(Number(userId), kind, body),
    }),
    serve(calls.settings, {
      ...act(kind),
      summary: "Replaces every setting of a follow",
      handle: ({ body }, { userId }) => following.change(Number(userId), kind, body),
    }),
    serve(calls.cancel, {
      ...act(kind),
      summary: "Stops following: positions are closed or kept, the leader's share is paid, what is free comes back",
      handle: ({ body }, { userId }) => following.cancel(Number(userId), kind, body.leaderId, body.positions),
    }),
    serve(calls.transfer, {
      tag: "copy",
      scope: { key: "transfer" },
      summary: "Moves money to or from the copy account: the own lead book, or the sub-book of a follow",
      handle: ({ body }, { userId }) => own.transfer(Number(userId), kind, body),
    }),
  ];
}

function ownRoutes({ kind, calls }: Place, { following }: CopyServices): RouteSpec[] {
  return [
    serve(calls.follows, {
      ...read,
      summary: "Whom the caller follows or followed, with equity, high-water mark and what is held",
      handle: async (_, { userId }) => answer(await following.list(Number(userId), kind)),
    }),
    serve(calls.positions, {
      ...read,
      summary: "Open copied positions of the caller",
      handle: async (_, { userId }) => answer(await following.positions(Number(userId), kind)),
    }),
    serve(calls.copies, {
      ...read,
      summary: "Copies and skips with their reasons, newest first",
      handle: async ({ query }, { userId }) => answer(await following.copies(Number(userId), kind, query)),
    }),
    serve(calls.profits, {
      ...read,
      summary: "Shares paid and earned, newest first, with their sums",
      handle: async ({ query }, { userId }) => answer(await following.profits(Number(userId), kind, query)),
    }),
  ];
}

async function followersOf(
  leaders: LeaderView,
  userId: number,
  kind: CopyKind,
): Promise<Outcome<FollowerList, CopyRefusal>> {
  const found = await leaders.followersOf(userId, kind);
  return found === undefined ? outcome(refused("NOT_LEADING")) : answer(found);
}

function leadRoutes({ kind, calls }: Place, { leaders, leading }: CopyServices): RouteSpec[] {
  const own = { tag: "copy", scope: "user" } as const;
  return [
    serve(calls.identity, {
      ...own,
      summary: "The caller as a leader: state, level, conditions of applying, what he earned",
      handle: async (_, { userId }) => answer(await leading.identity(Number(userId), kind)),
    }),
    serve(calls.apply, {
      ...own,
      summary: "Applies to lead",
      handle: async ({ body }, { userId }) => outcome(await leading.apply(Number(userId), kind, body)),
    }),
    serve(calls.leave, {
      ...own,
      summary: "Takes the application back, or stops leading once nothing is open",
      handle: async (_, { userId }) => outcome(await leading.leave(Number(userId), kind)),
    }),
    serve(calls.lead, {
      ...own,
      summary: "Pauses or goes on leading; a new share counts from the first settlement a week ahead",
      handle: async ({ body }, { userId }) => outcome(await leading.change(Number(userId), kind, body)),
    }),
    serve(calls.followers, {
      ...own,
      summary: "The caller's followers, with what each brought",
      handle: (_, { userId }) => followersOf(leaders, Number(userId), kind),
    }),
    serve(calls.announce, {
      ...own,
      summary: "Tells every follower something; three times a day at most",
      handle: async ({ body: { text, clientId } }, { userId }) =>
        outcome(await leading.announce(Number(userId), kind, text, clientId)),
    }),
  ];
}

/** Names specific to the spot group. */
function spotRoutes({ leaders, following, leading, own }: CopyServices): RouteSpec[] {
  return [
    serve(SPOT_COPY_CALLS.traderInfo, {
      tag: "copy",
      scope: "user",
      summary: "The caller as a leader of spot; the same as identity",
      handle: async (_, { userId }) => answer(await leading.identity(Number(userId), "spot")),
    }),
    serve(SPOT_COPY_CALLS.copiers, {
      tag: "copy",
      scope: "user",
      summary: "The caller's followers on spot; the same as followers",
      handle: (_, { userId }) => followersOf(leaders, Number(userId), "spot"),
    }),
    serve(SPOT_COPY_CALLS.close, {
      ...act("spot"),
      summary: "Sells at the market what a copy holds of one coin; the leader's later sales of it find nothing",
      handle: ({ body }, { userId }) => own.close(Number(userId), body),
    }),
    serve(SPOT_COPY_CALLS.orders, {
      ...read,
      summary: "Copied orders and skips on spot; the same as copies",
      handle: async ({ query }, { userId }) => answer(await following.copies(Number(userId), "spot", query)),
    }),
  ];
}
