// `/operator/broadcasts`: composing an issue of the newsletter and of pushes, its preview, and what has been sent.

import { DEFAULT_LOCALE, LOCAL_LANGUAGES } from "@clockwork/kit/constants";
import {
  BODY_LENGTH_MAX,
  BROADCAST_AUDIENCES,
  BROADCAST_CALLS,
  type Broadcast,
  type BroadcastAudience,
  type BroadcastPreview,
  type BroadcastTable,
  type BroadcastWords,
  SUBJECT_LENGTH_MAX,
} from "@clockwork/messaging/broadcasts/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Badge } from "@clockwork/ui/pill";
import { TextArea } from "@clockwork/ui/text-area";
import { TextField } from "@clockwork/ui/text-field";
import { type ReactNode, useEffect, useState } from "react";
import { useLocation, useRevalidator } from "react-router";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import {
  ActionNote,
  ChoiceField,
  FormRow,
  readInstant,
  useOperatorAction,
  writeInstant,
} from "#console/operator-action.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { useConsoleText } from "#words/console-text.ts";

export interface BroadcastsPageProps {
  readonly me: ConsoleOperator;
  readonly table: BroadcastTable | null;
  readonly proof: ReactNode;
}

export function BroadcastsPage({ me, table, proof }: BroadcastsPageProps) {
  const text = useConsoleText();
  return (
    <ConsoleFrame me={me} title={text("broadcasts.title")} lead={text("broadcasts.lead")} proof={proof}>
      {table === null ? <FailedLine /> : <BroadcastConsole table={table} />}
    </ConsoleFrame>
  );
}

function BroadcastConsole({ table }: { readonly table: BroadcastTable }) {
  const text = useConsoleText();
  const { subscribers, phones, perMinute, broadcasts } = table;
  useProgress(broadcasts);
  return (
    <>
      <p className="mb-4 text-muted text-ui">{text("broadcasts.receivers", { subscribers, phones, perMinute })}</p>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-[minmax(0,1fr)_520px]">
        <Card flush className="self-start">
          {broadcasts.length === 0 && <p className="p-6 text-muted text-ui">{text("broadcasts.none")}</p>}
          <ul>
            {broadcasts.map((row) => (
              <Line key={row.number} row={row} />
            ))}
          </ul>
        </Card>
        <Composer table={table} />
      </div>
    </>
  );
}

const REFRESH_MS = 3_000;

/** Requests the list again while a broadcast is sending, or is due. */
function useProgress(broadcasts: readonly Broadcast[]): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(() => {
      const isDue = ({ state, sendAtMs }: Broadcast) =>
        state === "sending" || (state === "scheduled" && sendAtMs <= Date.now());
      if (document.visibilityState === "visible" && broadcasts.some(isDue)) void revalidate();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [broadcasts, revalidate]);
}

const TONES = { scheduled: "info", sending: "info", sent: "neutral", cancelled: "outline" } as const;

function Line({ row }: { readonly row: Broadcast }) {
  const text = useConsoleText();
  const action = useOperatorAction();
  const { revalidate } = useRevalidator();
  const { number, subject, audience, state, sendAtMs, mails, pushes, madeBy } = row;
  const stop = async () => {
    await action.run(BROADCAST_CALLS.cancel, { number });
    await revalidate();
  };
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-6 py-3 last:border-0">
      <div className="min-w-0 flex-1">
        <p className="font-medium text-ui [overflow-wrap:anywhere]">{subject}</p>
        <p className="text-[13px] text-muted">
          {number} · {text(`broadcasts.audience.${audience}`)} · {writeInstant(sendAtMs)} · {madeBy} ·{" "}
          {text("broadcasts.counts", { mails, pushes })}
        </p>
        {action.error !== undefined && <p className="text-[13px] text-danger">{action.error}</p>}
      </div>
      <Badge tone={TONES[state]}>{text(`broadcasts.state.${state}`)}</Badge>
      {(state === "scheduled" || state === "sending") && (
        <Button size={28} busy={action.isBusy} aria-label={`${text("broadcasts.stop")}: ${subject}`} onPress={stop}>
          {text("broadcasts.stop")}
        </Button>
      )}
    </li>
  );
}

/** Passed by the editor of an announcement. */
function useHandedWords(): BroadcastWords {
  const state = useLocation().state as { subject?: unknown; body?: unknown } | null;
  const read = (value: unknown) => (typeof value === "string" ? value : "");
  return { subject: read(state?.subject).slice(0, SUBJECT_LENGTH_MAX), body: read(state?.body) };
}

const EMPTY: BroadcastWords = { subject: "", body: "" };

