// What a user's stream received while it was still reading what is open: the answer may contain it already, so that the
// first messages are compared with the state before them and nothing is lost. Sends nothing.
import { difference, sum } from "../numbers.ts";

interface Order {
  readonly orderId: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** The last message of each order, and whether its first one made it. */
export function receivedOrders<Row extends Order>(
  rows: readonly Row[],
  sinceMs: number,
): readonly { readonly order: Row; readonly isNew: boolean }[] {
  const received = new Map<string, { readonly order: Row; readonly isNew: boolean }>();
  for (const order of rows) {
    const isNew = order.createdAtMs === order.updatedAtMs || order.createdAtMs >= sinceMs;
    received.set(order.orderId, { order, isNew: received.get(order.orderId)?.isNew ?? isNew });
  }
  return [...received.values()];
}

/** What a total was before these parts of it. */
export function without(total: string, parts: readonly string[]): string {
  return difference(total, parts.reduce(sum, "0"));
}
