import { RETRY_STATUSES } from "@clockwork/kit/constants";
import { isClientOrderId } from "@clockwork/kit/id";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { successCode } from "./answer.ts";
import { createRequestClient, type RequestClient, type RequestParts } from "./request.ts";
import { ManualClock } from "./test-clock.ts";
import { anonymousHeaders, userHeaders } from "./test-headers.ts";
import { TestHttp } from "./test-http.ts";

const OK = { body: { code: 200, data: { x: 1 }, message: "fine" } };
let http: TestHttp;

beforeEach(async () => {
  http = await TestHttp.start();
});
afterEach(async () => {
  await http.close();
});

/** Real time, but no waiting between retries. */
function client(changes: Partial<RequestParts> = {}): RequestClient {
  return createRequestClient({
    fetch,
    headers: userHeaders,
    bases: { spot: () => `${http.url}/api`, futures: () => `${http.url}/futuresapi` },
    clock: { now: () => 1_700_000_000_000, after: (delayMs, run) => after(delayMs, run) },
    random: (bytes) => bytes.fill(7),
    retryDelayMs: 0,
    ...changes,
  });
}

function after(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}

/** What the transport adds. */
const TRANSPORT = ["host", "connection", "user-agent", "accept-encoding", "sec-fetch-mode", "content-length"];

function ownHeaders(): Record<string, string> {
  return Object.fromEntries(Object.entries(http.last.headers).filter(([name]) => !TRANSPORT.includes(name)));
}

const SPOT_HEADERS = {
  accept: "application/json",
  language: "en_US",
  "x-language": "en_US",
  "x-authorization": "access-1",
  selecttype: "USD",
  token: "plain-1",
  logintoken: "login-1",
  deviceid: "device-1",
  cwdeviceid: "device-1",
  systemversion: "Linux",
  devicename: "Chrome 131 on Linux",
  clienttag: "web",
};

const get = (path: string) => ({ method: "GET", path }) as const;
const post = (path: string) => ({ method: "POST", path }) as const;
const FUTURES = { api: "futures" } as const;

describe("headers", () => {
  test("[NET-1] every call carries exactly the agreed headers", async () => {
    await client().get("/v1/x");
    const { "accept-language": _transport, ...own } = ownHeaders();
    expect(own).toEqual(SPOT_HEADERS);
  });

  test("[NET-1] a visitor sends them too, empty", async () => {
    await client({ headers: anonymousHeaders }).get("/v1/x");
    expect(http.last.headers).toMatchObject({ "x-authorization": "", token: "", logintoken: "" });
  });

  test("[NET-1] system is sent only inside an app", async () => {
    await client().get("/v1/x");
    expect(http.last.headers.system).toBeUndefined();
    await client({ headers: { ...userHeaders, system: () => "flutter" } }).get("/v1/x");
    expect(http.last.headers.system).toBe("flutter");
  });

  test("[NET-1] futures calls add theirs and use the futures token", async () => {
    await client({ headers: { ...userHeaders, futuresToken: () => "futures-1" } }).call(
      get("/v1/futuresc/x"),
      {},
      FUTURES,
    );
    expect(ownHeaders()).toEqual({
      ...SPOT_HEADERS,
      "content-type": "application/json",
      authorization: "futures-1",
      appversion: "100.100.100",
      "accept-language": "en-US",
      "x-locale": "en_US",
      thirdapptoken: "futures-1",
      thirdappid: "cw",
    });
    expect(http.last.url).toBe("/futuresapi/v1/futuresc/x");
  });

  test("[NET-1] without a futures token the login token is used", async () => {
    await client().call(post("/v1/futuresc/x"), { a: 1 }, FUTURES);
    expect(http.last.headers).toMatchObject({ authorization: "login-1", thirdapptoken: "login-1" });
  });

  test("[NET-1] names no header can carry are encoded, not refused", async () => {
    const answer = await client({ headers: { ...userHeaders, deviceName: () => "李的 iPhone\n\ud800" } }).get("/v1/x");
    expect(answer.ok).toBe(true);
    expect(http.last.headers.devicename).toBe("%E6%9D%8E%E7%9A%84 iPhone%0A%EF%BF%BD");
  });
});

