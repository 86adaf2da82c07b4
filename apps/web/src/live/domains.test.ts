import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "./clock.ts";
import { createDomainPicker, type Domain, type DomainParts, type KeyValueStorage, readDomains } from "./domains.ts";
import { ManualClock, settle } from "./test-clock.ts";
import { TestHttp } from "./test-http.ts";

const FALLBACK: Domain = { api: "/api", futuresApi: "/futuresapi", socket: "/ws", futuresSocket: "/futuresws" };

function memoryStorage(): KeyValueStorage & { readonly items: Map<string, string> } {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

function domainAt(url: string): Domain {
  const socket = url.replace("http", "ws");
  return { api: `${url}/api`, futuresApi: `${url}/futuresapi`, socket: `${socket}/ws`, futuresSocket: `${socket}/fws` };
}

let list: TestHttp;
let slow: TestHttp;
let quick: TestHttp;

beforeEach(async () => {
  [list, slow, quick] = await Promise.all([TestHttp.start(), TestHttp.start(), TestHttp.start()]);
  list.serve = () => ({ body: { domains: [domainAt(slow.url), domainAt(quick.url)] } });
  slow.serve = async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { body: {} };
  };
  quick.serve = () => ({ body: {} });
});
afterEach(async () => {
  await Promise.all([list.close(), slow.close(), quick.close()]);
});

function picker(changes: Partial<DomainParts> = {}) {
  return createDomainPicker({
    listUrls: [`${list.url}/domains.json`],
    fallback: FALLBACK,
    fetch: (url, init) => (url.startsWith("/") ? Promise.reject(new Error("no page")) : fetch(url, init)),
    clock: systemClock,
    storage: undefined,
    ...changes,
  });
}

describe("choosing", () => {
  test("[NET-7] the fastest live domain of the list is taken and remembered", async () => {
    const storage = memoryStorage();
    const domains = picker({ storage });
    expect(domains.get()).toEqual(FALLBACK);
    expect(await domains.refresh()).toEqual(domainAt(quick.url));
    expect(picker({ storage }).get()).toEqual(domainAt(quick.url));
    expect(quick.last.url).toBe("/api/v1/system/status");
  });

  test("[NET-7] a dead one is passed over however near it is", async () => {
    quick.serve = () => ({ status: 503, text: "" });
    expect((await picker().refresh()).api).toBe(`${slow.url}/api`);
  });

  test("[NET-7] without any list or live domain the fallback remains", async () => {
    quick.serve = () => ({ fault: "reset" });
    slow.serve = () => ({ fault: "reset" });
    expect(await picker().refresh()).toEqual(FALLBACK);
    list.serve = () => ({ text: "<html>" });
    expect(await picker().refresh()).toEqual(FALLBACK);
  });

  test("[NET-7] a second list address is requested when the first has none", async () => {
    const domains = picker({ listUrls: ["http://127.0.0.1:1/", `${list.url}/domains.json`] });
    expect((await domains.refresh()).api).toBe(`${quick.url}/api`);
  });

  test("[NET-7] one that does not answer within the time-out loses", async () => {
    const clock = new ManualClock();
    const domains = createDomainPicker({
      listUrls: [],
      fallback: FALLBACK,
      clock,
      storage: undefined,
      fetch: (_url, init) =>
        new Promise((_resolve, reject) => init.signal?.addEventListener("abort", () => reject(new Error("aborted")))),
    });
    let done = false;
    const pending = domains.refresh().then(() => {
      done = true;
    });
    await settle();
    clock.advance(2_999);
    await settle();
    expect(done).toBe(false);
    clock.advance(1);
    await pending;
    expect(domains.get()).toEqual(FALLBACK);
  });
});

describe("failing over", () => {
  test("[NET-7] two failures in a row move to the next live domain, and listeners are notified", async () => {
    const domains = picker();
    await domains.refresh();
    const received: string[] = [];
    domains.subscribe(() => received.push(domains.get().api));
    const base = domains.get().api;
    domains.reportFailure(base);
    domains.reportSuccess(base);
    domains.reportFailure(base);
    domains.reportFailure("https://elsewhere.example/api");
    expect(domains.get().api).toBe(base);
    domains.reportFailure(base);
    await expect.poll(() => domains.get().api).toBe(`${slow.url}/api`);
    expect(received).toEqual([`${slow.url}/api`]);
  });

  test("[NET-7] when no domain answers, the next failure probes all of them again", async () => {
    const domains = picker();
    await domains.refresh();
    const base = domains.get().api;
    const answer = slow.serve;
    let requested = 0;
    slow.serve = () => {
      requested += 1;
      return { status: 503, body: {} };
    };
    domains.reportFailure(base);
    domains.reportFailure(base);
    await expect.poll(() => requested).toBe(1);
    // The race has ended when its answer came.
    await domains.refresh();
    slow.serve = answer;
    domains.reportFailure(base);
    await expect.poll(() => domains.get().api).toBe(`${slow.url}/api`);
  });

  test("[NET-7] a domain that failed rests for half a minute, then may win again", async () => {
    const clock = new ManualClock();
    const domains = picker({ clock });
    await domains.refresh();
    const base = domains.get().api;
    domains.reportFailure(base);
    domains.reportFailure(base);
    await expect.poll(() => domains.get().api).toBe(`${slow.url}/api`);
    await domains.refresh();
    expect(domains.get().api).toBe(`${slow.url}/api`);
    clock.advance(30_000);
    await domains.refresh();
    expect(domains.get().api).toBe(base);
  });
});

describe("the list", () => {
  const good = domainAt("https://a.example");

  test("[NET-7] both shapes are read, and an inviter is carried along", () => {
    const https = { ...good, socket: "wss://a.example/ws", futuresSocket: "wss://a.example/fws" };
    expect(readDomains([https])).toEqual([https]);
    expect(readDomains({ domains: [{ ...https, invite: "AB12", more: 1 }] })).toEqual([{ ...https, invite: "AB12" }]);
    expect(readDomains([{ ...https, invite: "<script>" }])).toEqual([https]);
  });

  test.each([
    ["plain http", "http://a.example/api"],
    ["a script", "javascript:alert(1)"],
    ["credentials", "https://u:p@a.example"],
    ["another host by two slashes", "//a.example"],
    ["nothing", ""],
    ["no text", 7],
    ["a long text", `https://${"a".repeat(300)}.example`],
  ])("[NET-7] %s is no domain", (_name, api) => {
    const entry = { ...good, socket: "wss://a.example/ws", futuresSocket: "wss://a.example/fws", api };
    expect(readDomains([entry])).toEqual([]);
  });

  test("[NET-7] a list of anything else is empty, and a huge one is cut", () => {
    for (const body of [null, 3, "x", {}, { domains: 1 }, [null]]) expect(readDomains(body)).toEqual([]);
    expect(readDomains(Array.from({ length: 100 }, () => FALLBACK))).toHaveLength(32);
  });

  test("[NET-7] what was remembered is checked like any other", () => {
    const storage = memoryStorage();
    storage.setItem("cw_domain", '{"api":"http://evil.example"}');
    expect(picker({ storage }).get()).toEqual(FALLBACK);
    storage.setItem("cw_domain", "{");
    expect(picker({ storage }).get()).toEqual(FALLBACK);
  });
});
