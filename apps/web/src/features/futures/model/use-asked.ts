// One public answer about a contract, asked for while somebody looks; a failure is told and may be tried again.

import type { Fields } from "@clockwork/kit/endpoint";
import { useEffect, useState } from "react";
import { askData } from "#live/ask.ts";
import { FUTURES_API } from "#live/feeds/futures-paths.ts";

interface Asked<Data> {
  readonly data: Data | undefined;
  readonly isFailing: boolean;
  readonly retry: () => void;
}

interface AskedOptions<Data> {
  /** Asked again every so often; what was known stays until there is something newer. */
  readonly everyMs?: number;
  /** What the page came with: it need not be asked for at once. */
  readonly served?: Data;
}

export function useAsked<Data>(
  name: string,
  fields: Fields,
  { everyMs, served }: AskedOptions<Data> = {},
): Asked<Data> {
  const isServed = served !== undefined;
  const key = JSON.stringify([name, fields]);
  const [state, setState] = useState<{ readonly key: string; readonly data: Data | undefined }>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` asks for another try
  useEffect(() => {
    let gone = false;
    const [asked, of] = JSON.parse(key) as [string, Fields];
    const ask = async () => {
      if (document.hidden) return;
      const data = await askData("futures", `${FUTURES_API}/${asked}`, of).catch(() => undefined);
      if (gone) return;
      setState((before) => {
        const isKnown = before?.key === key && before.data !== undefined;
        return data === undefined && isKnown ? before : { key, data: data as Data | undefined };
      });
    };
    if (!isServed) void ask();
    const timer = everyMs === undefined ? undefined : setInterval(() => void ask(), everyMs);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [key, everyMs, isServed, attempt]);
  const isMine = state?.key === key;
  return {
    data: (isMine ? state.data : undefined) ?? served,
    isFailing: !isServed && isMine && state.data === undefined,
    retry: () => setAttempt(attempt + 1),
  };
}
