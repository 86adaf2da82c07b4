// A connection without a network: the test is the server and sees every message as sent.
import type { SocketMessage } from "@clockwork/kit/wire";
import type { ConnectionTransport, OpenTransport, TransportHandlers } from "./transport.ts";

export class FakeConnection implements ConnectionTransport {
  readonly sent: SocketMessage[] = [];
  readonly handlers: TransportHandlers;
  closed = false;
  readonly #answersPings: boolean;

  constructor(handlers: TransportHandlers, answersPings: boolean) {
    this.handlers = handlers;
    this.#answersPings = answersPings;
  }

  send(text: string): void {
    const message = JSON.parse(text) as SocketMessage;
    this.sent.push(message);
    if (message.event === "ping" && this.#answersPings) this.say({ event: "pong" });
  }

  close(): void {
    this.closed = true;
  }

  open(): void {
    this.handlers.onOpen();
  }

  /** The server sends. */
  say(message: object): void {
    this.handlers.onText(JSON.stringify(message));
  }

  drop(): void {
    this.handlers.onClose();
  }

  events(): string[] {
    return this.sent.map((message) => message.event);
  }
}

export class FakeNetwork {
  readonly connections: FakeConnection[] = [];
  answersPings = false;

  readonly open: OpenTransport = (_url, handlers) => {
    const connection = new FakeConnection(handlers, this.answersPings);
    this.connections.push(connection);
    return connection;
  };

  get last(): FakeConnection {
    const connection = this.connections.at(-1);
    if (connection === undefined) throw new Error("no connection was opened");
    return connection;
  }
}
