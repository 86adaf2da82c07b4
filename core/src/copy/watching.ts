// Owns marking an account as a leader's or a follower's, so that its fills take the path that tells copy trading.
import { A_BOT, A_COPY, A_FLAGS, A_MARKETS, A_PERP, ACCOUNT_WATCHED } from "../ledger/ledger.ts";
import { AM_CONDITIONALS, AM_FLAGS, AM_NEXT, AM_RESTING, AM_SYMBOL_MARGIN } from "../market/account-markets.ts";
import { openPositions } from "../perp/margin/named.ts";
import { MODE_WATCHED, SM_FLAGS } from "../perp/state/records.ts";
import type { Core } from "../state/core.ts";

export function* accountMarketsOf(core: Core, account: number): Generator<number> {
  const { ledger, accountMarkets } = core;
  for (let at = ledger.accountWord(account, A_MARKETS); at !== 0; at = accountMarkets.word(at, AM_NEXT)) yield at;
}

export function watchAccount(core: Core, account: number, flags: number, modes: number): void {
  const { ledger, accountMarkets, perps } = core;
  const all = ledger.accountWord(account, A_FLAGS) | flags;
  ledger.setAccountWord(account, A_FLAGS, all);
  ledger.setAccountWord(account, A_PERP, ledger.accountWord(account, A_PERP) | modes | MODE_WATCHED);
  for (const accountMarket of accountMarketsOf(core, account)) {
    accountMarkets.setWord(accountMarket, AM_FLAGS, all);
    const symbolMargin = accountMarkets.word(accountMarket, AM_SYMBOL_MARGIN);
    if (symbolMargin !== 0)
      perps.setSymbolMargin(symbolMargin, SM_FLAGS, perps.symbolMargin(symbolMargin, SM_FLAGS) | modes | MODE_WATCHED);
  }
}

/** Takes a mark off again; who neither leads nor follows nor is a bot needs no watching then. */
export function unwatchAccount(core: Core, account: number, mark: number): void {
  const { ledger, accountMarkets, perps } = core;
  const isFree = ledger.accountWord(account, A_COPY) === 0 && ledger.accountWord(account, A_BOT) === 0;
  const flags = ledger.accountWord(account, A_FLAGS) & ~(isFree ? mark | ACCOUNT_WATCHED : mark);
  const modes = isFree ? ~MODE_WATCHED : -1;
  ledger.setAccountWord(account, A_FLAGS, flags);
  ledger.setAccountWord(account, A_PERP, ledger.accountWord(account, A_PERP) & modes);
  for (const accountMarket of accountMarketsOf(core, account)) {
    accountMarkets.setWord(accountMarket, AM_FLAGS, flags);
    const symbolMargin = accountMarkets.word(accountMarket, AM_SYMBOL_MARGIN);
    if (symbolMargin !== 0)
      perps.setSymbolMargin(symbolMargin, SM_FLAGS, perps.symbolMargin(symbolMargin, SM_FLAGS) & modes);
  }
}

/** Whether the account has an open position. */
export function holdsPositions(core: Core, account: number): boolean {
  for (const accountMarket of accountMarketsOf(core, account)) {
    const symbolMargin = core.accountMarkets.word(accountMarket, AM_SYMBOL_MARGIN);
    if (symbolMargin !== 0 && openPositions(core, symbolMargin).length !== 0) return true;
  }
  return false;
}

/** Whether the account has neither position nor order, so that its modes may change. */
export function isIdle(core: Core, account: number): boolean {
  for (const accountMarket of accountMarketsOf(core, account)) {
    const { accountMarkets } = core;
    if (accountMarkets.word(accountMarket, AM_RESTING) !== 0) return false;
    if (accountMarkets.word(accountMarket, AM_CONDITIONALS) !== 0) return false;
  }
  return !holdsPositions(core, account);
}
