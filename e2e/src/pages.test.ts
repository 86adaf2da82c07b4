// Pages as any client sees them, without a browser: complete HTML, both forms, statuses, redirects, payloads, bad input.
import { get } from "node:http";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { listPaths } from "./routes-list.ts";
import { joinSite, type Site } from "./site.ts";

let site: Pick<Site, "origin">;
beforeAll(async () => {
  site = await joinSite();
});

function ask(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(site.origin + path, { redirect: "manual", headers });
}

type Listed = Readonly<Record<"pairCode" | "makerRate" | "takerRate" | "liquidationRate" | "maxLeverage", string>>;
type Rung = Readonly<Record<"maxLeverage" | "maintenanceRate", string>>;

async function read<Entry>(call: string): Promise<readonly Entry[]> {
  return ((await (await ask(`/futuresapi/v1/${call}`)).json()) as { data: readonly Entry[] }).data;
}

const percent = (rate: string) => `${Number((Number(rate) * 100).toFixed(6))}%`;

async function readLadder(path: string, pairCode: string): Promise<readonly string[]> {
  const steps = await read<Rung>(`${path}/ladder?pairCode=${pairCode}`);
  expect(steps.length, pairCode).toBeGreaterThan(3);
  return steps.map((step) => `${step.maxLeverage}× ${(Number(step.maintenanceRate) * 100).toFixed(2)}%`);
}

/** Leverage and maintenance of every row of a ladder that is shown. */
function ladderOf(table: string): readonly string[] {
  return [...table.matchAll(/>(\d+)×<\/td><td[^>]*>([\d.]+%)</g)].map(([, leverage, rate]) => `${leverage}× ${rate}`);
}

