import { setTimeout as sleep } from "node:timers/promises";
import { type Log, SILENT_LOG } from "@clockwork/host/log";
import { afterEach, describe, expect, test } from "vitest";
import { createMetrics } from "./metrics.ts";
import { ORDER, ORDERS, openQuick, Peer, postBytes, type QuickSite } from "./quick-fixture.ts";
import { closeApp } from "./shutdown.ts";

const order = postBytes(ORDER);
const GET = "GET /api/nothing HTTP/1.1\r\nhost: localhost\r\n\r\n";
const open: QuickSite[] = [];
async function site(options: Parameters<typeof openQuick>[0] = {}): Promise<QuickSite> {
  const one = await openQuick(options);
  open.push(one);
  return one;
}
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function door(): { readonly gate: Promise<void>; readonly open: () => void } {
  let unlock: () => void = () => undefined;
  const gate = new Promise<void>((done) => {
    unlock = done;
  });
  return { gate, open: () => unlock() };
}

const say = (text: string, next?: string) =>
  postBytes({ ...ORDER, say: text, ...(next === undefined ? {} : { next }) });
const replyOf = (answers: readonly { readonly body: string }[]) =>
  answers.map(({ body }) => (JSON.parse(body) as { data: { reply: string } | null }).data?.reply);

describe("bytes", () => {
  test("[NET-4] a request cut anywhere is one request", async () => {
    const { port, app, calls } = await site();
    const peer = await Peer.open(port);
    const bytes = Buffer.from(say("é₿"));
    for (let at = 1; at < bytes.length; at++) {
      peer.socket.write(bytes.subarray(0, at));
      await sleep(0);
      peer.socket.write(bytes.subarray(at));
      const answers = await peer.answered(at);
      expect(answers.length, `cut at ${at}`).toBe(at);
    }
    expect(new Set(replyOf(peer.answers))).toEqual(new Set(["é₿"]));
    expect([calls.length, app.lane.connections]).toEqual([bytes.length - 1, 1]);
  });

  test("[NET-4] a request may come byte by byte", async () => {
    const { port, calls, app } = await site();
    const peer = await Peer.open(port);
    for (const letter of order) {
      peer.socket.write(letter);
      await new Promise((done) => setImmediate(done));
    }
    expect((await peer.answered(1)).map(({ status }) => status)).toEqual([200]);
    expect([calls.length, app.lane.connections]).toEqual([1, 1]);
  });

  test("[NET-4] requests sent ahead are answered in order, one at a time", async () => {
    const { port, mostAtOnce, app } = await site();
    const peer = await Peer.open(port);
    const texts = Array.from({ length: 60 }, (_, index) => `n${index}`);
    peer.socket.write(texts.map((text, index) => say(text, index % 3 === 0 ? "soon" : undefined)).join(""));
    expect(replyOf(await peer.answered(60))).toEqual(texts);
    expect([mostAtOnce(), app.lane.connections]).toEqual([1, 1]);
  });

  test("[NET-4] a connection that requests another route is handed to the library for good", async () => {
    const { port, app } = await site();
    const peer = await Peer.open(port);
    peer.socket.write(order + order + GET + order);
    const answers = await peer.answered(4);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200]);
    expect(app.lane.connections).toBe(0);
    peer.socket.write(order);
    expect((await peer.answered(5)).at(-1)?.status).toBe(200);
  });

  test("[NET-4] an upgrade reaches its listener, also behind an order", async () => {
    const { port, app } = await site();
    const heads: string[] = [];
    app.server.on("upgrade", (_request, socket, head: Buffer) => {
      heads.push(head.toString());
      socket.on("data", (bytes: Buffer) => socket.write(`echo ${bytes.toString()}`));
      socket.on("end", () => socket.end());
      socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: foo\r\n\r\n");
    });
    const peer = await Peer.open(port);
    peer.socket.write(order);
    await peer.answered(1);
    peer.socket.write("GET /ws HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: foo\r\n\r\nfirst");
    await expect.poll(() => peer.text).toContain("101 Switching");
    peer.socket.write("later");
    await expect.poll(() => peer.text).toMatch(/echo later$/);
    expect(heads).toEqual(["first"]);
    peer.socket.destroy();
  });

  test("[NET-4] half a request and an end is refused and nothing is done", async () => {
    const { port, calls } = await site();
    for (const cut of [10, order.length - 3]) {
      const peer = await Peer.open(port);
      peer.socket.end(order.slice(0, cut));
      await peer.closed;
      expect(peer.text).toMatch(/^HTTP\/1\.1 400 /);
    }
    expect(calls).toEqual([]);
  });

  test("[NET-4] a peer that ends after its request gets its answers", async () => {
    const { port, app } = await site();
    const peer = await Peer.open(port);
    peer.socket.end(say("one", "soon") + say("two", "soon"));
    await peer.closed;
    expect(replyOf(peer.answers)).toEqual(["one", "two"]);
    expect(app.lane.connections).toBe(0);
  });

  test("[NET-4] a peer that disconnects before its response causes no error", async () => {
    const { gate, open: unlock } = door();
    const { port, app, calls } = await site({ gate });
    const peer = await Peer.open(port);
    peer.socket.write(say("x", "gate"));
    await expect.poll(() => calls.length).toBe(1);
    peer.socket.resetAndDestroy();
    await expect.poll(() => app.lane.connections).toBe(0);
    unlock();
    await app.drain.idle();
    const other = await Peer.open(port);
    other.socket.write(order);
    expect((await other.answered(1))[0]?.status).toBe(200);
  });

  test("[NET-4] a peer that does not read is not read from either, until it reads", async () => {
    const { port, calls } = await site({ environment: { CW_RATE_WEIGHT_PER_MINUTE: "0" } });
    const peer = await Peer.open(port);
    peer.socket.pause();
    const count = 450;
    for (let index = 0; index < count; index++) peer.socket.write(say(`${index}:${"x".repeat(15_000)}`));
    let before = -1;
    while (before !== calls.length) {
      before = calls.length;
      await sleep(200);
    }
    expect(calls.length).toBeLessThan(count);
    peer.socket.resume();
    const answers = await peer.answered(count);
    expect(replyOf(answers).map((text) => Number(text?.split(":")[0]))).toEqual([...Array(count).keys()]);
  });
});

