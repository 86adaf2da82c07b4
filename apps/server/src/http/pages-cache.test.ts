import { gunzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CachedPage, createPageCache, cutPage, storePage } from "./pages-cache.ts";

function pageOf(text: string): CachedPage {
  return { status: 200, headers: [], cut: cutPage(text, "-"), bytes: text.length };
}

describe("short page cache", () => {
  test("[SITE-1] visitors who come together share one render, and a later one renders anew", async () => {
    let nowMs = 0;
    let renders = 0;
    const cache = createPageCache({ keepMs: 1000, entriesMax: 10, bytesMax: 1e6, nowMs: () => nowMs });
    const make = async () => {
      renders++;
      await Promise.resolve();
      return pageOf(String(renders));
    };
    const crowd = await Promise.all(Array.from({ length: 50 }, () => cache.take("a", make)));
    expect(renders).toBe(1);
    expect(new Set(crowd).size).toBe(1);
    nowMs = 999;
    await cache.take("a", make);
    expect(renders).toBe(1);
    nowMs = 1000;
    await cache.take("a", make);
    expect(renders).toBe(2);
  });

  test("[SITE-1] a failed render is not kept and does not block the next", async () => {
    const cache = createPageCache({ keepMs: 1000, entriesMax: 10, bytesMax: 1e6, nowMs: () => 0 });
    await expect(cache.take("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await cache.take("a", async () => undefined)).toBeUndefined();
    expect((await cache.take("a", async () => pageOf("x")))?.bytes).toBe(1);
  });

  test("[SITE-1] the cache is bounded in entries and in bytes, whatever is requested", async () => {
    const cache = createPageCache({ keepMs: 1000, entriesMax: 5, bytesMax: 100, nowMs: () => 0 });
    for (let index = 0; index < 200; index++) {
      await cache.take(`/x?${index}`, async () => pageOf("y".repeat(index % 60)));
      expect(cache.size().entries).toBeLessThanOrEqual(5);
      expect(cache.size().bytes).toBeLessThanOrEqual(100);
    }
    await cache.take("/huge", async () => pageOf("z".repeat(101)));
    expect(cache.size().bytes).toBeLessThanOrEqual(100);
  });
});

describe("nonce put in at send", () => {
  test("[SITE-1] plain and compressed bodies carry the visitor's own nonce", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 300, unit: "grapheme" })),
        fc.stringMatching(/^[A-Za-z0-9+/]{22}$/),
        (parts, nonce) => {
          const hole = "@@the-nonce-of-a-page@@".slice(0, 22);
          const html = parts.join(hole);
          const cut = cutPage(html, hole);
          const expected = html.replaceAll(hole, nonce);
          expect(storePage(cut, nonce, false).toString()).toBe(expected);
          expect(gunzipSync(storePage(cut, nonce, true)).toString()).toBe(expected);
        },
      ),
    );
  });
});
