// The confirmations before orders are cancelled or changed, wherever it started: a row, the chart, the toolbar. One at
// a time; the result is a promise, so that the caller can continue or revert.
import { useCallback, useRef, useState } from "react";
import { askingOf } from "#trade/order/asking.ts";
import { type OrderChange, useProduct } from "#trade/product.ts";
import type { TradeOrder } from "#trade/trade-order.ts";

export type OrderQuestion =
  | { readonly kind: "cancel"; readonly order: TradeOrder; readonly others: readonly TradeOrder[] }
  | { readonly kind: "amend"; readonly order: TradeOrder; readonly change: OrderChange };

export interface OrderQuestions {
  readonly requested: OrderQuestion | undefined;
  /** True at once where the user switched this confirmation off. */
  readonly ask: (question: OrderQuestion) => Promise<boolean>;
  readonly answer: (isYes: boolean) => void;
}

export function useOrderQuestions(): OrderQuestions {
  const { biz } = useProduct();
  const [requested, setRequested] = useState<OrderQuestion>();
  const waiting = useRef<((isYes: boolean) => void) | undefined>(undefined);
  const answer = useCallback((isYes: boolean) => {
    setRequested(undefined);
    waiting.current?.(isYes);
    waiting.current = undefined;
  }, []);
  const ask = useCallback(
    (question: OrderQuestion) => {
      const { oneClick, unaskedCancel, unaskedAmend } = askingOf(biz).get();
      // A cancel that ends other orders too is always confirmed, unless all confirmations are off.
      const isFree = question.kind === "amend" ? unaskedAmend : unaskedCancel && question.others.length === 0;
      if (oneClick || isFree) return Promise.resolve(true);
      waiting.current?.(false);
      setRequested(question);
      return new Promise<boolean>((resolve) => {
        waiting.current = resolve;
      });
    },
    [biz],
  );
  return { requested, ask, answer };
}
