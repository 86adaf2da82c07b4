// Cancelling and changing one's orders: by rows, by the chart's lines, all at once. Tells what came of it.
import { useCallback, useEffect } from "react";
import { useCalls } from "#session/auth-context.ts";
import { notify } from "#trade/order/notices.ts";
import { type OrderChange, useProduct } from "#trade/product.ts";
import { useTerminalLink } from "#trade/terminal-link.ts";
import { sayRefusal, useTradeText } from "#trade/trade-text.ts";
import { showOrder } from "./shown-order.ts";

export interface OrderActions {
  /** True when it was done; the reason is told otherwise. */
  readonly cancel: (orderId: string) => Promise<boolean>;
  readonly clear: (pairCode: string | undefined) => Promise<boolean>;
  /** Nothing when it was done, else what to say beside the field. */
  readonly amend: (orderId: string, change: OrderChange) => Promise<string | undefined>;
}

export function useOrderActions(): OrderActions {
  const text = useTradeText();
  const calls = useCalls();
  const { calls: product } = useProduct();
  const cancel = useCallback(
    async (orderId: string) => {
      const answer = await product.cancel(await calls(), orderId);
      const view = { label: text("toast.view"), onPress: () => showOrder(orderId) };
      if (answer.ok) notify({ title: text("toast.canceled"), action: view });
      else notify({ title: text("toast.cancelFailed"), detail: sayRefusal(text, answer), tone: "danger" });
      return answer.ok;
    },
    [calls, product, text],
  );
  const clear = useCallback(
    async (pairCode: string | undefined) => {
      const answer = await product.clear(await calls(), pairCode);
      if (answer.ok) notify({ title: text("toast.cleared", { count: answer.data.canceled }) });
      else notify({ title: text("toast.clearFailed"), detail: sayRefusal(text, answer), tone: "danger" });
      return answer.ok;
    },
    [calls, product, text],
  );
  const amend = useCallback(
    async (orderId: string, change: OrderChange) => {
      const answer = await product.amend(await calls(), orderId, change);
      if (!answer.ok) return sayRefusal(text, answer);
      const view = { label: text("toast.view"), onPress: () => showOrder(orderId) };
      notify({ title: text("toast.amended"), action: view });
      return undefined;
    },
    [calls, product, text],
  );
  useChartRequests(cancel, amend);
  return { cancel, clear, amend };
}

/** A line dragged or crossed out on the chart. Dragging is the question and the answer at once. */
function useChartRequests(cancel: OrderActions["cancel"], amend: OrderActions["amend"]): void {
  const text = useTradeText();
  const link = useTerminalLink();
  useEffect(
    () =>
      link.handleRequests(async (request) => {
        if (request.kind === "cancel") return cancel(request.orderId);
        const problem = await amend(request.orderId, { price: request.price });
        if (problem !== undefined) notify({ title: text("toast.amendFailed"), detail: problem, tone: "danger" });
        return problem === undefined;
      }),
    [link, cancel, amend, text],
  );
}
