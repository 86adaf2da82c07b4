// REST of the newsletter: schema → service → envelope.
import type { Audit } from "@clockwork/host/audit";
import { answer, defineRoute, type RouteSpec, refuse } from "@clockwork/host/route";
import { Type } from "typebox";
import {
  LeaveBody,
  NewsletterBody,
  ONE_CLICK_PATH,
  OneClickBody,
  OneClickQuery,
  SubscriberPage,
  SubscriberQuery,
  TokenBody,
} from "./contract.ts";
import type { NewsletterService } from "./service.ts";

const REFUSALS = {
  EMAIL_INVALID: [400, "This is not an e-mail address."],
  CAPTCHA_REQUIRED: [403, "Solve the check once more and send again."],
  TOKEN_INVALID: [404, "This link is not good any more."],
} as const;

function refuseNewsletter({ code }: { readonly code: keyof typeof REFUSALS }) {
  const [status, message] = REFUSALS[code];
  return refuse({ code, status, message });
}

const PATH = "/v1/common/marketing";

export function newsletterRoutes(service: NewsletterService, audit: Audit): readonly RouteSpec[] {
  const open = { method: "POST", tag: "newsletter", output: Type.Null() } as const;
  return [
    defineRoute({
      ...open,
      path: `${PATH}/sign-up`,
      summary: "Asks for the newsletter; nothing is sent before the address is confirmed",
      body: NewsletterBody,
      rate: { callsMax: 10, windowMs: 3_600_000 },
      handle: async ({ body }, { locale, timeMs }) => {
        const asked = await service.signUp(body, locale, timeMs);
        return asked.done ? answer(null) : refuseNewsletter(asked);
      },
    }),
    defineRoute({
      ...open,
      path: `${PATH}/confirm`,
      summary: "Confirms the address by the secret of the mail",
      body: TokenBody,
      rate: { callsMax: 30, windowMs: 600_000 },
      handle: async ({ body }, { timeMs }) => {
        const confirmed = await service.confirm(body.token, timeMs);
        return confirmed.done ? answer(null) : refuseNewsletter(confirmed);
      },
    }),
    defineRoute({
      ...open,
      path: `${PATH}/leave`,
      summary: "Leaves the newsletter and removes the address",
      body: LeaveBody,
      rate: { callsMax: 30, windowMs: 600_000 },
      handle: async ({ body }) => {
        const left = await service.leave(body.token);
        return left.done ? answer(null) : refuseNewsletter(left);
      },
    }),
    defineRoute({
      ...open,
      path: ONE_CLICK_PATH,
      summary: "Leaves the newsletter by one press in a mail program, as RFC 8058 has it",
      query: OneClickQuery,
      body: OneClickBody,
      // The token says whose mailbox it is.
      isAnonymous: true,
      rate: { callsMax: 30, windowMs: 600_000 },
      handle: async ({ query }) => {
        const left = await service.leave(query.token);
        return left.done ? answer(null) : refuseNewsletter(left);
      },
    }),
    defineRoute({
      method: "GET",
      tag: "newsletter",
      scope: { operator: "content.edit" },
      path: "/v2/operators/newsletter",
      summary: "For editors: who has confirmed the newsletter; the look is written down",
      query: SubscriberQuery,
      output: SubscriberPage,
      handle: async ({ query }, context) => {
        await audit.record(
          context,
          "newsletter.read",
          "subscribers",
          query.after === undefined ? "first page" : "next",
        );
        return answer(await service.list(query.after));
      },
    }),
  ];
}
