// Use cases of written pages: importing the repository's texts, reading, listing, searching. Editing is the console's.
import { cutPage } from "@clockwork/kit/pages/page";
import { done, type Result, refused } from "@clockwork/kit/result";
import { compareSections } from "./change-rules.ts";
import type {
  Article,
  ArticleChanges,
  ArticleKind,
  ArticleLinks,
  ArticleList,
  ArticleSummary,
  HelpCentre,
} from "./contract.ts";
import { listContents, parseMarkdown } from "./markdown-rules.ts";
import { compareKeys, fillFacts, listWords, readingMinutes, type Seed, titleOf, weighWords } from "./rules.ts";
import type { ArticleStore, DocumentChange, DocumentRow, SummaryRow } from "./store.ts";

export interface ArticleParts {
  readonly store: ArticleStore;
  /** The operator's own facts, by the name documents call them. */
  readonly facts: Readonly<Record<string, string>>;
  hash(text: string): string;
}

export interface ArticleText {
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly category: string;
  readonly body: string;
  readonly minutes: number;
}

export interface ListFilter {
  readonly category?: string;
  readonly before?: number;
  readonly limit?: number;
}

const PAGE = 20;
const VERSIONS_SHOWN = 20;
const HOT = 6;
const FOUND_MAX = 20;
const QUERY_WORDS_MAX = 6;
const CANDIDATES_MAX = 2_000;

export class ArticleService {
  readonly #store: ArticleStore;
  readonly #facts: Readonly<Record<string, string>>;
  readonly #hash: ArticleParts["hash"];

  constructor({ store, facts, hash }: ArticleParts) {
    this.#store = store;
    this.#facts = facts;
    this.#hash = hash;
  }

