// Owns the three calls of background work: start it, read its progress, cancel it. Used by the back-tests of grids and
// baskets. Contains no rules.

import { answer, type Outcome, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import type { Endpoint, RefusalTable } from "@clockwork/kit/endpoint";
import type { Result } from "@clockwork/kit/result";
import type { SchemaValue } from "@clockwork/kit/schema-value";

export interface TaskService<Body, View, Code extends string> {
  start(userId: number, body: Body): Promise<Result<View, Code>>;
  read(userId: number, taskId: string): Result<View, Code>;
  cancel(userId: number, taskId: string): Result<View, Code>;
}

export interface TaskParts<Body, Task, Output, Code extends string> {
  readonly tag: string;
  /** The name of the work: "a back-test". */
  readonly name: string;
  readonly calls: {
    readonly start: Endpoint<unknown, unknown, Body, Output, Code>;
    /** Names one by its `taskId`, as the next. */
    readonly read: Endpoint<Task, unknown, unknown, Output, Code>;
    readonly cancel: Endpoint<unknown, unknown, Task, Output, Code>;
  };
  readonly refusals: RefusalTable<Code>;
  readonly service: TaskService<SchemaValue<Body>, SchemaValue<Output>, Code>;
}

export function taskRoutes<Body, Task, Output, Code extends string>({
  tag,
  name,
  calls,
  refusals,
  service,
}: TaskParts<Body, Task, Output, Code>): RouteSpec[] {
  const own = { tag, scope: "user" } as const;
  const outcome = (result: Result<SchemaValue<Output>, Code>): Outcome<SchemaValue<Output>, Code> =>
    result.done ? answer(result.value) : refuseBy(refusals, result);
  // Every task is named alike, whichever slice's schema it is.
  const idOf = (named: unknown): string => (named as { readonly taskId: string }).taskId;
  return [
    serve(calls.start, {
      ...own,
      summary: `Begins ${name} over stored candles`,
      handle: async (input, { userId }) => outcome(await service.start(Number(userId), input.body)),
    }),
    serve(calls.read, {
      ...own,
      summary: `How far ${name} is, and its result`,
      handle: async ({ query }, { userId }) => outcome(service.read(Number(userId), idOf(query))),
    }),
    serve(calls.cancel, {
      ...own,
      summary: `Ends ${name}`,
      handle: async (input, { userId }) => outcome(service.cancel(Number(userId), idOf(input.body))),
    }),
  ];
}
