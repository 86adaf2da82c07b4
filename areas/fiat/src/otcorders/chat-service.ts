// The chat of an order: sealed at rest, pictures re-encoded, read marks, and the exchange's messages to both sides.

import type { IncomingFile } from "@clockwork/host/route";
import { EVIDENCE_MS, isOpen } from "@clockwork/kit/otc/order-machine";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { Kysely } from "kysely";
import { type ChatStore, type FileLine, type FileRow, FilesFull, type MessageRow } from "./chat-store.ts";
import type { Chat, ChatMessage, FileData, FileSize } from "./contract.ts";
import type { OrderNeeds } from "./needs.ts";
import type { OrderRefusal } from "./refusals.ts";
import { CHAT_AFTER_MS, FILES_MAX, MESSAGES_MAX, roleOf, SMALL_EDGE_PIXELS, SUPPORT, SYSTEM } from "./rules.ts";
import type { ComplaintRow, OrderRow, OrderStore } from "./store.ts";

type Outcome<Value> = Promise<Result<Value, OrderRefusal>>;

export class ChatService {
  readonly #store: ChatStore;
  readonly #orders: OrderStore;
  readonly #needs: OrderNeeds;

  constructor({ store, orders, needs }: { store: ChatStore; orders: OrderStore; needs: OrderNeeds }) {
    this.#store = store;
    this.#orders = orders;
    this.#needs = needs;
  }

