// A support form: topic, contact, message, pictures. Ends with a number and a key.
import {
  ATTACHMENT_BYTES_MAX,
  ATTACHMENTS_MAX,
  type FormKind,
  type OpenedTicket,
  TICKET_CALLS,
} from "@clockwork/messaging/support/contract";
import { Button } from "@clockwork/ui/button";
import { TextArea } from "@clockwork/ui/text-area";
import { TextField } from "@clockwork/ui/text-field";
import { type FormEvent, useState } from "react";
import type { RequestClient } from "#live/request.ts";
import { useCaptcha } from "#session/auth-captcha.ts";
import { useCalls } from "#session/auth-context.ts";
import { usePublicText } from "#words/public-text.ts";
import { PicturePicker } from "./picture-picker.tsx";
import { checkDraft, pictureHeaders, type TicketDraft } from "./ticket-model.ts";
import { OpenedNote } from "./ticket-opened.tsx";

export interface TicketFormProps {
  readonly kind: FormKind;
  readonly title: string;
}

const EMPTY: TicketDraft = { name: "", email: "", message: "" };
const PICTURE_TIMEOUT_MS = 60_000;
const TOPICS = ["account", "trading", "funds", "security", "other"] as const;

/** One after another, as they are drawn; answers the names of those that were not kept. */
async function sendPictures(request: RequestClient, opened: OpenedTicket, pictures: readonly File[]) {
  const lost: string[] = [];
  for (const file of pictures) {
    const options = { headers: pictureHeaders(opened, file.name), timeoutMs: PICTURE_TIMEOUT_MS };
    const kept = await request.postFile(TICKET_CALLS.picture, file, {}, options);
    if (!kept.ok) lost.push(file.name);
  }
  return lost;
}

function useTicketForm(kind: FormKind, topic: string) {
  const text = usePublicText();
  const calls = useCalls();
  const captcha = useCaptcha();
  const [draft, setDraft] = useState(EMPTY);
  const [pictures, setPictures] = useState<readonly File[]>([]);
  const [faults, setFaults] = useState<Readonly<Partial<Record<string, string>>>>({});
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [opened, setOpened] = useState<OpenedTicket>();
  const [lost, setLost] = useState<readonly string[]>([]);

  const send = async (website: string) => {
    const found = Object.entries(checkDraft(kind, draft)).map(([field, fault]) => [
      field,
      text(`public.form.${fault}`),
    ]);
    setFaults(Object.fromEntries(found));
    setProblem(undefined);
    if (found.length > 0) return;
    setBusy(true);
    const request = await calls();
    const answer = await request.call(TICKET_CALLS.open, {
      kind,
      ...(hasTopic(kind) ? { topic } : {}),
      ...draft,
      website,
      captcha: await captcha.solve(),
    });
    if (answer.ok) setLost(await sendPictures(request, answer.data, pictures));
    setBusy(false);
    if (answer.ok) return setOpened(answer.data);
    setFaults(answer.fields ?? {});
    setProblem(answer.message === "" ? text("public.form.failed") : answer.message);
  };
  const choose = (files: readonly File[]) => {
    const large = files.find((file) => file.size > ATTACHMENT_BYTES_MAX);
    if (large !== undefined) return setProblem(text("public.form.tooLarge", { name: large.name }));
    if (files.length > ATTACHMENTS_MAX) return setProblem(text("public.form.tooMany"));
    setProblem(undefined);
    setPictures(files);
  };
  return { draft, setDraft, pictures, choose, faults, problem, isBusy, opened, lost, send };
}

