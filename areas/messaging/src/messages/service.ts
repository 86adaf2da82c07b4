// Sending mails, SMS and pushes: stored first, sent by a loop, retried, given up with a report. Never makes a caller
// wait for a mail server, so that no response time reveals whether a message was sent.
import type { Kysely } from "kysely";
import { isWebToken } from "../push/web-subscription.ts";
import type { MessageNeeds, MessageSender } from "./needs.ts";
import {
  type Message,
  OUTBOX_MAX,
  openWith,
  packBody,
  retryDelayMs,
  sealContext,
  TRIES_MAX,
  unpackBody,
  VOID_MS,
} from "./rules.ts";
import { type MessageRow, type MessageState, type MessageStore, messageStore } from "./store.ts";

export interface OutboxEntry {
  readonly to: string;
  readonly kind: string;
  readonly subject: string;
  readonly text: string;
  readonly code: string | null;
  readonly unsubscribeUrl: string | null;
  readonly at: number;
}

const BATCH = 20;
const OUTBOX_PAGE = 100;
const LOOP_MS = 1000;

export class MessageService {
  readonly #store: MessageStore;
  readonly #needs: MessageNeeds;
  #added = 0;
  #hasNew = false;
  #wake: () => void = () => undefined;

  constructor({ store, needs }: { readonly store: MessageStore; readonly needs: MessageNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  /** Resolves when the message is stored; it will be sent, or reported. */
  async send(message: Message): Promise<void> {
    await this.#add(this.#store, message);
    this.#added += 1;
    if (this.#added % BATCH === 0) await this.#store.trimKept(OUTBOX_MAX);
    this.wake();
  }

  /** The same as part of the caller's transaction; `wake` when that has ended. */
  sendWithin(inside: Kysely<unknown>, message: Message): Promise<void> {
    return this.#add(messageStore(inside), message, inside);
  }

  /** There is something new to send. */
  wake(): void {
    this.#hasNew = true;
    this.#wake();
  }

  async #add(store: MessageStore, message: Message, inside?: Kysely<unknown>): Promise<void> {
    const nowMs = this.#needs.clock();
    const state = this.#firstState(message);
    // Here and nowhere else: every message to a person carries their word.
    const word = message.channel === "push" ? undefined : await this.#needs.antiPhishingOf(message.to, inside);
    const signed = { ...message, text: openWith(word, message.text) };
    if (state === "failed") {
      this.#needs.report("message.unsendable", { kind: message.kind, channel: message.channel });
    }
    await store.add({
      receiver: message.to,
      channel: message.channel,
      kind: message.kind,
      sealed: this.#needs.seal(packBody(signed), sealContext(message.to)),
      state,
      tries: 0,
      next_at_ms: nowMs,
      created_at_ms: nowMs,
    });
  }

  /** Sends pending messages; called by the loop and by tests. Returns how many were sent. */
  async sendWaiting(): Promise<number> {
    const nowMs = this.#needs.clock();
    const rows = await this.#store.listWaiting(nowMs, BATCH);
    const sent = await Promise.all(rows.map((row) => this.#deliver(row)));
    await this.#store.removeVoid(nowMs - VOID_MS);
    return sent.filter(Boolean).length;
  }

  /** The outbox, newest first. */
  async listOutbox(to: string | undefined): Promise<readonly OutboxEntry[]> {
    const rows = await this.#store.listKept(to, OUTBOX_PAGE);
    return rows.map((row) => {
      const {
        subject,
        text,
        code = null,
        unsubscribeUrl = null,
      } = unpackBody(this.#needs.open(row.sealed, sealContext(row.receiver)));
      return { to: row.receiver, kind: row.kind, subject, text, code, unsubscribeUrl, at: row.created_at_ms };
    });
  }

  /** Starts the loop; the returned function stops it and waits for what is under way. */
  start(everyMs = LOOP_MS): () => Promise<void> {
    let isStopped = false;
    const run = async (): Promise<void> => {
      while (!isStopped) {
        // Reset before reading: messages added while the mail server is busy are found by the next round.
        this.#hasNew = false;
        const sent = await this.sendWaiting().catch((error: unknown) => {
          this.#needs.report("message.loop.failed", { error });
          return 0;
        });
        if (sent < BATCH && !this.#hasNew && !isStopped) await this.#pause(everyMs);
      }
    };
    const running = run();
    return async () => {
      isStopped = true;
      this.#wake();
      await running;
    };
  }

  #pause(everyMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, everyMs);
      timer.unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #senderOf(channel: MessageRow["channel"], to: string): MessageSender | undefined {
    return channel === "push" && isWebToken(to) ? this.#needs.webPush : this.#needs[channel];
  }

  #firstState(message: Message): MessageState {
    if (message.isVoid === true) return "void";
    if (this.#senderOf(message.channel, message.to) !== undefined) return "waiting";
    return this.#needs.keepsOutbox ? "kept" : "failed";
  }

  async #deliver(row: MessageRow): Promise<boolean> {
    const sender = this.#senderOf(row.channel, row.receiver);
    if (sender === undefined) return false;
    try {
      const { code: _code, ...body } = unpackBody(this.#needs.open(row.sealed, sealContext(row.receiver)));
      await sender.send({ to: row.receiver, ...body });
      await this.#store.remove(row.id);
      return true;
    } catch (error) {
      const tries = row.tries + 1;
      const isLost = tries >= TRIES_MAX;
      const fields = { kind: row.kind, channel: row.channel, tries, error };
      this.#needs.report(isLost ? "message.lost" : "message.delayed", fields);
      if (isLost) await this.#store.setState(row.id, "failed");
      else await this.#store.postpone(row.id, tries, this.#needs.clock() + retryDelayMs(tries));
      return false;
    }
  }
}
