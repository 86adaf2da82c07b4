// Owns auto-deleveraging: winners on the other side of a bankrupt position are closed at its bankruptcy value, those
// who win most on least margin first. No fee. Also tells each position's place in that queue.

import { assert } from "@clockwork/kit/assert";
import { compareFractions, type Fraction } from "@clockwork/kit/fraction";
import { bankruptcyPrice, deleverageScore } from "@clockwork/kit/margin";
import { mulDivFloor } from "@clockwork/kit/money";
import { eventPlaces } from "../../protocol/event.ts";
import { BUSINESSES } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";
import { holdingOf, profitOf, scopeCash, scopePositions } from "../margin/equity.ts";
import { finishFill, reducePosition } from "../margin/fill.ts";
import {
  MA_ACCOUNT,
  MODE_HOUSE,
  PO_GENERATION,
  PO_SYMBOL_MARGIN,
  SM_FLAGS,
  SM_MARGIN_ACCOUNT,
} from "../state/records.ts";

const DELEVERAGED = eventPlaces("deleveraged");

const ADL = BUSINESSES.indexOf("adl");
const INDICATORS = 5;

export interface Rest {
  readonly lots: number;
  readonly value: number;
}

interface Ranked {
  readonly position: number;
  readonly score: Fraction;
}

/** Positions of a side, first to be closed first. */
function rank(core: Core, market: number, long: boolean, except: number): Ranked[] {
  const { perps } = core;
  const ranked: Ranked[] = [];
  for (let position = 1; position < perps.positions.count; position++) {
    const lots = perps.lots(position);
    if (lots === 0 || lots > 0 !== long || perps.marketOf(position) !== market) continue;
    const symbolMargin = perps.position(position, PO_SYMBOL_MARGIN);
    if (
      (perps.symbolMargin(symbolMargin, SM_FLAGS) & MODE_HOUSE) !== 0 ||
      perps.symbolMargin(symbolMargin, SM_MARGIN_ACCOUNT) === except
    )
      continue;
    ranked.push({ position, score: scoreOf(core, position) });
  }
  // Equal scores stay as they were gathered: the older record first.
  return ranked.sort((a, b) => compareFractions(b.score, a.score));
}

function scoreOf(core: Core, position: number): Fraction {
  let cash = scopeCash(core, position);
  for (const one of scopePositions(core, position)) if (one !== position) cash += profitOf(core, one);
  const holding = holdingOf(core, position);
  const { contract, markTicks } = holding;
  return deleverageScore(contract, holding, markTicks, bankruptcyPrice(contract, BigInt(cash), holding));
}

/**
 * Closes `held` lots of a bankrupt position (long positive) against the other side at `value` in all. Returns what
 * nobody was left to take.
 */
export function deleverage(
  core: Core,
  market: number,
  held: number,
  value: number,
  ticks: number,
  except: number,
): Rest {
  const { perps } = core;
  let lots = Math.abs(held);
  let left = value;
  for (const { position } of rank(core, market, held < 0, except)) {
    if (lots === 0) break;
    const size = Math.min(lots, Math.abs(perps.lots(position)));
    const share = size === lots ? left : mulDivFloor(left, size, lots);
    const symbolMargin = perps.position(position, PO_SYMBOL_MARGIN);
    const id = perps.position(position, PO_GENERATION);
    const account = perps.marginAccount(perps.symbolMargin(symbolMargin, SM_MARGIN_ACCOUNT), MA_ACCOUNT);
    const profit = reducePosition(core.views, position, size, share, 0, 0, ADL, perps.positionId(position));
    const record = core.events.openClean(DELEVERAGED.kind, 0, 0, account, core.sequence);
    core.events.setId(record, DELEVERAGED.position, position, id);
    core.events.setWord(record, DELEVERAGED.market, market);
    core.events.setWord(record, DELEVERAGED.price, ticks);
    core.events.setDouble(record, DELEVERAGED.lots, size);
    core.events.setDouble(record, DELEVERAGED.valueUnits, share);
    core.events.setDouble(record, DELEVERAGED.realizedUnits, profit);
    finishFill(core.views, position, symbolMargin, profit);
    lots -= size;
    left -= share;
  }
  assert(left >= 0 && (lots > 0 || left === 0), "PERP-15", "deleveraging pays more than the position's value");
  return { lots, value: left };
}

/** Lamps of every position of a side, 1 to 5: five lit ones are next. */
export function deleverageIndicators(core: Core, market: number, long: boolean): Map<number, number> {
  const ranked = rank(core, market, long, 0);
  const indicators = new Map<number, number>();
  for (const [i, { position }] of ranked.entries())
    indicators.set(core.perps.positionId(position), INDICATORS - Math.floor((i * INDICATORS) / ranked.length));
  return indicators;
}
