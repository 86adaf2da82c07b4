// REST of passkeys: schema → service → envelope.
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
import { BindBody, Ceremony, KeyBody, KeyList, LoginBody, RenameBody, StepUpBody } from "./contract.ts";
import type { Site } from "./needs.ts";
import type { PasskeyRefusal, PasskeyService, Proved } from "./service.ts";

const REFUSALS: RefusalTable<PasskeyRefusal> = {
  UNAUTHENTICATED: [401, "Sign in first."],
  STEP_UP_REQUIRED: [403, "Prove once more that it is you: this change needs a fresh code."],
  PASSKEY_LIMIT: [409, "An account has ten passkeys at most; remove one first."],
  PASSKEY_REFUSED: [403, "This passkey was not accepted; try again or sign in another way."],
  PASSKEY_UNKNOWN: [404, "There is no such passkey."],
  ACCOUNT_FROZEN: [403, "This account is frozen; release it first."],
  ACCOUNT_CHANGED: [409, "Something about this account was changed meanwhile; begin again."],
};

const refusePasskey = (refused: { code: PasskeyRefusal }) => refuseBy(REFUSALS, refused);

export interface PasskeyRouteParts {
  readonly passkeys: PasskeyService;
  readonly siteOf: (context: RouteContext) => Site;
  /** Nothing when the account's security has changed since it was proved. */
  openSession(proved: Proved, context: RouteContext, isKept: boolean): Promise<SessionTokens | null>;
}

const PATH = "/v2/users/passkey";
const OWN = { tag: "passkeys", scope: "user" } as const;

export function passkeyRoutes(parts: PasskeyRouteParts): readonly RouteSpec[] {
  return [...loginRoutes(parts), ...bindRoutes(parts), ...keyRoutes(parts)];
}

function loginRoutes({ passkeys, siteOf, openSession }: PasskeyRouteParts): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "POST",
      path: `${PATH}/challenge`,
      summary: "A challenge to sign in with a passkey",
      tag: "passkeys",
      body: Type.Object({}),
      output: Ceremony,
      rate: { callsMax: 120, windowMs: 60_000 },
      handle: async (_, context) => answer({ options: await passkeys.beginLogin(siteOf(context), context.timeMs) }),
    }),
    defineRoute({
      method: "POST",
      path: `${PATH}/login`,
      summary: "Signs in with a passkey",
      tag: "passkeys",
      body: LoginBody,
      output: Type.Object({ id: Type.String() }),
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
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/step-up`,
      summary: "Proves with a passkey that it is still the owner; good for five minutes of changes",
      body: StepUpBody,
      output: Type.Null(),
      rate: { callsMax: 60, windowMs: 60_000 },
      handle: async ({ body }, context) => {
        const proved = await passkeys.stepUp(callerOf(context), siteOf(context), body.response, context.timeMs);
        return proved.done ? answerSession(null, proved.value) : refusePasskey(proved);
      },
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/bind/challenge`,
      summary: "A challenge to bind a new passkey",
      body: Type.Object({}),
      output: Ceremony,
      handle: async (_, context) => {
        const options = await passkeys.beginBinding(callerOf(context), siteOf(context), context.timeMs);
        return options.done ? answer({ options: options.value }) : refusePasskey(options);
      },
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/bind`,
      summary: "Binds a passkey to the account",
      body: BindBody,
      output: Type.Null(),
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
    defineRoute({
      ...OWN,
      method: "GET",
      path: `${PATH}/list`,
      summary: "The account's passkeys",
      output: KeyList,
      handle: async (_, { userId }) => answer(await passkeys.list(Number(userId))),
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/rename`,
      summary: "Names a passkey",
      body: RenameBody,
      output: Type.Null(),
      handle: async ({ body }, { userId }) => {
        const renamed = await passkeys.rename(Number(userId), body.id, body.name);
        return renamed.done ? answer(null) : refusePasskey(renamed);
      },
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/remove`,
      summary: "Removes a passkey; withdrawals rest for a day",
      body: KeyBody,
      output: Type.Null(),
      handle: async ({ body }, context) => {
        const removed = await passkeys.remove(callerOf(context), body.id, context.timeMs);
        return removed.done ? answerSession(null, removed.value) : refusePasskey(removed);
      },
    }),
  ];
}
