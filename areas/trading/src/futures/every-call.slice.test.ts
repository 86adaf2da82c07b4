// Every call below /futuresapi in the API document, generated from it: each input is made invalid, one at a time, in an
// otherwise valid call. The call is rejected with a code, in the envelope, and nothing changes. A new call needs only a
// valid body here, and fails until it has one.

import type { JsonSchema } from "@clockwork/server/http/schema";
import { Visitor } from "@clockwork/server/process/account-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountOf, type FuturesServer, meet, order, positionsOf, startFuturesServer } from "./futures-fixture.ts";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly schema: JsonSchema;
}

interface Operation {
  readonly method: string;
  /** Below the base. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: JsonSchema | undefined;
  readonly isOwn: boolean;
}

/** A call as sent. */
interface Sent {
  readonly values: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

interface Holdings {
  readonly position: string;
  readonly order: string;
}

const BASE = "/futuresapi";
const NO_TEXT = "¿";

let server: FuturesServer;
let owner: Visitor;
let other: Visitor;
let operations: readonly Operation[];
let own: Readonly<Record<"futuresc" | "perpcm", Holdings>>;
let others: Readonly<Record<"futuresc" | "perpcm", Holdings>>;

beforeAll(async () => {
  server = await startFuturesServer();
  owner = await server.player("20000", "2");
  other = await server.player("20000", "2");
  const inverse = { biz: "delivery", pairCode: "BTC_USD", price: "50000", quantity: "1000" };
  await meet(owner, other, { price: "50000", quantity: "0.1" });
  await meet(owner, other, inverse);
  const hold = async (visitor: Visitor) => {
    const [linear, coin] = [await positionsOf(visitor), await positionsOf(visitor, "delivery")];
    const resting = await order(visitor, { side: "buy", price: "49000", quantity: "0.01" });
    const another = await order(visitor, { ...inverse, side: "buy", price: "49000", quantity: "100" });
    return {
      futuresc: { position: linear[0].positionId, order: resting.data.orderId },
      perpcm: { position: coin[0].positionId, order: another.data.orderId },
    };
  };
  own = await hold(owner);
  others = await hold(other);
  operations = readOperations((await (await fetch(`${server.url}/openapi.json`)).json()) as ApiDocument);
});
afterAll(() => server.close());

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedCall>>>>;
}

interface DocumentedCall {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  readonly "x-signed-in"?: boolean;
}

function readOperations(document: ApiDocument): readonly Operation[] {
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith(`${BASE}/`))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, call]) => ({
        method: method.toUpperCase(),
        path: path.slice(BASE.length),
        parameters: call.parameters ?? [],
        body: call.requestBody?.content["application/json"]?.schema,
        isOwn: call["x-signed-in"] === true,
      })),
    );
}

const bookOf = ({ path }: Operation) => (path.startsWith("/v1/perpcm/") ? "perpcm" : "futuresc");
/** The name of a call below either book. */
const nameOf = ({ method, path }: Operation) => `${method} ${path.replace(/^\/v1\/(futuresc|perpcm)\//, "")}`;

/** A valid body with an effect, so that any input let through is detected. */
function goodBody(operation: Operation): Readonly<Record<string, unknown>> | undefined {
  const book = bookOf(operation);
  const { position: positionId, order: orderId } = own[book];
  const pairCode = book === "perpcm" ? "BTC_USD" : "BTC_USDT";
  const quantity = book === "perpcm" ? "100" : "0.01";
  const limit = { pairCode, side: "buy", type: "limit", price: "49500", quantity };
  const bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    "POST orders": limit,
    "POST orders/batch": { orders: [limit] },
    "POST orders/cancel": { orderIds: [orderId] },
    "POST orders/cancel-after": { timeoutSeconds: 0, pairCode },
    "POST orders/clear": { pairCode },
    "PATCH orders/{id}": { price: "48900" },
    "POST positions/auto-append": { pairCode, isOn: true },
    "POST positions/close": { positionId, quantity },
    "POST positions/close-all": { pairCode },
    "POST positions/layout": { layout: "split" },
    "POST positions/leverage": { pairCode, leverage: 7 },
    "POST positions/margin": { positionId, amount: "1" },
    "POST positions/margin-mode": { pairCode, mode: "isolated" },
    "POST positions/mode": { mode: "hedge" },
    "POST positions/type": { pairCode, mode: "isolated" },
    "POST positions/reverse": { positionId },
    "POST positions/stop": { positionId, profit: { triggerPrice: "60000" } },
  };
  return bodies[nameOf(operation)];
}