  /** Imports what is new or has changed in the repository; an operator's edits are kept. Returns the count. */
  async importSeeds(seeds: readonly Seed[], timeMs: number): Promise<number> {
    const known = new Map((await this.#store.listSeeds()).map((row) => [`${row.kind}/${row.slug}`, row]));
    const changes: DocumentChange[] = [];
    for (const seed of seeds) {
      const seedHash = this.#hash(JSON.stringify(seed));
      const row = known.get(`${seed.kind}/${seed.slug}`);
      if (row === undefined ? seed.isWithdrawn : row.seed_hash === seedHash || row.edited_by !== null) continue;
      // A missing fact in a document is found here, at the start, and not by a reader.
      fillFacts(`${seed.summary}${seed.body}`, this.#facts);
      const next = rowOf(seed, seedHash, (row?.version ?? 0) + 1, timeMs);
      changes.push({ row: next, by: "release", words: weighWords(seed) });
    }
    return changes.length === 0 ? 0 : this.#store.save(changes);
  }

  async read(kind: ArticleKind, slug: string, timeMs: number): Promise<Result<Article, "ARTICLE_NOT_FOUND">> {
    const row = await this.#store.find(kind, slug, timeMs);
    return row === undefined ? refused("ARTICLE_NOT_FOUND") : done(this.#describe(row));
  }

  /** The newest versions of a document that is shown. */
  async readChanges(
    kind: ArticleKind,
    slug: string,
    timeMs: number,
  ): Promise<Result<ArticleChanges, "ARTICLE_NOT_FOUND">> {
    if ((await this.#store.find(kind, slug, timeMs)) === undefined) return refused("ARTICLE_NOT_FOUND");
    const rows = await this.#store.listBodies(kind, slug, VERSIONS_SHOWN + 1);
    return done({ versions: describeVersions(rows, this.#facts).slice(0, VERSIONS_SHOWN) });
  }

  /** Whole documents as Markdown, facts filled in, for slices that read more out of them than a page does. */
  async listTexts(kind: ArticleKind, timeMs: number): Promise<readonly ArticleText[]> {
    const rows = await this.#store.listTexts(kind, timeMs);
    return rows.map(({ slug, title, summary, category, body }) => {
      const text = fillFacts(body, this.#facts);
      return { slug, title, summary, category, body: text, minutes: readingMinutes(text) };
    });
  }

  async listNewest(kind: ArticleKind, { limit = PAGE, ...filter }: ListFilter, timeMs: number): Promise<ArticleList> {
    const rows = await this.#store.listNewest(kind, timeMs, filter, limit + 1);
    const { shown, end } = cutPage(rows, limit);
    return {
      ...this.#links(shown),
      categories: await this.#store.listCategories(kind, timeMs),
      next: end?.published_ms ?? null,
    };
  }

  async listHot(kind: ArticleKind, timeMs: number): Promise<ArticleLinks> {
    return this.#links(await this.#store.listNewest(kind, timeMs, { isHot: true }, HOT));
  }

  async listPinned(kind: ArticleKind, timeMs: number): Promise<ArticleLinks> {
    return this.#links(await this.#store.listNewest(kind, timeMs, { isPinned: true }, HOT));
  }

  async listAll(kind: ArticleKind, timeMs: number): Promise<ArticleLinks> {
    return this.#links(await this.#store.listAll(kind, timeMs));
  }

  async readHelp(timeMs: number): Promise<HelpCentre> {
    return arrangeHelp(this.#links(await this.#store.listAll("help", timeMs)).articles);
  }

  async search(text: string, kind: ArticleKind | undefined, timeMs: number): Promise<ArticleLinks> {
    return this.#links(await searchRows(this.#store, text, kind, timeMs));
  }

  /** Announcements for all visitors of the home page: pinned first, then hot, each once. */
  async listNotices(timeMs: number): Promise<ArticleLinks> {
    const [pinned, hot] = await Promise.all([
      this.#store.listNewest("announcement", timeMs, { isPinned: true }, HOT),
      this.#store.listNewest("announcement", timeMs, { isHot: true }, HOT),
    ]);
    const rest = hot.filter(({ slug }) => pinned.every((row) => row.slug !== slug));
    return this.#links([...pinned, ...rest].slice(0, HOT));
  }

  #describe(row: DocumentRow): Article {
    const text = fillFacts(row.body, this.#facts);
    const body = parseMarkdown(text);
    return {
      ...summarise(row, this.#facts),
      version: row.version,
      readingMinutes: readingMinutes(text),
      contents: listContents(body),
      body,
    };
  }

  #links(rows: readonly SummaryRow[]): ArticleLinks {
    return { articles: rows.map((row) => summarise(row, this.#facts)) };
  }
}

function describeVersions(
  rows: readonly Pick<DocumentRow, "version" | "body" | "changed_ms">[],
  facts: Readonly<Record<string, string>>,
): ArticleChanges["versions"] {
  return rows.map(({ version, body, changed_ms }, at) => {
    const before = rows[at + 1];
    const { sections, removedCount } =
      before === undefined ? { sections: [], removedCount: 0 } : compareSections(before.body, body);
    return {
      version,
      changedAtMs: changed_ms,
      isFirst: before === undefined,
      sections: sections.map((title) => fillTitle(title, facts)),
      removedCount,
    };
  });
}

/** An old version may name a fact that no longer exists; it is shown all the same. */
function fillTitle(title: string, facts: Readonly<Record<string, string>>): string {
  try {
    return fillFacts(title, facts);
  } catch {
    return title.replace(/\{\{[^}]*\}\}/g, "…");
  }
}

async function searchRows(
  store: ArticleStore,
  text: string,
  kind: ArticleKind | undefined,
  timeMs: number,
): Promise<SummaryRow[]> {
  const words = [...new Set(listWords(text))].slice(0, QUERY_WORDS_MAX);
  if (words.length === 0) return [];
  const hits = await store.search(words, kind, timeMs, CANDIDATES_MAX);
  const best = rankHits(hits, words).slice(0, FOUND_MAX);
  const rows = new Map((await store.listBySlugs(best)).map((row) => [`${row.kind}/${row.slug}`, row]));
  return best.flatMap(({ kind: of, slug }) => rows.get(`${of}/${slug}`) ?? []);
}

function rowOf(seed: Seed, seedHash: string, version: number, timeMs: number): DocumentRow {
  return {
    kind: seed.kind,
    slug: seed.slug,
    title: seed.title,
    summary: seed.summary,
    category: seed.category,
    section: seed.section,
    position: seed.position,
    words: seed.words,
    body: seed.body,
    is_pinned: seed.isPinned,
    is_hot: seed.isHot,
    published_ms: seed.publishedMs,
    changed_ms: Math.min(seed.changedMs, timeMs),
    version,
    seed_hash: seedHash,
    edited_by: null,
    is_withdrawn: seed.isWithdrawn === true,
  };
}

function summarise(row: SummaryRow, facts: Readonly<Record<string, string>>): ArticleSummary {
  return {
    kind: row.kind,
    slug: row.slug,
    title: row.title,
    summary: fillFacts(row.summary, facts),
    category: row.category,
    section: row.section,
    isPinned: row.is_pinned,
    isHot: row.is_hot,
    publishedAtMs: row.published_ms,
    changedAtMs: row.changed_ms,
  };
}

function arrangeHelp(articles: readonly ArticleSummary[]): HelpCentre {
  const categories = new Map<string, Map<string, ArticleSummary[]>>();
  for (const article of articles) {
    const sections = categories.get(article.category) ?? new Map<string, ArticleSummary[]>();
    categories.set(article.category, sections);
    sections.set(article.section, [...(sections.get(article.section) ?? []), article]);
  }
  return {
    categories: [...categories]
      .sort(([left], [right]) => compareKeys("category", left, right))
      .map(([key, sections]) => ({
        key,
        title: titleOf(key),
        sections: [...sections]
          .sort(([left], [right]) => compareKeys("section", left, right))
          .map(([section, list]) => ({ key: section, title: titleOf(section), articles: list })),
      })),
  };
}

/** Every word must match; an exact match counts more than a prefix. */
function rankHits<Hit extends { kind: ArticleKind; slug: string; word: string; weight: number }>(
  hits: readonly Hit[],
  words: readonly string[],
): { kind: ArticleKind; slug: string }[] {
  const scores = new Map<string, { kind: ArticleKind; slug: string; met: Map<string, number> }>();
  for (const { kind, slug, word, weight } of hits) {
    const key = `${kind}/${slug}`;
    const entry = scores.get(key) ?? { kind, slug, met: new Map<string, number>() };
    scores.set(key, entry);
    for (const requested of words) {
      if (!word.startsWith(requested)) continue;
      const score = word === requested ? weight * 3 : weight;
      entry.met.set(requested, Math.max(entry.met.get(requested) ?? 0, score));
    }
  }
  return [...scores.values()]
    .filter(({ met }) => met.size === words.length)
    .map(({ kind, slug, met }) => ({ kind, slug, score: [...met.values()].reduce((sum, score) => sum + score, 0) }))
    .sort((left, right) => right.score - left.score || (left.slug < right.slug ? -1 : 1));
}
