// What written pages say on the wire: documents as trees of plain nodes, lists, the help centre, search. The only file
// of the slice a browser may import. No node can hold markup: a tag comes from a closed list, everything else is text.
import { type Static, Type } from "typebox";

export const ARTICLE_KINDS = ["help", "announcement", "news", "legal", "course", "lesson"] as const;
export type ArticleKind = (typeof ARTICLE_KINDS)[number];

export const ARTICLE_TAGS = [
  "p",
  "h2",
  "h3",
  "ul",
  "ol",
  "li",
  "table",
  "thead",
  "tbody",
  "tr",
  "th",
  "td",
  "strong",
  "em",
  "code",
  "pre",
  "a",
  "hr",
  "blockquote",
  "br",
] as const;
export type ArticleTag = (typeof ARTICLE_TAGS)[number];

/** Text, or an element. `href` on links alone; `id` on headings alone. */
export type ArticleNode =
  | string
  | {
      readonly tag: ArticleTag;
      readonly children?: readonly ArticleNode[];
      readonly href?: string;
      readonly id?: string;
      readonly align?: "right" | "center";
      readonly start?: number;
    };

const Slug = Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,79}$", maxLength: 80 });
export const SlugQuery = Type.Object({ slug: Slug });

export const ArticleSummary = Type.Object({
  kind: Type.String(),
  slug: Type.String(),
  title: Type.String(),
  summary: Type.String(),
  category: Type.String(),
  section: Type.String(),
  isPinned: Type.Boolean(),
  isHot: Type.Boolean(),
  publishedAtMs: Type.Integer(),
  changedAtMs: Type.Integer(),
});
export type ArticleSummary = Static<typeof ArticleSummary>;

export const Article = Type.Object({
  ...ArticleSummary.properties,
  version: Type.Integer(),
  readingMinutes: Type.Integer(),
  /** Headings of the second level, for the table of contents. */
  contents: Type.Array(Type.Object({ id: Type.String(), title: Type.String() })),
  body: Type.Unsafe<ArticleNode[]>({ type: "array" }),
});
export type Article = Static<typeof Article>;

export const ListQuery = Type.Object({
  category: Type.Optional(Slug),
  /** Published before this instant; the `next` of the page before. */
  before: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
});
export const ArticleList = Type.Object({
  articles: Type.Array(ArticleSummary),
  categories: Type.Array(Type.String()),
  next: Type.Union([Type.Integer(), Type.Null()]),
});
export type ArticleList = Static<typeof ArticleList>;

export const ArticleLinks = Type.Object({ articles: Type.Array(ArticleSummary) });
export type ArticleLinks = Static<typeof ArticleLinks>;

export const HelpCentre = Type.Object({
  categories: Type.Array(
    Type.Object({
      key: Type.String(),
      title: Type.String(),
      sections: Type.Array(
        Type.Object({ key: Type.String(), title: Type.String(), articles: Type.Array(ArticleSummary) }),
      ),
    }),
  ),
});
export type HelpCentre = Static<typeof HelpCentre>;

export const SearchQuery = Type.Object({
  q: Type.String({ minLength: 1, maxLength: 80 }),
  kind: Type.Optional(Type.Enum([...ARTICLE_KINDS])),
});
export const SearchResult = Type.Object({ articles: Type.Array(ArticleSummary) });
