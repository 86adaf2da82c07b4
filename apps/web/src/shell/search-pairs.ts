// Lets the header's search find trading pairs by code, coin or name. Registered while the search is open; requests
// once.
import { MARKET_CALLS, type Pair, type Quotation } from "@clockwork/trading/markets/contract";
import { useEffect } from "react";
import { useGlobalStore } from "#boot/state.ts";
import { useCalls } from "#session/auth-context.ts";
import { registerSearchSource, type SearchHit } from "./search-sources.ts";

function hitOf({ pairCode, base, quote, baseName }: Pair): SearchHit {
  return {
    path: `/spot/${pairCode}`,
    title: `${base}/${quote}`,
    note: baseName,
    found: { kind: "pair", key: pairCode },
  };
}

/** "btc", "btc/usdt", "BTC_USDT" and "bitcoin" all mean the same; a code that starts with the query comes first. */
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
    .map(hitOf);
}

const BUSIEST_MAX = 5;

/** What is traded most, for an empty search. Only to order rows: never money. */
export function listBusiest(pairs: readonly Pair[], quotations: readonly Quotation[]): readonly SearchHit[] {
  const byCode = new Map(pairs.map((pair) => [pair.pairCode, pair]));
  return quotations
    .filter(({ pairCode }) => pairCode.endsWith("_USDT"))
    .toSorted((left, right) => Number(right.turnover) - Number(left.turnover))
    .flatMap(({ pairCode }) => byCode.get(pairCode) ?? [])
    .slice(0, BUSIEST_MAX)
    .map(hitOf);
}

export function usePairSource(): void {
  const calls = useCalls();
  const store = useGlobalStore();
  useEffect(() => {
    let known: Promise<readonly Pair[]> | undefined;
    return registerSearchSource({
      id: "pairs",
      title: "Markets",
      find: async (query) => {
        known ??= (async () => {
          const answer = await (await calls()).call(MARKET_CALLS.pairs, {});
          return answer.ok ? answer.data : [];
        })();
        const pairs = await known;
        return query === "" ? listBusiest(pairs, store.getState().marketData) : findPairs(pairs, query);
      },
    });
  }, [calls, store]);
}
