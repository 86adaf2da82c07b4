// Runs axe in an open page and returns its findings, one line each.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What a bar at the edge covers depends on the scroll position and is unrelated to a target's size. */
function isUnderBar(id: string, { failureSummary = "" }: Violation["nodes"][number]): boolean {
  return id === "target-size" && failureSummary.includes("partially obscured");
}

const ALL_RULES = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};
/** A theme changes colours and nothing else: where a page has passed every rule in one, these are left for the other. */
const COLOURS = ["color-contrast", "link-in-text-block"];
const RULES = {
  all: { runOnly: ALL_RULES },
  colours: { runOnly: { type: "rule", values: COLOURS } },
  besidesColours: { runOnly: ALL_RULES, rules: Object.fromEntries(COLOURS.map((rule) => [rule, { enabled: false }])) },
} as const;

export const SIZES = {
  wide: { width: 1440, height: 900 },
  narrow: { width: 390, height: 844 },
} as const;

/** Of the pages of a walk every second one is seen dark on a screen, the others on a phone. */
export const sizesAtTurn = (turn: number) => (turn % 2 === 0 ? SIZES : { narrow: SIZES.narrow, wide: SIZES.wide });

/** Before the visit: a page that follows the system, which is light, so that it can be turned dark in place. */
export async function followSystem(page: Page, origin: string): Promise<void> {
  const names = ["theme", "cw_terminal_theme"];
  await page.context().addCookies(names.map((name) => ({ name, value: "system", url: origin })));
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}

/**
 * What axe finds on a page that follows the system, with one visit for all: every rule at every size, light colours at
 * the first of them and dark ones at the last (colours do not depend on the width; a walk over many pages takes turns,
 * `sizesAtTurn`). `look` runs at every size. Reports also whether the page has been seen in both themes: some have one
 * of their own. `besides` names parts that are left out, because they are the same on a page that has been seen whole.
 */
export async function inspectPage(
  page: Page,
  sizes: Readonly<Record<string, { readonly width: number; readonly height: number }>> = SIZES,
  look: (size: { readonly width: number }) => Promise<readonly string[]> = async () => [],
  besides: readonly string[] = [],
): Promise<{ readonly troubles: readonly string[]; readonly isRepainted: boolean }> {
  const troubles: string[] = [];
  const painted = await paintedTheme(page);
  for (const [at, [name, size]] of Object.entries(sizes).entries()) {
    await page.setViewportSize(size);
    const found = await findViolations(page, at === 0 ? "all" : "besidesColours", besides);
    troubles.push(...found.map((line) => `${painted}, ${name}: ${line}`));
    troubles.push(...(await look(size)));
  }
  await page.emulateMedia({ colorScheme: "dark" });
  const isRepainted = (await paintedTheme(page)) !== painted;
  for (const [name] of isRepainted ? Object.entries(sizes).slice(-1) : []) {
    troubles.push(...(await findViolations(page, "colours", besides)).map((line) => `repainted, ${name}: ${line}`));
  }
  await page.emulateMedia({ colorScheme: "light" });
  return { troubles, isRepainted };
}

/** Once the page has received the system's setting, has drawn it, and all colour transitions have ended. */
function paintedTheme(page: Page): Promise<string | undefined> {
  return page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const moving = () =>
      document.getAnimations().filter((one) => one instanceof CSSTransition && one.playState === "running");
    for (let count = 0; count < 3; count++) await frame();
    while (moving().length > 0) await Promise.allSettled([...moving().map(({ finished }) => finished), frame()]);
    return document.documentElement.dataset.theme;
  });
}

export async function findViolations(
  page: Page,
  rules: keyof typeof RULES = "all",
  besides: readonly string[] = [],
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource);
  const found = await page.evaluate(
    async ({ rules, besides }) => {
      const { axe } = globalThis as unknown as {
        axe: { run: (where: object, options: object) => Promise<{ violations: Violation[] }> };
      };
      // A live announcement remains here for seconds, naming a button that may have gone since.
      const where = { exclude: ["[data-live-announcer]", ...besides] };
      // Only violations are read, and no rule that runs needs style sheets.
      return (await axe.run(where, { ...rules, resultTypes: ["violations"], preload: false })).violations;
    },
    { rules: RULES[rules], besides },
  );
  return found.flatMap(({ id, nodes }) => {
    const kept = nodes.filter((node) => !isUnderBar(id, node));
    if (kept.length === 0) return [];
    const lines = kept.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary ?? ""}`);
    return [`${id}: ${lines.join(" | ")}`];
  });
}
