import { expect, test } from "vitest";
import { usesSystem } from "./notice-ways.ts";

test("[USR-3] the system notification is used when chosen, permitted, and the page is out of sight", () => {
  const on = { sound: false, system: true };
  expect(usesSystem(on, "granted", false)).toBe(true);
  expect(usesSystem(on, "granted", true)).toBe(false);
  for (const permission of ["default", "denied", "missing"] as const)
    expect(usesSystem(on, permission, false)).toBe(false);
  expect(usesSystem({ sound: true, system: false }, "granted", false)).toBe(false);
});
