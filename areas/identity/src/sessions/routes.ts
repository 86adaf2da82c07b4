// REST of sessions: schema → service → envelope.
import {
  answer,
  answerSession,
  callerOf,
  defineRoute,
  type RouteContext,
  type RouteSpec,
  refuse,
} from "@clockwork/host/route";
import { type CookiePlace, readSessionCookie } from "@clockwork/kit/session-cookie";
import { Type } from "typebox";
import {
  Account,
  ActivityPage,
  ActivityQuery,
  CodeSent,
  type Device,
  LoginAnswer,
  LoginBody,
  LoginCodeBody,
  LoginTypes,
  RevokeBody,
  SessionList,
  SignOutBody,
  StayBody,
} from "./contract.ts";
import type { LoginClient, LoginRefusal, LoginService } from "./login-service.ts";
import { deviceKey } from "./rules.ts";
import type { SessionService } from "./service.ts";

const REFUSALS: Readonly<Record<LoginRefusal, readonly [status: number, message: string]>> = {
  ACCOUNT_INVALID: [400, "Give an e-mail address or a phone number, and a password."],
  CAPTCHA_REQUIRED: [403, "Solve the puzzle first."],
  CREDENTIALS_WRONG: [403, "Account or password is wrong."],
  LOGIN_LOCKED: [429, "Too many wrong tries; wait before the next one."],
  BUSY: [429, "Many people are signing in; try again shortly."],
  TICKET_INVALID: [403, "This sign-in took too long; begin again."],
  CODE_WRONG: [403, "The code is wrong or no longer valid."],
  CODE_TOO_SOON: [429, "A code was sent a moment ago; wait before asking for another."],
  ACCOUNT_FROZEN: [403, "This account is frozen; release it first."],
  ACCOUNT_CHANGED: [409, "Something about this account was changed meanwhile; begin again."],
};

export function refuseLogin({ code, detail }: { code: LoginRefusal; detail?: string }) {
  const [status, message] = REFUSALS[code];
  const seconds = status === 429 ? Number(detail ?? "1") : undefined;
  return refuse({ code, status, message, ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }) });
}

/** Where a call comes from, as far as it says. */
export function readClient(context: RouteContext, sourceOf: (ip: string) => string, device?: Device): LoginClient {
  const given = context.header("cwdeviceid") ?? context.header("deviceid");
  const name = device?.device_name ?? context.header("devicename") ?? context.header("user-agent") ?? "";
  const key = deviceKey(given);
  return {
    address: context.ip,
    source: sourceOf(context.ip),
    deviceKey: key === "" ? deviceKey(device?.fingerprint) : key,
    deviceName: name.slice(0, 128),
  };
}

interface RouteParts {
  readonly sessions: SessionService;
  readonly login: LoginService;
  readonly sourceOf: (ip: string) => string;
  readonly place: CookiePlace;
}

const PATH = "/v2/users";
const SECRET_MAX = 512;

export function sessionRoutes(parts: RouteParts): readonly RouteSpec[] {
  return [...loginRoutes(parts), ...lifeRoutes(parts), ...deviceRoutes(parts)];
}

function loginRoutes({ login, sourceOf }: RouteParts): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "POST",
      path: `${PATH}/login/validate-type`,
      summary: "What a sign-in begins with; the same for every account, known or not",
      tag: "sessions",
      body: Type.Object({ account: Account }),
      output: LoginTypes,
      handle: async ({ body }) => {
        const types = await login.validateType(body.account);
        return types.done ? answer({ types: [...types.value] }) : refuseLogin(types);
      },
    }),
    defineRoute({
      method: "POST",
      path: `${PATH}/login/do-login`,
      summary: "Signs in: cookies, or what is still asked for and the ticket to bring it with",
      tag: "sessions",
      body: LoginBody,
      output: LoginAnswer,
      handle: async ({ body }, context) => {
        const client = readClient(context, sourceOf, body.device);
        const outcome = await login.login(body, client, context.timeMs);
        if (!outcome.done) return refuseLogin(outcome);
        const { value } = outcome;
        if (value.kind === "open") return answerSession({ id: String(value.userId) }, value.tokens);
        const { next, ticket, sentTo } = value;
        return answer({ next: [...next], ticket, ...(sentTo === undefined ? {} : { sentTo }) });
      },
    }),
    defineRoute({
      method: "POST",
      path: `${PATH}/login/code`,
      summary: "Sends the code of a sign-in under way once more",
      tag: "sessions",
      body: LoginCodeBody,
      output: CodeSent,
      handle: async ({ body }, { timeMs }) => {
        const sent = await login.resend(body.ticket, body.captcha, timeMs);
        return sent.done ? answer(sent.value) : refuseLogin(sent);
      },
    }),
  ];
}

