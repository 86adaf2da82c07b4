// Refusals of written pages and their console, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const READ_REFUSALS = {
  ARTICLE_NOT_FOUND: [404, "There is no such article."],
} as const satisfies RefusalTable<string>;

export const COIN_REFUSALS = {
  COIN_UNKNOWN: [404, "Nothing is written about this coin."],
} as const satisfies RefusalTable<string>;

export const REFUSALS = {
  ARTICLE_NOT_FOUND: [404, "There is no such article."],
  ARTICLE_INVALID: [
    400,
    "A title is needed, a text of at most 2,000 lines, and every {{name}} in it must be a fact of the company.",
  ],
  ARTICLE_CHANGED: [409, "Somebody else has changed it meanwhile. Load it again; your text is still here."],
  ARTICLES_FULL: [409, "There are too many of this kind."],
} as const satisfies RefusalTable<string>;

export type SaveRefusal = keyof typeof REFUSALS;
