// The market as the order form reads it: a few times a second, not at every tick, so that typing and prices do not
// delay each other. The book is followed only while an order needs it.
import { useContext, useEffect, useState } from "react";
import { LiveContext } from "#live/react.ts";
import type { ReadableStore } from "#live/store.ts";
import { createPacer, type PacerTime } from "#trade/frame-pacer.ts";
import { type TradeInstrument, useProduct } from "#trade/product.ts";
import { type TerminalMarket, useTerminalLink } from "#trade/terminal-link.ts";

const SAMPLE_MS = 250;
/** Deeper than any order within the slippage allowed should have to look; a deeper one is shown as partial. */
const LEVELS_MAX = 400;

/**
 * Calls back once when something changed and then at most once per sample, the last change of any of them included. All who
 * sample do so in the same frame, one that the book is painted in too. Answers the way to stop.
 */
export function sampleStores(
  stores: readonly Pick<ReadableStore<unknown>, "subscribe">[],
  listener: () => void,
  time?: PacerTime,
): () => void {
  const pacer = createPacer(listener, { everyMs: SAMPLE_MS }, time);
  const releases = stores.map((store) => store.subscribe(pacer.ask));
  return () => {
    for (const release of releases) release();
    pacer.stop();
  };
}

/** Price and quantity, as sent. */
export type Level = readonly string[];

export interface SampledMarket<Instrument extends TradeInstrument = TradeInstrument>
  extends TerminalMarket<Instrument> {
  /** 0 until hydration. */
  readonly nowMs: number;
}

export function useSampledMarket<Instrument extends TradeInstrument>(): SampledMarket<Instrument> {
  const { market } = useTerminalLink<Instrument>();
  const [sample, setSample] = useState<SampledMarket<Instrument>>(() => ({ ...market.get(), nowMs: 0 }));
  useEffect(() => {
    const take = () => setSample({ ...market.get(), nowMs: Date.now() });
    take();
    return sampleStores([market], take);
  }, [market]);
  return sample;
}

export interface BookLevels {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** The book's levels while `wanted`; nothing before the first of them arrived. */
export function useBookLevels(market: TerminalMarket, wanted: boolean): BookLevels | undefined {
  const hub = useContext(LiveContext);
  const product = useProduct();
  const [levels, setLevels] = useState<BookLevels>();
  const { pair } = market;
  useEffect(() => {
    if (hub === undefined || !wanted) return;
    const feed = hub.feed(product.market.depth(pair));
    const take = () => {
      const { value, empty } = feed.get();
      if (empty) return;
      setLevels({
        bids: value.bids.slice(0, LEVELS_MAX).map((level) => level.text),
        asks: value.asks.slice(0, LEVELS_MAX).map((level) => level.text),
      });
    };
    take();
    return sampleStores([feed], take);
  }, [hub, product, pair, wanted]);
  return wanted ? levels : undefined;
}
