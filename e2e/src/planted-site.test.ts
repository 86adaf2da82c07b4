// A copy of the product with one language file, one entry of the language list and two futures pages planted in it,
// built and walked: the rules for adding a language and for the gates before a page hold for new ones.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { allOf } from "@clockwork/kit/all-of";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signUp } from "./seed/wire.ts";
import { newPage, openBrowser, ROOT_FOLDER, type Site, startSite, visit, waitCookie } from "./site.ts";

const FOLDERS = ["kit", "core", "host", "areas", "ui", "apps", "sim", "content", "package.json"];
const LEFT_OUT = new Set(["node_modules", "build", ".react-router", ".cache", "data"]);

/** The copy's own folders under the packages' names; everything else as installed. */
function linkPackages(copy: string): void {
  const installed = join(ROOT_FOLDER, "node_modules");
  mkdirSync(join(copy, "node_modules/@clockwork"), { recursive: true });
  for (const name of readdirSync(installed)) {
    if (name !== "@clockwork") symlinkSync(join(installed, name), join(copy, "node_modules", name));
  }
  const areas = readdirSync(join(copy, "areas"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const packages = [
    "kit",
    "core",
    "host",
    "ui",
    "sim",
    "apps/server",
    "apps/web",
    ...areas.map(({ name }) => `areas/${name}`),
  ];
  for (const room of packages) symlinkSync(join(copy, room), join(copy, "node_modules/@clockwork", basename(room)));
}

function edit(copy: string, path: string, from: string, to: string): void {
  const file = join(copy, path);
  const text = readFileSync(file, "utf8");
  if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
  writeFileSync(file, text.replace(from, to));
}

/** One catalogue file: a few texts of several areas; missing ones are shown in English. */
const FRENCH = {
  frame: { "site.skip": "Aller au contenu", "account.logIn": "Connexion" },
  home: { "home.headline1": "Un marché qui" },
  site: { "menu.more": "Plus", "footer.riskLink": "Risques", "maintenance.retry": "Vérifier" },
  auth: { "frame.newHere": "Nouveau ici ?" },
  labels: { show: "Montrer" },
};
/** Of another, the one text that distinguishes it from English. */
const CHINESE = { frame: { "account.logIn": "登入" } };

function plant(copy: string): void {
  writeFileSync(join(copy, "apps/web/src/locales/fr-fr.json"), JSON.stringify(FRENCH));
  writeFileSync(join(copy, "apps/web/src/locales/zh-tw.json"), JSON.stringify(CHINESE));
  edit(
    copy,
    "kit/src/constants.ts",
    'LOCAL_LANGUAGES: readonly Language[] = [{ name: "English"',
    'LOCAL_LANGUAGES: readonly Language[] = [{ name: "Français", lang: "fr_FR", fiatCurrency: "EUR" }, { name: "繁體中文", lang: "zh_TW", fiatCurrency: "TWD" }, { name: "English"',
  );
  // Nothing here is about how small or how compressed its files are, and both are half of a build.
  edit(copy, "apps/web/vite.config.ts", "    precompress(),\n", "");
  edit(copy, "apps/web/vite.config.ts", "  precompress,\n", "");
  edit(copy, "apps/web/vite.config.ts", "build: { target", "build: { minify: false, target");
  edit(
    copy,
    "apps/web/src/boot/route-table.ts",
    "export const PAGES: readonly PageRoute[] = [",
    `export const PAGES: readonly PageRoute[] = [
      { path: "/planted/:code", file: "planted-code", title: "Planted", middleware: "futures", hidden: true },
      { path: "/checked/:code", file: "planted-checked", title: "Checked", validate: "pairCode", hidden: true },`,
  );
  for (const [file, name] of [
    ["planted-code", "Contract"],
    ["planted-checked", "Checked pair"],
  ]) {
    writeFileSync(
      join(copy, `apps/web/src/routes/${file}.tsx`),
      `import { useParams } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
export default function Page() {
  return (
    <main id="content">
      <h1>${name} {useParams().code}</h1>
      <SiteLink to="/planted/eth_usdt">lower</SiteLink> <SiteLink to="/checked/nothing">wrong</SiteLink>
    </main>
  );
}
`,
    );
  }
}

let copy = "";
let site: Site;
let browser: Browser;
beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), "clockwork-planted-"));
  for (const room of FOLDERS)
    cpSync(join(ROOT_FOLDER, room), join(copy, room), {
      recursive: true,
      filter: (path) => !LEFT_OUT.has(basename(path)),
    });
  linkPackages(copy);
  plant(copy);
  const built = spawnSync(
    process.execPath,
    [join(copy, "node_modules/@react-router/dev/bin.cjs"), "build", "--logLevel", "error"],
    { cwd: join(copy, "apps/web"), env: { ...process.env, NODE_ENV: "production" }, encoding: "utf8" },
  );
  if (built.status !== 0) throw new Error(`the planted site was not built:\n${built.stdout}${built.stderr}`);
  [site, browser] = await Promise.all([startSite({ CW_CAPTCHA: "off" }, copy), openBrowser()]);
  // A whole build, next to the others' browsers.
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await site?.stop();
  rmSync(copy, { recursive: true, force: true });
});

