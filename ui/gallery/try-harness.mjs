// What the trying scripts share: opening a page, comparing, looking and running axe.

import axe from "axe-core";
import { openGallery } from "./serve.mjs";

export const out = process.argv[2] ?? ".";
export const gallery = await openGallery();
export const tally = { failures: 0 };

export function same(what, got, wanted) {
  const ok = JSON.stringify(got) === JSON.stringify(wanted);
  if (!ok) tally.failures++;
  console.log(ok ? "ok  " : "FAIL", what, ok ? "" : `got ${JSON.stringify(got)} wanted ${JSON.stringify(wanted)}`);
}

export async function visit(page, theme = "light", options = {}) {
  const tab = await gallery.browser.newPage({
    viewport: { width: 1200, height: 900 },
    reducedMotion: "reduce",
    ...options,
  });
  tab.on("pageerror", (error) => same(`${page}: no error`, error.message, ""));
  tab.on("console", (message) => message.type() === "error" && same(`${page}: no console error`, message.text(), ""));
  await tab.goto(gallery.address(page, theme));
  tab.setDefaultTimeout(5000);
  return tab;
}

/** `region` asks landmarks of overlays, which stand outside the page on purpose. */
export async function check(tab, name, skip = []) {
  await tab.waitForTimeout(250);
  await tab.screenshot({ path: `${out}/try-${name}.png` });
  await tab.evaluate(axe.source);
  const off = Object.fromEntries(["region", ...skip].map((rule) => [rule, { enabled: false }]));
  const found = await tab.evaluate((rules) => globalThis.axe.run({ rules }), off);
  for (const violation of found.violations) {
    tally.failures++;
    console.log(
      "FAIL axe",
      name,
      violation.id,
      violation.nodes[0]?.target,
      violation.nodes[0]?.html.slice(0, 220),
      violation.nodes[0]?.any[0]?.message ?? "",
    );
  }
}

export const focused = (tab) =>
  tab.evaluate(() => document.activeElement?.textContent?.trim() || document.activeElement?.getAttribute("aria-label"));
export const flows = [];
export const flow = (name, run) => flows.push([name, run]);
