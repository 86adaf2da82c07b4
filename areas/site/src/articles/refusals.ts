// Refusals of written pages and their console, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const READ_REFUSALS = {
  ARTICLE_NOT_FOUND: [404, "Article not found."],
} as const satisfies RefusalTable<string>;

export const COIN_REFUSALS = {
  COIN_UNKNOWN: [404, "No article about this coin."],
} as const satisfies RefusalTable<string>;

export const REFUSALS = {
  ARTICLE_NOT_FOUND: [404, "Article not found."],
  ARTICLE_INVALID: [
    400,
    "A title and a text of up to 2,000 lines are required, and every {{name}} must be a known company detail.",
  ],
  ARTICLE_CHANGED: [409, "Another operator has changed this. Reload it; your text is kept."],
  ARTICLES_FULL: [409, "The limit for this type is reached."],
} as const satisfies RefusalTable<string>;

export type SaveRefusal = keyof typeof REFUSALS;
