// What changed on an account as the private channels tell it: orders, fills, balances. Pure.
// An update states what is now, so whoever has a part of it already loses nothing by hearing it again.
import { type AccountOwner, nameBook } from "@clockwork/kit/books";
import { BALANCES_CHANNEL, FILLS_CHANNEL, ORDERS_CHANNEL } from "./contract.ts";
import type { AccountView, BalanceRecord, FillRecord, OrderRecord, PairRegistry } from "./needs.ts";
import { describeBalance, describeFill, describeOrder } from "./rules.ts";

export const PRIVATE_CHANNELS = [ORDERS_CHANNEL, FILLS_CHANNEL, BALANCES_CHANNEL] as const;
export type PrivateChannel = (typeof PRIVATE_CHANNELS)[number];

interface Rows {
  readonly owner: AccountOwner;
  readonly orders: Iterable<OrderRecord>;
  readonly fills: readonly FillRecord[];
  readonly balances: Iterable<BalanceRecord>;
}

/** The rows as the channel says them. */
export function describeRows(pairs: PairRegistry, channel: PrivateChannel, rows: Rows): readonly unknown[] {
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

/** What a new reader of the channel begins with. */
export function describeView(pairs: PairRegistry, channel: PrivateChannel, view: AccountView): readonly unknown[] {
  const balances = [...view.balances.values()].filter((row) => row.available_units + row.frozen_units > 0n);
  return describeRows(pairs, channel, { ...view, orders: view.orders.values(), balances });
}
