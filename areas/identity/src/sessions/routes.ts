// REST of sessions: schema → service → envelope.
import {
  answer,
  answerSession,
  callerOf,
  type RouteContext,
  type RouteSpec,
  refuse,
  refuseBy,
  serve,
} from "@clockwork/host/route";
import { type CookiePlace, readSessionCookie } from "@clockwork/kit/session-cookie";
import { type Device, SESSION_CALLS } from "./contract.ts";
import type { LoginClient, LoginService } from "./login-service.ts";
import { DEVICE_REFUSALS, REFUSALS } from "./refusals.ts";
import { deviceKey } from "./rules.ts";
import type { SessionService } from "./service.ts";

/** The origin of a call, as far as it is given. */
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

const SECRET_MAX = 512;

export function sessionRoutes(parts: RouteParts): readonly RouteSpec[] {
  return [...loginRoutes(parts), ...lifeRoutes(parts), ...deviceRoutes(parts)];
}

function loginRoutes({ login, sourceOf }: RouteParts): readonly RouteSpec[] {
  return [
    serve(SESSION_CALLS.loginTypes, {
      summary: "What a sign-in begins with; the same for every account, known or not",
      tag: "sessions",
      handle: async ({ body }) => {
        const types = await login.validateType(body.account);
        return types.done ? answer({ types: [...types.value] }) : refuseBy(REFUSALS, types);
      },
    }),
    serve(SESSION_CALLS.login, {
      summary: "Signs in: cookies, or what is still asked for and the ticket to bring it with",
      tag: "sessions",
      handle: async ({ body }, context) => {
        const client = readClient(context, sourceOf, body.device);
        const outcome = await login.login(body, client, context.timeMs);
        if (!outcome.done) return refuseBy(REFUSALS, outcome);
        const { value } = outcome;
        if (value.kind === "open") return answerSession({ id: String(value.userId) }, value.tokens);
        const { next, ticket, sentTo } = value;
        return answer({ next: [...next], ticket, ...(sentTo === undefined ? {} : { sentTo }) });
      },
    }),
    serve(SESSION_CALLS.loginCode, {
      summary: "Sends the code of a sign-in under way once more",
      tag: "sessions",
      handle: async ({ body }, { timeMs }) => {
        const sent = await login.resend(body.ticket, body.captcha, timeMs);
        return sent.done ? answer(sent.value) : refuseBy(REFUSALS, sent);
      },
    }),
  ];
}

function lifeRoutes({ sessions, place }: RouteParts): readonly RouteSpec[] {
  return [
    serve(SESSION_CALLS.refresh, {
      summary: "New access tokens for the web session cookie",
      tag: "sessions",
      handle: async (_, context) => {
        const secret = isLoggedIn(context, place) ? readWebSession(context, place) : undefined;
        const tokens = secret === undefined ? null : await sessions.refresh(secret, context.timeMs);
        return tokens === null ? SIGNED_OUT : answerSession(null, tokens);
      },
    }),
    serve(SESSION_CALLS.stay, {
      summary: "Stay signed in on this device for thirty days, or not",
      tag: "sessions",
      scope: "user",
      handle: async ({ body }, context) => {
        const tokens = await sessions.renew(callerOf(context), { isKept: body.stay }, context.timeMs);
        return tokens === null ? SIGNED_OUT : answerSession(null, tokens);
      },
    }),
    serve(SESSION_CALLS.signOut, {
      summary: "Ends this session, or every session of the account",
      tag: "sessions",
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
    serve(SESSION_CALLS.devices, {
      summary: "Open sessions and known devices of the account",
      tag: "sessions",
      scope: "user",
      handle: async (_, { userId, session, timeMs }) =>
        answer(await sessions.list(Number(userId), session?.id, timeMs)),
    }),
    serve(SESSION_CALLS.revoke, {
      summary: "Ends a session, or forgets a device and ends every session on it",
      tag: "sessions",
      scope: "user",
      handle: async ({ body }, { userId, session, timeMs }) => {
        const user = Number(userId);
        const isSession = body.session !== undefined && (await sessions.revokeSession(user, body.session));
        const isDevice = body.device !== undefined && (await sessions.revokeDevice(user, body.device));
        if (isSession || isDevice) {
          await sessions.recordBy(user, session?.id, isDevice ? "device-removed" : "session-ended", timeMs);
          return answer(null);
        }
        return refuseBy(DEVICE_REFUSALS, { code: "DEVICE_UNKNOWN" });
      },
    }),
    serve(SESSION_CALLS.activity, {
      summary: "What was done with the account, newest first",
      tag: "sessions",
      scope: "user",
      handle: async ({ query }, { userId }) => answer(await sessions.listActivity(Number(userId), query.before)),
    }),
  ];
}

const SIGNED_OUT = refuse({ code: "UNAUTHENTICATED", status: 401, message: "Sign in first." });

/** Logged in means: the corrected token is present (AUTH-3). */
function isLoggedIn(context: RouteContext, place: CookiePlace): boolean {
  return readSessionCookie(context.header("cookie"), "correctedToken", place) !== undefined;
}

function readWebSession(context: RouteContext, place: CookiePlace): string | undefined {
  const secret = readSessionCookie(context.header("cookie"), "webSession", place);
  return secret === undefined || secret.length > SECRET_MAX ? undefined : secret;
}
