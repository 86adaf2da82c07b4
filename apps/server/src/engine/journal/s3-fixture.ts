// A small S3-compatible store for tests, in a thread of its own: a replay that reads from it waits where it is. Checks every
// signature, answers ranges, and fails as often as configured. Must never be used by the running server.
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { signRequest } from "./s3-store.ts";

export const S3_CREDENTIALS = { keyId: "AKIATEST", secret: "a/secret+of=tests" };

export interface S3Seen {
  readonly objects: Readonly<Record<string, number>>;
  /** Method, path and range of every request with a good signature. */
  readonly requests: readonly string[];
  readonly refused: number;
}

export interface S3Server {
  readonly endpoint: string;
  /** The next so many requests are answered 503. */
  fail(count: number): void;
  drop(key: string): void;
  seen(): Promise<S3Seen>;
  close(): Promise<void>;
}

export async function startS3(): Promise<S3Server> {
  const worker = new Worker(new URL("./s3-fixture.ts", import.meta.url));
  const next = <Message>(): Promise<Message> => new Promise((resolve) => worker.once("message", resolve));
  const port = await next<number>();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    fail: (count) => worker.postMessage({ fail: count }),
    drop: (key) => worker.postMessage({ drop: key }),
    seen: () => {
      worker.postMessage({ seen: true });
      return next<S3Seen>();
    },
    close: async () => void (await worker.terminate()),
  };
}

function serve(): void {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  let refused = 0;
  let failures = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const { method = "GET", url = "/", headers } = request;
      const payloadSha256 = createHash("sha256").update(body).digest("hex");
      const time = String(headers["x-amz-date"]).replace(
        /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/,
        "$1-$2-$3T$4:$5:$6Z",
      );
      const expected = signRequest(
        {
          method: method === "PUT" ? "PUT" : "GET",
          url: new URL(url, `http://${headers.host}`),
          headers: headers.range === undefined ? {} : { range: headers.range },
          payloadSha256,
          region: "eu-test-1",
          timeMs: Date.parse(time),
        },
        S3_CREDENTIALS,
      );
      if (headers.authorization !== expected.authorization || headers["x-amz-content-sha256"] !== payloadSha256) {
        refused += 1;
        response.writeHead(403).end("<Code>SignatureDoesNotMatch</Code>");
        return;
      }
      if (failures > 0) {
        failures -= 1;
        response.writeHead(503).end("<Code>SlowDown</Code>");
        return;
      }
      requests.push(`${method} ${url} ${headers.range ?? ""}`.trim());
      if (method === "PUT") {
        objects.set(url, body);
        response.writeHead(200).end();
        return;
      }
      const object = objects.get(url);
      const [, from = "0", to = "0"] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
      if (object === undefined) response.writeHead(404).end("<Code>NoSuchKey</Code>");
      else response.writeHead(206).end(object.subarray(Number(from), Number(to) + 1));
    });
  });
  server.listen(0, "127.0.0.1", () => parentPort?.postMessage((server.address() as AddressInfo).port));
  parentPort?.on("message", (message: { fail?: number; drop?: string }) => {
    if (message.fail !== undefined) failures = message.fail;
    else if (message.drop !== undefined) objects.delete(message.drop);
    else {
      const sizes = Object.fromEntries([...objects].map(([key, { length }]) => [key, length]));
      parentPort?.postMessage({ objects: sizes, requests, refused } satisfies S3Seen);
    }
  });
}

if (!isMainThread && parentPort !== null && import.meta.url.endsWith("/s3-fixture.ts")) serve();
