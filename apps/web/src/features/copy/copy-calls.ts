// The calls of copy trading, below the address of futures or of spot.
import { COPY_PATHS, type CopyKind } from "@clockwork/strategies/copy/contract";
import { showToast } from "@clockwork/ui/toast";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Answer } from "#live/answer.ts";
import { sendIntent } from "#live/intent.ts";
import { useCalls } from "#session/auth-context.ts";
import { sayFailure, useAuthText } from "#words/auth-text.ts";

/** Leaders' public figures are reckoned anew every few seconds; one's own overview is told live. */
const REFRESH_MS = 10_000;

export const pathOf = (kind: CopyKind, rest = ""): string => `${kind === "spot" ? "/copy/spot" : "/copy"}${rest}`;

/** Sends something; a refusal is said in words and answered with nothing. */
export function useCopyAct(kind: CopyKind) {
  const calls = useCalls();
  const words = useAuthText();
  const [busy, setBusy] = useState(false);
  const act = useCallback(
    async <Data>(path: string, body: object): Promise<Data | undefined> => {
      setBusy(true);
      const client = await calls();
      const answer: Answer<Data> = await client.postJson(`${COPY_PATHS[kind]}${path}`, body);
      setBusy(false);
      if (answer.ok) return answer.data;
      showToast({ title: sayFailure(words, answer), tone: "danger" });
      return undefined;
    },
    [calls, kind, words],
  );
  /** The same with an id of its own: pressed again after a lost answer it counts once. */
  const actOnce = useCallback(
    async <Data = unknown>(path: string, body: object): Promise<Data | undefined> => {
      setBusy(true);
      const client = await calls();
      const options = { mint: mintId, nowMs: Date.now() };
      const answer = await sendIntent(`${kind}${path}`, body, options, (clientId) =>
        client.postJson<Data>(`${COPY_PATHS[kind]}${path}`, { ...body, clientId }),
      );
      setBusy(false);
      if (answer.ok) return answer.data;
      showToast({ title: sayFailure(words, answer), tone: "danger" });
      return undefined;
    },
    [calls, kind, words],
  );
  return { act, actOnce, busy };
}

const mintId = (): string => crypto.randomUUID().replaceAll("-", "").slice(0, 16);

/** What everybody may see, as served; asked for at once when something else is wanted, and now and then while it is seen. */
export function useFresh<Data>(path: string, first: Data) {
  const calls = useCalls();
  const [data, setData] = useState(first);
  const asked = useRef(path);
  const refresh = useCallback(async () => {
    const answer = await (await calls()).get<Data>(path);
    if (answer.ok && asked.current === path) setData(answer.data);
  }, [calls, path]);
  useEffect(() => setData(first), [first]);
  useEffect(() => {
    if (asked.current !== path) {
      asked.current = path;
      void refresh();
    }
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void refresh();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [refresh, path]);
  return { data, refresh };
}
