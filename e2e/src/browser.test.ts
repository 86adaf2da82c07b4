// Journeys through the frame in a real browser: waking without a warning, navigation by payload, themes without a flash,
// the chunk guard, menus by keyboard, shells. A console warning, an error or a policy violation fails the journey.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listKinds } from "./routes-list.ts";
import { joinSite, newPage, openBrowser, type Site, visit, waitAwake, waitCookie } from "./site.ts";

let site: Pick<Site, "origin">;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([joinSite(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
});

const SHELL_AGENTS = {
  browser: undefined,
  ios: "Mozilla/5.0 (iPhone) ClockworkIos/1.0",
  android: "Mozilla/5.0 (Linux; Android 14) ClockworkAndroid/1.0",
  flutter: "Mozilla/5.0 (Linux; Android 14) ClockworkFlutter/1.0",
} as const;

/** Published over the socket; until the first message, which a slow machine may delay, requested (NET-5). */
const PUBLISHED = [
  { path: "/api/v1/system/status", word: '"channel":"system"' },
  { path: "/api/v1/spot/quotations", word: '"channel":"ticker"' },
] as const;

const DOCS_CHUNK = /\/assets\/docs[^/]*\.js/;

describe("waking", () => {
  test("[SITE-1] every page hydrates under its language's address without a warning, an error or a policy violation; the shells take turns", async () => {
    const paths = await listKinds(site.origin);
    const agents = Object.entries(SHELL_AGENTS);
    const walk = async ([shell, userAgent]: readonly [string, string | undefined], turn: number) => {
      const { context, page, watch } = await newPage(browser, userAgent === undefined ? {} : { userAgent });
      // The other form of each page is hydrated where axe checks it.
      for (const path of paths.filter((_, index) => index % agents.length === turn)) {
        const url = path === "/" ? "/en_US" : `/en_US${path}`;
        expect(await visit(page, site.origin + url), `${shell} ${url}`).toBe(200);
        expect(watch.troubles, `${shell} ${url}`).toEqual([]);
      }
      await context.close();
    };
    // Side by side: most of a visit is waiting.
    await Promise.all(agents.map(walk));
  });

  test("[SITE-1] text becomes neither script nor markup in a page", async () => {
    const { context, page, watch } = await newPage(browser);
    await visit(page, site.origin);
    const [refused, taken] = await page.evaluate(() => {
      const attempt = (act: () => unknown): string => {
        try {
          act();
          return "done";
        } catch (error) {
          return (error as Error).name;
        }
      };
      const script = () => document.createElement("script");
      const { trustedTypes } = globalThis as unknown as {
        trustedTypes: { createPolicy: (name: string, rules: object) => unknown };
      };
      const acts: Record<string, () => unknown> = {
        markup: () => Object.assign(document.createElement("div"), { innerHTML: "<img src=x onerror=alert(1)>" }),
        document: () => new DOMParser().parseFromString("<p>one</p>", "text/html"),
        script: () => Object.assign(script(), { text: "alert(1)" }),
        elsewhere: () => Object.assign(script(), { src: "https://evil.example/assets/a.js" }),
        upload: () => Object.assign(script(), { src: "/assets/../files/a.js" }),
        worker: () => new Worker("/openapi.json"),
        policy: () => trustedTypes.createPolicy("mine", {}),
      };
      const plain = document.createElement("div");
      plain.innerHTML = "1 > 0";
      const own = Object.assign(script(), { src: "/assets/a.js" });
      return [
        Object.entries(acts).map(([name, act]) => `${name} ${attempt(act)}`),
        [plain.textContent, new URL(own.src).pathname],
      ] as const;
    });
    expect(refused).toEqual([
      "markup TypeError",
      "document TypeError",
      "script TypeError",
      "elsewhere TypeError",
      "upload TypeError",
      "worker TypeError",
      "policy TypeError",
    ]);
    expect(taken).toEqual(["1 > 0", "/assets/a.js"]);
    // A page that did any of this itself would report it, and every journey would fail on it.
    expect(watch.troubles.length).toBeGreaterThanOrEqual(refused.length);
    await context.close();
  });

  test("[SITE-1] the health of the core is live on the home page", async () => {
    const { context, page, watch } = await newPage(browser);
    await visit(page, site.origin);
    await page.locator('[data-live="true"]').waitFor();
    await expect.poll(() => page.locator('[data-fact="state"]').innerText()).toBe("Running");
    expect(watch.troubles).toEqual([]);
    await context.close();
  });

  test("[SITE-14] root data is fetched on the server and not again by the browser", async () => {
    const { context, page } = await newPage(browser);
    const requested: string[] = [];
    let received = "";
    page.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => {
        received += String(payload);
      }),
    );
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (!PUBLISHED.some(({ path, word }) => path === pathname && !received.includes(word))) requested.push(pathname);
    });
    await visit(page, site.origin);
    await page.locator('[data-live="true"]').waitFor();
    const calls = requested.filter((path) => path.startsWith("/api/") || path.endsWith("_payload.json"));
    // Campaigns are no root data: they are requested once the page has been idle, by then on a slow machine.
    expect(calls.filter((path) => path !== "/api/v1/home/popups")).toEqual([]);
    await context.close();
  });
});

