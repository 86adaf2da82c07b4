// Mounts the endpoints of the Binance dialect: bodies as they came, weights and order counts in the headers, key, time
// and signature in that order, and every refusal as the dialect's own JSON. Never runs a handler for a call in doubt.

import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Call, Calls } from "@clockwork/host/call";
import type { Log } from "@clockwork/host/log";
import type { ApiKeyReading, KeyHolder } from "@clockwork/identity/apikeys/reading-service";
import type { FastifyInstance } from "fastify";
import type { RawInput, RawRoute } from "../http/quick-raw.ts";
import type { QuickReply } from "../http/quick-route.ts";
import { refusalOf } from "../http/refusal.ts";
import { caller, type Endpoint } from "./endpoint.ts";
import { type DialectLimits, type Family, familyOf, type OrdersUsed } from "./limits.ts";
import { inMicroseconds } from "./micro.ts";
import { badKey, DialectRefusal, refusalFrom } from "./refusal.ts";
import { findKey, type ReadCall, readCall, requireKnown, requireSigned } from "./request.ts";
import type { SeenSignatures } from "./seen.ts";

export interface ServeParts {
  readonly reading: ApiKeyReading;
  readonly calls: Calls;
  readonly limits: DialectLimits;
  readonly seen: SeenSignatures;
  readonly clock: () => number;
  readonly log: Log;
}

const BODY_BYTES_MAX = 65_536;
/** Any other path below them is answered in the dialect too: its clients read no pages. */
const BASES = ["/api/v3/*", "/sapi/*", "/fapi/*", "/dapi/*", "/eapi/*", "/papi/*", "/wapi/*"] as const;
/** Names of calls have letters alone; the contracts' own pages are below the same path by their pairs. */
const DATA_BASE = "/futures/data/:name(^[A-Za-z]+$)";
const TIME_UNIT = "x-mbx-time-unit";
/** Shorter answers gain nothing. */
const PACKED_MIN = 2_048;
const pack = promisify(gzip);
const JSON_TYPE = "application/json; charset=utf-8";

/** The caller, proved as far as the endpoint requires. */
export interface Proved {
  readonly holder: KeyHolder | undefined;
  readonly orders: OrdersUsed | undefined;
  /** Of the account in this minute, where it has its own scale. */
  readonly ownWeight?: number;
}

export function mountEndpoints(app: FastifyInstance, endpoints: readonly Endpoint[], parts: ServeParts): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: BODY_BYTES_MAX }, (_, body, done) =>
      done(null, body),
    );
    scope.setErrorHandler((error, request, reply) => {
      const { status, body, refusal, retryAfterSeconds } = describeRefusal(toRefusal(parts.log, error, request.id));
      request.refusal = { code: refusal ?? "", status, message: "" };
      if (retryAfterSeconds !== undefined) reply.header("retry-after", retryAfterSeconds);
      return reply.code(status).type(JSON_TYPE).send(body);
    });
    for (const below of [...BASES, DATA_BASE]) {
      scope.route({
        method: ["GET", "POST", "PUT", "DELETE"],
        url: below,
        handler: ({ url, method }) => {
          const path = url.split("?")[0] ?? url;
          throw new DialectRefusal(-5000, `Path ${path}, Method ${method} is invalid`, 404);
        },
      });
    }
    for (const endpoint of endpoints) {
      const transport = transportOf(endpoint, parts);
      if (endpoint.security === "signed" && endpoint.method !== "GET") app.offerRaw(transport);
      scope.route({
        method: endpoint.method,
        url: endpoint.path,
        handler: async (request, reply) => {
          const at = request.url.indexOf("?");
          const query = at < 0 ? "" : request.url.slice(at + 1);
          const body = typeof request.body === "string" ? request.body : "";
          // Public data may be read by pages of any origin: it needs no key and no cookie.
          const isShared = endpoint.security === "none" && !reply.raw.hasHeader("access-control-allow-origin");
          if (isShared) reply.raw.setHeader("access-control-allow-origin", "*");
          const answer = await transport.reply(request, { query, body });
          for (const line of answer.lines?.split("\r\n") ?? []) {
            const [name = "", value = ""] = line.split(": ");
            if (name !== "") reply.header(name, value);
          }
          if (answer.retryAfterSeconds !== undefined) reply.header("retry-after", answer.retryAfterSeconds);
          if (answer.refusal !== undefined)
            request.refusal = { code: answer.refusal, status: answer.status, message: "" };
          const text = request.headers[TIME_UNIT]?.toString().toUpperCase().startsWith("MICROSECOND")
            ? JSON.stringify(inMicroseconds(JSON.parse(answer.body)))
            : answer.body;
          reply.code(answer.status).type(JSON_TYPE);
          const isPacked =
            text.length >= PACKED_MIN && /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
          if (!isPacked) return reply.send(text);
          return reply
            .header("content-encoding", "gzip")
            .header("vary", "accept-encoding")
            .send(await pack(text));
        },
      });
    }
  });
}

