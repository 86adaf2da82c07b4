// Owns keep-alive connections that speak just enough HTTP to load a server from the same machine: one request at a time
// each, bodies made beforehand, answers read by their length. Never parses what it only counts.
import { connect, type Socket } from "node:net";

export interface Answered {
  readonly status: number;
  readonly body: string;
}

const HEAD_END = "\r\n\r\n";

export class Connection {
  readonly #socket: Socket;
  #text = "";
  #need = -1;
  #status = 0;
  #waiting: { resolve: (answer: Answered) => void; reject: (error: Error) => void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => this.#take(String(chunk)));
    const fail = (error?: Error): void => {
      this.#waiting?.reject(error ?? new Error("the server closed the connection"));
      this.#waiting = undefined;
    };
    socket.on("error", fail);
    socket.on("close", () => fail());
  }

  static open(port: number): Promise<Connection> {
    return new Promise((done, fail) => {
      const socket = connect(port, "127.0.0.1", () => done(new Connection(socket)));
      socket.once("error", fail);
    });
  }

  /** Sends a whole request, headers and body, and waits for its answer. */
  ask(request: string): Promise<Answered> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error("the server closed the connection"));
      this.#waiting = { resolve, reject };
      this.#socket.write(request, "latin1");
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: string): void {
    this.#text = this.#text === "" ? chunk : this.#text + chunk;
    if (this.#need < 0) {
      const end = this.#text.indexOf(HEAD_END);
      if (end < 0) return;
      const at = this.#text.indexOf("content-length: ");
      this.#status = Number(this.#text.slice(9, 12));
      const length = at < 0 || at > end ? 0 : Number.parseInt(this.#text.slice(at + 16, at + 24), 10);
      this.#text = this.#text.slice(end + HEAD_END.length);
      this.#need = length;
    }
    if (this.#text.length < this.#need) return;
    const answer = { status: this.#status, body: this.#text.slice(0, this.#need) };
    this.#text = this.#text.slice(this.#need);
    this.#need = -1;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(answer);
  }
}

export function postRequest(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): string {
  const text = JSON.stringify(body);
  const lines = Object.entries({ host: "127.0.0.1", "content-type": "application/json", ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `POST ${path} HTTP/1.1\r\n${head}content-length: ${Buffer.byteLength(text)}${HEAD_END}${text}`;
}
