// The SQL of articles, in the subset both databases share.
import { type Kysely, sql, type Transaction } from "kysely";
import type { ArticleKind } from "./contract.ts";

export interface DocumentRow {
  readonly kind: ArticleKind;
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly category: string;
  readonly section: string;
  readonly position: number;
  readonly words: string;
  readonly body: string;
  readonly is_pinned: boolean;
  readonly is_hot: boolean;
  readonly published_ms: number;
  readonly changed_ms: number;
  readonly version: number;
  readonly seed_hash: string;
  readonly edited_by: string | null;
  readonly is_withdrawn: boolean;
}
export interface DocumentChange {
  readonly row: DocumentRow;
  readonly by: string;
  readonly words: ReadonlyMap<string, number>;
}
export type SummaryRow = Omit<DocumentRow, "body" | "words" | "seed_hash" | "edited_by" | "is_withdrawn">;

type ArticleTables = {
  articles_lock: { readonly name: string; readonly turns: number };
  articles_document: DocumentRow;
  articles_version: Pick<DocumentRow, "kind" | "slug" | "version" | "title" | "body" | "changed_ms"> & {
    readonly changed_by: string;
  };
  articles_word: { readonly word: string; readonly kind: ArticleKind; readonly slug: string; readonly weight: number };
};

export type ArticleStore = ReturnType<typeof articleStore>;

const SUMMARY = [
  "kind",
  "slug",
  "title",
  "summary",
  "category",
  "section",
  "position",
  "is_pinned",
  "is_hot",
  "published_ms",
  "changed_ms",
  "version",
] as const;
const ROWS_A_STATEMENT = 2_000;

export function articleStore(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<ArticleTables>();
  return { ...documentStore(tables), ...editStore(tables), ...searchStore(tables) };
}

function documentStore(tables: Kysely<ArticleTables>) {
  const shown = (kind: ArticleKind, timeMs: number) =>
    tables
      .selectFrom("articles_document")
      .where("kind", "=", kind)
      .where("is_withdrawn", "=", false)
      .where("published_ms", "<=", timeMs);
  return {
    listSeeds: () =>
      tables.selectFrom("articles_document").select(["kind", "slug", "seed_hash", "version", "edited_by"]).execute(),

    find: (kind: ArticleKind, slug: string, timeMs: number): Promise<DocumentRow | undefined> =>
      shown(kind, timeMs).where("slug", "=", slug).selectAll().executeTakeFirst(),

    listAll: (kind: ArticleKind, timeMs: number): Promise<SummaryRow[]> =>
      shown(kind, timeMs).select(SUMMARY).orderBy("position").orderBy("title").execute(),

    /** Whole documents of one kind, texts included; for kinds of which there are few. */
    listTexts: (kind: ArticleKind, timeMs: number): Promise<DocumentRow[]> =>
      shown(kind, timeMs).selectAll().orderBy("position").orderBy("slug").execute(),

    listNewest(
      kind: ArticleKind,
      timeMs: number,
      filter: { category?: string; before?: number; isHot?: true; isPinned?: true },
      limit: number,
    ): Promise<SummaryRow[]> {
      let query = shown(kind, timeMs).select(SUMMARY);
      if (filter.category !== undefined) query = query.where("category", "=", filter.category);
      if (filter.before !== undefined) query = query.where("published_ms", "<", filter.before);
      if (filter.isHot === true) query = query.where("is_hot", "=", true);
      if (filter.isPinned === true) query = query.where("is_pinned", "=", true);
      return query.orderBy("published_ms", "desc").orderBy("slug").limit(limit).execute();
    },

    listBodies: (kind: ArticleKind, slug: string, limit: number) =>
      tables
        .selectFrom("articles_version")
        .select(["version", "body", "changed_ms"])
        .where("kind", "=", kind)
        .where("slug", "=", slug)
        .orderBy("version", "desc")
        .limit(limit)
        .execute(),

    async listCategories(kind: ArticleKind, timeMs: number): Promise<string[]> {
      const rows = await shown(kind, timeMs).select("category").distinct().orderBy("category").execute();
      return rows.map(({ category }) => category);
    },
  };
}

