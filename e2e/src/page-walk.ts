// The walk over every kind of page with one visit each: hydrated without console errors, clean for axe at both sizes
// and in both themes, no wider than the screen. Two files walk a half each, so that two workers share the work.
import type { Browser, Page } from "playwright-core";
import { followSystem, inspectPage, SIZES, sizesAtTurn } from "./axe-find.ts";
import { findNumbers } from "./number-style.ts";
import { listKinds } from "./routes-list.ts";
import { measureOverflow, newPage, visit } from "./site.ts";

/** Parts, because one test of so many pages would need a meaningless limit. */
export const PARTS = 8;
const NOWHERE = "/no-such-page";
/** What the API reference shows of one group. */
const ONE_GROUP = "/api-docs/articles";
/** Rows of one list: axe's findings on these apply to hundreds. */
const ROWS_MAX = 12;
/** The same on every page, on its own background: each part sees it whole once. */
const FOOTER = "footer:not(main footer)";
const NARROW_WIDTHS = [768, 390, 360] as const;

interface Walked {
  readonly troubles: readonly string[];
  readonly pages: number;
  /** Pages seen in both themes: some have one of their own. */
  readonly repainted: number;
}

export async function walkPart(browser: Browser, origin: string, part: number): Promise<Walked> {
  const { context, page, watch } = await newPage(browser);
  await followSystem(page, origin);
  const paths = [...(await listKinds(origin)), ONE_GROUP, NOWHERE].filter((_, index) => index % PARTS === part - 1);
  const troubles: string[] = [];
  let repainted = 0;
  for (const [at, path] of paths.entries()) {
    await page.setViewportSize(SIZES.wide);
    const status = await visit(page, origin + path);
    const isRight = status === (path === NOWHERE ? 404 : 200);
    // A browser reports a missing page as an error.
    const reply = path === NOWHERE ? [] : watch.troubles;
    await hideRows(page);
    const seen = await inspectPage(page, sizesAtTurn(at), undefined, at === 0 ? [] : [FOOTER]);
    if (seen.isRepainted) repainted += 1;
    const found = [
      ...(isRight ? [] : [`answers ${status}`]),
      ...reply,
      ...seen.troubles,
      ...(await findNumbers(page)),
      ...(await findOverflow(page)),
    ];
    troubles.push(...found.map((line) => `${path}: ${line}`));
    watch.troubles.length = 0;
  }
  await context.close();
  return { troubles, pages: paths.length, repainted };
}

async function hideRows(page: Page): Promise<void> {
  await page.evaluate((max) => {
    const rows = [...document.querySelectorAll<HTMLElement>("details")];
    for (const row of rows.slice(max)) row.style.display = "none";
  }, ROWS_MAX);
}

async function findOverflow(page: Page): Promise<readonly string[]> {
  const troubles: string[] = [];
  for (const width of NARROW_WIDTHS) {
    await page.setViewportSize({ width, height: SIZES.narrow.height });
    const wide = await measureOverflow(page);
    if (wide > 0) troubles.push(`${wide} px too wide at ${width}`);
  }
  return troubles;
}
