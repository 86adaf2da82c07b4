// Owns closing and reversing positions in one command. Each becomes ordinary orders that pass the ordinary checks.
import { R_LOTS } from "../../book/book.ts";
import { FLAG_MARKET, FLAG_REDUCE_ONLY, FLAG_SELL } from "../../book/orders.ts";
import { R_EXPIRES, R_VISIBLE } from "../../order/entry/checks.ts";
import { submitOrder } from "../../order/entry/place.ts";
import { commandPlaces } from "../../protocol/command.ts";
import { REJECT } from "../../protocol/rejection.ts";
import type { Core } from "../../state/core.ts";
import { symbolMarginOf } from "../margin/exposure.ts";
import { namedPosition, openPositions } from "../margin/named.ts";
import {
  MODE_SPLIT,
  PO_FLAGS,
  PO_SYMBOL_MARGIN,
  POSITION_SPLIT,
  SM_ACCOUNT_MARKET,
  SM_FLAGS,
  SM_MARKET,
} from "../state/records.ts";
import { commandSymbolMargin, marketsOf } from "./settings.ts";

const CLOSE_POSITION = commandPlaces("closePosition");
const CLOSE_ALL = commandPlaces("closeAll");

const EVERY_MARKET = -1;

/** Submits one order of a position's symbol margin; lots beyond the position are cut by its checks. */
function submit(core: Core, position: number, flags: number, price: number, lots: number, slippageBps: number): number {
  const { perps } = core;
  const symbolMargin = perps.position(position, PO_SYMBOL_MARGIN);
  const registers = core.books.registers;
  registers[R_LOTS] = lots;
  registers[R_EXPIRES] = 0;
  registers[R_VISIBLE] = 0;
  const split = (perps.position(position, PO_FLAGS) & POSITION_SPLIT) !== 0;
  return submitOrder(
    core,
    perps.symbolMargin(symbolMargin, SM_ACCOUNT_MARKET),
    perps.symbolMargin(symbolMargin, SM_MARKET),
    flags,
    price,
    slippageBps,
    0,
    0,
    0,
    -1,
    split && (flags & FLAG_REDUCE_ONLY) !== 0 ? position : 0,
  );
}

function closeFlags(core: Core, position: number): number {
  return (core.perps.lots(position) > 0 ? FLAG_SELL : 0) | FLAG_REDUCE_ONLY;
}

export function closePosition(core: Core, account: number): number {
  const symbolMargin = commandSymbolMargin(core, account);
  if (symbolMargin < 0) return 0 - symbolMargin;
  const position = namedPosition(core, symbolMargin);
  if (position === 0) return REJECT.UNKNOWN_POSITION;
  const lots = core.readDouble(CLOSE_POSITION.lots);
  const price = core.readWord(CLOSE_POSITION.price);
  const slippageBps = core.readWord(CLOSE_POSITION.slippageBps);
  if (slippageBps < 0) return REJECT.INVALID_SLIPPAGE;
  const all = Math.abs(core.perps.lots(position));
  const flags = closeFlags(core, position) | (price === 0 ? FLAG_MARKET : 0);
  return submit(core, position, flags, price, lots === 0 ? all : lots, slippageBps);
}

/** Closes everything at market; a position that cannot be closed is told and stays. */
export function closeAll(core: Core, account: number): number {
  const market = core.readWord(CLOSE_ALL.market);
  if (market !== EVERY_MARKET && !core.markets.isMarket(market)) return REJECT.UNKNOWN_MARKET;
  const markets = marketsOf(core, account).filter((one) => market === EVERY_MARKET || one === market);
  for (const one of markets.sort((a, b) => a - b)) {
    const symbolMargin = symbolMarginOf(core, core.accountMarkets.find(account, one));
    const open = openPositions(core, symbolMargin).map((position) => ({
      position,
      id: core.perps.positionId(position),
    }));
    for (const { position, id } of open) {
      if (core.perps.positionId(position) !== id || core.perps.lots(position) === 0) continue;
      const all = Math.abs(core.perps.lots(position));
      core.checkLimit[0] = 0;
      const code = submit(core, position, closeFlags(core, position) | FLAG_MARKET, 0, all, 0);
      if (code !== 0) core.emitRejected(code, account, one, 0, core.checkLimit[0] as number);
    }
  }
  return 0;
}

/**
 * Closes at market, then opens as much the other way. When only the first half works, it stands and the rest is told.
 */
export function reversePosition(core: Core, account: number): number {
  const symbolMargin = commandSymbolMargin(core, account);
  if (symbolMargin < 0) return 0 - symbolMargin;
  const { perps } = core;
  if ((perps.symbolMargin(symbolMargin, SM_FLAGS) & MODE_SPLIT) !== 0) return REJECT.INVALID_COMBINATION;
  const position = namedPosition(core, symbolMargin);
  if (position === 0) return REJECT.UNKNOWN_POSITION;
  const lots = Math.abs(perps.lots(position));
  const flags = closeFlags(core, position);
  const code = submit(core, position, flags | FLAG_MARKET, 0, lots, 0);
  if (code !== 0) return code;
  const opening = (flags & FLAG_SELL) | FLAG_MARKET;
  core.checkLimit[0] = 0;
  const second = perps.lots(position) !== 0 ? REJECT.NO_LIQUIDITY : submit(core, position, opening, 0, lots, 0);
  if (second !== 0)
    core.emitRejected(second, account, perps.symbolMargin(symbolMargin, SM_MARKET), 0, core.checkLimit[0] as number);
  return 0;
}
