// The state of the page of a new basket: what is typed, what follows from it at the prices of now, and sending it once.

import { REBALANCE_CALLS, type RebalancerDetail } from "@clockwork/strategies/rebalance/contract";
import type { Pair, Quotation } from "@clockwork/trading/markets/contract";
import { useMemo, useState } from "react";
import { useMarketData } from "#clients/market-data.ts";
import { sendIntent } from "#live/intent.ts";
import { useCalls } from "#session/auth-context.ts";
import { type BasketDraft, bodyOf, FIRST_DRAFT, placeOf, previewBasket } from "./model/basket-model.ts";
import { gridIntent } from "./model/grid-intent.ts";

export interface BasketData {
  /** Spot pairs quoted in USDT. */
  readonly pairs: readonly Pair[];
  readonly quotations: readonly Quotation[];
  /** Of USDT in the spot account; null for visitors. */
  readonly free: string | null;
  readonly isSignedIn: boolean;
}

export interface Failure {
  readonly at: ReturnType<typeof placeOf>;
  readonly message: string;
}

export type MadeBasket = ReturnType<typeof useBasket>;

export function useBasket({ pairs, quotations }: BasketData) {
  const [draft, setDraft] = useState(FIRST_DRAFT);
  const live = useMarketData();
  const preview = useMemo(() => {
    const lasts = new Map([...quotations, ...live].map(({ pairCode, last }) => [pairCode, last]));
    return previewBasket(draft, pairs, (pairCode) => lasts.get(pairCode));
  }, [draft, pairs, quotations, live]);
  const { failure, remove, ...sending } = useSend(draft);
  const change = (part: Partial<BasketDraft>): void => {
    remove();
    setDraft((now) => ({ ...now, ...part }));
  };
  return { draft, change, preview, failure, sending };
}

/** One intent, one id: pressed again after a lost answer it is the same bot. */
function useSend(draft: BasketDraft) {
  const calls = useCalls();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const send = async (): Promise<RebalancerDetail | undefined> => {
    setBusy(true);
    setFailure(undefined);
    const client = await calls();
    const body = bodyOf(draft);
    const answer = await sendIntent(REBALANCE_CALLS.create.path, body, gridIntent(client), (clientId) =>
      client.call(REBALANCE_CALLS.create, { ...body, clientId }),
    );
    setBusy(false);
    if (answer.ok) return answer.data;
    setFailure({ at: placeOf(answer.code), message: answer.message });
    return undefined;
  };
  return { send, isBusy, failure, remove: () => setFailure(undefined) };
}
