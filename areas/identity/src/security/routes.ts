// REST of the security centre: schema → service → envelope.

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
import type { Result } from "@clockwork/kit/result";
import { Type } from "typebox";
import type { Requester } from "../codes/place.ts";
import {
  AntiPhishingBody,
  CodeSent,
  FreezeBody,
  Lock,
  Overview,
  ReleaseBody,
  ReleaseCodeBody,
  ReleaseSent,
  StepUpBody,
  StepUpCodeBody,
  TotpBody,
  TotpSecret,
  TradePasswordBody,
} from "./contract.ts";
import type { SecurityRefusal, SecurityService } from "./service.ts";

const REFUSALS: RefusalTable<SecurityRefusal> = {
  UNAUTHENTICATED: [401, "Sign in first."],
  ACCOUNT_INVALID: [400, "Give an e-mail address or a phone number."],
  STEP_UP_REQUIRED: [403, "Prove once more that it is you: this change needs a fresh code."],
  CAPTCHA_REQUIRED: [403, "Solve the puzzle first."],
  CODE_TOO_SOON: [429, "A code was sent a moment ago; wait before asking for another."],
  CODE_WRONG: [403, "The code is wrong or no longer valid."],
  CREDENTIALS_WRONG: [403, "Something of this is wrong, or the account is not frozen."],
  PASSWORD_INVALID: [400, "A password has 8 to 32 characters and two of letters, digits and special characters."],
  TOTP_BOUND: [409, "An authenticator is bound already; remove it first."],
  TOTP_MISSING: [409, "There is no authenticator to do this with; begin binding one first."],
  LINK_INVALID: [403, "This link is wrong or too old; sign in and freeze the account there."],
  BUSY: [429, "Too many tries; wait before the next one."],
};

const refuseSecurity = (refused: { code: SecurityRefusal; detail?: string }) => refuseBy(REFUSALS, refused);

/** A change done: nothing to tell but the session's new tokens. */
function answerChange(changed: Result<SessionTokens, SecurityRefusal>) {
  return changed.done ? answerSession(null, changed.value) : refuseSecurity(changed);
}

const PATH = "/v2/users/security";
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
    defineRoute({
      ...OWN,
      method: "GET",
      path: `${PATH}/overview`,
      summary: "How the account is protected, and why withdrawals rest",
      output: Overview,
      handle: async (_, context) => {
        const overview = await service.overview(callerOf(context), context.timeMs);
        return overview.done ? answer(overview.value) : refuseSecurity(overview);
      },
    }),
    defineRoute({
      ...OWN,
      method: "GET",
      path: `${PATH}/locks`,
      summary: "Why withdrawals rest and for how much longer",
      output: Type.Array(Lock),
      handle: async (_, { userId, timeMs }) => answer([...(await service.listLocks(Number(userId), timeMs))]),
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/step-up/code`,
      summary: "Sends a code for a fresh proof",
      body: StepUpCodeBody,
      output: CodeSent,
      handle: async ({ body }, context) => {
        const sent = await service.sendStepUpCode(callerOf(context), body.captcha, context.timeMs);
        return sent.done ? answer(sent.value) : refuseSecurity(sent);
      },
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/step-up`,
      summary: "Proves that it is still the owner; good for five minutes of changes",
      body: StepUpBody,
      output: Type.Null(),
      handle: async ({ body }, context) =>
        answerChange(await service.stepUp(callerOf(context), body.codes, context.timeMs)),
    }),
  ];
}

function totpRoutes(service: SecurityService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/totp/begin`,
      summary: "A secret for an authenticator app, as text and as the address its picture holds",
      body: Type.Object({}),
      output: TotpSecret,
      handle: async (_, context) => {
        const offered = await service.offerTotp(callerOf(context), context.timeMs);
        return offered.done ? answer(offered.value) : refuseSecurity(offered);
      },
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/totp/bind`,
      summary: "Binds the authenticator by its first code",
      body: TotpBody,
      output: Type.Null(),
      handle: async ({ body }, context) =>
        answerChange(await service.bindTotp(callerOf(context), body.code, context.timeMs)),
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/totp/remove`,
      summary: "Removes the authenticator; withdrawals rest for a day",
      body: TotpBody,
      output: Type.Null(),
      handle: async ({ body }, context) =>
        answerChange(await service.removeTotp(callerOf(context), body.code, context.timeMs)),
    }),
  ];
}

function settingRoutes(service: SecurityService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/trade-password/set`,
      summary: "Sets or replaces the trade password",
      body: TradePasswordBody,
      output: Type.Null(),
      handle: async ({ body }, context) =>
        answerChange(await service.setTradePassword(callerOf(context), body.password, context.timeMs)),
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      path: `${PATH}/anti-phishing/set`,
      summary: "Sets the word every genuine mail carries",
      body: AntiPhishingBody,
      output: Type.Null(),
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
    defineRoute({
      method: "POST",
      path: `${PATH}/freeze`,
      summary: "Freezes the account and ends every session, by its owner or by the link of a mail",
      tag: "security",
      body: FreezeBody,
      output: Type.Null(),
      handle: async ({ body }, { userId, timeMs }) => {
        const frozen = await service.freeze(body.token, userId === null ? null : Number(userId), timeMs);
        return frozen.done ? answerSession(null, null) : refuseSecurity(frozen);
      },
    }),
    defineRoute({
      method: "POST",
      path: "/v2/users/risk-control/release/code",
      summary: "Sends a code to the owner of a frozen account",
      tag: "security",
      body: ReleaseCodeBody,
      output: ReleaseSent,
      handle: async ({ body }, context) => {
        const { account, captcha } = body;
        const sent = await service.sendReleaseCode(account, captcha, readRequester(context), context.timeMs);
        return sent.done ? answer(sent.value) : refuseSecurity(sent);
      },
    }),
    defineRoute({
      method: "POST",
      path: "/v2/users/risk-control/release",
      summary: "Releases a frozen account to its owner",
      tag: "security",
      body: ReleaseBody,
      output: Type.Null(),
      handle: async ({ body }, context) => {
        const released = await service.release(body, readRequester(context), context.timeMs);
        return released.done ? answer(null) : refuseSecurity(released);
      },
    }),
  ];
}
