// The market of the instrument on the screen: what the server rendered first, then the live streams, and what is
// published to the other panels. Opens streams, paints nothing.

import { fixedText } from "@clockwork/kit/whole-text";
import type { Candle, Depth, MarketTrade, Quotation } from "@clockwork/trading/markets/contract";
import { createContext, use, useContext, useEffect, useMemo } from "react";
import type { Feed } from "#live/feed.ts";
import type { DepthBook } from "#live/feeds/depth-book.ts";
import type { Tape } from "#live/feeds/market-feeds.ts";
import type { LiveHub } from "#live/hub.ts";
import { LiveContext } from "#live/react.ts";
import { type TradeInstrument, type TradeProduct, useProduct } from "./product.ts";
import { type TerminalLink, type TerminalMarket, useTerminalLink } from "./terminal-link.ts";

/** What the page is served with. */
export interface TerminalData<Instrument extends TradeInstrument = TradeInstrument> {
  readonly pair: Instrument;
  readonly quotation: Quotation | null;
  readonly depth: Depth | null;
  /** Oldest first. */
  readonly trades: readonly MarketTrade[];
  /** Of the interval a first visit shows. */
  readonly candles: readonly Candle[];
  /** The most traded pairs, for the strip of the status bar. */
  readonly strip: readonly Quotation[];
  readonly layout: string | null;
}

export interface MarketFeeds {
  readonly depth: Feed<DepthBook, never>;
  readonly trades: Feed<Tape, Tape>;
  readonly ticker: Feed<Quotation | undefined, never>;
}

type Definitions = ReturnType<typeof defineFeeds>;

const defined = new WeakMap<TradeProduct, Map<string, Definitions>>();

function defineFeeds({ market }: TradeProduct, pair: TradeInstrument) {
  return { depth: market.depth(pair), trades: market.trades(pair.pairCode), ticker: market.ticker(pair.pairCode) };
}

function openFeeds(hub: LiveHub, product: TradeProduct, pair: TradeInstrument): MarketFeeds {
  const known = defined.get(product) ?? new Map<string, Definitions>();
  defined.set(product, known);
  const feeds = known.get(pair.pairCode) ?? defineFeeds(product, pair);
  known.set(pair.pairCode, feeds);
  return {
    depth: hub.feed(feeds.depth) as unknown as MarketFeeds["depth"],
    trades: hub.feed(feeds.trades),
    ticker: hub.feed(feeds.ticker),
  };
}

export const TerminalDataContext = createContext<TerminalData | undefined>(undefined);

/** A product's own panels say which instruments its route gives to the terminal. */
export function useTerminalData<Instrument extends TradeInstrument = TradeInstrument>(): TerminalData<Instrument> {
  const data = use(TerminalDataContext);
  if (data === undefined) throw new Error("SPOT-4: a panel outside the terminal frame");
  return data as TerminalData<Instrument>;
}

/** Nothing on the server and until hydration. */
export function useMarketFeeds(): MarketFeeds | undefined {
  const hub = useContext(LiveContext);
  const product = useProduct();
  const { pair } = useTerminalData();
  return useMemo(() => (hub === undefined ? undefined : openFeeds(hub, product, pair)), [hub, product, pair]);
}

export function firstMarket(data: TerminalData): TerminalMarket {
  return {
    pair: data.pair,
    last: data.trades.at(-1)?.price ?? data.quotation?.last ?? null,
    bandPrice: data.quotation?.bandPrice ?? null,
    bid: data.depth?.bids[0]?.[0] ?? data.quotation?.bid ?? null,
    ask: data.depth?.asks[0]?.[0] ?? data.quotation?.ask ?? null,
    isStale: false,
  };
}

const BEHIND: readonly string[] = ["stale", "polling", "refused"];

/** The market as of the streams; members without a message yet remain as served. */
function readMarket(before: TerminalMarket, feeds: MarketFeeds, isCut: boolean): TerminalMarket {
  const { pair } = before;
  const depth = feeds.depth.get();
  const tape = feeds.trades.get();
  const ticker = feeds.ticker.get().value;
  const priceOf = (units: number | undefined) => (units === undefined ? null : fixedText(units, pair.priceDecimals));
  const next = {
    pair,
    last: tape.value.at(-1)?.price ?? ticker?.last ?? before.last,
    bandPrice: ticker?.bandPrice ?? before.bandPrice,
    bid: depth.empty ? before.bid : priceOf(depth.value.bids[0]?.price),
    ask: depth.empty ? before.ask : priceOf(depth.value.asks[0]?.price),
    isStale: isCut || BEHIND.includes(depth.status),
  };
  const isSame =
    next.last === before.last &&
    next.bandPrice === before.bandPrice &&
    next.bid === before.bid &&
    next.ask === before.ask &&
    next.isStale === before.isStale &&
    before.pair === pair;
  return isSame ? before : next;
}

function followMarket(hub: LiveHub, feeds: MarketFeeds, link: TerminalLink, pairCode: string): () => void {
  const publish = () => {
    // Streams of the previous pair are released a moment after the link has turned to the next one.
    if (link.market.get().pair.pairCode !== pairCode) return;
    const { status, settled } = hub.connection.get();
    const isCut = settled && status !== "live";
    link.market.set(readMarket(link.market.get(), feeds, isCut));
  };
  const releases = [
    feeds.depth.subscribe(publish),
    feeds.trades.subscribe(publish),
    feeds.ticker.subscribe(publish),
    hub.connection.subscribe(publish),
  ];
  publish();
  return () => {
    for (const release of releases) release();
  };
}

/** Keeps the link's market level with the streams of the shown pair. */
export function useLinkedMarket(): void {
  const hub = useContext(LiveContext);
  const link = useTerminalLink();
  const feeds = useMarketFeeds();
  const { pairCode } = useTerminalData().pair;
  useEffect(() => {
    if (hub === undefined || feeds === undefined) return;
    return followMarket(hub, feeds, link, pairCode);
  }, [hub, feeds, link, pairCode]);
}
