// Where snapshots of layout 11 have every field of markets and account markets. Whoever moves one makes a new layout: see
// machine/snapshot.ts.
import { expect, test } from "vitest";
import * as accountMarkets from "./account-markets.ts";
import * as markets from "./markets.ts";

const MARKETS_11 = {
  KIND_SPOT: 0,
  MARKET_SHIFT: 6,
  MARKET_WORDS: 64,
  MF_BUCKET_END: 22,
  MF_HOLD_BASE: 26,
  MF_HOLD_QUOTE: 27,
  MF_MAX_LOTS: 19,
  MF_MAX_MARKET_LOTS: 20,
  MF_MIN_LOTS: 18,
  MF_MIN_NOTIONAL: 21,
  MF_STEP_UNITS: 16,
  MF_SUM_LOTS: 24,
  MF_SUM_NOTIONAL: 23,
  MF_TICK_LOT_UNITS: 17,
  M_ANCHOR: 14,
  M_BAND_STALE: 17,
  M_BASE: 3,
  M_BASE_FEES_CELL: 22,
  M_BASE_ROUNDING_CELL: 24,
  M_BUCKET: 50,
  M_BUY_MAX: 18,
  M_BUY_MAX_BPS: 9,
  M_BUY_MIN: 19,
  M_BUY_MIN_BPS: 10,
  M_CONDITIONAL_MAX: 7,
  M_FEE_GROUP: 2,
  M_INDEX: 16,
  M_KIND: 0,
  M_LIST_MAX: 8,
  M_MARK: 15,
  M_QUOTE: 4,
  M_QUOTE_FEES_CELL: 23,
  M_QUOTE_ROUNDING_CELL: 25,
  M_RESTING_MAX: 6,
  M_SELL_MAX: 21,
  M_SELL_MAX_BPS: 12,
  M_SELL_MIN: 20,
  M_SELL_MIN_BPS: 11,
  M_SETTLE: 5,
  M_SLIPPAGE_BPS: 13,
  M_STATUS: 1,
  M_SYMBOL: 26,
  STATUS_AUCTION: 1,
  STATUS_CANCEL_ONLY: 3,
  STATUS_DELISTED: 6,
  STATUS_REDUCE_ONLY: 4,
  STATUS_TRADING: 2,
  SUM_MAX: 4_503_599_627_370_496,
};

const ACCOUNT_MARKETS_11 = {
  ACCOUNT_MARKET_SHIFT: 5,
  ACCOUNT_MARKET_WORDS: 32,
  AM_ACCOUNT: 0,
  AM_BASE_CELL: 2,
  AM_BOT: 18,
  AM_CONDITIONALS: 5,
  AM_DEAD_MAN: 16,
  AM_FLAGS: 13,
  AM_GROUP: 14,
  AM_LISTS: 6,
  AM_MAKER_RATE: 7,
  AM_MARKET: 1,
  AM_NEXT: 17,
  AM_OPEN_HOLE: 11,
  AM_OPEN_ORDERS: 9,
  AM_OPEN_SIZE: 10,
  AM_OPEN_USED: 12,
  AM_QUOTE_CELL: 3,
  AM_RESTING: 4,
  AM_SYMBOL_MARGIN: 15,
  AM_TAKER_RATE: 8,
  OPEN_ORDERS_SHIFT: 3,
};

const numbersOf = (records: object): object =>
  Object.fromEntries(Object.entries(records).filter(([, value]) => typeof value === "number"));

test("[SNAPSHOT-7] fields of markets and account markets lie where layout 11 has them", () => {
  expect(numbersOf(markets)).toEqual(MARKETS_11);
  expect(numbersOf(accountMarkets)).toEqual(ACCOUNT_MARKETS_11);
  const tables = [new markets.Markets(), new accountMarkets.AccountMarkets(8, 8)].flatMap((owner) => owner.tables());
  expect(Object.fromEntries(tables.map(({ name, stride }) => [name, stride]))).toEqual({
    markets: 64,
    "market-buckets": 120,
    "account-markets": 32,
    "account-market-index": 4,
    "open-orders": 8,
    "open-order-runs": 32,
  });
});
