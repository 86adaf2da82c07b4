// The connections in front of the HTTP library: requests of quick routes in the plainest form are read, answered and
// recorded here. A connection with any other request goes to the library for good, with its bytes unread and without
// side effects, so this file refuses only an invalid first line. Requests of a connection are answered one at a time.

import type { Server } from "node:http";
import type { Socket } from "node:net";
import { edgeRefusal } from "@clockwork/host/refusal";
import { every } from "@clockwork/host/time/background";
import { measureMs } from "@clockwork/host/time/measure";
import type { Publish, QuickDispatch, QuickHead, QuickRequest } from "./quick-dispatch.ts";

export interface LaneOptions {
  /** False from the moment on when new requests belong to the library alone. */
  readonly isOpen: () => boolean;
  /** Answers a peer whose request never came whole, as the library's parser would have it answered. */
  readonly refuse: (error: NodeJS.ErrnoException, socket: Socket) => void;
  /** A connection must have started its first request by then. */
  readonly firstMs: number;
  /** The response of a handler that may hang must have started by then. */
  readonly handlerMs: number;
  /** How often connections are checked. */
  readonly sweepMs: number;
}

interface Connection {
  readonly socket: Socket;
  /** What has come and was not read yet. */
  kept: Buffer | undefined;
  /** The number of bytes needed before the next attempt. */
  wantedBytes: number;
  /** The request being answered. */
  requested: QuickRequest | undefined;
  /** Its bytes are being read: the running loop continues with the next request, also after a synchronous response. */
  isReading: boolean;
  /** Since when nothing came or went, or since when half a request has been here. */
  sinceMs: number;
  hasRequested: boolean;
  /** The head of the last request: the next is likely to have the same. */
  head: QuickHead | undefined;
  /** What was answered waits for its reader. */
  isFull: boolean;
  /** The peer sends nothing more, or we read nothing more: it ends with the last answer. */
  isLast: boolean;
  /** Made once: it is given to every request. */
  readonly notify: Publish;
  readonly release: () => void;
}

const HEAD_END = Buffer.from("\r\n\r\n");
/** More than one space, or a tab, between the parts of the first line: the library would pass over them. */
const LOOSE_LINE = /^[A-Z]+(?:[ \t]{2,}|\t)|^[A-Z]+ [^ \t\r\n]+(?:[ \t]{2,}|\t)HTTP/;
const LINE_BYTES_MAX = 16_384;
/** What may wait behind the request being answered. */
const KEPT_BYTES_MAX = 16_384;
const REQUEST_BYTES_MAX = 32_768;
const HEAD_BYTES_REMEMBERED = 2_048;
/** Half a request that remains longer is left to the library, which has its own timeout. */
const HALF_MS = 1_000;
const IDLE_MS = 73_000;
const UNREAD_MS = 75_000;
const ENDING_MS = 5_000;

export class QuickLane {
  readonly #dispatch: QuickDispatch;
  readonly #options: LaneOptions;
  readonly #connections = new Set<Connection>();
  #passOn: (socket: Socket) => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosing = false;

  constructor(dispatch: QuickDispatch, options: LaneOptions) {
    this.#dispatch = dispatch;
    this.#options = options;
  }

  /** Inserts itself between the server and its current connection listener. */
  open(server: Server): void {
    const listeners = server.listeners("connection");
    server.removeAllListeners("connection");
    this.#passOn = (socket) => {
      for (const listener of listeners) listener.call(server, socket);
    };
    server.on("connection", (socket: Socket) => this.#take(socket));
    this.#timer = every("http.sweep", () => this.#sweep(measureMs()), this.#options.sweepMs);
    this.#timer.unref();
  }

  get connections(): number {
    return this.#connections.size;
  }

