// Tickets, for support.
import type { Me } from "@clockwork/identity/operators/contract";
import { TICKET_STATES, type TicketTable } from "@clockwork/messaging/support/contract";
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadBehindGate, loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { TICKETS_PATH, TicketsPage } from "../../features/support/console-tickets.tsx";

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
  return <TicketsPage {...data} proof={<StepUpProof kind="totp" onProved={() => void revalidate()} />} />;
}
