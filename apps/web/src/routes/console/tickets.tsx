// Tickets, for support.
import type { Me } from "@clockwork/identity/operators/contract";
import {
  TICKET_DESK_CALLS,
  TICKET_STATES,
  type TicketState,
  type TicketTable,
} from "@clockwork/messaging/support/contract";
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadBehindGate, loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { TicketsPage } from "../../features/support/console-tickets.tsx";

interface TicketsData {
  readonly me: Me;
  readonly state: TicketState | "";
  readonly table: TicketTable | null;
}

export async function loader({ request, context }: LoaderFunctionArgs): Promise<TicketsData> {
  const page = context.get(pageContext);
  const me = await loadOperator(page);
  const requested = new URL(request.url).searchParams.get("state");
  const state = TICKET_STATES.find((known) => known === requested) ?? "";
  return { me, state, table: await loadBehindGate(page, me, TICKET_DESK_CALLS.list, { state: state || undefined }) };
}

export const clientLoader = loadPayload<TicketsData>;

export default function OperatorTickets() {
  const data = useLoaderData<TicketsData>();
  const { revalidate } = useRevalidator();
  return <TicketsPage {...data} proof={<StepUpProof kind="totp" onProved={() => void revalidate()} />} />;
}
