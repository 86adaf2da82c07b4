// Where hits of the console's search lead.
import { expect, test } from "vitest";
import { placeOf } from "./search-places.ts";

test("[OPS-1] a hit leads to its user's page on its part, a ticket to the desk of those who may answer", () => {
  const hit = { id: "7", detail: "", user: "407182265" } as const;
  expect(placeOf({ ...hit, kind: "user" }, [])).toBe("/operator/users/407182265");
  expect(placeOf({ ...hit, kind: "order" }, [])).toBe("/operator/users/407182265?tab=orders&find=7");
  expect(placeOf({ ...hit, kind: "ticket", id: "CW-1", user: null }, ["support.answer"])).toContain("number=CW-1");
  expect(placeOf({ ...hit, kind: "ticket", user: null }, [])).toBeUndefined();
  expect(placeOf({ ...hit, kind: "proposal", user: null }, [])).toBe("/operator/proposals");
});
