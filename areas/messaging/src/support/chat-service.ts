// Use cases of the support chat: writing, reading earlier messages, pictures. Conversations are tickets; operators
// answer them in the console of tickets.

import type { IncomingFile } from "@clockwork/host/route";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import { answerAsAgent } from "./agent-rules.ts";
import type { ChatEntry, ChatRow, ChatStore, Kept } from "./chat-store.ts";
import type { ConsoleStore } from "./console-store.ts";
import type { Chat, ChatMessage, ChatState } from "./contract.ts";
import { ATTACHMENTS_MAX, type ConsoleFile } from "./contract.ts";
import type { ChatNeeds } from "./needs.ts";
import type { ChatRefusal } from "./refusals.ts";
import { cleanFileName, cleanMessage, formatKey, formatNumber, KEY_ALPHABET, NUMBER_ALPHABET } from "./rules.ts";
import { EXTENSIONS } from "./service.ts";
import type { SupportStore, TicketRow } from "./store.ts";

type Outcome<Value> = Promise<Result<Value, ChatRefusal>>;

const PAGE = 50;
const MESSAGES_MAX = 200;
const CHATS_PER_DAY = 5;

export interface ChatParts {
  readonly chats: ChatStore;
  readonly tickets: Pick<SupportStore, "listFiles" | "listMessages" | "reply">;
  readonly files: Pick<ConsoleStore, "findFile">;
  readonly needs: ChatNeeds;
}

export class SupportChat {
  readonly #parts: ChatParts;

  constructor(parts: ChatParts) {
    this.#parts = parts;
  }

  async read(userId: number, { after, before }: { readonly after?: number; readonly before?: number }): Promise<Chat> {
    const { chats } = this.#parts;
    const isOn = after !== undefined && before === undefined;
    const rows = isOn
      ? await chats.list(userId, after, PAGE)
      : await chats.listBefore(userId, before ?? Number.MAX_SAFE_INTEGER, PAGE + 1);
    const [state, current] = await Promise.all([chats.readState(userId), chats.findCurrent(userId)]);
    const hasMore = !isOn && rows.length > PAGE;
    const shown = hasMore ? rows.slice(1) : rows;
    return { ...state, messages: shown.map(describe), state: current?.state ?? null, hasMore };
  }

  readState(userId: number): Promise<ChatState> {
    return this.#parts.chats.readState(userId);
  }

  async write(userId: number, words: string, clientId: string, timeMs: number): Outcome<ChatMessage> {
    const { chats, needs } = this.#parts;
    const entry = { userId, clientId, text: cleanMessage(words), timeMs };
    const name = await needs.nicknameOf(userId, timeMs);
    const bounds = { messagesMax: MESSAGES_MAX, sinceMs: timeMs - DAY_MS, ticketsMax: CHATS_PER_DAY };
    const kept = await chats.write(entry, bounds, () => this.#makeTicket(userId, name, timeMs));
    return kept === undefined ? refused("CHATS_TOO_MANY") : done(await this.#notify(kept, timeMs));
  }

  /** Nothing of the picture is read unless there is a conversation below its limit. */
  async attach(
    entry: Omit<ChatEntry, "text">,
    { name, file }: { readonly name: string; readonly file: IncomingFile },
  ): Outcome<ChatMessage> {
    const { chats, tickets, needs } = this.#parts;
    const current = await chats.findCurrent(entry.userId);
    if (current === undefined || current.state === "closed") return refused("CHAT_EMPTY");
    if ((await tickets.listFiles(current.number)).length >= ATTACHMENTS_MAX) return refused("ATTACHMENTS_FULL");
    const picture = await needs.redrawPicture(await file.read());
    if (picture === "invalid") return refused("ATTACHMENT_INVALID");
    if (picture === "mixed") return refused("ATTACHMENT_MIXED");
    if (picture === "busy") return refused("ATTACHMENT_BUSY");
    const { bytes, mediaType: media_type } = picture;
    const text = cleanFileName(name, EXTENSIONS[media_type] ?? "bin");
    const kept = await chats.attach({ ...entry, text }, { name: text, media_type, bytes }, ATTACHMENTS_MAX);
    return kept === undefined ? refused("ATTACHMENTS_FULL") : done(await this.#notify(kept, entry.timeMs));
  }

  async markRead(userId: number, id: number): Promise<void> {
    if (await this.#parts.chats.markRead(userId, id)) await this.#parts.needs.read(userId);
  }

  async readFile(userId: number, id: number): Outcome<ConsoleFile> {
    const number = await this.#parts.chats.findFile(userId, id);
    const file = number === undefined ? undefined : await this.#parts.files.findFile(number, id);
    if (file === undefined) return refused("FILE_UNKNOWN");
    return done({ mediaType: file.media_type, data: Buffer.from(file.bytes).toString("base64") });
  }

  async #notify({ message, ticket, isNew }: Kept, timeMs: number): Promise<ChatMessage> {
    if (isNew) {
      await this.#parts.needs.wrote(ticket, "visitor");
      if (this.#parts.needs.hasSimulatedAgent) await this.#answer(ticket, timeMs);
    }
    return describe(message);
  }

  async #answer(ticket: Kept["ticket"], timeMs: number): Promise<void> {
    const { tickets, needs, chats } = this.#parts;
    const text = answerAsAgent(await tickets.listMessages(ticket.number));
    if (text === null) return;
    // The ticket remains open: a program's answer is not a person's.
    const state = (await chats.findCurrent(ticket.user_id ?? 0))?.state ?? "received";
    const message = { author: "simulated", text, created_ms: timeMs } as const;
    if (await tickets.reply(ticket.number, message, state, MESSAGES_MAX)) await needs.wrote(ticket, "simulated");
  }

  #makeTicket(userId: number, name: string, timeMs: number): TicketRow {
    const { needs } = this.#parts;
    return {
      number: formatNumber(needs.randomText(NUMBER_ALPHABET, 8)),
      // Of a key that is not given out: the conversation opens only in its owner's session.
      key_hash: needs.hash(formatKey(needs.randomText(KEY_ALPHABET, 16))),
      kind: "chat",
      topic: "other",
      name,
      email: "",
      user_id: userId,
      level: needs.levelOf(userId),
      state: "received",
      created_ms: timeMs,
      updated_ms: timeMs,
    };
  }
}

function describe({ id, author, text, file_id, created_ms }: ChatRow): ChatMessage {
  return { id, author, text, fileId: file_id, createdAtMs: created_ms };
}