describe("a language", () => {
  test("[SITE-3] is one catalogue file and one list entry: served, woken and navigated in it", async () => {
    const { context, page, watch } = await newPage(browser);
    expect(await visit(page, `${site.origin}/fr_FR`)).toBe(200);
    expect(await page.locator("html").getAttribute("lang")).toBe("fr-FR");
    expect(await page.locator("h1").innerText()).toContain("Un marché qui");
    await page.getByRole("button", { name: "Plus" }).waitFor();
    await page.getByRole("link", { name: "Connexion" }).click();
    // The sign-in area came after the page, and brought its language along.
    await page.getByText("Nouveau ici ?").waitFor();
    expect(new URL(page.url()).pathname).toBe("/fr_FR/login-cw");
    expect(watch.troubles).toEqual([]);
    await context.close();
  });

  test("[SITE-3] is chosen in the panel: address, cookie, storage, body, preference, components and help links follow", async () => {
    const { context, page, watch } = await newPage(browser);
    await signUp(context, site.origin);
    await visit(page, `${site.origin}/en_US`);
    const kept = page.waitForRequest((request) => request.url().includes("user-perfenerce/update"));
    await page.getByRole("button", { name: /language and currency/ }).click();
    await page.getByRole("dialog").getByText("Français").click();
    await page.waitForURL("**/fr_FR");
    await page.getByRole("button", { name: "Plus" }).waitFor();
    await expect.poll(() => page.locator("body").getAttribute("class")).toContain("lang-fr_FR");
    await expect.poll(() => page.locator("footer").innerText()).toContain("Français · EUR");
    await waitCookie(context, ({ value }) => value === "fr_FR");
    expect((await kept).postDataJSON()).toMatchObject({ userLanguage: "fr_FR" });
    await expect.poll(() => page.evaluate(() => localStorage.getItem("cw_language"))).toBe("fr_FR");
    expect(watch.troubles).toEqual([]);
    // Components show their own few texts in it, and help links are in its form.
    await visit(page, `${site.origin}/fr_FR/docs/element-plus`);
    await page.getByRole("button", { name: "Montrer" }).first().waitFor();
    await visit(page, `${site.origin}/fr_FR/help`);
    const form = page.locator('a[href="/fr_FR/help/requests/new"]').first();
    await form.waitFor();
    await context.close();
  });

  test("[SITE-3] the account's preference goes before the address, the address before what was shown last", async () => {
    const { context, page } = await newPage(browser);
    await visit(page, `${site.origin}/zh_TW/docs`);
    expect(await page.locator("html").getAttribute("lang")).toBe("zh-TW");
    await signUp(context, site.origin);
    const update = "/api/v2/users/membership/user-perfenerce/update";
    const saved = await context.request.post(site.origin + update, {
      data: { userLanguage: "fr_FR", deviceType: "web" },
      headers: { origin: site.origin },
    });
    expect(saved.status()).toBe(200);
    await visit(page, `${site.origin}/zh_TW/docs?x=1`);
    expect(page.url()).toBe(`${site.origin}/fr_FR/docs?x=1`);
    // A visitor goes by the address, and where it names none by what was shown last.
    const other = await newPage(browser);
    await visit(other.page, `${site.origin}/fr_FR/docs`);
    // What was shown is kept once the page has arrived.
    await waitCookie(other.context, ({ name, value }) => name === "cw_language" && value === "fr_FR");
    await visit(other.page, `${site.origin}/docs`);
    expect(await other.page.locator("html").getAttribute("lang")).toBe("fr-FR");
    // The page is left first: one that has just arrived may still be keeping what it showed.
    await other.page.goto("about:blank");
    await other.context.clearCookies();
    await visit(other.page, `${site.origin}/docs`);
    expect(await other.page.locator("html").getAttribute("lang")).toBe("en-US");
    await other.context.close();
    await context.close();
  });

  test("[SITE-3] clientSupperLanguage leaves what it names, in the panel and at the address", async () => {
    const { context, page } = await newPage(browser);
    await visit(page, `${site.origin}/?clientSupperLanguage=en_US,zh_TW,ja_JP,nonsense`);
    await page.getByRole("button", { name: /language and currency/ }).click();
    const panel = page.getByRole("dialog");
    await panel.getByText("繁體中文").waitFor();
    // Japanese is allowed and not offered, French offered and ruled out.
    expect(await panel.getByText(/Français|日本語/).count()).toBe(0);
    await visit(page, `${site.origin}/fr_FR/docs?clientSupperLanguage=en_US`);
    expect(new URL(page.url()).pathname).toBe("/en_US/docs");
    await context.close();
  });

  test("[SITE-8] shortens large amounts in its own way", async () => {
    const { context, page } = await newPage(browser);
    const bars = async (path: string) => {
      await visit(page, site.origin + path);
      return (await page.locator("table").first().innerText()).match(/\b[\d.]+[KMBTQ万亿]+/g) ?? [];
    };
    const [english, chinese] = [await bars("/en_US/vip"), await bars("/zh_TW/vip")];
    expect(english.length).toBeGreaterThan(0);
    expect(allOf(english, (text) => /[KMBTQ]$/.test(text))).toBe(true);
    expect(chinese.length).toBeGreaterThan(0);
    expect(allOf(chinese, (text) => /[万亿]$/.test(text))).toBe(true);
    await context.close();
  });

  test("[SITE-18] gets help in the form of its language: a form, or a group", async () => {
    const { context, page } = await newPage(browser);
    await visit(page, `${site.origin}/zh_TW/help`);
    const links = page
      .getByRole("navigation", { name: "Popular topics" })
      .getByRole("link", { name: "Submit a request" });
    expect(await links.getAttribute("href")).toBe("/zh_TW/help/chat-group/zh_TW");
    await links.click();
    await page.getByText("中文支援").or(page.getByText("目前還沒有群組")).first().waitFor();
    await visit(page, `${site.origin}/fr_FR/help`);
    expect(await links.getAttribute("href")).toBe("/fr_FR/help/requests/new");
    await context.close();
  });

  test("[SITE-3] costs an English page nothing: only the areas shown are fetched, and only in French", async () => {
    const { context, page } = await newPage(browser);
    const scripts: string[] = [];
    page.on("response", (response) => {
      if (response.url().includes("/assets/")) scripts.push(response.url());
    });
    await visit(page, site.origin);
    await page.waitForLoadState("networkidle");
    expect(scripts.filter((url) => url.includes("fr-fr"))).toEqual([]);
    await visit(page, `${site.origin}/fr_FR`);
    await page.waitForLoadState("networkidle");
    const fetched = scripts.filter((url) => url.includes("fr-fr"));
    expect(fetched.length).toBeGreaterThan(0);
    const texts = await Promise.all(fetched.map(async (url) => (await fetch(url)).text()));
    expect(texts.some((text) => text.includes("Nouveau ici"))).toBe(false);
    await context.close();
  });
});

