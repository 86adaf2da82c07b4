import { expect, test } from "vitest";
import { nameVisit } from "./visit-report.ts";

test.each([
  ["/", "home"],
  ["/en_US", "home"],
  ["/en_US/docs", nameVisit("/docs")],
  ["/nowhere/at/all", "unknown"],
])("[NET-8] a visit of %s is counted as %s", (pathname, name) => {
  expect(nameVisit(pathname)).toBe(name);
  expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9_.:/-]*$/);
});
