// Who is let in where, with cookies missing: no page and its gate ever redirect a visitor in a circle, browser and
// server agree on who is logged in, and an undecided session is not given up.

import { join } from "node:path";
import { allOf } from "@clockwork/kit/all-of";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { enter, mintAccount, PASSWORD, readCode, SIX_COOKIES } from "./auth-steps.ts";
import { clearCookies, joinSite, newPage, openBrowser, ROOT_FOLDER, type Site, visit } from "./site.ts";

interface Gated {
  readonly path: string;
  readonly file: string;
  readonly signedIn?: true;
  readonly signedOut?: true;
}

let site: Pick<Site, "origin">;
let browser: Browser;
let pages: readonly Gated[];
beforeAll(async () => {
  [site, browser] = await Promise.all([joinSite(), openBrowser()]);
  const table = (await import(join(ROOT_FOLDER, "apps/web/src/boot/route-table.ts"))) as { PAGES: readonly Gated[] };
  pages = table.PAGES.filter(({ signedIn, signedOut }) => signedIn === true || signedOut === true);
});
afterAll(async () => {
  await browser?.close();
});

const MARK = "cw_correct_token";
type Jar = Map<string, string>;

function keepCookies(jar: Jar, response: Response): void {
  for (const text of response.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
    if (value === "") jar.delete(name);
    else jar.set(name, value);
  }
}

