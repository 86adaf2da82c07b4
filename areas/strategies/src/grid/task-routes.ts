// Owns the three calls of work that goes on behind one: begin it, ask how far it is, end it. Grids' and baskets' back-tests have
// them. Knows no rule.

import { answer, defineRoute, type RouteSpec, refuseBy } from "@clockwork/host/route";
import type { RefusalTable } from "@clockwork/kit/endpoint";
import type { Result } from "@clockwork/kit/result";
import type { SchemaValue } from "@clockwork/kit/schema-value";

export interface TaskService<Body, View, Code extends string> {
  start(userId: number, body: Body): Promise<Result<View, Code>>;
  read(userId: number, taskId: string): Result<View, Code>;
  cancel(userId: number, taskId: string): Result<View, Code>;
}

export interface TaskCalls<Body, Task, Output, Code extends string> {
  readonly tag: string;
  /** Where it is begun and asked for; it is ended below. */
  readonly path: string;
  /** What the work is called: "a back-test". */
  readonly name: string;
  readonly body: object & Body;
  /** Names one by its `taskId`. */
  readonly task: object & Task;
  readonly output: object & Output;
  readonly refusals: RefusalTable<Code>;
  readonly service: TaskService<SchemaValue<Body>, SchemaValue<Output>, Code>;
}

export function taskRoutes<Body, Task, Output, Code extends string>({
  tag,
  path,
  name,
  body,
  task,
  output,
  refusals,
  service,
}: TaskCalls<Body, Task, Output, Code>): RouteSpec[] {
  const own = { tag, scope: "user", output } as const;
  const told = (result: Result<SchemaValue<Output>, Code>) =>
    result.done ? answer(result.value) : refuseBy(refusals, result);
  // Every task is named alike, whichever slice's schema it is.
  const idOf = (named: unknown): string => (named as { readonly taskId: string }).taskId;
  return [
    defineRoute({
      ...own,
      method: "POST",
      path,
      summary: `Begins ${name} over stored candles`,
      body,
      handle: async (input, { userId }) => told(await service.start(Number(userId), input.body)),
    }),
    defineRoute({
      ...own,
      method: "GET",
      path,
      summary: `How far ${name} is, and its result`,
      query: task,
      handle: async ({ query }, { userId }) => told(service.read(Number(userId), idOf(query))),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: `${path}/cancel`,
      summary: `Ends ${name}`,
      body: task,
      handle: async (input, { userId }) => told(service.cancel(Number(userId), idOf(input.body))),
    }),
  ];
}