  async list(userId: number, orderId: string, after: number): Outcome<Chat> {
    const order = await this.#own(userId, orderId);
    if (order === undefined) return refused("ORDER_UNKNOWN");
    const other = order.buyer_id === userId ? order.seller_id : order.buyer_id;
    const [rows, readByOther] = await Promise.all([
      this.#store.list(orderId, after),
      this.#store.readMark(orderId, other),
    ]);
    return done({ messages: rows.map((row) => this.#describe(row, order, userId)), readByOther });
  }

  async send(userId: number, orderId: string, text: string): Outcome<ChatMessage> {
    const order = await this.#own(userId, orderId);
    if (order === undefined) return refused("ORDER_UNKNOWN");
    const barred = await this.#bar(order);
    if (barred !== undefined) return refused(barred);
    const message = this.#message(order, userId, "text", text.normalize("NFC").trim());
    const row = await this.#store.addText(message, MESSAGES_MAX);
    if (row === undefined) return refused("CHAT_FULL");
    this.#publish(order, "message");
    return done(this.#describe(row, order, userId));
  }

  async #bar(order: OrderRow): Promise<OrderRefusal | undefined> {
    if (!isOpen(order.state) && this.#needs.now() - order.ended_ms > CHAT_AFTER_MS) return "CHAT_CLOSED";
    return (await this.#store.count(order.order_id)) >= MESSAGES_MAX ? "CHAT_FULL" : undefined;
  }

  /** Of the exchange or an operator. */
  async say(order: OrderRow, authorId: number, text: string): Promise<void> {
    await this.#store.add(this.#message(order, authorId, "text", text));
    this.#publish(order, "message");
  }

  /** The merchant's first words, in the transaction that places the order. */
  async greet(inside: Kysely<unknown>, order: OrderRow, text: string): Promise<void> {
    await this.#store.add(this.#message(order, order.maker_id, "text", text), inside);
  }

  /** A code both sides read in their own language, in the transaction of its event. */
  async note(inside: Kysely<unknown> | undefined, orderId: string, code: string): Promise<void> {
    const created_ms = this.#needs.now();
    const sealed = this.#seal(orderId, code);
    await this.#store.add({ order_id: orderId, author_id: SYSTEM, kind: "system", sealed, created_ms }, inside);
  }

  #message({ order_id }: OrderRow, author_id: number, kind: "text" | "picture", text: string): Omit<MessageRow, "id"> {
    return { order_id, author_id, kind, sealed: this.#seal(order_id, text), created_ms: this.#needs.now() };
  }

  #publish({ buyer_id, seller_id, order_id: orderId }: OrderRow, what: "message" | "order"): void {
    for (const userId of [buyer_id, seller_id]) this.#needs.publish(userId, { orderId, what });
  }

  async read(userId: number, orderId: string, messageId: number): Outcome<null> {
    const order = await this.#own(userId, orderId);
    if (order === undefined) return refused("ORDER_UNKNOWN");
    if (!(await this.#store.hasMessage(orderId, messageId))) return refused("MESSAGE_UNKNOWN");
    const other = order.buyer_id === userId ? order.seller_id : order.buyer_id;
    // Published once: two open pages that exchange read marks would never end.
    if (await this.#store.markRead(orderId, userId, messageId)) this.#needs.publish(other, { orderId, what: "read" });
    return done(null);
  }

  countUnread(userId: number, orderId: string): Promise<number> {
    return this.#store.countUnread(orderId, userId);
  }

  /** Nothing of the file is read unless the order is the caller's and below its limit. */
  async upload(userId: number, orderId: string, purpose: FileRow["purpose"], file: IncomingFile): Outcome<string> {
    const order = await this.#own(userId, orderId);
    if (order === undefined) return refused("ORDER_UNKNOWN");
    const barred = await this.#bar(order);
    if (barred !== undefined) return refused(barred);
    const complaint = purpose === "evidence" ? await this.#openComplaint(orderId) : undefined;
    if (complaint?.done === false) return complaint;
    const held = (await this.#store.listFiles(orderId)).filter((one) => one.user_id === userId);
    if (held.length >= FILES_MAX) return refused("FILES_FULL");
    const picture = await this.#needs.redrawPicture(await file.read(), { smallEdgePixels: SMALL_EDGE_PIXELS });
    if (picture === "invalid") return refused("FILE_INVALID");
    if (picture === "mixed") return refused("FILE_MIXED");
    if (picture === "busy") return refused("FILE_BUSY");
    const fileId = this.#needs.randomId();
    const row: FileRow = {
      file_id: fileId,
      order_id: orderId,
      user_id: userId,
      purpose,
      media_type: picture.mediaType,
      sealed: this.#needs.seal(picture.bytes, fileContext(orderId, fileId)),
      small_sealed: picture.small === undefined ? null : this.#needs.seal(picture.small, smallContext(orderId, fileId)),
      created_ms: this.#needs.now(),
    };
    if (complaint !== undefined) return this.#addEvidence(order, complaint.value, row);
    const message = this.#message(order, userId, "picture", fileId);
    if ((await this.#store.addPicture(row, message, FILES_MAX)) === undefined) return refused("FILES_FULL");
    this.#publish(order, "message");
    return done(fileId);
  }

  /** The complaint of an order, while both sides may still add to it. */
  async #openComplaint(orderId: string): Outcome<ComplaintRow> {
    const complaint = await this.#orders.findComplaintOf(orderId);
    if (complaint?.state !== "OPEN") return refused("COMPLAINT_UNKNOWN");
    return this.#needs.now() > complaint.opened_ms + EVIDENCE_MS ? refused("EVIDENCE_CLOSED") : done(complaint);
  }

  /**
   * A picture counts like a statement: stored with its line in the log, unless it was decided during the re-encoding.
   */
  async #addEvidence(order: OrderRow, complaint: ComplaintRow, row: FileRow): Outcome<string> {
    const by = row.user_id === order.buyer_id ? "buyer" : "seller";
    try {
      const hasListeners = await this.#orders.speak(complaint, { by }, row.created_ms, (inside) =>
        this.#store.addEvidence(row, inside, FILES_MAX),
      );
      if (!hasListeners) return refused("COMPLAINT_DECIDED");
    } catch (error) {
      if (error instanceof FilesFull) return refused("FILES_FULL");
      throw error;
    }
    this.#publish(order, "order");
    return done(row.file_id);
  }

  /** The order of a picture. */
  async orderOf(fileId: string): Promise<string | undefined> {
    return (await this.#store.findFile(fileId))?.order_id;
  }

  /** For either side of the order; operators pass no user. Without a small version the whole one is small enough. */
  async file(userId: number | undefined, fileId: string, size: FileSize = "full"): Outcome<FileData> {
    const row = await this.#store.findFile(fileId);
    if (row === undefined) return refused("FILE_UNKNOWN");
    if (userId !== undefined && (await this.#own(userId, row.order_id)) === undefined) return refused("FILE_UNKNOWN");
    const small = size === "small" ? await this.#store.readSmall(fileId) : undefined;
    if (small !== undefined) {
      const bytes = this.#needs.open(small, smallContext(row.order_id, fileId));
      return done({ mediaType: "image/jpeg", data: Buffer.from(bytes).toString("base64") });
    }
    const sealed = await this.#store.readSealed(fileId);
    if (sealed === undefined) return refused("FILE_UNKNOWN");
    const bytes = this.#needs.open(sealed, fileContext(row.order_id, fileId));
    return done({ mediaType: row.media_type, data: Buffer.from(bytes).toString("base64") });
  }

  listFiles(orderId: string): Promise<readonly FileLine[]> {
    return this.#store.listFiles(orderId);
  }

  /** For operators: both sides by their role. */
  async readAll(order: OrderRow): Promise<ChatMessage[]> {
    return (await this.#store.list(order.order_id, 0)).map((row) => this.#describe(row, order, undefined));
  }

  async #own(userId: number, orderId: string): Promise<OrderRow | undefined> {
    const order = await this.#orders.find(orderId);
    const isOwn = order !== undefined && roleOf(order, userId) !== undefined;
    return isOwn && order.state !== "REFUSED" && order.state !== "PLACING" ? order : undefined;
  }

  #describe(row: MessageRow, order: OrderRow, userId: number | undefined): ChatMessage {
    const { id, kind, created_ms: createdAtMs } = row;
    return { id, kind, createdAtMs, author: authorOf(row, order, userId), text: this.#open(row) };
  }

  #seal(orderId: string, text: string): Uint8Array {
    return this.#needs.seal(new TextEncoder().encode(text), chatContext(orderId));
  }

  #open(row: MessageRow): string {
    return new TextDecoder().decode(this.#needs.open(row.sealed, chatContext(row.order_id)));
  }
}

function authorOf(row: MessageRow, order: OrderRow, userId: number | undefined): ChatMessage["author"] {
  if (row.kind === "system") return "system";
  if (row.author_id === SUPPORT) return "support";
  if (userId === undefined) return row.author_id === order.buyer_id ? "buyer" : "seller";
  return row.author_id === userId ? "me" : "other";
}

const chatContext = (orderId: string): string => `otc-chat:${orderId}`;
const fileContext = (orderId: string, fileId: string): string => `otc-file:${orderId}:${fileId}`;
const smallContext = (orderId: string, fileId: string): string => `otc-file-small:${orderId}:${fileId}`;
