// Takes every page, light and dark, at three sizes, into a folder for review: npm run screens [folder]. Also the panels
// of the header, the error page and a shell. Prints one line per picture and fails when a page complains.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { listKinds } from "./routes-list.ts";
import { launchBrowser, newPage, ROOT_FOLDER, startSite, visit } from "./site.ts";

const SIZES = [
  { name: "1440", viewport: { width: 1440, height: 900 } },
  { name: "1920", viewport: { width: 1920, height: 1080 } },
  { name: "390", viewport: { width: 390, height: 844 } },
] as const;
const THEMES = ["light", "dark"] as const;

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly act?: (page: Page) => Promise<void>;
  /** Only where this much width is. */
  readonly wide?: boolean;
}

async function openPanel(page: Page, button: string | RegExp): Promise<void> {
  await page.getByRole("button", { name: button }).first().click();
}

const PANELS: readonly Shot[] = [
  { name: "panel-more", path: "/", wide: true, act: (page) => openPanel(page, "More") },
  { name: "panel-settings", path: "/", wide: true, act: (page) => openPanel(page, /language and currency/) },
  { name: "panel-search", path: "/", act: (page) => page.keyboard.press("/") },
  { name: "panel-menu", path: "/", wide: false, act: (page) => openPanel(page, "Open menu") },
  { name: "error-404", path: "/no-such-page" },
];

function listShots(paths: readonly string[]): readonly Shot[] {
  const pages = paths.map((path) => ({ name: path === "/" ? "home" : path.slice(1).replaceAll("/", "-"), path }));
  return [...pages, ...PANELS];
}

async function takeAll(browser: Browser, origin: string, folder: string): Promise<number> {
  const shots = listShots(await listKinds(origin));
  let taken = 0;
  let troubled = 0;
  const total = shots.length * SIZES.length * THEMES.length;
  for (const size of SIZES) {
    for (const theme of THEMES) {
      const { context, page, watch } = await newPage(browser, { viewport: size.viewport, reducedMotion: "reduce" });
      await context.addCookies([
        { name: "theme", value: theme, url: origin },
        { name: "cw_notice", value: "1", url: origin },
      ]);
      for (const shot of shots) {
        taken++;
        if (shot.wide !== undefined && shot.wide !== size.viewport.width >= 1024) continue;
        await visit(page, origin + shot.path);
        await page.evaluate(() => document.fonts.ready);
        await shot.act?.(page);
        await page.waitForTimeout(250);
        const file = join(folder, `${shot.name}-${size.name}-${theme}.png`);
        await page.screenshot({ path: file, fullPage: shot.act === undefined });
        const complaints = watch.troubles.splice(0).filter((text) => !text.includes("404 (Not Found)"));
        troubled += complaints.length;
        process.stdout.write(
          `${taken}/${total} ${file}${complaints.length > 0 ? `\n  ${complaints.join("\n  ")}` : ""}\n`,
        );
      }
      await context.close();
    }
  }
  return troubled;
}

const folder = resolve(process.argv[2] ?? join(ROOT_FOLDER, "screens"));
mkdirSync(folder, { recursive: true });
const site = await startSite();
const browser = await launchBrowser();
try {
  const troubled = await takeAll(browser, site.origin, folder);
  process.exitCode = troubled === 0 ? 0 : 1;
} finally {
  await browser.close();
  await site.stop();
}
