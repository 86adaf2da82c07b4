// Refusals of tickets, the support chat and the console, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";
import { MIXED_WORDS } from "@clockwork/kit/picture";

const PICTURES = {
  ATTACHMENT_MIXED: [400, MIXED_WORDS],
  ATTACHMENT_INVALID: [400, "Attach JPEG, PNG or WebP images of up to 3 MB."],
  ATTACHMENT_BUSY: [503, "The service is busy processing images. Try again shortly."],
} as const satisfies RefusalTable<string>;

export const TICKET_REFUSALS = {
  ...PICTURES,
  CAPTCHA_REQUIRED: [403, "Complete the security check again and resend."],
  TICKET_INVALID: [400, "Some fields are missing or invalid. Check the highlighted fields."],
  ATTACHMENTS_FULL: [409, "A ticket can have up to three images."],
  TICKET_NOT_FOUND: [404, "No ticket found with this number and key."],
  TICKET_FULL: [409, "This ticket is full. Open a new one and mention this number."],
} as const satisfies RefusalTable<string>;

export const CHAT_REFUSALS = {
  ...PICTURES,
  CHAT_EMPTY: [409, "Send a message before you send an image."],
  CHATS_TOO_MANY: [429, "Daily conversation limit reached. Use the support form."],
  ATTACHMENTS_FULL: [409, "A conversation can have up to three images."],
  FILE_UNKNOWN: [404, "Image not found."],
} as const satisfies RefusalTable<string>;

export const TICKET_DESK_REFUSALS = {
  TICKET_NOT_FOUND: [404, "No ticket found with this number."],
  TICKET_INVALID: [400, "Enter a reply first."],
  TICKET_FULL: [409, "This ticket is full and can only be closed."],
} as const satisfies RefusalTable<string>;

export type TicketRefusal = keyof typeof TICKET_REFUSALS;
export type ChatRefusal = keyof typeof CHAT_REFUSALS;
