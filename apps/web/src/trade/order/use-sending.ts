// Sends an order and deals with what comes back. An order whose answer was lost is sent again under the same id and
// counts once.
import type { PlacedOrder } from "@clockwork/domains/spot/api";
import { useState } from "react";
import { SPOT_PATHS } from "#live/feeds/spot-feeds.ts";
import { sendIntent } from "#live/intent.ts";
import { useCalls } from "#session/auth-context.ts";
import { useTerminalLink } from "#trade/terminal-link.ts";
import { buildOrder, placeRefusal } from "../../features/spot/form-order.ts";
import type { FormState, FormWorld } from "../../features/spot/form-state.ts";
import { reportPlaced, reportUnanswered } from "../../features/spot/order-reports.ts";
import { type SpotSpeak, sayRefusal } from "../../features/spot/spot-text.ts";
import type { Judgement } from "./use-judgement.ts";

export interface SendingParts {
  readonly text: SpotSpeak;
  readonly judge: Judgement;
  readonly onPlaced: () => void;
}

export function useSending({ text, judge, onPlaced }: SendingParts) {
  const link = useTerminalLink();
  const calls = useCalls();
  const [isBusy, setBusy] = useState(false);
  const send = async (form: FormState, world: FormWorld) => {
    setBusy(true);
    const request = await calls();
    const draft = buildOrder(form, world);
    const startedMs = performance.now();
    const answer = await sendIntent(
      "spot order",
      draft,
      { mint: request.mintOrderId, nowMs: Date.now() },
      (clientOrderId) => request.postJson<PlacedOrder>(SPOT_PATHS.orders, { ...draft, clientOrderId }),
    );
    setBusy(false);
    if (answer.ok) {
      link.orderAckMs.set(performance.now() - startedMs);
      onPlaced();
      reportPlaced(text, form, world, answer.data);
      return;
    }
    if (answer.err.kind !== "refused") reportUnanswered(text, () => void send(form, world));
    else judge.setRefusal({ field: placeRefusal(String(answer.code), form), words: sayRefusal(text, answer) });
  };
  return { isBusy, send };
}
