// REST of the security centre: schema → service → envelope.

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
import type { Result } from "@clockwork/kit/result";
import type { Requester } from "../codes/place.ts";
import { SECURITY_CALLS } from "./contract.ts";
import { REFUSALS, type SecurityRefusal } from "./refusals.ts";
import type { SecurityService } from "./service.ts";

const refuseSecurity = (refused: { code: SecurityRefusal; detail?: string }) => refuseBy(REFUSALS, refused);

/** A completed change: only the session's new tokens are returned. */
function answerChange(changed: Result<SessionTokens, SecurityRefusal>) {
  return changed.done ? answerSession(null, changed.value) : refuseSecurity(changed);
}

const OWN = { tag: "security", scope: "user" } as const;

export function securityRoutes(
  service: SecurityService,
  readRequester: (context: RouteContext) => Requester,
): readonly RouteSpec[] {
  return [
    ...overviewRoutes(service),
    ...totpRoutes(service),
    ...settingRoutes(service),
    ...freezeRoutes(service, readRequester),
  ];
}

function overviewRoutes(service: SecurityService): readonly RouteSpec[] {
  return [
    serve(SECURITY_CALLS.overview, {
      ...OWN,
      summary: "How the account is protected, and withdrawal locks",
      handle: async (_, context) => {
        const overview = await service.overview(callerOf(context), context.timeMs);
        return overview.done ? answer(overview.value) : refuseSecurity(overview);
      },
    }),
    serve(SECURITY_CALLS.locks, {
      ...OWN,
      summary: "Withdrawal locks with their causes and ends",
      handle: async (_, { userId, timeMs }) => answer([...(await service.listLocks(Number(userId), timeMs))]),
    }),
    serve(SECURITY_CALLS.stepUpCode, {
      ...OWN,
      summary: "Sends a code for a fresh proof",
      handle: async ({ body }, context) => {
        const sent = await service.sendStepUpCode(callerOf(context), body.captcha, context.timeMs);
        return sent.done ? answer(sent.value) : refuseSecurity(sent);
      },
    }),
    serve(SECURITY_CALLS.stepUp, {
      ...OWN,
      summary: "Proves that it is still the owner; good for five minutes of changes",
      handle: async ({ body }, context) =>
        answerChange(await service.stepUp(callerOf(context), body.codes, context.timeMs)),
    }),
  ];
}

function totpRoutes(service: SecurityService): readonly RouteSpec[] {
  return [
    serve(SECURITY_CALLS.beginTotp, {
      ...OWN,
      summary: "A secret for an authenticator app, as text and as the address its picture holds",
      handle: async (_, context) => {
        const offered = await service.offerTotp(callerOf(context), context.timeMs);
        return offered.done ? answer(offered.value) : refuseSecurity(offered);
      },
    }),
    serve(SECURITY_CALLS.bindTotp, {
      ...OWN,
      summary: "Binds the authenticator by its first code",
      handle: async ({ body }, context) =>
        answerChange(await service.bindTotp(callerOf(context), body.code, context.timeMs)),
    }),
    serve(SECURITY_CALLS.removeTotp, {
      ...OWN,
      summary: "Removes the authenticator; withdrawals are locked for 24 hours",
      handle: async ({ body }, context) =>
        answerChange(await service.removeTotp(callerOf(context), body.code, context.timeMs)),
    }),
  ];
}

function settingRoutes(service: SecurityService): readonly RouteSpec[] {
  return [
    serve(SECURITY_CALLS.setTradePassword, {
      ...OWN,
      summary: "Sets or replaces the trade password",
      handle: async ({ body }, context) =>
        answerChange(await service.setTradePassword(callerOf(context), body.password, context.timeMs)),
    }),
    serve(SECURITY_CALLS.setAntiPhishing, {
      ...OWN,
      summary: "Sets the word every genuine mail carries",
      handle: async ({ body }, context) =>
        answerChange(await service.setAntiPhishing(callerOf(context), body.code, context.timeMs)),
    }),
  ];
}

function freezeRoutes(
  service: SecurityService,
  readRequester: (context: RouteContext) => Requester,
): readonly RouteSpec[] {
  return [
    serve(SECURITY_CALLS.freeze, {
      summary: "Freezes the account and ends every session, by its owner or by the link of a mail",
      tag: "security",
      handle: async ({ body }, { userId, timeMs }) => {
        const frozen = await service.freeze(body.token, userId === null ? null : Number(userId), timeMs);
        return frozen.done ? answerSession(null, null) : refuseSecurity(frozen);
      },
    }),
    serve(SECURITY_CALLS.close, {
      ...OWN,
      summary: "Closes the caller's empty account and ends every session",
      handle: async (_, context) => {
        const closed = await service.close(callerOf(context), context.timeMs);
        return closed.done ? answerSession(null, null) : refuseSecurity(closed);
      },
    }),
    serve(SECURITY_CALLS.releaseCode, {
      summary: "Sends a code to the owner of a frozen account",
      tag: "security",
      handle: async ({ body }, context) => {
        const { account, captcha } = body;
        const sent = await service.sendReleaseCode(account, captcha, readRequester(context), context.timeMs);
        return sent.done ? answer(sent.value) : refuseSecurity(sent);
      },
    }),
    serve(SECURITY_CALLS.release, {
      summary: "Releases a frozen account to its owner",
      tag: "security",
      handle: async ({ body }, context) => {
        const released = await service.release(body, readRequester(context), context.timeMs);
        return released.done ? answer(null) : refuseSecurity(released);
      },
    }),
  ];
}
