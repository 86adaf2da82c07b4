// Cancelling from the page of orders: the same confirmation as in the terminal, with every order that ends with this
// one. The confirmation and the product's calls are loaded on the first click.
import { Button } from "@clockwork/ui/button";
import { Suspense, useState } from "react";
import { useRevalidator } from "react-router";
import { lazy } from "#boot/timeout.ts";
import type { RequestClient } from "#live/request.ts";
import { useCalls } from "#session/auth-context.ts";
import { askingOf } from "#trade/order/asking.ts";
import { endsWith } from "#trade/orders/orders-model.ts";
import { ProductContext, type TradeProduct } from "#trade/product.ts";
import type { TradeOrder } from "#trade/trade-order.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useOrdersText } from "#words/orders-text.ts";
import { asTradeOrder } from "./orders-rows.ts";
import { callsOf, type OrdersMarket, type OrdersView } from "./orders-view.ts";

const Question = lazy(() =>
  import("#trade/orders/cancel-dialog.tsx").then((part) => ({ default: part.OrderQuestionDialog })),
);

export type LoadProduct = (market: OrdersMarket) => Promise<TradeProduct>;

export interface CancelButtonProps {
  readonly view: OrdersView;
  readonly order: TradeOrder;
  readonly loadProduct: LoadProduct;
  readonly onError: (error: string | undefined) => void;
}

/**
 * The page may show some of the related orders or none: the orders that end with this one are requested. Nothing when
 * that failed.
 */
async function findOthers(
  client: RequestClient,
  view: OrdersView,
  order: TradeOrder,
): Promise<readonly TradeOrder[] | undefined> {
  if (order.listId === null) return [];
  const whole: OrdersView = { ...view, tab: "open", pair: order.pairCode, side: "" };
  const all: TradeOrder[] = [];
  for (const call of callsOf(whole)) {
    const page = await call(async (called, input, api) => {
      const answer = await client.call(called, input, { api });
      return answer.ok ? answer.data : undefined;
    });
    if (page === undefined) return undefined;
    for (const one of page.orders ?? []) all.push(asTradeOrder(one));
  }
  return endsWith(order, all);
}

interface Requested {
  readonly product: TradeProduct;
  readonly others: readonly TradeOrder[];
}

export function CancelButton({ view, order, loadProduct, onError }: CancelButtonProps) {
  const text = useOrdersText();
  const words = useAuthText();
  const calls = useCalls();
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState(false);
  const [requested, setRequested] = useState<Requested>();
  const cancel = async (product: TradeProduct) => {
    setRequested(undefined);
    setBusy(true);
    const answer = await product.calls.cancel(await calls(), order.orderId);
    setBusy(false);
    onError(answer.ok ? undefined : describeFailure(words, answer));
    await revalidate();
  };
  const begin = async () => {
    setBusy(true);
    const [product, others] = await Promise.all([loadProduct(view.market), findOthers(await calls(), view, order)]);
    setBusy(false);
    if (others === undefined) return onError(text("failed"));
    const { oneClick, unaskedCancel } = askingOf(product.biz).get();
    // A cancel that ends other orders too is always confirmed, unless all confirmations are off; as in the terminal.
    if (oneClick || (unaskedCancel && others.length === 0)) return cancel(product);
    setRequested({ product, others });
  };
  return (
    <>
      <Button size={28} busy={busy} onPress={() => void begin()}>
        {text("cancel")}
      </Button>
      {requested !== undefined && (
        <ProductContext value={requested.product}>
          <Suspense fallback={null}>
            <Question
              question={{ kind: "cancel", order, others: requested.others }}
              onAnswer={(isYes) => (isYes ? void cancel(requested.product) : setRequested(undefined))}
            />
          </Suspense>
        </ProductContext>
      )}
    </>
  );
}
