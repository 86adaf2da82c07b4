// Sends an order and deals with what comes back. An order whose answer was lost is sent again under the same id and
// counts once (`#live/intent.ts`).
import { useState } from "react";
import type { Answer, Failed } from "#live/answer.ts";
import { sendIntent } from "#live/intent.ts";
import type { RequestClient } from "#live/request.ts";
import { useCalls } from "#session/auth-context.ts";
import { useProduct } from "#trade/product.ts";
import { useTerminalLink } from "#trade/terminal-link.ts";
import { useTradeText } from "#trade/trade-text.ts";
import { notify } from "./notices.ts";

export interface SendingParts<Draft, Placed> {
  readonly place: (request: RequestClient, body: Draft & { readonly clientOrderId: string }) => Promise<Answer<Placed>>;
}

/** What this one order is followed by: the form may have changed before its answer comes. */
export interface Followed<Placed> {
  readonly onPlaced: (placed: Placed) => void;
  readonly onRefused: (failed: Failed) => void;
}

export interface Sending<Draft, Placed> {
  readonly isBusy: boolean;
  readonly send: (draft: Draft, followed: Followed<Placed>) => Promise<void>;
}

export function useSending<Draft extends object, Placed>({
  place,
}: SendingParts<Draft, Placed>): Sending<Draft, Placed> {
  const text = useTradeText();
  const link = useTerminalLink();
  const { biz } = useProduct();
  const calls = useCalls();
  const [isBusy, setBusy] = useState(false);
  const send = async (draft: Draft, followed: Followed<Placed>) => {
    setBusy(true);
    const request = await calls();
    const startedMs = performance.now();
    const answer = await sendIntent(
      `${biz} order`,
      draft,
      { mint: request.mintOrderId, nowMs: Date.now() },
      (clientOrderId) => place(request, { ...draft, clientOrderId }),
    );
    setBusy(false);
    if (answer.ok) {
      link.orderAckMs.set(performance.now() - startedMs);
      followed.onPlaced(answer.data);
      return;
    }
    if (answer.err.kind === "refused") return followed.onRefused(answer);
    // No answer is no refusal: the same order may be sent again and counts once.
    notify({
      title: text("toast.noAnswer"),
      detail: text("toast.noAnswerNote"),
      tone: "danger",
      action: { label: text("toast.again"), onPress: () => void send(draft, followed) },
    });
  };
  return { isBusy, send };
}
