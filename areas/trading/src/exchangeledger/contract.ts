// The wire contract of the ledger as operators see it: the exchange's own accounts and what users own in all. Amounts
// are exact decimal text. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";

export const LEDGER_PERMISSION = "ledger.read";

export const ExchangeBalance = Type.Object({
  account: Type.Integer(),
  /** What the account is for: reserves, otcEscrow, earnPool …; its `sub` where there are several. */
  purpose: Type.String(),
  sub: Type.Integer(),
  asset: Type.String(),
  available: Type.String(),
  onHold: Type.String(),
  /** At the core's valuation; null without a price. */
  worthUsdt: Type.Union([Type.String(), Type.Null()]),
});
export type ExchangeBalance = Static<typeof ExchangeBalance>;
/** What users own of a coin over every wallet account, without demo funds, and what the exchange's accounts hold. */
export const CoinTotal = Type.Object({
  asset: Type.String(),
  users: Type.String(),
  exchange: Type.String(),
  usersUsdt: Type.Union([Type.String(), Type.Null()]),
});
export type CoinTotal = Static<typeof CoinTotal>;
export const ExchangeLedger = Type.Object({
  balances: Type.Array(ExchangeBalance),
  coins: Type.Array(CoinTotal),
  /** The command up to which the tables are written. */
  sequence: Type.Integer(),
});
export type ExchangeLedger = Static<typeof ExchangeLedger>;

export const LEDGER_CALLS = { read: endpoint("GET", "/v2/operators/ledger", { output: ExchangeLedger }) };
