import { Agent, get, type IncomingMessage } from "node:http";
import { SILENT_LOG } from "@clockwork/host/log";
import { answer, defineRoute } from "@clockwork/host/route";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { openClient, serveSockets } from "../socket/socket-fixture.ts";
import { serveApp } from "./app-fixture.ts";
import { closeApp } from "./shutdown.ts";

function slowRoute(started: () => void, gate: Promise<void>) {
  return defineRoute({
    method: "GET",
    path: "/v1/test/slow",
    summary: "Answers when let",
    tag: "test",
    output: Type.String(),
    handle: async () => {
      started();
      await gate;
      return answer("done");
    },
  });
}

function doors() {
  let open: () => void = () => undefined;
  let startedAt: () => void = () => undefined;
  const gate = new Promise<void>((done) => {
    open = done;
  });
  const started = new Promise<void>((done) => {
    startedAt = done;
  });
  return { open: () => open(), startedAt: () => startedAt(), gate, started };
}

function ask(port: number, agent: Agent, path: string): Promise<{ status: number; connection: string | undefined }> {
  return new Promise((done, fail) => {
    const request = get({ host: "127.0.0.1", port, path, agent }, (response: IncomingMessage) => {
      response.resume();
      response.on("end", () => done({ status: response.statusCode ?? 0, connection: response.headers.connection }));
    });
    request.on("error", fail);
  });
}

test("[OPS-4] at shutdown a running request gets its response, and no new one is accepted", async () => {
  const { open, startedAt, gate, started } = doors();
  const served = await serveApp({ routes: [slowRoute(startedAt, gate)] });
  const idle = new Agent({ keepAlive: true });
  await ask(served.port, idle, "/healthz");
  const running = fetch(`${served.url}/api/v1/test/slow`);
  await started;
  let isClosed = false;
  const closing = closeApp(served.app, 10_000, SILENT_LOG).then(() => {
    isClosed = true;
  });
  await expect.poll(() => served.app.server.listening).toBe(false);
  await expect(fetch(`${served.url}/healthz`)).rejects.toThrow();
  await expect(ask(served.port, idle, "/healthz")).rejects.toThrow();
  expect(isClosed).toBe(false);
  open();
  const response = await running;
  expect([response.status, await response.json()]).toEqual([200, { code: 200, data: "done", message: "success" }]);
  await closing;
});

test("[OPS-4] a connection kept from before is refused as UNAVAILABLE while the server drains", async () => {
  const served = await serveApp();
  const agent = new Agent({ keepAlive: true });
  expect((await ask(served.port, agent, "/api/nothing")).status).toBe(404);
  served.app.drain.begin();
  expect(await ask(served.port, agent, "/api/nothing")).toEqual({ status: 503, connection: "close" });
  await served.close();
});

test("[OPS-4] a request that never ends is cut at the deadline", async () => {
  const { startedAt, gate, started } = doors();
  const served = await serveApp({ routes: [slowRoute(startedAt, gate)] });
  const running = fetch(`${served.url}/api/v1/test/slow`).then(
    () => "answered",
    () => "cut",
  );
  await started;
  await closeApp(served.app, 50, SILENT_LOG);
  expect(await running).toBe("cut");
});

test("[OPS-4] open sockets do not delay the shutdown: they are notified and closed", async () => {
  const served = await serveSockets();
  const clients = await Promise.all([openClient(served.url), openClient(served.url)]);
  await closeApp(served.served.app, 10_000, SILENT_LOG);
  for (const client of clients) expect(await client.closed).toEqual({ code: 1001, reason: "shutdown" });
});