function useComposer() {
  const text = useConsoleText();
  const action = useOperatorAction();
  const { revalidate } = useRevalidator();
  const handed = useHandedWords();
  const [words, setWords] = useState<Readonly<Record<string, BroadcastWords>>>({ [DEFAULT_LOCALE]: handed });
  const [locale, setLocale] = useState<string>(DEFAULT_LOCALE);
  const [audience, setAudience] = useState<BroadcastAudience>("newsletter");
  const [when, setWhen] = useState("");
  const [preview, setPreview] = useState<BroadcastPreview>();
  const shown = words[locale] ?? EMPTY;
  const change = (part: Partial<BroadcastWords>) => {
    setPreview(undefined);
    setWords({ ...words, [locale]: { ...shown, ...part } });
  };
  /** Languages nothing was written in are left out. */
  const written = () =>
    Object.fromEntries(Object.entries(words).filter(([, { subject, body }]) => subject.trim() + body.trim() !== ""));
  const look = async () => {
    if (preview !== undefined) return setPreview(undefined);
    const made = await action.look(BROADCAST_CALLS.preview, { words: written(), locale });
    if (made !== undefined) setPreview(made.data);
  };
  const send = async () => {
    const instant = readInstant(when);
    if (instant === undefined) return action.refuse(text("label.badInstant"));
    const body = { audience, words: written(), sendAtMs: instant.ms };
    if ((await action.intend(BROADCAST_CALLS.send, body)) === undefined) return;
    setWords({ [DEFAULT_LOCALE]: EMPTY });
    setWhen("");
    setPreview(undefined);
    await revalidate();
  };
  return { action, locale, setLocale, audience, setAudience, when, setWhen, preview, shown, change, look, send };
}

function Composer({ table: { hasMail, hasPush } }: { readonly table: BroadcastTable }) {
  const text = useConsoleText();
  const form = useComposer();
  const { action, audience, shown, preview } = form;
  const canSend = (audience === "push" || hasMail) && (audience === "newsletter" || hasPush);
  return (
    <Card title={text("broadcasts.new")} className="self-start">
      <ActionNote action={action} />
      <div className="grid gap-4">
        <FormRow>
          <ChoiceField
            label={text("broadcasts.audience")}
            value={audience}
            onChange={(one) => form.setAudience(BROADCAST_AUDIENCES.find((known) => known === one) ?? "newsletter")}
            options={BROADCAST_AUDIENCES.map((one) => [one, text(`broadcasts.audience.${one}`)])}
          />
          {LOCAL_LANGUAGES.length > 1 && (
            <ChoiceField
              label={text("broadcasts.language")}
              value={form.locale}
              onChange={form.setLocale}
              options={LOCAL_LANGUAGES.map(({ lang, name }) => [lang, name])}
            />
          )}
          <TextField
            label={text("broadcasts.when")}
            value={form.when}
            onChange={form.setWhen}
            placeholder="2026-11-15 12:00"
            maxLength={16}
          />
        </FormRow>
        {preview === undefined ? (
          <>
            <TextField
              label={text("broadcasts.subject")}
              value={shown.subject}
              onChange={(subject) => form.change({ subject })}
              maxLength={SUBJECT_LENGTH_MAX}
            />
            <TextArea
              label={text("broadcasts.body")}
              value={shown.body}
              onChange={(body) => form.change({ body })}
              rows={10}
              maxLength={BODY_LENGTH_MAX}
            />
          </>
        ) : (
          <>
            {audience !== "push" && (
              <Shown title={text("broadcasts.asMail")} subject={preview.subject} body={preview.mail} />
            )}
            {audience !== "newsletter" && (
              <Shown title={text("broadcasts.asPush")} subject={preview.subject} body={preview.push} />
            )}
          </>
        )}
        {!canSend && <p className="text-label text-muted">{text("broadcasts.noSender")}</p>}
        <div className="flex flex-wrap gap-2">
          <Button
            kind="primary"
            size={40}
            busy={action.isBusy}
            isDisabled={!canSend || shown.subject.trim() === "" || shown.body.trim() === ""}
            onPress={() => void form.send()}
          >
            {text("broadcasts.send")}
          </Button>
          <Button size={40} onPress={() => void form.look()}>
            {text(preview === undefined ? "broadcasts.preview" : "label.edit")}
          </Button>
        </div>
      </div>
    </Card>
  );
}

function Shown({ title, subject, body }: { readonly title: string; readonly subject: string; readonly body: string }) {
  return (
    <section aria-label={title} className="rounded-control border border-line p-4">
      <p className="text-label text-muted">{title}</p>
      <p className="mt-1 font-medium text-ui [overflow-wrap:anywhere]">{subject}</p>
      <p className="mt-2 whitespace-pre-wrap text-ui [overflow-wrap:anywhere]">{body}</p>
    </section>
  );
}
