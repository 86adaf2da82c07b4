// SITE-20: axe finds nothing on any page, light and dark, wide and narrow, nor in the panels of the header.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listKinds } from "./routes-list.ts";
import { newPage, openBrowser, type Site, startSite, visit } from "./site.ts";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let site: Site;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

async function findViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: Violation[] }> };
    };
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    return (await axe.run({ runOnly: { type: "tag", values: tags } })).violations;
  });
  return found.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary ?? ""}`).join(" | ")}`,
  );
}

for (const theme of ["light", "dark"] as const) {
  for (const [name, viewport] of [
    ["wide", { width: 1440, height: 900 }],
    ["narrow", { width: 390, height: 844 }],
  ] as const) {
    test(`[SITE-20] axe finds nothing on any page, ${theme}, ${name}`, async () => {
      const { context, page } = await newPage(browser, { viewport, reducedMotion: "reduce" });
      await context.addCookies([{ name: "theme", value: theme, url: site.origin }]);
      for (const path of [...(await listKinds(site.origin)), "/no-such-page"]) {
        await visit(page, site.origin + path);
        expect(await findViolations(page), path).toEqual([]);
      }
      await context.close();
    });
  }

  test(`[SITE-20] axe finds nothing in the header's panels, ${theme}`, async () => {
    const { context, page } = await newPage(browser, { reducedMotion: "reduce" });
    await context.addCookies([{ name: "theme", value: theme, url: site.origin }]);
    await visit(page, site.origin);
    await page.getByRole("button", { name: "More" }).click();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /language and currency/ }).click();
    await page.getByRole("dialog").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await page.getByRole("combobox").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await context.close();
  });
}
