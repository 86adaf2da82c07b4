// Refusals of tickets, the support chat and the console, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";
import { MIXED_WORDS } from "@clockwork/kit/picture";

const PICTURES = {
  ATTACHMENT_MIXED: [400, MIXED_WORDS],
  ATTACHMENT_INVALID: [400, "Attach JPEG, PNG or WebP pictures of at most 3 MB."],
  ATTACHMENT_BUSY: [503, "Too many pictures are being drawn at this moment; send it again shortly."],
} as const satisfies RefusalTable<string>;

export const TICKET_REFUSALS = {
  ...PICTURES,
  CAPTCHA_REQUIRED: [403, "Solve the check once more and send again."],
  TICKET_INVALID: [400, "Something is missing or does not fit; see the fields."],
  ATTACHMENTS_FULL: [409, "A ticket holds three pictures."],
  TICKET_NOT_FOUND: [404, "There is no ticket with this number and key."],
  TICKET_FULL: [409, "This ticket is full; please open another and name this one."],
} as const satisfies RefusalTable<string>;

export const CHAT_REFUSALS = {
  ...PICTURES,
  CHAT_EMPTY: [409, "Write a message before you send a picture."],
  CHATS_TOO_MANY: [429, "You have begun many conversations today; please use a support form."],
  ATTACHMENTS_FULL: [409, "A conversation holds three pictures."],
  FILE_UNKNOWN: [404, "There is no such picture."],
} as const satisfies RefusalTable<string>;

export const TICKET_DESK_REFUSALS = {
  TICKET_NOT_FOUND: [404, "There is no ticket with this number."],
  TICKET_INVALID: [400, "Write an answer first."],
  TICKET_FULL: [409, "This ticket is full; it can only be closed."],
} as const satisfies RefusalTable<string>;

export type TicketRefusal = keyof typeof TICKET_REFUSALS;
export type ChatRefusal = keyof typeof CHAT_REFUSALS;
