// Where the header's search looks. Pages are always there; pairs and articles join by registering a source when their
// slices exist. A source that fails is silent: the others still answer.
import type { FoundBody } from "@clockwork/site/searches/contract";
import { PAGES, type PageRoute } from "#boot/route-table.ts";

export interface SearchHit {
  /** A bare path. */
  readonly path: string;
  readonly title: string;
  readonly note?: string;
  /** What the exchange calls it, for counting what is found most. */
  readonly found?: FoundBody;
}

export interface SearchSource {
  readonly id: string;
  readonly title: string;
  readonly find: (query: string) => readonly SearchHit[] | Promise<readonly SearchHit[]>;
}

export interface SearchGroup {
  readonly id: string;
  readonly title: string;
  readonly hits: readonly SearchHit[];
}

/** What visitors look for most comes first; a source without a place comes last. */
const ORDER: readonly string[] = ["hot", "pairs", "pages", "articles"];
const HITS_MAX = 8;
const QUERY_MAX = 80;

/** A page anybody has, or one of every account: neither a step of sign-in, nor one thing by its number, nor the console. */
const isFindable = ({ path, file, hidden, signedIn }: PageRoute): boolean =>
  !/[:*]/.test(path) && (hidden !== true || (signedIn === true && !/^(?:auth|console)\//.test(file)));

/** Every word must be found; a title that begins with the query comes first. */
export function findPages(query: string): readonly SearchHit[] {
  const wanted = query.toLowerCase();
  const words = wanted.split(/\s+/);
  return PAGES.filter(isFindable)
    .filter((page) => {
      const text = `${page.title} ${page.words ?? ""} ${page.path}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .sort((a, b) => Number(b.title.toLowerCase().startsWith(wanted)) - Number(a.title.toLowerCase().startsWith(wanted)))
    .map((page) => ({ path: page.path, title: page.title, note: page.path }));
}

const sources: SearchSource[] = [{ id: "pages", title: "Pages", find: findPages }];

/** Adds or replaces a source. Answers the way to take it out again. */
export function registerSearchSource(source: SearchSource): () => void {
  const at = sources.findIndex((known) => known.id === source.id);
  if (at === -1) sources.push(source);
  else sources[at] = source;
  return () => {
    const now = sources.indexOf(source);
    if (now !== -1) sources.splice(now, 1);
  };
}

export async function search(query: string): Promise<readonly SearchGroup[]> {
  const wanted = query.trim().slice(0, QUERY_MAX);
  const groups = await Promise.all(
    sources.map(async (source) => {
      const hits = await Promise.resolve(source.find(wanted)).catch((): readonly SearchHit[] => []);
      return { id: source.id, title: source.title, hits: hits.slice(0, HITS_MAX) };
    }),
  );
  const place = ({ id }: SearchGroup): number => (ORDER.includes(id) ? ORDER.indexOf(id) : ORDER.length);
  return groups.filter((group) => group.hits.length > 0).sort((left, right) => place(left) - place(right));
}
