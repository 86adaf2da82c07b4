// Use cases of market data: what is listed, what stands in the books, what traded. Reads; never changes a market.
import type { Pair } from "./api.ts";
import type { MarketNeeds } from "./needs.ts";
import { describePair } from "./rules.ts";

export interface MarketService {
  listPairs(): Pair[];
}

export function marketService({ needs }: { readonly needs: MarketNeeds }): MarketService {
  return {
    listPairs: () => needs.listPairs().map(describePair),
  };
}
