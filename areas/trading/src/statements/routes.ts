// REST of statements: schema → service → envelope.

import { answer, defineRoute, type Outcome, type RouteSpec, refuseBy } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import {
  FilePart,
  FileQuery,
  MakeBody,
  Preview,
  PreviewQuery,
  RemoveBody,
  STATEMENT_PATHS,
  StatementFile,
  StatementFiles,
} from "./contract.ts";
import { REFUSALS, type StatementRefusal } from "./rules.ts";
import type { StatementService } from "./service.ts";

const reads = { tag: "statements", scope: { key: "read" } } as const;
const own = { tag: "statements", scope: "user" } as const;

function tell<Value>(told: Result<Value, StatementRefusal>): Outcome<Value> {
  return told.done ? answer(told.value) : refuseBy(REFUSALS, told);
}

export function statementRoutes(statements: StatementService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...reads,
      method: "GET",
      path: STATEMENT_PATHS.preview,
      rate: { callsMax: 60, windowMs: 60_000 },
      summary: "What a statement of one coin comes to: opening, what moved it, closing",
      query: PreviewQuery,
      output: Preview,
      handle: async ({ query }, { userId }) => tell(await statements.preview(Number(userId), query)),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: STATEMENT_PATHS.make,
      rate: { callsMax: 20, windowMs: 60_000 },
      summary: "Asks for a statement or a tax export, made in the background; the same clientId is the same file",
      body: MakeBody,
      output: StatementFile,
      handle: async ({ body }, { userId }) => tell(await statements.make(Number(userId), body)),
    }),
    defineRoute({
      ...reads,
      method: "GET",
      path: STATEMENT_PATHS.list,
      rate: { callsMax: 240, windowMs: 60_000 },
      summary: "The caller's statements with their progress, hash and journal head",
      output: StatementFiles,
      handle: async (_, { userId }) => answer(await statements.list(Number(userId))),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: STATEMENT_PATHS.remove,
      rate: { callsMax: 60, windowMs: 60_000 },
      summary: "Removes a statement; one that is being made stops",
      body: RemoveBody,
      output: StatementFiles,
      handle: async ({ body }, { userId }) => tell(await statements.remove(Number(userId), body.fileId)),
    }),
    defineRoute({
      ...reads,
      method: "GET",
      path: STATEMENT_PATHS.file,
      rate: { callsMax: 600, windowMs: 60_000 },
      summary: "One part of a statement's text, for its owner alone; all parts in order are the file",
      query: FileQuery,
      output: FilePart,
      handle: async ({ query }, { userId }) =>
        tell(await statements.readPart(Number(userId), query.fileId, query.part)),
    }),
  ];
}
