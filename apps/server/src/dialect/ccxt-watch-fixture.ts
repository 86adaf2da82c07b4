// Tries of what ccxt pro receives: each waits for its events while another user trades.
import { setTimeout as sleep } from "node:timers/promises";
import type { Desk, Tries, Try } from "./ccxt-fixture.ts";
import { until } from "./dialect-fixture.ts";

const STIR_MS = 100;
/** Trades until the condition holds, at a rate the balance and the book support indefinitely. */
export async function stirUntil(desk: Desk, isSo: () => boolean): Promise<void> {
  let stirredMs = 0;
  await until(async () => {
    if (isSo()) return true;
    if (Date.now() - stirredMs < STIR_MS) return undefined;
    await desk.stir();
    stirredMs = Date.now();
    return undefined;
  });
}

/** Waits for events while another user trades. */
const listens =
  (watch: (desk: Desk) => Promise<unknown>): Try =>
  async (desk) => {
    let failure: unknown;
    let hasListeners = false;
    void watch(desk)
      .then(() => {
        hasListeners = true;
      })
      .catch((error: unknown) => {
        failure = error;
        hasListeners = true;
      });
    await stirUntil(desk, () => hasListeners);
    if (failure !== undefined) throw failure;
  };

/** One order after the other, back and forth: neither balance nor book is used up, however long it takes. */
async function tradeOn({ client, symbol, amount }: Desk, signal: AbortSignal): Promise<void> {
  for (let turn = 0; !signal.aborted; turn += 1) {
    const side = turn % 2 === 0 ? "buy" : "sell";
    // A rejected order is retried; the waiting test reports what never comes.
    await client.createMarketOrder(symbol, side, amount).catch(() => undefined);
    await sleep(200, undefined, { signal }).catch(() => undefined);
  }
}

const own = (watch: (desk: Desk) => Promise<unknown>): Try =>
  listens(async (desk) => {
    const news = watch(desk);
    const trading = new AbortController();
    void tradeOn(desk, trading.signal);
    try {
      return await news;
    } finally {
      trading.abort();
    }
  });

export const WATCHES: Tries = {
  watchOrderBook: listens(({ client, symbol }) => client.watchOrderBook(symbol)),
  watchOrderBookForSymbols: listens(({ client, symbol }) => client.watchOrderBookForSymbols([symbol])),
  watchTrades: listens(({ client, symbol }) => client.watchTrades(symbol)),
  watchTradesForSymbols: listens(({ client, symbol }) => client.watchTradesForSymbols([symbol])),
  watchTicker: listens(({ client, symbol }) => client.watchTicker(symbol)),
  watchTickers: listens(({ client, symbol }) => client.watchTickers([symbol])),
  watchBidsAsks: listens(({ client, symbol }) => client.watchBidsAsks([symbol])),
  watchOHLCV: listens(({ client, symbol }) => client.watchOHLCV(symbol)),
  watchOHLCVForSymbols: listens(({ client, symbol }) => client.watchOHLCVForSymbols([[symbol, "1m"]])),
  watchOrders: own(({ client, symbol }) => client.watchOrders(symbol)),
  watchMyTrades: own(({ client, symbol }) => client.watchMyTrades(symbol)),
  watchBalance: own(({ client }) => client.watchBalance()),
  unWatchOrderBook: ({ client, symbol }) => client.unWatchOrderBook(symbol),
  unWatchTrades: ({ client, symbol }) => client.unWatchTrades(symbol),
  unWatchTicker: ({ client, symbol }) => client.unWatchTicker(symbol),
  unWatchOHLCV: ({ client, symbol }) => client.unWatchOHLCV(symbol),
  unWatchBidsAsks: ({ client, symbol }) => client.unWatchBidsAsks([symbol]),
  unWatchTickers: ({ client, symbol }) => client.unWatchTickers([symbol]),
  unWatchOrderBookForSymbols: async ({ client, symbol }) => {
    await client.watchOrderBookForSymbols([symbol]);
    return client.unWatchOrderBookForSymbols([symbol]);
  },
  unWatchTradesForSymbols: ({ client, symbol }) => client.unWatchTradesForSymbols([symbol]),
  unWatchOHLCVForSymbols: ({ client, symbol }) => client.unWatchOHLCVForSymbols([[symbol, "1m"]]),
};

export const CONTRACT_WATCHES: Tries = {
  watchPositions: own(({ client, symbol }) => client.watchPositions([symbol])),
  watchMarkPrice: listens(({ client, symbol }) => client.watchMarkPrice(symbol)),
  watchMarkPrices: listens(({ client, symbol }) => client.watchMarkPrices([symbol])),
  unWatchMarkPrice: ({ client, symbol }) => client.unWatchMarkPrice(symbol),
  unWatchMarkPrices: ({ client, symbol }) => client.unWatchMarkPrices([symbol]),
};