/** An endpoint as both roads of HTTP call it: the library's, and the lane in front of it. */
function transportOf(endpoint: Endpoint, parts: ServeParts): RawRoute {
  return {
    method: endpoint.method,
    url: endpoint.path,
    bodyBytesMax: BODY_BYTES_MAX,
    // Not async: the parsed input would be kept with the promise, for thousands at once.
    reply(call, input) {
      const result: Published = { lines: "", used: 0 };
      const fail = (error: unknown): QuickReply => ({
        ...describeRefusal(toRefusal(parts.log, error, call.id)),
        lines: result.lines,
      });
      try {
        const answer = begin(parts, endpoint, call, input, result);
        if (answer instanceof Promise) return answer.then((value) => describeAnswer(value, result), fail);
        return Promise.resolve(describeAnswer(answer, result));
      } catch (error) {
        return Promise.resolve(fail(error));
      }
    },
    refuse: (refusal) => describeRefusal(refusalFrom(refusal)),
  };
}

/** Reads and proves the call, then runs it: synchronously where its key is cached. */
function begin(
  parts: ServeParts,
  endpoint: Endpoint,
  call: Pick<Call, "id" | "address" | "headers">,
  input: RawInput,
  result: Published,
): unknown {
  let requested: RequestedCall;
  let proof: Proved | Promise<Proved>;
  const isFailed = (error: unknown): never => {
    throw chargeFailed(parts, endpoint, call.address, result, error);
  };
  try {
    requested = open(parts, endpoint, call, input, result);
    proof = prove(parts, endpoint, requested.read, requested, requested.timeMs);
  } catch (error) {
    return isFailed(error);
  }
  return proof instanceof Promise
    ? proof.catch(isFailed).then((proved) => runProved(parts, endpoint, requested, proved, result))
    : runProved(parts, endpoint, requested, proof, result);
}

function runProved(
  parts: ServeParts,
  endpoint: Endpoint,
  requested: RequestedCall,
  { holder, orders, ownWeight }: Proved,
  result: Published,
): unknown {
  if (ownWeight !== undefined) result.lines += `x-sapi-used-uid-weight-1m: ${ownWeight}\r\n`;
  if (orders !== undefined) {
    const { tenSeconds, day } = orders;
    result.lines += `x-mbx-order-count-10s: ${tenSeconds}\r\nx-mbx-order-count-1d: ${day}\r\n`;
  }
  return run(parts, endpoint, requested, holder);
}

function describeAnswer(answer: unknown, { lines }: Published): QuickReply {
  return { status: 200, body: JSON.stringify(answer ?? {}), lines };
}

/** Response headers, whatever the outcome of the call. */
export interface Published {
  lines: string;
  /** Weight of this minute. */
  used: number;
}

/** A call that was read and paid for. */
export interface RequestedCall {
  readonly read: ReadCall;
  readonly apiKey: string | undefined;
  readonly address: string;
  /** As the key's owner sees its last use. */
  readonly call: string;
  readonly requestId: string;
  readonly timeMs: number;
}

function open(
  parts: ServeParts,
  endpoint: Endpoint,
  { address, headers, id }: Pick<Call, "id" | "address" | "headers">,
  input: RawInput,
  result: Published,
): RequestedCall {
  const timeMs = parts.clock();
  const read = payAndRead(parts, endpoint, address, timeMs, result, () => readCall(input));
  const apiKey = headers["x-mbx-apikey"];
  return {
    read,
    apiKey: typeof apiKey === "string" ? apiKey : undefined,
    address,
    call: `${endpoint.method} ${endpoint.path}`,
    requestId: id,
    timeMs,
  };
}

function charge(
  limits: DialectLimits,
  family: Family,
  address: string,
  cost: number,
  timeMs: number,
  result: Published,
): void {
  try {
    result.used = limits.chargeWeight(address, cost, timeMs, family);
  } catch (error) {
    result.used = limits.readWeight(address, timeMs, family);
    throw error;
  } finally {
    result.lines =
      family === "sapi"
        ? `x-sapi-used-ip-weight-1m: ${result.used}\r\n`
        : `x-mbx-used-weight: ${result.used}\r\nx-mbx-used-weight-1m: ${result.used}\r\n`;
  }
}

/** What a call costs, and by its path which budget. */
type Costs = Pick<Endpoint, "weight" | "path" | "isOwnWeight">;

