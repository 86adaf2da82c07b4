// The English words around the design documentation.
export const docsCatalogue = {
  "docs.title": "Design system",
  "docs.search": "Search the docs",
  "docs.open": "Open the exchange",
  "docs.pages": "Documentation",
  "docs.overview": "Overview",
  "docs.onPage": "On this page",
  "docs.source": "Source",
} as const;

export type DocsTextKey = keyof typeof docsCatalogue;
