// A route's types follow its schemas. Most of this test is done by the compiler: a wrong inference does not compile.

import { VISITOR } from "@clockwork/kit/caller";
import type { SchemaValue } from "@clockwork/kit/schema-value";
import { expect, test } from "vitest";
import { answer, defineRoute, type RouteSpec, refuse } from "./route.ts";

const QUERY = {
  type: "object",
  properties: {
    name: { type: "string" },
    size: { type: "integer", "~optional": true },
    side: { anyOf: [{ const: "buy" }, { const: "sell" }] },
    tags: { type: "array", items: { type: "string" } },
    odd: { not: {} },
  },
} as const;

const CONTEXT = {
  requestId: "r",
  ip: "::1",
  caller: VISITOR,
  userId: null,
  timeMs: 1,
  locale: "en_US",
  header: () => undefined,
};

const ROUTE = defineRoute({
  method: "GET",
  path: "/things",
  summary: "Things",
  tag: "things",
  query: QUERY,
  output: { type: "object", properties: { text: { type: "string" } } } as const,
  handle: async ({ query }, context) => {
    const size: number | undefined = query.size;
    const side: "buy" | "sell" = query.side;
    if (query.name === "") return refuse({ code: "NAME_EMPTY", status: 400, message: "A name is needed.", fields: {} });
    return answer({ text: `${query.name} ${size ?? 0} ${side} ${query.tags.join()} ${context.locale}` });
  },
});

test("[NET-4] a handler gets what its schema admits and answers what its schema promises", async () => {
  const query: SchemaValue<typeof QUERY> = { name: "a", side: "buy", tags: ["x"], odd: 1 };
  const outcome = await ROUTE.handle({ query, params: undefined, body: undefined }, CONTEXT);
  expect(outcome).toEqual({ ok: true, data: { text: "a 0 buy x en_US" } });
});

test("[NET-4] a refusal carries its code and status, and routes of any kind fit one list", async () => {
  const routes: readonly RouteSpec[] = [ROUTE];
  const query = { name: "", side: "buy", tags: [] };
  const outcome = await routes[0]?.handle({ query, params: undefined, body: undefined }, CONTEXT);
  expect(outcome).toMatchObject({ ok: false, rejection: { code: "NAME_EMPTY", status: 400 } });
});

/** Compiles to true only where both types are the same. */
type Same<Left, Right> = (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false;

test("[NET-4] the types read off a schema are exact, and unknown where the schema's shape is", () => {
  const odd: Same<SchemaValue<typeof QUERY>["odd"], unknown> = true;
  const nothing: Same<SchemaValue<{ type: "null" }>, null> = true;
  const side: Same<SchemaValue<typeof QUERY>["side"], "buy" | "sell"> = true;
  const size: Same<SchemaValue<typeof QUERY>["size"], number | undefined> = true;
  const isChecked: Same<string, unknown> = false;
  expect([odd, nothing, side, size, isChecked]).toEqual([true, true, true, true, false]);
});
