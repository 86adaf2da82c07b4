// Use cases of editors: every document with its state and versions, writing, scheduling, pinning, withdrawing. What an
// editor has written is never overwritten by a release, nor silently by another editor.
import { done, type Result, refused } from "@clockwork/kit/result";
import {
  type ArticleKind,
  type ArticleNode,
  BODY_LINES_MAX,
  type ConsoleArticle,
  type ConsoleList,
  type ConsoleSummary,
  type ConsoleVersion,
  NEW_KINDS,
  type SaveBody,
} from "./contract.ts";
import { parseMarkdown } from "./markdown-rules.ts";
import { fillFacts, weighWords } from "./rules.ts";
import type { ArticleStore, DocumentRow } from "./store.ts";

export type SaveRefusal = "ARTICLE_NOT_FOUND" | "ARTICLE_INVALID" | "ARTICLE_CHANGED" | "ARTICLES_FULL";

/** Texts have no control characters other than tabs and line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const ARTICLES_MAX = 2_000;
const VERSIONS_SHOWN = 50;

export interface ArticleConsoleParts {
  readonly store: ArticleStore;
  readonly facts: Readonly<Record<string, string>>;
}

export class ArticleConsole {
  readonly #store: ArticleStore;
  readonly #facts: Readonly<Record<string, string>>;

  constructor({ store, facts }: ArticleConsoleParts) {
    this.#store = store;
    this.#facts = facts;
  }

  async read(kind: ArticleKind, slug: string, timeMs: number): Promise<Result<ConsoleArticle, "ARTICLE_NOT_FOUND">> {
    const row = await this.#store.findAny(kind, slug);
    if (row === undefined) return refused("ARTICLE_NOT_FOUND");
    const versions = await this.#store.listVersions(kind, slug, VERSIONS_SHOWN);
    return done({
      ...summarise(row, timeMs),
      body: row.body,
      versions: versions.map(({ version, title, changed_ms, changed_by }) => ({
        version,
        title,
        changedAtMs: changed_ms,
        changedBy: changed_by,
      })),
    });
  }

  async list(kind: ArticleKind, timeMs: number): Promise<ConsoleList> {
    return {
      articles: (await this.#store.listEvery(kind, ARTICLES_MAX)).map((row) => summarise(row, timeMs)),
    };
  }

  async readVersion(
    kind: ArticleKind,
    slug: string,
    version: number,
  ): Promise<Result<ConsoleVersion, "ARTICLE_NOT_FOUND">> {
    const row = await this.#store.findVersion(kind, slug, version);
    if (row === undefined) return refused("ARTICLE_NOT_FOUND");
    return done({ version: row.version, title: row.title, body: row.body });
  }

  async save(
    body: SaveBody,
    { by, timeMs }: { by: string; timeMs: number },
  ): Promise<Result<ConsoleArticle, SaveRefusal>> {
    const known = await this.#store.findAny(body.kind, body.slug);
    if ((known?.version ?? 0) !== body.baseVersion) return refused("ARTICLE_CHANGED");
    if (known === undefined && !NEW_KINDS.includes(body.kind)) return refused("ARTICLE_NOT_FOUND");
    const isTitled = body.title.trim() !== "" && !/\p{Cc}/u.test(`${body.title}${body.summary}`);
    const isText = !CONTROL.test(body.body) && !isTooLong(body.body);
    if (!isTitled || !isText || !this.#isFilled(`${body.summary}${body.body}`)) return refused("ARTICLE_INVALID");
    const row = rowOf(body, known, by, timeMs);
    const change = { row, by, words: weighWords(row) };
    const isSaved =
      known === undefined ? await this.#store.saveNew(change, ARTICLES_MAX) : (await this.#store.save([change])) === 1;
    if (isSaved === "full") return refused("ARTICLES_FULL");
    if (isSaved === false || isSaved === "changed") return refused("ARTICLE_CHANGED");
    return this.read(body.kind, body.slug, timeMs);
  }

  preview(text: string): Result<ArticleNode[], "ARTICLE_INVALID"> {
    if (isTooLong(text) || !this.#isFilled(text)) return refused("ARTICLE_INVALID");
    return done(parseMarkdown(fillFacts(text, this.#facts)));
  }

  #isFilled(text: string): boolean {
    try {
      fillFacts(text, this.#facts);
      return true;
    } catch {
      return false;
    }
  }
}

function isTooLong(text: string): boolean {
  return text.split("\n", BODY_LINES_MAX + 1).length > BODY_LINES_MAX;
}

function rowOf(body: SaveBody, known: DocumentRow | undefined, by: string, timeMs: number): DocumentRow {
  return {
    kind: body.kind,
    slug: body.slug,
    title: body.title.trim(),
    summary: body.summary.trim(),
    category: body.category,
    section: body.section,
    position: known?.position ?? 0,
    words: known?.words ?? "",
    body: body.body,
    is_pinned: body.isPinned,
    is_hot: body.isHot,
    published_ms: body.publishedAtMs,
    changed_ms: timeMs,
    version: (known?.version ?? 0) + 1,
    seed_hash: known?.seed_hash ?? "",
    edited_by: by,
    is_withdrawn: body.isWithdrawn,
  };
}

function summarise(row: DocumentRow, timeMs: number): ConsoleSummary {
  return {
    kind: row.kind,
    slug: row.slug,
    title: row.title,
    summary: row.summary,
    category: row.category,
    section: row.section,
    isPinned: row.is_pinned,
    isHot: row.is_hot,
    publishedAtMs: row.published_ms,
    changedAtMs: row.changed_ms,
    version: row.version,
    isWithdrawn: row.is_withdrawn,
    state: row.is_withdrawn ? "withdrawn" : row.published_ms > timeMs ? "scheduled" : "shown",
    editedBy: row.edited_by ?? "",
  };
}
