// Every call of the API document with values of wrong types and with random values its schema admits, from a visitor, a
// customer and an operator, on both databases: refused or answered, never a fault of ours.

import { enterAsOperator } from "@clockwork/identity/accounts/operator-fixture";
import { startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Visitor } from "../process/account-fixture.ts";
import { forMigrated } from "../storage/test-databases.ts";
import { OPEN_ROUTES } from "./open-routes.ts";
import type { JsonSchema } from "./schema.ts";

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { name: string; in: "path" | "query"; schema: JsonSchema }[];
  readonly body: JsonSchema | undefined;
  readonly file: string | undefined;
}

interface Outcome {
  readonly isTooMany: boolean;
  readonly fault?: string;
}

/** They end the caller's session, which the rest needs; the clock moves past its end. */
const LEFT_OUT = /\/session\/|\/sign-out|\/freeze|\/security\/close|\/revoke|\/dev\/clock/;
const WRONG: readonly unknown[] = [null, -1.5, "\u0000", "\ud800", "x".repeat(3000), [[]], { toString: 1, length: -1 }];
const UUID = "3b241101-e2bb-4255-8caf-4136c566a962";
const SAMPLES = 4;
/** A caller without the right is refused before the input is read; a customer's call treats operators as customers. */
const SAMPLES_OF_OTHERS = 1;
const FOR_OPERATORS = /\/(?:operators|console)\//;
/** A session is renewed well before it ends, whether the time was let pass or the calls took it. */
const RENEW_MS = 10 * 60_000;
/** Thousands of calls. */
const TIMEOUT_MS = 600_000;

