// REST of the newsletter: schema → service → envelope.
import type { Audit } from "@clockwork/host/audit";
import { answer, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { NEWSLETTER_CALLS } from "./contract.ts";
import { REFUSALS } from "./refusals.ts";
import type { NewsletterService } from "./service.ts";

export function newsletterRoutes(service: NewsletterService, audit: Audit): readonly RouteSpec[] {
  const open = { tag: "newsletter" } as const;
  return [
    serve(NEWSLETTER_CALLS.signUp, {
      ...open,
      summary: "Asks for the newsletter; nothing is sent before the address is confirmed",
      rate: { callsMax: 10, windowMs: 3_600_000 },
      handle: async ({ body }, { locale, timeMs }) => {
        const requested = await service.signUp(body, locale, timeMs);
        return requested.done ? answer(null) : refuseBy(REFUSALS, requested);
      },
    }),
    serve(NEWSLETTER_CALLS.confirm, {
      ...open,
      summary: "Confirms the address by the secret of the mail",
      rate: { callsMax: 30, windowMs: 600_000 },
      handle: async ({ body }, { timeMs }) => {
        const confirmed = await service.confirm(body.token, timeMs);
        return confirmed.done ? answer(null) : refuseBy(REFUSALS, confirmed);
      },
    }),
    serve(NEWSLETTER_CALLS.leave, {
      ...open,
      summary: "Leaves the newsletter and removes the address",
      rate: { callsMax: 30, windowMs: 600_000 },
      handle: async ({ body }) => {
        const left = await service.leave(body.token);
        return left.done ? answer(null) : refuseBy(REFUSALS, left);
      },
    }),
    serve(NEWSLETTER_CALLS.oneClick, {
      ...open,
      summary: "Leaves the newsletter by one press in a mail program, as RFC 8058 has it",
      // The token identifies the mailbox.
      isAnonymous: true,
      rate: { callsMax: 30, windowMs: 600_000 },
      handle: async ({ query }) => {
        const left = await service.leave(query.token);
        return left.done ? answer(null) : refuseBy(REFUSALS, left);
      },
    }),
    serve(NEWSLETTER_CALLS.subscribers, {
      tag: "newsletter",
      scope: { operator: "content.edit" },
      summary: "For editors: who has confirmed the newsletter; the look is written down",
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
