// The tickets an account has sent: their list, and the one chosen with its messages. No key is asked for here.
import { TICKET_CALLS, type Ticket, type OwnTickets as Tickets } from "@clockwork/messaging/support/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { EmptyState } from "@clockwork/ui/state";
import { useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import type { Answer } from "#live/answer.ts";
import type { RequestClient } from "#live/request.ts";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { AccountFrame } from "#shell/account-frame.tsx";
import { Moment } from "#shell/moment.tsx";
import { useAccountText } from "#words/account-text.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { usePublicText } from "#words/public-text.ts";
import { knownState, TicketCard } from "./ticket-status.tsx";

export function OwnTickets({ tickets }: Tickets) {
  const text = useAccountText();
  const words = useAuthText();
  const calls = useCalls();
  const [ticket, setTicket] = useState<Ticket>();
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const call = async (send: (request: RequestClient) => Promise<Answer<Ticket>>) => {
    setBusy(true);
    const answer = await send(await calls());
    setBusy(false);
    if (answer.ok) setTicket(answer.data);
    setError(answer.ok ? undefined : describeFailure(words, answer));
    return answer.ok;
  };
  const open = (number: string) => void call((request) => request.call(TICKET_CALLS.readOwn, { number }));
  return (
    <AccountFrame
      title={text("nav.tickets")}
      lead={text("tickets.lead")}
      aside={
        <SiteLink to="/help/request" className={buttonClass({ size: 40 })}>
          {text("tickets.new")}
        </SiteLink>
      }
    >
      <FormError>{error}</FormError>
      {ticket === undefined ? (
        <List tickets={tickets} onOpen={open} />
      ) : (
        <div className="max-w-[776px]">
          <Button onPress={() => setTicket(undefined)}>{text("tickets.back")}</Button>
          <TicketCard
            ticket={ticket}
            isBusy={isBusy}
            onReply={(message) =>
              call((request) => request.call(TICKET_CALLS.replyOwn, { number: ticket.number, message }))
            }
          />
        </div>
      )}
    </AccountFrame>
  );
}

function List({ tickets, onOpen }: Tickets & { readonly onOpen: (number: string) => void }) {
  const text = useAccountText();
  const states = usePublicText();
  if (tickets.length === 0) return <EmptyState text={text("tickets.none")} />;
  return (
    <Card flush className="max-w-[776px]">
      <ul>
        {tickets.map(({ number, state, updatedAtMs }) => (
          <li key={number} className="border-line border-b last:border-b-0">
            <button
              type="button"
              onClick={() => onOpen(number)}
              className="flex min-h-14 w-full flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3 text-left hover:bg-hover"
            >
              <span className="font-medium underline underline-offset-2">{number}</span>
              <span className="text-label text-muted">
                {text("tickets.updated")} <Moment at={updatedAtMs} />
              </span>
              <span className="ml-auto text-ui">{states(`public.ticket.state.${knownState(state)}`)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
