// REST of the forms: schema → service → envelope. None of these calls is logged with who made it.

import { answer, defineRoute, type RouteSpec, refuse } from "@clockwork/host/route";
import { present } from "@clockwork/kit/assert";
import { MIXED_WORDS, PICTURE_MEDIA_TYPES } from "@clockwork/kit/picture";
import { Type } from "typebox";
import {
  ATTACHMENT_BYTES_MAX,
  OpenedTicket,
  TICKET_HEADERS,
  Ticket,
  TicketBody,
  TicketLookup,
  TicketReply,
} from "./contract.ts";
import type { FieldFault } from "./rules.ts";
import type { SupportCode, SupportResult, SupportService } from "./service.ts";

const REFUSALS: Readonly<Record<SupportCode, { readonly status: number; readonly message: string }>> = {
  CAPTCHA_REQUIRED: { status: 403, message: "Solve the check once more and send again." },
  TICKET_INVALID: { status: 400, message: "Something is missing or does not fit; see the fields." },
  ATTACHMENT_MIXED: { status: 400, message: MIXED_WORDS },
  ATTACHMENT_INVALID: { status: 400, message: "Attach JPEG, PNG or WebP pictures of at most 3 MB." },
  ATTACHMENT_BUSY: { status: 503, message: "Too many pictures are being drawn at this moment; send it again shortly." },
  ATTACHMENTS_FULL: { status: 409, message: "A ticket holds three pictures." },
  TICKET_NOT_FOUND: { status: 404, message: "There is no ticket with this number and key." },
  TICKET_FULL: { status: 409, message: "This ticket is full; please open another and name this one." },
};

const FILE_NAME_LENGTH_MAX = 120;

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
      path: "/v1/support/ticket/picture",
      summary: "Adds a picture to a ticket; headers say whose: x-ticket-number, x-ticket-key, x-file-name",
      file: { bytesMax: ATTACHMENT_BYTES_MAX, mediaTypes: PICTURE_MEDIA_TYPES },
      output: Type.Null(),
      rate: { callsMax: 30, windowMs: 600_000 },
      handle: async ({ file }, { header }) => {
        const [number, key, name] = [TICKET_HEADERS.number, TICKET_HEADERS.key, TICKET_HEADERS.name].map(
          (one) => header(one) ?? "",
        ) as [string, string, string];
        return outcomeOf(await service.attach(number, key, readName(name), present(file, "PAGE-1", "no file")));
      },
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

/** A name that cannot be read is none. */
export function readName(text: string): string {
  try {
    return decodeURIComponent(text).slice(0, FILE_NAME_LENGTH_MAX);
  } catch {
    return "";
  }
}

function outcomeOf<Value>(result: SupportResult<Value>) {
  if (result.done) return answer(result.value);
  const fields = Object.fromEntries(
    Object.entries(result.fields ?? {}).map(([field, fault]) => [field, FAULTS[fault]]),
  );
  return refuse({ code: result.code, ...REFUSALS[result.code], ...(result.fields === undefined ? {} : { fields }) });
}
