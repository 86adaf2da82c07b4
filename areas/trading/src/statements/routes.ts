// REST of statements: schema → service → envelope.

import { answer, type Outcome, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import { STATEMENT_CALLS as CALLS } from "./contract.ts";
import { REFUSALS, type StatementRefusal } from "./refusals.ts";
import type { StatementService } from "./service.ts";

const reads = { tag: "statements", scope: { key: "read" } } as const;
const own = { tag: "statements", scope: "user" } as const;

function notify<Value>(result: Result<Value, StatementRefusal>): Outcome<Value, StatementRefusal> {
  return result.done ? answer(result.value) : refuseBy(REFUSALS, result);
}

export function statementRoutes(statements: StatementService): readonly RouteSpec[] {
  return [
    serve(CALLS.preview, {
      ...reads,
      rate: { callsMax: 60, windowMs: 60_000 },
      summary: "What a statement of one coin comes to: opening, what moved it, closing",
      handle: async ({ query }, { userId }) => notify(await statements.preview(Number(userId), query)),
    }),
    serve(CALLS.make, {
      ...own,
      rate: { callsMax: 20, windowMs: 60_000 },
      summary: "Asks for a statement or a tax export, made in the background; the same clientId is the same file",
      handle: async ({ body }, { userId }) => notify(await statements.make(Number(userId), body)),
    }),
    serve(CALLS.list, {
      ...reads,
      rate: { callsMax: 240, windowMs: 60_000 },
      summary: "The caller's statements with their progress, hash and journal head",
      handle: async (_, { userId }) => answer(await statements.list(Number(userId))),
    }),
    serve(CALLS.remove, {
      ...own,
      rate: { callsMax: 60, windowMs: 60_000 },
      summary: "Removes a statement; one that is being made stops",
      handle: async ({ body }, { userId }) => notify(await statements.remove(Number(userId), body.fileId)),
    }),
    serve(CALLS.file, {
      ...reads,
      rate: { callsMax: 600, windowMs: 60_000 },
      summary: "One part of a statement's text, for its owner alone; all parts in order are the file",
      handle: async ({ query }, { userId }) =>
        notify(await statements.readPart(Number(userId), query.fileId, query.part)),
    }),
  ];
}
