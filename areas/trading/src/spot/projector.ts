// Changes of an account as the private channels publish them: orders, fills, balances. Pure. An update carries the
// current state, so a client that already has part of it can apply it again.

import { type AccountOwner, nameBook } from "@clockwork/kit/books";
import type { PairBook } from "../market/pairs.ts";
import type { BalanceRow, FillRow, OrderRow } from "../projectors/rows/rows.ts";
import { BALANCES_CHANNEL, FILLS_CHANNEL, ORDERS_CHANNEL } from "./contract.ts";
import type { AccountView } from "./needs.ts";
import { describeBalance, describeFill, describeOrder } from "./rules.ts";

export const PRIVATE_CHANNELS = [ORDERS_CHANNEL, FILLS_CHANNEL, BALANCES_CHANNEL] as const;
export type PrivateChannel = (typeof PRIVATE_CHANNELS)[number];

interface Rows {
  readonly owner: AccountOwner;
  readonly orders: Iterable<OrderRow>;
  readonly fills: readonly FillRow[];
  readonly balances: Iterable<BalanceRow>;
}

/** The rows as the channel publishes them. */
export function describeRows(pairs: PairBook, channel: PrivateChannel, rows: Rows): readonly unknown[] {
  const book = nameBook(rows.owner, (asset) => pairs.findAssetById(asset)?.symbol);
  switch (channel) {
    case ORDERS_CHANNEL:
      return [...rows.orders].flatMap((row) => {
        const pair = pairs.findMarket(row.market);
        return pair === undefined ? [] : [describeOrder(pair, row, book)];
      });
    case FILLS_CHANNEL:
      return rows.fills.flatMap((row) => describeFill(pairs, row, book) ?? []);
    case BALANCES_CHANNEL:
      return [...rows.balances].flatMap((row) => describeBalance(pairs, row, book) ?? []);
  }
}

/** The snapshot for a new reader of the channel. */
export function describeView(pairs: PairBook, channel: PrivateChannel, view: AccountView): readonly unknown[] {
  const balances = [...view.balances.values()].filter((row) => row.available_units + row.frozen_units > 0n);
  return describeRows(pairs, channel, { ...view, orders: view.orders.values(), balances });
}