/** Valid values of its parameters. */
function goodValues(operation: Operation): Readonly<Record<string, string>> {
  const book = bookOf(operation);
  const known: Readonly<Record<string, string>> = {
    id: operation.path.includes("/liquidations/") ? "1-0" : own[book].order,
    clientOrderId: "mine",
    pairCode: book === "perpcm" ? "BTC_USD" : "BTC_USDT",
    interval: "1m",
    state: "open",
    module: "spot",
  };
  const needed = operation.parameters.filter(({ required }) => required);
  return Object.fromEntries(needed.map(({ name }) => [name, known[name] ?? `no value is known for ${name}`]));
}

function send(visitor: Visitor, { method, path, parameters }: Operation, { values, body }: Sent) {
  const at = (name: string) => encodeURIComponent(values[name] ?? "");
  const isInPath = (name: string) => parameters.some((one) => one.name === name && one.in === "path");
  const full = path.replace(/\{(\w+)\}/g, (_, name: string) => at(name));
  const search = Object.keys(values)
    .filter((name) => !isInPath(name))
    .map((name) => `${encodeURIComponent(name)}=${at(name)}`)
    .join("&");
  return visitor.futures(`${full}${search === "" ? "" : `?${search}`}`, body, method);
}

/** Something of no type the schema admits. */
function wrongFor(schema: JsonSchema): unknown {
  return schema.type === "object" || schema.type === "array" ? NO_TEXT : { wrong: true };
}

/** Each input made invalid separately, with the field the refusal must name. */
function malformed(operation: Operation): readonly (readonly [place: string, sent: Sent])[] {
  const values = goodValues(operation);
  const body = goodBody(operation);
  const good: Sent = { values, ...(body === undefined ? {} : { body }) };
  const parameters = operation.parameters.map(({ name, in: where }) => {
    const place = where === "path" ? "params" : "query";
    return [`${place}.${name}`, { ...good, values: { ...values, [name]: NO_TEXT } }] as const;
  });
  const members = Object.entries((operation.body?.properties ?? {}) as Readonly<Record<string, JsonSchema>>);
  return [
    ["query.unheardOf", { ...good, values: { ...values, unheardOf: "1" } }],
    ...parameters,
    ...(operation.body === undefined
      ? []
      : members.map(
          ([name, schema]) => [`body.${name}`, { ...good, body: { ...body, [name]: wrongFor(schema) } }] as const,
        )),
    ...(operation.body === undefined
      ? []
      : [["body.unheardOf", { ...good, body: { ...body, unheardOf: 1 } }] as const]),
  ];
}

