// Owns what the owner of a bot asks of it while it runs: other settings, margin in or out, profit out, its end.
import { diesInside, type HeldCase, heldDiesInside } from "@clockwork/kit/grid/plan";
import { orderOf } from "@clockwork/kit/grid/rule";
import { mulDivCeil } from "@clockwork/kit/money";
import { whyNotCommitted } from "../account/debts.ts";
import { isOutgoingBlocked } from "../account/moving.ts";
import { A_BOT } from "../ledger/ledger.ts";
import { AM_QUOTE_CELL } from "../market/account-markets.ts";
import { M_QUOTE, M_SETTLE } from "../market/markets.ts";
import { contractOf, holdingOf, scopeCash } from "../perp/margin/equity.ts";
import { symbolMarginOf } from "../perp/margin/exposure.ts";
import { openPositions } from "../perp/margin/named.ts";
import { spendable } from "../perp/margin/spending.ts";
import { CTF_FACTOR } from "../perp/state/records.ts";
import { commandPlaces } from "../protocol/command.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "../state/core.ts";
import { emitBot, emitTerms } from "./emit.ts";
import { latticeOf, orderSlot, stateOf, termsOf } from "./note/view.ts";
import { lastSeen } from "./price/seen.ts";
import { stopRebalancer } from "./rebalance/run.ts";
import { planAgain, writePlan } from "./replan.ts";
import { step, watch } from "./run.ts";
import { checkSettings, writeSettings } from "./settings.ts";
import { RE_IS_CLOSED } from "./state/rebalancers.ts";
import {
  BO_ACCOUNT,
  BO_ACCOUNT_MARKET,
  BO_CELLS,
  BO_FIRST,
  BO_MARKET,
  BO_SOURCE,
  BO_TRIGGER,
  BO_TRIGGER_SIDE,
  BOF_INVESTED,
  BOF_PROFIT,
  BOF_TAKEN,
  CE_LOW,
} from "./state/records.ts";
import { moveFunds } from "./trading/funds.ts";

const CHANGE_BOT = commandPlaces("changeBot");
const TAKE_BOT_PROFIT = commandPlaces("takeBotProfit");
const STOP_BOT = commandPlaces("stopBot");

/** One part in so many of the investment stays for fees. */
const RESERVE_PART = 100;

/** The running grid of a book, 0 when there is none. */
function botAt(core: Core, account: number): number {
  if (!core.ledger.isUserAccount(account)) return 0;
  const bot = core.ledger.accountWord(account, A_BOT);
  if (bot <= 0) return 0;
  const { status } = stateOf(core, bot);
  return status === "STOPPING" || status === "CLOSED" ? 0 : bot;
}

function assetOf(core: Core, market: number): number {
  return core.markets.word(market, core.perps.isPerp(market) ? M_SETTLE : M_QUOTE);
}

/** Replaces every setting, lays orders that are missing, and moves margin: in when positive, out when negative. */
export function changeBot(core: Core, account: number): number {
  const bot = botAt(core, account);
  if (bot === 0) return REJECT.BOT_NOT_RUNNING;
  const { bots } = core.bots;
  const state = stateOf(core, bot);
  const trigger = core.readWord(CHANGE_BOT.triggerTicks);
  // What has begun does not begin again.
  if (state.status !== "WAIT_TRIGGER" && trigger !== bots.word(bot, BO_TRIGGER)) return REJECT.MODE_LOCKED;
  const units = core.readDouble(CHANGE_BOT.marginUnits);
  const margin = checkMargin(core, bot, units);
  if (margin !== 0) return margin;
  const again = trigger === bots.word(bot, BO_TRIGGER) ? undefined : planAgain(core, bot, trigger, units);
  if (typeof again === "number") return again;
  const lattice = again?.plan.lattice ?? latticeOf(core, bot);
  const code = checkSettings(core, termsOf(core, bot).kind, again?.plan.lines ?? state.lines, lattice, bot);
  if (code !== 0) return code;
  if (again !== undefined) writePlan(core, bot, again);
  writeSettings(core, bot);
  bots.setWord(bot, BO_TRIGGER_SIDE, 0);
  if (units !== 0) moveMargin(core, bot, units);
  placeMissing(core, bot);
  emitBot(core, bot, units === 0 ? "settings" : "funds", lastSeen(core, bots.word(bot, BO_MARKET)));
  emitTerms(core, bot);
  const last = lastSeen(core, bots.word(bot, BO_MARKET));
  step(core, bot, { kind: "price", ticks: last, time: core.now });
  watch(core, bot);
  return 0;
}

function checkMargin(core: Core, bot: number, units: number): number {
  if (units === 0) return 0;
  const { bots } = core.bots;
  const market = bots.word(bot, BO_MARKET);
  if (!Number.isSafeInteger(units)) return REJECT.INVALID_AMOUNT;
  const from = units > 0 ? bots.word(bot, BO_SOURCE) : bots.word(bot, BO_ACCOUNT);
  if (!core.perps.isPerp(market)) return REJECT.NOT_A_PERPETUAL;
  const committed = whyNotCommitted(core, from);
  if (committed !== 0) return committed;
  const free = spendable(core, from, assetOf(core, market));
  if (Math.abs(units) > free) return core.refuse(REJECT.INSUFFICIENT_BALANCE, free);
  if (units > 0) return 0;
  const left = bots.double(bot, BOF_INVESTED) + units;
  return left <= 0 || diesWith(core, bot, left, units) ? REJECT.GRID_LIQUIDATION_INSIDE : 0;
}

