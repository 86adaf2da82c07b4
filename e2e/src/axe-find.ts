// Runs axe in an open page and says what it found, one line each.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What a bar at the edge lies over depends on how far the page is scrolled and says nothing about a target's size. */
function isUnderBar(id: string, { failureSummary = "" }: Violation["nodes"][number]): boolean {
  return id === "target-size" && failureSummary.includes("partially obscured");
}

const ALL_RULES = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};
/** A theme changes colours and nothing else: where a page has passed every rule in one, these are left for the other. */
const COLOUR_RULES = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

export async function findViolations(page: Page, isRepainted = false): Promise<readonly string[]> {
  await page.evaluate(axeSource);
  const found = await page.evaluate(
    async (runOnly) => {
      const { axe } = globalThis as unknown as {
        axe: { run: (options: object) => Promise<{ violations: Violation[] }> };
      };
      return (await axe.run({ runOnly })).violations;
    },
    isRepainted ? COLOUR_RULES : ALL_RULES,
  );
  return found.flatMap(({ id, nodes }) => {
    const kept = nodes.filter((node) => !isUnderBar(id, node));
    if (kept.length === 0) return [];
    const lines = kept.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary ?? ""}`);
    return [`${id}: ${lines.join(" | ")}`];
  });
}
