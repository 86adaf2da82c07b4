// The cost of a body before its purpose is known: counted as it arrives, refused before the rest.
import { connect } from "node:net";
import { answer, defineRoute } from "@clockwork/host/route";
import { Type } from "typebox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServedApp, serveApp } from "./app-fixture.ts";

const LARGE = 12_000_000;
const NOTE = defineRoute({
  method: "POST",
  path: "/v1/test/note",
  summary: "Counts a note's letters and its tags",
  tag: "test",
  body: Type.Object({
    text: Type.Optional(Type.String({ maxLength: LARGE })),
    tags: Type.Optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 3000 })),
    size: Type.Optional(Type.Integer({ minimum: 0, maximum: 9 })),
  }),
  bodyBytesMax: LARGE,
  output: Type.Array(Type.Integer()),
  handle: async ({ body }) => answer([body.text?.length ?? 0, body.tags?.length ?? 0]),
});

let served: ServedApp;
beforeAll(async () => {
  served = await serveApp({ routes: [NOTE] });
});
afterAll(() => served.close());

const PATH = "/api/v1/test/note";
const head = (bytes: number): string =>
  `POST ${PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`;

/** Sends what is given and answers the first that comes back, while the server may still wait for more. */
function firstAnswer(bytes: string): Promise<string> {
  return new Promise((done, fail) => {
    const socket = connect(served.port, "127.0.0.1", () => socket.write(bytes));
    socket.once("data", (part) => {
      done(part.toString());
      socket.destroy();
    });
    socket.once("error", fail);
    socket.once("close", () => fail(new Error("closed without an answer")));
  });
}

const post = async (text: string) => {
  const headers = { "content-type": "application/json" };
  const response = await fetch(served.url + PATH, { method: "POST", headers, body: text });
  const { code, data, fields } = (await response.json()) as { code: unknown; data: unknown; fields?: object };
  return { status: response.status, code, data, fields: Object.keys(fields ?? {}) };
};

test("[NET-4] a body of millions of items is refused before it has arrived", async () => {
  const whole = 10_000_000;
  const started = `{"tags":[${"0,".repeat(40_000)}`;
  const text = await firstAnswer(head(whole) + started);
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
  expect(text).toContain("BODY_TOO_COMPLEX");
  expect((await post('{"text":"another caller"}')).status).toBe(200);
});

test("[NET-4] a client that keeps sending after the refusal still reads it", async () => {
  const socket = connect(served.port, "127.0.0.1").pause();
  const write = (bytes: string) =>
    new Promise<void>((done, fail) => socket.write(bytes, (error) => (error ? fail(error) : done())));
  await write(head(LARGE * 10));
  for (let piece = 0; piece < 10; piece += 1) {
    await write("x".repeat(64_000));
    await new Promise((turn) => setImmediate(turn));
  }
  const text = await new Promise<string>((done, fail) => {
    socket.once("error", fail).once("data", (part) => done(part.toString()));
    socket.resume();
  });
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
  socket.destroy();
});

test("[NET-4] a body of millions of items costs the event loop less than reading it would", async () => {
  const text = `{"tags":[${"0,".repeat(4_999_000)}0]}`;
  const readingUs = cpuOf(() => JSON.parse(text));
  const before = process.threadCpuUsage();
  expect(await firstAnswer(head(text.length) + text)).toMatch(/^HTTP\/1\.1 413 /);
  const { user, system } = process.threadCpuUsage(before);
  expect(user + system).toBeLessThan(readingUs);
});

function cpuOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

test("[NET-4] a body of many levels is refused before anything is made of it", async () => {
  const nested = (levels: number) => `{"size":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  expect(await post(nested(20))).toMatchObject({ status: 400, code: "VALIDATION_FAILED" });
  expect(await post(nested(100))).toMatchObject({ status: 413, code: "BODY_TOO_COMPLEX" });
});

test("[NET-4] characters inside a text are not counted, however long it is and wherever it is cut", async () => {
  const letters = '[,{\\"\\\\'.repeat(200_000);
  const { status, data } = await post(`{"text":"${letters}","tags":["a","b"]}`);
  expect([status, data]).toEqual([200, [5 * 200_000, 2]]);
});

test("[NET-4] one wrong item of a long list is named, not each of them; fields of a form are all named", async () => {
  expect(await post(JSON.stringify({ tags: Array(2500).fill(5) }))).toMatchObject({
    status: 400,
    fields: ["body.tags.0"],
  });
});
