// A real HTTP server with the test's responses; records its requests.
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  /** Names as they came over the wire, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ServedAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** Sent unchanged instead of `body` as JSON. */
  readonly text?: string;
  /** Ends the connection without an answer, or never answers. */
  readonly fault?: "reset" | "silence";
}

export type Serve = (request: SeenRequest) => ServedAnswer | Promise<ServedAnswer>;

export class TestHttp {
  readonly seen: SeenRequest[] = [];
  serve: Serve = () => ({ body: { code: 200, data: {}, message: "" } });
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#read(request).then(async (seen) => {
        this.seen.push(seen);
        const answer = await this.serve(seen);
        if (answer.fault === "silence") return;
        if (answer.fault === "reset") {
          request.socket.destroy();
          return;
        }
        response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
        response.end(answer.text ?? JSON.stringify(answer.body));
      });
    });
  }

  static async start(): Promise<TestHttp> {
    const http = new TestHttp();
    await new Promise<void>((resolve) => http.#server.listen(0, "127.0.0.1", resolve));
    return http;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get last(): SeenRequest {
    const seen = this.seen.at(-1);
    if (seen === undefined) throw new Error("nothing was asked");
    return seen;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #read(request: IncomingMessage): Promise<SeenRequest> {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(request.headers)) headers[name] = String(value);
    return { method: request.method ?? "", url: request.url ?? "", headers, body };
  }
}