/** For releases and editors, who write, and see unpublished pages. */
function editStore(tables: Kysely<ArticleTables>) {
  const versions = (kind: ArticleKind, slug: string) =>
    tables.selectFrom("articles_version").where("kind", "=", kind).where("slug", "=", slug);
  return {
    /**
     * Rows, earlier versions and words in one transaction: a reader never finds a document by words it does not have.
     * Returns how many were saved: a document that is no longer at the version before the new one is unchanged.
     */
    save: (changes: readonly DocumentChange[]): Promise<number> =>
      tables.transaction().execute(async (inside) => {
        const saved: DocumentChange[] = [];
        for (const change of changes) if (await saveDocument(inside, change)) saved.push(change);
        await insertWords(inside, saved);
        return saved.length;
      }),

    /** The first version of a document, unless its kind is at the limit or a concurrent save was first. */
    saveNew: (change: DocumentChange, countMax: number): Promise<"saved" | "changed" | "full"> =>
      tables.transaction().execute(async (inside) => {
        await inside
          .updateTable("articles_lock")
          .set((update) => ({ turns: update("turns", "+", 1) }))
          .execute();
        if ((await countKind(inside, change.row.kind)) >= countMax) return "full";
        if (!(await saveDocument(inside, change))) return "changed";
        await insertWords(inside, [change]);
        return "saved";
      }),

    findAny: (kind: ArticleKind, slug: string): Promise<DocumentRow | undefined> =>
      tables
        .selectFrom("articles_document")
        .selectAll()
        .where("kind", "=", kind)
        .where("slug", "=", slug)
        .executeTakeFirst(),

    listEvery: (kind: ArticleKind, limit: number): Promise<DocumentRow[]> =>
      tables
        .selectFrom("articles_document")
        .selectAll()
        .where("kind", "=", kind)
        .orderBy("published_ms", "desc")
        .orderBy("position")
        .orderBy("slug")
        .limit(limit)
        .execute(),

    listVersions: (kind: ArticleKind, slug: string, limit: number) =>
      versions(kind, slug)
        .select(["version", "title", "changed_ms", "changed_by"])
        .orderBy("version", "desc")
        .limit(limit)
        .execute(),

    findVersion: (kind: ArticleKind, slug: string, version: number) =>
      versions(kind, slug).select(["version", "title", "body"]).where("version", "=", version).executeTakeFirst(),
  };
}

function searchStore(tables: Kysely<ArticleTables>) {
  return {
    /** Documents that have every word, or a word with that prefix, heaviest first. */
    async search(words: readonly string[], kind: ArticleKind | undefined, timeMs: number, limit: number) {
      let query = tables
        .selectFrom("articles_word")
        .innerJoin("articles_document", (join) =>
          join
            .onRef("articles_document.kind", "=", "articles_word.kind")
            .onRef("articles_document.slug", "=", "articles_word.slug"),
        )
        .where("is_withdrawn", "=", false)
        .where("published_ms", "<=", timeMs)
        .where((where) =>
          where.or(
            // Bounds, not a pattern: they use an index and need no escaping.
            words.map((word) =>
              where.and([where("word", ">=", word), where("word", "<", `${word}${String.fromCodePoint(0x10ffff)}`)]),
            ),
          ),
        );
      if (kind !== undefined) query = query.where("articles_word.kind", "=", kind);
      return query
        .select(["articles_document.kind as kind", "articles_document.slug as slug", "word", "weight"])
        .orderBy("weight", "desc")
        .limit(limit)
        .execute();
    },

    async listBySlugs(keys: readonly { kind: ArticleKind; slug: string }[]): Promise<SummaryRow[]> {
      if (keys.length === 0) return [];
      return tables
        .selectFrom("articles_document")
        .select(SUMMARY)
        .where((where) =>
          where.or(keys.map(({ kind, slug }) => where.and([where("kind", "=", kind), where("slug", "=", slug)]))),
        )
        .execute();
    },
  };
}

async function countKind(tables: Kysely<ArticleTables>, kind: ArticleKind): Promise<number> {
  const row = await tables
    .selectFrom("articles_document")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("kind", "=", kind)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** False, without a change, when the stored document is not at the version before this one. */
async function saveDocument(tables: Transaction<ArticleTables>, { row, by }: DocumentChange): Promise<boolean> {
  const { kind, slug, version, title, body, changed_ms } = row;
  const written =
    version === 1
      ? await tables
          .insertInto("articles_document")
          .values(row)
          .onConflict((conflict) => conflict.columns(["kind", "slug"]).doNothing())
          .returning("version")
          .executeTakeFirst()
      : await tables
          .updateTable("articles_document")
          .set(row)
          .where("kind", "=", kind)
          .where("slug", "=", slug)
          .where("version", "=", version - 1)
          .returning("version")
          .executeTakeFirst();
  if (written === undefined) return false;
  await tables
    .insertInto("articles_version")
    .values({ kind, slug, version, title, body, changed_ms, changed_by: by })
    .execute();
  await tables.deleteFrom("articles_word").where("kind", "=", kind).where("slug", "=", slug).execute();
  return true;
}

async function insertWords(tables: Transaction<ArticleTables>, changes: readonly DocumentChange[]): Promise<void> {
  const entries = changes.flatMap(({ row: { kind, slug }, words }) =>
    [...words].map(([word, weight]) => ({ word, kind, slug, weight })),
  );
  for (let from = 0; from < entries.length; from += ROWS_A_STATEMENT) {
    await tables
      .insertInto("articles_word")
      .values(entries.slice(from, from + ROWS_A_STATEMENT))
      .onConflict((conflict) =>
        conflict.columns(["word", "kind", "slug"]).doUpdateSet({ weight: sql.ref("excluded.weight") }),
      )
      .execute();
  }
}
