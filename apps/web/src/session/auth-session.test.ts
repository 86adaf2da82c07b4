import { SESSION_COOKIE, STORAGE_KEY } from "@clockwork/kit/constants";
import { expect, test } from "vitest";
import { hasSession } from "#boot/session-cookie.ts";
import type { TabChannel } from "#live/session-channel.ts";
import { type AuthBrowser, createAuthSession } from "./auth-session.ts";

/** Tabs of one browser: one cookie jar, one storage, one lock, and channels that reach the others. */
function openJar() {
  const cookies = new Map<string, string>();
  const items = new Map<string, string>();
  const listeners = new Map<number, (message: string) => void>();
  let queue: Promise<unknown> = Promise.resolve();
  let tabs = 0;
  const openTab = (): AuthBrowser => {
    tabs += 1;
    const own = tabs;
    const channel: TabChannel = {
      post: (message) => {
        for (const [tab, listener] of listeners) if (tab !== own) listener(message);
      },
      onMessage: (listener) => {
        listeners.set(own, listener);
        return () => void listeners.delete(own);
      },
      close: () => undefined,
    };
    return {
      readCookies: () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      writeCookie: (text) => {
        const [pair = ""] = text.split(";");
        if (text.includes("max-age=0")) cookies.delete(pair.split("=")[0] ?? "");
      },
      hostname: "www.clockwork.example",
      storage: {
        getItem: (key) => items.get(key) ?? null,
        setItem: (key, value) => void items.set(key, value),
        removeItem: (key) => void items.delete(key),
      },
      tabs: channel,
      lock: (work) => {
        const run = queue.then(work);
        queue = run.catch(() => undefined);
        return run;
      },
    };
  };
  const signIn = (token: string) => {
    for (const name of Object.values(SESSION_COOKIE)) cookies.set(name, token);
  };
  return { cookies, items, openTab, signIn };
}

test("[AUTH-3] logged in means the corrected token is there, and nothing else", () => {
  expect(hasSession(`${SESSION_COOKIE.correctedToken}=a`)).toBe(true);
  expect(hasSession(`${SESSION_COOKIE.correctedToken}=`)).toBe(false);
  expect(hasSession(`${SESSION_COOKIE.plainToken}=a; ${SESSION_COOKIE.accessToken}=b`)).toBe(false);
});

test("[AUTH-3] ending empties the six cookies and the stored three in every tab", () => {
  const jar = openJar();
  const ended: string[] = [];
  const renew = async () => "over" as const;
  const first = createAuthSession({
    browser: jar.openTab(),
    renew,
    onEnded: (here) => ended.push(here ? "first here" : "first"),
  });
  createAuthSession({
    browser: jar.openTab(),
    renew,
    onEnded: (here) => ended.push(here ? "second here" : "second"),
  });
  jar.signIn("t");
  for (const key of [STORAGE_KEY.accessToken, STORAGE_KEY.userMenu, STORAGE_KEY.tabList]) jar.items.set(key, "x");
  expect(first.isSignedIn()).toBe(true);
  first.end();
  expect([...jar.cookies.keys()]).toEqual([]);
  expect([...jar.items.keys()]).toEqual([]);
  expect(ended).toEqual(["first here", "second"]);
  expect(first.isSignedIn()).toBe(false);
});

test("[AUTH-4] tabs refused together renew once: the second takes the tokens of the first", async () => {
  const jar = openJar();
  let renewed = 0;
  const renew = async () => {
    renewed += 1;
    await Promise.resolve();
    jar.signIn(`token-${renewed}`);
    return "renewed" as const;
  };
  const parts = { renew, onEnded: () => undefined };
  const first = createAuthSession({ browser: jar.openTab(), ...parts });
  const second = createAuthSession({ browser: jar.openTab(), ...parts });
  jar.signIn("old");
  expect(await Promise.all([first.refresh(), second.refresh()])).toEqual(["renewed", "renewed"]);
  expect(renewed).toBe(1);
  expect(second.tokens.accessToken()).toBe("token-1");
});

test("[AUTH-4] a renewal that is refused because another tab has just signed in anew ends nothing", async () => {
  const jar = openJar();
  const renew = async () => {
    await Promise.resolve();
    jar.signIn("of-the-other-tab");
    return "over" as const;
  };
  const session = createAuthSession({ browser: jar.openTab(), renew, onEnded: () => undefined });
  jar.signIn("old");
  expect(await session.refresh()).toBe("renewed");
  expect(session.tokens.accessToken()).toBe("of-the-other-tab");
  // No other tab renewed it: the session is over.
  const alone = createAuthSession({ browser: jar.openTab(), renew: async () => "over", onEnded: () => undefined });
  expect(await alone.refresh()).toBe("over");
});

test("[AUTH-3] marks are read anew for every call, each from its own cookie, and never what authorises", () => {
  const jar = openJar();
  const session = createAuthSession({ browser: jar.openTab(), renew: async () => "over", onEnded: () => undefined });
  expect(session.tokens.accessToken()).toBeUndefined();
  for (const [kind, name] of Object.entries(SESSION_COOKIE)) jar.cookies.set(name, kind);
  expect([
    session.tokens.accessToken(),
    session.tokens.token(),
    session.tokens.loginToken(),
    session.tokens.futuresToken(),
  ]).toEqual(["correctedToken", "plainToken", "correctedToken", undefined]);
});
