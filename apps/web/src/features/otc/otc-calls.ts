// The calls of trading between users for screens: one click, one call, and the refusal as text.
import type { DataOf, Endpoint, InputOf } from "@clockwork/kit/endpoint";
import { useContext, useEffect, useRef, useState } from "react";
import type { Answer, Failed } from "#live/answer.ts";
import { sendIntent } from "#live/intent.ts";
import { LiveContext } from "#live/react.ts";
import type { RequestClient } from "#live/request.ts";
import { useCalls } from "#session/auth-context.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";

const CLIENT_ID_LENGTH = 24;

export type FieldErrors = Readonly<Record<string, string>>;
const NO_ERRORS: FieldErrors = {};

/** By the field's own name, wherever in the call it was. */
export function fieldErrors(failed: Failed): FieldErrors {
  const reply = Object.entries(failed.fields ?? {});
  return Object.fromEntries(
    reply.map(([path, words]) => [path.replace(/^body\.(terms\.)?/, "").split(/[./[]/)[0], words]),
  );
}

export interface OtcAction {
  readonly isBusy: boolean;
  readonly error: string | undefined;
  /** Of the refusal whose words are in `error`. */
  readonly code: string | undefined;
  /** The exchange requires a proof minutes old first. */
  readonly isStale: boolean;
  /** The refusal's errors of single fields, by their name. */
  readonly fields: FieldErrors;
  /** Posts; undefined when it was refused, and the words are in `error`. */
  run<Called extends Endpoint>(called: Called, input: InputOf<Called>): Promise<DataOf<Called> | undefined>;
  /** The same with its own id, which a second click of the same intent keeps. */
  intend<Called extends Endpoint>(
    form: string,
    called: Called,
    intent: Omit<InputOf<Called>, "clientId">,
  ): Promise<DataOf<Called> | undefined>;
  clear(): void;
}

export function useOtcAction(): OtcAction {
  const calls = useCalls();
  const words = useAuthText();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [code, setCode] = useState<string>();
  const [fields, setFields] = useState(NO_ERRORS);
  const clear = () => {
    setError(undefined);
    setCode(undefined);
    setFields(NO_ERRORS);
  };
  const take = async <Data>(ask: (request: RequestClient) => Promise<Answer<Data>>): Promise<Data | undefined> => {
    setBusy(true);
    clear();
    const answer = await ask(await calls());
    setBusy(false);
    if (answer.ok) return answer.data;
    setError(describeFailure(words, answer));
    setCode(String(answer.code));
    setFields(fieldErrors(answer));
    return undefined;
  };
  return {
    isBusy,
    error,
    code,
    isStale: code === "STEP_UP_REQUIRED",
    fields,
    run: (called, input) => take((request) => request.call(called, input)),
    intend: <Called extends Endpoint>(form: string, called: Called, intent: Omit<InputOf<Called>, "clientId">) =>
      take((request) => {
        const mint = () => request.mintOrderId().slice(-CLIENT_ID_LENGTH);
        return sendIntent(form, intent, { mint, nowMs: Date.now() }, (clientId) =>
          request.call(called, { ...intent, clientId } as InputOf<Called>),
        );
      }),
    clear,
  };
}

/** Called for every message of a channel while the page is open. */
export function useChannelNews<News>(channel: string, onNews: (news: News) => void): void {
  const hub = useContext(LiveContext);
  const result = useRef(onNews);
  useEffect(() => {
    result.current = onNews;
  });
  useEffect(() => {
    if (hub === undefined) return;
    return hub.socket.subscribe({ topic: { channel }, onMessage: ({ data }) => result.current(data as News) });
  }, [hub, channel]);
}

/** Runs at once, and again so often, while the page is seen. */
export function useEvery(everyMs: number, run: () => void): void {
  const result = useRef(run);
  useEffect(() => {
    result.current = run;
  });
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && result.current(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}
