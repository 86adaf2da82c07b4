// Owns the lots of a spot follower: what was bought by copies and at which cost, sold first in, first out. Coins that came
// in otherwise are no lots: they have no cost, and their sale is no profit.

import { assert } from "@clockwork/kit/assert";
import { mulDivCeil, mulDivFloor } from "@clockwork/kit/money";
import { atTop, T_LAST } from "../../book/book.ts";
import { MF_STEP_UNITS, MF_TICK_LOT_UNITS } from "../../market/markets.ts";
import { getWord } from "../../memory/record.ts";
import type { Core } from "../../state/core.ts";
import { fairTicks } from "../../value/value.ts";
import {
  FO_HOLDINGS,
  HO_ASSET,
  HO_FOLLOW,
  HO_HEAD,
  HO_MARKET,
  HO_NEXT,
  HO_TAIL,
  HOF_COST,
  HOF_UNITS,
  LO_NEXT,
  LOF_COST,
  LOF_UNITS,
} from "../state/records.ts";

export function findHolding(core: Core, follow: number, asset: number): number {
  return core.copies.holdingIndex.find(follow, asset);
}

/** Lots held of an asset, in its units. */
export function heldUnits(core: Core, follow: number, asset: number): number {
  const holding = findHolding(core, follow, asset);
  return holding === 0 ? 0 : core.copies.holdings.double(holding, HOF_UNITS);
}

export function* holdingsOf(core: Core, follow: number): Generator<number> {
  const { follows, holdings } = core.copies;
  for (let at = follows.word(follow, FO_HOLDINGS); at !== 0; at = holdings.word(at, HO_NEXT)) yield at;
}

function openHolding(core: Core, follow: number, asset: number): number {
  const found = findHolding(core, follow, asset);
  if (found !== 0) return found;
  const { follows, holdings, holdingIndex } = core.copies;
  const holding = holdings.take();
  holdings.setWord(holding, HO_FOLLOW, follow);
  holdings.setWord(holding, HO_ASSET, asset);
  holdings.setWord(holding, HO_NEXT, follows.word(follow, FO_HOLDINGS));
  follows.setWord(follow, FO_HOLDINGS, holding);
  holdingIndex.insert(follow, asset, holding);
  return holding;
}

/** The fair price of a spot market; the last while none is known, 0 without any. */
export function priceOf(core: Core, market: number): number {
  return fairTicks(core, market) || getWord(core.books.topWords, atTop(market), T_LAST);
}

/** What units of a copied coin are worth, rounded down; 0 while their market has no price. */
export function worthOfUnits(core: Core, follow: number, asset: number, units: number): number {
  const holding = findHolding(core, follow, asset);
  const market = holding === 0 ? 0 : core.copies.holdings.word(holding, HO_MARKET);
  if (market === 0 || units === 0) return 0;
  const perLot = priceOf(core, market) * core.markets.double(market, MF_TICK_LOT_UNITS);
  return perLot === 0 ? 0 : mulDivFloor(perLot, units, core.markets.double(market, MF_STEP_UNITS));
}

/** Bought units at a cost with the fee. */
export function addLot(
  core: Core,
  follow: number,
  asset: number,
  market: number,
  boughtUnits: number,
  costUnits: number,
): void {
  const { holdings, lots } = core.copies;
  const holding = openHolding(core, follow, asset);
  assert(boughtUnits >= 0 && costUnits >= 0, "COPY-11", "a lot of less than nothing");
  const lot = lots.take();
  lots.setDouble(lot, LOF_UNITS, boughtUnits);
  lots.setDouble(lot, LOF_COST, costUnits);
  const tail = holdings.word(holding, HO_TAIL);
  if (tail === 0) holdings.setWord(holding, HO_HEAD, lot);
  else lots.setWord(tail, LO_NEXT, lot);
  holdings.setWord(holding, HO_TAIL, lot);
  holdings.setWord(holding, HO_MARKET, market);
  holdings.add(holding, HOF_UNITS, boughtUnits);
  holdings.add(holding, HOF_COST, costUnits);
}

/** Takes units off the oldest lots and returns what they cost; a part of a lot takes its share of the cost, rounded up. */
export function takeLots(core: Core, follow: number, asset: number, units: number): number {
  const { holdings, lots } = core.copies;
  const holding = findHolding(core, follow, asset);
  if (holding === 0) return 0;
  let left = Math.min(units, holdings.double(holding, HOF_UNITS));
  let cost = 0;
  while (left > 0) {
    const lot = holdings.word(holding, HO_HEAD);
    assert(lot !== 0, "COPY-11", "a holding counts more units than its lots");
    const whole = lots.double(lot, LOF_UNITS);
    const taken = Math.min(left, whole);
    const share = taken === whole ? lots.double(lot, LOF_COST) : mulDivCeil(lots.double(lot, LOF_COST), taken, whole);
    lots.setDouble(lot, LOF_UNITS, whole - taken);
    lots.add(lot, LOF_COST, 0 - share);
    holdings.add(holding, HOF_UNITS, 0 - taken);
    holdings.add(holding, HOF_COST, 0 - share);
    cost += share;
    left -= taken;
    if (taken < whole) continue;
    holdings.setWord(holding, HO_HEAD, lots.word(lot, LO_NEXT));
    if (lots.word(lot, LO_NEXT) === 0) holdings.setWord(holding, HO_TAIL, 0);
    lots.table.give(lot);
  }
  assert(holdings.double(holding, HOF_COST) >= 0, "COPY-11", "a holding costs less than nothing");
  return cost;
}

/** Of units that left a cell, those that were lots: coins that came in otherwise leave first. */
export function dropUncovered(core: Core, follow: number, asset: number, cell: number, units: number): number {
  const after = core.ledger.available(cell) + core.ledger.frozen(cell);
  return Math.min(units, Math.max(0, heldUnits(core, follow, asset) - after));
}
