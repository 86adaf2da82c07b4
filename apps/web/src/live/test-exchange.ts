// A small honest exchange for tests: numbered streams over a real WebSocket, their snapshots over real HTTP.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type SocketMessage, topicKey } from "@clockwork/kit/wire";
import { type WebSocket, WebSocketServer } from "ws";

/** One stream: every update appends its own number, so the whole history can be checked afterwards. */
export interface TestStream {
  readonly key: string;
  readonly topic: Partial<SocketMessage>;
  sequence: number;
  readonly recent: number[];
}

export interface Reader {
  readonly socket: WebSocket;
  readonly streams: Map<string, number>;
  duplicateSubscriptions: number;
}

const RECENT_MAX = 200;

export class TestExchange {
  readonly readers = new Set<Reader>();
  readonly streams = new Map<string, TestStream>();
  duplicateSubscriptions = 0;
  resumed = 0;
  snapshots = 0;
  answersPings = true;
  /** Of the updates it should push, every n-th is never sent though numbered; 0 is never. */
  clearAll = 0;
  #pushed = 0;
  readonly #http: Server;
  readonly #sockets: WebSocketServer;

  private constructor() {
    this.#http = createServer((request, response) => this.#answer(request, response));
    this.#sockets = new WebSocketServer({ server: this.#http });
    this.#sockets.on("connection", (socket) => this.#join(socket));
  }

  static async start(): Promise<TestExchange> {
    const exchange = new TestExchange();
    await new Promise<void>((resolve) => exchange.#http.listen(0, "127.0.0.1", resolve));
    return exchange;
  }

  get port(): number {
    return (this.#http.address() as AddressInfo).port;
  }

  stream(topic: Partial<SocketMessage>): TestStream {
    const key = topicKey(topic);
    let stream = this.streams.get(key);
    if (stream === undefined) {
      stream = {
        key,
        topic: { channel: topic.channel, pairCode: topic.pairCode } as TestStream["topic"],
        sequence: 0,
        recent: [],
      };
      this.streams.set(key, stream);
    }
    return stream;
  }

  /** The next update of a stream, to all its readers. */
  publish(stream: TestStream): void {
    stream.sequence += 1;
    stream.recent.push(stream.sequence);
    if (stream.recent.length > RECENT_MAX) stream.recent.shift();
    this.#pushed += 1;
    if (this.clearAll > 0 && this.#pushed % this.clearAll === 0) return;
    const text = this.#update(stream, stream.sequence);
    for (const reader of this.readers) if (reader.streams.has(stream.key)) reader.socket.send(text);
  }

  async close(): Promise<void> {
    for (const client of this.#sockets.clients) client.terminate();
    this.#http.closeAllConnections();
    await new Promise<void>((resolve) => this.#http.close(() => resolve()));
  }

  #update(stream: TestStream, sequence: number): string {
    return JSON.stringify({ event: "data", ...stream.topic, sequence, data: sequence });
  }

  #join(socket: WebSocket): void {
    const reader: Reader = { socket, streams: new Map(), duplicateSubscriptions: 0 };
    this.readers.add(reader);
    socket.on("error", () => {});
    socket.on("close", () => this.readers.delete(reader));
    socket.on("message", (bytes) => this.#receive(reader, JSON.parse(String(bytes)) as SocketMessage));
  }

  #receive(reader: Reader, message: SocketMessage): void {
    if (message.event === "ping" && this.answersPings) reader.socket.send('{"event":"pong"}');
    if (message.event === "unsub") reader.streams.delete(topicKey(message));
    if (message.event !== "sub") return;
    const batch = Array.isArray(message.data) ? (message.data as SocketMessage[]) : [message];
    for (const one of batch) this.#subscribe(reader, one);
  }

  #subscribe(reader: Reader, message: SocketMessage): void {
    const stream = this.stream(message);
    if (reader.streams.has(stream.key)) this.duplicateSubscriptions += 1;
    reader.streams.set(stream.key, stream.sequence);
    const from = (message.data as { sequence?: number } | undefined)?.sequence;
    const first = stream.recent[0] ?? 1;
    const { sequence } = stream;
    if (from !== undefined && from + 1 >= first && from <= sequence) {
      this.resumed += 1;
      for (const missed of stream.recent) if (missed > from) reader.socket.send(this.#update(stream, missed));
      reader.socket.send(JSON.stringify({ event: "data", ...stream.topic, sequence, resumed: true, data: null }));
      return;
    }
    this.snapshots += 1;
    reader.socket.send(JSON.stringify({ event: "data", ...stream.topic, sequence, snapshot: true, data: sequence }));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", "http://localhost");
    const pairCode = url.searchParams.get("pairCode");
    const stream = this.streams.get(topicKey({ channel: "depth", ...(pairCode === null ? {} : { pairCode }) }));
    response.setHeader("content-type", "application/json");
    response.statusCode = stream === undefined ? 404 : 200;
    const data = stream === undefined ? null : { sequence: stream.sequence, state: stream.sequence };
    response.end(JSON.stringify({ code: stream === undefined ? "NOT_FOUND" : 200, data, message: "" }));
  }
}
