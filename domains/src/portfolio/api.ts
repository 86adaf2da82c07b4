// What a spot account has earned, on the wire: average cost and profit per coin, and of today. The only file of the slice
// a browser may import. Amounts are exact decimal text; profits may be negative.
import { type Static, Type } from "typebox";

const Text = Type.String();
const OrNull = Type.Union([Text, Type.Null()]);

export const PORTFOLIO_PATH = "/v1/portfolio/spot";

export const PortfolioCoin = Type.Object({
  asset: Text,
  name: Text,
  total: Text,
  worthUsdt: OrNull,
  /** What one coin cost on average, fees included; null where none of it was bought here. */
  averageCostUsdt: OrNull,
  /** Of what was bought here and is still held. */
  unrealisedUsdt: OrNull,
  unrealisedPercent: OrNull,
  /** Of what was bought here and sold again. */
  realisedUsdt: Text,
  /** Since midnight UTC: by price and by trading, not by what came in or went out. */
  todayUsdt: OrNull,
});
export type PortfolioCoin = Static<typeof PortfolioCoin>;

export const Portfolio = Type.Object({
  totalUsdt: Text,
  todayUsdt: Text,
  todayPercent: OrNull,
  todaySinceMs: Type.Integer(),
  coins: Type.Array(PortfolioCoin),
});
export type Portfolio = Static<typeof Portfolio>;