describe("wrapper kinds", () => {
  test.each([
    [
      "GET query",
      (c: RequestClient) => c.get("/p", { a: 1, b: ["x", "y"], c: undefined, d: "ä&" }),
      "GET",
      "/api/p?a=1&b=x&b=y&d=%C3%A4%26",
      "",
      undefined,
    ],
    [
      "POST JSON",
      (c: RequestClient) => c.postJson("/p", { a: [1] }),
      "POST",
      "/api/p",
      '{"a":[1]}',
      "application/json",
    ],
    [
      "a declared call as a form",
      (c: RequestClient) => c.call({ method: "POST", path: "/p/:id" }, { id: 7, a: 1 }, { isForm: true }),
      "POST",
      "/api/p/7",
      "a=1",
      "application/x-www-form-urlencoded",
    ],
    [
      "POST form",
      (c: RequestClient) => c.call({ method: "POST", path: "/p" }, { a: 1, b: true }, { isForm: true }),
      "POST",
      "/api/p",
      "a=1&b=true",
      "application/x-www-form-urlencoded",
    ],
    [
      "DELETE",
      (c: RequestClient) => c.call({ method: "DELETE", path: "/p/:id" }, { id: 7, a: 1 }),
      "DELETE",
      "/api/p/7?a=1",
      "",
      undefined,
    ],
    [
      "POST at the root",
      (c: RequestClient) => c.call(post("/p"), {}, { api: "root" }),
      "POST",
      "/p",
      "{}",
      "application/json",
    ],
    [
      "futures GET",
      (c: RequestClient) => c.call(get("/p"), { a: 1 }, FUTURES),
      "GET",
      "/futuresapi/p?a=1",
      "",
      "application/json",
    ],
    [
      "futures POST",
      (c: RequestClient) => c.call(post("/p"), { a: 1 }, FUTURES),
      "POST",
      "/futuresapi/p",
      '{"a":1}',
      "application/json",
    ],
  ] as const)("[NET-1] %s", async (_name, call, method, url, body, contentType) => {
    expect(await call(client())).toMatchObject({ ok: true });
    expect(http.last).toMatchObject({ method, url, body });
    expect(http.last.headers["content-type"]).toBe(contentType);
  });

  test("[NET-1] an idempotency key goes along unchanged, and order ids fit the rule", async () => {
    const request = client();
    const key = request.mintOrderId();
    await request.postJson("/p", {}, { idempotencyKey: key });
    expect(http.last.headers["idempotency-key"]).toBe(key);
    expect(isClientOrderId(key)).toBe(true);
  });
});

