// Owns who may trade where: the book an account is, against the kind of a market. Changes nothing.
import { A_BOOK, A_SUB } from "../ledger/ledger.ts";
import { BOOKS } from "../names.ts";
import { mayTradePerp } from "../perp/listing.ts";
import type { Core } from "./core.ts";

/** Spot markets are for spot, bot and spot copy books; perpetuals have their own. */
export function mayTrade(core: Core, account: number, market: number): boolean {
  const book = core.ledger.accountWord(account, A_BOOK);
  if (core.perps.isPerp(market)) return mayTradePerp(core, market, book, core.ledger.accountWord(account, A_SUB));
  const name = BOOKS[book];
  return name === "spot" || name === "bot" || name === "copyS";
}
