// The status page of a ticket.
import { TicketStatus } from "../../features/support/ticket-status.tsx";

export default function HelpTicket() {
  return <TicketStatus />;
}