describe("navigation", () => {
  test("[SITE-13] a click fetches the page's payload and renders from it, in the visitor's form", async () => {
    const { context, page, watch } = await newPage(browser);
    await visit(page, `${site.origin}/en_US/docs`);
    const payload = page.waitForResponse((response) => response.url().endsWith("/en_US/_payload.json"));
    await page.evaluate(() => {
      (globalThis as { stayed?: boolean }).stayed = true;
    });
    await page.locator('a[href="/en_US"]').first().click();
    expect((await payload).status()).toBe(200);
    await page.getByRole("heading", { level: 1, name: /keeps exact time/ }).waitFor();
    expect(await page.evaluate(() => (globalThis as { stayed?: boolean }).stayed)).toBe(true);
    expect(new URL(page.url()).pathname).toBe("/en_US");
    expect(watch.troubles).toEqual([]);
    await context.close();
  });

  test("[SITE-11] a payload that fails shows the error page with its message, and a retry that works", async () => {
    const { context, page } = await newPage(browser);
    await visit(page, `${site.origin}/docs`);
    await page.route("**/_payload.json", (route) =>
      route.fulfill({ status: 503, json: { error: { status: 503, message: "The exchange is resting" } } }),
    );
    await page.locator('a[href="/"]').first().click();
    await page.getByText("Internal Server Error:").waitFor();
    expect(await page.getByText("The exchange is resting").count()).toBe(1);
    await expect.poll(() => page.title()).toBe("Internal Server Error · Clockwork");
    await page.unroute("**/_payload.json");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { level: 1, name: /keeps exact time/ }).waitFor();
    await context.close();
  });

  test("[SITE-11] a page whose data is missing reports it once", async () => {
    const { context, page } = await newPage(browser);
    await visit(page, `${site.origin}/docs`);
    await page.route("**/_payload.json", (route) =>
      route.fulfill({ status: 404, json: { error: { status: 404, message: "Page Not Found" } } }),
    );
    await page.locator('a[href="/"]').first().click();
    const words = page.locator("main[data-error]");
    await words.waitFor();
    expect((await words.innerText()).match(/Page Not Found/g)).toEqual(["Page Not Found"]);
    await context.close();
  });

  test("[SITE-12] a chunk that is gone reloads the page once and not again within the guard", async () => {
    const { context, page } = await newPage(browser);
    // The guard lasts ten seconds, however long this machine takes for what is done here.
    await page.addInitScript((nowMs) => {
      Date.now = () => nowMs;
    }, Date.now());
    await visit(page, site.origin);
    let documents = 0;
    page.on("request", (request) => {
      if (request.resourceType() === "document") documents++;
    });
    await page.route(DOCS_CHUNK, (route) => route.fulfill({ status: 404, body: "gone" }));
    const link = page.locator('footer a[href="/docs"]');
    await waitAwake(link);
    await Promise.all([page.waitForEvent("load"), link.click()]);
    await page.waitForFunction(() => document.documentElement.dataset.awake === "1");
    expect(documents).toBe(1);
    await waitAwake(link);
    // The bar's own file comes after hydration, and what ends before is not shown by it.
    await page.locator('[data-phase][style*="height"]').waitFor({ state: "attached" });
    await link.click();
    await page.getByText("Internal Server Error:").waitFor();
    expect(documents).toBe(1);
    // Nothing hangs: the bar has ended, in the colour of danger, and there is a way to try again.
    await page
      .locator('[data-phase="idle"][data-failed="true"], [data-phase="finishing"][data-failed="true"]')
      .waitFor({
        state: "attached",
      });
    await page.unroute(DOCS_CHUNK);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator("main[data-error]").waitFor({ state: "detached" });
    await page.getByRole("heading", { level: 1 }).waitFor();

    // Ten seconds after the first reload the guard is open: another failure loads the page once more.
    await visit(page, site.origin);
    await page.evaluate(() => {
      const nowMs = Date.now() + 10_000;
      Date.now = () => nowMs;
    });
    await page.route(DOCS_CHUNK, (route) => route.fulfill({ status: 404, body: "gone" }));
    await waitAwake(link);
    const before = documents;
    await Promise.all([page.waitForEvent("load"), link.click()]);
    expect(documents).toBe(before + 1);
    await context.close();
  });
});

