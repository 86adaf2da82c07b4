// Instants in the console's forms.
import { expect, test } from "vitest";
import { readInstant, writeInstant } from "./operator-action.tsx";

test("[USR-7] an instant shown in a form is read again as it was, to the minute", () => {
  for (const ms of [0, Date.UTC(2026, 10, 15, 6), Date.UTC(2031, 1, 28, 23, 59)])
    expect(readInstant(writeInstant(ms))).toEqual({ ms });
  expect(readInstant(writeInstant(null))).toEqual({ ms: null });
  expect(readInstant("11-15 06:00")).toBeUndefined();
  expect(readInstant("2026-02-30 06:00")).toBeUndefined();
});
