// The inbox: letters are written, listed, read; open pages receive the unread count at once.
import { cutPage } from "@clockwork/kit/pages/page";
import type { Kysely } from "kysely";
import type { LetterPage } from "./contract.ts";
import { type LetterStore, letterStore } from "./store.ts";

export interface LetterNeeds {
  /** Publishes the number of unread letters to the user's open pages. */
  publishUnread(userId: number, count: number): void;
}

interface Written {
  readonly kind: string;
  readonly title: string;
  readonly body: string;
  readonly path?: string | undefined;
}

const PAGE = 20;
const LETTERS_MAX = 1000;

export class LetterService {
  readonly #store: LetterStore;
  readonly #needs: LetterNeeds;

  constructor({ store, needs }: { store: LetterStore; needs: LetterNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  /** As part of the caller's transaction; `announce` when that has ended. */
  async writeWithin(
    inside: Kysely<unknown>,
    userId: number,
    { kind, title, body, path }: Written,
    timeMs: number,
  ): Promise<void> {
    const own = letterStore(inside);
    const id = await own.add({
      user_id: userId,
      kind,
      title,
      body,
      path: path ?? null,
      is_read: false,
      created_at_ms: timeMs,
    });
    if (id % PAGE === 0) await own.trim(userId, LETTERS_MAX);
  }

  /** Publishes the number of unread letters to open pages. */
  async announce(userId: number): Promise<void> {
    await this.#publish(userId);
  }

  async list(userId: number, filter: { before?: number; unreadOnly?: boolean }): Promise<LetterPage> {
    const rows = await this.#store.list(userId, filter, PAGE + 1);
    const { shown, end } = cutPage(rows, PAGE);
    return {
      letters: shown.map(({ id, kind, title, body, path, is_read, created_at_ms }) => ({
        id,
        kind,
        title,
        body,
        path,
        isRead: is_read,
        createdAtMs: created_at_ms,
      })),
      nextBefore: end?.id ?? null,
    };
  }

  countUnread(userId: number): Promise<number> {
    return this.#store.countUnread(userId);
  }

  /** Without ids, all of them. */
  async markRead(userId: number, ids: readonly number[] | undefined): Promise<number> {
    if (ids === undefined || ids.length > 0) await this.#store.markRead(userId, ids);
    return this.#publish(userId);
  }

  async #publish(userId: number): Promise<number> {
    const count = await this.#store.countUnread(userId);
    this.#needs.publishUnread(userId, count);
    return count;
  }
}
