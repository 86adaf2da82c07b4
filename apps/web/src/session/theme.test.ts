import { expect, test } from "vitest";
import { choiceOn, themeOn } from "./theme.ts";

const terminal = { usualMode: "dark" } as const;
const site = { theme: "light", terminalTheme: undefined, systemDark: false } as const;

test("[SITE-5] [SPOT-1] a terminal is dark on the first visit under any theme, and keeps its own choice", () => {
  for (const theme of ["light", "dark", "system"] as const) expect(themeOn(terminal, { ...site, theme })).toBe("dark");
  expect(themeOn(terminal, { ...site, theme: "dark", terminalTheme: "light" })).toBe("light");
  expect(themeOn(undefined, { ...site, terminalTheme: "dark" })).toBe("light");
  expect(choiceOn(terminal, { ...site, terminalTheme: "system" })).toBe("system");
});

test("[SITE-5] under system the browser's setting counts, and a page with its own mode never changes", () => {
  expect(themeOn(undefined, { ...site, theme: "system", systemDark: true })).toBe("dark");
  expect(themeOn(terminal, { ...site, terminalTheme: "system", systemDark: false })).toBe("light");
  expect(themeOn({ colorMode: "light" }, { ...site, theme: "dark", terminalTheme: "dark" })).toBe("light");
});
