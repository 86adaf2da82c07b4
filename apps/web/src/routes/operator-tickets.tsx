// Tickets, for support.
import type { Me } from "@clockwork/domains/operators/api";
import { TICKET_STATES, type TicketTable } from "@clockwork/domains/support/api";
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { StepUpProof } from "../features/security/step-up.tsx";
import { TICKETS_PATH, TicketDesk } from "../features/support/ticket-desk.tsx";
import { loadBehindGate, loadOperator } from "../frame/console-data.ts";
import { pageContext } from "../frame/page-context.ts";
import { loadPayload } from "../frame/payload.ts";

interface TicketsData {
  readonly me: Me;
  readonly state: string;
  readonly table: TicketTable | null;
}

export async function loader({ request, context }: LoaderFunctionArgs): Promise<TicketsData> {
  const page = context.get(pageContext);
  const me = await loadOperator(page);
  const asked = new URL(request.url).searchParams.get("state");
  const state = TICKET_STATES.find((known) => known === asked) ?? "";
  const query = state === "" ? "" : `?state=${state}`;
  return { me, state, table: await loadBehindGate<TicketTable>(page, me, TICKETS_PATH + query) };
}

export const clientLoader = loadPayload<TicketsData>;

export default function OperatorTickets() {
  const data = useLoaderData<TicketsData>();
  const { revalidate } = useRevalidator();
  return <TicketDesk {...data} proof={<StepUpProof kind="totp" onProved={() => void revalidate()} />} />;
}
