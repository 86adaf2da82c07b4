// Lets the header's search find trading pairs by code, coin or name. Registered while the search is open; asks once.
import type { Pair } from "@clockwork/domains/markets/api";
import { useEffect } from "react";
import { useCalls } from "./auth-context.ts";
import { registerSearchSource, type SearchHit } from "./search-sources.ts";

/** "btc", "btc/usdt", "BTC_USDT" and "bitcoin" all mean the same; a code that begins with the query comes first. */
export function findPairs(pairs: readonly Pair[], query: string): readonly SearchHit[] {
  const wanted = query
    .trim()
    .toLowerCase()
    .replaceAll(/[/\s-]+/g, "_");
  if (wanted === "") return [];
  const texts = ({ pairCode, base, quote, baseName }: Pair): string =>
    `${pairCode} ${base}${quote} ${baseName.replaceAll(" ", "_")}`.toLowerCase();
  return pairs
    .filter((pair) => texts(pair).includes(wanted))
    .toSorted(
      (left, right) =>
        Number(right.pairCode.toLowerCase().startsWith(wanted)) -
        Number(left.pairCode.toLowerCase().startsWith(wanted)),
    )
    .map((pair) => ({
      path: `/spot/${pair.pairCode}`,
      title: `${pair.base}/${pair.quote}`,
      note: pair.baseName,
      found: { kind: "pair", key: pair.pairCode },
    }));
}

export function usePairSource(): void {
  const calls = useCalls();
  useEffect(() => {
    let known: Promise<readonly Pair[]> | undefined;
    return registerSearchSource({
      id: "pairs",
      title: "Markets",
      find: async (query) => {
        known ??= (async () => {
          const answer = await (await calls()).get<readonly Pair[]>("/v1/spot/pairs", {});
          return answer.ok ? answer.data : [];
        })();
        return findPairs(await known, query);
      },
    });
  }, [calls]);
}
