// Places of the console: everyone sees what they may open, and an address below a place belongs to it.
import { expect, test } from "vitest";
import { hasPage } from "#boot/route-table.ts";
import { findPlace, mayOpen, PLACE_GROUPS } from "./console-places.ts";

const places = PLACE_GROUPS.flatMap((group) => group.places);

test("[OPS-1] every place of the console has a page, and each address is listed once", () => {
  expect(places.length).toBeGreaterThan(20);
  expect(places.filter(({ path }) => !hasPage(path))).toEqual([]);
  expect(new Set(places.map(({ path }) => path)).size).toBe(places.length);
});

test("[OPS-1] a role without a permission sees no place that requires it", () => {
  const seen = places.filter((place) => mayOpen(place, ["support.answer"])).map(({ path }) => path);
  expect(seen).toEqual(["/operator", "/operator/tickets", "/operator/proposals"]);
});

test("[OPS-1] one user's page belongs to the list of users", () => {
  expect(findPlace("/operator/users/407182265")?.path).toBe("/operator/users");
  expect(findPlace("/operator")?.path).toBe("/operator");
  expect(findPlace("/operator/nothing")).toBeUndefined();
});
