// The data of the card next to the headline: a pair's candles and the best of its book. The served ones first; missing
// data is requested until it is there, and the book follows the stream.
import { type Candle, MARKET_CALLS, type Pair } from "@clockwork/trading/markets/contract";
import { useContext, useEffect, useState } from "react";
import { useRequestAgain } from "#clients/ask-again.ts";
import { SPOT_MARKET } from "#live/feeds/market-feeds.ts";
import { LiveContext } from "#live/react.ts";
import { BOOK_LEVELS, CARD_PAIR, candlesOf, depthOf, type HomeMarkets } from "./home-data.ts";

export type Levels = readonly (readonly string[])[];

export interface CardBook {
  readonly asks: Levels;
  readonly bids: Levels;
}

export interface CardData {
  readonly candles: readonly Candle[];
  readonly book: CardBook;
}

const EMPTY: CardData = { candles: [], book: { asks: [], bids: [] } };
/** Often enough for the eye. */
const SHOW_MS = 500;

function isWhole({ candles, book }: CardData): boolean {
  return candles.length > 0 && book.asks.length > 0 && book.bids.length > 0;
}

/** Simulated traders fill every book within seconds; elsewhere the first order may never come. */
export function isAwaited({ pairs }: HomeMarkets): boolean {
  return pairs.some(({ isSimulated }) => isSimulated);
}

/** Served or fetched, by pair; requested until it is complete, where that is to be expected. */
export function useCardData(markets: HomeMarkets, pairCode: string): CardData {
  const { depth, candles } = markets;
  const served: CardData = { candles, book: { asks: depth?.asks ?? [], bids: depth?.bids ?? [] } };
  const [fetched, setFetched] = useState<Readonly<Record<string, CardData>>>({});
  const shown = fetched[pairCode] ?? (pairCode === CARD_PAIR ? served : EMPTY);
  const isExpected = isAwaited(markets);
  const isDone = isWhole(shown) || (!isExpected && (pairCode === CARD_PAIR || pairCode in fetched));
  useRequestAgain(pairCode, isDone, async (client) => {
    const [book, bars] = await Promise.all([
      client.call(MARKET_CALLS.depth, depthOf(pairCode)),
      client.call(MARKET_CALLS.candles, candlesOf(pairCode)),
    ]);
    return () => {
      if (book.ok && bars.ok)
        setFetched((before) => ({ ...before, [pairCode]: { candles: bars.data, book: book.data } }));
    };
  });
  return shown;
}

/** The living top of a pair's book, where there is room to show it. */
export function useLiveBook(pair: Pair | undefined, first: CardBook): CardBook {
  const hub = useContext(LiveContext);
  const [live, setLive] = useState<CardBook & { readonly pairCode: string }>();
  useEffect(() => {
    if (hub === undefined || pair === undefined || !window.matchMedia("(min-width: 40rem)").matches) return;
    const feed = hub.feed(SPOT_MARKET.depth(pair));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      timer = undefined;
      const { value, empty } = feed.read();
      if (empty) return;
      const top = (side: readonly { readonly text: readonly string[] }[]) =>
        side.slice(0, BOOK_LEVELS).map(({ text }) => text);
      setLive({ pairCode: pair.pairCode, asks: top(value.asks), bids: top(value.bids) });
    };
    const leave = feed.subscribe(() => {
      timer ??= setTimeout(show, SHOW_MS);
    });
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [hub, pair]);
  return live !== undefined && live.pairCode === pair?.pairCode ? live : first;
}
