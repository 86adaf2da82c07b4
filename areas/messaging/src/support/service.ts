// Use cases of the forms: open a ticket, add pictures, read it with its key, write once more. Staff answer through
// `answer`.

import type { IncomingFile } from "@clockwork/host/route";
import { isPersonalEmail } from "@clockwork/kit/mail-domains";
import type { Result } from "@clockwork/kit/result";
import {
  ATTACHMENTS_MAX,
  type Author,
  type FormKind,
  type OpenedTicket,
  OWN_TICKETS_MAX,
  type OwnTickets,
  type Ticket,
  type TicketBody,
} from "./contract.ts";
import type { SupportNeeds } from "./needs.ts";
import type { TicketRefusal } from "./refusals.ts";
import {
  checkTicket,
  cleanFileName,
  cleanText,
  type FieldFault,
  formatKey,
  formatNumber,
  KEY_ALPHABET,
  mayBeAnonymous,
  NUMBER_ALPHABET,
} from "./rules.ts";
import type { SupportStore, TicketRow } from "./store.ts";

export type SupportResult<Value> =
  | { readonly done: true; readonly value: Value }
  | { readonly done: false; readonly code: TicketRefusal; readonly fields?: Readonly<Record<string, FieldFault>> };

const MESSAGES_MAX = 50;
/** The limit for staff in a chat: above its owner's, who continues in another one. */
const CHAT_MESSAGES_MAX = 250;
export const EXTENSIONS: Readonly<Record<string, string>> = { "image/jpeg": "jpg", "image/png": "png" };

export class SupportService {
  readonly #store: SupportStore;
  readonly #needs: SupportNeeds;

