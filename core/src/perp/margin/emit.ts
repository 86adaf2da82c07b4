// Owns the writing of perpetual events. Never decides what happened.

import { getDouble, getWord, setDouble, setWord } from "../../memory/record.ts";
import { eventPlaces } from "../../protocol/event.ts";
import { takeWord, type Views, writeHead, writeId } from "../../state/views.ts";
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
function writeExcess(words: Int32Array, word: number, excess: number): void {
  const scaled = excess * HALF;
  const high = Math.floor(scaled);
  words[word] = (words[word] as number) | (high << 8);
  words[word + 7] = (words[word + 7] as number) | (((scaled - high) * HALF) << 8);
}

/** The position as it is now and what was realised on the way. */
export function emitPosition(v: Views, position: number, realized: number): void {
  const word = takeWord(v);
  const { i32, f64, positionWords, positionDoubles, symbolMarginWords } = v;
  const at = atPosition(position) & v.positionMask;
  const symbolMargin = atSymbolMargin(getWord(positionWords, at, PO_SYMBOL_MARGIN)) & v.symbolMarginMask;
  writeHead(v, word, POSITION_CHANGED.kind, getWord(symbolMarginWords, symbolMargin, SM_ACCOUNT));
  writeId(v, word, POSITION_CHANGED.position, position, getWord(positionWords, at, PO_GENERATION));
  setWord(i32, word, POSITION_CHANGED.market, getWord(symbolMarginWords, symbolMargin, SM_MARKET));
  setWord(i32, word, POSITION_CHANGED.leverage >> 2, getWord(positionWords, at, PO_LEVERAGE));
  const excess = getDouble(positionDoubles, at, POF_EXCESS);
  if (excess !== 0) writeExcess(i32, word, excess);
  setDouble(f64, word, POSITION_CHANGED.lots, getDouble(positionDoubles, at, POF_LOTS));
  setDouble(f64, word, POSITION_CHANGED.costUnits, getDouble(positionDoubles, at, POF_COST));
  setDouble(f64, word, POSITION_CHANGED.marginUnits, getDouble(positionDoubles, at, POF_MARGIN));
  setDouble(f64, word, POSITION_CHANGED.realizedUnits, realized);
}
