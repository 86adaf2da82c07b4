import { expect, test } from "vitest";
import { CLIENT_ID_LENGTH_MAX, CLIENT_ID_PATTERN } from "./client-id.ts";
import { referenceOf } from "./reference.ts";

const UUID = "3b241101-e2bb-4255-8caf-4136c566a962";

test("an id that fits is unchanged", () => {
  expect(referenceOf("t:2s:", "first-1")).toBe("t:2s:first-1");
  expect(referenceOf("g:7:", "x".repeat(32))).toBe(`g:7:${"x".repeat(32)}`);
});

test("a UUID has room in every call and in the ledger, and another one is another", () => {
  expect(UUID).toHaveLength(CLIENT_ID_LENGTH_MAX);
  expect(UUID).toMatch(new RegExp(CLIENT_ID_PATTERN));
  const references = [UUID, UUID.replace("3b", "3c"), UUID.replace("62", "63")].map((id) =>
    referenceOf("gu:2147483647:", id),
  );
  expect(new Set(references).size).toBe(3);
  for (const reference of references) expect(reference).toMatch(/^gu:2147483647:[0-9a-f]{22}$/);
  expect(referenceOf("gu:2147483647:", UUID)).toBe(references[0]);
});

test("the part after the id is never truncated", () => {
  const reference = referenceOf("s:zik0zj:", UUID, ":27");
  expect(reference).toHaveLength(36);
  expect(reference).toMatch(/^s:zik0zj:[0-9a-f]{24}:27$/);
});
