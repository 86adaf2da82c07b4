// `/operator/tickets`: what visitors wrote, and the answers. What they typed is shown as text and nothing else.

import { ANSWERED_FIRST_LEVEL } from "@clockwork/kit/vip-levels";
import {
  type ConsoleTicket,
  SUPPORT_DESK_CHANNEL,
  TICKET_DESK_CALLS,
  TICKET_STATES,
  type TicketState,
  type TicketTable,
} from "@clockwork/messaging/support/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Badge } from "@clockwork/ui/pill";
import { type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import { writeInstant } from "#console/operator-action.tsx";
import { LiveContext } from "#live/react.ts";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useConsoleText } from "#words/console-text.ts";
import { TicketView } from "./console-ticket.tsx";

export interface TicketsPageProps {
  readonly me: ConsoleOperator;
  /** Empty shows all. */
  readonly state: TicketState | "";
  readonly table: TicketTable | null;
  readonly proof: ReactNode;
}

type Row = TicketTable["tickets"][number];

export function TicketsPage({ me, state, table, proof }: TicketsPageProps) {
  const text = useConsoleText();
  return (
    <ConsoleFrame me={me} title={text("tickets.title")} lead={text("tickets.lead")} proof={proof}>
      {table === null ? <FailedLine /> : <TicketConsole key={state} state={state} first={table} />}
    </ConsoleFrame>
  );
}

/** The first page follows the server; further ones are requested. */
function useTickets(state: TicketState | "", first: TicketTable) {
  const calls = useCalls();
  const [later, setLater] = useState<readonly TicketTable[]>([]);
  const next = (later.at(-1) ?? first).next;
  const more = async () => {
    if (next === null) return;
    const answer = await (await calls()).call(TICKET_DESK_CALLS.list, { state: state || undefined, before: next });
    if (answer.ok) setLater([...later, answer.data]);
  };
  const rows = [first, ...later].flatMap(({ tickets }) => tickets);
  return { rows, more: next === null ? undefined : more };
}

/** Called with the number of each ticket that changes while the page is open. */
function useDeskNews(onNews: (number: string) => void): void {
  const hub = useContext(LiveContext);
  const result = useRef(onNews);
  useEffect(() => {
    result.current = onNews;
  });
  useEffect(() => {
    if (hub === undefined) return;
    return hub.socket.subscribe({
      topic: { channel: SUPPORT_DESK_CHANNEL },
      onMessage: ({ data }) => result.current((data as { readonly number: string }).number),
    });
  }, [hub]);
}

function TicketConsole({ state, first }: { readonly state: TicketState | ""; readonly first: TicketTable }) {
  const text = useConsoleText();
  const refusals = useAuthText();
  const calls = useCalls();
  const { revalidate } = useRevalidator();
  const { rows, more } = useTickets(state, first);
  const [ticket, setTicket] = useState<ConsoleTicket>();
  const [error, setError] = useState<string>();
  const open = async (number: string) => {
    const answer = await (await calls()).call(TICKET_DESK_CALLS.one, { number });
    setError(answer.ok ? undefined : describeFailure(refusals, answer));
    if (answer.ok) setTicket(answer.data);
  };
  useDeskNews((number) => {
    void revalidate();
    if (number === ticket?.number) void open(number);
  });
  const change = (changed: ConsoleTicket) => {
    setTicket(changed);
    void revalidate();
  };
  return (
    <>
      <StateLinks state={state} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <div className="self-start">
          <Card flush>
            {rows.length === 0 && (
              <p className="p-6 text-muted text-ui">{text(state === "" ? "tickets.none" : "tickets.noneOf")}</p>
            )}
            <ul>
              {rows.map((row) => (
                <TicketLine key={row.number} row={row} isOpen={row.number === ticket?.number} onOpen={open} />
              ))}
            </ul>
          </Card>
          {more !== undefined && (
            <Button size={36} className="mx-auto mt-4 flex" onPress={() => void more()}>
              {text("label.more")}
            </Button>
          )}
        </div>
        <div className="min-w-0">
          <FormError>{error}</FormError>
          {ticket === undefined ? (
            rows.length > 0 && <p className="p-2 text-muted text-ui">{text("tickets.pick")}</p>
          ) : (
            <TicketView key={ticket.number} ticket={ticket} onChange={change} />
          )}
        </div>
      </div>
    </>
  );
}

function StateLinks({ state }: { readonly state: string }) {
  const text = useConsoleText();
  return (
    <nav
      aria-label={text("tickets.filter")}
      className="scrollbar-none mb-4 flex gap-6 overflow-x-auto border-line border-b"
    >
      {(["", ...TICKET_STATES] as const).map((one) => (
        <SiteLink
          key={one}
          to={one === "" ? "/operator/tickets" : `/operator/tickets?state=${one}`}
          aria-current={one === state ? "page" : undefined}
          data-selected={one === state ? "" : undefined}
          className="tab-look whitespace-nowrap"
        >
          {one === "" ? text("tickets.all") : text(`tickets.state.${one}`)}
        </SiteLink>
      ))}
    </nav>
  );
}

interface TicketLineProps {
  readonly row: Row;
  readonly isOpen: boolean;
  readonly onOpen: (number: string) => Promise<void>;
}

function TicketLine({ row, isOpen, onOpen }: TicketLineProps) {
  const text = useConsoleText();
  const state = TICKET_STATES.find((known) => known === row.state) ?? "received";
  return (
    <li className="border-line border-b last:border-0">
      <button
        type="button"
        aria-pressed={isOpen}
        onClick={() => void onOpen(row.number)}
        className="flex w-full flex-wrap items-center gap-x-4 gap-y-1 px-6 py-3 text-left hover:bg-hover aria-pressed:bg-active"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium text-ui">
            {row.name === "" ? text("tickets.nameless") : row.name}
          </span>
          <span className="block text-[13px] text-muted">
            {row.number} · {text(`tickets.kind.${row.kind}`)} · {writeInstant(row.createdAtMs)}
          </span>
        </span>
        {row.level >= ANSWERED_FIRST_LEVEL && <Badge tone="warn">VIP {row.level}</Badge>}
        <Badge tone={state === "closed" || state === "answered" ? "outline" : "info"}>
          {text(`tickets.state.${state}`)}
        </Badge>
      </button>
    </li>
  );
}
