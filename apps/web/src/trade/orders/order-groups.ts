// Which orders belong together: the legs of one list, the rungs of one ladder. Pure; independent of screens.
import { ladderKey } from "@clockwork/kit/scaled";
import type { TradeOrder } from "#trade/trade-order.ts";

const MARK_LENGTH = 4;

export type OrderGroup =
  | { readonly kind: "list"; readonly mark: string }
  | { readonly kind: "ladder"; readonly mark: string; readonly place: number; readonly count: number };

const keyOf = ({ pairCode, side, clientOrderId }: TradeOrder): string | undefined =>
  clientOrderId === null ? undefined : `${pairCode} ${side} ${ladderKey(clientOrderId)}`;

const byPrice = (left: TradeOrder, right: TradeOrder): number => Number(left.price ?? 0) - Number(right.price ?? 0);

/** The group with its members, each with the same mark; nothing for a single order. */
export function groupOf(order: TradeOrder, all: readonly TradeOrder[]): OrderGroup | undefined {
  if (order.listId !== null) {
    const isPaired = all.some((one) => one.listId === order.listId && one.orderId !== order.orderId);
    return isPaired ? { kind: "list", mark: order.listId.slice(-MARK_LENGTH) } : undefined;
  }
  const key = order.type === "limit" ? keyOf(order) : undefined;
  if (key === undefined) return undefined;
  const rungs = all.filter((one) => one.listId === null && one.type === "limit" && keyOf(one) === key).sort(byPrice);
  const place = rungs.findIndex(({ orderId }) => orderId === order.orderId);
  if (rungs.length < 2 || place === -1) return undefined;
  return { kind: "ladder", mark: key.slice(-MARK_LENGTH), place: place + 1, count: rungs.length };
}
