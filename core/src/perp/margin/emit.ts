// Owns the writing of perpetual events. Never decides what happened.

import { getDouble, getWord } from "../../memory/record.ts";
import { eventPlaces } from "../../protocol/event.ts";
import { EVENT_SHIFT } from "../../protocol/event-log.ts";
import { type Core, G_SEQUENCE } from "../../state/core.ts";
import {
  atPosition,
  atSymbolMargin,
  PO_GENERATION,
  PO_LEVERAGE,
  PO_SYMBOL_MARGIN,
  POF_COST,
  POF_EXCESS,
  POF_LOTS,
  POF_MARGIN,
  SM_ACCOUNT,
  SM_MARKET,
} from "../state/records.ts";

const POSITION_CHANGED = eventPlaces("positionChanged");

const HALF = 2 ** 24;

/** Puts the excess of a position's cost into the two places of 24 bits its event has for it. */
export function writeExcess(words: Int32Array, word: number, excess: number): void {
  const scaled = excess * HALF;
  const high = Math.floor(scaled);
  words[word] = (words[word] as number) | (high << 8);
  words[word + 7] = (words[word + 7] as number) | (((scaled - high) * HALF) << 8);
}

/** The position as it is now and what was realised on the way. */
export function emitPosition(core: Core, position: number, realized: number): void {
  const { perps } = core;
  const words = perps.positionWords;
  const at = atPosition(position);
  const f64 = perps.positionDoubles;
  const symbolMargin = atSymbolMargin(getWord(words, at, PO_SYMBOL_MARGIN));
  const account = getWord(perps.symbolMarginWords, symbolMargin, SM_ACCOUNT);
  const record = core.events.open(POSITION_CHANGED.kind, 0, 0, account, core.clock[G_SEQUENCE] as number);
  core.events.setId(record, POSITION_CHANGED.position, position, getWord(words, at, PO_GENERATION));
  core.events.setWord(record, POSITION_CHANGED.market, getWord(perps.symbolMarginWords, symbolMargin, SM_MARKET));
  core.events.setWord(record, POSITION_CHANGED.leverage >> 2, getWord(words, at, PO_LEVERAGE));
  const excess = getDouble(f64, at, POF_EXCESS);
  if (excess !== 0) writeExcess(core.events.i32, record << EVENT_SHIFT, excess);
  core.events.setDouble(record, POSITION_CHANGED.lots, getDouble(f64, at, POF_LOTS));
  core.events.setDouble(record, POSITION_CHANGED.costUnits, getDouble(f64, at, POF_COST));
  core.events.setDouble(record, POSITION_CHANGED.marginUnits, getDouble(f64, at, POF_MARGIN));
  core.events.setDouble(record, POSITION_CHANGED.realizedUnits, realized);
}
