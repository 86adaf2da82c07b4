// Which address the page talks to, and what never leaves the page's own.
import { STORAGE_KEY } from "@clockwork/kit/constants";
import { expect, test } from "vitest";
import { readPageFrame } from "#boot/page-frame.ts";
import { buildRootData, fetchStartData } from "#boot/start-data.ts";
import { createGlobalStore } from "#boot/state.ts";
import type { Domain } from "#live/domains.ts";
import type { LiveSocket } from "#live/socket.ts";
import { absoluteSocket, countLosses, keepSessionHome, openAddresses, socketAddress } from "./addresses.ts";

const ORIGIN = "https://x.example";
const FAST: Domain = {
  api: "https://fast.example/api",
  futuresApi: "https://fast.example/futuresapi",
  socket: "wss://fast.example/ws",
  futuresSocket: "wss://fast.example/ws",
};
const OWN: Domain = {
  api: "/api",
  futuresApi: "/futuresapi",
  socket: "/ws",
  futuresSocket: "/ws",
  carriesSession: true,
};

async function makeStore(domains: readonly Domain[]) {
  const query = new URLSearchParams();
  const frame = readPageFrame({ cookie: undefined, userAgent: undefined, colorSchemeHint: undefined, query });
  const answer = { code: 200, data: { domains, invite: null } };
  const start = await fetchStartData(
    async ({ path }) => (path.startsWith("/v1/common/domain-list") ? answer : undefined),
    frame,
    "x.example",
  );
  return createGlobalStore(
    buildRootData({ version: "1", origin: ORIGIN, frame, start, locale: "en_US", prefix: undefined }),
  );
}

