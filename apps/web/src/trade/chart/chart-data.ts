// Candles for the chart: pages of history to the left, the live candle to the right. Fetches and follows; draws nothing.

import type { TimezoneValue } from "@clockwork/kit/constants";
import type { Candle, CandleInterval } from "@clockwork/trading/markets/contract";
import type { DataLoader, KLineData } from "klinecharts";
import type { CandlePrice, MarketData } from "#live/feeds/market-feeds.ts";
import type { LiveHub } from "#live/hub.ts";
import { createPacer } from "#trade/frame-pacer.ts";
import type { TradeInstrument } from "#trade/product.ts";
import type { MarketFeeds } from "#trade/terminal-market.ts";
import { type Bar, dependsOnZone, toBar } from "./chart-figures.ts";

const PAGE = 500;
/** A chart is redrawn for every bar it receives, between the beats of the book and the header. */
const DRAW = { everyMs: 200, offsetMs: 25 };
const ZONE_POLL_MS = 5_000;
/** A new exchange makes its history while the first visitor is already looking. */
const EMPTY_RETRY_MS = 4_000;

export interface ChartSource {
  readonly hub: LiveHub;
  readonly market: MarketData;
  readonly feeds: MarketFeeds;
  readonly pair: TradeInstrument;
  readonly interval: () => CandleInterval;
  readonly price: () => CandlePrice;
  readonly timezone: () => TimezoneValue;
  /** Reports whether the last request brought candles, so that the chart can show that it is empty or failing. */
  readonly onLoaded: (state: "shown" | "empty" | "failed") => void;
  /** There was nothing yet; asking again may bring something. */
  readonly onRetry: () => void;
}

function fetchPage(source: ChartSource, before: number | null): Promise<readonly Candle[] | undefined> {
  return source.market.fetchCandles({
    pairCode: source.pair.pairCode,
    interval: source.interval(),
    limit: PAGE,
    timezone: source.timezone(),
    price: source.price(),
    ...(before === null ? {} : { toMs: before - 1 }),
  });
}

/** Moves the last bar by a trade that came before its candle; the candle itself follows and is authoritative. */
function moveByTrade(bar: Bar, price: number): Bar {
  if (!Number.isFinite(price) || price === bar.close) return bar;
  return { ...bar, close: price, high: Math.max(bar.high, price), low: Math.min(bar.low, price) };
}

/** Follows the candle being made and the last price, drawn together a few times a second. Answers the way to stop. */
function follow(source: ChartSource, publish: (bar: KLineData) => void): () => void {
  const interval = source.interval();
  const { hub, market, feeds, pair } = source;
  let last: Bar | undefined;
  let answer: Bar | undefined;
  /** Ends each older candle, then publishes the newest once, moved by the last trade. */
  const take = (candles: readonly Candle[]) => {
    for (const candle of candles) {
      const bar = toBar(candle);
      if (last !== undefined && bar.timestamp < last.timestamp) continue;
      if (last !== undefined && bar.timestamp > last.timestamp) publish(last);
      last = bar;
    }
    if (last === undefined) return;
    if (source.price() === "last") last = moveByTrade(last, Number(feeds.trades.get().value.at(-1)?.price));
    if (last === answer) return;
    answer = last;
    publish(last);
  };
  const isPolled = source.timezone() !== "0" && dependsOnZone(interval);
  const feed = isPolled
    ? undefined
    : hub.feed(market.candles(pair.pairCode, interval, source.timezone(), source.price()));
  let taken: readonly Candle[] | undefined;
  const pacer = createPacer(() => {
    const candles = feed?.get().value;
    take(candles === undefined || candles === taken ? [] : candles);
    taken = candles;
  }, DRAW);
  // The stream's days start at 00:00 UTC; another zone's days are requested.
  const poll = () => void fetchPage(source, null).then((candles) => take((candles ?? []).slice(-2)));
  const timer = isPolled ? setInterval(poll, ZONE_POLL_MS) : undefined;
  const releases = [feeds.trades.subscribe(pacer.ask), feed?.subscribe(pacer.ask)];
  return () => {
    for (const release of releases) release?.();
    clearInterval(timer);
    pacer.stop();
  };
}

export function createDataLoader(source: ChartSource): DataLoader & { stop: () => void } {
  let stop = () => {};
  let requested = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const settle = (candles: readonly Candle[] | undefined) => {
    clearTimeout(retry);
    if (candles?.length === 0) retry = setTimeout(source.onRetry, EMPTY_RETRY_MS);
    source.onLoaded(candles === undefined ? "failed" : candles.length === 0 ? "empty" : "shown");
  };
  return {
    getBars: async ({ type, timestamp, callback }) => {
      if (type === "backward" || type === "update") {
        callback([], { forward: true, backward: false });
        return;
      }
      requested += 1;
      const mine = requested;
      const candles = await fetchPage(source, type === "init" ? null : timestamp).catch(() => undefined);
      if (type === "init") {
        if (mine !== requested) return;
        settle(candles);
      }
      callback((candles ?? []).map(toBar), { forward: (candles ?? []).length === PAGE, backward: false });
    },
    subscribeBar: ({ callback }) => {
      stop();
      stop = follow(source, callback);
    },
    unsubscribeBar: () => stop(),
    stop: () => {
      clearTimeout(retry);
      stop();
    },
  };
}
