// Calls over a socket in the Binance dialect (/ws-api/v3): the same endpoints, called by method name, authenticated by
// a signature in the message or by a session that was logged on once.

import type { Door } from "@clockwork/host/channel";
import type { Clock } from "@clockwork/host/clock";
import { inBackground } from "@clockwork/host/time/background";
import type { KeyHolder } from "@clockwork/identity/apikeys/reading-service";
import type { Endpoint } from "../endpoint.ts";
import { type Family, familyOf, type OrdersUsed } from "../limits.ts";
import { badKey, DialectRefusal, missing } from "../refusal.ts";
import { findKey, Parameters, plainSignature, type ReadCall, requireSigned } from "../request.ts";
import { chargeFailed, type Published, payAndRead, prove, run, type ServeParts, toRefusal } from "../serve.ts";
import { rateLimitsOf } from "../spot/exchange-info.ts";
import { Connection } from "./connection.ts";
import type { ConnectionLimit } from "./connection-limit.ts";
import { endAfterDay } from "./door.ts";
import type { UserStreams } from "./user-streams.ts";

export interface WsApiParts extends ServeParts {
  readonly path: string;
  readonly connections: Pick<ConnectionLimit, "add">;
  /** Endpoints by the name they have here. */
  readonly methods: ReadonlyMap<string, Endpoint>;
  readonly users: UserStreams;
  readonly rate: () => number;
  /** Ends connections after a day. */
  readonly timer: Pick<Clock, "now" | "at">;
}

interface Session {
  readonly connection: Connection;
  apiKey: string | undefined;
  readonly connectedMs: number;
  loggedOnMs: number;
  /** By their number: whose they are, and the name the connection has them by. */
  readonly subscriptions: Map<number, { readonly userId: number; readonly name: string }>;
  nextSubscription: number;
  /** Whether answers contain the usage of the limits. */
  readonly showsLimits: boolean;
}

