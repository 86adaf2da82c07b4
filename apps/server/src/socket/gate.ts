// The entrance at /ws: decides who may open a socket, keeps the open ones alive, ends the dead, the slow and, at shutdown,
// all. Never lets one address or one slow reader cost the others.

import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { addressKey, clientAddress, trustProxies } from "@clockwork/host/address";
import type { Authenticate, Channel, Door } from "@clockwork/host/channel";
import type { Log } from "@clockwork/host/log";
import { type Config, cookiePlaceOf } from "@clockwork/host/settings/config";
import { every } from "@clockwork/host/time/background";
import { wallMs } from "@clockwork/host/time/measure";
import { readCookieTokens } from "@clockwork/identity/sessions/session-identifier";
import type { FastifyInstance } from "fastify";
import { type WebSocket, WebSocketServer } from "ws";
import { type KnowsHost, knowsHost } from "../http/host.ts";
import { createLimiter, type Limiter } from "../http/limit.ts";
import type { Metrics } from "../http/metrics.ts";
import { isOwnOrigin } from "../http/security.ts";
import { createHub, type Hub } from "./hub.ts";
import { type ProtocolParts, receive, refuseMessage } from "./protocol.ts";
import { Reader } from "./reader.ts";

export interface SocketParts {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly channels: readonly Channel[];
  readonly doors?: readonly Door[];
  readonly authenticate?: Authenticate;
  readonly clock?: () => number;
  readonly timings?: Partial<Timings>;
  /** How silence, haste and slowness are measured: the clock if left out, which may leap in the run of a newcomer. */
  readonly rate?: () => number;
}

export interface Timings {
  readonly tickMs: number;
  readonly pingMs: number;
  /** A peer that sends nothing for this long, not even a pong, is cut. */
  readonly silentMs: number;
  /** Behind for so long without emptying its pipe once: too slow to be worth serving. */
  readonly stalledMs: number;
  readonly goodbyeMs: number;
}

export interface Sockets {
  readonly hub: Hub;
  readonly open: number;
  /** Those of other dialects too. */
  readonly connections: number;
  /** The most any reader has waiting unsent. */
  readonly unsentBytesMax: number;
  /** Ends every connection that was signed in by one of these sessions. */
  endSessions(sessionIds: readonly string[]): void;
  /** Closes all with a code and waits until they are gone, or cuts them. */
  close(): Promise<void>;
}

export const SOCKET_PATH = "/ws";
const MESSAGE_BYTES_MAX = 32_768;
const TIMINGS: Timings = { tickMs: 5000, pingMs: 20_000, silentMs: 60_000, stalledMs: 30_000, goodbyeMs: 1000 };

export function mountSockets(app: FastifyInstance, parts: SocketParts): Sockets {
  const gate = new Gate(parts);
  app.server.on("upgrade", (request: IncomingMessage, stream: Socket, head: Buffer) =>
    gate.admit(request, stream, head, app.drain.draining, app.server.listenerCount("upgrade") > 1),
  );
  // The server waits for upgraded connections too, so they must go before it can close.
  app.addHook("preClose", () => gate.close());
  return gate;
}

class Gate implements Sockets {
  readonly hub: Hub;
  readonly #parts: SocketParts;
  readonly #timings: Timings;
  readonly #clock: () => number;
  readonly #rate: () => number;
  readonly #server: WebSocketServer;
  readonly #trust: ReturnType<typeof trustProxies>;
  readonly #knows: KnowsHost;
  readonly #readers = new Set<Reader>();
  /** Connections of other doors. */
  readonly #guests = new Set<WebSocket>();
  readonly #perAddress = new Map<string, number>();
  readonly #opens: Limiter;
  readonly #protocol: ProtocolParts;
  readonly #timer: NodeJS.Timeout;
  #pingedMs: number;
  #closing = false;

