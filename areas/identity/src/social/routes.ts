// REST of signing in through others: schema → service → envelope.
import {
  answer,
  answerSession,
  callerOf,
  defineRoute,
  type RouteContext,
  type RouteSpec,
  refuseBy,
  type SessionTokens,
} from "@clockwork/host/route";
import type { RefusalTable } from "@clockwork/kit/endpoint";
import { Type } from "typebox";
import {
  BeginBody,
  Begun,
  FinishBody,
  Finished,
  LinkBody,
  LinkList,
  ProviderList,
  SocialSignedUp,
  SocialSignUpBody,
  UnlinkBody,
} from "./contract.ts";
import type { SocialRefusal, SocialService } from "./service.ts";

const REFUSALS: RefusalTable<SocialRefusal> = {
  PROVIDER_UNKNOWN: [404, "This way to sign in is not offered here."],
  SOCIAL_REFUSED: [403, "The other site's answer was not accepted; try again."],
  SOCIAL_LINKED: [409, "That account is linked already."],
  SOCIAL_UNKNOWN: [404, "There is no such link."],
  STEP_UP_REQUIRED: [403, "Prove once more that it is you: this change needs a fresh code."],
  TICKET_INVALID: [403, "This took too long; begin again."],
  ACCOUNT_FROZEN: [403, "This account is frozen; release it first."],
  UNAUTHENTICATED: [401, "Sign in first."],
  PASSWORD_INVALID: [400, "A password has 8 to 32 characters and two of letters, digits and special characters."],
  INVITE_UNKNOWN: [400, "Nobody has this invite code."],
  ACCOUNT_KNOWN: [409, "You have an account with this address already; sign in and link it."],
  BUSY: [429, "Many people are signing up; try again in a moment."],
};

const refuseSocial = (refused: { code: SocialRefusal; detail?: string }) => refuseBy(REFUSALS, refused);

export interface SocialRouteParts<Client> {
  readonly social: SocialService<Client>;
  readonly readClient: (context: RouteContext) => Client;
  /** The page a provider sends visitors back to. */
  readonly returnUrl: (context: RouteContext) => string;
  readonly openSession: (userId: number, context: RouteContext, isKept: boolean) => Promise<SessionTokens | null>;
}

const PATH = "/v2/users/social";

export function socialRoutes<Client>(parts: SocialRouteParts<Client>): readonly RouteSpec[] {
  return [...visitRoutes(parts), signUpRoute(parts), ...linkRoutes(parts.social)];
}

function visitRoutes<Client>({ social, readClient, returnUrl }: SocialRouteParts<Client>): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "GET",
      path: `${PATH}/providers`,
      summary: "Other sites one can sign in through",
      tag: "social",
      output: ProviderList,
      handle: async () => answer({ providers: [...social.listProviders()] }),
    }),
    defineRoute({
      method: "POST",
      path: `${PATH}/begin`,
      summary: "Where to go to prove an account elsewhere",
      tag: "social",
      body: BeginBody,
      output: Begun,
      rate: { callsMax: 60, windowMs: 60_000 },
      handle: async ({ body }, context) => {
        const begun = await social.begin(body.provider, returnUrl(context), context.timeMs);
        return begun.done ? answer(begun.value) : refuseSocial(begun);
      },
    }),
    defineRoute({
      method: "POST",
      path: `${PATH}/finish`,
      summary: "Takes the other site's answer: signs in, asks for more, or answers a ticket to link it with",
      tag: "social",
      body: FinishBody,
      output: Finished,
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
  return defineRoute({
    method: "POST",
    path: `${PATH}/sign-up`,
    summary: "Opens an account for the address another site has proved, linked to it, and signs in",
    tag: "social",
    body: SocialSignUpBody,
    output: SocialSignedUp,
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
    defineRoute({
      ...own,
      method: "GET",
      path: `${PATH}/links`,
      summary: "Accounts elsewhere that sign in to this one",
      output: LinkList,
      handle: async (_, { userId }) => answer(await social.list(Number(userId))),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: `${PATH}/link`,
      summary: "Links a proved account elsewhere",
      body: LinkBody,
      output: Type.Null(),
      handle: async ({ body }, context) => {
        const linked = await social.link(callerOf(context), body.linkTicket, context.timeMs);
        return linked.done ? answerSession(null, linked.value) : refuseSocial(linked);
      },
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: `${PATH}/unlink`,
      summary: "Takes a link away",
      body: UnlinkBody,
      output: Type.Null(),
      handle: async ({ body }, context) => {
        const unlinked = await social.unlink(callerOf(context), body.provider, context.timeMs);
        return unlinked.done ? answerSession(null, unlinked.value) : refuseSocial(unlinked);
      },
    }),
  ];
}
