// Owns the standing of demo markets and accounts: a demo market takes terms, tiers, prices and status from the real one
// it follows, and a demo account begins again with play money once a day. Play money is a coin of its own, so nothing
// here can reach a real balance.

import { A_BOOK, A_DEMO_RESET, A_MARKETS, AS_EXTERNAL_CELL, AS_SCALE } from "../../ledger/ledger.ts";
import { AM_MARKET, AM_NEXT, AM_SYMBOL_MARGIN } from "../../market/account-markets.ts";
import { atMarket, M_BASE, M_INDEX, M_MARK, M_QUOTE, MF_TICK_LOT_UNITS } from "../../market/markets.ts";
import { setWord } from "../../memory/record.ts";
import { endAll } from "../../order/end/cancel-all.ts";
import { observePrice, SOURCE_INDEX, SOURCE_MARK } from "../../order/end/prices.ts";
import { commandPlaces } from "../../protocol/command.ts";
import { eventPlaces } from "../../protocol/event.ts";
import { BOOKS, BUSINESSES, END_REASONS, INSURANCE_ACCOUNT } from "../../protocol/names.ts";
import { REJECT } from "../../protocol/rejection.ts";
import type { Core } from "../../state/core.ts";
import { symbolMarginOf } from "../margin/exposure.ts";
import { fillPosition, RATE_NONE } from "../margin/fill.ts";
import { openPositions } from "../margin/named.ts";
import { isPlayMoney } from "../margin/spending.ts";
import { trimTouched } from "../order/trim.ts";
import {
  CT_DEGRADED,
  CT_FUNDING_HOURS,
  CT_INSURANCE_CELL,
  CT_KIND,
  CT_LEVERAGE_MAX,
  CT_LEVERAGES,
  CT_MIRROR,
  CT_MIRRORED,
  CT_RATES,
  CT_TIERS,
  CTF_CAPS,
  CTF_DEDUCTIONS,
  SM_LONG,
  TIERS_MAX,
} from "../state/records.ts";

const LIST_MARKET = commandPlaces("listMarket");
const RESET_DEMO = commandPlaces("resetDemo");

const REFERENCE_PRICE = eventPlaces("referencePrice");
const DEMO_RESET = eventPlaces("demoReset");

const LINEAR = 1;
const DEMO = BOOKS.indexOf("demo");
const ADJUSTMENT = BUSINESSES.indexOf("adjustment");
const FAUCET = BUSINESSES.indexOf("faucet");
const REASON_USER = END_REASONS.indexOf("USER");
/** What the house has to play with: far more than all demo accounts can win. */
const HOUSE_UNITS = 10 ** 15;
const DEFAULT_COINS = 100_000;
const MINUTE_MS = 60_000;
const RESET_MINUTES = 24 * 60;

/**
 * Whether a market of these terms may follow the real one: same contract, settled at the same hours, another coin of the
 * same scale.
 */
export function mayMirror(
  core: Core,
  real: number,
  kind: number,
  base: number,
  quote: number,
  factor: number,
): boolean {
  const { markets, perps, ledger } = core;
  if (!markets.isMarket(real) || perps.contract(real, CT_KIND) !== LINEAR || kind !== LINEAR) return false;
  if (perps.contract(real, CT_MIRROR) !== 0 || perps.contract(real, CT_MIRRORED) !== 0) return false;
  const own = markets.word(real, M_QUOTE);
  return (
    base === markets.word(real, M_BASE) &&
    core.readByte(LIST_MARKET.fundingHours) === perps.contract(real, CT_FUNDING_HOURS) &&
    quote !== own &&
    ledger.assetWord(quote, AS_SCALE) === ledger.assetWord(own, AS_SCALE) &&
    factor === markets.double(real, MF_TICK_LOT_UNITS)
  );
}

/** Ties a market just listed to the real one and gives the house its play money. */
export function openMirror(core: Core, market: number, real: number): void {
  const { perps, ledger } = core;
  perps.setContract(market, CT_MIRROR, real);
  perps.setContract(real, CT_MIRRORED, market);
  const fund = perps.contract(market, CT_INSURANCE_CELL);
  if (ledger.available(fund) === 0) mintTo(core, fund, HOUSE_UNITS, ADJUSTMENT);
  copyTiers(core, real);
  followMirror(core, real);
}

function mintTo(core: Core, cell: number, units: number, business: number): void {
  const external = core.ledger.assetWord(core.ledger.cellAsset(cell), AS_EXTERNAL_CELL);
  const [from, to] = units > 0 ? [external, cell] : [cell, external];
  const size = Math.abs(units);
  core.ledger.move(from, to, size);
  core.emitPosting(business, from, to, 0 - size, 0, 0);
  core.emitPosting(business, to, from, size, 0, 0);
}

