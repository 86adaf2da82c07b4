// The wire contract of written pages: documents as trees of plain nodes, lists, the help centre, search. The only file
// of the slice a browser may import. No node can hold markup: a tag comes from a closed list, everything else is text.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";
import { COIN_REFUSALS, READ_REFUSALS, REFUSALS } from "./refusals.ts";

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

/** Text, or an element. `href` only on links; `id` only on headings. */
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

/** Versions of a document, newest first, with their changes. */
export const ArticleChanges = Type.Object({
  versions: Type.Array(
    Type.Object({
      version: Type.Integer(),
      changedAtMs: Type.Integer(),
      /** The first stored version; it has nothing to compare with. */
      isFirst: Type.Boolean(),
      /** Titles of sections that are new or read differently. */
      sections: Type.Array(Type.String()),
      removedCount: Type.Integer(),
    }),
  ),
});
export type ArticleChanges = Static<typeof ArticleChanges>;

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

/** Kinds an editor may create; legal documents, courses and lessons come with the repository and are only changed. */
export const NEW_KINDS: readonly ArticleKind[] = ["help", "announcement", "news"];
export const BODY_LENGTH_MAX = 60_000;
/** More than ten times the longest page; parsing time grows with the lines. */
export const BODY_LINES_MAX = 2_000;

const Kind = Type.Enum([...ARTICLE_KINDS]);
const Instant = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 });

export const ConsoleListQuery = Type.Object({ kind: Kind });
export const ConsoleOneQuery = Type.Object({ kind: Kind, slug: Slug });
export const ConsoleVersionQuery = Type.Object({
  kind: Kind,
  slug: Slug,
  version: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
});

/** For operators: published or not, scheduled or withdrawn. */
export const ConsoleSummary = Type.Object({
  ...ArticleSummary.properties,
  version: Type.Integer(),
  isWithdrawn: Type.Boolean(),
  /** shown, scheduled or withdrawn, by the clock. */
  state: Type.Enum(["shown", "scheduled", "withdrawn"]),
  /** The last editor's number; empty for the repository's text. */
  editedBy: Type.String(),
});
export type ConsoleSummary = Static<typeof ConsoleSummary>;
export const ConsoleList = Type.Object({ articles: Type.Array(ConsoleSummary) });
export type ConsoleList = Static<typeof ConsoleList>;

export const ConsoleArticle = Type.Object({
  ...ConsoleSummary.properties,
  /** Markdown, with the names of facts still in it. */
  body: Type.String(),
  versions: Type.Array(
    Type.Object({
      version: Type.Integer(),
      title: Type.String(),
      changedAtMs: Type.Integer(),
      changedBy: Type.String(),
    }),
  ),
});
export type ConsoleArticle = Static<typeof ConsoleArticle>;
export const ConsoleVersion = Type.Object({ version: Type.Integer(), title: Type.String(), body: Type.String() });
export type ConsoleVersion = Static<typeof ConsoleVersion>;

export const SaveBody = Type.Object(
  {
    kind: Kind,
    slug: Slug,
    /** The version the editor started from; 0 for a new article. A concurrent change is not overwritten. */
    baseVersion: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    title: Type.String({ minLength: 1, maxLength: 200 }),
    summary: Type.String({ maxLength: 500 }),
    category: Slug,
    section: Type.String({ pattern: "^(?:[a-z0-9][a-z0-9-]{0,79})?$", maxLength: 80 }),
    body: Type.String({ maxLength: BODY_LENGTH_MAX }),
    isPinned: Type.Boolean(),
    isHot: Type.Boolean(),
    isWithdrawn: Type.Boolean(),
    /** Hidden before this time. */
    publishedAtMs: Instant,
  },
  { additionalProperties: false },
);
export type SaveBody = Static<typeof SaveBody>;

export const PreviewBody = Type.Object(
  { body: Type.String({ maxLength: BODY_LENGTH_MAX }) },
  { additionalProperties: false },
);
export const Preview = Type.Object({ body: Type.Unsafe<ArticleNode[]>({ type: "array" }) });
export type Preview = Static<typeof Preview>;

export const CoinQuery = Type.Object({ coin: Type.String({ pattern: "^[A-Za-z0-9]{1,12}$", maxLength: 12 }) });
/** The description of a coin, stored as content: no market figures. */
export const CoinInfo = Type.Object({
  symbol: Type.String(),
  name: Type.String(),
  about: Type.String(),
  /** The year of its first block or sale. */
  since: Type.Integer(),
  /** How its number changes, in words. */
  supply: Type.String(),
  /** The maximum supply; null without a fixed one. */
  maxSupply: Type.Union([Type.String(), Type.Null()]),
  links: Type.Array(Type.Object({ title: Type.String(), url: Type.String() })),
});
export type CoinInfo = Static<typeof CoinInfo>;

/** The two kinds published as a feed have the same response. */
export const ANNOUNCEMENT_CALLS = {
  list: endpoint("GET", "/v1/announcements/list", { query: ListQuery, output: ArticleList }),
  hot: endpoint("GET", "/v1/announcements/hot", { output: ArticleLinks }),
  pinned: endpoint("GET", "/v1/announcements/operation", { output: ArticleLinks }),
  one: endpoint("GET", "/v1/announcements/one", { query: SlugQuery, output: Article, refusals: READ_REFUSALS }),
};

export const NEWS_CALLS = {
  list: endpoint("GET", "/v1/news/list", { query: ListQuery, output: ArticleList }),
  hot: endpoint("GET", "/v1/news/hot", { output: ArticleLinks }),
  pinned: endpoint("GET", "/v1/news/operation", { output: ArticleLinks }),
  one: endpoint("GET", "/v1/news/one", { query: SlugQuery, output: Article, refusals: READ_REFUSALS }),
};

export const ARTICLE_CALLS = {
  notices: endpoint("GET", "/v1/home/notices", { output: ArticleLinks }),
  help: endpoint("GET", "/v1/help/centre", { output: HelpCentre }),
  helpArticle: endpoint("GET", "/v1/help/article", { query: SlugQuery, output: Article, refusals: READ_REFUSALS }),
  legal: endpoint("GET", "/v1/legal/list", { output: ArticleLinks }),
  legalOne: endpoint("GET", "/v1/legal/one", { query: SlugQuery, output: Article, refusals: READ_REFUSALS }),
  legalChanges: endpoint("GET", "/v1/legal/changes", {
    query: SlugQuery,
    output: ArticleChanges,
    refusals: READ_REFUSALS,
  }),
  search: endpoint("GET", "/v1/articles/search", { query: SearchQuery, output: SearchResult }),
  coin: endpoint("GET", "/v1/coins/one", { query: CoinQuery, output: CoinInfo, refusals: COIN_REFUSALS }),
};

export const ARTICLE_CONSOLE_CALLS = {
  list: endpoint("GET", "/v2/operators/articles", { query: ConsoleListQuery, output: ConsoleList }),
  one: endpoint("GET", "/v2/operators/articles/one", {
    query: ConsoleOneQuery,
    output: ConsoleArticle,
    refusals: REFUSALS,
  }),
  version: endpoint("GET", "/v2/operators/articles/version", {
    query: ConsoleVersionQuery,
    output: ConsoleVersion,
    refusals: REFUSALS,
  }),
  save: endpoint("POST", "/v2/operators/articles/save", { body: SaveBody, output: ConsoleArticle, refusals: REFUSALS }),
  preview: endpoint("POST", "/v2/operators/articles/preview", {
    body: PreviewBody,
    output: Preview,
    refusals: REFUSALS,
  }),
};
