// Names of pairs in both tongues: BTCUSDT for clients of the dialect, BTC_USDT here.

import type { PairBook } from "@clockwork/trading/market/pairs";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import { badSymbol } from "./refusal.ts";
import type { Parameters } from "./request.ts";

export function symbolOf({ pairCode }: { readonly pairCode: string }): string {
  return pairCode.replace("_", "");
}

export function spotSymbols(pairs: PairBook) {
  let known: readonly MarketPair[] = [];
  let bySymbol = new Map<string, MarketPair>();
  const find = (symbol: string): MarketPair | undefined => {
    // A new list is made whenever anything about it changes.
    if (pairs.pairs !== known || bySymbol.size !== known.length) {
      known = pairs.pairs;
      bySymbol = new Map(known.map((pair) => [symbolOf(pair), pair]));
    }
    const pair = bySymbol.get(symbol);
    return pair === undefined ? undefined : pairs.findPair(pair.pairCode);
  };
  const need = (symbol: string): MarketPair => {
    const pair = find(symbol);
    if (pair === undefined) throw badSymbol();
    return pair;
  };
  return {
    find,
    need,
    /** The pair a call names. */
    read(parameters: Parameters, name = "symbol"): MarketPair {
      return need(parameters.needText(name));
    },
    list: (): readonly MarketPair[] => pairs.pairs,
  };
}

export type SpotSymbols = ReturnType<typeof spotSymbols>;
