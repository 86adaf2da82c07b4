// What visitors find most, shown while nothing is typed; and the counting of what a search led to. Registered while the
// search is open. Never sends what a visitor typed.
import { type FoundBody, type HotList, SEARCH_CALLS } from "@clockwork/site/searches/contract";
import { useCallback, useEffect } from "react";
import { articlePath } from "#boot/written-paths.ts";
import { useCalls } from "#session/auth-context.ts";
import { registerSearchSource, type SearchHit } from "./search-sources.ts";

/** The address of a search result; nothing for a kind this release does not support. */
export function hotHits({ searches }: HotList): readonly SearchHit[] {
  return searches.map(({ kind, key, title, category }) => {
    const found = { kind, key };
    if (kind === "pair") return { path: `/spot/${key}`, title, found };
    const [of = "", slug = ""] = key.split("/");
    return { path: articlePath({ kind: of, slug, category }), title, found };
  });
}

/** Answers the way to count a hit that was opened. */
export function useHotSource(title: string): (found: FoundBody) => void {
  const calls = useCalls();
  useEffect(() => {
    let known: Promise<readonly SearchHit[]> | undefined;
    return registerSearchSource({
      id: "hot",
      title,
      find: (query) => {
        if (query !== "") return [];
        known ??= (async () => {
          const answer = await (await calls()).call(SEARCH_CALLS.hot, {});
          return answer.ok ? hotHits(answer.data) : [];
        })();
        return known;
      },
    });
  }, [calls, title]);
  return useCallback(
    (found) => {
      void calls().then((client) => client.call(SEARCH_CALLS.found, found, { anonymous: true }));
    },
    [calls],
  );
}
