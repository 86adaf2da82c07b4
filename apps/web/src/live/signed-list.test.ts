import { generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { createDomainPicker, type Domain } from "./domains.ts";
import { readSigned } from "./signed-list.ts";
import { ManualClock } from "./test-clock.ts";

const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const KEY = Buffer.from(publicKey.export({ format: "der", type: "spki" }).subarray(-32)).toString("base64");

function publish(list: unknown, key = privateKey): string {
  const text = JSON.stringify(list);
  return JSON.stringify({ list: text, signature: sign(null, Buffer.from(text), key).toString("base64") });
}

const domain = (name: string): Domain => ({
  api: `https://${name}/api`,
  futuresApi: `https://${name}/futuresapi`,
  socket: `wss://${name}/ws`,
  futuresSocket: `wss://${name}/ws`,
});
const OWN: Domain = { api: "/api", futuresApi: "/futuresapi", socket: "/ws", futuresSocket: "/ws" };

test("[NET-7] a published list counts with its signature alone", async () => {
  const good = publish({ domains: [1] });
  expect(await readSigned(good, KEY)).toEqual({ domains: [1] });
  expect(await readSigned(good.replace("[1]", "[2]"), KEY)).toBeUndefined();
  expect(await readSigned(publish({}, generateKeyPairSync("ed25519").privateKey), KEY)).toBeUndefined();
  for (const text of [undefined, "", "null", "[]", '{"list":"[]"}', "<b>"])
    expect(await readSigned(text, KEY)).toBeUndefined();
});

function open(isAlive: (url: string) => boolean, text: () => string, items = new Map<string, string>()) {
  const picker = createDomainPicker({
    listUrls: [],
    fallback: OWN,
    fetch: async (url) => {
      if (!isAlive(url)) throw new TypeError("no way there");
      return new Response(url === "https://store.example/list" ? text() : "{}");
    },
    clock: new ManualClock(),
    storage: {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
    },
    published: { url: "https://store.example/list", key: KEY },
    allows: ({ api }) => api.startsWith("https://fast."),
  });
  return { picker, items };
}

test("[NET-7] its living address is taken, addresses the page may not call are left out, the last good list is kept", async () => {
  const signed = publish({ domains: [domain("evil.example"), domain("fast.example")] });
  const isAlive = (url: string) => !url.startsWith("/api");
  const first = open(isAlive, () => signed);
  expect((await first.picker.refresh()).api).toBe("https://fast.example/api");
  first.items.delete("cw_domain");
  const forged = signed.replace("fast.example", "fast.stolen");
  expect((await open(isAlive, () => forged, first.items).picker.refresh()).api).toBe("https://fast.example/api");
  expect((await open(isAlive, () => forged).picker.refresh()).api).toBe("/api");
});
