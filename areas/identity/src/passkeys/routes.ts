// REST of passkeys: schema → service → envelope.
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
import { PASSKEY_CALLS } from "./contract.ts";
import type { Site } from "./needs.ts";
import { type PasskeyRefusal, REFUSALS } from "./refusals.ts";
import type { PasskeyService, Proved } from "./service.ts";

const refusePasskey = (refused: { code: PasskeyRefusal }) => refuseBy(REFUSALS, refused);

export interface PasskeyRouteParts {
  readonly passkeys: PasskeyService;
  readonly siteOf: (context: RouteContext) => Site;
  /** Undefined when the account's security has changed since it was proved. */
  openSession(proved: Proved, context: RouteContext, isKept: boolean): Promise<SessionTokens | null>;
}

const OWN = { tag: "passkeys", scope: "user" } as const;

export function passkeyRoutes(parts: PasskeyRouteParts): readonly RouteSpec[] {
  return [...loginRoutes(parts), ...bindRoutes(parts), ...keyRoutes(parts)];
}

function loginRoutes({ passkeys, siteOf, openSession }: PasskeyRouteParts): readonly RouteSpec[] {
  return [
    serve(PASSKEY_CALLS.challenge, {
      summary: "A challenge to sign in with a passkey",
      tag: "passkeys",
      rate: { callsMax: 120, windowMs: 60_000 },
      handle: async (_, context) => answer({ options: await passkeys.beginLogin(siteOf(context), context.timeMs) }),
    }),
    serve(PASSKEY_CALLS.login, {
      summary: "Signs in with a passkey",
      tag: "passkeys",
      rate: { callsMax: 120, windowMs: 60_000 },
      handle: async ({ body }, context) => {
        const proved = await passkeys.login(siteOf(context), body.response, context.timeMs);
        if (!proved.done) return refusePasskey(proved);
        const tokens = await openSession(proved.value, context, body.staySignedIn === true);
        if (tokens === null) return refusePasskey({ code: "ACCOUNT_CHANGED" });
        return answerSession({ id: String(proved.value.userId) }, tokens);
      },
    }),
  ];
}

function bindRoutes({ passkeys, siteOf }: PasskeyRouteParts): readonly RouteSpec[] {
  return [
    serve(PASSKEY_CALLS.stepUp, {
      ...OWN,
      summary: "Proves with a passkey that it is still the owner; good for five minutes of changes",
      rate: { callsMax: 60, windowMs: 60_000 },
      handle: async ({ body }, context) => {
        const proved = await passkeys.stepUp(callerOf(context), siteOf(context), body.response, context.timeMs);
        return proved.done ? answerSession(null, proved.value) : refusePasskey(proved);
      },
    }),
    serve(PASSKEY_CALLS.bindChallenge, {
      ...OWN,
      summary: "A challenge to bind a new passkey",
      handle: async (_, context) => {
        const options = await passkeys.beginBinding(callerOf(context), siteOf(context), context.timeMs);
        return options.done ? answer({ options: options.value }) : refusePasskey(options);
      },
    }),
    serve(PASSKEY_CALLS.bind, {
      ...OWN,
      summary: "Binds a passkey to the account",
      handle: async ({ body }, context) => {
        const { response, name } = body;
        const bound = await passkeys.bind(callerOf(context), siteOf(context), response, name, context.timeMs);
        return bound.done ? answerSession(null, bound.value) : refusePasskey(bound);
      },
    }),
  ];
}

function keyRoutes({ passkeys }: PasskeyRouteParts): readonly RouteSpec[] {
  return [
    serve(PASSKEY_CALLS.list, {
      ...OWN,
      summary: "The account's passkeys",
      handle: async (_, { userId }) => answer(await passkeys.list(Number(userId))),
    }),
    serve(PASSKEY_CALLS.rename, {
      ...OWN,
      summary: "Names a passkey",
      handle: async ({ body }, { userId }) => {
        const renamed = await passkeys.rename(Number(userId), body.id, body.name);
        return renamed.done ? answer(null) : refusePasskey(renamed);
      },
    }),
    serve(PASSKEY_CALLS.remove, {
      ...OWN,
      summary: "Removes a passkey; withdrawals rest for a day",
      handle: async ({ body }, context) => {
        const removed = await passkeys.remove(callerOf(context), body.id, context.timeMs);
        return removed.done ? answerSession(null, removed.value) : refusePasskey(removed);
      },
    }),
  ];
}