describe("answers", () => {
  test("[NET-4] success is 0 under /v2/users and 200 elsewhere", async () => {
    expect(["/v2/users/x", "/v2/users", "/v2/usersx", "/v1/x", "/v2/otc/users"].map(successCode)).toEqual([
      0, 0, 200, 200, 200,
    ]);
    http.serve = () => ({ body: { code: 0, data: 5, message: "" } });
    expect(await client().postJson("/v2/users/x")).toMatchObject({ ok: true, code: 0, data: 5 });
    expect(await client().get("/v1/x")).toMatchObject({ ok: false, code: 0 });
  });

  test("[NET-4] a refusal keeps the server's code, message and request id", async () => {
    http.serve = () => ({
      status: 400,
      body: { code: "INSUFFICIENT_BALANCE", data: null, message: "Not enough USDT.", requestId: "req-1" },
    });
    expect(await client().postJson("/v1/x")).toEqual({
      ok: false,
      code: "INSUFFICIENT_BALANCE",
      data: {},
      message: "Not enough USDT.",
      requestId: "req-1",
      err: { kind: "refused", message: "Not enough USDT.", status: 400 },
    });
  });

  test("[NET-2] text that holds JSON is parsed", async () => {
    http.serve = () => ({ headers: { "content-type": "text/plain" }, text: JSON.stringify(JSON.stringify(OK.body)) });
    expect(await client().get("/v1/x")).toMatchObject({ ok: true, data: { x: 1 } });
  });

  test.each([
    ["no answer", { fault: "reset" as const }, "network"],
    ["no JSON", { text: "<html>" }, "malformed"],
    ["no envelope", { text: "[1]" }, "malformed"],
    ["an error page", { status: 404, text: "<html>" }, "malformed"],
    ["an empty answer", { text: "" }, "malformed"],
  ])("[NET-2] %s yields code 500, empty data and err", async (_name, answer, kind) => {
    http.serve = () => answer;
    const result = await client().postJson("/v1/x");
    expect(result).toMatchObject({ ok: false, code: 500, data: {}, err: { kind } });
    expect(result.data).toEqual({});
  });

  test("[NET-2] a call that takes too long is given up after the time-out", async () => {
    http.serve = () => ({ fault: "silence" });
    const clock = new ManualClock();
    const pending = client({ clock }).postJson("/v1/x", {}, { timeoutMs: 400 });
    while (http.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    clock.advance(400);
    expect(await pending).toMatchObject({ code: 500, err: { kind: "timeout" } });
    expect(clock.timerCount).toBe(0);
  });

  test("[NET-2] a caller may give up, and nothing is tried again", async () => {
    http.serve = () => ({ fault: "silence" });
    const abort = new AbortController();
    const pending = client({ retryDelayMs: 4_999 }).get("/v1/x", {}, { signal: abort.signal });
    while (http.seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    abort.abort();
    expect(await pending).toMatchObject({ code: 500, err: { kind: "aborted" } });
    expect(await client().get("/v1/x", {}, { signal: abort.signal })).toMatchObject({ err: { kind: "aborted" } });
    expect(http.seen).toHaveLength(1);
  });
});

describe("retries", () => {
  test.each(RETRY_STATUSES)("[NET-2] GET is tried once more on %i, others are not", async (status) => {
    http.serve = () => ({ status, body: { code: "LATER", data: null, message: "" } });
    await client().get("/v1/x");
    expect(http.seen).toHaveLength(2);
    await client().postJson("/v1/x");
    await client().call({ method: "POST", path: "/v1/x" }, {}, { isForm: true });
    await client().call({ method: "DELETE", path: "/v1/x" }, {});
    await client().call(post("/v1/x"), {}, FUTURES);
    expect(http.seen).toHaveLength(6);
    await client().call(get("/v1/x"), {}, FUTURES);
    expect(http.seen).toHaveLength(8);
  });

  test.each([200, 400, 403, 404, 418, 422, 501])("[NET-2] no call is repeated on %i", async (status) => {
    http.serve = () => ({ status, body: { code: status, data: null, message: "" } });
    await client().get("/v1/x");
    expect(http.seen).toHaveLength(1);
  });

  test("[NET-2] the second answer counts", async () => {
    http.serve = () => (http.seen.length === 1 ? { status: 503, text: "" } : OK);
    expect(await client().get("/v1/x")).toMatchObject({ ok: true, data: { x: 1 } });
  });

  test("[NET-7] a call that got no answer is tried at the next address", async () => {
    const failed: string[] = [];
    const request = client({
      bases: {
        spot: () => (failed.length === 0 ? "http://127.0.0.1:1/api" : `${http.url}/api`),
        futures: () => "",
        reportFailure: (base) => failed.push(base),
      },
    });
    expect(await request.get("/v1/x")).toMatchObject({ ok: true });
    expect(failed).toEqual(["http://127.0.0.1:1/api"]);
  });

  test("[NET-2] the server's Retry-After is kept, and not waited for when it is long", async () => {
    const clock = new ManualClock();
    http.serve = () => ({
      status: 429,
      headers: { "retry-after": http.seen.length > 2 ? "60" : "3" },
      body: { code: "SLOW" },
    });
    const waits: number[] = [];
    const after: ManualClock["after"] = (delayMs, run) => {
      waits.push(delayMs);
      return clock.after(delayMs, run);
    };
    const pending = client({ clock: { now: () => clock.now(), after } }).get("/v1/x");
    while (!waits.includes(3_000)) await new Promise((resolve) => setTimeout(resolve, 1));
    clock.advance(2_999);
    expect(http.seen).toHaveLength(1);
    clock.advance(1);
    expect(await pending).toMatchObject({ code: "SLOW" });
    expect(http.seen).toHaveLength(2);
    await client({ clock }).get("/v1/x");
    expect(http.seen).toHaveLength(3);
  });
});
