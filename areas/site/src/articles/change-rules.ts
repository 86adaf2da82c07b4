// The changes of one version of a document, by its sections. Never shows text of an earlier version: it may have been
// written while the document was withdrawn.
import type { ArticleNode } from "./contract.ts";
import { parseMarkdown, readText } from "./markdown-rules.ts";

export interface SectionChanges {
  /** Titles of sections that are new or read differently, in the order of the document. */
  readonly sections: readonly string[];
  readonly removedCount: number;
}

export function compareSections(before: string, after: string): SectionChanges {
  const earlier = splitSections(before);
  const later = splitSections(after);
  return {
    sections: [...later].filter(([title, text]) => earlier.get(title) !== text).map(([title]) => title),
    removedCount: [...earlier.keys()].filter((title) => !later.has(title)).length,
  };
}

/** Sections of the second level by title; text before the first belongs to none. */
function splitSections(markdown: string): Map<string, string> {
  const sections = new Map<string, ArticleNode[]>();
  let current: ArticleNode[] = [];
  for (const node of parseMarkdown(markdown)) {
    if (typeof node === "object" && node.tag === "h2") {
      const title = readText(node);
      // A title used twice is one section in two parts.
      current = sections.get(title) ?? [];
      sections.set(title, current);
    } else current.push(node);
  }
  return new Map([...sections].map(([title, nodes]) => [title, JSON.stringify(nodes)]));
}
