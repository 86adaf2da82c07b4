// REST of passwords and contacts: schema → service → envelope.
import {
  answer,
  answerSession,
  callerOf,
  type RouteContext,
  type RouteSpec,
  refuseBy,
  serve,
} from "@clockwork/host/route";
import type { Requester } from "../codes/place.ts";
import { CREDENTIAL_CALLS } from "./contract.ts";
import { type CredentialRefusal, REFUSALS } from "./refusals.ts";
import type { CredentialService } from "./service.ts";

function refuseCredential(refused: { code: CredentialRefusal; detail?: string }) {
  const { code, detail } = refused;
  const isField = code === "PASSWORD_INVALID" && detail !== undefined;
  return refuseBy(REFUSALS, refused, isField ? { "body.password": detail } : undefined);
}

type ReadRequester = (context: RouteContext) => Requester;

export function credentialRoutes(service: CredentialService, readRequester: ReadRequester): readonly RouteSpec[] {
  return [...forgetRoutes(service, readRequester), ...changeRoutes(service)];
}

function forgetRoutes(service: CredentialService, readRequester: ReadRequester): readonly RouteSpec[] {
  return [
    serve(CREDENTIAL_CALLS.forgetCode, {
      summary: "Sends a code to the owner of an account whose password is forgotten",
      tag: "credentials",
      handle: async ({ body }, context) => {
        const sent = await service.sendResetCode(body.account, body.captcha, readRequester(context), context.timeMs);
        return sent.done ? answer(sent.value) : refuseCredential(sent);
      },
    }),
    serve(CREDENTIAL_CALLS.forgetValidate, {
      summary: "Takes the code and answers a ticket for a new password",
      tag: "credentials",
      handle: async ({ body }, context) => {
        const ticket = await service.validateReset(body.account, body.code, readRequester(context), context.timeMs);
        return ticket.done ? answer(ticket.value) : refuseCredential(ticket);
      },
    }),
    serve(CREDENTIAL_CALLS.forgetReset, {
      summary: "Sets a new password, ends every session and rests withdrawals for a day",
      tag: "credentials",
      handle: async ({ body }, { timeMs }) => {
        const reset = await service.reset(body, timeMs);
        return reset.done ? answerSession(null, null) : refuseCredential(reset);
      },
    }),
  ];
}

function changeRoutes(service: CredentialService): readonly RouteSpec[] {
  return [
    serve(CREDENTIAL_CALLS.changePassword, {
      summary: "Changes the password, ends other sessions and rests withdrawals for a day",
      tag: "credentials",
      scope: "user",
      handle: async ({ body }, context) => {
        const { oldPassword, newPassword } = body;
        const changed = await service.changePassword(callerOf(context), oldPassword, newPassword, context.timeMs);
        return changed.done ? answerSession(null, changed.value) : refuseCredential(changed);
      },
    }),
    serve(CREDENTIAL_CALLS.contactCode, {
      summary: "Sends a code to an address or number that is to be bound",
      tag: "credentials",
      scope: "user",
      handle: async ({ body }, context) => {
        const sent = await service.sendContactCode(callerOf(context), body.account, body.captcha, context.timeMs);
        return sent.done ? answer(sent.value) : refuseCredential(sent);
      },
    }),
    serve(CREDENTIAL_CALLS.bindContact, {
      summary: "Links or replaces the account's email address or phone number",
      tag: "credentials",
      scope: "user",
      handle: async ({ body }, context) => {
        const bound = await service.bindContact(callerOf(context), body.account, body.code, context.timeMs);
        return bound.done ? answerSession(null, bound.value) : refuseCredential(bound);
      },
    }),
  ];
}
