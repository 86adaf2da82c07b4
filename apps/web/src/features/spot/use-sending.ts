// Sends an order and deals with what comes back. Holds the one submission that is under way, with its id: an order whose
// answer was lost is sent again under the same id and counts once.
import type { PlacedOrder } from "@clockwork/domains/spot/api";
import { useRef, useState } from "react";
import type { Failed } from "#live/answer.ts";
import { SPOT_PATHS } from "#live/feeds/spot-feeds.ts";
import { useCalls } from "#session/auth-context.ts";
import { useTerminalLink } from "#trade/terminal-link.ts";
import { buildOrder, placeRefusal, type Submission, submissionFor } from "./form-order.ts";
import type { FormState, FormWorld } from "./form-state.ts";
import { reportPlaced, reportUnanswered } from "./order-reports.ts";
import { type SpotSpeak, sayRefusal } from "./spot-text.ts";
import type { Judgement } from "./use-judgement.ts";

/** The answer may be lost though the order stands: only a plain refusal ends a submission. */
function isUndecided(failed: Failed): boolean {
  return failed.err.kind !== "refused" || (failed.err.status ?? 0) >= 500;
}

export interface SendingParts {
  readonly text: SpotSpeak;
  readonly judge: Judgement;
  readonly onPlaced: () => void;
}

export function useSending({ text, judge, onPlaced }: SendingParts) {
  const link = useTerminalLink();
  const calls = useCalls();
  const [isBusy, setBusy] = useState(false);
  const pending = useRef<Submission>(undefined);
  const send = async (form: FormState, world: FormWorld) => {
    setBusy(true);
    const request = await calls();
    const submission = submissionFor(pending.current, buildOrder(form, world), request.mintOrderId);
    pending.current = submission;
    const startedMs = performance.now();
    const body = { ...submission.draft, clientOrderId: submission.clientOrderId };
    const answer = await request.postJson<PlacedOrder>(SPOT_PATHS.orders, body);
    setBusy(false);
    if (answer.ok) {
      link.orderAckMs.set(performance.now() - startedMs);
      pending.current = undefined;
      onPlaced();
      reportPlaced(text, form, world, answer.data);
      return;
    }
    if (answer.err.kind !== "refused") reportUnanswered(text, () => void send(form, world));
    else judge.setRefusal({ field: placeRefusal(String(answer.code), form), words: sayRefusal(text, answer) });
    if (!isUndecided(answer)) pending.current = undefined;
  };
  return { isBusy, send };
}