async function post(jar: Jar, path: string, body: object): Promise<Response> {
  const response = await fetch(`${site.origin}/api${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie: cookieText(jar) },
    body: JSON.stringify(body),
  });
  keepCookies(jar, response);
  return response;
}

const cookieText = (jar: Jar): string => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");

/** The six cookies of a new user. */
async function signUp(): Promise<Jar> {
  const jar: Jar = new Map();
  const account = mintAccount();
  await post(jar, "/v2/users/sign-up/code", { account });
  const code = await readCode(site.origin, account, "sign-up");
  expect((await post(jar, "/v2/users/sign-up", { account, code, password: PASSWORD })).status).toBe(200);
  return jar;
}

interface Walk {
  readonly seen: readonly string[];
  readonly status: number;
  readonly isLoggedIn: boolean;
}

/** Follows redirects as a browser does, cookies and all. By HEAD the gates decide the same, and no page is drawn. */
async function walk(jar: Jar, path: string, method: "GET" | "HEAD"): Promise<Walk> {
  const seen: string[] = [];
  let next = path;
  for (;;) {
    seen.push(next);
    const headers = { cookie: cookieText(jar) };
    const response = await fetch(site.origin + next, { method, redirect: "manual", headers });
    keepCookies(jar, response);
    await response.arrayBuffer();
    const location = response.headers.get("location");
    if (location === null || seen.length > 10) {
      return { seen, status: response.status, isLoggedIn: jar.has(MARK) };
    }
    const url = new URL(location, site.origin);
    next = url.pathname + url.search;
  }
}

/** Each of the six, and every two of them. */
function combinations(): readonly (readonly string[])[] {
  const pairs = SIX_COOKIES.flatMap((first, at) => SIX_COOKIES.slice(at + 1).map((second) => [first, second]));
  return [...SIX_COOKIES.map((name) => [name]), ...pairs];
}

const concretePath = (path: string): string => path.replace(/\/\*$/, "");

describe("gates without some of the cookies", () => {
  let whole: Jar;
  beforeAll(async () => {
    whole = await signUp();
    expect([...whole.keys()].sort()).toEqual([...SIX_COOKIES].sort());
  });

  const without = (names: readonly string[]): Jar => new Map([...whole].filter(([name]) => !names.includes(name)));

  // Each page is tested with every single cookie's loss and a third of the pairs; every pair with a third of the pages.
  test("[AUTH-3] each cookie and every two of them deleted: every gated page ends somewhere, and both sides agree", async () => {
    for (const [turn, names] of combinations().entries()) {
      const isLoggedIn = !names.includes(MARK);
      const requested = names.length === 1 ? pages : pages.filter((_, at) => at % 3 === turn % 3);
      const walks = await Promise.all(
        requested.map(async (page) => ({ page, walk: await walk(without(names), concretePath(page.path), "HEAD") })),
      );
      for (const { page, walk: walked } of walks) {
        const about = `${page.path} without ${names.join(" and ")}: ${walked.seen.join(" → ")}`;
        expect(new Set(walked.seen).size, about).toBe(walked.seen.length);
        expect(walked.seen.length, about).toBeLessThan(4);
        expect(walked.status, about).not.toBe(302);
        // Without a mark no user is logged in; with one, any proof next to it is enough for a page.
        expect(walked.isLoggedIn, about).toBe(isLoggedIn);
        const isRefused = isLoggedIn ? page.signedOut === true : page.signedIn === true;
        expect(walked.seen.length > 1, about).toBe(isRefused);
        if (!isLoggedIn && page.signedIn === true) expect(walked.seen.at(-1), about).toMatch(/^\/login/);
      }
    }
  }, 600_000);

  test("[AUTH-3] what is decided without drawing is what a page is drawn by, on every gated page", async () => {
    for (const [at, page] of pages.entries()) {
      const names = combinations()[at % combinations().length] ?? [];
      const drawn = await walk(without(names), concretePath(page.path), "GET");
      expect(drawn, page.path).toEqual(await walk(without(names), concretePath(page.path), "HEAD"));
      expect(drawn.status, page.path).toBeLessThan(500);
    }
  });

  test("[AUTH-3] a mark without a session behind it is removed, and sign-in is shown", async () => {
    const proofs = ["cw_access_token", "cw_correct_access_token", "cw_session"];
    for (const page of pages) {
      const jar = without(proofs);
      const { seen, status, isLoggedIn } = await walk(jar, concretePath(page.path), "HEAD");
      expect([status, isLoggedIn, seen.length < 4], `${page.path}: ${seen.join(" → ")}`).toEqual([200, false, true]);
      expect([...jar.keys()].filter((name) => SIX_COOKIES.includes(name))).toEqual([]);
    }
  });
});

describe("in a real browser", () => {
  const countNavigations = (page: Page): (() => number) => {
    let count = 0;
    page.on("request", (request) => {
      if (request.isNavigationRequest()) count += 1;
    });
    return () => count;
  };

  const dropCookies = async (context: BrowserContext, names: readonly string[]): Promise<void> => {
    for (const name of names) await context.clearCookies({ name });
  };

  /**
   * One gated page of every folder, with calls of its own in the background: what a folder's pages share is in all of
   * them.
   */
  const listFolders = (): readonly Gated[] => {
    const seen = new Set<string>();
    return pages.filter(({ file, signedIn, signedOut }) => {
      const room = `${file.split("/")[0]} ${signedIn} ${signedOut}`;
      return !seen.has(room) && seen.add(room);
    });
  };

  test("[AUTH-3] each cookie and every two of them deleted: the page settles, and the rooms of gated pages take turns", async () => {
    const { context, page } = await newPage(browser);
    await enter(page, site.origin);
    const cookies = await context.cookies();
    const proofs = ["cw_access_token", "cw_correct_access_token", "cw_session"];
    const navigations = countNavigations(page);
    const rooms = listFolders();
    expect(rooms.length).toBeGreaterThan(5);
    for (const [turn, names] of combinations().entries()) {
      // As a user deletes them in the browser, which keeps everything else of the site.
      await clearCookies(page);
      await context.addCookies(cookies.filter(({ name }) => !names.includes(name)));
      const isLoggedIn = !names.includes(MARK) && !allOf(proofs, (name) => names.includes(name));
      const turns = rooms.filter((_, at) => at % combinations().length === turn);
      for (const gated of [{ path: "/account", signedIn: true as const }, ...turns]) {
        const [path, before] = [concretePath(gated.path), navigations()];
        const about = `${path} without ${names.join(" and ")}`;
        await visit(page, site.origin + path);
        // The page's background calls may be refused, and must not cause redirects either.
        await page.waitForLoadState("networkidle");
        expect(navigations() - before, about).toBeLessThan(4);
        const ending = new URL(page.url()).pathname;
        if (!isLoggedIn && gated.signedIn === true) expect(ending, about).toMatch(/^\/login/);
        if (isLoggedIn && gated.signedIn === true) expect(ending, about).not.toMatch(/^\/login/);
      }
    }
    await context.close();
  }, 600_000);

  test.each([
    ["the corrected token", [MARK], "/login"],
    ["the corrected token and the session", [MARK, "cw_session"], "/login"],
    ["both access tokens", ["cw_access_token", "cw_correct_access_token"], "/account"],
    ["all that authorises", ["cw_access_token", "cw_correct_access_token", "cw_session"], "/login"],
  ])("[AUTH-3] without %s the page settles", async (_, names, ending) => {
    const { context, page } = await newPage(browser);
    await enter(page, site.origin);
    await dropCookies(context, names);
    const navigations = countNavigations(page);
    await page.goto(`${site.origin}/account`);
    await page.waitForURL((url) => url.pathname === ending);
    if (ending === "/login") await page.getByLabel("Email or phone").waitFor();
    else await page.getByRole("button", { name: "Sign out" }).waitFor();
    // Another page of the account: the first one's background calls are done by now.
    await page.goto(`${site.origin}/letters`);
    await page.waitForURL((url) => url.pathname === (ending === "/login" ? "/login" : "/letters"));
    expect(navigations()).toBeLessThan(8);
    await context.close();
  });

  test("[AUTH-4] a renewal that answers 503 ends nothing: the page reports it, and resumes afterwards", async () => {
    const { context, page } = await newPage(browser);
    await enter(page, site.origin);
    await dropCookies(context, ["cw_access_token", "cw_correct_access_token", "cw_futures_token"]);
    let isDown = true;
    let requested = 0;
    await page.route("**/api/v2/users/session/refresh", async (route) => {
      requested += 1;
      if (!isDown) return route.continue();
      const body = JSON.stringify({ code: "UNAVAILABLE", data: null, message: "Try again." });
      return route.fulfill({ status: 503, contentType: "application/json", body });
    });
    const navigations = countNavigations(page);
    await page.goto(`${site.origin}/account`);
    const banner = page.getByText("Clockwork cannot be reached right now.");
    await banner.waitFor();
    await expect.poll(() => requested).toBeGreaterThan(1);
    expect(new URL(page.url()).pathname).toBe("/account");
    expect(navigations()).toBe(1);
    isDown = false;
    await banner.waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/account");
    await page.goto(`${site.origin}/letters`);
    await page.waitForURL("**/letters");
    await context.close();
  });

  test("[AUTH-3] scripts read marks alone, and every call goes out with them in its headers", async () => {
    const { context, page } = await newPage(browser);
    await enter(page, site.origin);
    const readable = await page.evaluate(() =>
      document.cookie
        .split("; ")
        .map((text) => text.split("=")[0])
        .filter((name) => name?.startsWith("cw_"))
        .sort(),
    );
    expect(readable.filter((name) => SIX_COOKIES.includes(name ?? ""))).toEqual(["cw_correct_token", "cw_token"]);
    const calls: Record<string, string>[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/v2/users/qr-login/scan")) calls.push(request.headers());
    });
    await visit(page, `${site.origin}/operation-cw/scan-login`);
    await page.getByLabel("Code from the other screen").fill("no-such-code-0123456789");
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await page.getByText(/unknown, used or too old/).waitFor();
    const mark = (await context.cookies()).find(({ name }) => name === MARK)?.value;
    expect(calls[0]).toMatchObject({ "x-authorization": mark, logintoken: mark, token: expect.stringMatching(/^~/) });
    await context.close();
  });
});
