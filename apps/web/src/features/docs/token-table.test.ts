import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { highlight } from "./highlight.ts";
import { measureContrast, readTokens } from "./token-table.ts";

const css = readFileSync(createRequire(import.meta.url).resolve("@clockwork/ui/tokens.css"), "utf8");

test("[PAGE-3] the documented colours are those of the stylesheet, in all three themes", () => {
  const [bg, up, text] = readTokens(css, ["bg", "up", "text"]);
  expect(bg?.colors).toEqual({ light: "#ffffff", dark: "#212121", terminal: "#141416" });
  expect(up?.colors.light.toLowerCase()).toBe("#0e9f6e");
  expect(up?.colors.dark.toLowerCase()).toBe("#2ebd85");
  expect(text?.contrast.light).toBeGreaterThan(15);
});

test("[SITE-20] text roles reach AA on the page in light and dark", () => {
  for (const row of readTokens(css, ["text", "muted", "up-text", "down-text", "danger", "warn", "info"])) {
    expect(row.contrast.light, row.name).toBeGreaterThanOrEqual(4.5);
    expect(row.contrast.dark, row.name).toBeGreaterThanOrEqual(4.5);
  }
  expect(measureContrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
});

test("[PAGE-3] highlighting loses and adds nothing", () => {
  const code = 'import { a } from "b"; // note\nconst x = `t`;\n/* end */';
  expect(
    highlight(code)
      .map(({ text }) => text)
      .join(""),
  ).toBe(code);
  expect(highlight(code)[0]).toEqual({ kind: "word", text: "import" });
});