/** The ladder of the real market is the demo market's too. */
export function copyTiers(core: Core, real: number): void {
  const { perps } = core;
  const market = perps.contract(real, CT_MIRRORED);
  if (market === 0) return;
  perps.terms[market] = undefined;
  for (const word of [CT_TIERS, CT_LEVERAGE_MAX]) perps.setContract(market, word, perps.contract(real, word));
  for (let tier = 0; tier < TIERS_MAX; tier++) {
    for (const word of [CT_RATES, CT_LEVERAGES])
      perps.setContract(market, word + tier, perps.contract(real, word + tier));
    for (const double of [CTF_CAPS, CTF_DEDUCTIONS])
      perps.setContractDouble(market, double + tier, perps.contractDouble(real, double + tier));
  }
}

/** Brings mark, index and trust of the demo market level with the real one; returns whether its mark moved. */
export function followMirror(core: Core, real: number): boolean {
  const { perps, markets } = core;
  const market = perps.contract(real, CT_MIRRORED);
  if (market === 0) return false;
  perps.setContract(market, CT_DEGRADED, perps.contract(real, CT_DEGRADED));
  const mark = markets.word(real, M_MARK);
  const index = markets.word(real, M_INDEX);
  const marked = mark !== markets.word(market, M_MARK);
  const indexed = index !== markets.word(market, M_INDEX);
  if (!marked && !indexed) return false;
  setWord(markets.words, atMarket(market), M_MARK, mark);
  setWord(markets.words, atMarket(market), M_INDEX, index);
  const record = core.events.openClean(REFERENCE_PRICE.kind, 0, 0, 0, core.sequence);
  core.events.setWord(record, REFERENCE_PRICE.market, market);
  core.events.setWord(record, REFERENCE_PRICE.markTicks, mark);
  core.events.setWord(record, REFERENCE_PRICE.indexTicks, index);
  if (marked) observePrice(core, market, SOURCE_MARK);
  if (indexed) observePrice(core, market, SOURCE_INDEX);
  if (marked) markets.setBand(market);
  return marked;
}

/** Begins a demo account again: orders end, positions close at the mark, the balance is what was asked for. */
export function resetDemo(core: Core, account: number): number {
  const { ledger } = core;
  const asset = core.readWord(RESET_DEMO.asset);
  if (!ledger.isUserAccount(account)) return REJECT.UNKNOWN_ACCOUNT;
  if (ledger.accountWord(account, A_BOOK) !== DEMO) return REJECT.BOOK_NOT_TRADABLE;
  if (!isPlayMoney(core, asset)) return REJECT.UNKNOWN_ASSET;
  const minute = Math.floor(core.now / MINUTE_MS);
  const last = ledger.accountWord(account, A_DEMO_RESET);
  if (last !== 0 && minute - last < RESET_MINUTES)
    return core.refuse(REJECT.RESET_TOO_SOON, (last + RESET_MINUTES) * MINUTE_MS);
  clearAccountMarkets(core, account);
  ledger.setAccountWord(account, A_DEMO_RESET, minute);
  const cell = ledger.cellOf(account, asset);
  const units = DEFAULT_COINS * 10 ** ledger.assetWord(asset, AS_SCALE);
  const change = units - ledger.available(cell);
  if (change !== 0) mintTo(core, cell, change, FAUCET);
  const record = core.events.openClean(DEMO_RESET.kind, 0, 0, account, core.sequence);
  core.events.setWord(record, DEMO_RESET.asset, asset);
  core.events.setDouble(record, DEMO_RESET.units, units);
  return 0;
}

function clearAccountMarkets(core: Core, account: number): void {
  const { perps, accountMarkets } = core;
  for (
    let accountMarket = core.ledger.accountWord(account, A_MARKETS);
    accountMarket !== 0;
    accountMarket = accountMarkets.word(accountMarket, AM_NEXT)
  ) {
    endAll(core, accountMarkets.openOrdersOf(accountMarket), REASON_USER);
    const symbolMargin = accountMarkets.word(accountMarket, AM_SYMBOL_MARGIN);
    const market = accountMarkets.word(accountMarket, AM_MARKET);
    if (symbolMargin === 0) continue;
    for (const position of openPositions(core, symbolMargin)) {
      const lots = perps.lots(position);
      const id = perps.positionId(position);
      const mark = core.markets.word(market, M_MARK);
      fillPosition(core.views, position, 0 - lots, mark, RATE_NONE, id);
      const house = perps.symbolMargin(symbolMarginOf(core, core.accountMarketOf(INSURANCE_ACCOUNT, market)), SM_LONG);
      fillPosition(core.views, house, lots, mark, RATE_NONE, id);
    }
    trimTouched(core);
  }
}