/**
 * Orders of contracts weigh nothing where they are counted as orders. A call refused before that has cost nothing else,
 * so its address pays; the thrown error is the reason, or that the limit is exceeded.
 */
export function chargeFailed(
  { limits, clock }: Pick<ServeParts, "limits" | "clock">,
  { weight, path }: Costs,
  address: string,
  result: Published,
  error: unknown,
): unknown {
  if (weight !== 0 || !(error instanceof DialectRefusal)) return error;
  try {
    charge(limits, familyOf(path), address, 1, clock(), result);
    return error;
  } catch (tooMuch) {
    return tooMuch;
  }
}

/** Pays before anything is read: the part that depends on the parameters is paid once they are read. */
export function payAndRead(
  { limits }: Pick<ServeParts, "limits">,
  { weight, path, isOwnWeight = false }: Costs,
  address: string,
  timeMs: number,
  result: Published,
  readCall: () => ReadCall,
): ReadCall {
  const family = familyOf(path);
  const pay = (cost: number): void => charge(limits, family, address, cost, timeMs, result);
  pay(typeof weight === "number" && !isOwnWeight ? weight : 1);
  const read = readCall();
  const more = typeof weight === "number" || isOwnWeight ? 0 : weight(read.parameters) - 1;
  if (more > 0) pay(more);
  return read;
}

/** Key, time, signature, permission, and that this call is no replay; synchronously where the key is cached. */
export function prove(
  parts: ServeParts,
  endpoint: Endpoint,
  read: ReadCall,
  requested: Pick<RequestedCall, "apiKey" | "address" | "call">,
  timeMs: number,
): Proved | Promise<Proved> {
  if (endpoint.takes !== undefined) requireKnown(read, endpoint.takes);
  if (endpoint.security === "none") return NOBODY;
  const found = findKey(parts.reading, requested.apiKey, requested.address, timeMs);
  return found instanceof Promise
    ? found.then((holder) => proveBy(parts, endpoint, read, requested, holder, timeMs))
    : proveBy(parts, endpoint, read, requested, found, timeMs);
}

const NOBODY: Proved = { holder: undefined, orders: undefined };

function proveBy(
  parts: ServeParts,
  endpoint: Endpoint,
  read: ReadCall,
  { address, call }: Pick<RequestedCall, "address" | "call">,
  holder: KeyHolder,
  timeMs: number,
): Proved {
  if (endpoint.security === "signed") requireSigned(holder, read, timeMs);
  if (endpoint.permission !== undefined && !holder.permissions.includes(endpoint.permission)) throw badKey();
  if (endpoint.security === "signed") parts.seen[endpoint.method === "GET" ? "note" : "require"](read, timeMs);
  parts.reading
    .touch(holder.apiKey, { timeMs, address, call })
    ?.catch((error: unknown) => parts.log.warn("apikey.touch.failed", { error }));
  const { weight, isOwnWeight } = endpoint;
  const family = familyOf(endpoint.path);
  const cost = typeof weight === "number" ? weight : weight(read.parameters);
  const used = parts.limits.chargeAccount(holder.userId, cost, timeMs, family);
  const count = typeof endpoint.orders === "function" ? endpoint.orders(read.parameters) : endpoint.orders;
  if (count === undefined) return { holder, orders: undefined, ...(isOwnWeight === true ? { ownWeight: used } : {}) };
  const isClosing = endpoint.closes?.(read.parameters) ?? false;
  return { holder, orders: parts.limits.chargeOrders(holder, count, timeMs, family, isClosing) };
}

export function run(
  parts: Pick<ServeParts, "calls">,
  endpoint: Pick<Endpoint, "handle" | "translate">,
  { read, address, requestId, timeMs }: Pick<RequestedCall, "read" | "address" | "requestId" | "timeMs">,
  holder: KeyHolder | undefined,
): Promise<unknown> | unknown {
  return endpoint.handle({
    parameters: read.parameters,
    signature: read.signature,
    holder,
    address,
    requestId,
    timeMs,
    ask: caller(parts.calls, { holder, address, requestId }, endpoint.translate),
  });
}

/** Maps any thrown error to the dialect; an error that is no refusal is a fault of ours and logged. */
export function toRefusal(log: Log, error: unknown, requestId: string): DialectRefusal {
  if (error instanceof DialectRefusal) return error;
  const refusal = refusalOf(error);
  if (refusal.status === 413) return new DialectRefusal(-1101, "Too many parameters sent.", 413);
  if (refusal.status >= 500) log.error("dialect.failed", { requestId, error });
  return refusalFrom(refusal);
}

function describeRefusal({ status, body, code, retryAfterSeconds }: DialectRefusal): QuickReply {
  return { status, body: JSON.stringify(body), refusal: `BINANCE${code}`, retryAfterSeconds };
}
