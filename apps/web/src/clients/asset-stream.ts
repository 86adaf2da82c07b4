// Keeps the total asset of the global state (SITE-22) up to date: requested again when a balance changed, at most once
// a second, and every few seconds while the page is visible, since prices move too. Only for signed-in users.

import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { readTotalAsset, TOTAL_ASSET_BODY } from "#boot/root-data.ts";
import type { GlobalStore } from "#boot/state.ts";
import { type Clock, systemClock } from "#live/clock.ts";
import type { FeedState } from "#live/feed-definition.ts";
import { spotFeeds } from "#live/feeds/spot-feeds.ts";
import type { LiveHub } from "#live/hub.ts";
import { Latest } from "#live/latest.ts";
import type { RequestClient } from "#live/request.ts";

const EVERY_MS = 1_000;
const PRICES_MS = 10_000;

const totals = new WeakMap<GlobalStore, Latest>();

function latestOf(store: GlobalStore): Latest {
  const latest = totals.get(store) ?? new Latest();
  totals.set(store, latest);
  return latest;
}

/** What it could not learn it leaves as it was: an old total is better than none. A slow answer does not undo a newer one. */
export async function refreshTotalAsset(store: GlobalStore, request: Pick<RequestClient, "call">): Promise<void> {
  const requested = store.getState().topInfo.id;
  const answer = await latestOf(store).ask(() => request.call(WALLET_CALLS.accounts, TOTAL_ASSET_BODY));
  const totalAsset = answer?.ok === true ? readTotalAsset(answer.data) : null;
  // The user may have signed out by now.
  if (totalAsset !== null && requested !== null && store.getState().topInfo.id === requested)
    store.setState({ totalAsset });
}

export interface BalanceSource {
  readonly subscribe: (listener: () => void) => () => void;
  readonly read: () => FeedState<unknown>;
}

/** The answer ends it. */
export function followBalances(
  balances: BalanceSource,
  isKnown: () => boolean,
  refresh: () => Promise<void>,
  clock: Clock,
): () => void {
  let seen: unknown;
  let isFirst = true;
  let cancel: (() => void) | undefined;
  let lastMs = Number.NEGATIVE_INFINITY;
  const ask = () => {
    cancel = undefined;
    lastMs = clock.now();
    void refresh();
  };
  const release = balances.subscribe(() => {
    const { value, empty } = balances.read();
    if (empty || value === seen) return;
    seen = value;
    // The page was served with the worth of what the first answer holds.
    const isServed = isFirst && isKnown();
    isFirst = false;
    if (!isServed) cancel ??= clock.after(Math.max(0, lastMs + EVERY_MS - clock.now()), ask);
  });
  return () => {
    release();
    cancel?.();
  };
}

/** Repeats the request while the page is visible. The returned function ends it. */
export function followPrices(isSeen: () => boolean, refresh: () => Promise<void>, clock: Clock): () => void {
  let cancel = () => {};
  const wait = () => {
    cancel = clock.after(PRICES_MS, () => {
      if (isSeen()) void refresh();
      wait();
    });
  };
  wait();
  return () => cancel();
}

export function followAsset(store: GlobalStore, hub: LiveHub, request: RequestClient): () => void {
  const balances = hub.feed(spotFeeds(request).balances);
  const isKnown = () => store.getState().totalAsset !== undefined;
  const refresh = () => refreshTotalAsset(store, request);
  const leaveBalances = followBalances(balances, isKnown, refresh, systemClock);
  const leavePrices = followPrices(() => document.visibilityState === "visible", refresh, systemClock);
  return () => {
    leaveBalances();
    leavePrices();
  };
}