interface Message {
  readonly id: string | number | null;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const PARAMETERS_MAX = 100;

export function wsApiDoor(parts: WsApiParts): Door {
  return {
    serves: (path) => path === parts.path || path === `${parts.path}/`,
    open(socket, stream, { address, url }) {
      const connection = new Connection(socket, stream, { address, isCombined: false, nowMs: parts.rate() });
      endAfterDay(connection, parts.timer);
      parts.connections.add(connection);
      const session: Session = {
        connection,
        apiKey: undefined,
        connectedMs: parts.clock(),
        loggedOnMs: 0,
        subscriptions: new Map(),
        nextSubscription: 0,
        showsLimits: new URL(url, "http://local").searchParams.get("returnRateLimits") !== "false",
      };
      socket.on("message", (data, isBinary) => {
        if (isBinary) return connection.end(1003, "Text only");
        inBackground("dialect.call", () => answer(parts, session, data.toString()));
        return undefined;
      });
    },
  };
}

function readMessage(text: string): Message {
  let read: Partial<Record<keyof Message, unknown>>;
  try {
    read = JSON.parse(text) as typeof read;
  } catch {
    throw new DialectRefusal(-1135, "Invalid JSON");
  }
  const { id = null, method, params = {} } = read ?? {};
  const isId = id === null || typeof id === "string" || typeof id === "number";
  if (!isId || typeof method !== "string" || typeof params !== "object" || params === null || Array.isArray(params)) {
    throw new DialectRefusal(-1135, "Invalid request");
  }
  if (Object.keys(params).length > PARAMETERS_MAX) throw new DialectRefusal(-1101, "Too many parameters sent.");
  return { id, method, params: params as Message["params"] };
}

async function answer(parts: WsApiParts, session: Session, text: string): Promise<void> {
  const { connection } = session;
  let id: Message["id"] = null;
  let showsLimits = session.showsLimits;
  const outcome: PublishedHere = { lines: "", used: 0, orders: undefined };
  const limits = (): object => (showsLimits ? { rateLimits: describeLimits(familyOf(parts.path), outcome) } : {});
  try {
    const message = readMessage(text);
    id = message.id;
    const { returnRateLimits } = message.params;
    if (typeof returnRateLimits === "boolean") showsLimits = returnRateLimits;
    const result = await serve(parts, session, message, outcome);
    connection.answer({ id, status: 200, result: result ?? {}, ...limits() });
  } catch (error) {
    const refusal = toRefusal(parts.log, error, String(id));
    connection.answer({ id, status: refusal.status, error: refusal.body, ...limits() });
  }
}

/** Of what the socket itself answers. */
const OWN_WEIGHT = 2;

/** What a message used of the limits. */
interface PublishedHere extends Published {
  orders: OrdersUsed | undefined;
}

function describeLimits(family: Family, { used, orders }: PublishedHere): readonly object[] {
  const [weight, tenSeconds, day] = rateLimitsOf(family);
  if (orders === undefined) return [{ ...weight, count: used }];
  return [
    { ...tenSeconds, count: orders.tenSeconds },
    { ...day, count: orders.day },
    { ...weight, count: used },
  ];
}

/** The signature is over all parameters by name, as they are. */
function readCall({ params }: Message): ReadCall {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(params)) {
    if (value === null || value === undefined) continue;
    values.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  const signature = values.get("signature");
  values.delete("signature");
  const payload = [...values.keys()]
    .sort()
    .map((name) => `${name}=${values.get(name)}`)
    .join("&");
  const plain = signature === undefined ? undefined : plainSignature(signature);
  return { parameters: new Parameters(values), signature: plain, payload };
}

async function serve(parts: WsApiParts, session: Session, message: Message, outcome: PublishedHere): Promise<unknown> {
  const { address } = session.connection;
  const timeMs = parts.clock();
  const own = Object.hasOwn(SESSION_METHODS, message.method) ? SESSION_METHODS[message.method] : undefined;
  const endpoint = parts.methods.get(message.method);
  const costs = endpoint ?? { weight: OWN_WEIGHT, path: parts.path };
  const read = payAndRead(parts, costs, address, timeMs, outcome, () => readCall(message));
  if (own !== undefined) return own(parts, session, read, timeMs);
  if (endpoint === undefined) throw new DialectRefusal(-1135, "Unknown method.");
  const proof = proveHere(parts, session, endpoint, read, message, timeMs);
  const { holder, orders } = await proof.catch((error: unknown): never => {
    throw chargeFailed(parts, endpoint, address, outcome, error);
  });
  outcome.orders = orders;
  return run(parts, endpoint, { read, address, requestId: `ws-${String(message.id)}-${timeMs}`, timeMs }, holder);
}

/** A logged-on session need not sign; its key is read again each time. */
async function proveHere(
  parts: WsApiParts,
  session: Session,
  endpoint: Endpoint,
  read: ReadCall,
  message: Message,
  timeMs: number,
) {
  const { address } = session.connection;
  const isLoggedOn = session.apiKey !== undefined && read.signature === undefined;
  const apiKey = isLoggedOn ? session.apiKey : read.parameters.text("apiKey");
  const requested = { apiKey, address, call: `WS ${message.method}` };
  return prove(
    parts,
    isLoggedOn && endpoint.security === "signed" ? { ...endpoint, security: "key" } : endpoint,
    read,
    requested,
    timeMs,
  );
}

type SessionMethod = (parts: WsApiParts, session: Session, read: ReadCall, timeMs: number) => Promise<object>;

async function requireOwner(
  parts: WsApiParts,
  { connection }: Session,
  read: ReadCall,
  timeMs: number,
): Promise<KeyHolder> {
  const holder = await findKey(parts.reading, read.parameters.text("apiKey"), connection.address, timeMs);
  requireSigned(holder, read, timeMs);
  parts.seen.require(read, timeMs);
  parts.limits.chargeAccount(holder.userId, OWN_WEIGHT, timeMs, familyOf(parts.path));
  return holder;
}

const status = (parts: WsApiParts, session: Session): object => ({
  apiKey: session.apiKey ?? null,
  authorizedSince: session.apiKey === undefined ? null : session.loggedOnMs,
  connectedSince: session.connectedMs,
  returnRateLimits: session.showsLimits,
  serverTime: parts.clock(),
  userDataStream: session.subscriptions.size > 0,
});

/** One per account and connection: a second would publish everything twice. */
function subscribe(parts: WsApiParts, session: Session, holder: KeyHolder): object {
  const { connection, subscriptions } = session;
  const { userId } = holder;
  if ([...subscriptions.values()].some((known) => known.userId === userId)) {
    throw new DialectRefusal(-2035, "User Data Stream subscription already active.");
  }
  const subscriptionId = session.nextSubscription;
  session.nextSubscription += 1;
  if (connection.isOpen) {
    const publish = (event: object): void => connection.answer({ subscriptionId, event });
    const name = `user/${subscriptionId}`;
    subscriptions.set(subscriptionId, { userId, name });
    // Counted among its streams, and ended with them when it closes.
    connection.streams.set(name, parts.users.listen({ holder, connection, publish }));
  }
  return { subscriptionId };
}

const SESSION_METHODS: Readonly<Record<string, SessionMethod>> = {
  "session.logon": async (parts, session, read, timeMs) => {
    const holder = await requireOwner(parts, session, read, timeMs);
    if (holder.proof.kind === "HMAC") throw new DialectRefusal(-4056, "HMAC_SHA256 API key is not supported.");
    session.apiKey = holder.apiKey;
    session.loggedOnMs = timeMs;
    parts.users.bind(session.connection, holder);
    return status(parts, session);
  },
  "session.status": async (parts, session) => status(parts, session),
  "session.logout": async (parts, session) => {
    session.apiKey = undefined;
    parts.users.unbind(session.connection);
    return status(parts, session);
  },
  "userDataStream.subscribe.signature": async (parts, session, read, timeMs) =>
    subscribe(parts, session, await requireOwner(parts, session, read, timeMs)),
  "userDataStream.subscribe": async (parts, session, _, timeMs) => {
    const { apiKey, connection } = session;
    if (apiKey === undefined) throw badKey();
    return subscribe(parts, session, await findKey(parts.reading, apiKey, connection.address, timeMs));
  },
  "session.subscriptions": async (_, { subscriptions }) =>
    [...subscriptions.keys()].map((subscriptionId) => ({ subscriptionId })),
  "userDataStream.unsubscribe": async (_, session, read) => {
    const id = read.parameters.integer("subscriptionId");
    const ended = [...session.subscriptions].filter(([known]) => id === undefined || known === id);
    if (id !== undefined && ended.length === 0) throw missing("subscriptionId");
    for (const [known, { name }] of ended) {
      session.connection.streams.get(name)?.();
      session.connection.streams.delete(name);
      session.subscriptions.delete(known);
    }
    return {};
  },
};