describe("gates", () => {
  test("[SITE-10] the futures middleware corrects a contract's case, on the server and in the browser", async () => {
    const { context, page } = await newPage(browser);
    await visit(page, `${site.origin}/en_US/planted/btc_usdt?x=1`);
    expect(page.url()).toBe(`${site.origin}/en_US/planted/BTC_USDT?x=1`);
    expect(await page.locator("h1").innerText()).toBe("Contract BTC_USDT");
    await page.getByRole("link", { name: "lower", exact: true }).click();
    await page.getByRole("heading", { name: "Contract ETH_USDT" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/en_US/planted/ETH_USDT");
    expect((await fetch(`${site.origin}/planted/nothing-like-it`)).status).toBe(404);
    await context.close();
  });

  test("[SITE-10] the futures' own pages are behind it: a code is corrected, an invalid one is no page", async () => {
    const ask = (path: string) => fetch(`${site.origin}${path}`, { redirect: "manual" });
    for (const [written, right] of [
      ["/futures/btc_usdt", "/futures/BTC_USDT"],
      ["/en_US/delivery/btc-usd", "/en_US/delivery/BTC_USD"],
      ["/simulated/BTCUSDT", "/simulated/BTC_USDT"],
      ["/futures/data/eth_usdt", "/futures/data/ETH_USDT"],
    ] as const) {
      const moved = await ask(`${written}?x=1`);
      expect([written, moved.status, moved.headers.get("location")]).toEqual([written, 302, `${right}?x=1`]);
      expect([right, (await ask(right)).status]).toEqual([right, 200]);
    }
    for (const path of ["/futures/nothing-like-it", "/delivery/-", "/simulated/AAA_BBB", "/futures/data/AAA_BBB"])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    const { context, page } = await newPage(browser);
    await visit(page, `${site.origin}/futures/data/BTC_USDT`);
    // The same decision without a document request to the server.
    await page.evaluate(() => {
      const { __reactRouterDataRouter: router } = globalThis as unknown as {
        __reactRouterDataRouter: { navigate: (to: string) => Promise<void> };
      };
      return router.navigate("/futures/data/eth_usdt");
    });
    await expect.poll(() => new URL(page.url()).pathname).toBe("/futures/data/ETH_USDT");
    await page
      .getByRole("link", { name: /ETHUSDT/ })
      .first()
      .waitFor();
    await context.close();
  });

  test("[SITE-10] a validate step lets a pair through and turns anything else into a page that was not found", async () => {
    const { context, page } = await newPage(browser);
    expect(await visit(page, `${site.origin}/checked/BTC_USDT`)).toBe(200);
    await page.getByRole("link", { name: "wrong", exact: true }).click();
    await page.getByText("Page Not Found").first().waitFor();
    expect(await page.locator("main").innerText()).toContain("/checked/nothing");
    expect((await fetch(`${site.origin}/checked/nothing`)).status).toBe(404);
    await context.close();
  });
});
