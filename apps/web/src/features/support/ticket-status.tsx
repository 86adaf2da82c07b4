// The status page of a ticket: number and key open it.

import type { InputOf } from "@clockwork/kit/endpoint";
import { formatDateTime } from "@clockwork/kit/time";
import { TICKET_CALLS, type Ticket } from "@clockwork/messaging/support/contract";
import { Button } from "@clockwork/ui/button";
import { TextArea } from "@clockwork/ui/text-area";
import { TextField } from "@clockwork/ui/text-field";
import { type FormEvent, useState } from "react";
import { useLocation } from "react-router";
import type { Answer } from "#live/answer.ts";
import type { RequestClient } from "#live/request.ts";
import { useCalls } from "#session/auth-context.ts";
import { PageHead } from "#shell/page-head.tsx";
import { usePublicText } from "#words/public-text.ts";

/** Passed by the form that opened the ticket; never in the address. */
function useHandedOver(): { readonly number: string; readonly key: string } {
  const state = useLocation().state as { number?: unknown; key?: unknown } | null;
  const read = (value: unknown) => (typeof value === "string" ? value : "");
  return { number: read(state?.number), key: read(state?.key) };
}

type TicketProof = InputOf<typeof TICKET_CALLS.read>;

export function TicketStatus() {
  const text = usePublicText();
  const calls = useCalls();
  const handed = useHandedOver();
  const [number, setNumber] = useState(handed.number);
  const [key, setKey] = useState(handed.key);
  const [ticket, setTicket] = useState<Ticket>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const call = async (send: (request: RequestClient, proof: TicketProof) => Promise<Answer<Ticket>>) => {
    setBusy(true);
    const answer = await send(await calls(), { number: number.trim().toUpperCase(), key: key.trim().toLowerCase() });
    setBusy(false);
    if (answer.ok) setTicket(answer.data);
    setProblem(answer.ok ? undefined : answer.message || text("public.form.failed"));
    return answer.ok;
  };
  const open = (event: FormEvent) => {
    event.preventDefault();
    void call((request, proof) => request.call(TICKET_CALLS.read, proof));
  };

  return (
    <main id="content" className="container-read max-w-[776px] flex-1 py-10 lg:py-14">
      <PageHead title={text("public.ticket")} noIndex />
      <h1 className="font-[640] text-[28px] leading-9 tracking-[-0.03em] sm:text-[36px] sm:leading-11">
        {text("public.ticket")}
      </h1>
      <p className="mt-3 text-[18px] text-muted leading-7">{text("public.ticket.lead")}</p>
      <form onSubmit={open} className="mt-6 grid items-end gap-4 sm:grid-cols-[1fr_1fr_auto]">
        <TextField
          label={text("public.ticket.number")}
          value={number}
          onChange={setNumber}
          maxLength={12}
          autoComplete="off"
        />
        <TextField
          label={text("public.ticket.keyField")}
          value={key}
          onChange={setKey}
          maxLength={19}
          autoComplete="off"
        />
        <Button type="submit" kind="primary" size={40} busy={isBusy}>
          {text("public.ticket.open")}
        </Button>
      </form>
      <div aria-live="polite">{problem !== undefined && <p className="mt-4 text-danger">{problem}</p>}</div>
      {ticket !== undefined && (
        <TicketCard
          ticket={ticket}
          isBusy={isBusy}
          onReply={(message) => call((request, proof) => request.call(TICKET_CALLS.reply, { ...proof, message }))}
        />
      )}
    </main>
  );
}

const STATES = ["received", "in-progress", "answered", "closed"] as const;

/** A state this page has no text for is shown as received. */
export const knownState = (state: string): (typeof STATES)[number] =>
  STATES.find((known) => known === state) ?? "received";

interface TicketCardProps {
  readonly ticket: Ticket;
  readonly isBusy: boolean;
  readonly onReply: (message: string) => Promise<boolean>;
}

export function TicketCard({ ticket, isBusy, onReply }: TicketCardProps) {
  const text = usePublicText();
  const [message, setMessage] = useState("");
  const state = knownState(ticket.state);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (message.trim() !== "" && (await onReply(message))) setMessage("");
  };
  return (
    <section aria-label={ticket.number} className="mt-8 rounded-card border border-line p-6">
      <p className="flex flex-wrap justify-between gap-2">
        <strong className="font-semibold">{ticket.number}</strong>
        <span>{text(`public.ticket.state.${state}`)}</span>
      </p>
      <p className="mt-1 text-label text-muted">
        {text("public.ticket.since", { time: formatDateTime(ticket.createdAtMs) })}
        {ticket.attachments.length > 0 && ` · ${ticket.attachments.join(", ")}`}
      </p>
      <ol className="mt-4 grid gap-4">
        {ticket.messages.map(({ author, text: words, createdAtMs }) => (
          <li key={`${author}-${createdAtMs}`} className="border-line border-t pt-4">
            <p className="text-label text-muted">
              {text(author === "staff" ? "public.ticket.staff" : "public.ticket.you")} · {formatDateTime(createdAtMs)}
            </p>
            <p className="mt-1 whitespace-pre-wrap break-words">{words}</p>
          </li>
        ))}
      </ol>
      {state !== "closed" && (
        <form onSubmit={(event) => void send(event)} className="mt-6 grid gap-3">
          <TextArea
            label={text("public.ticket.reply")}
            value={message}
            onChange={setMessage}
            maxLength={5000}
            rows={3}
          />
          <div>
            <Button type="submit" busy={isBusy}>
              {text("public.form.send")}
            </Button>
          </div>
        </form>
      )}
    </section>
  );
}