describe("themes", () => {
  test("[SITE-5] the right theme is painted from the first frame, also under system", async () => {
    for (const [theme, colorScheme, expected] of [
      ["dark", "light", "dark"],
      ["system", "dark", "dark"],
      ["system", "light", "light"],
      ["light", "dark", "light"],
      // A visitor without a choice sees light, also on a dark system (SITE-5); one click in the header follows the
      // system.
      [undefined, "dark", "light"],
    ] as const) {
      const { context, page } = await newPage(browser, { colorScheme });
      if (theme !== undefined) await context.addCookies([{ name: "theme", value: theme, url: site.origin }]);
      await page.addInitScript(() => {
        const seen: (string | undefined)[] = [];
        Object.assign(globalThis, { seen });
        new MutationObserver(() => {
          if (document.body !== null) seen.push(document.documentElement.dataset.theme);
        }).observe(document, { subtree: true, childList: true, attributes: true });
      });
      await visit(page, site.origin);
      const seen = await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen);
      expect(new Set(seen), `${theme} on ${colorScheme}`).toEqual(new Set([expected]));
      const painted = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      expect(painted).toBe(expected === "dark" ? "rgb(33, 33, 33)" : "rgb(255, 255, 255)");
      await context.close();
    }
  });

  test("[SITE-5] the toggle paints, stores and updates the browser's frame", async () => {
    const { context, page, watch } = await newPage(browser);
    await visit(page, site.origin);
    await page.getByRole("button", { name: "Choose a theme" }).click();
    await page.getByRole("dialog", { name: "Theme" }).getByText("Dark", { exact: true }).click();
    await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
    await page.waitForFunction(
      () => document.querySelector('meta[name="theme-color"]')?.getAttribute("content") === "#212121",
    );
    const cookie = await waitCookie(context, ({ name }) => name === "theme");
    expect(cookie).toMatchObject({ value: "dark", path: "/", sameSite: "Lax" });
    expect(cookie.expires - Date.now() / 1000).toBeGreaterThan(364 * 86_400);
    await page.reload();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
    expect(watch.troubles).toEqual([]);
    await context.close();
  });

  test("[SITE-10] documentation pages are light under any choice, and do not change the choice", async () => {
    const { context, page } = await newPage(browser);
    await context.addCookies([{ name: "theme", value: "dark", url: site.origin }]);
    await visit(page, `${site.origin}/docs`);
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("light");
    await page.locator('a[href="/"]').first().click();
    await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
    await context.close();
  });
});