function lifeRoutes({ sessions, place }: RouteParts): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "POST",
      path: `${PATH}/session/refresh`,
      summary: "New access tokens for the web session cookie",
      tag: "sessions",
      body: Type.Object({}),
      output: Type.Null(),
      handle: async (_, context) => {
        const secret = isLoggedIn(context, place) ? readWebSession(context, place) : undefined;
        const tokens = secret === undefined ? null : await sessions.refresh(secret, context.timeMs);
        return tokens === null ? SIGNED_OUT : answerSession(null, tokens);
      },
    }),
    defineRoute({
      method: "POST",
      path: `${PATH}/session/stay`,
      summary: "Stay signed in on this device for thirty days, or not",
      tag: "sessions",
      scope: "user",
      body: StayBody,
      output: Type.Null(),
      handle: async ({ body }, context) => {
        const tokens = await sessions.renew(callerOf(context), { isKept: body.stay }, context.timeMs);
        return tokens === null ? SIGNED_OUT : answerSession(null, tokens);
      },
    }),
    defineRoute({
      method: "POST",
      path: `${PATH}/sign-out`,
      summary: "Ends this session, or every session of the account",
      tag: "sessions",
      body: SignOutBody,
      output: Type.Null(),
      handle: async ({ body }, context) => {
        const secret = readWebSession(context, place);
        const caller =
          context.session === undefined && secret !== undefined
            ? await sessions.reading.readWebSession(secret, context.timeMs)
            : { userId: context.userId ?? "", sessionId: context.session?.id ?? "" };
        if (caller !== null && caller.sessionId !== "") {
          const userId = Number(caller.userId);
          await sessions.end({ userId, sessionId: caller.sessionId }, body.everywhere === true, context.timeMs);
        }
        return answerSession(null, null);
      },
    }),
  ];
}

function deviceRoutes({ sessions }: RouteParts): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "GET",
      path: `${PATH}/devices`,
      summary: "Open sessions and known devices of the account",
      tag: "sessions",
      scope: "user",
      output: SessionList,
      handle: async (_, { userId, session, timeMs }) =>
        answer(await sessions.list(Number(userId), session?.id, timeMs)),
    }),
    defineRoute({
      method: "POST",
      path: `${PATH}/devices/revoke`,
      summary: "Ends a session, or forgets a device and ends every session on it",
      tag: "sessions",
      scope: "user",
      body: RevokeBody,
      output: Type.Null(),
      handle: async ({ body }, { userId }) => {
        const user = Number(userId);
        const isSession = body.session !== undefined && (await sessions.revokeSession(user, body.session));
        const isDevice = body.device !== undefined && (await sessions.revokeDevice(user, body.device));
        if (isSession || isDevice) return answer(null);
        return refuse({ code: "DEVICE_UNKNOWN", status: 404, message: "There is no such session or device." });
      },
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/activity`,
      summary: "What was done with the account, newest first",
      tag: "sessions",
      scope: "user",
      query: ActivityQuery,
      output: ActivityPage,
      handle: async ({ query }, { userId }) => answer(await sessions.listActivity(Number(userId), query.before)),
    }),
  ];
}

const SIGNED_OUT = refuse({ code: "UNAUTHENTICATED", status: 401, message: "Sign in first." });

/** Logged in means: the corrected token is there (AUTH-3). */
function isLoggedIn(context: RouteContext, place: CookiePlace): boolean {
  return readSessionCookie(context.header("cookie"), "correctedToken", place) !== undefined;
}

function readWebSession(context: RouteContext, place: CookiePlace): string | undefined {
  const secret = readSessionCookie(context.header("cookie"), "webSession", place);
  return secret === undefined || secret.length > SECRET_MAX ? undefined : secret;
}
