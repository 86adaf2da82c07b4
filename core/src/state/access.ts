// Owns who may trade where: the book an account is, against the kind of a market. Changes nothing.
import { A_BOOK, A_FLAGS, A_SUB, ACCOUNT_BOT } from "../ledger/ledger.ts";
import { M_SETTLE } from "../market/markets.ts";
import { CT_KIND, CT_MIRROR } from "../perp/state/records.ts";
import { BOOKS, MARKET_KINDS } from "../protocol/names.ts";
import type { Core } from "./core.ts";

const INVERSE = MARKET_KINDS.indexOf("inverse");
const LINEAR_BOOKS = ["linear", "copyF", "copyFLead", "bot"].map((book) =>
  BOOKS.indexOf(book as (typeof BOOKS)[number]),
);

/** A bot's book, in which only the bot trades. */
export function isBotBook(core: Core, account: number): boolean {
  return (core.ledger.accountWord(account, A_FLAGS) & ACCOUNT_BOT) !== 0;
}

/** Spot markets are for spot, bot and spot copy books; perpetuals have their own. */
export function mayTrade(core: Core, account: number, market: number): boolean {
  const book = core.ledger.accountWord(account, A_BOOK);
  if (core.perps.isPerp(market)) return mayTradePerp(core, market, book, core.ledger.accountWord(account, A_SUB));
  const name = BOOKS[book];
  return name === "spot" || name === "bot" || name === "copyS";
}

/** Linear contracts are for futures, copy and bot books, inverse ones for the coin's own book. */
function mayTradePerp(core: Core, market: number, book: number, sub: number): boolean {
  const name = BOOKS[book];
  if (core.perps.contract(market, CT_MIRROR) !== 0) return name === "demo";
  if (core.perps.contract(market, CT_KIND) === INVERSE)
    return name === "inverse" && sub === core.markets.word(market, M_SETTLE);
  return LINEAR_BOOKS.includes(book);
}