  /** Whether the client that speaks from this port is here, and not with the library. */
  holds(port: number | undefined): boolean {
    return [...this.#connections].some(({ socket }) => socket.remotePort === port);
  }

  /** No request is read from now on: idle connections end at once, the others with their answer. */
  close(): void {
    this.#isClosing = true;
    clearInterval(this.#timer);
    for (const connection of this.#connections) {
      if (connection.requested !== undefined) connection.isLast = true;
      else if (connection.kept !== undefined) this.#handOver(connection, connection.kept);
      else connection.socket.destroy();
    }
  }

  /** Ends everything. */
  cut(): void {
    for (const { socket } of this.#connections) socket.destroy();
  }

  #take(socket: Socket): void {
    if (this.#isClosing) {
      this.#passOn(socket);
      return;
    }
    const onData = (bytes: Buffer): void => this.#receive(connection, bytes);
    const onEnd = (): void => this.#endOf(connection);
    const onDrain = (): void => this.#drained(connection);
    const onClose = (): void => {
      this.#connections.delete(connection);
    };
    const connection: Connection = {
      socket,
      kept: undefined,
      wantedBytes: 0,
      requested: undefined,
      isReading: false,
      sinceMs: measureMs(),
      hasRequested: false,
      head: undefined,
      isFull: false,
      isLast: false,
      notify: (text, encoding) => this.#answered(connection, text, encoding),
      release: () => {
        socket.off("data", onData).off("end", onEnd).off("drain", onDrain).off("close", onClose).off("error", ignore);
      },
    };
    this.#connections.add(connection);
    socket.on("data", onData).on("end", onEnd).on("drain", onDrain).on("close", onClose).on("error", ignore);
  }

  #receive(connection: Connection, chunk: Buffer): void {
    const { kept } = connection;
    const bytes = kept === undefined ? chunk : Buffer.concat([kept, chunk]);
    if (kept === undefined) connection.sinceMs = measureMs();
    if (connection.requested !== undefined || connection.isFull) {
      connection.kept = bytes;
      if (bytes.length > KEPT_BYTES_MAX) connection.socket.pause();
    } else if (bytes.length < connection.wantedBytes) connection.kept = bytes;
    else this.#read(connection, bytes);
  }

  /** Reads the requests of an idle connection: in a loop, as some are answered synchronously. */
  #read(connection: Connection, first: Buffer): void {
    connection.isReading = true;
    for (let bytes: Buffer | undefined = first; bytes !== undefined; ) {
      const isWhole = this.#readOne(connection, bytes);
      const mayContinue = isWhole && connection.requested === undefined && !connection.isFull;
      bytes = mayContinue ? connection.kept : undefined;
    }
    connection.isReading = false;
  }