export function TicketForm({ kind: givenKind, title }: TicketFormProps) {
  const text = usePublicText();
  const [kind, setKind] = useState(givenKind);
  const [topic, setTopic] = useState<string>("account");
  const form = useTicketForm(kind, topic);
  const { draft, setDraft, faults } = form;
  const mayBeNameless = kind === "whistleblower";
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void form.send(String(new FormData(event.currentTarget).get("website") ?? ""));
  };
  return (
    <section aria-labelledby="form" data-print="no" className="mt-12 rounded-card border border-line p-6">
      <h2 id="form" className="scroll-mt-24 font-semibold text-[20px] leading-7 tracking-[-0.015em]">
        {title}
      </h2>
      {form.opened === undefined ? (
        <form onSubmit={submit} noValidate className="mt-4 grid gap-4">
          {givenKind === "contact" && <KindChoice kind={kind} onChange={setKind} />}
          {hasTopic(kind) && <TopicChoice topic={topic} onChange={setTopic} />}
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              label={text(mayBeNameless ? "public.form.nameOptional" : "public.form.name")}
              value={draft.name}
              onChange={(name) => setDraft({ ...draft, name })}
              error={faults.name}
              maxLength={100}
              autoComplete={mayBeNameless ? "off" : "name"}
            />
            <TextField
              label={text(mayBeNameless ? "public.form.emailOptional" : "public.form.email")}
              type="email"
              value={draft.email}
              onChange={(email) => setDraft({ ...draft, email })}
              error={faults.email}
              maxLength={254}
              autoComplete={mayBeNameless ? "off" : "email"}
            />
          </div>
          <TextArea
            label={text("public.form.message")}
            value={draft.message}
            onChange={(message) => setDraft({ ...draft, message })}
            error={faults.message}
            rows={6}
            maxLength={5000}
          />
          <PicturePicker pictures={form.pictures} onChange={form.choose} />
          {/* Bots fill in invisible fields. */}
          <label className="hidden" aria-hidden="true">
            {text("public.form.website")}
            <input name="website" tabIndex={-1} autoComplete="off" />
          </label>
          {form.problem !== undefined && (
            <p role="alert" className="text-danger">
              {form.problem}
            </p>
          )}
          <div>
            <Button type="submit" kind="primary" busy={form.isBusy}>
              {text("public.form.send")}
            </Button>
          </div>
          <noscript>
            <p className="text-muted">{text("public.form.noScript")}</p>
          </noscript>
        </form>
      ) : (
        <OpenedNote opened={form.opened} lost={form.lost} />
      )}
    </section>
  );
}

/** An institution's request and a report are about what they say. */
function hasTopic(kind: FormKind): boolean {
  return kind === "complaint" || kind === "contact";
}

interface TopicChoiceProps {
  readonly topic: string;
  readonly onChange: (topic: string) => void;
}

function TopicChoice({ topic, onChange }: TopicChoiceProps) {
  const text = usePublicText();
  return (
    <fieldset>
      <legend className="pb-1 text-text text-ui">{text("public.form.topic")}</legend>
      <div className="flex flex-wrap gap-2">
        {TOPICS.map((one) => (
          <label
            key={one}
            className="flex h-9 cursor-pointer items-center rounded-control border border-line2 px-3 text-muted text-ui hover:border-faint has-checked:border-text has-checked:font-medium has-checked:text-text has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2"
          >
            <input
              type="radio"
              name="topic"
              value={one}
              checked={topic === one}
              onChange={() => onChange(one)}
              className="sr-only"
            />
            {text(`public.form.topic.${one}`)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface KindChoiceProps {
  readonly kind: FormKind;
  readonly onChange: (kind: FormKind) => void;
}

function KindChoice({ kind, onChange }: KindChoiceProps) {
  const text = usePublicText();
  return (
    <fieldset>
      <legend className="text-label text-muted">{text("public.form.kind")}</legend>
      <div className="mt-1 flex gap-6">
        {(["contact", "institutional"] as const).map((choice) => (
          <label key={choice} className="flex cursor-pointer items-center gap-2">
            <input
              type="radio"
              name="kind"
              checked={kind === choice}
              onChange={() => onChange(choice)}
              className="accent-[var(--accent-solid)]"
            />
            {text(`public.form.kind.${choice}`)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
