// Owns making a bot: every check before anything is changed, then its book, its money, its record and its beginning.
import type { GridSpacing } from "@clockwork/kit/grid/lines";
import { type GridKind, type GridPlan, isSpotGrid, planGrid } from "@clockwork/kit/grid/plan";
import { whyNotCommitted } from "../account/debts.ts";
import { isMovable } from "../account/moving.ts";
import { ask } from "../copy/input.ts";
import { watchAccount } from "../copy/watching.ts";
import { A_BOT, ACCOUNT_BOT, ACCOUNT_WATCHED } from "../ledger/ledger.ts";
import { AM_BOT } from "../market/account-markets.ts";
import { M_BASE, M_STATUS, MF_STEP_UNITS, MF_TICK_LOT_UNITS, STATUS_TRADING } from "../market/markets.ts";
import { setLeverage } from "../perp/account/settings.ts";
import { spendable } from "../perp/margin/spending.ts";
import { CT_KIND, CT_LEVERAGE_MAX, CT_MIRROR } from "../perp/state/records.ts";
import { openMarginAccount } from "../perp/state/symbol-margins.ts";
import { commandPlaces } from "../protocol/command.ts";
import { BOT_KINDS, BOT_SPACINGS } from "../protocol/names.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "../state/core.ts";
import { emitBot, emitTerms } from "./emit.ts";
import { basisOf, checkBand, quoteAsset } from "./investment.ts";
import { lastSeen } from "./price/seen.ts";
import { step, watch } from "./run.ts";
import { checkSettings, writeSettings } from "./settings.ts";
import {
  BO_ACCOUNT,
  BO_ACCOUNT_MARKET,
  BO_BOTTOM,
  BO_CELLS,
  BO_FIRST,
  BO_KIND,
  BO_LATTICE_CELLS,
  BO_LATTICE_HIGH,
  BO_LATTICE_LOW,
  BO_LEVERAGE,
  BO_MARKET,
  BO_SOURCE,
  BO_SPACING,
  BO_TOP,
  BOF_BASE_LOTS,
  BOF_INVESTED,
  BOF_LOTS,
  CE_LOW,
} from "./state/records.ts";
import { BOTS_MAX, countBots, moveFunds, openBook, runningBots } from "./trading/funds.ts";

const SET_LEVERAGE = commandPlaces("setLeverage");
const CREATE_BOT = commandPlaces("createBot");

const isSpot = (kind: number): boolean => isSpotGrid(BOT_KINDS[kind] as GridKind);
const LINEAR = 1;

interface Requested {
  readonly source: number;
  readonly market: number;
  readonly kind: number;
  readonly spacing: number;
  readonly leverage: number;
  readonly quoteUnits: number;
  readonly baseLots: number;
  readonly baseUnits: number;
  /** The price it is planned at: the trigger's, or the last. */
  readonly priceTicks: number;
}

function readRequested(core: Core, source: number): Requested {
  const market = core.readWord(CREATE_BOT.market);
  const isMarket = core.markets.isMarket(market);
  const step = isMarket ? core.markets.double(market, MF_STEP_UNITS) : 1;
  const baseLots = Math.floor(core.readDouble(CREATE_BOT.baseUnits) / step);
  return {
    source,
    market,
    kind: core.readByte(CREATE_BOT.grid),
    spacing: core.readByte(CREATE_BOT.spacing),
    leverage: core.readWord(CREATE_BOT.leverage),
    quoteUnits: core.readDouble(CREATE_BOT.quoteUnits),
    baseLots,
    baseUnits: baseLots * step,
    priceTicks: core.readWord(CREATE_BOT.triggerTicks) || (isMarket ? lastSeen(core, market) : 0),
  };
}

export function createBot(core: Core, account: number): number {
  const requested = readRequested(core, account);
  const code = checkRequested(core, requested) || checkMoney(core, requested);
  if (code !== 0) return code;
  const plan = planGrid({
    ...basisOf(core, requested),
    priceTicks: requested.priceTicks,
    range: {
      lowTicks: core.readWord(CREATE_BOT.lowTicks),
      highTicks: core.readWord(CREATE_BOT.highTicks),
      cells: core.readWord(CREATE_BOT.cells),
      spacing: BOT_SPACINGS[requested.spacing] as GridSpacing,
    },
  });
  if (!plan.done) return REJECT[plan.code];
  const refusal =
    checkBand(core, requested.market, plan.value) ||
    checkSettings(core, BOT_KINDS[requested.kind] as GridKind, plan.value.lines, plan.value.lattice);
  if (refusal !== 0) return refusal;
  begin(core, requested, plan.value);
  return 0;
}

