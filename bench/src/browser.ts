// The browser of the benchmarks that paint: Debian's headless shell, else the whole Chromium; `CW_CHROMIUM` names another.
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const SHELL = "/usr/bin/chromium-headless-shell";
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

export function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CW_CHROMIUM ?? (existsSync(SHELL) ? SHELL : "/usr/bin/chromium");
  return chromium.launch({ executablePath, args: FLAGS });
}
