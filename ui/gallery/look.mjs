// Takes pictures of the gallery: node ui/gallery/look.mjs <out folder> <page> [theme] [width] [height]

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";

const [, , out, page = "sheet", theme = "light", width = "1200", height = "900"] = process.argv;
const folder = join(import.meta.dirname, "../build/gallery");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2" };
const server = createServer(async (request, response) => {
  const path = new URL(request.url, "http://x").pathname;
  try {
    const body = await readFile(join(folder, path === "/" ? "index.html" : path));
    response.setHeader("content-type", TYPES[extname(path)] ?? "text/html");
    response.end(body);
  } catch {
    response.statusCode = 404;
    response.end();
  }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const tab = await browser.newPage({ viewport: { width: Number(width), height: Number(height) } });
tab.on("console", (message) => console.log(message.type(), message.text()));
tab.on("pageerror", (error) => console.log("ERROR", error.message));
await tab.goto(`http://127.0.0.1:${server.address().port}/?page=${page}&theme=${theme}`);
await tab.waitForTimeout(500);
await tab.screenshot({ path: `${out}/${page}-${theme}.png`, fullPage: true });
await browser.close();
server.close();
