// REST of tickets for operators. Every look and every answer is written into the audit log before it is given; reports of
// whistleblowers open for compliance alone and look to everybody else as if they were not there.
import { behindDesk, type Desk } from "@clockwork/kit/desk";
import { answer, defineRoute, type RouteContext, type RouteSpec, refuse } from "@clockwork/kit/route";
import { AnswerBody, DeskFile, DeskFileQuery, DeskTicket, DeskTicketQuery, TicketsQuery, TicketTable } from "./api.ts";
import type { SupportDesk } from "./desk-service.ts";
import type { SupportService } from "./service.ts";

export interface SupportDeskParts {
  readonly tickets: SupportDesk;
  readonly service: Pick<SupportService, "answer">;
  readonly desk: Desk;
  /** Lets compliance at the reports. */
  readonly reports: Pick<Desk, "permit">;
}

const PATH = "/v2/operators/tickets";
const OWN = { tag: "support", signedIn: true } as const;
const unknown = () =>
  refuse({ code: "TICKET_NOT_FOUND", status: 404, message: "There is no ticket with this number." });

export function supportDeskRoutes(parts: SupportDeskParts): readonly RouteSpec[] {
  return [...lookRoutes(parts), answerRoute(parts)];
}

async function seesReports({ reports }: SupportDeskParts, context: RouteContext): Promise<boolean> {
  return (await reports.permit(context)) === undefined;
}

function lookRoutes(parts: SupportDeskParts): readonly RouteSpec[] {
  const { tickets, desk } = parts;
  return [
    defineRoute({
      ...OWN,
      method: "GET",
      path: PATH,
      summary: "For support: tickets, the latest first",
      query: TicketsQuery,
      output: TicketTable,
      handle: behindDesk(desk, async ({ query }, context) =>
        answer(await tickets.list(query, await seesReports(parts, context))),
      ),
    }),
    defineRoute({
      ...OWN,
      method: "GET",
      path: `${PATH}/one`,
      summary: "For support: one ticket with its messages; the look is written down",
      query: DeskTicketQuery,
      output: DeskTicket,
      handle: behindDesk(desk, async ({ query: { number } }, context) => {
        const ticket = await tickets.read(number, await seesReports(parts, context));
        if (ticket === undefined) return unknown();
        await desk.record(context, "ticket.read", number, ticket.kind);
        return answer(ticket);
      }),
    }),
    defineRoute({
      ...OWN,
      method: "GET",
      path: `${PATH}/file`,
      summary: "For support: a picture of a ticket; the look is written down",
      query: DeskFileQuery,
      output: DeskFile,
      handle: behindDesk(desk, async ({ query: { number, id } }, context) => {
        const file = await tickets.readFile(number, id, await seesReports(parts, context));
        if (file === undefined) return unknown();
        await desk.record(context, "ticket.file", number, String(id));
        return answer(file);
      }),
    }),
  ];
}

function answerRoute(parts: SupportDeskParts): RouteSpec {
  const { tickets, service, desk } = parts;
  return defineRoute({
    ...OWN,
    method: "POST",
    path: `${PATH}/answer`,
    summary: "For support: answers a ticket; whoever left an address is told by mail",
    body: AnswerBody,
    output: DeskTicket,
    handle: behindDesk(desk, async ({ body: { number, message, state } }, context) => {
      const sees = await seesReports(parts, context);
      if ((await tickets.read(number, sees)) === undefined) return unknown();
      if (message.trim() === "")
        return refuse({ code: "TICKET_INVALID", status: 400, message: "Write an answer first." });
      await desk.record(context, "ticket.answered", number, state);
      const written = await service.answer(number, message.trim(), state, context.timeMs);
      if (!written.done)
        return refuse({ code: written.code, status: 409, message: "This ticket is full; it can only be closed." });
      const ticket = await tickets.read(number, sees);
      return ticket === undefined ? unknown() : answer(ticket);
    }),
  });
}
