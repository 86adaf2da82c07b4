// REST of invitations: schema → service → envelope.

import type { Propose } from "@clockwork/host/proposal";
import { answer, defineRoute, type Outcome, type RouteSpec, refuseBy } from "@clockwork/host/route";
import type { RefusalTable } from "@clockwork/kit/endpoint";
import { ProposalMade } from "@clockwork/kit/proposal-state";
import type { Result } from "@clockwork/kit/result";
import { Type } from "typebox";
import {
  DetailQuery,
  INVITE_CONSOLE_PATHS,
  INVITE_PATHS,
  InviteDetail,
  InviteLink,
  InviteProfile,
  InviteRanking,
  InviteRate,
  InviteRecommendation,
  JudgeBody,
  JudgedFriends,
  type JudgePayload,
  LinkBody,
  LinkChangeBody,
  NamedBody,
} from "./contract.ts";
import { INVITE_PERMISSION, type InviteDesk } from "./desk-service.ts";
import type { InviteService, LinkRefusal } from "./service.ts";
import type { LinkRow } from "./store.ts";
import { describeLink, type InviteView } from "./view-service.ts";

const REFUSALS: RefusalTable<LinkRefusal> = {
  TOO_MANY_LINKS: [409, "There are as many links as anybody may have; change one of them."],
  CLIENT_ID_REUSED: [409, "This id made another link before."],
  LINK_UNKNOWN: [404, "You have no link of this code."],
  ACCOUNT_NOT_READY: [503, "The link could not be made now; try again in a moment."],
};
const own = { tag: "invite", scope: "user" } as const;

const told = (result: Result<LinkRow, LinkRefusal>): Outcome<InviteLink> =>
  result.done ? answer(describeLink(result.value, 0)) : refuseBy(REFUSALS, result);

export interface InviteRouteParts {
  readonly view: InviteView;
  readonly invite: InviteService;
  readonly desk: InviteDesk;
  readonly judge: Propose<typeof JudgePayload>;
}

export function inviteRoutes({ view, invite, desk, judge }: InviteRouteParts): readonly RouteSpec[] {
  return [...reading(view), ...changing(invite), ...judging(desk, judge)];
}

function judging(desk: InviteDesk, judge: InviteRouteParts["judge"]): readonly RouteSpec[] {
  return [
    defineRoute({
      tag: "invite",
      scope: { operator: INVITE_PERMISSION },
      method: "GET",
      path: INVITE_CONSOLE_PATHS.friends,
      summary: "For operators: friends that count for nothing, and those that were released",
      output: JudgedFriends,
      handle: async () => answer(await desk.list()),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: INVITE_CONSOLE_PATHS.judge,
      summary: "For operators: proposes that a friend counts whatever devices say, or counts no longer",
      body: JudgeBody,
      output: ProposalMade,
      handle: ({ body: { clientId, ...payload } }, context) => judge(context, payload, clientId),
    }),
  ];
}

function reading(view: InviteView): readonly RouteSpec[] {
  return [
    defineRoute({
      tag: "invite",
      method: "GET",
      path: INVITE_PATHS.rate,
      isForAll: true,
      summary: "What inviting friends brings",
      output: InviteRate,
      handle: async () => answer(view.rate()),
    }),
    defineRoute({
      ...own,
      method: "GET",
      path: INVITE_PATHS.profile,
      summary: "The caller's links, how many came by them and what that brought",
      output: InviteProfile,
      handle: async (_, { userId, timeMs }) => answer(await view.profile(Number(userId), timeMs)),
    }),
    defineRoute({
      ...own,
      method: "GET",
      path: INVITE_PATHS.detail,
      summary: "The caller's friends, newest first, with what their fees brought in so many days",
      query: DetailQuery,
      output: InviteDetail,
      handle: async ({ query }, { userId, timeMs }) => answer(await view.detail(Number(userId), query, timeMs)),
    }),
    defineRoute({
      tag: "invite",
      method: "GET",
      path: INVITE_PATHS.ranking,
      summary: "Who earned the most by inviting this week",
      output: InviteRanking,
      handle: async (_, { userId, timeMs }) =>
        answer(await view.ranking(userId === null ? undefined : Number(userId), timeMs)),
    }),
    defineRoute({
      ...own,
      method: "GET",
      path: INVITE_PATHS.recommendation,
      summary: "Words and a link to share",
      output: InviteRecommendation,
      handle: async (_, { userId }) => {
        const found = await view.recommendation(Number(userId));
        return found === undefined ? refuseBy(REFUSALS, { code: "ACCOUNT_NOT_READY" }) : answer(found);
      },
    }),
  ];
}

function changing(invite: InviteService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...own,
      method: "POST",
      path: INVITE_PATHS.links,
      summary: "Makes another link with a split of its own",
      body: LinkBody,
      output: InviteLink,
      handle: async ({ body }, { userId, timeMs }) => told(await invite.add(Number(userId), body, timeMs)),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: INVITE_PATHS.change,
      summary: "Renames a link or changes its split for whoever comes by it from now on",
      body: LinkChangeBody,
      output: InviteLink,
      handle: async ({ body }, { userId }) => told(await invite.change(Number(userId), body)),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: INVITE_PATHS.named,
      summary: "Shows or hides the caller's name in the ranking",
      body: NamedBody,
      output: Type.Object({ isNamed: Type.Boolean() }),
      handle: async ({ body: { isNamed } }, { userId }) => {
        await invite.setNamed(Number(userId), isNamed);
        return answer({ isNamed });
      },
    }),
  ];
}