describe("time", () => {
  test("[NET-4] a connection that sends nothing, or half a request, is ended with 408", async () => {
    const { port, calls } = await site({ environment: { CW_REQUEST_TIMEOUT_MS: "300" } });
    for (const bytes of ["", "POST", order.slice(0, -1)]) {
      const peer = await Peer.open(port);
      peer.socket.write(bytes);
      await peer.closed;
      expect(peer.text).toMatch(/^HTTP\/1\.1 408 /);
    }
    expect(calls).toEqual([]);
  });

  test("[NET-4] a handler that never answers ends as UNAVAILABLE, and the connection remains usable", async () => {
    const { port } = await site({ environment: { CW_REQUEST_TIMEOUT_MS: "300", CW_HANDLER_TIMEOUT_MS: "100" } });
    const peer = await Peer.open(port);
    peer.socket.write(say("x", "never") + order);
    const [late, next] = await peer.answered(2);
    expect([late?.status, late?.body, next?.status]).toEqual([503, expect.stringContaining("UNAVAILABLE"), 200]);
  });
});

describe("who calls, and how often", () => {
  test("[NET-4] a header, a bearer or a cookie identifies the caller", async () => {
    const { port, calls } = await site();
    const peer = await Peer.open(port);
    const token = "x-authorization: good7\r\n";
    peer.socket.write(
      order +
        order.replace(token, "authorization: Bearer good8\r\n") +
        order.replace(token, "cookie: a=b; cw_correct_token=~m; cw_access_token=good9\r\n") +
        order.replace(token, ""),
    );
    const answers = await peer.answered(4);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 401]);
    expect(calls.map(({ userId }) => userId)).toEqual(["7", "8", "9"]);
  });

  test("[NET-4] the address is the client's behind a trusted proxy, the peer's behind any other", async () => {
    for (const [trusted, ip] of [
      ["127.0.0.1", "203.0.113.9"],
      ["10.0.0.1", "127.0.0.1"],
    ] as const) {
      const { port, calls, app } = await site({ environment: { CW_TRUSTED_PROXIES: trusted } });
      const peer = await Peer.open(port);
      peer.socket.write(postBytes(ORDER, { "x-forwarded-for": "198.51.100.1, 203.0.113.9" }));
      await peer.answered(1);
      expect([calls[0]?.ip, app.lane.connections]).toEqual([ip, 1]);
    }
  });

  test("[NET-4] a call costs its address once, whichever path it takes, and beyond the limit nothing is done", async () => {
    const { port, calls } = await site({ environment: { CW_RATE_WEIGHT_PER_MINUTE: "4" } });
    const peer = await Peer.open(port);
    peer.socket.write(order + order + postBytes({}) + order + order);
    const answers = await peer.answered(5);
    const left = answers.map(({ head }) => /ratelimit: "address";r=(\d+);t=\d+/.exec(head)?.[1]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 200, 429]);
    expect(left).toEqual(["3", "2", "1", "0", "0"]);
    const other = await Peer.open(port);
    other.socket.write(order);
    const [refused] = await other.answered(1);
    expect([refused?.status, refused?.head]).toEqual([429, expect.stringMatching(/retry-after: \d+/)]);
    expect(calls.length).toBe(3);
  });

  test("[NET-4] thousands sent ahead beyond the limit are refused one after another, not one inside another", async () => {
    let deepest = 0;
    const measure = () => {
      const before = Error.stackTraceLimit;
      Error.stackTraceLimit = Number.POSITIVE_INFINITY;
      deepest = Math.max(deepest, new Error("here").stack?.split("\n").length ?? 0);
      Error.stackTraceLimit = before;
    };
    const log = { ...SILENT_LOG, enabled: () => true, info: measure } as unknown as Log;
    const { port, app } = await site({ environment: { CW_RATE_WEIGHT_PER_MINUTE: "1" }, parts: { log } });
    const peer = await Peer.open(port);
    const count = 2_000;
    peer.socket.write(`DELETE ${ORDERS}/1 HTTP/1.1\r\nhost:localhost\r\n\r\n`.repeat(count));
    await expect.poll(() => peer.text.split("HTTP/1.1 4").length - 1).toBe(count - 1);
    expect(deepest).toBeGreaterThan(0);
    expect(deepest).toBeLessThan(50);
    expect(app.lane.connections).toBe(1);
  });

  test("[OPS-3] a request is counted once and logged once, by its route", async () => {
    const metrics = createMetrics();
    const lines: [string, unknown][] = [];
    const keep = (name: string, fields?: unknown) => lines.push([name, fields]);
    const log = { ...SILENT_LOG, enabled: () => true, debug: keep, info: keep, error: keep } as unknown as Log;
    const { port } = await site({ parts: { metrics, log } });
    const peer = await Peer.open(port);
    const end = (id: string) =>
      `DELETE ${ORDERS}/${id} HTTP/1.1\r\nhost: localhost\r\nx-request-id: trace-12345\r\n\r\n`;
    peer.socket.write(order + postBytes({ ...ORDER, next: "refuse" }) + end("12") + end("x"));
    await peer.answered(4);
    await expect.poll(() => lines.length).toBe(4);
    const shown = lines.map(([name, fields]) => {
      const { method, path, status, refusal, address } = fields as Record<string, unknown>;
      return [name, method, path, status, refusal, address];
    });
    const answered = "http.answered";
    expect(shown).toEqual([
      [answered, "POST", ORDERS, 200, undefined, "127.0.0.1"],
      [answered, "POST", ORDERS, 422, "TOO_SMALL", "127.0.0.1"],
      [answered, "DELETE", `${ORDERS}/12`, 200, undefined, "127.0.0.1"],
      [answered, "DELETE", `${ORDERS}/x`, 400, "VALIDATION_FAILED", "127.0.0.1"],
    ]);
    expect(lines[2]?.[1]).toMatchObject({ requestId: "trace-12345" });
    const answer = await metrics.registry.metrics();
    const count = (labels: string) => `cw_http_request_duration_seconds_count{${labels}} 1`;
    expect(answer).toContain(count(`method="POST",route="${ORDERS}",status="2xx"`));
    expect(answer).toContain(count(`method="POST",route="${ORDERS}",status="4xx"`));
    expect(answer).toContain(count(`method="DELETE",route="${ORDERS}/:id",status="2xx"`));
    expect(answer).toContain(count(`method="DELETE",route="${ORDERS}/:id",status="4xx"`));
    expect(answer).toContain("cw_http_requests_in_flight 0");
    expect(answer).toContain('cw_http_refusals_total{code="slice"} 1');
  });
});

