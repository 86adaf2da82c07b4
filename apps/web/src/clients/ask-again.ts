// Requests what a page was served without until it is there: a new exchange generates its history first, and its prices
// come a few seconds later. Gives up after a minute; the market then has no trades.
import { useEffect, useRef } from "react";
import type { RequestClient } from "#live/request.ts";
import { useCalls } from "#session/auth-context.ts";

const AGAIN_MS = 2_000;
const TRIES_MAX = 30;

/** Restarts with every `subject`. `take` must keep the answer, so that `isDone` can become true. */
export function useRequestAgain(
  subject: string,
  isDone: boolean,
  take: (client: RequestClient) => Promise<() => void>,
) {
  const calls = useCalls();
  const latest = useRef(take);
  latest.current = take;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another subject restarts the request
  useEffect(() => {
    if (isDone) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gone = false;
    let tries = 0;
    const ask = async () => {
      const keep = await latest.current(await calls());
      if (gone) return;
      tries += 1;
      if (tries < TRIES_MAX) timer = setTimeout(() => void ask(), AGAIN_MS);
      keep();
    };
    void ask();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [calls, subject, isDone]);
}
