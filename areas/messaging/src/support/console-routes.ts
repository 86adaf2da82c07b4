// REST of tickets for operators. Every read and every answer is written into the audit log before it is returned;
// reports of whistleblowers open for compliance only and do not exist for all others.
import type { Audit } from "@clockwork/host/audit";
import { answer, type RouteContext, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import type { SupportConsole } from "./console-service.ts";
import { TICKET_DESK_CALLS } from "./contract.ts";
import { TICKET_DESK_REFUSALS } from "./refusals.ts";
import type { SupportService } from "./service.ts";

export interface SupportConsoleParts {
  readonly tickets: SupportConsole;
  readonly service: Pick<SupportService, "answer">;
  readonly audit: Audit;
  /** Lets compliance read the reports. */
  readonly seesReports: (context: RouteContext) => Promise<boolean>;
}

const OWN = { tag: "support", scope: { operator: "support.answer" } } as const;
const unknown = () => refuseBy(TICKET_DESK_REFUSALS, { code: "TICKET_NOT_FOUND" });

export function supportConsoleRoutes(parts: SupportConsoleParts): readonly RouteSpec[] {
  return [...lookRoutes(parts), answerRoute(parts)];
}

function lookRoutes(parts: SupportConsoleParts): readonly RouteSpec[] {
  const { tickets, audit } = parts;
  return [
    serve(TICKET_DESK_CALLS.list, {
      ...OWN,
      summary: "For support: tickets, the latest first",
      handle: async ({ query }, context) => answer(await tickets.list(query, await parts.seesReports(context))),
    }),
    serve(TICKET_DESK_CALLS.one, {
      ...OWN,
      summary: "For support: one ticket with its messages; the look is written down",
      handle: async ({ query: { number } }, context) => {
        const ticket = await tickets.read(number, await parts.seesReports(context));
        if (ticket === undefined) return unknown();
        await audit.record(context, "ticket.read", number, ticket.kind);
        return answer(ticket);
      },
    }),
    serve(TICKET_DESK_CALLS.file, {
      ...OWN,
      summary: "For support: a picture of a ticket; the look is written down",
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
  return serve(TICKET_DESK_CALLS.answer, {
    ...OWN,
    summary: "For support: answers a ticket; whoever left an address is told by mail",
    handle: async ({ body: { number, message, state } }, context) => {
      const sees = await parts.seesReports(context);
      if ((await tickets.read(number, sees)) === undefined) return unknown();
      if (message.trim() === "") return refuseBy(TICKET_DESK_REFUSALS, { code: "TICKET_INVALID" });
      await audit.record(context, "ticket.answered", number, state);
      const written = await service.answer(number, message.trim(), state, context.timeMs);
      if (!written.done) return refuseBy(TICKET_DESK_REFUSALS, written);
      const ticket = await tickets.read(number, sees);
      return ticket === undefined ? unknown() : answer(ticket);
    },
  });
}
