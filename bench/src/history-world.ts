// An account with a million fills for the benchmark of history: fills, their bills and orders over thirty days, written into
// the tables of a served process while it is stopped. Nearly all of it is one market and one side, so that every filter for
// something else looks for a few rows among very many.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export const FILLS = 1_000_000;
const DAYS_MS = 30 * 86_400_000;
/** Above what the exchange itself has written. */
const FIRST = 1_000_000;
/** One in this many is of the other market, one of the other side, and one large: each day has one to find. */
const [OTHER_MARKET, OTHER_SIDE, LARGE] = [20_000, 30_000, 33_000];

export function plantHistory(folder: string, email: string, nowMs: number): void {
  const database = new DatabaseSync(join(folder, "clockwork.sqlite"));
  const one = (sql: string, ...values: string[]): number =>
    Number(Object.values(database.prepare(sql).get(...values) ?? {})[0]);
  const account = one(
    `SELECT a.account FROM engine_accounts a JOIN users_account u ON u.id = a.user_id WHERE u.email = ? AND a.book = 'spot'`,
    email,
  );
  const market = (symbol: string) =>
    one(
      "SELECT market FROM engine_markets m JOIN engine_assets a ON a.asset = m.base_asset JOIN engine_assets q ON q.asset = m.quote_asset WHERE m.kind = 'spot' AND a.symbol = ? AND q.symbol = 'USDT'",
      symbol,
    );
  const asset = (symbol: string) => one("SELECT asset FROM engine_assets WHERE symbol = ?", symbol);
  const [btc, eth, usdt] = [asset("BTC"), asset("ETH"), asset("USDT")];
  const row = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${FILLS - 1}),
    r AS (SELECT i, ${FIRST} + i AS sequence, ${nowMs - DAYS_MS} + CAST(i * (${DAYS_MS}.0 / ${FILLS}) AS INTEGER) AS time_ms,
      CASE WHEN i % ${OTHER_MARKET} = 7 THEN ${market("ETH")} ELSE ${market("BTC")} END AS market,
      CASE WHEN i % ${OTHER_MARKET} = 7 THEN ${eth} ELSE ${btc} END AS base,
      CASE WHEN i % ${OTHER_SIDE} = 11 THEN 'sell' ELSE 'buy' END AS side FROM n)`;
  database.exec("PRAGMA synchronous = OFF; BEGIN");
  database.exec(`INSERT INTO engine_fills (account, sequence, trade_number, market, role, order_id, side, price_ticks, lots,
      notional_units, fee_asset, fee_units, time_ms)
    ${row} SELECT ${account}, sequence, ${FIRST} + i, market, 'taker', ${FIRST} + i, side, 9600000, 1, 96, base, 0, time_ms FROM r`);
  for (const [line, coin, delta, business] of [
    [0, "base", 1, "trade"],
    [1, String(usdt), `CASE WHEN i % ${LARGE} = 5 THEN -9600000 ELSE -96 END`, "trade"],
    [2, "base", 0, "fee"],
  ] as const) {
    database.exec(`INSERT INTO engine_bills (account, sequence, line, asset, business, delta_units, available_units,
        frozen_units, counterparty, market, reference_number, time_ms)
      ${row} SELECT ${account}, sequence, ${line}, ${coin}, '${business}', ${delta}, 1000000, 0, 1, market, ${FIRST} + i, time_ms FROM r`);
  }
  database.exec(`INSERT INTO engine_orders (order_id, kind, account, market, side, type, time_in_force, post_only, self_trade,
      reduce_only, iceberg, in_quote, price_ticks, quantity, filled_lots, filled_units, state, created_sequence, created_ms,
      updated_sequence, updated_ms)
    ${row} SELECT ${FIRST} + i, 'order', ${account}, market, side, 'limit', 'GTC', 'no', 'EXPIRE_TAKER', 0, 0, 0, 9600000, 1, 1,
      96, 'FILLED', sequence, time_ms, sequence, time_ms FROM r`);
  database.exec(`DELETE FROM engine_minutes;
    INSERT INTO engine_minutes SELECT time_ms / 60000, min(sequence) FROM engine_bills WHERE account = ${account} GROUP BY 1;
    INSERT OR IGNORE INTO engine_bill_days
      SELECT account, time_ms / 86400000, asset, business, sum(delta_units), count(*), max(abs(delta_units)) FROM engine_bills
      WHERE account = ${account} GROUP BY 1, 2, 3, 4;
    INSERT OR IGNORE INTO engine_bill_blocks
      SELECT account, asset, business, sequence / 2048, max(abs(delta_units)) FROM engine_bills
      WHERE account = ${account} GROUP BY 1, 2, 3, 4;
    INSERT OR IGNORE INTO engine_fill_days
      SELECT account, time_ms / 86400000, market, side, coalesce(fee_asset, -1), sum(lots), sum(notional_units), sum(fee_units)
      FROM engine_fills WHERE account = ${account} GROUP BY 1, 2, 3, 4, 5`);
  database.exec("COMMIT");
  database.close();
}
