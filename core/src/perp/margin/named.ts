// Owns finding the position a command names: the only one, a side of a hedge, or a split position by its id.
import { ORDER_SLOT_COUNT } from "../../protocol/layout.ts";
import { POSITION_SIDES } from "../../protocol/names.ts";
import type { Core } from "../../state/core.ts";
import { PO_SIBLING, ST_FLAGS, ST_LONG, ST_SHORT, ST_SPLITS, STAND_HEDGE, STAND_SPLIT } from "../state/records.ts";
import { findPosition } from "./settle.ts";

const SHORT = POSITION_SIDES.indexOf("short");
const LONG = POSITION_SIDES.indexOf("long");

/** Side at byte 28, id at byte 32; 0 when the stand has no such position open. */
export function namedPosition(core: Core, stand: number): number {
  const { perps } = core;
  const flags = perps.stand(stand, ST_FLAGS);
  const side = core.inputByte(28);
  if ((flags & STAND_SPLIT) !== 0)
    return findPosition(core, stand, core.inputWord(32) + core.inputWord(36) * ORDER_SLOT_COUNT);
  if ((flags & STAND_HEDGE) !== 0 && side !== LONG && side !== SHORT) return 0;
  const position = perps.stand(stand, (flags & STAND_HEDGE) !== 0 && side === SHORT ? ST_SHORT : ST_LONG);
  return perps.lots(position) === 0 ? 0 : position;
}

/** Every open position of a stand. */
export function openPositions(core: Core, stand: number): number[] {
  const { perps } = core;
  const open: number[] = [];
  if ((perps.stand(stand, ST_FLAGS) & STAND_SPLIT) !== 0) {
    for (let at = perps.stand(stand, ST_SPLITS); at !== 0; at = perps.position(at, PO_SIBLING))
      if (perps.lots(at) !== 0) open.push(at);
    return open;
  }
  for (const side of [ST_LONG, ST_SHORT])
    if (perps.lots(perps.stand(stand, side)) !== 0) open.push(perps.stand(stand, side));
  return open;
}
