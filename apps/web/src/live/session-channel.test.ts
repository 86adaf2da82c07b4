import { expect, test } from "vitest";
import { createSessionChannel, emptyCookieTexts, openTabChannel, type TabChannel } from "./session-channel.ts";

function tab(name: string, tabs: TabChannel | undefined) {
  const items = new Map([
    ["cw_access_token", "t"],
    ["cw_user_menu", "{}"],
    ["cw_tab_list", "[]"],
    ["cw_language", "en_US"],
  ]);
  const received: string[] = [];
  const channel = createSessionChannel({
    storage: {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
    },
    tabs,
    emptyCookies: () => received.push("cookies"),
    onCleared: (here) => received.push(`${name} ${here ? "here" : "elsewhere"}`),
  });
  return { channel, items, received };
}

test("[AUTH-3] clearing removes the stored access token, user menu and tab list, in every tab", async () => {
  const name = `session-test-${process.pid}`;
  const first = tab("first", openTabChannel(name));
  const second = tab("second", openTabChannel(name));
  first.channel.clear();
  expect([...first.items.keys()]).toEqual(["cw_language"]);
  expect(first.received).toEqual(["cookies", "first here"]);
  await expect.poll(() => second.received).toEqual(["cookies", "second elsewhere"]);
  expect([...second.items.keys()]).toEqual(["cw_language"]);
  expect(first.received).toHaveLength(2);
  first.channel.close();
  second.channel.close();
});

test("[AUTH-3] without a channel, or with a storage that throws, this tab is cleared all the same", () => {
  const alone = tab("alone", undefined);
  alone.channel.clear();
  expect(alone.received).toEqual(["cookies", "alone here"]);
  const received: boolean[] = [];
  const refuse = () => {
    throw new Error("forbidden");
  };
  createSessionChannel({
    storage: { getItem: refuse, setItem: refuse, removeItem: refuse },
    tabs: undefined,
    emptyCookies: () => {},
    onCleared: (here) => received.push(here),
  }).clear();
  expect(received).toEqual([true]);
});

test("[AUTH-3] cookies are emptied on the host and on the parent domain", () => {
  expect(emptyCookieTexts(["a"], undefined)).toEqual(["a=; path=/; max-age=0; samesite=lax"]);
  expect(emptyCookieTexts(["a", "b"], ".x.example")).toHaveLength(4);
  expect(emptyCookieTexts(["a"], ".x.example")[1]).toContain("domain=.x.example");
});