describe("header", () => {
  test("[SITE-20] menus open by key, move by arrows and give the focus back on Escape", async () => {
    const { context, page } = await newPage(browser);
    await visit(page, site.origin);
    const more = page.getByRole("button", { name: "More" });
    await waitAwake(more);
    await more.focus();
    await page.keyboard.press("ArrowDown");
    const first = page.locator("header nav li", { has: more }).locator("a").first();
    await expect.poll(() => first.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press("Escape");
    await expect.poll(() => more.evaluate((element) => element === document.activeElement)).toBe(true);
    await expect.poll(() => more.getAttribute("aria-expanded")).toBe("false");
    await context.close();
  });

  test("[SITE-20] the slash key searches, Enter opens, Escape closes", async () => {
    const { context, page, watch } = await newPage(browser);
    await visit(page, site.origin);
    await page.keyboard.press("/");
    const field = page.getByRole("combobox", { name: "Search" });
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    // Enter comes before the answer here: it opens the result for this query, not for an earlier one.
    await page.keyboard.type("colour");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/color");
    // The address changes before the page does; a key pressed in between belongs to neither.
    await page.getByRole("heading", { level: 1, name: "Colour" }).waitFor();
    await page.keyboard.press("/");
    await field.waitFor();
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
    expect(watch.troubles).toEqual([]);
    await context.close();
  });

  test("[SITE-6] [SITE-7] movement colours and currency change at once and remain", async () => {
    const { context, page } = await newPage(browser);
    await visit(page, site.origin);
    await page.getByRole("button", { name: /language and currency/ }).click();
    await page.getByText("Red up").click();
    await page.getByText("EUR", { exact: true }).click();
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.updown)).toBe("red-up");
    await page.keyboard.press("Escape");
    await waitCookie(context, ({ name, value }) => name === "cw_updown" && value === "red-up");
    await waitCookie(context, ({ name, value }) => name === "cw_currency" && value === "EUR");
    await page.reload();
    expect(await page.evaluate(() => document.documentElement.dataset.updown)).toBe("red-up");
    await page.getByRole("button", { name: /EN · EUR, language and currency/ }).waitFor();
    await context.close();
  });

  test("[SITE-16] a narrow screen has the menu sheet", async () => {
    const { context, page } = await newPage(browser, { viewport: { width: 360, height: 844 }, hasTouch: true });
    await visit(page, site.origin);
    await page.getByRole("button", { name: "Open the menu" }).click();
    await page.getByRole("dialog", { name: "Products" }).getByRole("link", { name: "Design system" }).click();
    await page.waitForURL("**/docs");
    await context.close();
  });

  test("[SITE-15] inside a shell header and footer are hidden, and a bridge alone is enough to detect it", async () => {
    const { context, page } = await newPage(browser, { userAgent: SHELL_AGENTS.ios });
    await visit(page, site.origin);
    expect(await page.locator("header nav, footer").count()).toBe(0);
    await context.close();

    const bare = await newPage(browser);
    await bare.page.addInitScript(() => {
      const sent: string[] = [];
      Object.assign(globalThis, { sent, ClockworkAndroid: { postMessage: (text: string) => sent.push(text) } });
    });
    await visit(bare.page, site.origin);
    await bare.page.locator("footer").waitFor({ state: "detached" });
    const requested = async () => {
      const sent = await bare.page.evaluate(() => (globalThis as unknown as { sent: string[] }).sent);
      return sent.map((text) => (JSON.parse(text) as { ask: string }).ask);
    };
    await expect.poll(requested).toContain("takeToken");
    await bare.context.close();
  });

  test("[SITE-1] the cookie and risk notice goes when understood and does not come back", async () => {
    const { context, page } = await newPage(browser);
    await visit(page, site.origin);
    const button = page.getByRole("button", { name: "I understand" });
    await waitAwake(button);
    await button.click();
    await button.waitFor({ state: "detached" });
    await waitCookie(context, ({ name }) => name === "cw_notice");
    await page.reload();
    expect(await page.getByRole("button", { name: "I understand" }).count()).toBe(0);
    await context.close();
  });
});
