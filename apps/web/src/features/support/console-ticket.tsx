// One ticket in the operators' console: the author, the conversation, pictures behind a button each, and the answer.
import { ANSWER_STATES, type ConsoleTicket, TICKET_DESK_CALLS } from "@clockwork/messaging/support/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { TextArea } from "@clockwork/ui/text-area";
import { useState } from "react";
import { ActionNote, ChoiceField, useOperatorAction, writeInstant } from "#console/operator-action.tsx";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useConsoleText } from "#words/console-text.ts";

export interface TicketViewProps {
  readonly ticket: ConsoleTicket;
  readonly onChange: (ticket: ConsoleTicket) => void;
}

export function TicketView({ ticket, onChange }: TicketViewProps) {
  const text = useConsoleText();
  const { number, kind, topic, name, email, user } = ticket;
  const facts = [
    text(`tickets.kind.${kind}`),
    ...(topic === "other" ? [] : [topic]),
    name === "" ? text("tickets.nameless") : name,
    ...(email === "" ? [] : [email]),
    ...(user === null ? [] : [text("tickets.user", { id: user })]),
  ];
  return (
    <div className="flex flex-col gap-4">
      <Card title={number} aside={<span className="text-[13px] text-muted">{writeInstant(ticket.createdAtMs)}</span>}>
        <p className="text-[13px] text-muted [overflow-wrap:anywhere]">{facts.join(" · ")}</p>
        <ol className="mt-4 grid gap-4">
          {ticket.messages.map((message) => (
            <li key={`${message.author}-${message.createdAtMs}`} className="border-line border-t pt-3">
              <p className="text-label text-muted">
                {text(`tickets.${message.author}`)} · {writeInstant(message.createdAtMs)}
              </p>
              <p className="mt-1 whitespace-pre-wrap text-ui [overflow-wrap:anywhere]">{message.text}</p>
            </li>
          ))}
        </ol>
        {ticket.files.map((file) => (
          <Picture key={file.id} number={number} {...file} />
        ))}
      </Card>
      <Answer ticket={ticket} onChange={onChange} />
    </div>
  );
}

interface PictureProps {
  readonly number: string;
  readonly id: number;
  readonly name: string;
}

/** Fetched at the press of a button: each look is written down. */
function Picture({ number, id, name }: PictureProps) {
  const text = useConsoleText();
  const refusals = useAuthText();
  const calls = useCalls();
  const [url, setUrl] = useState<string>();
  const [error, setError] = useState<string>();
  const toggle = async () => {
    setError(undefined);
    if (url !== undefined) {
      URL.revokeObjectURL(url);
      return setUrl(undefined);
    }
    const answer = await (await calls()).call(TICKET_DESK_CALLS.file, { number, id });
    if (!answer.ok) return setError(describeFailure(refusals, answer));
    const bytes = Uint8Array.from(atob(answer.data.data), (letter) => letter.charCodeAt(0));
    setUrl(URL.createObjectURL(new Blob([bytes], { type: answer.data.mediaType })));
  };
  const action = text(url === undefined ? "tickets.show" : "tickets.hide");
  return (
    <div className="mt-4 border-line border-t pt-3">
      <FormError>{error}</FormError>
      <div className="flex min-h-9 items-center justify-between gap-4">
        <span className="min-w-0 truncate text-ui">{name}</span>
        <Button size={32} aria-label={`${action}: ${name}`} onPress={() => void toggle()}>
          {action}
        </Button>
      </div>
      {url !== undefined && (
        <img src={url} alt={name} className="mt-3 max-h-[480px] max-w-full rounded-control border border-line" />
      )}
    </div>
  );
}

function Answer({ ticket, onChange }: TicketViewProps) {
  const text = useConsoleText();
  const action = useOperatorAction();
  const [message, setMessage] = useState("");
  const isChat = ticket.kind === "chat";
  const [state, setState] = useState<(typeof ANSWER_STATES)[number]>("answered");
  const send = async () => {
    if (message.trim() === "") return action.refuse(text("tickets.empty"));
    const written = await action.run(TICKET_DESK_CALLS.answer, { number: ticket.number, message, state });
    if (written === undefined) return;
    setMessage("");
    onChange(written.data);
  };
  return (
    <Card>
      <ActionNote action={action} />
      <TextArea
        label={text(isChat ? "tickets.chatAnswer" : "tickets.answer")}
        value={message}
        onChange={setMessage}
        rows={5}
        maxLength={5000}
      />
      <p className="mt-1 text-label text-muted">
        {text(isChat ? "tickets.chatTold" : ticket.email === "" ? "tickets.unmailed" : "tickets.mailed")}
      </p>
      <div className="mt-4 flex flex-wrap items-end gap-3">
        <div className="w-[180px]">
          <ChoiceField
            label={text("tickets.after")}
            value={state}
            onChange={(one) => setState(ANSWER_STATES.find((known) => known === one) ?? state)}
            options={ANSWER_STATES.map((one) => [one, text(`tickets.state.${one}`)])}
          />
        </div>
        <Button kind="primary" size={40} busy={action.isBusy} onPress={() => void send()}>
          {text("tickets.send")}
        </Button>
      </div>
    </Card>
  );
}
