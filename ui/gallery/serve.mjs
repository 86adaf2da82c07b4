// Serves the built gallery on a free port of the loopback and opens a browser beside it.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";

const FOLDER = join(import.meta.dirname, "../build/gallery");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2" };

/** `draw` turns a page name into a whole document; without it the browser draws. */
export async function openGallery(draw) {
  const server = createServer(async (request, response) => {
    const { pathname: path, searchParams } = new URL(request.url, "http://x");
    if (path === "/" && draw) {
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(draw(searchParams.get("page") ?? "sheet"));
      return;
    }
    try {
      const body = await readFile(join(FOLDER, path === "/" ? "index.html" : path));
      response.setHeader("content-type", TYPES[extname(path)] ?? "text/html");
      response.end(body);
    } catch {
      response.statusCode = path === "/favicon.ico" ? 204 : 404;
      response.end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const executablePath = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find(existsSync);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  return {
    browser,
    address: (page, theme) => `http://127.0.0.1:${server.address().port}/?page=${page}&theme=${theme}`,
    close: async () => {
      await browser.close();
      server.close();
    },
  };
}