/** Well-formed input without a valid target, or with another user's. */
function meaningless(operation: Operation): readonly (readonly [code: string, sent: Sent])[] {
  const values = goodValues(operation);
  const body = goodBody(operation);
  const strange = others[bookOf(operation)];
  const members = (operation.body?.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const found: (readonly [string, Sent])[] = [];
  const inQuery = (name: string) => operation.parameters.some((one) => one.name === name && one.in === "query");
  const replace = (name: string, value: string, code: string) => {
    if (inQuery(name))
      found.push([code, { values: { ...values, [name]: value }, ...(body === undefined ? {} : { body }) }]);
    if (name in members) found.push([code, { values, body: { ...body, [name]: value } }]);
  };
  replace("pairCode", "AAA_BBB", "UNKNOWN_MARKET");
  replace("account", "copy:77", "UNKNOWN_ACCOUNT");
  if (operation.path.includes("/positions/")) replace("positionId", strange.position, "UNKNOWN_POSITION");
  if (operation.path.endsWith("/orders/{id}"))
    found.push([
      "UNKNOWN_ORDER",
      { values: { ...values, id: strange.order }, ...(body === undefined ? {} : { body }) },
    ]);
  return found;
}

/** Everything calls can change in both accounts, in both books. Indicators and prices move independently. */
async function everything(): Promise<unknown> {
  const still = (positions: readonly Record<string, unknown>[]) =>
    positions.map(({ positionId, quantity, margin, leverage, mode, stops }) => ({
      positionId,
      quantity,
      margin,
      leverage,
      mode,
      stops,
    }));
  const one = async (visitor: Visitor, biz: string, pairCode: string) => {
    const read = async (path: string) => (await visitor.futures(`/v1/futuresc/${path}`)).data;
    const { balance, isHedge, isSplit } = await accountOf(visitor, biz);
    return {
      account: { balance, isHedge, isSplit },
      positions: still(await positionsOf(visitor, biz)),
      settings: await read(`positions/settings?biz=${biz}&pairCode=${pairCode}`),
      open: await read(`orders?biz=${biz}&state=open`),
      plans: await read(`orders?biz=${biz}&state=plan`),
      bills: await read(`bills?biz=${biz}`),
    };
  };
  const demo = async (visitor: Visitor) => (await visitor.futures("/v1/futuresc/simulated/status")).data;
  return Promise.all(
    [owner, other].map(async (visitor) => [
      await one(visitor, "futures", "BTC_USDT"),
      await one(visitor, "delivery", "BTC_USD"),
      await demo(visitor),
    ]),
  );
}

const isRefusal = ({ status, code, data, message }: Awaited<ReturnType<typeof send>>): boolean =>
  status >= 400 &&
  status < 500 &&
  typeof code === "string" &&
  /^[A-Z_]+$/.test(code) &&
  data === null &&
  message.length > 5;

test("[FUT-1] [DLV-1] every call with a body has a valid one here, so that each of its members can be made invalid", () => {
  expect(operations.length).toBeGreaterThan(100);
  const taking = operations.filter(({ body }) => body !== undefined);
  expect(taking.filter((one) => goodBody(one) === undefined).map(nameOf)).toEqual([]);
  expect(
    operations.flatMap((one) => Object.values(goodValues(one))).filter((value) => value.startsWith("no ")),
  ).toEqual([]);
  expect(operations.filter((one) => malformed(one).length === 0)).toEqual([]);
});

test("[FUT-1] [DLV-1] malformed input is refused on every call, with the name of the field, and nothing changes", async () => {
  const before = await everything();
  const taken: string[] = [];
  for (const operation of operations) {
    for (const [place, sent] of malformed(operation)) {
      const answer = await send(owner, operation, sent);
      const isNamed = Object.keys(answer.fields ?? {}).some((name) => name === place || name.startsWith(`${place}.`));
      if (!isRefusal(answer) || answer.status !== 400 || answer.code !== "VALIDATION_FAILED" || !isNamed)
        taken.push(
          `${operation.method} ${operation.path} ${place}: ${answer.status} ${String(answer.code)} ${JSON.stringify(answer.fields)}`,
        );
    }
    if (operation.method !== "GET") expect(await everything(), `${operation.method} ${operation.path}`).toEqual(before);
  }
  expect(taken).toEqual([]);
  expect(await everything()).toEqual(before);
});

test("[FUT-1] [DLV-1] invalid targets and other users' are rejected on every call with a code, and nothing changes", async () => {
  const before = await everything();
  const taken: string[] = [];
  for (const operation of operations) {
    const cases = meaningless(operation);
    for (const [code, sent] of cases) {
      const answer = await send(owner, operation, sent);
      if (!isRefusal(answer) || answer.code !== code)
        taken.push(
          `${operation.method} ${operation.path} ${code}: ${answer.status} ${String(answer.code)} ${JSON.stringify(answer.data)?.slice(0, 120)}`,
        );
    }
    if (operation.method !== "GET" && cases.length > 0)
      expect(await everything(), `${operation.method} ${operation.path}`).toEqual(before);
  }
  expect(taken).toEqual([]);
});

test("[FUT-1] [DLV-1] every call about an account requires an unauthenticated client to sign in, whatever it sends", async () => {
  const before = await everything();
  const outsider = new Visitor(server);
  const answered: string[] = [];
  for (const operation of operations.filter(({ isOwn }) => isOwn)) {
    const body = goodBody(operation);
    const answer = await send(outsider, operation, {
      values: goodValues(operation),
      ...(body === undefined ? {} : { body }),
    });
    if (answer.code !== "UNAUTHENTICATED")
      answered.push(`${operation.method} ${operation.path}: ${String(answer.code)}`);
  }
  expect(answered).toEqual([]);
  expect(operations.filter(({ isOwn }) => isOwn).length).toBeGreaterThan(50);
  expect(await everything()).toEqual(before);
});
