// ccxt pointed at this exchange: every address of Binance becomes the same path here. Nothing else is changed, so that a
// bot written for Binance runs by this alone.
import ccxt, { type binance } from "ccxt";

type Urls = { [name: string]: string | Urls };

function redirect(urls: Urls, host: string, isSafe: boolean): Urls {
  return Object.fromEntries(
    Object.entries(urls).map(([name, value]) => {
      if (typeof value !== "string") return [name, redirect(value, host, isSafe)];
      const { pathname, protocol } = new URL(value);
      const scheme = protocol.startsWith("ws") ? "ws" : "http";
      return [name, `${scheme}${isSafe ? "s" : ""}://${host}${pathname}`];
    }),
  );
}

/** Reads CW_URL, CW_API_KEY and CW_API_SECRET. */
export function connect(): binance {
  const { CW_URL = "http://localhost:3000", CW_API_KEY = "", CW_API_SECRET = "" } = process.env;
  if (CW_API_KEY === "" || CW_API_SECRET === "") throw new Error("set CW_API_KEY and CW_API_SECRET");
  const { host, protocol } = new URL(CW_URL);
  const exchange = new ccxt.binance({ apiKey: CW_API_KEY, secret: CW_API_SECRET });
  exchange.urls.api = redirect(exchange.urls.api as Urls, host, protocol === "https:") as typeof exchange.urls.api;
  return exchange;
}

export interface Round {
  readonly exchange: binance;
  readonly symbol: string;
  readonly amount: number;
}

/** Calls `work` again and again, as CW_ROUNDS and CW_PAUSE_MS say, and ends every order of the pair afterwards. */
export async function runRounds(exchange: binance, work: (round: Round) => Promise<void>): Promise<void> {
  const { CW_SYMBOL: symbol = "BTC/USDT", CW_AMOUNT = "0.001", CW_ROUNDS = "0", CW_PAUSE_MS = "2000" } = process.env;
  const rounds = Number(CW_ROUNDS);
  let isAsked = false;
  process.once("SIGINT", () => {
    isAsked = true;
  });
  await exchange.loadMarkets();
  try {
    for (let round = 0; !isAsked && (rounds === 0 || round < rounds); round += 1) {
      await work({ exchange, symbol, amount: Number(CW_AMOUNT) });
      await new Promise((wake) => setTimeout(wake, Number(CW_PAUSE_MS)));
    }
  } finally {
    await endAll(exchange, symbol);
  }
}

export async function endAll(exchange: binance, symbol: string): Promise<void> {
  for (const { id } of await exchange.fetchOpenOrders(symbol)) await exchange.cancelOrder(String(id), symbol);
}

/** Between the best bid and the best ask; the last price while a side is empty. */
export async function readMiddle(exchange: binance, symbol: string): Promise<number> {
  const { bids, asks } = await exchange.fetchOrderBook(symbol, 5);
  const [bid, ask] = [bids[0]?.[0], asks[0]?.[0]];
  if (bid !== undefined && ask !== undefined) return (Number(bid) + Number(ask)) / 2;
  const { last } = await exchange.fetchTicker(symbol);
  if (last === undefined) throw new Error(`${symbol} has no price yet`);
  return Number(last);
}
