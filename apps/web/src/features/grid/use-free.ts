// The free USDT of the account that funds a bot; requested again when test funds came.

import type { GridBiz } from "@clockwork/strategies/grid/contract";
import { POSITION_CALLS } from "@clockwork/trading/positions/contract";
import { SPOT_CALLS } from "@clockwork/trading/spot/contract";
import { useEffect, useState } from "react";
import { useCalls } from "#session/auth-context.ts";

const QUOTE = "USDT";

export interface Free {
  /** Undefined for visitors, and until it is loaded. */
  readonly free: string | undefined;
  readonly requestAgain: () => void;
}

export function useFree(biz: GridBiz, isSignedIn: boolean): Free {
  const calls = useCalls();
  const [free, setFree] = useState<string>();
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: requested again in every round
  useEffect(() => {
    if (!isSignedIn) return;
    let isThere = true;
    calls()
      .then(async (client) =>
        biz === "spot"
          ? client.call(SPOT_CALLS.balance, {})
          : client.call(POSITION_CALLS.accounts, { biz: "futures" }, { api: "futures" }),
      )
      .then((answer) => {
        if (isThere && answer.ok) setFree(answer.data.find(({ asset }) => asset === QUOTE)?.available ?? "0");
      })
      .catch(() => undefined);
    return () => {
      isThere = false;
    };
  }, [calls, biz, isSignedIn, round]);
  return { free, requestAgain: () => setRound(round + 1) };
}