/** One that waits dies as it is planned; one that runs by what it holds and has in the book. */
function diesWith(core: Core, bot: number, leftUnits: number, byUnits: number): boolean {
  const { status, lines } = stateOf(core, bot);
  if (status !== "WAIT_TRIGGER") return heldDiesInside(heldCase(core, bot, byUnits), lines);
  const { kind, lots, triggerTicks } = termsOf(core, bot);
  const market = core.bots.bots.word(bot, BO_MARKET);
  return diesInside({
    kind,
    lines: Array.from({ length: lines.length }, (_, i) => lines.at(i) as number),
    lots,
    priceTicks: triggerTicks ?? lastSeen(core, market),
    quoteUnits: BigInt(leftUnits),
    tickLotUnits: core.perps.contractDouble(market, CTF_FACTOR),
    contract: contractOf(core, market),
  });
}

/** What a running futures bot would have with so much more or less cash. */
function heldCase(core: Core, bot: number, byUnits: number): HeldCase {
  const { bots } = core.bots;
  const market = bots.word(bot, BO_MARKET);
  const accountMarket = bots.word(bot, BO_ACCOUNT_MARKET);
  const symbolMargin = symbolMarginOf(core, accountMarket);
  const [position] = symbolMargin === 0 ? [] : openPositions(core, symbolMargin);
  const cell = core.accountMarkets.word(accountMarket, AM_QUOTE_CELL);
  const cash = position === undefined ? core.ledger.available(cell) : scopeCash(core, position);
  const held = position === undefined ? undefined : holdingOf(core, position);
  const side = held?.side ?? 1n;
  return {
    contract: contractOf(core, market),
    tickLotUnits: core.perps.contractDouble(market, CTF_FACTOR),
    cashUnits: BigInt(cash + byUnits),
    lots: side * (held?.lots ?? 0n),
    costUnits: side * (held?.cost ?? 0n),
    orders: wantedOrders(core, bot),
  };
}

/** Every cell's order, laid or not. */
function wantedOrders(core: Core, bot: number): HeldCase["orders"] {
  const terms = termsOf(core, bot);
  const state = stateOf(core, bot);
  return Array.from({ length: state.cells.length }, (_, cell) => {
    const { side, ticks, lots } = orderOf(terms, state, cell);
    return { sells: side === "sell", ticks, lots: BigInt(lots) };
  });
}

function moveMargin(core: Core, bot: number, units: number): void {
  const { bots } = core.bots;
  const asset = assetOf(core, bots.word(bot, BO_MARKET));
  const [from, to] = [bots.word(bot, BO_SOURCE), bots.word(bot, BO_ACCOUNT)];
  if (units > 0) moveFunds(core, from, to, asset, units);
  else moveFunds(core, to, from, asset, 0 - units);
  bots.add(bot, BOF_INVESTED, units);
}

/** Cells whose order was withdrawn or refused get one again. */
function placeMissing(core: Core, bot: number): void {
  const { bots, cells, fresh } = core.bots;
  const first = bots.word(bot, BO_FIRST);
  for (let cell = 0; cell < bots.word(bot, BO_CELLS); cell++)
    if (orderSlot(core, first + cell) === 0) fresh.push(bot, cells.word(first + cell, CE_LOW), 0);
}

/** Realised grid profit above the reserve for fees goes to where the money came from. */
export function takeBotProfit(core: Core, account: number): number {
  const bot = botAt(core, account);
  if (bot === 0) return REJECT.BOT_NOT_RUNNING;
  const { bots } = core.bots;
  const units = core.readDouble(TAKE_BOT_PROFIT.units);
  if (!(units > 0 && Number.isSafeInteger(units))) return REJECT.INVALID_AMOUNT;
  if (isOutgoingBlocked(core, account)) return REJECT.ACCOUNT_BLOCKED;
  const asset = assetOf(core, bots.word(bot, BO_MARKET));
  const reserve = mulDivCeil(bots.double(bot, BOF_INVESTED), 1, RESERVE_PART);
  const earned = bots.double(bot, BOF_PROFIT) - bots.double(bot, BOF_TAKEN);
  const most = Math.max(0, Math.min(earned, spendable(core, account, asset) - reserve));
  if (units > most) return core.refuse(REJECT.BOT_PROFIT_TOO_SMALL, most);
  moveFunds(core, account, bots.word(bot, BO_SOURCE), asset, units);
  bots.add(bot, BOF_TAKEN, units);
  emitBot(core, bot, "profitTaken", lastSeen(core, bots.word(bot, BO_MARKET)));
  return 0;
}

/** The running rebalancing bot of a book, 0 when there is none. */
function rebalancerAt(core: Core, account: number): number {
  if (!core.ledger.isUserAccount(account)) return 0;
  const rebalancer = 0 - core.ledger.accountWord(account, A_BOT);
  return rebalancer > 0 && core.bots.rebalancers.word(rebalancer, RE_IS_CLOSED) === 0 ? rebalancer : 0;
}

/** Of either kind. */
export function stopBot(core: Core, account: number): number {
  const sells = core.readByte(STOP_BOT.sells) !== 0;
  const rebalancer = rebalancerAt(core, account);
  if (rebalancer !== 0) {
    stopRebalancer(core, rebalancer, sells);
    return 0;
  }
  const bot = botAt(core, account);
  if (bot === 0) return REJECT.BOT_NOT_RUNNING;
  step(core, bot, { kind: "stop", sells });
  return 0;
}
