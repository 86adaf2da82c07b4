// Takes pictures of gallery pages and runs axe on them:
// node ui/gallery/look.mjs <out folder> <pages, comma> <themes, comma> [width] [height]

import axe from "axe-core";
import { openGallery } from "./serve.mjs";

const [, , out, pages = "sheet", themes = "light,dark", width = "1200", height = "900"] = process.argv;

export function report(place, found) {
  for (const violation of found.violations) {
    console.log("AXE", place, violation.id, violation.nodes.length);
    for (const node of violation.nodes.slice(0, 4)) {
      console.log("   ", node.html.slice(0, 200), node.any[0]?.message ?? node.all[0]?.message ?? "");
    }
  }
}

const gallery = await openGallery();
for (const page of pages.split(",")) {
  for (const theme of themes.split(",")) {
    const viewport = { width: Number(width), height: Number(height) };
    const tab = await gallery.browser.newPage({ viewport, reducedMotion: "reduce" });
    tab.on("console", (message) => message.type() !== "verbose" && console.log(page, message.type(), message.text()));
    tab.on("pageerror", (error) => console.log(page, "ERROR", error.message));
    await tab.goto(gallery.address(page, theme));
    await tab.waitForTimeout(300);
    await tab.screenshot({ path: `${out}/${page}-${theme}.png`, fullPage: true });
    await tab.evaluate(axe.source);
    report(`${page} ${theme}`, await tab.evaluate(() => globalThis.axe.run()));
    await tab.close();
  }
}
await gallery.close();
