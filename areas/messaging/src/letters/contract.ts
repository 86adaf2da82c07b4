// The wire contract of letters. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";

const LetterId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const Letter = Type.Object({
  id: Type.Integer(),
  kind: Type.String(),
  title: Type.String(),
  body: Type.String(),
  /** The page it is about, below the site's root; null for none. */
  path: Type.Union([Type.String(), Type.Null()]),
  isRead: Type.Boolean(),
  createdAtMs: Type.Integer(),
});
export type Letter = Static<typeof Letter>;

export const LetterQuery = Type.Object({
  before: Type.Optional(LetterId),
  unreadOnly: Type.Optional(Type.Boolean()),
});

export const LetterPage = Type.Object({
  letters: Type.Array(Letter),
  nextBefore: Type.Union([Type.Integer(), Type.Null()]),
});
export type LetterPage = Static<typeof LetterPage>;

export const UnreadCount = Type.Object({ count: Type.Integer() });

/** The letters that were read; empty means all. */
export const ReadBody = Type.Object({ ids: Type.Optional(Type.Array(LetterId, { maxItems: 200 })) });

/** The private stream that publishes the unread count. */
export const LETTERS_CHANNEL = "letters";

export const LETTER_CALLS = {
  list: endpoint("GET", "/v2/users/letters", { query: LetterQuery, output: LetterPage }),
  unreadCount: endpoint("GET", "/v2/users/letters/unread-count", { output: UnreadCount }),
  read: endpoint("POST", "/v2/users/letters/read", { body: ReadBody, output: Type.Object({ count: Type.Integer() }) }),
};
