// Changing an order or a plan in its row: price, amount, trigger and callback become fields, Enter saves, Escape gives up.
// Holds one change at a time.

import { IconButton } from "@clockwork/ui/button";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { isEqual, readTyped, writeTrimmed } from "#trade/order/exact.ts";
import type { OrderChange } from "#trade/product.ts";
import type { TradeOrder } from "#trade/trade-order.ts";
import { useTradeText } from "#trade/trade-text.ts";
import type { OrderActions } from "./use-order-actions.ts";

const FIELDS = ["stopPrice", "callbackPercent", "price", "quantity"] as const;
export type AmendField = (typeof FIELDS)[number];
const LABELS = {
  stopPrice: "col.stop",
  callbackPercent: "callback",
  price: "col.price",
  quantity: "col.amount",
} as const;

interface Draft {
  readonly order: TradeOrder;
  /** What is typed, of those fields the order has. */
  readonly typed: Readonly<Partial<Record<AmendField, string>>>;
  readonly problem: string | undefined;
  readonly isBusy: boolean;
}

export interface Amending {
  readonly orderId: string | undefined;
  readonly problem: string | undefined;
  readonly begin: (order: TradeOrder) => void;
  /** Nothing for what the order does not have. */
  readonly field: (name: AmendField) => ReactNode;
  readonly buttons: () => ReactNode;
}

/** What of an order may be typed anew. A stop that follows the price has no activation any more. */
function typedOf(order: TradeOrder): Draft["typed"] {
  const isFollowing = typeof order.currentTrigger === "string";
  return {
    ...(order.stopPrice === null || isFollowing ? {} : { stopPrice: order.stopPrice }),
    ...(order.callbackPercent === null ? {} : { callbackPercent: order.callbackPercent }),
    ...(order.price === null ? {} : { price: order.price }),
    quantity: order.quantity ?? order.amount ?? "",
  };
}

/** Only what differs is requested: an unchanged price keeps its place in the book where the server can keep it. */
function changeOf({ order, typed }: Draft): OrderChange | undefined {
  const before = typedOf(order);
  const change: Partial<Record<keyof OrderChange, string>> = {};
  for (const name of FIELDS) {
    const text = typed[name];
    if (text === undefined) continue;
    const value = readTyped(text);
    if (value === undefined || value.units === 0n) return undefined;
    const known = readTyped(before[name] ?? "");
    if (known !== undefined && isEqual(value, known)) continue;
    change[name === "quantity" && order.quantity === null ? "amount" : name] = writeTrimmed(value);
  }
  return change;
}

export function useAmending(amend: OrderActions["amend"]): Amending {
  const text = useTradeText();
  const [draft, setDraft] = useState<Draft>();
  const save = async () => {
    if (draft === undefined || draft.isBusy) return;
    const change = changeOf(draft);
    if (change === undefined) {
      setDraft({ ...draft, problem: text("fault.ILLEGAL") });
      return;
    }
    if (Object.keys(change).length === 0) {
      setDraft(undefined);
      return;
    }
    setDraft({ ...draft, isBusy: true, problem: undefined });
    const problem = await amend(draft.order, change);
    setDraft(problem === undefined ? undefined : { ...draft, isBusy: false, problem });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") void save();
    else if (event.key === "Escape") setDraft(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    orderId: draft?.order.orderId,
    problem: draft?.problem,
    begin: (order) => setDraft({ order, typed: typedOf(order), problem: undefined, isBusy: false }),
    field: (name) =>
      draft?.typed[name] === undefined ? undefined : (
        <input
          aria-label={text(LABELS[name])}
          aria-invalid={draft.problem !== undefined}
          inputMode="decimal"
          autoComplete="off"
          // The row was just opened for this.
          // biome-ignore lint/a11y/noAutofocus: the user opened this field
          autoFocus={name === FIELDS.find((first) => draft.typed[first] !== undefined)}
          value={draft.typed[name]}
          readOnly={draft.isBusy}
          onChange={(event) =>
            setDraft({ ...draft, typed: { ...draft.typed, [name]: event.target.value }, problem: undefined })
          }
          onKeyDown={onKeyDown}
          className="figures h-6 w-full rounded-xs border border-line2 bg-surface px-1 text-right text-text outline-none focus:border-accent focus:ring-1 focus:ring-accent aria-invalid:border-danger"
        />
      ),
    buttons: () => (
      <span className="inline-flex">
        <IconButton icon="check" label={text("save")} size={24} iconSize={14} onPress={() => void save()} />
        <IconButton icon="close" label={text("giveUp")} size={24} iconSize={14} onPress={() => setDraft(undefined)} />
      </span>
    ),
  };
}