function makeStorage(kept: Record<string, string> = {}) {
  const items = new Map(Object.entries(kept));
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

function makeNetwork(isAlive: (url: string) => boolean, list: readonly Domain[]) {
  const requested: string[] = [];
  const fetch = async (url: string): Promise<Response> => {
    requested.push(url);
    if (!isAlive(url)) throw new TypeError("no way there");
    return new Response(url.endsWith("/domain-list.json") ? JSON.stringify({ domains: list }) : "{}");
  };
  return { requested, fetch };
}

test("[NET-7] with one address nothing is requested, raced or stored", async () => {
  const { requested, fetch } = makeNetwork(() => true, [OWN]);
  const storage = makeStorage({ [STORAGE_KEY.domain]: JSON.stringify(FAST) });
  const store = await makeStore([OWN]);
  const picker = openAddresses({ store, storage, origin: ORIGIN, fetch, target: new EventTarget() });
  expect(picker.get().api).toBe("/api");
  expect(requested).toEqual([]);
  expect(storage.items.size).toBe(0);
  expect(store.getState().socketUrls.spot).toBe("wss://x.example/ws");
});

test("[NET-7] with several the living one is taken, shared and remembered", async () => {
  const { fetch } = makeNetwork((url) => !url.startsWith("/api"), [OWN, FAST]);
  const storage = makeStorage();
  const store = await makeStore([OWN, FAST]);
  const target = new EventTarget();
  const result: string[] = [];
  for (const event of ["spot WS change", "futures WS change"])
    target.addEventListener(event, (one) => result.push(`${one.type} ${(one as CustomEvent<string>).detail}`));
  const picker = openAddresses({ store, storage, origin: ORIGIN, fetch, target });
  const address = socketAddress(picker, ORIGIN, target);
  const moves: string[] = [];
  const release = address.subscribe(() => moves.push(address.get()));
  await picker.refresh();
  expect(result).toEqual(["spot WS change wss://fast.example/ws", "futures WS change wss://fast.example/ws"]);
  expect(moves).toEqual(["wss://fast.example/ws"]);
  release();
  expect(picker.get()).toEqual(FAST);
  expect(store.getState()).toMatchObject({ domain: "fast.example", socketUrls: { spot: "wss://fast.example/ws" } });
  expect(address.get()).toBe("wss://fast.example/ws");
  expect(storage.items.has(STORAGE_KEY.domain)).toBe(true);
});

test("[NET-7] who is signed in goes only where the session counts, and comes home when signed in elsewhere", async () => {
  const SISTER: Domain = { ...FAST, api: "https://sister.example/api", socket: "wss://sister.example/ws" };
  const open = async (domains: readonly Domain[], id: string | null) => {
    const { fetch } = makeNetwork((url) => !url.startsWith("/api"), domains);
    const store = await makeStore(domains);
    const signIn = (to: string | null) => store.setState({ topInfo: { ...store.getState().topInfo, id: to } });
    signIn(id);
    const picker = openAddresses({ store, storage: undefined, origin: ORIGIN, fetch, target: new EventTarget() });
    await picker.refresh();
    return { picker, store, signIn };
  };
  const carrying = { ...SISTER, carriesSession: true };
  expect((await open([OWN, FAST], "7")).picker.get().api).toBe("/api");
  expect((await open([OWN, FAST, carrying], "7")).picker.get()).toEqual(carrying);
  const visitor = await open([OWN, FAST], null);
  expect(visitor.picker.get().api).toBe(FAST.api);
  visitor.signIn("7");
  expect(visitor.picker.get().api).toBe("/api");
  expect(visitor.store.getState().socketUrls.spot).toBe("wss://x.example/ws");
});

test("[NET-7] two lost connections in a row move a page that only listens; with one address there is nothing to move to", async () => {
  const open = async (domains: readonly Domain[]) => {
    const { requested, fetch } = makeNetwork((url) => url.startsWith("https://fast.example/"), [OWN, FAST]);
    const store = await makeStore(domains);
    const picker = openAddresses({ store, storage: undefined, origin: ORIGIN, fetch, target: new EventTarget() });
    let close = () => {};
    const on: LiveSocket["on"] = (_, listener) => {
      close = () => listener(undefined);
      return () => {};
    };
    const socket: { on: LiveSocket["on"]; phase: LiveSocket["phase"] } = { on, phase: "open" };
    countLosses(picker, store, socket);
    const closeIn = (phase: LiveSocket["phase"]) => {
      socket.phase = phase;
      close();
    };
    return { picker, requested, lose: () => closeIn("waiting"), giveUp: () => closeIn("connecting") };
  };
  const several = await open([OWN, FAST]);
  await several.picker.refresh();
  expect(several.picker.get().api).toBe(FAST.api);
  const before = several.requested.length;
  several.lose();
  await Promise.resolve();
  expect(several.requested.length).toBe(before);
  // Given up for a new one: not lost.
  several.giveUp();
  several.giveUp();
  await Promise.resolve();
  expect(several.requested.length).toBe(before);
  several.lose();
  await expect.poll(() => several.requested.length).toBeGreaterThan(before);
  const single = await open([OWN]);
  single.lose();
  single.lose();
  await Promise.resolve();
  expect(single.requested).toEqual([]);
});

test("[NET-7] when the page's own address is gone, the list is had from another", async () => {
  const { requested, fetch } = makeNetwork((url) => url.startsWith("https://fast.example/"), [OWN, FAST]);
  const picker = openAddresses({
    store: await makeStore([OWN, FAST]),
    storage: undefined,
    origin: ORIGIN,
    fetch,
    target: new EventTarget(),
  });
  await picker.refresh();
  expect(requested).toContain("https://fast.example/domain-list.json");
  expect(picker.get().api).toBe(FAST.api);
});

test("[NET-7] an address that is no longer listed is removed", async () => {
  const outsider = { ...FAST, api: "https://old.example/api" };
  const storage = makeStorage({ [STORAGE_KEY.domain]: JSON.stringify(outsider) });
  const { fetch } = makeNetwork(() => false, []);
  const picker = openAddresses({
    store: await makeStore([OWN, FAST]),
    storage,
    origin: ORIGIN,
    fetch,
    target: new EventTarget(),
  });
  expect(picker.get().api).toBe("/api");
  await picker.refresh();
  expect(storage.items.size).toBe(0);
});

test.each([
  ["https://fast.example/api/v2/users/session/refresh?a=1", "/api/v2/users/session/refresh?a=1"],
  ["https://fast.example/api/v1/common/ping", "https://fast.example/api/v1/common/ping"],
  ["https://fast.example/futuresapi/v1/x", "https://fast.example/futuresapi/v1/x"],
  ["/api/v2/users/top-info", "/api/v2/users/top-info"],
])("[NET-7] a call to %s goes to %s: the session stays at home", (url, goesTo) => {
  expect(keepSessionHome(url)).toBe(goesTo);
});

test.each([
  ["/ws", "http://localhost:3000", "ws://localhost:3000/ws"],
  ["/ws", "https://x.example", "wss://x.example/ws"],
  ["wss://fast.example/ws", "https://x.example", "wss://fast.example/ws"],
])("[NET-7] the socket %s of a page at %s is %s", (socket, origin, url) => {
  expect(absoluteSocket(socket, origin)).toBe(url);
});
