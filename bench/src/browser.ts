// The browser of the benchmarks that paint: the full Chromium, since the headless shell paints on no clock and merges
// into one task what Chromium does in several; the shell where there is nothing else. `CW_CHROMIUM` names another.
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const WHOLE = "/usr/bin/chromium";
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

export function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CW_CHROMIUM ?? (existsSync(WHOLE) ? WHOLE : "/usr/bin/chromium-headless-shell");
  return chromium.launch({ executablePath, args: FLAGS });
}
