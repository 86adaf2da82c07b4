// Used signatures: refused as long as their time is valid, in a bounded number.
import { expect, test } from "vitest";
import { Parameters } from "./request.ts";
import { seenSignatures } from "./seen.ts";

const call = (signature: string) => ({ parameters: new Parameters(new Map()), signature, payload: "" });

test("[BOT-1] a signature is taken once while its time could be good, whenever in between it came", () => {
  for (const firstMs of [1_000_000, 1_030_000, 1_060_999]) {
    const seen = seenSignatures();
    seen.require(call("before"), 1_000_000);
    seen.require(call("a"), firstMs);
    for (const laterMs of [0, 1, 30_000, 60_999]) {
      expect(() => seen.require(call("a"), firstMs + laterMs)).toThrow(/not valid/);
      seen.require(call(`other ${laterMs}`), firstMs + laterMs);
    }
    for (const lot of [2, 4]) seen.require(call(`lot ${lot}`), firstMs + lot * 61_000);
    seen.require(call("a"), firstMs + 4 * 61_000);
  }
});

test("[BOT-1] as many as there is room for are remembered, the oldest are given up first", () => {
  const seen = seenSignatures(10);
  for (let index = 0; index < 35; index += 1) seen.require(call(String(index)), 5);
  for (let index = 25; index < 35; index += 1) expect(() => seen.require(call(String(index)), 5)).toThrow(/not valid/);
  seen.require(call("0"), 5);
});

test("[BOT-1] a read may be repeated, and its signature changes nothing", () => {
  const seen = seenSignatures();
  for (const timeMs of [5, 5, 6]) seen.note(call("read"), timeMs);
  expect(() => seen.require(call("read"), 7)).toThrow(/not valid/);
  seen.require(call("change"), 7);
  seen.note(call("change"), 8);
});
