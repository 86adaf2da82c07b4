// Owns the settlement of a book trade between two stands: whose position it reaches and what rounding leaves over.
// Never matches and never asks whether there is margin.
import {
  EXTRA_SHIFT,
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  O_FLAGS,
  O_PRICE,
  ORDER_SHIFT,
  X_POSITION,
  X_POSITION_GENERATION,
} from "../../book/orders.ts";
import { BUSINESSES } from "../../protocol/names.ts";
import { type Core, G_NOW } from "../../state/core.ts";
import {
  CONTRACT_DOUBLE_SHIFT,
  CT_CLEARING_CELL,
  CT_ROUNDING_CELL,
  CTF_LAST_TRADE,
  PO_GENERATION,
  PO_STAND,
  POSITION_IDS,
  ST_FLAGS,
  ST_LEVERAGE_LONG,
  ST_LEVERAGE_SHORT,
  ST_LONG,
  ST_SHORT,
  STAND_HEDGE,
  STAND_SHIFT,
  STAND_SPLIT,
} from "../state/records.ts";
import { addSplit } from "../state/symbol-margins.ts";
import { post } from "./cash.ts";
import { leanOrder, standOf } from "./exposure.ts";
import { fillPosition, RATE_MAKER, RATE_NONE, RATE_TAKER } from "./fill.ts";

const ROUNDING = BUSINESSES.indexOf("rounding");
/** Registers of Perps: whether the taker is the house acting for a stand, and the value it has traded. */
export const PR_FORCED = 2;
export const PR_FORCED_VALUE = 3;

/** The position an order's fill reaches: the only one, the side's, or in split layout the order's own. */
export function positionOf(core: Core, stand: number, slot: number, flags: number): number {
  const { perps } = core;
  const modes = perps.standWords[(stand << STAND_SHIFT) | ST_FLAGS] as number;
  if ((modes & STAND_HEDGE) === 0) return perps.standWords[(stand << STAND_SHIFT) | ST_LONG] as number;
  const long = ((flags & FLAG_SELL) !== 0) === ((flags & FLAG_REDUCE_ONLY) !== 0);
  if ((modes & STAND_SPLIT) === 0)
    return perps.standWords[(stand << STAND_SHIFT) + (long ? ST_LONG : ST_SHORT)] as number;
  const extra = core.books.orders.extra(slot);
  const at = (extra << EXTRA_SHIFT) | X_POSITION;
  const extras = core.books.orders.extras.i32;
  const known = extras[at] as number;
  // A position the owner closed meanwhile is over; what still fills begins another.
  if (known !== 0 && perps.position(known, PO_GENERATION) === extras[(extra << EXTRA_SHIFT) | X_POSITION_GENERATION])
    return known;
  const position = addSplit(perps, stand, perps.stand(stand, long ? ST_LEVERAGE_LONG : ST_LEVERAGE_SHORT));
  extras[at] = position;
  extras[(extra << EXTRA_SHIFT) | X_POSITION_GENERATION] = perps.position(position, PO_GENERATION);
  return position;
}

/** A split position by its id, 0 when the stand has none such open. */
export function findPosition(core: Core, stand: number, id: number): number {
  const { perps } = core;
  const position = id % POSITION_IDS;
  if (position <= 0 || position >= perps.positions.count || perps.position(position, PO_STAND) !== stand) return 0;
  if (perps.position(position, PO_GENERATION) !== Math.floor(id / POSITION_IDS)) return 0;
  return perps.lots(position) === 0 ? 0 : position;
}

/** Settles `lots` of a trade between the taker in `slot` and the maker. */
export function settlePerp(
  core: Core,
  market: number,
  slot: number,
  seat: number,
  maker: number,
  makerSeat: number,
  price: number,
  lots: number,
  tradeNumber: number,
): void {
  const orders = core.books.orderWords;
  const takerFlags = orders[(slot << ORDER_SHIFT) | O_FLAGS] as number;
  const bought = (takerFlags & FLAG_SELL) !== 0 ? 0 - lots : lots;
  settleApart(core, market, slot, seat, maker, makerSeat, bought, price, tradeNumber);
  core.perps.contractDoubles[(market << CONTRACT_DOUBLE_SHIFT) | CTF_LAST_TRADE] = core.clock[G_NOW] as number;
}

/** One side on the long road: its order leans less, its position is filled. Returns the value it counted with. */
export function fillSide(
  core: Core,
  market: number,
  slot: number,
  seat: number,
  flags: number,
  delta: number,
  price: number,
  rateKind: number,
  tradeNumber: number,
): number {
  const orderPrice = core.books.orderWords[(slot << ORDER_SHIFT) | O_PRICE] as number;
  leanOrder(core, seat, market, flags, orderPrice, delta < 0 ? delta : 0 - delta);
  const position = positionOf(core, standOf(core, seat), slot, flags);
  return fillPosition(core, position, delta, price, rateKind, tradeNumber);
}

/** Both sides on the long road, with what rounding leaves between them. */
function settleApart(
  core: Core,
  market: number,
  slot: number,
  seat: number,
  maker: number,
  makerSeat: number,
  bought: number,
  price: number,
  tradeNumber: number,
): void {
  const makerFlags = core.books.orderWords[(maker << ORDER_SHIFT) | O_FLAGS] as number;
  const takerFlags = core.books.orderWords[(slot << ORDER_SHIFT) | O_FLAGS] as number;
  const made = fillSide(core, market, maker, makerSeat, makerFlags, 0 - bought, price, RATE_MAKER, tradeNumber);
  // What the house sends pays the liquidation fee instead, by value.
  const forced = core.perps.registers[PR_FORCED] !== 0;
  const rate = forced ? RATE_NONE : RATE_TAKER;
  const took = fillSide(core, market, slot, seat, takerFlags, bought, price, rate, tradeNumber);
  if (forced) core.perps.registers[PR_FORCED_VALUE] = (core.perps.registers[PR_FORCED_VALUE] as number) + took;
  // A seller's value rounds up and a buyer's down; what lies between belongs to nobody.
  if (made !== took) {
    const { perps } = core;
    const clearing = perps.contract(market, CT_CLEARING_CELL);
    post(
      core,
      clearing,
      perps.contract(market, CT_ROUNDING_CELL),
      Math.abs(made - took),
      ROUNDING,
      tradeNumber,
      market,
    );
  }
}