  constructor(parts: SocketParts) {
    this.#parts = parts;
    this.#timings = { ...TIMINGS, ...parts.timings };
    this.#clock = parts.clock ?? wallMs;
    this.#rate = parts.rate ?? this.#clock;
    this.#trust = trustProxies(parts.config.trustedProxies);
    this.#knows = knowsHost(parts.config);
    this.#opens = createLimiter({ weightMax: parts.config.socketOpensPerMinute, windowMs: 60_000 });
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: MESSAGE_BYTES_MAX,
    });
    this.hub = createHub({
      log: parts.log,
      metrics: parts.metrics,
      clock: this.#rate,
      onLost: (reader, topic, code) => refuseMessage(reader, "subfail", code, topic),
    });
    for (const channel of parts.channels) this.hub.register(channel);
    const authenticate = parts.authenticate ?? (async () => null);
    this.#protocol = { hub: this.hub, clock: this.#rate, authenticate };
    this.#pingedMs = this.#rate();
    this.#timer = every("socket.tick", () => this.#tick(), this.#timings.tickMs);
    this.#timer.unref();
  }

  get open(): number {
    return this.#readers.size;
  }

  get connections(): number {
    return this.#readers.size + this.#guests.size;
  }

  get unsentBytesMax(): number {
    return Math.max(0, ...[...this.#readers].map((reader) => reader.unsentBytes));
  }

  admit(request: IncomingMessage, stream: Socket, head: Buffer, draining: boolean, shared: boolean): void {
    stream.on("error", () => stream.destroy());
    const path = (request.url ?? "").split("?")[0];
    // In development the page builder may listen for its own sockets on the same server.
    const door = this.#parts.doors?.find((one) => one.serves(path ?? ""));
    if (path !== SOCKET_PATH && door === undefined && shared) return;
    const address = clientAddress(request, this.#trust);
    const key = addressKey(address);
    const refusal =
      path === SOCKET_PATH || door !== undefined ? this.#refusal(request, key, draining) : "404 Not Found";
    if (refusal !== undefined) refuseUpgrade(stream, refusal);
    else if (door !== undefined) {
      this.#server.handleUpgrade(request, stream, head, (socket) => {
        this.#perAddress.set(key, (this.#perAddress.get(key) ?? 0) + 1);
        this.#guests.add(socket);
        socket.once("close", () => {
          this.#guests.delete(socket);
          this.#removeOne(key);
        });
        try {
          door.open(socket, stream, { url: request.url ?? "", address });
        } catch (error) {
          // An exception here would end the process, at a moment chosen by the client.
          this.#parts.log.error("socket.door.failed", { error });
          socket.terminate();
        }
      });
    } else
      this.#server.handleUpgrade(request, stream, head, (socket) => {
        const tokens = readCookieTokens(request.headers.cookie, "all", cookiePlaceOf(this.#parts.config));
        this.#welcome(socket, stream, key, tokens);
      });
  }

  #refusal(request: IncomingMessage, key: string, draining: boolean): string | undefined {
    const { config } = this.#parts;
    if (draining || this.#closing || this.#readers.size + this.#guests.size >= config.socketsMax)
      return "503 Service Unavailable";
    if (!this.#knows(request.headers.host)) return "421 Misdirected Request";
    if (!isOwnOrigin(request, config)) return "403 Forbidden";
    const isCrowded = (this.#perAddress.get(key) ?? 0) >= config.socketsPerAddress;
    const isHasty = !isCrowded && !this.#opens.charge(key, 1, this.#rate()).allowed;
    return isCrowded || isHasty ? "429 Too Many Requests" : undefined;
  }

  #welcome(socket: WebSocket, stream: Duplex, key: string, cookieTokens: readonly string[]): void {
    const { config, metrics, log } = this.#parts;
    const limits = {
      bufferBytes: config.socketBufferBytes,
      messagesPerSecond: config.socketMessagesPerSecond,
      subscriptionsMax: config.socketSubscriptionsMax,
    };
    const reader = new Reader(socket, stream, limits, key, this.#rate());
    reader.cookieTokens = cookieTokens;
    this.#readers.add(reader);
    this.#perAddress.set(key, (this.#perAddress.get(key) ?? 0) + 1);
    metrics.sockets.set(this.#readers.size);
    stream.on("drain", () => this.hub.catchUp(reader));
    socket.on("pong", () => {
      reader.receivedMs = this.#rate();
    });
    socket.on("message", (data, isBinary) => {
      metrics.socketMessages.inc({ direction: "in" });
      if (isBinary) return reader.end("binary");
      receive(this.#protocol, reader, data.toString()).catch((error: unknown) => {
        log.error("socket.message.failed", { error });
        refuseMessage(reader, "error", "UNAVAILABLE");
      });
      return undefined;
    });
    // A broken frame: the library closes with the right code.
    socket.on("error", (error) => log.debug("socket.broken", { error: error.message }));
    socket.on("close", () => this.#part(reader));
  }

  #part(reader: Reader): void {
    const { metrics } = this.#parts;
    this.#readers.delete(reader);
    this.hub.detach(reader);
    this.#removeOne(reader.addressKey);
    metrics.sockets.set(this.#readers.size);
    if (reader.closeReason !== undefined) metrics.socketClosed.inc({ reason: reader.closeReason });
  }

  #removeOne(key: string): void {
    const left = (this.#perAddress.get(key) ?? 1) - 1;
    if (left > 0) this.#perAddress.set(key, left);
    else this.#perAddress.delete(key);
  }

  #tick(): void {
    const nowMs = this.#rate();
    const timeMs = this.#clock();
    const isPingTime = nowMs - this.#pingedMs >= this.#timings.pingMs;
    if (isPingTime) this.#pingedMs = nowMs;
    for (const reader of this.#readers) {
      if (nowMs - reader.receivedMs >= this.#timings.silentMs) reader.cut("silent");
      else if (reader.behindSinceMs !== undefined && nowMs - reader.behindSinceMs >= this.#timings.stalledMs) {
        reader.cut("slow");
      } else if (isPingTime) reader.ping();
      if (timeMs >= reader.accountEndsMs) {
        this.hub.leaveAccount(reader);
        refuseMessage(reader, "error", "UNAUTHENTICATED");
      }
    }
    this.hub.sweep();
  }

  endSessions(sessionIds: readonly string[]): void {
    const ended = new Set(sessionIds);
    for (const reader of this.#readers) {
      if (reader.session === undefined || !ended.has(reader.session)) continue;
      this.hub.leaveAccount(reader);
      reader.end("session");
    }
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#timer);
    for (const reader of this.#readers) reader.end("shutdown");
    for (const guest of this.#guests) guest.close(1001, "shutdown");
    const deadlineMs = this.#timings.goodbyeMs;
    const stepMs = 10;
    for (let waitedMs = 0; this.#readers.size + this.#guests.size > 0 && waitedMs < deadlineMs; waitedMs += stepMs) {
      await new Promise((done) => setTimeout(done, stepMs));
    }
    for (const reader of this.#readers) reader.cut("shutdown");
    for (const guest of this.#guests) guest.terminate();
  }
}

function refuseUpgrade(stream: Socket, status: string): void {
  if (!stream.writable) return;
  stream.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
