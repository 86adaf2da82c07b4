// Owns finding the position a command names: the only one, a side of a hedge, or a split position by its id.

import { commandPlaces } from "../../protocol/command.ts";
import { POSITION_SIDES } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";
import { MODE_HEDGE, MODE_SPLIT, PO_SIBLING, SM_FLAGS, SM_LONG, SM_SHORT, SM_SPLITS } from "../state/records.ts";
import { findPosition } from "./settle.ts";

const CLOSE_POSITION = commandPlaces("closePosition");

const SHORT = POSITION_SIDES.indexOf("short");
const LONG = POSITION_SIDES.indexOf("long");

/**
 * Side at byte 28, id at byte 32; 0 when the symbol margin has no such position open. An id that is said means that
 * position and no other, so whoever acts on what he saw never touches what came after it.
 */
export function namedPosition(core: Core, symbolMargin: number): number {
  const { perps } = core;
  const flags = perps.symbolMargin(symbolMargin, SM_FLAGS);
  const side = core.readByte(CLOSE_POSITION.side);
  const id = core.readId(CLOSE_POSITION.position);
  if ((flags & MODE_SPLIT) !== 0) return findPosition(core, symbolMargin, id);
  if ((flags & MODE_HEDGE) !== 0 && side !== LONG && side !== SHORT) return 0;
  const position = perps.symbolMargin(symbolMargin, (flags & MODE_HEDGE) !== 0 && side === SHORT ? SM_SHORT : SM_LONG);
  return perps.lots(position) === 0 || (id !== 0 && perps.positionId(position) !== id) ? 0 : position;
}

/** Every open position of a symbol margin. */
export function openPositions(core: Core, symbolMargin: number): number[] {
  const { perps } = core;
  const open: number[] = [];
  if ((perps.symbolMargin(symbolMargin, SM_FLAGS) & MODE_SPLIT) !== 0) {
    for (let at = perps.symbolMargin(symbolMargin, SM_SPLITS); at !== 0; at = perps.position(at, PO_SIBLING))
      if (perps.lots(at) !== 0) open.push(at);
    return open;
  }
  for (const side of [SM_LONG, SM_SHORT])
    if (perps.lots(perps.symbolMargin(symbolMargin, side)) !== 0) open.push(perps.symbolMargin(symbolMargin, side));
  return open;
}
