// The inbox: letters are written, listed, read; whoever looks on is told the unread count at once.
import type { Kysely } from "kysely";
import type { LetterPage } from "./api.ts";
import { type LetterStore, letterStore } from "./store.ts";

export interface LetterNeeds {
  /** Tells the user's open pages how many letters are unread. */
  publishUnread(userId: number, count: number): void;
}

export interface LetterService {
  /** As part of the caller's transaction; `announce` when that has ended. */
  writeWithin(
    inside: Kysely<unknown>,
    userId: number,
    letter: { readonly kind: string; readonly title: string; readonly body: string },
    timeMs: number,
  ): Promise<void>;
  /** Tells open pages how many letters are unread. */
  announce(userId: number): Promise<void>;
  list(userId: number, filter: { before?: number; unreadOnly?: boolean }): Promise<LetterPage>;
  countUnread(userId: number): Promise<number>;
  /** Without ids, all of them. */
  markRead(userId: number, ids: readonly number[] | undefined): Promise<number>;
}

const PAGE = 20;
const LETTERS_MAX = 1000;

export function letterService({ store, needs }: { store: LetterStore; needs: LetterNeeds }): LetterService {
  const publish = async (userId: number): Promise<number> => {
    const count = await store.countUnread(userId);
    needs.publishUnread(userId, count);
    return count;
  };
  return {
    async writeWithin(inside, userId, { kind, title, body }, timeMs) {
      const own = letterStore(inside);
      const id = await own.add({ user_id: userId, kind, title, body, is_read: false, created_at_ms: timeMs });
      if (id % PAGE === 0) await own.trim(userId, LETTERS_MAX);
    },
    async announce(userId) {
      await publish(userId);
    },
    async list(userId, filter) {
      const rows = await store.list(userId, filter, PAGE + 1);
      const shown = rows.slice(0, PAGE);
      return {
        letters: shown.map(({ id, kind, title, body, is_read, created_at_ms }) => ({
          id,
          kind,
          title,
          body,
          isRead: is_read,
          createdAtMs: created_at_ms,
        })),
        nextBefore: rows.length > PAGE ? (shown.at(-1)?.id ?? null) : null,
      };
    },
    countUnread: (userId) => store.countUnread(userId),
    async markRead(userId, ids) {
      if (ids === undefined || ids.length > 0) await store.markRead(userId, ids);
      return publish(userId);
    },
  };
}
