// Owns the writing of perpetual events. Never decides what happened.
import { EVENTS } from "../../protocol/event.ts";
import { type Core, G_SEQUENCE } from "../../state/core.ts";
import {
  PO_GENERATION,
  PO_LEVERAGE,
  PO_SYMBOL_MARGIN,
  POF_COST,
  POF_EXCESS,
  POF_LOTS,
  POF_MARGIN,
  POSITION_DOUBLE_SHIFT,
  POSITION_SHIFT,
  SM_ACCOUNT,
  SM_MARKET,
  SYMBOL_MARGIN_SHIFT,
} from "../state/records.ts";

const KIND_POSITION = EVENTS.positionChanged.kind;
const HALF = 2 ** 24;

/** Puts the excess of a position's cost into the two places of 24 bits its event has for it. */
export function writeExcess(words: Int32Array, word: number, doubles: Float64Array, at: number): void {
  const scaled = (doubles[at] as number) * HALF;
  const high = Math.floor(scaled);
  words[word] = (words[word] as number) | (high << 8);
  words[word + 7] = (words[word + 7] as number) | (((scaled - high) * HALF) << 8);
}

/** The position as it is now and what was realised on the way. */
export function emitPosition(core: Core, position: number, realized: number): void {
  const { perps } = core;
  const words = perps.positionWords;
  const at = position << POSITION_SHIFT;
  const f64 = perps.positionDoubles;
  const from = position << POSITION_DOUBLE_SHIFT;
  const symbolMargin = (words[at | PO_SYMBOL_MARGIN] as number) << SYMBOL_MARGIN_SHIFT;
  const account = perps.symbolMarginWords[symbolMargin | SM_ACCOUNT] as number;
  const record = core.events.open(KIND_POSITION, 0, 0, account, core.clock[G_SEQUENCE] as number);
  const i32 = core.events.i32;
  const word = record << 4;
  i32[word + 4] = position;
  i32[word + 5] = words[at | PO_GENERATION] as number;
  i32[word + 6] = perps.symbolMarginWords[symbolMargin | SM_MARKET] as number;
  i32[word + 7] = words[at | PO_LEVERAGE] as number;
  if (f64[from + POF_EXCESS] !== 0) writeExcess(i32, word, f64, from + POF_EXCESS);
  const doubles = core.events.f64;
  const double = record << 3;
  doubles[double + 4] = f64[from + POF_LOTS] as number;
  doubles[double + 5] = f64[from + POF_COST] as number;
  doubles[double + 6] = f64[from + POF_MARGIN] as number;
  doubles[double + 7] = realized;
}
