// REST of tickets for operators. Every look and every answer is written into the audit log before it is given; reports of
// whistleblowers open for compliance alone and look to everybody else as if they were not there.
import type { Audit } from "@clockwork/host/audit";
import { answer, defineRoute, type RouteContext, type RouteSpec, refuse } from "@clockwork/host/route";
import type { SupportConsole } from "./console-service.ts";
import {
  AnswerBody,
  ConsoleFile,
  ConsoleFileQuery,
  ConsoleTicket,
  ConsoleTicketQuery,
  TicketsQuery,
  TicketTable,
} from "./contract.ts";
import type { SupportService } from "./service.ts";

export interface SupportConsoleParts {
  readonly tickets: SupportConsole;
  readonly service: Pick<SupportService, "answer">;
  readonly audit: Audit;
  /** Lets compliance at the reports. */
  readonly seesReports: (context: RouteContext) => Promise<boolean>;
}

const PATH = "/v2/operators/tickets";
const OWN = { tag: "support", scope: { operator: "support.answer" } } as const;
const unknown = () =>
  refuse({ code: "TICKET_NOT_FOUND", status: 404, message: "There is no ticket with this number." });

export function supportConsoleRoutes(parts: SupportConsoleParts): readonly RouteSpec[] {
  return [...lookRoutes(parts), answerRoute(parts)];
}

function lookRoutes(parts: SupportConsoleParts): readonly RouteSpec[] {
  const { tickets, audit } = parts;
  return [
    defineRoute({
      ...OWN,
      method: "GET",
      path: PATH,
      summary: "For support: tickets, the latest first",
      query: TicketsQuery,
      output: TicketTable,
      handle: async ({ query }, context) => answer(await tickets.list(query, await parts.seesReports(context))),
    }),
    defineRoute({
      ...OWN,
      method: "GET",
      path: `${PATH}/one`,
      summary: "For support: one ticket with its messages; the look is written down",
      query: ConsoleTicketQuery,
      output: ConsoleTicket,
      handle: async ({ query: { number } }, context) => {
        const ticket = await tickets.read(number, await parts.seesReports(context));
        if (ticket === undefined) return unknown();
        await audit.record(context, "ticket.read", number, ticket.kind);
        return answer(ticket);
      },
    }),
    defineRoute({
      ...OWN,
      method: "GET",
      path: `${PATH}/file`,
      summary: "For support: a picture of a ticket; the look is written down",
      query: ConsoleFileQuery,
      output: ConsoleFile,
      handle: async ({ query: { number, id } }, context) => {
        const file = await tickets.readFile(number, id, await parts.seesReports(context));
        if (file === undefined) return unknown();
        await audit.record(context, "ticket.file", number, String(id));
        return answer(file);
      },
    }),
  ];
}

function answerRoute(parts: SupportConsoleParts): RouteSpec {
  const { tickets, service, audit } = parts;
  return defineRoute({
    ...OWN,
    method: "POST",
    path: `${PATH}/answer`,
    summary: "For support: answers a ticket; whoever left an address is told by mail",
    body: AnswerBody,
    output: ConsoleTicket,
    handle: async ({ body: { number, message, state } }, context) => {
      const sees = await parts.seesReports(context);
      if ((await tickets.read(number, sees)) === undefined) return unknown();
      if (message.trim() === "")
        return refuse({ code: "TICKET_INVALID", status: 400, message: "Write an answer first." });
      await audit.record(context, "ticket.answered", number, state);
      const written = await service.answer(number, message.trim(), state, context.timeMs);
      if (!written.done)
        return refuse({ code: written.code, status: 409, message: "This ticket is full; it can only be closed." });
      const ticket = await tickets.read(number, sees);
      return ticket === undefined ? unknown() : answer(ticket);
    },
  });
}