describe("complete without JavaScript", () => {
  test("[SITE-1] every page has title, description, one heading, content and links in its HTML", async () => {
    for (const path of await listPaths(site.origin)) {
      const response = await ask(path);
      const html = await response.text();
      expect(response.status, path).toBe(200);
      expect(html, path).toMatch(/<title>[^<]{3,}<\/title>/);
      // A page is described for search engines, or excluded from them.
      expect(html, path).toMatch(/<meta name="(description" content="[^"]{20,}|robots" content="noindex)"/);
      expect(html.match(/<h1[ >]/g), path).toHaveLength(1);
      expect(html, path).toContain('<main id="content"');
      expect(html.match(/<a [^>]*href="\//g)?.length ?? 0, path).toBeGreaterThan(3);
    }
  });

  test("[SITE-1] the home page names the product, the running version and the core's health", async () => {
    const status = (await (await ask("/api/v1/system/status")).json()) as { data: { version: string } };
    const html = await (await ask("/")).text();
    expect(html).toContain("Clockwork");
    expect(html).toContain(`Version ${status.data.version}`);
    expect(html).toMatch(/data-fact="state">(Running|Starting|Replaying|Halted)</);
    expect(html).toMatch(/data-fact="sequence">[\d,]+</);
  });

  test("[SITE-21] canonical, language alternates, robots and sitemap agree with the routes", async () => {
    const html = await (await ask("/en_US")).text();
    expect(html).toContain(`<link rel="canonical" href="${site.origin}/"/>`);
    expect(html).toContain(`hrefLang="en-US" href="${site.origin}/en_US"`);
    expect(html).toContain('type="application/ld+json"');
    expect(await (await ask("/robots.txt")).text()).toContain(`Sitemap: ${site.origin}/sitemap.xml`);
    const sitemap = await ask("/sitemap.xml");
    expect(sitemap.headers.get("content-type")).toContain("application/xml");
  });
});

describe("links", () => {
  test("[PAGE-1] every link of the site leads to a page, whichever page contains it", async () => {
    const waiting = [...(await listPaths(site.origin))];
    const seen = new Set(waiting);
    const broken: string[] = [];
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      const response = await ask(path);
      // Pages of an account send a visitor to sign in, which is a page.
      if (response.status === 302 || response.status === 303) continue;
      if (response.status !== 200) broken.push(path);
      const html = await response.text();
      for (const [, href = ""] of html.matchAll(/<a [^>]*href="(\/[^"#?]*)/g)) {
        if (!seen.has(href)) waiting.push(href);
        seen.add(href);
      }
    }
    expect(broken).toEqual([]);
    expect(seen.size).toBeGreaterThan(90);
  });

  test("[PAGE-1] the trading rules show every contract with its fees and its ladder as the exchange has them now", async () => {
    const html = (await (await ask("/exchange-trading-rules")).text()).replaceAll("<!-- -->", "");
    for (const [path, count] of Object.entries({ futuresc: 8, perpcm: 4 })) {
      const listed = await read<Listed>(`${path}/instruments`);
      expect(listed.length, path).toBeGreaterThanOrEqual(count);
      for (const { pairCode, makerRate, takerRate, liquidationRate, maxLeverage } of listed) {
        const name = pairCode.replace("_", "");
        const row = html.slice(html.indexOf(`>${name}</th>`)).split("</tr>")[0] ?? "";
        const fees = `>${percent(makerRate)} / ${percent(takerRate)}<`;
        for (const text of [`>${maxLeverage}×<`, fees, `>${percent(liquidationRate)}<`])
          expect(row, name).toContain(text);
        const shown = html.slice(html.indexOf(`Leverage tiers of ${name}<`)).split("</table>")[0] ?? "";
        expect(ladderOf(shown), name).toEqual(await readLadder(path, pairCode));
      }
    }
  });

  test("[PAGE-1] the page about reversing shows the contract's ladder and fee as the exchange has them now", async () => {
    const html = (await (await ask("/tomato-futures-reverse")).text()).replaceAll("<!-- -->", "");
    const [listed] = await read<Listed>("futuresc/instruments?pairCode=BTC_USDT");
    expect(html).toContain(`costs ${percent(listed?.takerRate ?? "")} of its value`);
    const shown = html.slice(html.indexOf('id="ladder"')).split("</table>")[0] ?? "";
    expect(ladderOf(shown)).toEqual(await readLadder("futuresc", "BTC_USDT"));
  });

  test("[PAGE-1] an anchor of a table of contents is on its page", async () => {
    for (const path of ["/user-agreement", "/exchange-trading-rules", "/complaints"]) {
      const html = await (await ask(path)).text();
      const anchors = [...html.matchAll(/<a [^>]*href="#([^"]+)"/g)].map((match) => match[1] ?? "");
      expect(anchors.length).toBeGreaterThan(3);
      for (const anchor of anchors) expect(html, anchor).toContain(`id="${anchor}"`);
    }
  });
});

describe("routes in all languages", () => {
  test("[SITE-2] every page exists under /en_US and its links keep that form", async () => {
    for (const path of await listPaths(site.origin)) {
      const response = await ask(path === "/" ? "/en_US" : `/en_US${path}`);
      const html = await response.text();
      expect(response.status, path).toBe(200);
      const inside = [...html.matchAll(/<a [^>]*href="(\/[^"#]*)"/g)].map((match) => match[1] ?? "");
      expect(inside.length, path).toBeGreaterThan(3);
      for (const href of inside) expect(href, path).toMatch(/^\/en_US(\/|$)/);
    }
  });

  test("[SITE-2] bare pages link to bare pages, and every link of the frame leads to a page", async () => {
    const html = await (await ask("/")).text();
    const inside = new Set([...html.matchAll(/<a [^>]*href="(\/[^"#]*)"/g)].map((match) => match[1] ?? ""));
    for (const href of inside) {
      expect(href).not.toMatch(/^\/en_US/);
      // A terminal without a pair in its address redirects to one; both are pages.
      expect((await fetch(site.origin + href)).status, href).toBe(200);
    }
  });

  test("[SITE-2] any other supported locale redirects to English and keeps path and query", async () => {
    for (const locale of [
      "zh_CN",
      "zh_TW",
      "ko_KR",
      "ja_JP",
      "fr_FR",
      "es_ES",
      "tr_TR",
      "vi_VN",
      "pt_PT",
      "ru_RU",
      "uk_UA",
    ]) {
      const response = await ask(`/${locale}/docs/color?a=1&b=%20`);
      expect(response.status, locale).toBe(302);
      expect(response.headers.get("location"), locale).toBe("/en_US/docs/color?a=1&b=%20");
    }
    expect((await ask("/ja_JP")).headers.get("location")).toBe("/en_US");
  });

  test("[SITE-2] an unknown prefix is an ordinary 404", async () => {
    for (const path of ["/xx_XX", "/xx_XX/docs", "/en_us/docs", "/EN_US"])
      expect((await ask(path)).status, path).toBe(404);
  });

  test("[SITE-3] a stored language that is not offered gives way to English without a loop", async () => {
    const response = await ask("/en_US", { cookie: "cw_language=ja_JP" });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<html lang="en-US"');
  });
});

describe("errors", () => {
  test("[SITE-11] an unknown route is a 404 that names the path, with a way back", async () => {
    const response = await ask("/no/such/page?x=1");
    const html = await response.text();
    expect(response.status).toBe(404);
    expect(html).toContain("<title>Page Not Found: /no/such/page · Clockwork</title>");
    expect(html).toContain('name="robots" content="noindex"');
    expect(html).toMatch(/<a [^>]*href="\/"/);
  });
});

describe("payload", () => {
  test("[SITE-13] each route answers the data it renders from", async () => {
    for (const prefix of ["", "/en_US"]) {
      const response = await ask(`${prefix}/_payload.json`);
      const body = (await response.json()) as { data: { version: string; status: { core: { state: string } } } };
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toContain("application/json");
      const html = await (await ask(prefix === "" ? "/" : prefix)).text();
      expect(html).toContain(`Version ${body.data.version}`);
      expect(body.data.status.core.state).toMatch(/^(running|starting|replaying|halted)$/);
    }
  });

  test("[SITE-13] a page without data answers null, an unknown one its error and status", async () => {
    expect(await (await ask("/docs/_payload.json")).json()).toEqual({ data: null });
    const missing = await ask("/nope/_payload.json");
    expect(missing.status).toBe(404);
    expect(await missing.json()).toEqual({ error: { status: 404, message: "Page Not Found: /nope" } });
    const moved = await ask("/ru_RU/nope/_payload.json?q=1");
    expect(moved.headers.get("location")).toBe("/en_US/nope/_payload.json?q=1");
  });
});

describe("themes on the server", () => {
  test("[SITE-5] the stored theme is in the first byte, with its theme colour", async () => {
    const dark = await (await ask("/", { cookie: "theme=dark" })).text();
    expect(dark).toMatch(/<html [^>]*data-theme="dark"/);
    expect(dark).toContain('<meta name="theme-color" content="#212121"');
    const light = await (await ask("/")).text();
    expect(light).toMatch(/<html [^>]*data-theme="light"/);
    expect(light).toContain('<meta name="theme-color" content="#ffffff"');
  });

  test("[SITE-5] a browser that sends its scheme gets it at once under system", async () => {
    const headers = { cookie: "theme=system", "sec-ch-prefers-color-scheme": '"dark"' };
    expect(await (await ask("/", headers)).text()).toMatch(/<html [^>]*data-theme="dark"/);
  });

  test("[SITE-6] movement colours and [SITE-7] currency are served as chosen", async () => {
    const html = await (await ask("/", { cookie: "cw_updown=red-up; cw_currency=EUR" })).text();
    expect(html).toMatch(/<html [^>]*data-updown="red-up"/);
    expect(html).toContain("EUR");
  });
});

describe("bad input", () => {
  const script = "<script>alert(1)</script>";

  test("[SITE-3] clientSupperLanguage with a script renders the page and reflects nothing", async () => {
    const response = await ask(`/?clientSupperLanguage=${encodeURIComponent(script)}`);
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain("alert(1)");
  });

  test("[SITE-11] a path of ten kilobytes is answered, shortened and harmless", async () => {
    const response = await ask(`/${"a".repeat(10_000)}`);
    const html = await response.text();
    expect(response.status).toBe(404);
    expect(html).not.toContain("a".repeat(500));
  });

  test("[SITE-11] markup and broken percent signs in paths remain text", async () => {
    for (const path of [
      "/%3Cscript%3Ealert(1)%3C/script%3E",
      "/%E0%A4%A",
      "/%00",
      "/..%2f..%2fetc%2fpasswd",
      "//evil.example/x",
      "/\\evil",
    ]) {
      const response = await ask(path);
      const html = await response.text();
      expect([400, 404], path).toContain(response.status);
      expect(html, path).not.toContain("<script>alert");
      expect(response.headers.get("location"), path).toBeNull();
    }
  });

  test("[SITE-11] a path that climbs out of the folder of assets is not found, however it is written", async () => {
    const { hostname, port } = new URL(site.origin);
    const climbs = [
      "..%5c..%5cpackage.json",
      "..%2f..%2fpackage.json",
      "%2e%2e/package.json",
      "..%5c",
      "%00",
      "a%00.js",
    ];
    for (const climb of climbs) {
      // Unchanged: a client that normalises addresses would resolve the dots before the call.
      const status = await new Promise((done, fail) => {
        const requested = get({ hostname, port, path: `/assets/${climb}` }, (response) => {
          response.resume();
          done(response.statusCode);
        });
        requested.once("error", fail);
      });
      expect([400, 404], climb).toContain(status);
    }
    for (const path of ["/dev/outbox.json?to=%00", "/dev/outbox?to=%00"]) expect((await ask(path)).status).toBe(200);
  });

  test("[USR-7] what was searched for comes back as text", async () => {
    const html = await (await ask(`/help?q=${encodeURIComponent("<script>x</script><img src=x onerror=y>")}`)).text();
    expect(html).toContain("Results for “&lt;script&gt;x");
    expect(html).not.toMatch(/<script>x|<img src=x/);
  });

  test("[SITE-4] broken cookies and forged values fall back to the defaults and are not reflected", async () => {
    const forged = [
      "theme=%E0%A4%A",
      "theme=evil%22%3E%3Cimg%3E",
      "theme=<b>",
      "cw_currency=XXX",
      "cw_updown=><",
      "cw_language=../..",
      ";;;=;=",
      `x=${"y".repeat(4000)}`,
    ];
    for (const cookie of forged) {
      const response = await ask("/", { cookie });
      const html = await response.text();
      expect(response.status, cookie).toBe(200);
      expect(html, cookie).toMatch(/<html [^>]*data-theme="light" data-updown="green-up"/);
      expect(html, cookie).not.toMatch(/evil"|<b>|XXX|<img/);
    }
  });

  test("[SITE-1] a forged host never reaches the page", async () => {
    const { request } = await import("node:http");
    const html = await new Promise<string>((done, fail) => {
      const url = new URL(site.origin);
      request({ host: url.hostname, port: url.port, path: "/", headers: { host: 'x"><script>' } }, (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on("end", () => done(text));
      })
        .on("error", fail)
        .end();
    });
    expect(html).not.toContain('x"><script>');
  });
});

describe("policy and compression", () => {
  test("[SITE-1] every script carries the nonce of its own answer, and no two answers share one", async () => {
    const seen = new Set<string>();
    for (let index = 0; index < 5; index++) {
      const response = await ask("/");
      const nonce = /'nonce-([^']+)'/.exec(response.headers.get("content-security-policy") ?? "")?.[1] ?? "";
      const html = await response.text();
      expect(nonce.length).toBeGreaterThan(15);
      for (const tag of html.match(/<script[^>]*>/g) ?? []) expect(tag).toContain(`nonce="${nonce}"`);
      seen.add(nonce);
    }
    expect(seen.size).toBe(5);
  });

  test("[SITE-1] kept pages are compressed without losing their nonce", async () => {
    const { request } = await import("node:http");
    const url = new URL(site.origin);
    const { body, policy } = await new Promise<{ body: Buffer; policy: string }>((done, fail) => {
      request({ host: url.hostname, port: url.port, path: "/", headers: { "accept-encoding": "gzip" } }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          done({ body: Buffer.concat(chunks), policy: String(response.headers["content-security-policy"]) }),
        );
      })
        .on("error", fail)
        .end();
    });
    const html = gunzipSync(body).toString();
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? "none";
    expect(html).toContain(`nonce="${nonce}"`);
    expect(html.endsWith("</html>")).toBe(true);
  });

  test("[SITE-1] assets are compressed beforehand and may be kept for a year", async () => {
    const asset = /\/assets\/vendor-[^"]+\.js/.exec(await (await ask("/")).text())?.[0] ?? "";
    const response = await ask(asset, { "accept-encoding": "br" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-encoding")).toBe("br");
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'self'");
    // Dozens of them make a page: what only documents obey would weigh more than many a script.
    expect(response.headers.get("permissions-policy")).toBeNull();
    await response.arrayBuffer();
  });

  test("[SITE-1] the first load of / with the full header is at most 126 kB of JavaScript, compressed", async () => {
    const html = await (await ask("/")).text();
    // The whole route manifest is only named in the page; it is not fetched.
    const scripts = new Set(html.match(/\/assets\/(?!manifest-)[^"]+\.js/g) ?? []);
    let bytes = 0;
    for (const script of scripts) {
      const body = await (await ask(script, { "accept-encoding": "identity" })).arrayBuffer();
      const { gzipSync } = await import("node:zlib");
      bytes += gzipSync(Buffer.from(body), { level: 9 }).length;
    }
    expect(scripts.size).toBeGreaterThan(3);
    expect(bytes).toBeLessThanOrEqual(126_000);
  });
});
