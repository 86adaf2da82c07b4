// REST of signing in through others: schema → service → envelope.
import { answer, answerSession, defineRoute, type RouteContext, type RouteSpec, refuse } from "@clockwork/kit/route";
import { Type } from "typebox";
import { BeginBody, Begun, FinishBody, Finished, LinkBody, LinkList, ProviderList, UnlinkBody } from "./api.ts";
import type { Caller, SocialRefusal, SocialService } from "./service.ts";

const REFUSALS: Readonly<Record<SocialRefusal, readonly [status: number, message: string]>> = {
  PROVIDER_UNKNOWN: [404, "This way to sign in is not offered here."],
  SOCIAL_REFUSED: [403, "The other site's answer was not accepted; try again."],
  SOCIAL_LINKED: [409, "That account is linked already."],
  SOCIAL_UNKNOWN: [404, "There is no such link."],
  STEP_UP_REQUIRED: [403, "Prove once more that it is you: this change needs a fresh code."],
  TICKET_INVALID: [403, "This took too long; begin again."],
  ACCOUNT_FROZEN: [403, "This account is frozen; release it first."],
  UNAUTHENTICATED: [401, "Sign in first."],
};

function refuseSocial({ code }: { code: SocialRefusal }) {
  const [status, message] = REFUSALS[code];
  return refuse({ code, status, message });
}

export interface SocialRouteParts<Client> {
  readonly social: SocialService<Client>;
  readonly readClient: (context: RouteContext) => Client;
  /** The page a provider sends visitors back to. */
  readonly returnUrl: (context: RouteContext) => string;
}

const PATH = "/v2/users/social";

export function socialRoutes<Client>(parts: SocialRouteParts<Client>): readonly RouteSpec[] {
  return [...visitRoutes(parts), ...linkRoutes(parts.social)];
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
        const { secret, query, staySignedIn } = body;
        const client = readClient(context);
        const outcome = await social.finish(secret, query, client, staySignedIn === true, context.timeMs);
        if (!outcome.done) return refuseSocial(outcome);
        const { value } = outcome;
        if (value.kind === "open") return answerSession({ id: String(value.userId) }, value.tokens);
        if (value.kind === "unlinked") return answer({ linkTicket: value.linkTicket, email: value.email });
        const { next, ticket, sentTo } = value;
        return answer({ next: [...next], ticket, ...(sentTo === undefined ? {} : { sentTo }) });
      },
    }),
  ];
}

function linkRoutes<Client>(social: SocialService<Client>): readonly RouteSpec[] {
  const own = { tag: "social", signedIn: true } as const;
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

function callerOf({ userId, session }: RouteContext): Caller {
  return { userId: Number(userId), sessionId: session?.id ?? "" };
}
