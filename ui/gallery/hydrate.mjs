// Draws every gallery page on the server, lets the browser take it over, and prints whatever it complains about.
// Needs: vite build, and vite build --ssr server.tsx --outDir ../build/gallery-server

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openGallery } from "./serve.mjs";

const { render } = await import(join(import.meta.dirname, "../build/gallery-server/server.js"));
const shell = await readFile(join(import.meta.dirname, "../build/gallery/index.html"), "utf8");
const gallery = await openGallery((page) =>
  shell.replace('<div id="root"></div>', `<div id="root">${render(page)}</div>`),
);
const pages =
  "sheet,icons,terminal,color,date,directives,drag-sort,element-plus,element-plus-data,element-plus-page,fonts,geetest,select";
let complaints = 0;
for (const page of pages.split(",")) {
  const tab = await gallery.browser.newPage({ viewport: { width: 1200, height: 900 }, locale: "de-DE" });
  const complain = (text) => {
    complaints++;
    console.log(page, text);
  };
  tab.on("console", (message) => ["error", "warning"].includes(message.type()) && complain(message.text()));
  tab.on("pageerror", (error) => complain(error.message));
  await tab.goto(gallery.address(page, "light"));
  await tab.waitForTimeout(500);
  await tab.close();
}
console.log(complaints === 0 ? "all pages taken over without a word" : `${complaints} complaints`);
await gallery.close();
process.exitCode = complaints === 0 ? 0 : 1;
