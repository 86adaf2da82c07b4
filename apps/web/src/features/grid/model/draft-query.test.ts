// A shape that goes through an address comes back as it was, and nothing else does.
import { expect, test } from "vitest";
import { draftQuery, readDraft } from "./draft-query.ts";

const shape = {
  pairCode: "BTC_USDT",
  kind: "long",
  lower: "58000.0",
  upper: "70000.0",
  count: 24,
  spacing: "geometric",
  leverage: 3,
} as const;

test("[GRID-1] the create page starts with a ranked grid's shape", () => {
  const query = draftQuery(shape);
  expect(new URLSearchParams(query).get("pair")).toBe("BTC_USDT");
  const { pairCode: _, count, leverage, ...texts } = shape;
  expect(readDraft(new URLSearchParams(query), false)).toEqual({
    ...texts,
    count: String(count),
    leverage: String(leverage),
  });
  const endless = draftQuery({ ...shape, kind: "infinity", count: 16 });
  expect(readDraft(new URLSearchParams(endless), true)).toMatchObject({ kind: "infinity", count: "8" });
  expect(readDraft(new URLSearchParams(endless), true).upper).toBeUndefined();
});

test("[GRID-1] what an address should not say is left out", () => {
  const odd = new URLSearchParams("kind=long&lower=<b>&upper=1e9&count=-3&spacing=odd&leverage=2");
  expect(readDraft(odd, true)).toEqual({ leverage: "2" });
});