function checkRequested(core: Core, { source, market, kind, spacing, leverage, priceTicks }: Requested): number {
  const { ledger, markets, perps } = core;
  if (!ledger.isUserAccount(source)) return REJECT.UNKNOWN_ACCOUNT;
  if (!markets.isMarket(market)) return REJECT.UNKNOWN_MARKET;
  if (kind >= BOT_KINDS.length || spacing >= BOT_SPACINGS.length) return REJECT.MALFORMED_COMMAND;
  if (isSpot(kind) === perps.isPerp(market)) return REJECT.BOOK_NOT_TRADABLE;
  if (!isSpot(kind)) {
    if (perps.contract(market, CT_KIND) !== LINEAR || perps.contract(market, CT_MIRROR) !== 0)
      return REJECT.BOOK_NOT_TRADABLE;
    const most = perps.contract(market, CT_LEVERAGE_MAX);
    if (leverage < 1) return REJECT.INVALID_LEVERAGE;
    if (leverage > most) return core.refuse(REJECT.LEVERAGE_TOO_HIGH, most);
  }
  if (markets.word(market, M_STATUS) !== STATUS_TRADING) return REJECT.MARKET_NOT_TRADING;
  if (runningBots(core, source) >= BOTS_MAX) return core.refuse(REJECT.TOO_MANY_BOTS, BOTS_MAX);
  return priceTicks <= 0 || lastSeen(core, market) === 0 ? REJECT.GRID_PRICE_OUTSIDE : 0;
}

function checkMoney(core: Core, { source, market, kind, quoteUnits, baseUnits }: Requested): number {
  if (!(quoteUnits >= 0 && baseUnits >= 0 && Number.isSafeInteger(quoteUnits) && Number.isSafeInteger(baseUnits)))
    return REJECT.INVALID_AMOUNT;
  if (quoteUnits + baseUnits === 0 || (!isSpot(kind) && baseUnits !== 0)) return REJECT.INVALID_AMOUNT;
  if (!isMovable(core, source)) return REJECT.NOT_TRANSFERABLE;
  const committed = whyNotCommitted(core, source);
  if (committed !== 0) return committed;
  for (const [asset, units] of [
    [quoteAsset(core, market), quoteUnits],
    [core.markets.word(market, M_BASE), baseUnits],
  ] as const) {
    if (units === 0) continue;
    const free = spendable(core, source, asset);
    if (units > free) return core.refuse(REJECT.INSUFFICIENT_BALANCE, free);
  }
  return 0;
}

function begin(core: Core, requested: Requested, { lines, lots, lattice }: GridPlan): void {
  const { ledger, perps } = core;
  const { bots, cells } = core.bots;
  const { source, market, kind, quoteUnits, baseUnits } = requested;
  const bot = bots.take();
  const account = openBook(core, source, bot);
  ledger.setAccountWord(account, A_BOT, bot);
  watchAccount(core, account, ACCOUNT_WATCHED | ACCOUNT_BOT, 0);
  if (!isSpot(kind)) openMarginAccount(perps, ledger, account, quoteAsset(core, market));
  const accountMarket = core.accountMarketOf(account, market);
  core.accountMarkets.setWord(accountMarket, AM_BOT, bot);
  const words: readonly (readonly [number, number])[] = [
    [BO_ACCOUNT, account],
    [BO_MARKET, market],
    [BO_ACCOUNT_MARKET, accountMarket],
    [BO_KIND, kind],
    [BO_SPACING, requested.spacing],
    [BO_CELLS, lines.length - 1],
    [BO_FIRST, core.bots.takeRun(lines.length - 1)],
    [BO_BOTTOM, lines[0] as number],
    [BO_TOP, lines.at(-1) as number],
    [BO_LEVERAGE, requested.leverage],
    [BO_SOURCE, source],
    [BO_LATTICE_LOW, lattice?.lowTicks ?? 0],
    [BO_LATTICE_HIGH, lattice?.highTicks ?? 0],
    [BO_LATTICE_CELLS, lattice?.cells ?? 0],
  ];
  for (const [word, value] of words) bots.setWord(bot, word, value);
  for (const [i, line] of lines.entries()) cells.setWord(bots.word(bot, BO_FIRST) + i, CE_LOW, line);
  const perLot = isSpot(kind) ? core.markets.double(market, MF_TICK_LOT_UNITS) : 0;
  bots.setDouble(bot, BOF_LOTS, lots);
  bots.setDouble(bot, BOF_BASE_LOTS, requested.baseLots);
  bots.setDouble(bot, BOF_INVESTED, quoteUnits + requested.baseLots * requested.priceTicks * perLot);
  writeSettings(core, bot);
  if (quoteUnits > 0) moveFunds(core, source, account, quoteAsset(core, market), quoteUnits);
  if (baseUnits > 0) moveFunds(core, source, account, core.markets.word(market, M_BASE), baseUnits);
  if (!isSpot(kind)) setBotLeverage(core, account, market, requested.leverage);
  countBots(core, source, 1);
  const last = lastSeen(core, market);
  emitBot(core, bot, "created", last);
  emitTerms(core, bot);
  step(core, bot, { kind: "price", ticks: last, time: core.now });
  watch(core, bot);
}

function setBotLeverage(core: Core, account: number, market: number, leverage: number): void {
  ask(
    core,
    account,
    setLeverage,
    new Map([
      [SET_LEVERAGE.market, market],
      [SET_LEVERAGE.long, leverage],
      [SET_LEVERAGE.short, leverage],
    ]),
  );
}
