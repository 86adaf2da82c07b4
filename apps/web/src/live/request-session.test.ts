// What a call does when it is refused without a session: one renewal for all, and a definite end or none.
import { allOf } from "@clockwork/kit/all-of";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { HeaderSource } from "./headers.ts";
import { createRequestClient, type RequestClient, type RequestParts } from "./request.ts";
import { userHeaders } from "./test-headers.ts";
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
    clock: {
      now: () => 1_700_000_000_000,
      after: (delayMs, run) => {
        const timer = setTimeout(run, delayMs);
        return () => clearTimeout(timer);
      },
    },
    random: (bytes) => bytes.fill(7),
    retryDelayMs: 0,
    ...changes,
  });
}

describe("the end of a session", () => {
  let access = "old";
  const headers: HeaderSource = { ...userHeaders, accessToken: () => access };
  const ended: string[] = [];
  let refreshes = 0;

  beforeEach(() => {
    access = "old";
    ended.length = 0;
    refreshes = 0;
    http.serve = ({ headers: seen }) =>
      seen["x-authorization"] === "new" ? OK : { status: 401, body: { code: "401", data: null, message: "" } };
  });

  function sessionClient(renews: boolean): RequestClient {
    return client({
      headers,
      currentUrl: () => "/spot/BTC_USDT?x=1",
      endSession: (redirectUrl) => ended.push(redirectUrl),
      refresh: async () => {
        refreshes += 1;
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (renews) access = "new";
        return renews ? "renewed" : "over";
      },
    });
  }

  test("[AUTH-4] a 401 of any kind is followed by one silent refresh and the call succeeds", async () => {
    expect(await sessionClient(true).postJson("/v1/x")).toMatchObject({ ok: true });
    expect(refreshes).toBe(1);
    expect(ended).toEqual([]);
  });

  test("[AUTH-4] calls refused together share one refresh", async () => {
    const request = sessionClient(true);
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => request.get(`/v1/${index}`)));
    expect(allOf(answers, (answer) => answer.ok)).toBe(true);
    expect(refreshes).toBe(1);
  });

  test("[AUTH-4] when the refresh fails the session ends once, with the way back", async () => {
    const request = sessionClient(false);
    const answers = await Promise.all([request.get("/v1/a"), request.postJson("/v1/b"), request.get("/v1/c")]);
    expect(allOf(answers, (answer) => !answer.ok && answer.code === "401")).toBe(true);
    expect(refreshes).toBe(1);
    expect(ended).toEqual(["/spot/BTC_USDT?x=1"]);
  });

  test("[AUTH-4] a call from before the end that is refused after it ends nothing again", async () => {
    const refuse = http.serve;
    http.serve = async (seen) => {
      if (seen.url.includes("slow")) await new Promise((resolve) => setTimeout(resolve, 100));
      return refuse(seen);
    };
    const request = sessionClient(false);
    await Promise.all([request.get("/v1/slow"), request.get("/v1/quick")]);
    expect(refreshes).toBe(1);
    expect(ended).toHaveLength(1);
  });

  test("[AUTH-4] a change under way that brings new tokens is waited for before a session counts as over", async () => {
    http.serve = async ({ url, headers: seen }) => {
      if (url.includes("change")) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        access = "new";
        return OK;
      }
      return seen["x-authorization"] === "new" ? OK : { status: 401, body: { code: "401", data: null, message: "" } };
    };
    const request = sessionClient(false);
    const answers = await Promise.all([request.postJson("/v1/change"), request.get("/v1/quick")]);
    expect(answers.map(({ ok }) => ok)).toEqual([true, true]);
    expect(ended).toEqual([]);
  });

  test("[AUTH-4] tokens made worthless by a second change while a call was repeated are followed by the newest", async () => {
    let changes = 0;
    http.serve = async ({ url, headers: seen }) => {
      if (url.includes("change")) {
        changes += 1;
        access = `new${changes}`;
        return OK;
      }
      // The call's first repetition arrives after the second change.
      if (seen["x-authorization"] === "new1") await request.postJson("/v1/change");
      return seen["x-authorization"] === "new2" ? OK : { status: 401, body: { code: "401", data: null, message: "" } };
    };
    const request = sessionClient(false);
    const answers = await Promise.all([request.postJson("/v1/change"), request.get("/v1/quick")]);
    expect(answers.map(({ ok }) => ok)).toEqual([true, true]);
    expect(ended).toEqual([]);
    expect(changes).toBe(2);
  });

  test("[AUTH-4] new tokens refused too end the session without a second refresh", async () => {
    http.serve = () => ({ status: 401, body: { code: "401", data: null, message: "" } });
    expect(await sessionClient(true).get("/v1/x")).toMatchObject({ ok: false });
    expect(refreshes).toBe(1);
    expect(ended).toHaveLength(1);
  });

  test("[AUTH-4] code 401 in an answer with status 200 counts as well", async () => {
    http.serve = ({ headers: seen }) =>
      seen["x-authorization"] === "new" ? OK : { body: { code: 401, data: null, message: "" } };
    expect(await sessionClient(true).get("/v1/x")).toMatchObject({ ok: true });
  });

  test("[AUTH-4] an unanswered refresh ends nothing: the call reports that the exchange cannot be reached", async () => {
    let undecided = 0;
    const ways = [() => Promise.reject(new Error("no network")), async () => "undecided" as const];
    for (const refresh of ways) {
      const request = client({
        headers,
        endSession: (redirectUrl) => ended.push(redirectUrl),
        onUndecided: () => {
          undecided += 1;
        },
        refresh,
      });
      const answers = await Promise.all([request.get("/v1/x"), request.get("/v1/y")]);
      for (const answer of answers) expect(answer).toMatchObject({ ok: false, err: { kind: "network" } });
    }
    expect(undecided).toBeGreaterThan(1);
    expect(ended).toEqual([]);
  });

  test("[AUTH-4] public calls redirect no visitor to login", async () => {
    expect(await sessionClient(true).get("/v1/x", {}, { anonymous: true })).toMatchObject({ ok: false });
    expect(refreshes).toBe(0);
    expect(ended).toEqual([]);
  });
});
