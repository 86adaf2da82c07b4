// Cancelling and changing one's orders: by rows, by the chart's lines, all at once. Tells what came of it.
import type { SpotOrder } from "@clockwork/domains/spot/api";
import { useCallback, useEffect } from "react";
import { SPOT_PATHS } from "#live/feeds/spot-feeds.ts";
import { useCalls } from "#session/auth-context.ts";
import { useTerminalLink } from "#trade/terminal-link.ts";
import { notify } from "#trade/order/notices.ts";
import { showOrder } from "./shown-order.ts";
import { sayRefusal, useSpotText } from "../../features/spot/spot-text.ts";

export interface Change {
  readonly price?: string;
  readonly quantity?: string;
}

export interface OrderActions {
  /** True when it was done; the reason is told otherwise. */
  readonly cancel: (orderId: string) => Promise<boolean>;
  readonly clear: (pairCode: string | undefined) => Promise<boolean>;
  /** Nothing when it was done, else what to say beside the field. */
  readonly amend: (orderId: string, change: Change) => Promise<string | undefined>;
}

export function useOrderActions(): OrderActions {
  const text = useSpotText();
  const calls = useCalls();
  const cancel = useCallback(
    async (orderId: string) => {
      const answer = await (await calls()).deleteJson<SpotOrder>(`${SPOT_PATHS.orders}/${orderId}`);
      const view = { label: text("toast.view"), onPress: () => showOrder(orderId) };
      if (answer.ok) notify({ title: text("toast.canceled"), action: view });
      else notify({ title: text("toast.cancelFailed"), detail: sayRefusal(text, answer), tone: "danger" });
      return answer.ok;
    },
    [calls, text],
  );
  const clear = useCallback(
    async (pairCode: string | undefined) => {
      const request = await calls();
      const answer = await request.postJson<{ canceled: number }>(
        SPOT_PATHS.clear,
        pairCode === undefined ? {} : { pairCode },
      );
      if (answer.ok) notify({ title: text("toast.cleared", { count: answer.data.canceled }) });
      else notify({ title: text("toast.clearFailed"), detail: sayRefusal(text, answer), tone: "danger" });
      return answer.ok;
    },
    [calls, text],
  );
  const amend = useCallback(
    async (orderId: string, change: Change) => {
      const answer = await (await calls()).patchJson<SpotOrder>(`${SPOT_PATHS.orders}/${orderId}`, change);
      if (!answer.ok) return sayRefusal(text, answer);
      const view = { label: text("toast.view"), onPress: () => showOrder(orderId) };
      notify({ title: text("toast.amended"), action: view });
      return undefined;
    },
    [calls, text],
  );
  useChartRequests(cancel, amend);
  return { cancel, clear, amend };
}

/** A line dragged or crossed out on the chart. Dragging is the question and the answer at once. */
function useChartRequests(cancel: OrderActions["cancel"], amend: OrderActions["amend"]): void {
  const text = useSpotText();
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
