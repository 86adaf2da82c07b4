// Owns planning a waiting bot anew when the price it shall begin at is another one, or when it is found at another one: its orders
// were reckoned for the old one.
import type { GridSpacing } from "@clockwork/kit/grid/lines";
import { type GridBasis, type GridPlan, lotsFound, planGrid } from "@clockwork/kit/grid/plan";
import { AM_QUOTE_CELL } from "../market/account-markets.ts";
import { MF_TICK_LOT_UNITS } from "../market/markets.ts";
import { BOT_SPACINGS } from "../protocol/names.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "../state/core.ts";
import { basisOf, checkBand } from "./investment.ts";
import { latticeOf } from "./note/view.ts";
import { lastSeen } from "./price/seen.ts";
import {
  BO_ACCOUNT_MARKET,
  BO_BOTTOM,
  BO_CELLS,
  BO_FIRST,
  BO_KIND,
  BO_LATTICE_HIGH,
  BO_LEVERAGE,
  BO_MARKET,
  BO_SOURCE,
  BO_SPACING,
  BO_TOP,
  BO_TRIGGER,
  BOF_BASE_LOTS,
  BOF_INVESTED,
  BOF_LOTS,
  CE_LOW,
} from "./state/records.ts";

export interface Replanned {
  readonly plan: GridPlan;
  readonly investedUnits: number;
}

/** Nothing of a waiting bot's money is set aside. */
function waitingUnits(core: Core, bot: number): number {
  const accountMarket = core.bots.bots.word(bot, BO_ACCOUNT_MARKET);
  return core.ledger.available(core.accountMarkets.word(accountMarket, AM_QUOTE_CELL));
}

/** What a waiting bot is planned with when it has so much. */
function waitingBasis(core: Core, bot: number, quoteUnits: number): GridBasis {
  const { bots } = core.bots;
  return basisOf(core, {
    source: bots.word(bot, BO_SOURCE),
    market: bots.word(bot, BO_MARKET),
    kind: bots.word(bot, BO_KIND),
    quoteUnits,
    baseLots: bots.double(bot, BOF_BASE_LOTS),
    leverage: bots.word(bot, BO_LEVERAGE),
  });
}

/** The plan for another trigger, without one for the price of now; a number is the refusal. Changes nothing. */
export function planAgain(core: Core, bot: number, triggerTicks: number, marginUnits: number): Replanned | number {
  const { bots } = core.bots;
  const market = bots.word(bot, BO_MARKET);
  const priceTicks = triggerTicks === 0 ? lastSeen(core, market) : triggerTicks;
  const lattice = latticeOf(core, bot);
  const quoteUnits = waitingUnits(core, bot);
  const baseLots = bots.double(bot, BOF_BASE_LOTS);
  const plan = planGrid({
    ...waitingBasis(core, bot, quoteUnits + marginUnits),
    priceTicks,
    range: {
      lowTicks: bots.word(bot, BO_BOTTOM),
      highTicks: lattice === undefined ? bots.word(bot, BO_TOP) : priceTicks,
      cells: lattice?.cells ?? bots.word(bot, BO_CELLS),
      spacing: BOT_SPACINGS[bots.word(bot, BO_SPACING)] as GridSpacing,
    },
  });
  if (!plan.done) return REJECT[plan.code];
  const perLot = baseLots === 0 ? 0 : priceTicks * core.markets.double(market, MF_TICK_LOT_UNITS);
  const code = checkBand(core, market, plan.value);
  return code !== 0 ? code : { plan: plan.value, investedUnits: quoteUnits + baseLots * perLot };
}

/** Nothing of it rests yet: lines and lots are written where they lie. */
export function writePlan(core: Core, bot: number, { plan, investedUnits }: Replanned): void {
  const { bots, cells } = core.bots;
  const { lines, lots, lattice } = plan;
  for (const [i, line] of lines.entries()) cells.setWord(bots.word(bot, BO_FIRST) + i, CE_LOW, line);
  bots.setWord(bot, BO_BOTTOM, lines[0] as number);
  bots.setWord(bot, BO_TOP, lines.at(-1) as number);
  if (lattice !== undefined) bots.setWord(bot, BO_LATTICE_HIGH, lattice.highTicks);
  bots.setDouble(bot, BOF_LOTS, lots);
  bots.setDouble(bot, BOF_INVESTED, investedUnits);
}

/**
 * The trigger is reached and the price may lie beyond it: lots, and what coins that were brought in count for, become those of
 * the price found. Lines stay where they were shown.
 */
export function planFound(core: Core, bot: number, foundTicks: number): void {
  const { bots, cells } = core.bots;
  const triggerTicks = bots.word(bot, BO_TRIGGER);
  if (foundTicks === triggerTicks) return;
  const first = bots.word(bot, BO_FIRST);
  const lines = Array.from({ length: bots.word(bot, BO_CELLS) + 1 }, (_, i) => cells.word(first + i, CE_LOW));
  const basis = waitingBasis(core, bot, waitingUnits(core, bot));
  bots.setDouble(bot, BOF_LOTS, lotsFound(basis, lines, bots.double(bot, BOF_LOTS), foundTicks));
  const baseLots = bots.double(bot, BOF_BASE_LOTS);
  if (baseLots === 0) return;
  const perLot = core.markets.double(bots.word(bot, BO_MARKET), MF_TICK_LOT_UNITS);
  bots.add(bot, BOF_INVESTED, baseLots * (foundTicks - triggerTicks) * perLot);
}
