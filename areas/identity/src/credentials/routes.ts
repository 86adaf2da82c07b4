// REST of passwords and contacts: schema → service → envelope.
import {
  answer,
  answerSession,
  callerOf,
  defineRoute,
  type RouteContext,
  type RouteSpec,
  refuseBy,
} from "@clockwork/host/route";
import type { RefusalTable } from "@clockwork/kit/endpoint";
import { Type } from "typebox";
import type { Requester } from "../codes/place.ts";
import {
  CodeBody,
  CodeSent,
  ContactBody,
  ForgetResetBody,
  ForgetTicket,
  ForgetValidateBody,
  PasswordChangeBody,
} from "./contract.ts";
import type { CredentialRefusal, CredentialService } from "./service.ts";

const REFUSALS: RefusalTable<CredentialRefusal> = {
  ACCOUNT_INVALID: [400, "Give an e-mail address or a phone number."],
  CAPTCHA_REQUIRED: [403, "Solve the puzzle first."],
  CODE_TOO_SOON: [429, "A code was sent a moment ago; wait before asking for another."],
  CODE_WRONG: [403, "The code is wrong or no longer valid."],
  CODE_LOCKED: [429, "Too many wrong codes; wait before the next one."],
  TICKET_INVALID: [403, "This took too long; begin again."],
  TOTP_REQUIRED: [403, "Give the code of your authenticator too."],
  PASSWORD_INVALID: [400, "A password has 8 to 32 characters and two of letters, digits and special characters."],
  PASSWORD_WRONG: [403, "The present password is wrong."],
  STEP_UP_REQUIRED: [403, "Prove once more that it is you: this change needs a fresh code."],
  ACCOUNT_TAKEN: [409, "This address or number belongs to another account."],
  UNAUTHENTICATED: [401, "Sign in first."],
  BUSY: [429, "Too many tries at once; try again shortly."],
};

function refuseCredential(refused: { code: CredentialRefusal; detail?: string }) {
  const { code, detail } = refused;
  const isField = code === "PASSWORD_INVALID" && detail !== undefined;
  return refuseBy(REFUSALS, refused, isField ? { "body.password": detail } : undefined);
}

const PATH = "/v2/users";

type ReadRequester = (context: RouteContext) => Requester;

export function credentialRoutes(service: CredentialService, readRequester: ReadRequester): readonly RouteSpec[] {
  return [...forgetRoutes(service, readRequester), ...changeRoutes(service)];
}

function forgetRoutes(service: CredentialService, readRequester: ReadRequester): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "POST",
      path: `${PATH}/forget/code`,
      summary: "Sends a code to the owner of an account whose password is forgotten",
      tag: "credentials",
      body: CodeBody,
      output: CodeSent,
      handle: async ({ body }, context) => {
        const sent = await service.sendResetCode(body.account, body.captcha, readRequester(context), context.timeMs);
        return sent.done ? answer(sent.value) : refuseCredential(sent);
      },
    }),
    defineRoute({
      method: "POST",
      path: `${PATH}/forget/validate`,
      summary: "Takes the code and answers a ticket for a new password",
      tag: "credentials",
      body: ForgetValidateBody,
      output: ForgetTicket,
      handle: async ({ body }, context) => {
        const ticket = await service.validateReset(body.account, body.code, readRequester(context), context.timeMs);
        return ticket.done ? answer(ticket.value) : refuseCredential(ticket);
      },
    }),
    defineRoute({
      method: "POST",
      path: `${PATH}/forget/reset`,
      summary: "Sets a new password, ends every session and rests withdrawals for a day",
      tag: "credentials",
      body: ForgetResetBody,
      output: Type.Null(),
      handle: async ({ body }, { timeMs }) => {
        const reset = await service.reset(body, timeMs);
        return reset.done ? answerSession(null, null) : refuseCredential(reset);
      },
    }),
  ];
}

function changeRoutes(service: CredentialService): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "POST",
      path: `${PATH}/password/change`,
      summary: "Changes the password, ends other sessions and rests withdrawals for a day",
      tag: "credentials",
      scope: "user",
      body: PasswordChangeBody,
      output: Type.Null(),
      handle: async ({ body }, context) => {
        const { oldPassword, newPassword } = body;
        const changed = await service.changePassword(callerOf(context), oldPassword, newPassword, context.timeMs);
        return changed.done ? answerSession(null, changed.value) : refuseCredential(changed);
      },
    }),
    defineRoute({
      method: "POST",
      path: `${PATH}/contact/code`,
      summary: "Sends a code to an address or number that is to be bound",
      tag: "credentials",
      scope: "user",
      body: CodeBody,
      output: CodeSent,
      handle: async ({ body }, context) => {
        const sent = await service.sendContactCode(callerOf(context), body.account, body.captcha, context.timeMs);
        return sent.done ? answer(sent.value) : refuseCredential(sent);
      },
    }),
    defineRoute({
      method: "POST",
      path: `${PATH}/contact/bind`,
      summary: "Binds or replaces the account's e-mail address or phone number",
      tag: "credentials",
      scope: "user",
      body: ContactBody,
      output: Type.Null(),
      handle: async ({ body }, context) => {
        const bound = await service.bindContact(callerOf(context), body.account, body.code, context.timeMs);
        return bound.done ? answerSession(null, bound.value) : refuseCredential(bound);
      },
    }),
  ];
}
