// Owns moving one stop of a position in place: the id, the pair and the part it closes stay. A refused move leaves it as it
// was, so that nothing is unprotected for a moment. Never sets or ends a stop.

import {
  atOrder,
  FLAG_CONDITIONAL,
  O_ACCOUNT_MARKET,
  O_FLAGS,
  O_LEVEL,
  O_PRICE,
  OF_SEQUENCE,
  X_CALLBACK,
  X_CONDITIONAL,
  X_DIRECTION,
  X_PAIR,
  X_POSITION,
  X_TRIGGER,
  XF_MIRRORS,
} from "../../book/orders.ts";
import { isSubBook } from "../../copy/share/funds.ts";
import { AM_ACCOUNT } from "../../market/account-markets.ts";
import { getDouble, getWord } from "../../memory/record.ts";
import { findOrder, unknown } from "../../order/entry/cancel.ts";
import { type Change, checkNext, isSame, keepPlan, nextPlan } from "../../order/plan/amend.ts";
import { double, setDouble, word } from "../../order/plan/list-record.ts";
import { commandPlaces } from "../../protocol/command.ts";
import { REJECT } from "../../protocol/rejection.ts";
import type { Core } from "../../state/core.ts";
import { noteMovedStop } from "../margin/lead.ts";
import { isOver } from "../order/trim.ts";
import { isPair, KIND_WHOLE, LEG_STOPS, stopKind } from "./stops.ts";

const MOVE_STOP = commandPlaces("moveStop");

export function moveStop(core: Core, account: number): number {
  // By id alone: such stops have no client ids, and the command no place for one.
  const slot = core.readSlot(MOVE_STOP.orderId) > 0 ? findOrder(core, account, 24) : 0;
  if (slot === 0) return unknown(core, account);
  const change: Change = {
    trigger: core.readWord(MOVE_STOP.trigger),
    price: core.readWord(MOVE_STOP.price),
    callbackBps: core.readWord(MOVE_STOP.callbackBps),
    quantity: 0,
  };
  const { books } = core;
  const set = firstSet(core, slot);
  const code = changeStop(core, slot, change);
  if (code !== 0) return code;
  const position = word(core, slot, X_POSITION);
  if (isSubBook(core, accountOf(core, slot))) {
    // What a follower moves himself is his own from now on, as if he had set it.
    const pair = word(core, slot, X_PAIR);
    setDouble(core, slot, XF_MIRRORS, 0);
    if (isPair(core, slot, pair)) setDouble(core, pair, XF_MIRRORS, 0);
    return 0;
  }
  setDouble(core, slot, XF_MIRRORS, set);
  noteMovedStop(core, position, set, [
    word(core, slot, X_CONDITIONAL),
    word(core, slot, X_DIRECTION),
    word(core, slot, X_TRIGGER),
    getWord(books.orderWords, atOrder(slot), O_PRICE),
    word(core, slot, X_CALLBACK),
  ]);
  return 0;
}

/** Checks and makes the change, for whoever asks; a code when it cannot be. */
export function changeStop(core: Core, slot: number, change: Change): number {
  const { books, perps } = core;
  const base = atOrder(slot);
  const waits = (getWord(books.orderWords, base, O_FLAGS) & FLAG_CONDITIONAL) !== 0;
  // One that is due has left its waiting place.
  if (!waits || getWord(books.orderWords, base, O_LEVEL) === 0) return REJECT.AMEND_NOT_ALLOWED;
  const next = nextPlan(core, slot, change);
  if (typeof next === "number") return next;
  if (next.plan.leg !== LEG_STOPS || isOver(core, slot)) return REJECT.AMEND_NOT_ALLOWED;
  if (isSame(core, next)) return REJECT.AMEND_NO_CHANGE;
  // One of the whole closes what there is when it fires, not what there was when it was set.
  const held = Math.abs(perps.lots(word(core, slot, X_POSITION)));
  const code = checkNext(core, stopKind(core, slot) === KIND_WHOLE ? { ...next, lots: held } : next);
  if (code === 0) keepPlan(core, next, 0);
  return code;
}

function accountOf(core: Core, slot: number): number {
  const accountMarket = getWord(core.books.orderWords, atOrder(slot), O_ACCOUNT_MARKET);
  return core.accountMarkets.word(accountMarket, AM_ACCOUNT);
}

/** The command it was first set with: a move gives it another place, and so another sequence. */
function firstSet(core: Core, slot: number): number {
  const known = double(core, slot, XF_MIRRORS);
  return known !== 0 ? known : getDouble(core.books.orderDoubles, atOrder(slot), OF_SEQUENCE);
}
