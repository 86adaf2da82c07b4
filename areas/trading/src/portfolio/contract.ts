// The wire contract of a user's earnings: average cost and profit per coin over all books, and of today. The only file
// of the slice a browser may import. Amounts are exact decimal text; profits may be negative.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";

const Text = Type.String();
const OrNull = Type.Union([Text, Type.Null()]);

export const PortfolioCoin = Type.Object({
  asset: Text,
  name: Text,
  total: Text,
  worthUsdt: OrNull,
  /** The average cost of one coin, fees included, deposits at their value then; null without a value. */
  averageCostUsdt: OrNull,
  /** Of current holdings. */
  unrealisedUsdt: OrNull,
  unrealisedPercent: OrNull,
  /** Of coins sold, converted or spent. */
  realisedUsdt: Text,
  /** Since midnight UTC: from prices and trading, without deposits and withdrawals. */
  todayUsdt: OrNull,
});
export type PortfolioCoin = Static<typeof PortfolioCoin>;

/** Equity and today's profit are those of the wallet and of profit analysis. */
export const Portfolio = Type.Object({
  /** All books together, with committed funds. */
  totalUsdt: Text,
  /** Committed to launches and bonds, at its cost. */
  committedUsdt: Text,
  realisedUsdt: Text,
  unrealisedUsdt: Text,
  todayUsdt: Text,
  todayPercent: OrNull,
  todaySinceMs: Type.Integer(),
  coins: Type.Array(PortfolioCoin),
});
export type Portfolio = Static<typeof Portfolio>;

export const PORTFOLIO_CALLS = {
  read: endpoint("GET", "/v1/portfolio/spot", { output: Portfolio }),
};
