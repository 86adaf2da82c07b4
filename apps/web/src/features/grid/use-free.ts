// What the account a bot's money comes from has free of USDT, read once.
import type { GridBiz } from "@clockwork/domains/grid/api";
import { useEffect, useState } from "react";
import { FUTURES_PATHS } from "#live/feeds/futures-paths.ts";
import { useCalls } from "#session/auth-context.ts";

const QUOTE = "USDT";

interface Row {
  readonly asset: string;
  readonly available: string;
}

/** Undefined for visitors, and until it is known. */
export function useFree(biz: GridBiz, isSignedIn: boolean): string | undefined {
  const calls = useCalls();
  const [free, setFree] = useState<string>();
  useEffect(() => {
    if (!isSignedIn) return;
    let isThere = true;
    calls()
      .then((client) =>
        biz === "spot"
          ? client.get<Row[]>("/v1/spot/balance")
          : client.futuresGet<Row[]>(FUTURES_PATHS.accounts, { biz: "futures" }),
      )
      .then((answer) => {
        if (isThere && answer.ok) setFree(answer.data.find(({ asset }) => asset === QUOTE)?.available ?? "0");
      })
      .catch(() => undefined);
    return () => {
      isThere = false;
    };
  }, [calls, biz, isSignedIn]);
  return free;
}
