// The tickets sent from the account.
import { TICKET_CALLS, type OwnTickets as Tickets } from "@clockwork/messaging/support/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { OwnTickets } from "../../features/support/own-tickets.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<Tickets> {
  return (await readCall(context.get(pageContext), TICKET_CALLS.listOwn, {})) ?? { tickets: [] };
}

export const clientLoader = loadPayload<Tickets>;

export default function AccountTickets() {
  return <OwnTickets {...useLoaderData<Tickets>()} />;
}
