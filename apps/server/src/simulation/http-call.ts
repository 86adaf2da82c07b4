// One HTTP call over a simulated connection, with the cookies a browser would keep. Independent of the route that is
// called.
import { request } from "node:http";
import { text } from "node:stream/consumers";
import type { Line } from "./network.ts";

export interface CallAnswer {
  readonly status: number;
  readonly code: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: answers have every shape
  readonly data: any;
  /** The whole body, where there is no envelope around it. */
  readonly whole: unknown;
}

export interface CallOptions {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly jar: Map<string, string>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Undefined when no response came: the outcome is unknown. */
export function callOver(
  line: Line,
  { method, path, body, jar, headers = {} }: CallOptions,
): Promise<CallAnswer | undefined> {
  return new Promise((resolve) => {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const sent = request({
      method,
      path,
      createConnection: () => line.client,
      headers: {
        host: "127.0.0.1",
        connection: "close",
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
        ...(payload === undefined
          ? {}
          : { "content-type": "application/json", "content-length": String(Buffer.byteLength(payload)) }),
        ...headers,
      },
    });
    sent.on("error", () => resolve(undefined));
    line.client.once("close", () => resolve(undefined));
    sent.on("response", (response) => {
      void text(response).then(
        (reply) => {
          for (const cookie of response.headers["set-cookie"] ?? []) {
            const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
            if (value === "") jar.delete(name);
            else jar.set(name, value);
          }
          const whole = JSON.parse(reply) as { code?: unknown; data?: unknown };
          resolve({ status: response.statusCode ?? 0, code: whole.code, data: whole.data, whole });
          line.cut();
        },
        () => resolve(undefined),
      );
    });
    sent.end(payload);
  });
}
