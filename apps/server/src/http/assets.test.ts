import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { type FastifyInstance, fastify } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mountAssets } from "./assets.ts";

const SCRIPT = "export const wheel = 1;\n".repeat(100);
let folder: string;
let app: FastifyInstance;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cw-assets-"));
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "secret.json"), "{}");
  writeFileSync(join(folder, "assets/wheel-a1.js"), SCRIPT);
  writeFileSync(join(folder, "assets/wheel-a1.js.gz"), gzipSync(SCRIPT));
  writeFileSync(join(folder, "assets/wheel-a1.js.br"), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, "assets/mark-b2.svg"), "<svg/>");
  app = fastify();
  mountAssets(app, join(folder, "assets"));
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (path: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
  app.inject({ method, url: `/assets/${path}`, headers });

test.each([
  ["gzip, deflate, br", "br", brotliCompressSync(SCRIPT)],
  ["gzip", "gzip", gzipSync(SCRIPT)],
  ["br;q=0, gzip", "gzip", gzipSync(SCRIPT)],
  ["identity", undefined, Buffer.from(SCRIPT)],
])(
  "[SITE-1] a file is sent in the smallest form that %s allows, kept for a year",
  async (accepted, encoding, bytes) => {
    for (let round = 0; round < 2; round++) {
      const { statusCode, headers, rawPayload } = await ask("wheel-a1.js", { "accept-encoding": accepted });
      expect(statusCode).toBe(200);
      expect(headers).toMatchObject({
        "content-type": "text/javascript; charset=utf-8",
        "cache-control": "public, max-age=31536000, immutable",
        "content-length": String(bytes.length),
        vary: "accept-encoding",
      });
      expect(headers["content-encoding"]).toBe(encoding);
      expect(rawPayload.equals(bytes)).toBe(true);
    }
  },
);

test("[SITE-1] a client that has the asset gets 304; a HEAD request gets no body; small assets are not packed", async () => {
  const { headers } = await ask("wheel-a1.js");
  const again = await ask("wheel-a1.js", { "if-none-match": String(headers.etag) });
  expect([again.statusCode, again.payload]).toEqual([304, ""]);
  const head = await ask("wheel-a1.js", {}, "HEAD");
  expect([head.statusCode, head.payload, head.headers["content-length"]]).toEqual([200, "", String(SCRIPT.length)]);
  const small = await ask("mark-b2.svg", { "accept-encoding": "br" });
  expect([small.headers["content-type"], small.headers["content-encoding"], small.payload]).toEqual([
    "image/svg+xml",
    undefined,
    "<svg/>",
  ]);
});

test("[SITE-11] nothing but the folder's own files is found, by their own names", async () => {
  const strange = ["../secret.json", "..%2fsecret.json", "%2e%2e/secret.json", "..%5csecret.json", "a%00.js", "", "."];
  const names = [...strange, "wheel-a1.js.br", "wheel-a1.js.gz", "WHEEL-a1.js", "wheel-a1.js/", "no-such.js"];
  for (const name of names) expect((await ask(name)).statusCode, name).toBe(404);
});
