// Whether somebody has accepted the strategy agreement, and accepting it.
import { GRID_PATHS, type GridBiz } from "@clockwork/domains/grid/api";
import { useEffect, useState } from "react";
import { useCalls } from "#session/auth-context.ts";

/** Whether the strategy agreement was accepted; undefined until it is known. */
export function useAgreement(biz: GridBiz, isSignedIn: boolean) {
  const calls = useCalls();
  const [agreed, setAgreed] = useState<boolean>();
  useEffect(() => {
    if (!isSignedIn) return;
    let isThere = true;
    calls()
      .then((client) => client.get<{ agreedAtMs: number | null }>(`${GRID_PATHS[biz]}/protocol`))
      .then((answer) => {
        if (isThere && answer.ok) setAgreed(answer.data.agreedAtMs !== null);
      })
      .catch(() => undefined);
    return () => {
      isThere = false;
    };
  }, [calls, biz, isSignedIn]);
  const agree = async (): Promise<void> => {
    const answer = await (await calls()).postJson(`${GRID_PATHS[biz]}/protocol/agree`, {});
    if (answer.ok) setAgreed(true);
  };
  return { agreed, agree };
}
