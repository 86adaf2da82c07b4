import { expect, test } from "vitest";
import { type KeptSetting, readKept, sameShape, writeKept } from "./kept-setting.ts";

function storageOf(entries: Readonly<Record<string, string>>) {
  const kept = new Map(Object.entries(entries));
  return {
    kept,
    storage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
      removeItem: (key: string) => void kept.delete(key),
    },
  };
}

interface Bars {
  readonly bars: number;
}

/** First a bare number, then `{count}`, now `{bars}`. */
const SETTING: KeptSetting<Bars> = {
  key: "now",
  formerKeys: ["before"],
  steps: [(value) => ({ count: value }), (value) => ({ bars: (value as { count: unknown }).count })],
  check: (value) => (typeof (value as Bars | null)?.bars === "number" ? (value as Bars) : undefined),
};

test("[SITE-4] what is kept carries its version and comes back as it was", () => {
  const { kept, storage } = storageOf({});
  expect(writeKept(SETTING, { bars: 3 }, storage)).toBe(true);
  expect(JSON.parse(kept.get("now") ?? "")).toEqual({ version: 2, value: { bars: 3 } });
  expect(readKept(SETTING, storage)).toEqual({ bars: 3 });
  writeKept(SETTING, undefined, storage);
  expect([...kept]).toEqual([]);
});

test.each([
  ["before versions were written", { now: "5" }],
  ["in the version before", { now: '{"version":1,"value":{"count":5}}' }],
  ["under another key", { before: '{"version":1,"value":{"count":5}}' }],
])("[SITE-4] a setting kept %s is brought forward and kept anew", (_name, entries) => {
  const { kept, storage } = storageOf(entries);
  expect(readKept(SETTING, storage)).toEqual({ bars: 5 });
  expect([...kept]).toEqual([["now", '{"version":2,"value":{"bars":5}}']]);
});

test.each(["", "{", '"x"', "null", '{"version":3,"value":{"bars":5}}', '{"version":2,"value":{"bars":"5"}}'])(
  "[SITE-4] %j counts as nothing kept and is unchanged",
  (text) => {
    const { kept, storage } = storageOf({ now: text });
    expect(readKept(SETTING, storage)).toBeUndefined();
    expect(kept.get("now")).toBe(text);
  },
);

test("[SITE-4] without storage nothing is kept and nothing fails", () => {
  const storage = {
    getItem: () => {
      throw new Error("forbidden");
    },
    setItem: () => {
      throw new Error("full");
    },
    removeItem: () => undefined,
  };
  expect(readKept({ ...SETTING, steps: [sameShape] }, storage)).toBeUndefined();
  expect(writeKept(SETTING, { bars: 1 }, storage)).toBe(false);
});
