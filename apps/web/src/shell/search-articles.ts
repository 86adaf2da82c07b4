// Lets the header's search find articles, lessons, announcements and legal documents. Registered while the search is open.
import { ARTICLE_CALLS } from "@clockwork/site/articles/contract";
import { useEffect } from "react";
import { articlePath } from "#boot/written-paths.ts";
import { useCalls } from "#session/auth-context.ts";
import { registerSearchSource } from "./search-sources.ts";

const LETTERS_MIN = 2;

export function useArticleSource(): void {
  const calls = useCalls();
  useEffect(
    () =>
      registerSearchSource({
        id: "articles",
        title: "Articles",
        find: async (query) => {
          if (query.trim().length < LETTERS_MIN) return [];
          const answer = await (await calls()).call(ARTICLE_CALLS.search, { q: query.trim() });
          if (!answer.ok) return [];
          return answer.data.articles.map((article) => ({
            path: articlePath(article),
            title: article.title,
            note: article.summary,
            found: { kind: "article", key: `${article.kind}/${article.slug}` },
          }));
        },
      }),
    [calls],
  );
}
