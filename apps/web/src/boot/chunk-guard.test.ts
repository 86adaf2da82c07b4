import { expect, test } from "vitest";
import { guardChunks, isChunkError } from "./chunk-guard.ts";

function setUp(storage: Pick<Storage, "getItem" | "setItem"> = memory()) {
  const target = new EventTarget();
  let nowMs = 1_000_000;
  let reloads = 0;
  const guard = guardChunks({
    target: target as unknown as Window,
    storage,
    now: () => nowMs,
    reload: () => {
      reloads++;
    },
  });
  const failPreload = () => {
    const event = new Event("vite:preloadError", { cancelable: true });
    target.dispatchEvent(event);
    return event.defaultPrevented;
  };
  return {
    guard,
    failPreload,
    reloads: () => reloads,
    wait: (ms: number) => {
      nowMs += ms;
    },
  };
}

function memory(): Pick<Storage, "getItem" | "setItem"> {
  const kept = new Map<string, string>();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
}

test("[SITE-12] a failed preload while waking is suppressed and reloads nothing", () => {
  const { failPreload, reloads } = setUp();
  expect(failPreload()).toBe(true);
  expect(reloads()).toBe(0);
});

test("[SITE-12] one reload, and none again for ten seconds", () => {
  const { guard, failPreload, reloads, wait } = setUp();
  guard.hydrated();
  expect(guard.report()).toBe(true);
  wait(9_999);
  expect(guard.report()).toBe(false);
  expect(failPreload()).toBe(false);
  expect(reloads()).toBe(1);
  wait(1);
  expect(guard.report()).toBe(true);
  expect(reloads()).toBe(2);
});

test("[SITE-12] the guard outlives the reload through the tab's storage", () => {
  const storage = memory();
  const first = setUp(storage);
  first.guard.hydrated();
  expect(first.guard.report()).toBe(true);
  const second = setUp(storage);
  second.guard.hydrated();
  expect(second.guard.report()).toBe(false);
});

test("[SITE-12] without storage there is no reload, since nothing could stop a loop", () => {
  const broken = {
    getItem: () => {
      throw new Error("denied");
    },
    setItem: () => undefined,
  };
  const { guard, reloads } = setUp(broken);
  guard.hydrated();
  expect(guard.report()).toBe(false);
  expect(reloads()).toBe(0);
});

test("[SITE-12] chunk failures are distinguished from other errors", () => {
  expect(isChunkError(new TypeError("Failed to fetch dynamically imported module: /assets/x.js"))).toBe(true);
  expect(isChunkError(new TypeError("error loading dynamically imported module"))).toBe(true);
  expect(isChunkError(new TypeError("x is undefined"))).toBe(false);
  expect(isChunkError("Loading chunk")).toBe(false);
});
