// Two servers with the same routes for tests, one with the quick lane and one without, and a peer that writes arbitrary
// bytes. Their responses must be the same except for names and dates.
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { answer, defineRoute, type RouteSpec, refuse } from "@clockwork/host/route";
import { sessionIdentifier } from "@clockwork/identity/sessions/session-identifier";
import { Type } from "typebox";
import type { AppParts } from "./app.ts";
import { type ServedApp, serveApp } from "./app-fixture.ts";

export interface QuickSite extends ServedApp {
  /** What the handlers were given, in order. */
  readonly calls: readonly { readonly body: unknown; readonly ip: string; readonly userId: string | null }[];
  readonly mostAtOnce: () => number;
}

export const ORDERS = "/api/v1/test/orders";
const Body = Type.Object(
  {
    pairCode: Type.String({ maxLength: 20 }),
    say: Type.Optional(Type.String({ maxLength: 20_000 })),
    next: Type.Optional(Type.String({ maxLength: 20 })),
  },
  { additionalProperties: false },
);

/** The gate holds back the calls that request it. */
function quickRoutes(
  site: { calls: QuickSite["calls"][number][]; most: number },
  isQuick: boolean,
  gate: Promise<void>,
) {
  let running = 0;
  const place = defineRoute({
    method: "POST",
    path: "/v1/test/orders",
    summary: "Places",
    tag: "test",
    scope: "user",
    isQuick,
    rate: { callsMax: 100_000, windowMs: 600_000 },
    body: Body,
    output: Type.Object({ reply: Type.String() }),
    handle: async ({ body }, { userId, ip }) => {
      running += 1;
      site.most = Math.max(site.most, running);
      site.calls.push({ body, ip, userId });
      await sleep(body.next === "soon" ? 3 : 0);
      if (body.next === "gate") await gate;
      if (body.next === "never") await new Promise(() => undefined);
      running -= 1;
      if (body.next === "throw") throw new Error("broken");
      if (body.next === "refuse") return refuse({ code: "TOO_SMALL", status: 422, message: "Zu klein für ₿." });
      if (body.next === "later")
        return refuse({
          code: "BUSY",
          status: 429,
          message: "Wait.",
          retryAfterSeconds: 7,
          fields: { pairCode: "no" },
        });
      return answer({ reply: body.say ?? body.pairCode });
    },
  });
  const end = defineRoute({
    method: "DELETE",
    path: "/v1/test/orders/:id",
    summary: "Ends",
    tag: "test",
    isQuick,
    params: Type.Object({ id: Type.String({ pattern: "^[1-9][0-9]{0,14}$", maxLength: 15 }) }),
    output: Type.Object({ id: Type.String() }),
    handle: async ({ params }, { userId, ip }) => {
      site.calls.push({ body: params, ip, userId });
      return answer({ id: params.id });
    },
  });
  return [place, end] as RouteSpec[];
}

const sessions = {
  // `good7` is a session of user 7, `good7-phone` another one of the same user.
  readAccess: async (token: string) => {
    const [, userId, sessionId = "s"] = /^good(\d+)(?:-(\w+))?$/.exec(token) ?? [];
    return userId === undefined ? null : { userId, sessionId };
  },
  recallAccess: (token: string) => (token === "good7" ? { userId: "7", sessionId: "s" } : undefined),
  readWebSession: async () => null,
};

export async function openQuick(
  options: {
    readonly isQuick?: boolean;
    readonly environment?: Record<string, string>;
    readonly parts?: Partial<AppParts>;
    readonly gate?: Promise<void>;
  } = {},
): Promise<QuickSite> {
  const { isQuick = true, environment = {}, parts = {}, gate = Promise.resolve() } = options;
  const site = { calls: [] as QuickSite["calls"][number][], most: 0 };
  const routes = quickRoutes(site, isQuick, gate);
  const served = await serveApp({ routes, identifiers: [sessionIdentifier(sessions)], ...parts }, environment);
  return { ...served, calls: site.calls, mostAtOnce: () => site.most };
}

/** A request written as programs write them. */
export function postBytes(
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  { path = ORDERS, method = "POST" } = {},
): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const all = { host: "localhost", "x-authorization": "good7", "content-type": "application/json", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

export const ORDER = { pairCode: "BTC_USDT" };

/** A connection that keeps all that came back. */
export class Peer {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  text = "";

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (part: Buffer) => {
      this.text += part.toString("latin1");
    });
    socket.on("error", () => undefined);
    this.closed = new Promise((done) => socket.once("close", () => done()));
  }

  static open(port: number): Promise<Peer> {
    return new Promise((done, fail) => {
      const socket = connect(port, "127.0.0.1", () => done(new Peer(socket)));
      socket.once("error", fail);
    });
  }

  /** The answers that have come whole. */
  get answers(): readonly { status: number; head: string; body: string }[] {
    const found: { status: number; head: string; body: string }[] = [];
    let rest = this.text;
    for (let end = rest.indexOf("\r\n\r\n"); end >= 0; end = rest.indexOf("\r\n\r\n")) {
      const head = rest.slice(0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      const body = rest.slice(end + 4, end + 4 + length);
      if (body.length < length) break;
      found.push({ status: Number(head.slice(9, 12)), head, body: Buffer.from(body, "latin1").toString() });
      rest = rest.slice(end + 4 + length);
    }
    return found;
  }

  async answered(count: number): Promise<readonly { status: number; head: string; body: string }[]> {
    while (this.answers.length < count && !this.socket.destroyed) await sleep(1);
    return this.answers;
  }
}

/** Masks the request id and the date. */
export function mask(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<id>")
    .replace(/^Date: .*$/gim, "Date: <date>")
    .replace(/'nonce-[^']+'/g, "<nonce>");
}

/**
 * All bytes of the response: until the server closes, or until nothing came for this many turns of the event loop.
 * Server and peer share the loop, so turns are what a response takes; a busy machine only makes them longer.
 */
export async function converse(
  port: number,
  pieces: readonly (string | Buffer)[],
  quietTurns: number,
): Promise<string> {
  const peer = await Peer.open(port);
  for (const piece of pieces) {
    peer.socket.write(piece);
    if (pieces.length > 1) await sleep(2);
  }
  let seen = 0;
  for (let quiet = 0; quiet < quietTurns && !peer.socket.destroyed; quiet += 1) {
    await sleep(1);
    if (peer.text.length !== seen) quiet = 0;
    seen = peer.text.length;
  }
  const isClosed = peer.socket.destroyed || peer.socket.readableEnded;
  peer.socket.destroy();
  return `${mask(peer.text)}${isClosed ? "<closed>" : "<kept>"}`;
}
