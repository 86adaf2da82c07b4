// The market data list of the global state (SITE-22): the served data, live while it has observers.
import type { Quotation } from "@clockwork/trading/markets/contract";
import { useEffect } from "react";
import { useGlobal, useGlobalStore } from "#boot/state.ts";
import { SPOT_MARKET } from "#live/feeds/market-feeds.ts";
import { useChannel } from "#live/react.ts";

/** Listens to the stream of all pairs while mounted and keeps the shared list level with it. */
export function useMarketData(): readonly Quotation[] {
  const store = useGlobalStore();
  const { value } = useChannel(SPOT_MARKET.allTickers);
  const isLive = value.length > 0;
  useEffect(() => {
    if (isLive) store.setState({ marketData: value });
  }, [store, isLive, value]);
  // Once it flows the list is the stream's own value: looking at both would paint everything twice.
  const known = useGlobal((state) => (isLive ? undefined : state.marketData));
  return known ?? value;
}