  /** False when there was no whole request, or none for us. */
  #readOne(connection: Connection, bytes: Buffer): boolean {
    connection.kept = undefined;
    connection.wantedBytes = 0;
    const { socket } = connection;
    const isOpen = socket.writable && !this.#isClosing && this.#options.isOpen();
    const requested = isOpen ? this.#find(connection, bytes) : undefined;
    if (requested === undefined || (requested === "half" && socket.readableEnded)) this.#giveUp(connection, bytes);
    else if (requested === "half") connection.kept = bytes;
    else {
      connection.requested = requested;
      connection.hasRequested = true;
      this.#dispatch.answer(requested);
      return true;
    }
    return false;
  }

  /** Undefined when it is not for us. What comes behind a whole request is kept. */
  #find(connection: Connection, bytes: Buffer): QuickRequest | "half" | undefined {
    const { headBytesMax } = this.#dispatch;
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) return bytes.length <= headBytesMax && this.#dispatch.mayBegin(bytes) ? "half" : undefined;
    if (end > headBytesMax) return undefined;
    const head = this.#dispatch.readHead(bytes.toString("latin1", 0, end), connection.socket, connection.head);
    if (head === undefined) return undefined;
    if (end <= HEAD_BYTES_REMEMBERED) connection.head = head;
    const from = end + HEAD_END.length;
    const to = from + head.bodyBytes;
    if (to > REQUEST_BYTES_MAX) return undefined;
    if (bytes.length < to) {
      connection.wantedBytes = to;
      return "half";
    }
    const requested = this.#dispatch.begin(head, bytes.toString("utf8", from, to), connection.notify);
    if (requested !== undefined && bytes.length > to) connection.kept = bytes.subarray(to);
    return requested;
  }

  /** Called once for every request. */
  #answered(connection: Connection, text: string, encoding: "latin1" | "utf8"): void {
    const { socket } = connection;
    connection.requested = undefined;
    connection.sinceMs = measureMs();
    if (!socket.writable) return;
    const isLast = connection.isLast && connection.kept === undefined;
    if (isLast) socket.end(text, encoding);
    else if (!socket.write(text, encoding)) {
      connection.isFull = true;
      socket.pause();
    } else if (!connection.isReading) this.#goOn(connection);
  }

  #goOn(connection: Connection): void {
    const { socket, kept } = connection;
    if (kept !== undefined) this.#read(connection, kept);
    const mayTake = (connection.kept?.length ?? 0) <= KEPT_BYTES_MAX && !connection.isFull;
    if (mayTake && socket.isPaused() && this.#connections.has(connection)) socket.resume();
  }

  #drained(connection: Connection): void {
    if (!connection.isFull) return;
    connection.isFull = false;
    connection.sinceMs = measureMs();
    this.#goOn(connection);
  }

  /** The peer has ended its side: complete requests are answered, half a request is refused. */
  #endOf(connection: Connection): void {
    const isAnswering = connection.requested !== undefined || connection.isFull;
    connection.isLast = true;
    connection.sinceMs = measureMs();
    if (isAnswering) return;
    if (connection.kept === undefined) connection.socket.end();
    else this.#options.refuse(problem("HPE_INVALID_EOF_STATE"), connection.socket);
  }

  /** Without side effects so far. Once the peer has ended, there is no connection to transfer. */
  #giveUp(connection: Connection, bytes: Buffer): void {
    const { socket } = connection;
    if (socket.readableEnded || !socket.writable) socket.destroy();
    else if (LOOSE_LINE.test(bytes.toString("latin1", 0, LINE_BYTES_MAX))) {
      this.#options.refuse(problem("HPE_INVALID_URL"), socket);
    } else this.#handOver(connection, bytes);
  }

  #handOver(connection: Connection, bytes: Buffer): void {
    const { socket } = connection;
    this.#connections.delete(connection);
    connection.release();
    socket.pause();
    socket.unshift(bytes);
    this.#passOn(socket);
    socket.resume();
  }

  #sweep(nowMs: number): void {
    for (const connection of this.#connections) this.#look(connection, nowMs - connection.sinceMs, nowMs);
  }

  #look(connection: Connection, quietMs: number, nowMs: number): void {
    const { socket, requested, kept } = connection;
    if (requested !== undefined) {
      const isLate = !requested.isPrompt && nowMs - requested.startedMs > this.#options.handlerMs;
      if (isLate) this.#dispatch.refuse(requested, edgeRefusal("UNAVAILABLE"));
    } else if (socket.writableLength > 0) {
      if (quietMs > UNREAD_MS) socket.destroy();
    } else if (connection.isLast) {
      if (quietMs > ENDING_MS) socket.destroy();
    } else if (kept !== undefined) {
      if (quietMs > HALF_MS) this.#giveUp(connection, kept);
    } else if (connection.hasRequested) {
      if (quietMs > IDLE_MS) socket.destroy();
    } else if (quietMs > this.#options.firstMs) {
      connection.isLast = true;
      connection.sinceMs = nowMs;
      this.#options.refuse(problem("ERR_HTTP_REQUEST_TIMEOUT"), socket);
    }
  }
}

function ignore(): void {
  // The connection closes; the peer is gone.
}

function problem(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}
