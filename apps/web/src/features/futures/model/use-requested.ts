// One public answer about a contract, requested while visible; a failure is shown and may be retried.

import type { DataOf, Endpoint, Fixed, InputOf } from "@clockwork/kit/endpoint";
import { useEffect, useState } from "react";
import { askData } from "#live/ask.ts";

interface Requested<Data> {
  readonly data: Data | undefined;
  readonly isFailing: boolean;
  readonly retry: () => void;
}

interface RequestedOptions<Data> {
  /** Requested again at this interval; the last answer remains until there is a newer one. */
  readonly everyMs?: number;
  /** The page's own data: the first request can wait. */
  readonly served?: Data | null;
}

export function useRequested<Called extends Endpoint>(
  called: Called,
  fields: InputOf<Called>,
  { everyMs, served }: RequestedOptions<Fixed<DataOf<Called>>> = {},
): Requested<Fixed<DataOf<Called>>> {
  const isServed = served !== undefined;
  const key = JSON.stringify([called.path, fields]);
  const [state, setState] = useState<{ readonly key: string; readonly data: Fixed<DataOf<Called>> | undefined }>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` triggers another try
  useEffect(() => {
    let gone = false;
    const [, of] = JSON.parse(key) as [string, InputOf<Called>];
    const ask = async () => {
      if (document.hidden) return;
      const data = await askData(called, of, { api: "futures" }).catch(() => undefined);
      if (gone) return;
      setState((before) => {
        const isKnown = before?.key === key && before.data !== undefined;
        return data === undefined && isKnown ? before : { key, data: data as Fixed<DataOf<Called>> | undefined };
      });
    };
    if (!isServed) void ask();
    const timer = everyMs === undefined ? undefined : setInterval(() => void ask(), everyMs);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [called, key, everyMs, isServed, attempt]);
  const isMine = state?.key === key;
  return {
    data: (isMine ? state.data : undefined) ?? served ?? undefined,
    isFailing: !isServed && isMine && state.data === undefined,
    retry: () => setAttempt(attempt + 1),
  };
}
