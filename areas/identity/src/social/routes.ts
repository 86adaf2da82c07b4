// REST of social sign-in: schema → service → envelope.
import {
  answer,
  answerSession,
  callerOf,
  type RouteContext,
  type RouteSpec,
  refuseBy,
  type SessionTokens,
  serve,
} from "@clockwork/host/route";
import { SOCIAL_CALLS } from "./contract.ts";
import { REFUSALS, type SocialRefusal } from "./refusals.ts";
import type { SocialService } from "./service.ts";

const refuseSocial = (refused: { code: SocialRefusal; detail?: string }) => refuseBy(REFUSALS, refused);

export interface SocialRouteParts<Client> {
  readonly social: SocialService<Client>;
  readonly readClient: (context: RouteContext) => Client;
  /** The page a provider sends visitors back to. */
  readonly returnUrl: (context: RouteContext) => string;
  readonly openSession: (userId: number, context: RouteContext, isKept: boolean) => Promise<SessionTokens | null>;
}

export function socialRoutes<Client>(parts: SocialRouteParts<Client>): readonly RouteSpec[] {
  return [...visitRoutes(parts), signUpRoute(parts), ...linkRoutes(parts.social)];
}

function visitRoutes<Client>({ social, readClient, returnUrl }: SocialRouteParts<Client>): readonly RouteSpec[] {
  return [
    serve(SOCIAL_CALLS.providers, {
      summary: "Other sites one can sign in through",
      tag: "social",
      handle: async () => answer({ providers: [...social.listProviders()] }),
    }),
    serve(SOCIAL_CALLS.begin, {
      summary: "Where to go to prove an account elsewhere",
      tag: "social",
      rate: { callsMax: 60, windowMs: 60_000 },
      handle: async ({ body }, context) => {
        const started = await social.begin(body.provider, returnUrl(context), context.timeMs);
        return started.done ? answer(started.value) : refuseSocial(started);
      },
    }),
    serve(SOCIAL_CALLS.finish, {
      summary: "Takes the other site's answer: signs in, asks for more, or answers a ticket to link it with",
      tag: "social",
      handle: async ({ body }, context) => {
        const { secret, query, staySignedIn, isLinking } = body;
        const visit = { secret, query, isKept: staySignedIn === true, isLinking: isLinking === true };
        const outcome = await social.finish(visit, readClient(context), context.timeMs);
        if (!outcome.done) return refuseSocial(outcome);
        const { value } = outcome;
        if (value.kind === "open") return answerSession({ id: String(value.userId) }, value.tokens);
        if (value.kind === "unlinked") {
          const { linkTicket, email, isKnown } = value;
          return answer({ linkTicket, email, isKnown });
        }
        const { next, ticket, sentTo } = value;
        return answer({ next: [...next], ticket, ...(sentTo === undefined ? {} : { sentTo }) });
      },
    }),
  ];
}

function signUpRoute<Client>({ social, openSession }: SocialRouteParts<Client>): RouteSpec {
  return serve(SOCIAL_CALLS.signUp, {
    summary: "Opens an account for the address another site has proved, linked to it, and signs in",
    tag: "social",
    handle: async ({ body }, context) => {
      const made = await social.signUp(body, context.timeMs);
      if (!made.done) return refuseSocial(made);
      return answerSession({ id: String(made.value) }, await openSession(made.value, context, false));
    },
  });
}

function linkRoutes<Client>(social: SocialService<Client>): readonly RouteSpec[] {
  const own = { tag: "social", scope: "user" } as const;
  return [
    serve(SOCIAL_CALLS.links, {
      ...own,
      summary: "Accounts elsewhere that sign in to this one",
      handle: async (_, { userId }) => answer(await social.list(Number(userId))),
    }),
    serve(SOCIAL_CALLS.link, {
      ...own,
      summary: "Links a proved account elsewhere",
      handle: async ({ body }, context) => {
        const linked = await social.link(callerOf(context), body.linkTicket, context.timeMs);
        return linked.done ? answerSession(null, linked.value) : refuseSocial(linked);
      },
    }),
    serve(SOCIAL_CALLS.unlink, {
      ...own,
      summary: "Takes a link away",
      handle: async ({ body }, context) => {
        const unlinked = await social.unlink(callerOf(context), body.provider, context.timeMs);
        return unlinked.done ? answerSession(null, unlinked.value) : refuseSocial(unlinked);
      },
    }),
  ];
}