describe("the end", () => {
  test("[OPS-4] while the server drains, a connection of the lane is refused as UNAVAILABLE and closed", async () => {
    const { port, app, calls } = await site();
    const peer = await Peer.open(port);
    peer.socket.write(order);
    await peer.answered(1);
    app.drain.begin();
    peer.socket.write(order);
    await peer.closed;
    const [, refused] = peer.answers;
    expect([refused?.status, refused?.head]).toEqual([503, expect.stringMatching(/connection: close/i)]);
    expect(calls.length).toBe(1);
  });

  test("[OPS-4] at shutdown a running order gets its answer, idle connections end, and nothing holds the process", async () => {
    const { gate, open: unlock } = door();
    const { port, app, calls } = await site({ gate });
    const [running, idle, half] = await Promise.all([Peer.open(port), Peer.open(port), Peer.open(port)]);
    idle?.socket.write(order);
    await idle?.answered(1);
    half?.socket.write(order.slice(0, 20));
    running?.socket.write(say("late", "gate"));
    await expect.poll(() => calls.length).toBe(2);
    const closing = closeApp(app, 10_000, SILENT_LOG);
    await idle?.closed;
    expect(running?.text).toBe("");
    unlock();
    await running?.closed;
    expect(running?.answers[0]?.head).toMatch(/^HTTP\/1\.1 200 .*Connection: close/s);
    await closing;
    await half?.closed;
  });

  test("[OPS-4] an order that never ends is cut at the deadline", async () => {
    const { port, app, calls } = await site();
    const peer = await Peer.open(port);
    peer.socket.write(say("x", "never"));
    await expect.poll(() => calls.length).toBe(1);
    await closeApp(app, 50, SILENT_LOG);
    await peer.closed;
    expect(peer.text).toBe("");
  });
});