  constructor({ store, needs }: { store: SupportStore; needs: SupportNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async open(body: TicketBody, userId: number | null, timeMs: number): Promise<SupportResult<OpenedTicket>> {
    const text = cleanText(body);
    const fields = checkTicket(body.kind, text, isPersonalEmail);
    if (Object.keys(fields).length > 0) return { done: false, code: "TICKET_INVALID", fields };
    if (!(await this.#needs.isCaptchaSolved(body.captcha, timeMs))) return { done: false, code: "CAPTCHA_REQUIRED" };
    const number = formatNumber(this.#needs.randomText(NUMBER_ALPHABET, 8));
    const key = formatKey(this.#needs.randomText(KEY_ALPHABET, 16));
    // A bot that fills in the hidden field gets a normal response, and nothing is stored.
    if ((body.website ?? "") !== "") return { done: true, value: { number, key } };
    // An anonymous report does not store its user, not even through the session.
    const writer = mayBeAnonymous(body.kind) ? null : userId;
    const ticket: TicketRow = {
      number,
      key_hash: this.#needs.hash(key),
      kind: body.kind,
      topic: text.topic,
      name: text.name,
      email: text.email,
      user_id: writer,
      level: writer === null ? 0 : this.#needs.levelOf(writer),
      state: "received",
      created_ms: timeMs,
      updated_ms: timeMs,
    };
    await this.#store.open(ticket, { author: "visitor", text: text.message, created_ms: timeMs });
    await this.#needs.wrote(ticket, "visitor");
    // A report sends no mail: the mailbox may be read by the people it is about.
    if (!mayBeAnonymous(body.kind) && (await this.#needs.mayWriteTo(text.email, timeMs)))
      await this.#needs.sendMail(text.email, { kind: "opened", number });
    return { done: true, value: { number, key } };
  }

  /** A visitor adds a picture to a ticket. Nothing of it is read unless the ticket exists and is below its limit. */
  async attach(number: string, key: string, name: string, file: IncomingFile): Promise<SupportResult<null>> {
    return (await this.#findTicket(number, key)) === undefined
      ? { done: false, code: "TICKET_NOT_FOUND" }
      : keepPicture({ store: this.#store, needs: this.#needs }, number, name, file);
  }

  async read(number: string, key: string): Promise<SupportResult<Ticket>> {
    const row = await this.#findTicket(number, key);
    return row === undefined
      ? { done: false, code: "TICKET_NOT_FOUND" }
      : { done: true, value: await this.#describe(row) };
  }

  /** A visitor adds to a ticket. */
  async write(number: string, key: string, message: string, timeMs: number): Promise<SupportResult<Ticket>> {
    return this.#add(await this.#findTicket(number, key), "visitor", message.trim(), "in-progress", timeMs);
  }

  async listOwn(userId: number): Promise<OwnTickets> {
    const rows = await this.#store.listOwn(userId, OWN_TICKETS_MAX);
    return {
      tickets: rows.map(({ number, kind, topic, state, created_ms, updated_ms }) => ({
        number,
        kind: kind as FormKind,
        topic,
        state,
        createdAtMs: created_ms,
        updatedAtMs: updated_ms,
      })),
    };
  }

  async readOwn(userId: number, number: string): Promise<SupportResult<Ticket>> {
    const row = await this.#findOwn(userId, number);
    return row === undefined
      ? { done: false, code: "TICKET_NOT_FOUND" }
      : { done: true, value: await this.#describe(row) };
  }

  /** Its writer adds to a ticket, signed in. */
  async writeOwn(userId: number, number: string, message: string, timeMs: number): Promise<SupportResult<Ticket>> {
    return this.#add(await this.#findOwn(userId, number), "visitor", message.trim(), "in-progress", timeMs);
  }

  /** An answer of staff; called by the console. */
  async answer(
    number: string,
    message: string,
    state: string,
    timeMs: number,
  ): Promise<Result<Ticket, Extract<TicketRefusal, "TICKET_NOT_FOUND" | "TICKET_FULL">>> {
    return this.#add(await this.#store.find(number), "staff", message, state, timeMs);
  }

  #describe(row: TicketRow): Promise<Ticket> {
    return describeTicket(this.#store, row);
  }

  /** A wrong key and an unknown number are not distinguished. */
  async #findTicket(number: string, key: string): Promise<TicketRow | undefined> {
    const row = await this.#store.find(number);
    return row !== undefined && row.key_hash === this.#needs.hash(key) ? row : undefined;
  }

  /** Another user's ticket and an unknown number are not distinguished. */
  async #findOwn(userId: number, number: string): Promise<TicketRow | undefined> {
    const row = await this.#store.find(number);
    return row?.user_id === userId && row.kind !== "chat" ? row : undefined;
  }

  async #add(row: TicketRow | undefined, author: Author, text: string, state: string, timeMs: number) {
    if (row === undefined) return { done: false, code: "TICKET_NOT_FOUND" } as const;
    const messagesMax = row.kind === "chat" ? CHAT_MESSAGES_MAX : MESSAGES_MAX;
    if (!(await this.#store.reply(row.number, { author, text, created_ms: timeMs }, state, messagesMax)))
      return { done: false, code: "TICKET_FULL" } as const;
    await this.#needs.wrote(row, author);
    if (author === "staff" && row.email !== "")
      await this.#needs.sendMail(row.email, { kind: "answered", number: row.number });
    return { done: true, value: await this.#describe({ ...row, state, updated_ms: timeMs }) } as const;
  }
}

async function describeTicket(store: SupportStore, row: TicketRow): Promise<Ticket> {
  const messages = await store.listMessages(row.number);
  return {
    number: row.number,
    kind: row.kind,
    topic: row.topic,
    state: row.state,
    createdAtMs: row.created_ms,
    updatedAtMs: row.updated_ms,
    attachments: (await store.listFiles(row.number)).map(({ name }) => name),
    messages: messages.map(({ author, text, created_ms }) => ({ author, text, createdAtMs: created_ms })),
  };
}

async function keepPicture(
  { store, needs }: { readonly store: SupportStore; readonly needs: SupportNeeds },
  number: string,
  name: string,
  file: IncomingFile,
): Promise<SupportResult<null>> {
  const full = { done: false, code: "ATTACHMENTS_FULL" } as const;
  if ((await store.listFiles(number)).length >= ATTACHMENTS_MAX) return full;
  const picture = await needs.redrawPicture(await file.read());
  if (picture === "invalid") return { done: false, code: "ATTACHMENT_INVALID" };
  if (picture === "mixed") return { done: false, code: "ATTACHMENT_MIXED" };
  if (picture === "busy") return { done: false, code: "ATTACHMENT_BUSY" };
  const { bytes, mediaType: media_type } = picture;
  const row = { name: cleanFileName(name, EXTENSIONS[media_type] ?? "bin"), media_type, bytes };
  return (await store.attach(number, row, ATTACHMENTS_MAX)) ? { done: true, value: null } : full;
}
