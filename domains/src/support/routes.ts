// REST of the forms: schema → service → envelope. None of these calls is logged with who made it.
import { answer, defineRoute, type RouteSpec, refuse } from "@clockwork/kit/route";
import { OpenedTicket, TICKET_BODY_BYTES_MAX, Ticket, TicketBody, TicketLookup, TicketReply } from "./api.ts";
import type { FieldFault } from "./rules.ts";
import type { SupportCode, SupportResult, SupportService } from "./service.ts";

const REFUSALS: Readonly<Record<SupportCode, { readonly status: number; readonly message: string }>> = {
  CAPTCHA_REQUIRED: { status: 403, message: "Solve the check once more and send again." },
  TICKET_INVALID: { status: 400, message: "Something is missing or does not fit; see the fields." },
  ATTACHMENT_INVALID: { status: 400, message: "Attach JPEG, PNG or WebP pictures of at most 3 MB." },
  TICKET_NOT_FOUND: { status: 404, message: "There is no ticket with this number and key." },
  TICKET_FULL: { status: 409, message: "This ticket is full; please open another and name this one." },
};

const FAULTS: Readonly<Record<FieldFault, string>> = {
  REQUIRED: "This is needed.",
  TOO_LONG: "This is too long.",
  INVALID_EMAIL: "This is not an e-mail address.",
  COMPANY_EMAIL_REQUIRED: "Please use your company's address.",
};

export function supportRoutes(service: SupportService): readonly RouteSpec[] {
  const open = { method: "POST", tag: "support", isAnonymous: true } as const;
  return [
    defineRoute({
      ...open,
      path: "/v1/support/tickets",
      summary: "Opens a ticket: complaint, contact, institutional or a whistleblower's report",
      body: TicketBody,
      bodyBytesMax: TICKET_BODY_BYTES_MAX,
      output: OpenedTicket,
      rate: { callsMax: 10, windowMs: 3_600_000 },
      handle: async ({ body }, { userId, timeMs }) =>
        outcomeOf(await service.open(body, userId === null ? null : Number(userId), timeMs)),
    }),
    defineRoute({
      ...open,
      path: "/v1/support/ticket",
      summary: "A ticket's state and messages, for whoever has its key",
      body: TicketLookup,
      output: Ticket,
      rate: { callsMax: 60, windowMs: 600_000 },
      handle: async ({ body }) => outcomeOf(await service.read(body.number, body.key)),
    }),
    defineRoute({
      ...open,
      path: "/v1/support/ticket/reply",
      summary: "Adds a message to a ticket",
      body: TicketReply,
      output: Ticket,
      rate: { callsMax: 20, windowMs: 600_000 },
      handle: async ({ body }, { timeMs }) =>
        outcomeOf(await service.write(body.number, body.key, body.message, timeMs)),
    }),
  ];
}

function outcomeOf<Value>(result: SupportResult<Value>) {
  if (result.done) return answer(result.value);
  const fields = Object.fromEntries(
    Object.entries(result.fields ?? {}).map(([field, fault]) => [field, FAULTS[fault]]),
  );
  return refuse({ code: result.code, ...REFUSALS[result.code], ...(result.fields === undefined ? {} : { fields }) });
}