for (const dialect of ["sqlite", "postgres"] as const) {
  forMigrated(dialect, "every call", (database) => {
    let server: TradingServer;
    let operations: readonly Operation[];
    let callers: readonly Visitor[];
    let renewedMs = 0;
    beforeAll(async () => {
      const { url } = database.options();
      server = await startTradingServer(url === undefined ? {} : { DATABASE_URL: url });
      operations = readOperations(await (await fetch(`${server.url}/openapi.json`)).json());
      const { operator } = await enterAsOperator(server);
      callers = [new Visitor(server), await server.trader({ USDT: "1000", BTC: "1" }), operator];
      renewedMs = server.nowMs();
    });
    afterAll(() => server.close());

    const send = async (caller: Visitor, operation: Operation, values: Values) => {
      const path = operation.parameters
        .filter((one) => one.in === "path")
        .reduce((text, { name }) => text.replace(`{${name}}`, encodeText(values.get(name)) || "x"), operation.path);
      const search = operation.parameters
        .filter((one) => one.in === "query" && values.has(one.name))
        .map(({ name }) => `${encodeURIComponent(name)}=${encodeText(values.get(name))}`)
        .join("&");
      const body = operation.file !== undefined ? "no picture" : JSON.stringify(values.get(BODY));
      const response = await fetch(`${server.url}${path}${search === "" ? "" : `?${search}`}`, {
        method: operation.method,
        headers: {
          ...caller.headers,
          cookie: [...caller.jar].map(([name, value]) => `${name}=${value}`).join("; "),
          ...(body === undefined ? {} : { "content-type": operation.file ?? "application/json" }),
        },
        ...(body === undefined || operation.method === "GET" ? {} : { body }),
      });
      if (changesSecurity(operation)) caller.keepCookies(response);
      const text = await response.text();
      return {
        status: response.status,
        text,
        requested: `${operation.method} ${path}?${search} ${body?.slice(0, 300)}`,
      };
    };

    /** What went wrong, if anything: a 500 is a fault of ours; a 503 names the time to retry. */
    const call = async (caller: Visitor, operation: Operation, values: Values): Promise<Outcome> => {
      const { status, text, requested } = await send(caller, operation, values);
      if (status === 429) return { isTooMany: true };
      if (status !== 500 && JSON.parse(text).code !== "INTERNAL") return { isTooMany: false };
      return { isTooMany: false, fault: `${requested} → ${text}` };
    };

    const callAll = async (list: (operation: Operation, caller: Visitor) => readonly Values[]): Promise<string[]> => {
      const failures: string[] = [];
      /**
       * Rates are per minute: a throttled call is repeated in the next one. A minute's own work costs more than the
       * calls.
       */
      const ask = async (
        caller: Visitor,
        operation: Operation,
        values: readonly Values[],
        tries = 2,
      ): Promise<void> => {
        const outcomes: Outcome[] = [];
        if (changesSecurity(operation)) for (const one of values) outcomes.push(await call(caller, operation, one));
        else outcomes.push(...(await Promise.all(values.map((one) => call(caller, operation, one)))));
        failures.push(...outcomes.flatMap(({ fault }) => fault ?? []));
        const again = values.filter((_, index) => outcomes[index]?.isTooMany);
        if (again.length === 0 || tries === 1) return;
        server.wait(61_000);
        await ask(caller, operation, again, tries - 1);
      };
      /** In a minute of its own: the calls before may have used up the budget. */
      const renew = async (): Promise<void> => {
        server.wait(61_000);
        renewedMs = server.nowMs();
        const renewed = await Promise.all(callers.map((one) => one.post("/v2/users/session/refresh")));
        expect(renewed.map(({ status }) => status)).toEqual([401, 200, 200]);
      };
      await renew();
      for (const operation of operations) {
        for (const caller of callers) {
          if (server.nowMs() - renewedMs >= RENEW_MS) await renew();
          await ask(caller, operation, list(operation, caller));
        }
      }
      const signedIn = await Promise.all(callers.map((caller) => caller.get("/v2/users/letters")));
      expect(signedIn.map(({ status }) => status)).toEqual([401, 200, 200]);
      return failures;
    };

    test("[NET-4] every route that takes the id of an intent requires a UUID", () => {
      const requested = operations.flatMap(({ path, body }) => {
        const fields = (body?.properties ?? {}) as Record<string, { maxLength?: number; pattern?: string }>;
        const { maxLength, pattern = "" } = fields.clientId ?? {};
        return maxLength === undefined
          ? []
          : [{ path, takes: maxLength >= UUID.length && new RegExp(pattern).test(UUID) }];
      });
      expect(requested.length).toBeGreaterThan(40);
      expect(requested.filter(({ takes }) => !takes)).toEqual([]);
    });

    test("[NET-4] another's id is answered as one there is not, by every call that takes one", {
      timeout: TIMEOUT_MS,
    }, async () => {
      if (dialect === "postgres") return;
      const owner = callers[1] as Visitor;
      const made = [
        await owner.post("/v1/spot/orders", ORDER),
        await owner.post("/asset/v1/api/statement/make", {
          kind: "postings",
          format: "CSV",
          from: server.nowMs() - 86_400_000,
          to: server.nowMs(),
          clientId: "made",
        }),
        await owner.post("/v1/common/invite/links", { name: "friends", friendPercent: 0, clientId: "made" }),
        await owner.post("/v2/users/api-keys/add", { label: "bot", kind: "HMAC", permissions: ["read"] }),
      ];
      expect(made.map(({ status, message }) => [status, message])).toEqual(made.map(() => [200, "success"]));
      const ids = new Map<string, unknown>();
      for (const operation of operations.filter(({ method }) => method === "GET")) {
        const { status, text } = await send(owner, operation, new Map());
        if (status === 200) for (const id of findIds(JSON.parse(text).data)) ids.set(JSON.stringify(id), id);
      }
      expect(ids.size).toBeGreaterThan(10);
      const outsider = await server.trader({ USDT: "1000" });
      const answer = async (operation: Operation, values: Values): Promise<string> => {
        const { status, text } = await send(outsider, operation, values);
        if (status === 429) {
          server.wait(61_000);
          return answer(operation, values);
        }
        const { code, data } = JSON.parse(text);
        return JSON.stringify([status, code, data]);
      };
      let looked = 0;
      const differ: string[] = [];
      const guarded = operations.filter(
        ({ method, path }) =>
          !OPEN_ROUTES.has(`${method} ${path.replace(/^\/(api|futuresapi)/, "").replace(/\{(\w+)\}/g, ":$1")}`),
      );
      for (const operation of guarded) {
        const [sample] = fc.sample(rightValues(operation), { numRuns: 1, seed: 7 }) as [Values];
        for (const { put, takes } of idPlaces(operation, sample)) {
          looked += 1;
          for (const id of [...ids.values()].flatMap((one) => takes(one) ?? [])) {
            const [theirs, none] = [await answer(operation, put(id)), await answer(operation, put(unknownFor(id)))];
            if (theirs !== none) differ.push(`${operation.method} ${operation.path} ${id}: ${theirs} and ${none}`);
          }
        }
        if (server.nowMs() - renewedMs >= RENEW_MS) renewedMs = server.nowMs();
      }
      expect(looked).toBeGreaterThan(60);
      expect(differ).toEqual([]);
    });

    test("[NET-4] values of wrong types are refused everywhere, never a fault", { timeout: TIMEOUT_MS }, async () => {
      expect(operations.length).toBeGreaterThan(100);
      // What a schema refuses reaches no database: once, by a caller with every right.
      if (dialect === "postgres") return;
      const all = callers.at(-1);
      expect(await callAll((operation, caller) => (caller === all ? wrongValues(operation) : []))).toEqual([]);
    });

    test("[NET-4] random values of the right types are never a fault", { timeout: TIMEOUT_MS }, async () => {
      const [, customer, operator] = callers;
      const sample = (operation: Operation, caller: Visitor) => {
        const isFor = caller === (FOR_OPERATORS.test(operation.path) ? operator : customer);
        return fc.sample(rightValues(operation), { numRuns: isFor ? SAMPLES : SAMPLES_OF_OTHERS, seed: 7 });
      };
      expect(await callAll(sample)).toEqual([]);
    });

    test("[NET-4] reports of browsers, and what has no schema, take anything", async () => {
      const paths = ["/dev/outbox.json?to=%00", "/dev/outbox?to[]=1&to=2", "/domain-list.json?x=%ff"];
      for (const path of [...paths, "/metrics", "/openapi.json?a[b]=c"]) {
        const response = await fetch(server.url + path);
        expect([path, response.status >= 500]).toEqual([path, false]);
        await response.text();
      }
      for (const value of [...WRONG, ...WRONG.flatMap(asReport)]) {
        const response = await fetch(`${server.url}/csp-report`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(value),
        });
        expect([value, response.status >= 500]).toEqual([value, false]);
        await response.text();
      }
    });
  });
}

