// The calls of copy trading as its screens make them.
import type { DataOf, Endpoint, InputOf } from "@clockwork/kit/endpoint";
import type { CopyKind } from "@clockwork/strategies/copy/contract";
import { showToast } from "@clockwork/ui/toast";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Answer } from "#live/answer.ts";
import { sendIntent } from "#live/intent.ts";
import type { RequestClient } from "#live/request.ts";
import { useCalls } from "#session/auth-context.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";

/** Leaders' public figures are recomputed every few seconds; the user's own overview is published live. */
const REFRESH_MS = 10_000;

export const pathOf = (kind: CopyKind, rest = ""): string => `${kind === "spot" ? "/copy/spot" : "/copy"}${rest}`;

/** Sends a call; a refusal is shown as text and returns nothing. */
export function useCopyAct() {
  const calls = useCalls();
  const words = useAuthText();
  const [busy, setBusy] = useState(false);
  const send = useCallback(
    async <Data>(ask: (client: RequestClient) => Promise<Answer<Data>>): Promise<Data | undefined> => {
      setBusy(true);
      const answer = await ask(await calls());
      setBusy(false);
      if (answer.ok) return answer.data;
      showToast({ title: describeFailure(words, answer), tone: "danger" });
      return undefined;
    },
    [calls, words],
  );
  const act = useCallback(
    <Called extends Endpoint>(called: Called, input: InputOf<Called>) => send((client) => client.call(called, input)),
    [send],
  );
  /** The same with its own id: a retry after a lost answer counts once. */
  const actOnce = useCallback(
    <Called extends Endpoint>(called: Called, input: Omit<InputOf<Called>, "clientId">) =>
      send((client) =>
        sendIntent(called.path, input, { mint: mintId, nowMs: Date.now() }, (clientId) =>
          client.call(called, { ...input, clientId } as InputOf<Called>),
        ),
      ),
    [send],
  );
  return { act, actOnce, busy };
}

const mintId = (): string => crypto.randomUUID().replaceAll("-", "").slice(0, 16);

/** Public data, as served; requested at once for other parameters, and from time to time while visible. */
export function useFresh<Called extends Endpoint, First extends DataOf<Called> | null>(
  called: Called,
  input: InputOf<Called>,
  first: First,
) {
  const calls = useCalls();
  const [data, setData] = useState<DataOf<Called> | First>(first);
  const sent = JSON.stringify(input);
  const wanted = `${called.path} ${sent}`;
  const requested = useRef(wanted);
  const refresh = useCallback(async () => {
    const answer = await (await calls()).call(called, JSON.parse(sent));
    if (answer.ok && requested.current === wanted) setData(answer.data);
  }, [calls, called, sent, wanted]);
  useEffect(() => setData(first), [first]);
  useEffect(() => {
    if (requested.current !== wanted) {
      requested.current = wanted;
      void refresh();
    }
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void refresh();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [refresh, wanted]);
  return { data, refresh };
}
