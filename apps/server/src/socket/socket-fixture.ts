// A listening server with sockets for tests, and a client that stores what it received.
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { SILENT_LOG } from "@clockwork/host/log";
import { type ClientOptions, WebSocket } from "ws";
import { type ServedApp, serveApp, testConfig } from "../http/app-fixture.ts";
import { createMetrics, type Metrics } from "../http/metrics.ts";
import { mountSockets, type SocketParts, type Sockets } from "./gate.ts";

export interface ServedSockets {
  readonly served: ServedApp;
  readonly sockets: Sockets;
  readonly metrics: Metrics;
  readonly url: string;
  close(): Promise<void>;
}

export async function serveSockets(
  parts: Partial<SocketParts> = {},
  environment: Record<string, string> = {},
): Promise<ServedSockets> {
  const metrics = createMetrics();
  const config = testConfig(environment);
  let mounted: Sockets | undefined;
  const served = await serveApp({ metrics }, environment, (app) => {
    mounted = mountSockets(app, { config, log: SILENT_LOG, metrics, channels: [], ...parts });
  });
  if (mounted === undefined) throw new Error("the sockets were not mounted");
  const sockets = mounted;
  const close = async (): Promise<void> => {
    await sockets.close();
    await served.close();
  };
  return { served, sockets, metrics, url: `ws://127.0.0.1:${served.port}/ws`, close };
}

export type Message = Record<string, unknown> & { event: string; data?: unknown };

export class Client {
  readonly messages: Message[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  readonly #socket: WebSocket;
  #waiting: (() => void)[] = [];

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data) => {
      this.messages.push(JSON.parse(data.toString()) as Message);
      this.#wake();
    });
    this.closed = new Promise((done) => {
      socket.on("close", (code, reason) => {
        done({ code, reason: reason.toString() });
        this.#wake();
      });
    });
  }

  get socket(): WebSocket {
    return this.#socket;
  }

  send(message: unknown): void {
    this.#socket.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** Waits until a message fits; fails when the connection closes first. */
  async until(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.messages.find(fits);
      if (found !== undefined) return found;
      if (this.#socket.readyState === WebSocket.CLOSED) throw new Error("closed before the message came");
      await new Promise<void>((done) => this.#waiting.push(done));
    }
  }

  /** Everything sent before has been handled when the pong to this is here. */
  async settle(): Promise<void> {
    const before = this.messages.filter(({ event }) => event === "pong").length;
    this.send({ event: "ping" });
    await this.until(() => this.messages.filter(({ event }) => event === "pong").length > before);
  }

  close(): void {
    this.#socket.close();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const done of waiting) done();
  }
}

export function openClient(url: string, options: ClientOptions = {}): Promise<Client> {
  return new Promise((done, fail) => {
    const socket = new WebSocket(url, options);
    const client = new Client(socket);
    socket.once("open", () => done(client));
    socket.once("error", fail);
    socket.once("unexpected-response", (_, response) => fail(new Error(`refused with ${response.statusCode}`)));
  });
}

/** A connection spoken by hand: what no library would send, or never read. */
export function openRaw(port: number, headers = ""): Promise<Socket> {
  return new Promise((done, fail) => {
    const socket = connect(port, "127.0.0.1");
    const key = randomBytes(16).toString("base64");
    socket.on("error", fail);
    socket.write(
      `GET /ws HTTP/1.1\r\nhost: 127.0.0.1\r\nupgrade: websocket\r\nconnection: Upgrade\r\n` +
        `sec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n${headers}\r\n`,
    );
    socket.once("data", (data) => {
      socket.off("error", fail);
      socket.on("error", () => undefined);
      if (data.toString().startsWith("HTTP/1.1 101 ")) done(socket);
      else fail(new Error(data.toString().split("\r\n")[0]));
    });
  });
}

/** A masked text frame, as a client must send it. */
export function maskedFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const mask = randomBytes(4);
  const head = payload.length < 126 ? Buffer.from([0x81, 0x80 | payload.length]) : Buffer.alloc(4);
  if (payload.length >= 126) {
    head[0] = 0x81;
    head[1] = 0x80 | 126;
    head.writeUInt16BE(payload.length, 2);
  }
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))]);
}
