// Proves that tests which pass on nothing are found: a claim about a list that may be empty, an expectation that never ran.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkClaims, listUnreached, markExpectations } from "./check-tests.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cw-claims-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("[HOUSE-5] a claim about every item of a list is reported, one about literal items is not", () => {
  const text = [
    "claim(list.every((one) => one > 0));",
    "claim([1, 2].every((one) => one > 0));",
    "clock.every(60_000, run);",
    "claim(names?.every(isWhole));",
  ].join("\n");
  writeFileSync(join(root, "a.test.ts"), text);
  writeFileSync(join(root, "a.ts"), text);
  const found = checkClaims(root, ["a.test.ts", "a.ts"]);
  expect(found.map((line) => line.replace(/ .*/, ""))).toEqual(["a.test.ts:1", "a.test.ts:4"]);
});

test("[HOUSE-5] an expectation that never ran is reported, one behind a failure is not", () => {
  const text = [
    "for (const one of list) expect(one).toBe(1);",
    "expect.poll(read).toBe(2);",
    "if (isBroken) expect.unreachable();",
    'const words = "expect(nothing)";',
  ].join("\n");
  writeFileSync(join(root, "a.test.ts"), text);
  const marked = markExpectations("a.test.ts", text);
  expect(marked.split("\n").slice(1)).toEqual([
    "(__reached(2), expect).poll(read).toBe(2);",
    ...text.split("\n").slice(2),
  ]);
  expect(listUnreached(root, ["a.test.ts"], "a.test.ts:2\n")).toEqual(["a.test.ts:1"]);
  expect(listUnreached(root, ["a.test.ts"], "a.test.ts:2\na.test.ts:1\n")).toEqual([]);
});
