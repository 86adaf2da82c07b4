import { connect } from "node:net";
import { answer, defineRoute } from "@clockwork/host/route";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServedApp, serveApp } from "./app-fixture.ts";

const ECHO = defineRoute({
  method: "POST",
  path: "/v1/test/echo",
  summary: "Counts letters",
  tag: "test",
  body: Type.Object({ text: Type.String({ maxLength: 100_000 }) }),
  output: Type.Integer(),
  handle: async ({ body }) => answer(body.text.length),
});

/** Has connections read in front of the library, as those of the whole exchange are. */
const QUICK = defineRoute({
  method: "GET",
  path: "/v1/test/quick",
  summary: "Answers at once",
  tag: "test",
  isQuick: true,
  output: Type.Null(),
  handle: async () => answer(null),
});

let served: ServedApp;
beforeAll(async () => {
  served = await serveApp(
    { routes: [ECHO, QUICK] },
    { CW_BODY_LIMIT_BYTES: "2048", CW_HEADER_LIMIT_BYTES: "4096", CW_REQUEST_TIMEOUT_MS: "400" },
  );
});
afterAll(() => served.close());

function bodyOf(answerText: string): Record<string, unknown> {
  return JSON.parse(answerText.slice(answerText.indexOf("\r\n\r\n") + 4)) as Record<string, unknown>;
}

describe("limits of the edge", () => {
  test("[NET-4] a body over the limit is refused, announced or not", async () => {
    const send = (text: string) =>
      fetch(`${served.url}/api/v1/test/echo`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ text }),
      });
    expect((await send("x".repeat(2000))).status).toBe(200);
    const refused = await send("x".repeat(3000));
    expect([refused.status, await refused.json()]).toMatchObject([413, { code: "BODY_TOO_LARGE" }]);
    const chunk = `${(1024).toString(16)}\r\n${"x".repeat(1024)}\r\n`;
    const chunked = await served.raw(
      `POST /api/v1/test/echo HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${chunk.repeat(4)}0\r\n\r\n`,
    );
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /);
    expect(bodyOf(chunked)).toMatchObject({ code: "BODY_TOO_LARGE", data: null });
  });

  test("[NET-4] a whole address in the request line requests its path, whatever host it names", async () => {
    for (const target of ["http://evil.example/healthz", "HTTP://a/healthz"]) {
      const text = await served.raw(`GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
      expect(text).toMatch(/^HTTP\/1\.1 200 /);
    }
    const odd = await served.raw(
      "GET http://evil.example?x=1 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
    );
    expect(odd).toMatch(/^HTTP\/1\.1 404 /);
  });

  test("[NET-4] a head over the limit is refused in the same envelope", async () => {
    const text = await served.raw(`GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-long: ${"x".repeat(8000)}\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 431 /);
    expect(bodyOf(text)).toMatchObject({ code: "HEADERS_TOO_LARGE", data: null, requestId: expect.any(String) });
  });

  const broken: [string, string][] = [
    ["nonsense", "hello there\r\n\r\n"],
    ["a bare line", "GET\r\n\r\n"],
    ["no host", "GET /healthz HTTP/1.1\r\n\r\n"],
    ["two lengths", "POST /csp-report HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
    [
      "length and chunks",
      "POST /csp-report HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["a space before the colon", "GET / HTTP/1.1\r\nhost : a\r\n\r\n"],
    ["a second host", "GET /healthz HTTP/1.1\r\nhost: localhost\r\nHost: evil.example\r\n\r\n"],
    ["two spaces before the address", "GET  /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n"],
    ["two spaces before the version", "GET /healthz  HTTP/1.1\r\nhost: localhost\r\n\r\n"],
    ["a tab in the first line", "GET /healthz\tHTTP/1.1\r\nhost: localhost\r\n\r\n"],
    ["a folded header", "GET / HTTP/1.1\r\nhost: localhost\r\nx: b\r\n c\r\n\r\n"],
    ["a broken chunk", "POST /csp-report HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n\r\n"],
    ["a broken address of the API", "GET /api/%zz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"],
  ];
  test.each(broken)("[NET-4] %s is answered with 400 and no connection is kept", async (_, bytes) => {
    expect(await served.raw(bytes)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test.each([
    ["GET", "/healthz"],
    ["POST", "/nothing"],
    ["POST", "/api/v1/test/nothing"],
    ["POST", "/api/v1/test/echo"],
  ])("[NET-4] a body announced as too large is refused before a byte of it comes: %s %s", async (method, path) => {
    const text = await served.raw(
      `${method} ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 10485760\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(bodyOf(text)).toMatchObject({ code: "BODY_TOO_LARGE" });
  });

  test("[NET-4] a client that asks before it sends a body is invited only where it is taken", async () => {
    const ask = (length: number) =>
      served.raw(
        `POST /api/v1/test/echo HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nexpect: 100-continue\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n{"text":"abc"}`,
      );
    expect(await ask(14)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    expect(await ask(10_485_760)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("[NET-4] a body in an unsupported encoding or charset is refused", async () => {
    const post = async (headers: Record<string, string>) => {
      const body = JSON.stringify({ text: "abc" });
      const response = await fetch(`${served.url}/api/v1/test/echo`, { method: "POST", headers, body });
      return `${response.status} ${((await response.json()) as { code: unknown }).code}`;
    };
    const type = "application/json";
    expect(await post({ "content-type": type, "content-encoding": "identity" })).toBe("200 200");
    expect(await post({ "content-type": `${type}; charset="UTF-8"` })).toBe("200 200");
    for (const encoding of ["gzip", "br", "deflate", "x-made-up"]) {
      expect(await post({ "content-type": type, "content-encoding": encoding })).toBe("415 UNSUPPORTED_MEDIA");
    }
    for (const charset of ["utf-16", "iso-8859-1", "utf-7"]) {
      expect(await post({ "content-type": `${type}; charset=${charset}` })).toBe("415 UNSUPPORTED_MEDIA");
    }
  });

  test("[NET-4] a request that trickles in is cut off with 408, in its head and in its body", async () => {
    const trickle = (first: string) =>
      new Promise<string>((done) => {
        let text = "";
        const socket = connect(served.port, "127.0.0.1", () => socket.write(first));
        const timer = setInterval(() => socket.write("x"), 50);
        socket.on("data", (part) => {
          text += part.toString();
        });
        socket.on("error", () => undefined);
        socket.on("close", () => {
          clearInterval(timer);
          done(text);
        });
      });
    const [head, body] = await Promise.all([
      trickle("GET /healthz HTTP/1.1\r\nx-slow: "),
      trickle(
        "POST /api/v1/test/echo HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{",
      ),
    ]);
    expect(head).toMatch(/^HTTP\/1\.1 408 /);
    expect(bodyOf(head)).toMatchObject({ code: "REQUEST_TIMEOUT" });
    expect(body).toMatch(/^HTTP\/1\.1 408 /);
  });

  test("[NET-4] a handler that never answers ends as UNAVAILABLE", async () => {
    const stuck = defineRoute({
      method: "GET",
      path: "/v1/test/stuck",
      summary: "Never answers",
      tag: "test",
      output: Type.Null(),
      handle: () => new Promise(() => undefined),
    });
    const late = await serveApp({ routes: [stuck] }, { CW_HANDLER_TIMEOUT_MS: "100" });
    const response = await fetch(`${late.url}/api/v1/test/stuck`);
    expect([response.status, await response.json()]).toMatchObject([503, { code: "UNAVAILABLE" }]);
    await late.close();
  });
});
