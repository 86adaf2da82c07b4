// REST of the forms: schema → service → envelope. The calls that need no account are not logged with their caller.

import { answer, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { present } from "@clockwork/kit/assert";
import { PICTURE_MEDIA_TYPES } from "@clockwork/kit/picture";
import { ATTACHMENT_BYTES_MAX, TICKET_CALLS, TICKET_HEADERS } from "./contract.ts";
import { TICKET_REFUSALS } from "./refusals.ts";
import type { FieldFault } from "./rules.ts";
import type { SupportResult, SupportService } from "./service.ts";

const FILE_NAME_LENGTH_MAX = 120;

const FAULTS: Readonly<Record<FieldFault, string>> = {
  REQUIRED: "This field is required.",
  TOO_LONG: "Too long.",
  INVALID_EMAIL: "Enter a valid email address.",
  COMPANY_EMAIL_REQUIRED: "Use your company email address.",
};

export function supportRoutes(service: SupportService): readonly RouteSpec[] {
  const open = { tag: "support", isAnonymous: true } as const;
  const own = { tag: "support", scope: "user", rate: { callsMax: 60, windowMs: 600_000 } } as const;
  return [
    serve(TICKET_CALLS.open, {
      ...open,
      summary: "Opens a ticket: complaint, contact, institutional or a whistleblower's report",
      rate: { callsMax: 10, windowMs: 3_600_000 },
      handle: async ({ body }, { userId, timeMs }) =>
        outcomeOf(await service.open(body, userId === null ? null : Number(userId), timeMs)),
    }),
    serve(TICKET_CALLS.read, {
      ...open,
      summary: "A ticket's status and messages, by its key",
      rate: { callsMax: 60, windowMs: 600_000 },
      handle: async ({ body }) => outcomeOf(await service.read(body.number, body.key)),
    }),
    serve(TICKET_CALLS.listOwn, {
      ...own,
      summary: "The tickets sent from the account, the newest first",
      handle: async (_, { userId }) => answer(await service.listOwn(Number(userId))),
    }),
    serve(TICKET_CALLS.readOwn, {
      ...own,
      summary: "A ticket of the account with its messages",
      handle: async ({ query }, { userId }) => outcomeOf(await service.readOwn(Number(userId), query.number)),
    }),
    serve(TICKET_CALLS.replyOwn, {
      ...own,
      summary: "Adds a message to a ticket of the account",
      handle: async ({ body }, { userId, timeMs }) =>
        outcomeOf(await service.writeOwn(Number(userId), body.number, body.message, timeMs)),
    }),
    serve(TICKET_CALLS.picture, {
      ...open,
      summary: "Adds a picture to a ticket; headers say whose: x-ticket-number, x-ticket-key, x-file-name",
      file: { bytesMax: ATTACHMENT_BYTES_MAX, mediaTypes: PICTURE_MEDIA_TYPES },
      rate: { callsMax: 30, windowMs: 600_000 },
      handle: async ({ file }, { header }) => {
        const [number, key, name] = [TICKET_HEADERS.number, TICKET_HEADERS.key, TICKET_HEADERS.name].map(
          (one) => header(one) ?? "",
        ) as [string, string, string];
        return outcomeOf(await service.attach(number, key, readName(name), present(file, "PAGE-1", "no file")));
      },
    }),
    serve(TICKET_CALLS.reply, {
      ...open,
      summary: "Adds a message to a ticket",
      rate: { callsMax: 20, windowMs: 600_000 },
      handle: async ({ body }, { timeMs }) =>
        outcomeOf(await service.write(body.number, body.key, body.message, timeMs)),
    }),
  ];
}

/** An unreadable name counts as none. */
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
  return refuseBy(TICKET_REFUSALS, result, result.fields === undefined ? undefined : fields);
}
