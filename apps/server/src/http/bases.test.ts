// The two API bases and the cookies of choices, over a listening server.
import { request } from "node:http";
import { answer, answerChoice, defineRoute } from "@clockwork/host/route";
import { Type } from "typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServedApp, serveApp } from "./app-fixture.ts";

const plain = { summary: "For the test", tag: "test", output: Type.Null() } as const;
const ROUTES = [
  defineRoute({ ...plain, method: "GET", path: "/v1/test/spot", handle: async () => answer(null) }),
  defineRoute({
    ...plain,
    method: "POST",
    path: "/v1/test/futures",
    bases: ["futures"],
    body: Type.Object({}),
    handle: async () => answer(null),
  }),
  defineRoute({
    ...plain,
    method: "GET",
    path: "/v1/test/both",
    bases: ["spot", "futures"],
    handle: async () => answerChoice(null, { name: "cw_test", value: "a-1", keepSeconds: 60 }),
  }),
  defineRoute({
    ...plain,
    method: "GET",
    path: "/v1/test/broken",
    handle: async () => answerChoice(null, { name: "cw_test", value: "a; Domain=evil", keepSeconds: 60 }),
  }),
];

describe("bases", () => {
  let served: ServedApp;
  beforeAll(async () => {
    served = await serveApp({ routes: ROUTES });
  });
  afterAll(() => served.close());

  test.each([
    ["/api/v1/test/spot", 200],
    ["/futuresapi/v1/test/spot", 404],
    ["/api/v1/test/both", 200],
    ["/futuresapi/v1/test/both", 200],
    ["/api/v1/test/futures", 404],
    ["/futuresapi/v1/test/futures", 405],
    ["/futuresapi/v1/nothing", 404],
    ["/futuresapi", 404],
  ])("[NET-3] GET %s answers %d", async (path, status) => {
    const response = await fetch(served.url + path);
    expect(response.status).toBe(status);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("[NET-3] a futures route answers below its base alone", async () => {
    const response = await fetch(`${served.url}/futuresapi/v1/test/futures`, { method: "POST" });
    expect(await response.json()).toEqual({ code: 200, data: null, message: "success" });
  });

  test("[SITE-7] a choice becomes a cookie of the whole site that the page can read", async () => {
    const response = await fetch(`${served.url}/api/v1/test/both`);
    expect(response.headers.getSetCookie()).toEqual(["cw_test=a-1; Max-Age=60; Path=/; SameSite=Lax"]);
  });

  test("[SITE-7] a choice that could carry another attribute is a bug and sets nothing", async () => {
    const response = await fetch(`${served.url}/api/v1/test/broken`);
    expect(response.status).toBe(500);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test("[NET-3] the futures API answers at its own name below the domain, to pages of the domain alone", async () => {
    const named = await serveApp({ routes: ROUTES }, { CW_DOMAIN: "localhost" });
    const { port } = new URL(named.url);
    const call = (host: string, path: string, origin: string) =>
      new Promise<{ status: number | undefined; allowed: string | undefined }>((done, fail) => {
        const headers = { host: `${host}:${port}`, origin };
        request({ host: "127.0.0.1", port, path, headers }, (response) => {
          response.resume();
          const { "access-control-allow-origin": allowed } = response.headers;
          response.on("end", () => done({ status: response.statusCode, allowed }));
        })
          .on("error", fail)
          .end();
      });
    const page = `http://localhost:${port}`;
    expect(await call("futuresapi.localhost", "/v1/test/both", page)).toEqual({ status: 200, allowed: page });
    expect(await call("futuresapi.localhost", "/v1/test/spot", page)).toMatchObject({ status: 404 });
    expect(await call("futuresapi.localhost", "/futuresapi/v1/test/both", page)).toMatchObject({ status: 200 });
    expect(await call("localhost", "/v1/test/both", page)).toMatchObject({ status: 404 });
    expect((await call("futuresapi.localhost", "/v1/test/both", "http://evil.localhost")).allowed).toBeUndefined();
    await named.close();
  });

  test("[SITE-7] over https the cookie is secure", async () => {
    const secure = await serveApp({ routes: ROUTES }, { CW_PUBLIC_ORIGIN: "https://exchange.example" });
    const response = await fetch(`${secure.url}/api/v1/test/both`);
    expect(response.headers.getSetCookie()[0]).toMatch(/; Secure$/);
    await secure.close();
  });
});
