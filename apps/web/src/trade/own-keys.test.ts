// Which keys may be chosen, and what of a kept choice counts.
import { expect, test } from "vitest";
import { checkKeys, chooseKey, FIRST_KEYS } from "./own-keys.ts";

test("[SPOT-8] a key is one free sign; one that is taken or fixed is refused with its reason", () => {
  expect(chooseKey(FIRST_KEYS, "buy", "N")).toEqual({ ok: true, keys: { ...FIRST_KEYS, buy: "n" } });
  expect(chooseKey(FIRST_KEYS, "buy", "b")).toMatchObject({ ok: true });
  expect(chooseKey(FIRST_KEYS, "buy", "s")).toEqual({ ok: false, reason: "taken", by: "sell" });
  expect(chooseKey(FIRST_KEYS, "buy", "/")).toEqual({ ok: false, reason: "fixed" });
  expect(chooseKey(FIRST_KEYS, "buy", "Enter")).toEqual({ ok: false, reason: "shape" });
});

test("[SPOT-8] a kept choice counts whole or not at all", () => {
  expect(checkKeys({ ...FIRST_KEYS, buy: "n" })).toEqual({ ...FIRST_KEYS, buy: "n" });
  for (const bad of [
    null,
    "b",
    {},
    { ...FIRST_KEYS, buy: "s" },
    { ...FIRST_KEYS, buy: "/" },
    { ...FIRST_KEYS, buy: 1 },
  ])
    expect(checkKeys(bad)).toBeUndefined();
});
