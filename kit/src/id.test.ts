import fc from "fast-check";
import { expect, test } from "vitest";
import { CLIENT_ORDER_ID_LENGTH_MAX, isClientOrderId, mintClientOrderId, mintId, mintRequestId } from "./id.ts";

const fill = (value: number) => (bytes: Uint8Array<ArrayBuffer>) => bytes.fill(value);

test("[NET-4] ids depend only on the given time and randomness", () => {
  expect(mintId(0, fill(0))).toBe("0".repeat(26));
  expect(mintId(1_700_000_000_000, fill(255))).toBe(`01HF7YAT00${"Z".repeat(16)}`);
  expect(mintRequestId(0, fill(1))).toBe(`req-0000000000${"1".repeat(16)}`);
});

test("[NET-4] later ids sort after earlier ones", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 47 }), fc.integer({ min: 1, max: 10 ** 9 }), (timeMs, laterMs) => {
      expect(mintId(timeMs, fill(31)) < mintId(timeMs + laterMs, fill(0))).toBe(true);
    }),
  );
});

test("[NET-4] a minted client order id fits the rule for client order ids", () => {
  const id = mintClientOrderId(1_700_000_000_000, (bytes) => crypto.getRandomValues(bytes));
  expect(isClientOrderId(id)).toBe(true);
  expect(id.startsWith("cw-")).toBe(true);
  expect(id.length).toBeLessThanOrEqual(CLIENT_ORDER_ID_LENGTH_MAX);
});

test("[NET-4] other texts are no client order ids", () => {
  for (const text of ["", "a b", "é", "x".repeat(37), "a\n", "<script>"]) expect(isClientOrderId(text)).toBe(false);
  expect(isClientOrderId("Az09._:/-")).toBe(true);
  expect(isClientOrderId("x".repeat(36))).toBe(true);
});