/** What a call is given: its parameters by name, its body under a name no parameter has. */
type Values = ReadonlyMap<string, unknown>;
const BODY = "\0body";

const ORDER = { pairCode: "BTC_USDT", side: "buy", type: "limit", price: "50000", quantity: "0.01" };
const ID = /(?:^id|Id)$/;

/** Every value below a name of an id. */
function findIds(value: unknown, name = ""): unknown[] {
  if (Array.isArray(value)) return value.flatMap((one) => findIds(one, name));
  if (typeof value !== "object" || value === null) return ID.test(name) && value !== null && value !== 0 ? [value] : [];
  return Object.entries(value).flatMap(([key, one]) => findIds(one, key));
}

/** An id of the same kind that does not exist. */
function unknownFor(id: unknown): unknown {
  if (typeof id === "number") return 7_654_321;
  if (Array.isArray(id)) return id.map(unknownFor);
  const text = String(id);
  return /^\d{1,12}$/.test(text) ? "7654321" : text.replace(/\d/g, "7").replace(/[a-z]/g, "e").replace(/[A-Z]/g, "E");
}

interface IdPlace {
  readonly put: (id: unknown) => Values;
  /** The id as this place takes it; undefined when it takes none of its kind. */
  readonly takes: (id: unknown) => unknown;
}

function idPlaces({ parameters, body }: Operation, sample: Values): readonly IdPlace[] {
  const isId = (name: string): boolean => ID.test(name) && !/client/i.test(name);
  const inBody = Object.entries((body?.properties ?? {}) as Record<string, JsonSchema>);
  const given = sample.get(BODY) as object | undefined;
  return [
    ...parameters
      .filter(({ name }) => isId(name))
      .map(({ name, schema }) => ({
        put: (id: unknown) => new Map([...sample, [name, id]]),
        takes: (id: unknown) => asTaken(schema, id),
      })),
    ...inBody
      .filter(([name]) => isId(name) || name === "orderIds")
      .map(([name, schema]) => ({
        put: (id: unknown) => new Map([...sample, [BODY, { ...given, [name]: id }]]),
        takes: (id: unknown) => asTaken(schema, id),
      })),
  ];
}

function asTaken(schema: JsonSchema, id: unknown): unknown {
  if (schema.type === "array") {
    const one = asTaken(schema.items as JsonSchema, id);
    return one === undefined ? undefined : [[one]];
  }
  if (schema.type === "integer") return /^\d{1,9}$/.test(String(id)) ? Number(id) : undefined;
  const { pattern = "", maxLength = 64 } = schema as { pattern?: string; maxLength?: number };
  return String(id).length <= maxLength && new RegExp(pattern).test(String(id)) ? String(id) : undefined;
}

/** Gives the session other tokens: made one after another, so that the newest are kept. */
const changesSecurity = ({ path }: Operation): boolean => path.includes("/security/");

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
  const places: readonly ((value: unknown) => Values)[] = [
    ...names.map((name) => (value: unknown) => new Map([...right, [name, value]])),
    ...fields.map((name) => (value: unknown) => new Map([...right, [BODY, { ...body, [name]: value }]])),
    ...(operation.body === undefined ? [] : [(value: unknown) => new Map([...right, [BODY, value]])]),
  ];
  // Every place takes three of them in turn: one validator reads all places.
  return places.flatMap((put, index) => [0, 2, 4].map((step) => put(WRONG[(index * 3 + step) % WRONG.length])));
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
  if (pattern !== undefined) return textsMatching(pattern);
  const { minLength, maxLength } = schema as { minLength?: number; maxLength?: number };
  return fc.string({
    unit: "grapheme",
    ...(minLength === undefined ? {} : { minLength }),
    maxLength: Math.min(maxLength ?? 20, Math.max(20, minLength ?? 0)),
  });
}

/** Reading a pattern costs more than the calls made with it, and most fields share a few. */
const textsMatching = memo((pattern: string) => fc.stringMatching(new RegExp(pattern)));

function memo<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
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
