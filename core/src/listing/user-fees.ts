// Owns the fee rates of a user, which every account of the user inherits. Never moves money.
import { A_MARKETS, A_NEXT, U_ACCOUNTS, U_RATES } from "../ledger/ledger.ts";
import { AM_MARKET, AM_NEXT } from "../market/account-markets.ts";
import { commandPlaces } from "../protocol/command.ts";
import { eventPlaces } from "../protocol/event.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "../state/core.ts";

const SET_USER_FEES = commandPlaces("setUserFees");

const USER_FEES_CHANGED = eventPlaces("userFeesChanged");

export const RATE_MAX = 10_000_000;
const RATES = 4;

export function setUserFees(core: Core): number {
  const user = core.readWord(SET_USER_FEES.user);
  if (user <= 0) return REJECT.MALFORMED_COMMAND;
  for (let i = 0; i < RATES; i++) {
    const rate = core.readWord(SET_USER_FEES.spotMakerRate + i);
    if (rate < -1 || rate > RATE_MAX) return REJECT.INVALID_FEE_RATE;
  }
  const { ledger } = core;
  const owner = ledger.ownerOf(user);
  const record = core.events.openClean(USER_FEES_CHANGED.kind, 0, 0, 0, core.sequence);
  core.events.setWord(record, USER_FEES_CHANGED.user, user);
  for (let i = 0; i < RATES; i++) {
    const rate = core.readWord(SET_USER_FEES.spotMakerRate + i);
    ledger.setOwnerWord(owner, U_RATES + i, rate + 1);
    core.events.setWord(record, USER_FEES_CHANGED.spotMakerRate + i, rate);
  }
  const first = ledger.ownerWord(owner, U_ACCOUNTS);
  for (let account = first; account !== 0; account = ledger.accountWord(account, A_NEXT)) refreshAccount(core, account);
  return 0;
}

/** Brings the rates of all the account's markets up to date. */
export function refreshAccount(core: Core, account: number): void {
  for (
    let accountMarket = core.ledger.accountWord(account, A_MARKETS);
    accountMarket !== 0;
    accountMarket = core.accountMarkets.word(accountMarket, AM_NEXT)
  )
    core.setAccountMarketRates(account, accountMarket, core.accountMarkets.word(accountMarket, AM_MARKET));
}
