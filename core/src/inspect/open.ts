// Owns reading what every account has open, orders and positions, for whoever compares it with a copy. Changes nothing.

import { COST_PARTS } from "@clockwork/kit/margin";
import { openLots } from "../book/book.ts";
import {
  atOrder,
  FLAG_CONDITIONAL,
  FLAG_LIVE,
  FLAG_ROLE,
  O_ACCOUNT_MARKET,
  O_FLAGS,
  O_PRICE,
  ROLE_TWAP,
} from "../book/orders.ts";
import { coreOf } from "../machine/machine.ts";
import { AM_ACCOUNT } from "../market/account-markets.ts";
import { getWord } from "../memory/record.ts";
import { roleOf } from "../order/end/cancel-all.ts";
import { MA_ACCOUNT, PO_SYMBOL_MARGIN, POF_COST, POF_EXCESS, POF_MARGIN } from "../perp/state/records.ts";
import type { Machine } from "../protocol/contract.ts";
import type { Core } from "../state/core.ts";

export interface OpenOrder {
  readonly orderId: number;
  readonly account: number;
  readonly market: number;
  readonly kind: "order" | "conditional" | "twap";
  readonly priceTicks: number;
  /** Not filled yet; of a conditional order its whole quantity, of a TWAP 0. */
  readonly lots: number;
}

export interface OpenPosition {
  readonly positionId: number;
  readonly account: number;
  readonly market: number;
  readonly lots: number;
  readonly costUnits: number;
  readonly costExcess: number;
  readonly marginUnits: number;
}

export interface OpenState {
  readonly orders: readonly OpenOrder[];
  readonly positions: readonly OpenPosition[];
}

export function readOpen(machine: Machine): OpenState {
  const core = coreOf(machine);
  return { orders: [...readOrders(core)], positions: [...readPositions(core)] };
}

function* readOrders(core: Core): Generator<OpenOrder> {
  const { books, accountMarkets } = core;
  const { i32, count } = books.orders.table;
  for (let slot = 1; slot < count; slot++) {
    const base = atOrder(slot);
    const flags = getWord(i32, base, O_FLAGS);
    if ((flags & FLAG_LIVE) === 0) continue;
    const isRole = (flags & FLAG_ROLE) !== 0;
    // Lists and dead-man's switches lend their slot an id, but are no orders.
    if (isRole && roleOf(core, slot) !== ROLE_TWAP) continue;
    const accountMarket = getWord(i32, base, O_ACCOUNT_MARKET);
    const kind = isRole ? "twap" : (flags & FLAG_CONDITIONAL) === 0 ? "order" : "conditional";
    yield {
      orderId: books.orders.id(slot),
      account: accountMarkets.word(accountMarket, AM_ACCOUNT),
      market: flags >>> 16,
      kind,
      priceTicks: isRole ? 0 : getWord(i32, base, O_PRICE),
      lots: isRole ? 0 : openLots(books, slot),
    };
  }
}

function* readPositions({ perps }: Core): Generator<OpenPosition> {
  for (let position = 1; position < perps.positions.count; position++) {
    const lots = perps.lots(position);
    if (lots === 0 || perps.position(position, PO_SYMBOL_MARGIN) === 0) continue;
    yield {
      positionId: perps.positionId(position),
      account: perps.marginAccount(perps.marginAccountOf(position), MA_ACCOUNT),
      market: perps.marketOf(position),
      lots,
      costUnits: perps.positionDouble(position, POF_COST),
      costExcess: perps.positionDouble(position, POF_EXCESS) * COST_PARTS,
      marginUnits: perps.positionDouble(position, POF_MARGIN),
    };
  }
}
