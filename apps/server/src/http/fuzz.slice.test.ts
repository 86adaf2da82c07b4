// Every call of the API document with values of wrong types and with random values its schema admits, from nobody, from a
// customer and from an operator, on both databases: refused or answered, never a fault of ours.
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Visitor } from "../accounts/account-fixture.ts";
import { enterAsOperator } from "../accounts/operator-fixture.ts";
import { type Floor, openFloor } from "../spot/spot-fixture.ts";
import { forDatabase } from "../storage/test-databases.ts";
import type { JsonSchema } from "./schema.ts";

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { name: string; in: "path" | "query"; schema: JsonSchema }[];
  readonly body: JsonSchema | undefined;
  readonly file: string | undefined;
}

/** They end the caller's session, which the rest needs; the clock moves past its end. */
const LEFT_OUT = /\/session\/|\/sign-out|\/freeze|\/revoke|\/dev\/clock/;
const WRONG: readonly unknown[] = [null, -1.5, "\u0000", "\ud800", "x".repeat(3000), [[]], { toString: 1, length: -1 }];
const SAMPLES = 8;
/** Thousands of calls. */
const TIMEOUT_MS = 300_000;

for (const dialect of ["sqlite", "postgres"] as const) {
  forDatabase(dialect, "every call", (database) => {
    let floor: Floor;
    let operations: readonly Operation[];
    let callers: readonly Visitor[];
    beforeAll(async () => {
      const { url } = database.options();
      floor = await openFloor(url === undefined ? {} : { DATABASE_URL: url });
      operations = readOperations(await (await fetch(`${floor.url}/openapi.json`)).json());
      const { operator } = await enterAsOperator(floor);
      callers = [new Visitor(floor), await floor.trader({ USDT: "1000", BTC: "1" }), operator];
    });
    afterAll(() => floor.close());

    /** What went wrong, if anything did: a fault of ours is a 500; a 503 says when to come again. */
    const call = async (caller: Visitor, operation: Operation, values: Values): Promise<string | undefined> => {
      const path = operation.parameters
        .filter((one) => one.in === "path")
        .reduce((text, { name }) => text.replace(`{${name}}`, encodeText(values.get(name)) || "x"), operation.path);
      const search = operation.parameters
        .filter((one) => one.in === "query" && values.has(one.name))
        .map(({ name }) => `${encodeURIComponent(name)}=${encodeText(values.get(name))}`)
        .join("&");
      const body = operation.file !== undefined ? "no picture" : JSON.stringify(values.get(BODY));
      const response = await fetch(`${floor.url}${path}${search === "" ? "" : `?${search}`}`, {
        method: operation.method,
        headers: {
          ...caller.headers,
          cookie: [...caller.jar].map(([name, value]) => `${name}=${value}`).join("; "),
          ...(body === undefined ? {} : { "content-type": operation.file ?? "application/json" }),
        },
        ...(body === undefined || operation.method === "GET" ? {} : { body }),
      });
      const text = await response.text();
      if (response.status !== 500 && JSON.parse(text).code !== "INTERNAL") return undefined;
      return `${operation.method} ${path}?${search} ${body?.slice(0, 300)} → ${text}`;
    };

    const callAll = async (list: (operation: Operation) => readonly Values[]): Promise<string[]> => {
      const failures: string[] = [];
      for (const operation of operations) {
        // Rates are per minute; sessions end sooner than all of this.
        floor.wait(61_000);
        for (const caller of callers) {
          await caller.post("/v2/users/session/refresh");
          const failed = await Promise.all(list(operation).map((values) => call(caller, operation, values)));
          failures.push(...failed.filter((one) => one !== undefined));
        }
      }
      const signedIn = await Promise.all(callers.map((caller) => caller.get("/v2/users/letters")));
      expect(signedIn.map(({ status }) => status)).toEqual([401, 200, 200]);
      return failures;
    };

    test("[NET-4] values of wrong types are refused everywhere, never a fault", { timeout: TIMEOUT_MS }, async () => {
      expect(operations.length).toBeGreaterThan(100);
      // What a schema refuses reaches no database; once is enough.
      if (dialect === "postgres") return;
      expect(await callAll(wrongValues)).toEqual([]);
    });

    test("[NET-4] random values of the right types are never a fault", { timeout: TIMEOUT_MS }, async () => {
      expect(await callAll((operation) => fc.sample(rightValues(operation), { numRuns: SAMPLES, seed: 7 }))).toEqual(
        [],
      );
    });

    test("[NET-4] reports of browsers, and what has no schema, take anything", async () => {
      const paths = ["/csp-report", "/dev/outbox.json?to=%00", "/dev/outbox?to[]=1&to=2", "/domain-list.json?x=%ff"];
      for (const path of [...paths, "/metrics", "/openapi.json?a[b]=c"]) {
        for (const value of [...WRONG, ...WRONG.flatMap(asReport)]) {
          const init = {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(value),
          };
          const response = await fetch(floor.url + path, path === "/csp-report" ? init : {});
          expect([path, value, response.status >= 500]).toEqual([path, value, false]);
          await response.text();
        }
      }
    });
  });
}

