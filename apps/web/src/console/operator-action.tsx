// What forms of the console share: one action at a time, reported as done or failed; a choice among few; an instant
// typed as text in UTC.
import type { DataOf, Endpoint, InputOf } from "@clockwork/kit/endpoint";
import type { ProposalMade } from "@clockwork/kit/proposal-state";
import { formatDateTime, parseDateTime } from "@clockwork/kit/time";
import { type ReactNode, useState } from "react";
import type { Answer } from "#live/answer.ts";
import { sendIntent } from "#live/intent.ts";
import type { RequestClient } from "#live/request.ts";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { LateSelect } from "#shell/late-fields.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useConsoleText } from "#words/console-text.ts";

/** The input of a proposing call: all but the id of the intent. */
export type ProposalInput<Called extends Endpoint> = Omit<InputOf<Called>, "clientId">;

type Done<Data> = Promise<{ readonly data: Data } | undefined>;

export interface OperatorAction {
  readonly error: string | undefined;
  readonly reply: string;
  readonly isBusy: boolean;
  /** What the server found wrong with fields, such as `body.amount`. */
  readonly faults: Readonly<Record<string, string>>;
  /** Shows a mistake found before anything was sent. */
  refuse(words: string): void;
  /** The server requires a proof minutes old first. */
  readonly isStale: boolean;
  clear(): void;
  /** The answer's data; undefined when it was refused, which is then shown. */
  run<Called extends Endpoint>(called: Called, input: InputOf<Called>): Done<DataOf<Called>>;
  /** A call that changes nothing: only a refusal is shown. */
  look<Called extends Endpoint>(called: Called, input: InputOf<Called>): Done<DataOf<Called>>;
  /** The same with its own id, which a second click of the same intent keeps. */
  intend<Called extends Endpoint>(called: Called, input: Omit<InputOf<Called>, "clientId">): Done<DataOf<Called>>;
  /** The same for what another operator approves: the note states that it is pending. */
  propose<Called extends Endpoint>(called: Called, input: ProposalInput<Called>): Done<ProposalMade>;
}

export function useOperatorAction(): OperatorAction {
  const text = useConsoleText();
  const words = useAuthText();
  const calls = useCalls();
  const [error, setError] = useState<string>();
  const [reply, setReply] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [isStale, setStale] = useState(false);
  const [faults, setFaults] = useState<OperatorAction["faults"]>({});
  const show = (fault: string | undefined, note: string) => {
    setError(fault);
    setReply(note);
    setFaults({});
  };
  const send = async <Data,>(note: string, call: (request: RequestClient) => Promise<Answer<Data>>) => {
    show(undefined, "");
    setBusy(true);
    const answer = await call(await calls());
    setBusy(false);
    if (answer.ok) show(undefined, note);
    else {
      show(describeFailure(words, answer), "");
      setFaults(answer.fields ?? {});
    }
    setStale(!answer.ok && answer.code === "STEP_UP_REQUIRED");
    return answer.ok ? { data: answer.data } : undefined;
  };
  const intend = <Data,>(note: string, called: Endpoint, input: object) =>
    send(note, (request) =>
      sendIntent(
        called.path,
        input,
        { mint: request.mintOrderId, nowMs: Date.now() },
        (clientId) => request.call(called, { ...input, clientId }) as Promise<Answer<Data>>,
      ),
    );
  return {
    error,
    reply,
    isBusy,
    isStale,
    faults,
    refuse: (fault) => show(fault, ""),
    clear: () => {
      setStale(false);
      show(undefined, "");
    },
    run: (called, input) => send(text("label.done"), (request) => request.call(called, input)),
    look: (called, input) => send("", (request) => request.call(called, input)),
    intend: (called, input) => intend(text("label.done"), called, input as object),
    propose: (called, input) => intend(text("proposals.made"), called, input as object),
  };
}

export function ActionNote({ action }: { readonly action: OperatorAction }) {
  return (
    <>
      <FormError>{action.error}</FormError>
      <p role="status" className="text-muted text-ui not-empty:mb-3">
        {action.reply}
      </p>
    </>
  );
}

export interface ChoiceFieldProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, title: string])[];
  readonly onChange: (value: string) => void;
}

export function ChoiceField({ label, value, options, onChange }: ChoiceFieldProps) {
  return (
    <LateSelect
      label={label}
      value={value}
      onChange={onChange}
      options={options.map(([id, title]) => ({ id, title }))}
    />
  );
}

/** `2026-11-15 12:30`, UTC; empty text is nothing. */
export function readInstant(typed: string): { readonly ms: number | null } | undefined {
  if (typed.trim() === "") return { ms: null };
  const ms = parseDateTime(typed.trim());
  return ms === undefined ? undefined : { ms };
}

/** In the input's format, to the minute. */
export function writeInstant(ms: number | null): string {
  return ms === null ? "" : formatDateTime(ms).slice(0, 16);
}

export function FormRow({ children }: { readonly children: ReactNode }) {
  return <div className="grid items-end gap-4 sm:grid-cols-2">{children}</div>;
}
