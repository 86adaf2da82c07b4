// Shared by the tests of bots over the wire: shapes of a grid and of a basket, a way to move the price, and reading
// refusals.
import { present } from "@clockwork/kit/assert";
import type { Visitor } from "@clockwork/server/process/account-fixture";
import type { FuturesServer } from "@clockwork/trading/futures/futures-fixture";
import { holds, place, setIndex, type TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { sql } from "kysely";

export const BASKET = "/v1/spot/strategy/rebalance";

export const shape = {
  kind: "spot",
  pairCode: "BTC_USDT",
  lower: "90000",
  upper: "110000",
  count: 20,
  spacing: "arithmetic",
  investment: "10000",
};

export const basket = {
  quote: "USDT",
  coins: [
    { coin: "BTC", weightBps: 5_000 },
    { coin: "ETH", weightBps: 5_000 },
  ],
  thresholdBps: 300,
  investment: "10000",
};

/** Trades through all prices in between, prints at the price and leaves a book on both sides; the index follows. */
export async function movePrice(
  server: FuturesServer,
  [maker, other]: readonly [Visitor, Visitor],
  price: number,
  pairCode = "BTC_USDT",
): Promise<void> {
  // The index of a coin's contract comes first.
  if (pairCode === "BTC_USDT")
    await server.submit({ kind: "setReferencePrice", market: server.linear, indexTicks: price * 10 });
  else await setIndex(server, pairCode.split("_")[0] ?? "", price);
  await maker.post("/v1/spot/orders/clear", { pairCode });
  for (const side of ["buy", "sell"])
    await place(other, { pairCode, side, price: String(price), quantity: "1", timeInForce: "IOC" });
  await place(maker, { pairCode, side: "buy", price: String(price - 1), quantity: "2" });
  await place(maker, { pairCode, side: "sell", price: String(price + 1), quantity: "2" });
  await place(maker, { pairCode, side: "sell", price: String(price), quantity: "0.01" });
  await place(other, { pairCode, side: "buy", price: String(price), quantity: "0.01" });
}

const HALF_HOUR_MS = 1_800_000;

/** Stored minutes of the day before, every half hour one of these closes in turn. */
export async function giveHistory(server: TradingServer, pairCode: string, closes: readonly number[]): Promise<void> {
  const listing = await server.engine.readListing();
  const market = listing?.markets.find(({ symbol }) => symbol === pairCode.replace("_", "/"))?.market;
  const kysely = present(server.kysely, "GRID-1", "no database");
  const nowMs = server.nowMs();
  const firstMs = nowMs - (nowMs % HALF_HOUR_MS) - 50 * HALF_HOUR_MS;
  const rows = Array.from({ length: 48 }, (_, at) => {
    const close = closes[at % closes.length] as number;
    const timeMs = firstMs + at * HALF_HOUR_MS;
    return sql`(${present(market, "GRID-1", pairCode)}, 60000, ${timeMs}, ${close}, ${close}, ${close}, ${close}, 1, 1, 0, 0, 1, false)`;
  });
  await sql`insert into markets_candle (market, span_ms, time_ms, open, high, low, close, lots, quote_units, bought_lots,
    bought_units, trades, is_generated) values ${sql.join(rows)} on conflict do nothing`.execute(kysely);
}

export const refusal = async (requested: ReturnType<Visitor["post"]>) => {
  const { code, status } = await requested;
  return [code, status];
};

/** A user's free and reserved funds, and all their bots: untouched is [amount, "0"] and none. */
export async function readStanding(visitor: Visitor) {
  const lists = await Promise.all(
    ["/v1/spot/strategy", "/v1/sps"].map(async (path) => (await visitor.get(`${path}/list`)).data.bots as unknown[]),
  );
  return { usdt: await holds(visitor, "USDT"), bots: lists.flat() };
}
