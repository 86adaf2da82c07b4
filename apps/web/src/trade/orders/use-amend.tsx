// Changing an order in its row: price and amount become fields, Enter saves, Escape gives up. Holds one change at a time.

import { IconButton } from "@clockwork/ui/button";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { isEqual, readTyped, writeTrimmed } from "#trade/order/exact.ts";
import type { OrderChange } from "#trade/product.ts";
import type { TradeOrder } from "#trade/trade-order.ts";
import { useTradeText } from "#trade/trade-text.ts";
import type { OrderActions } from "./use-order-actions.ts";

interface Draft {
  readonly order: TradeOrder;
  readonly price: string;
  readonly quantity: string;
  readonly problem: string | undefined;
  readonly isBusy: boolean;
}

export interface Amending {
  readonly orderId: string | undefined;
  readonly problem: string | undefined;
  readonly begin: (order: TradeOrder) => void;
  readonly field: (name: "price" | "quantity") => ReactNode;
  readonly buttons: () => ReactNode;
}

/** Only what differs is asked for: an unchanged price keeps its place in the book where the server can keep it. */
function changeOf(draft: Draft): OrderChange | undefined {
  const price = readTyped(draft.price);
  const quantity = readTyped(draft.quantity);
  if (price === undefined || quantity === undefined || price.units === 0n || quantity.units === 0n) return undefined;
  const before = { price: readTyped(draft.order.price ?? ""), quantity: readTyped(draft.order.quantity ?? "") };
  return {
    ...(before.price !== undefined && isEqual(price, before.price) ? {} : { price: writeTrimmed(price) }),
    ...(before.quantity !== undefined && isEqual(quantity, before.quantity)
      ? {}
      : { quantity: writeTrimmed(quantity) }),
  };
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
    if (change.price === undefined && change.quantity === undefined) {
      setDraft(undefined);
      return;
    }
    setDraft({ ...draft, isBusy: true, problem: undefined });
    const problem = await amend(draft.order.orderId, change);
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
    begin: (order) =>
      setDraft({ order, price: order.price ?? "", quantity: order.quantity ?? "", problem: undefined, isBusy: false }),
    field: (name) =>
      draft === undefined ? null : (
        <input
          aria-label={text(name === "price" ? "col.price" : "col.amount")}
          aria-invalid={draft.problem !== undefined}
          inputMode="decimal"
          autoComplete="off"
          // The row was just opened for this.
          // biome-ignore lint/a11y/noAutofocus: the person asked for this field
          autoFocus={name === "price"}
          value={draft[name]}
          disabled={draft.isBusy}
          onChange={(event) => setDraft({ ...draft, [name]: event.target.value, problem: undefined })}
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
