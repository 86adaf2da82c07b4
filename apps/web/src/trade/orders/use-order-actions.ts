// Cancelling and changing own orders: by rows, by the chart's lines, all at once. Confirms first, then reports the
// result.
import { useCallback, useEffect, useRef } from "react";
import { useCalls } from "#session/auth-context.ts";
import { notify } from "#trade/order/notices.ts";
import { type OrderChange, useProduct } from "#trade/product.ts";
import { useTerminalLink } from "#trade/terminal-link.ts";
import { isPlan, type TradeOrder } from "#trade/trade-order.ts";
import { describeRefusal, type TradeText, useTradeText } from "#trade/trade-text.ts";
import { type ClearChoice, endsWith, isCleared, showNumber } from "./orders-model.ts";
import { showOrder } from "./shown-order.ts";
import type { OrderQuestions } from "./use-order-questions.ts";

export interface OrderActions {
  /** Confirms if set by the user. True when it was done; otherwise the reason is shown. */
  readonly cancel: (order: TradeOrder) => Promise<boolean>;
  readonly clear: (choice: ClearChoice) => Promise<boolean>;
  /** Nothing when it was done, else the message for the field. */
  readonly amend: (order: TradeOrder, change: OrderChange) => Promise<string | undefined>;
}

/** "64,000.0 → 64,100.0", for what is changed. */
function describeChange(order: TradeOrder, change: OrderChange): string {
  const { price, quantity, amount, stopPrice, callbackPercent } = change;
  const moves = [
    ...(callbackPercent === undefined ? [] : [`${order.callbackPercent}% → ${callbackPercent}%`]),
    ...(amount === undefined ? [] : [`${showNumber(order.amount)} → ${showNumber(amount)}`]),
    ...(stopPrice === undefined ? [] : [`${showNumber(order.stopPrice)} → ${showNumber(stopPrice)}`]),
    ...(price === undefined ? [] : [`${showNumber(order.price)} → ${showNumber(price)}`]),
    ...(quantity === undefined ? [] : [`${showNumber(order.quantity)} → ${showNumber(quantity)}`]),
  ];
  return moves.join(", ");
}

function viewOf(text: TradeText, orderId: string) {
  return { label: text("toast.view"), onPress: () => showOrder(orderId) };
}

export function useOrderActions(all: readonly TradeOrder[], questions: OrderQuestions): OrderActions {
  const text = useTradeText();
  const calls = useCalls();
  const { calls: product } = useProduct();
  const latest = useRef(all);
  latest.current = all;
  const { ask } = questions;
  const cancel = useCallback(
    async (order: TradeOrder) => {
      const others = endsWith(order, latest.current);
      if (!(await ask({ kind: "cancel", order, others }))) return false;
      const answer = await product.cancel(await calls(), order.orderId);
      const title = others.length === 0 ? text("toast.canceled") : text("toast.cleared", { count: others.length + 1 });
      if (answer.ok) notify({ title, action: viewOf(text, order.orderId) });
      else notify({ title: text("toast.cancelFailed"), detail: describeRefusal(text, answer), tone: "danger" });
      return answer.ok;
    },
    [ask, calls, product, text],
  );
  const clear = useCallback(
    async (choice: ClearChoice) => {
      const request = await calls();
      if (choice.scope === "plans") {
        // There is no call for plans alone: each is ended on its own.
        const plans = latest.current.filter((order) => isCleared(order, choice));
        const answers = await Promise.all(plans.map(({ orderId }) => product.cancel(request, orderId)));
        const done = answers.filter(({ ok }) => ok).length;
        notify({ title: text("toast.cleared", { count: done }) });
        return done === plans.length;
      }
      const answer = await product.clear(request, choice.pairCode, choice.scope === "all");
      if (answer.ok) notify({ title: text("toast.cleared", { count: answer.data.canceled }) });
      else notify({ title: text("toast.clearFailed"), detail: describeRefusal(text, answer), tone: "danger" });
      return answer.ok;
    },
    [calls, product, text],
  );
  const amend = useCallback(
    async (order: TradeOrder, change: OrderChange) => {
      const answer = await product.amend?.(await calls(), order.orderId, change);
      if (answer === undefined) return text("fault.AMEND_NOT_ALLOWED");
      if (!answer.ok) return describeRefusal(text, answer);
      notify({
        title: text("toast.amended"),
        detail: describeChange(order, change),
        action: viewOf(text, order.orderId),
      });
      return undefined;
    },
    [calls, product, text],
  );
  useChartRequests({ cancel, clear, amend }, questions, latest);
  return { cancel, clear, amend };
}

/** A line dragged or crossed out on the chart: confirmed like any other change, with the numbers. */
function useChartRequests(
  { cancel, amend }: OrderActions,
  { ask }: OrderQuestions,
  all: { readonly current: readonly TradeOrder[] },
): void {
  const text = useTradeText();
  const link = useTerminalLink();
  useEffect(
    () =>
      link.handleRequests(async (request) => {
        const order = all.current.find(({ orderId }) => orderId === request.orderId);
        if (order === undefined) return false;
        if (request.kind === "cancel") return cancel(order);
        const change = isPlan(order) ? { stopPrice: request.price } : { price: request.price };
        if (!(await ask({ kind: "amend", order, change }))) return false;
        const problem = await amend(order, change);
        if (problem !== undefined) notify({ title: text("toast.amendFailed"), detail: problem, tone: "danger" });
        return problem === undefined;
      }),
    [link, ask, cancel, amend, all, text],
  );
}
