// Whether the user has accepted the strategy agreement, and accepting it.
import { GRID_CALLS, type GridBiz } from "@clockwork/strategies/grid/contract";
import { useEffect, useState } from "react";
import { Latest } from "#live/latest.ts";
import { useCalls } from "#session/auth-context.ts";

/** Whether the strategy agreement was accepted; undefined until it is loaded. */
export function useAgreement(biz: GridBiz, isSignedIn: boolean) {
  const calls = useCalls();
  const [agreed, setAgreed] = useState<boolean>();
  const [latest] = useState(() => new Latest());
  useEffect(() => {
    if (!isSignedIn) return;
    let isThere = true;
    latest
      .ask(async () => (await calls()).call(GRID_CALLS[biz].agreement, {}))
      .then((answer) => {
        if (isThere && answer?.ok === true) setAgreed(answer.data.agreedAtMs !== null);
      })
      .catch(() => undefined);
    return () => {
      isThere = false;
    };
  }, [calls, latest, biz, isSignedIn]);
  const agree = async (): Promise<void> => {
    const answer = await (await calls()).call(GRID_CALLS[biz].agree, {});
    if (!answer.ok) return;
    // An earlier request may still answer that it was not accepted.
    latest.drop();
    setAgreed(true);
  };
  return { agreed, agree };
}