/** What a call is given: its parameters by name, its body under a name no parameter has. */
type Values = ReadonlyMap<string, unknown>;
const BODY = "\0body";

function asReport(value: unknown): unknown[] {
  return [
    { "csp-report": value },
    { body: value },
    { "csp-report": { "effective-directive": value, "blocked-uri": value } },
    [{ body: { effectiveDirective: value, blockedURL: value } }],
  ];
}

function encodeText(value: unknown): string {
  const text = typeof value === "string" ? value.toWellFormed() : JSON.stringify(value ?? "");
  return encodeURIComponent(text.slice(0, 1500));
}

function readOperations(document: unknown): readonly Operation[] {
  const { paths } = document as { paths: Record<string, Record<string, Record<string, never>>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(() => !LEFT_OUT.test(path))
      .map(([method, { parameters, requestBody }]) => {
        const content = ((requestBody as { content?: object } | undefined)?.content ?? {}) as Record<
          string,
          { schema: JsonSchema }
        >;
        const file = Object.keys(content).find((type) => type.startsWith("image/"));
        const body = content["application/json"]?.schema;
        return { method: method.toUpperCase(), path, parameters: parameters ?? [], body, file };
      }),
  );
}

/** One part at a time is wrong, the rest is as it should be; and the whole body is. */
function wrongValues(operation: Operation): readonly Values[] {
  const [right = new Map<string, unknown>()] = fc.sample(rightValues(operation), { numRuns: 1, seed: 1 });
  const names = operation.parameters.map(({ name }) => name);
  const fields = Object.keys((operation.body?.properties ?? {}) as object);
  const body = right.get(BODY) as Record<string, unknown> | undefined;
  return WRONG.flatMap((value) => [
    ...names.map((name) => new Map([...right, [name, value]])),
    ...fields.map((name) => new Map([...right, [BODY, { ...body, [name]: value }]])),
    ...(operation.body === undefined ? [] : [new Map([...right, [BODY, value]])]),
  ]);
}

function rightValues({ parameters, body }: Operation): fc.Arbitrary<Values> {
  const parts = parameters.map(({ name, schema }) => arbitraryOf(schema).map((value) => [name, value] as const));
  const whole = body === undefined ? [] : [arbitraryOf(body).map((value) => [BODY, value] as const)];
  return fc.tuple(...parts, ...whole).map((entries) => new Map(entries));
}

function arbitraryOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { type, format, pattern } = schema as { type?: string; format?: string; pattern?: string };
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  const variants = (schema.anyOf ?? schema.oneOf) as readonly JsonSchema[] | undefined;
  if (variants !== undefined) return fc.oneof(...variants.map(arbitraryOf));
  if (type === "object") return objectOf(schema);
  if (type === "array") {
    const maxLength = Math.min(3, (schema.maxItems as number | undefined) ?? 3);
    return fc.array(arbitraryOf((schema.items ?? { type: "string" }) as JsonSchema), { maxLength });
  }
  if (type === "boolean") return fc.boolean();
  if (type === "null") return fc.constant(null);
  const [min, max] = [schema.minimum, schema.maximum] as [number | undefined, number | undefined];
  if (type === "integer") return fc.integer({ min: min ?? 0, max: Math.min(max ?? 99, 2 ** 31) });
  if (type === "number") return fc.double({ min: min ?? 0, max: max ?? 99, noNaN: true });
  if (format === "decimal") return fc.constantFrom("0", "1", "0.001", "90000", "123456789.123456789", "9".repeat(60));
  if (format === "signed-decimal") return fc.constantFrom("-1", "1", "0");
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  const { minLength, maxLength } = schema as { minLength?: number; maxLength?: number };
  return fc.string({
    unit: "grapheme",
    ...(minLength === undefined ? {} : { minLength }),
    maxLength: Math.min(maxLength ?? 20, Math.max(20, minLength ?? 0)),
  });
}

function objectOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = new Set((schema.required ?? []) as readonly string[]);
  const fields = properties.map(([name, part]) =>
    (required.has(name) ? arbitraryOf(part) : fc.option(arbitraryOf(part), { nil: undefined })).map(
      (value) => [name, value] as const,
    ),
  );
  return fc
    .tuple(...fields)
    .map((entries) => Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as unknown);
}
