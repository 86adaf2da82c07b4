// REST of invitations: schema → service → envelope.

import type { Propose } from "@clockwork/host/proposal";
import { answer, type Outcome, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import { INVITE_CALLS, INVITE_CONSOLE_CALLS, type InviteLink, type JudgePayload } from "./contract.ts";
import { INVITE_PERMISSION, type InviteDesk } from "./desk-service.ts";
import { type DeskRefusal, type LinkRefusal, REFUSALS } from "./refusals.ts";
import type { InviteService } from "./service.ts";
import type { LinkRow } from "./store.ts";
import { describeLink, type InviteView } from "./view-service.ts";

const own = { tag: "invite", scope: "user" } as const;

const outcome = (result: Result<LinkRow, LinkRefusal>): Outcome<InviteLink, LinkRefusal> =>
  result.done ? answer(describeLink(result.value, 0)) : refuseBy(REFUSALS, result);

export interface InviteRouteParts {
  readonly view: InviteView;
  readonly invite: InviteService;
  readonly desk: InviteDesk;
  readonly judge: Propose<typeof JudgePayload, DeskRefusal>;
}

export function inviteRoutes({ view, invite, desk, judge }: InviteRouteParts): readonly RouteSpec[] {
  return [...reading(view), ...changing(invite), ...judging(desk, judge)];
}

function judging(desk: InviteDesk, judge: InviteRouteParts["judge"]): readonly RouteSpec[] {
  return [
    serve(INVITE_CONSOLE_CALLS.friends, {
      tag: "invite",
      scope: { operator: INVITE_PERMISSION },
      summary: "For operators: friends that count for nothing, and those that were released",
      handle: async () => answer(await desk.list()),
    }),
    serve(INVITE_CONSOLE_CALLS.judge, {
      ...own,
      summary: "For operators: proposes that a friend counts whatever devices say, or counts no longer",
      handle: ({ body: { clientId, ...payload } }, context) => judge(context, payload, clientId),
    }),
  ];
}

function reading(view: InviteView): readonly RouteSpec[] {
  return [
    serve(INVITE_CALLS.rate, {
      tag: "invite",
      isForAll: true,
      summary: "What inviting friends brings",
      handle: async () => answer(view.rate()),
    }),
    serve(INVITE_CALLS.profile, {
      ...own,
      summary: "The caller's links, how many came by them and what that brought",
      handle: async (_, { userId, timeMs }) => answer(await view.profile(Number(userId), timeMs)),
    }),
    serve(INVITE_CALLS.detail, {
      ...own,
      summary: "The caller's friends, newest first, with what their fees brought in so many days",
      handle: async ({ query }, { userId, timeMs }) => answer(await view.detail(Number(userId), query, timeMs)),
    }),
    serve(INVITE_CALLS.ranking, {
      tag: "invite",
      summary: "Who earned the most by inviting this week",
      handle: async (_, { userId, timeMs }) =>
        answer(await view.ranking(userId === null ? undefined : Number(userId), timeMs)),
    }),
    serve(INVITE_CALLS.recommendation, {
      ...own,
      summary: "Words and a link to share",
      handle: async (_, { userId }) => {
        const found = await view.recommendation(Number(userId));
        return found === undefined ? refuseBy(REFUSALS, { code: "ACCOUNT_NOT_READY" }) : answer(found);
      },
    }),
  ];
}

function changing(invite: InviteService): readonly RouteSpec[] {
  return [
    serve(INVITE_CALLS.links, {
      ...own,
      summary: "Creates another link with its own split",
      handle: async ({ body }, { userId, timeMs }) => outcome(await invite.add(Number(userId), body, timeMs)),
    }),
    serve(INVITE_CALLS.change, {
      ...own,
      summary: "Renames a link or changes its split for future referrals",
      handle: async ({ body }, { userId }) => outcome(await invite.change(Number(userId), body)),
    }),
    serve(INVITE_CALLS.named, {
      ...own,
      summary: "Shows or hides the caller's name in the ranking",
      handle: async ({ body: { isNamed } }, { userId }) => {
        await invite.setNamed(Number(userId), isNamed);
        return answer({ isNamed });
      },
    }),
  ];
}
