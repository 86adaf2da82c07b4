// Owns keep-alive connections that implement just enough HTTP to load a server from the same machine: one request at a
// time each, requests written beforehand, responses read by their length from one buffer. Never parses what it only
// counts: the load's cost is taken from the server measured on the same machine.
import { connect, type Socket } from "node:net";

export interface Answered {
  readonly status: number;
  /** The response's body; decoded only on demand. */
  readonly body: () => string;
}

const READ_BYTES = 65_536;
const HEAD_END = Buffer.from("\r\n\r\n");
const LENGTH = Buffer.from("content-length: ");
const ZERO = 48;

export class Connection {
  readonly #socket: Socket;
  /** What came of an answer whose rest is still on its way. */
  #kept: Buffer | undefined;
  #waiting: ((answer: Answered) => void) | undefined;
  /** Called when the server closed the connection. */
  onLost: (error: Error) => void = () => undefined;

  private constructor(port: number, opened: (connection: Connection) => void, failed: (error: Error) => void) {
    this.onLost = failed;
    this.#socket = connect({
      port,
      host: "127.0.0.1",
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(READ_BYTES),
        callback: (length, buffer) => {
          this.#take((buffer as Buffer).subarray(0, length));
          return true;
        },
      },
    });
    this.#socket.once("connect", () => opened(this));
    this.#socket.on("error", (error) => this.onLost(error));
    this.#socket.on("close", () => this.onLost(new Error("the server closed the connection")));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((done, fail) => {
      new Connection(port, done, fail);
    });
  }

  /** Sends a whole request, headers and body; the answer is only good until the next one comes. */
  ask(request: Buffer, answered: (answer: Answered) => void): void {
    this.#waiting = answered;
    this.#socket.write(request);
  }

  close(): void {
    this.onLost = () => undefined;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    const bytes = this.#kept === undefined ? chunk : Buffer.concat([this.#kept, chunk]);
    this.#kept = undefined;
    const end = bytes.indexOf(HEAD_END);
    const at = bytes.indexOf(LENGTH);
    let need = 0;
    if (at >= 0) {
      for (let digit = at + LENGTH.length; (bytes[digit] ?? 0) >= ZERO; digit++) {
        need = need * 10 + (bytes[digit] ?? 0) - ZERO;
      }
    }
    const from = end + HEAD_END.length;
    if (end < 0 || bytes.length < from + need) {
      this.#kept = Buffer.from(bytes);
      return;
    }
    const status = ((bytes[9] ?? 0) - ZERO) * 100 + ((bytes[10] ?? 0) - ZERO) * 10 + (bytes[11] ?? 0) - ZERO;
    const answered = this.#waiting;
    this.#waiting = undefined;
    answered?.({ status, body: () => bytes.toString("latin1", from, from + need) });
  }
}

export function postRequest(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Buffer {
  const text = JSON.stringify(body);
  const lines = Object.entries({ host: "127.0.0.1", "content-type": "application/json", ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\n${head}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    "latin1",
  );
}
