// The wire contract of profit analysis: equity day by day, deposits and withdrawals, profit, and the coins behind it.
// Amounts are exact decimal text in USDT, rates fractions. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";

const Text = Type.String();
const OrNull = Type.Union([Text, Type.Null()]);

export const PROFIT_DAYS_MAX = 366;

export const ProfitQuery = Type.Object({
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: PROFIT_DAYS_MAX })),
});

/** A day of UTC. Profit is equity at its end, less equity at its start, less deposits, plus withdrawals. */
export const ProfitDay = Type.Object({
  dayMs: Type.Integer(),
  equityUsdt: Text,
  inUsdt: Text,
  outUsdt: Text,
  pnlUsdt: Text,
  /** Time-weighted, since the start of the first day returned; and the return of holding BTC. */
  returnRate: Text,
  btcRate: OrNull,
  /** By source; the remainder of the profit is the price change of holdings. */
  futuresUsdt: Text,
  botsUsdt: Text,
  earnUsdt: Text,
  feesUsdt: Text,
});
export type ProfitDay = Static<typeof ProfitDay>;

export const ProfitCoin = Type.Object({
  asset: Text,
  name: Text,
  total: Text,
  worthUsdt: OrNull,
  /** By its price and by trading over the days shown. */
  priceGainUsdt: OrNull,
});
export type ProfitCoin = Static<typeof ProfitCoin>;

/**
 * From the first day with a holding; the last day is today until now. Equity is every book with commitments to launches
 * and bonds at their cost; futures count by their wallet, not by open positions. Deposits and withdrawals count at
 * their value at that moment.
 */
export const Profit = Type.Object({
  equityUsdt: Text,
  /** At the start of the first day returned. */
  openingUsdt: Text,
  days: Type.Array(ProfitDay),
  coins: Type.Array(ProfitCoin),
});
export type Profit = Static<typeof Profit>;

export const PROFIT_CALLS = {
  read: endpoint("GET", "/asset/v1/api/profit/analysis", { query: ProfitQuery, output: Profit }),
};
