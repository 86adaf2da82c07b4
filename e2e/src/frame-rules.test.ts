// Rules of the frame that only a browser shows: the loading bar's states, the components' own texts, the device record,
// a part pausing under an open page, a phone passing its address, a list that scrolls while it is sorted.
import { get } from "node:http";
import { text } from "node:stream/consumers";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { enter, mintAccount } from "./auth-steps.ts";
import { findViolations } from "./axe-find.ts";
import { joinSite, newPage, openBrowser, type Site, visit, waitAwake } from "./site.ts";

let site: Pick<Site, "origin">;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([joinSite(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
});

/** Keeps every state the bar goes through, with the colour and size it has in it. */
async function watchBar(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const bar = document.querySelector("[data-phase]") as HTMLElement;
    const seen: string[] = [];
    const read = () => `${bar.dataset.phase}${bar.dataset.failed === "true" ? " failed" : ""}`;
    // An attribute written anew with the value it had is no step of the bar's.
    let last = read();
    Object.assign(globalThis, { barStates: seen });
    new MutationObserver(() => {
      if (read() === last) return;
      last = read();
      seen.push(last);
    }).observe(bar, { attributes: true });
  });
  return () => page.evaluate(() => (globalThis as unknown as { barStates: string[] }).barStates);
}

test("[SITE-9] the loading bar goes from idle over progress and finishing to idle, three pixels high", async () => {
  const { context, page, watch } = await newPage(browser);
  await visit(page, `${site.origin}/docs`);
  await page.waitForLoadState("networkidle");
  const states = await watchBar(page);
  // Held until the bar shows.
  const shown = Promise.withResolvers<void>();
  await page.route("**/_payload.json", async (route) => {
    await shown.promise;
    await route.continue();
  });
  await page.getByRole("link", { name: "Clockwork" }).first().click();
  const bar = page.locator("[data-phase]");
  await page.locator('[data-phase="progress"]').waitFor({ state: "attached" });
  expect(await bar.evaluate((element) => (element as HTMLElement).offsetHeight)).toBe(3);
  shown.resolve();
  await page.getByRole("heading", { level: 1, name: /keeps exact time/ }).waitFor();
  await page.waitForFunction(() => (globalThis as unknown as { barStates: string[] }).barStates.at(-1) === "idle");
  expect(await states()).toEqual(["progress", "finishing", "idle"]);
  expect(watch.troubles).toEqual([]);
  await context.close();
});

test("[SITE-9] a navigation that fails ends in the colour of danger", async () => {
  const { context, page } = await newPage(browser);
  await visit(page, `${site.origin}/docs`);
  await page.waitForLoadState("networkidle");
  const states = await watchBar(page);
  const shown = Promise.withResolvers<void>();
  await page.route("**/_payload.json", async (route) => {
    await shown.promise;
    await route.fulfill({ status: 500, json: { error: { status: 500, message: "stopped" } } });
  });
  await page.getByRole("link", { name: "Clockwork" }).first().click();
  await page.locator('[data-phase="progress"]').waitFor({ state: "attached" });
  shown.resolve();
  await page.getByRole("heading", { level: 1, name: "Something went wrong" }).waitFor();
  await page.waitForFunction(() =>
    (globalThis as unknown as { barStates: string[] }).barStates.some((state) => state === "finishing failed"),
  );
  expect((await states())[0]).toBe("progress");
  await context.close();
});

test("[SITE-17] every generic label is used where it belongs", async () => {
  const { context, page } = await newPage(browser);
  await visit(page, `${site.origin}/docs/element-plus`);
  await page.getByRole("button", { name: "Ask first" }).click();
  const question = page.getByRole("alertdialog");
  await question.waitFor();
  for (const name of ["OK", "Cancel", "Close dialog"])
    expect(await question.getByRole("button", { name, exact: true }).count(), name).toBe(1);
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });

  // Labels in text, and labels that exist only as a name.
  await page.getByRole("button", { name: "Clear", exact: true }).waitFor();
  const main = page.locator("main");
  expect(await main.getByText("No Data", { exact: true }).count()).toBeGreaterThan(0);
  expect(await main.locator('[aria-label="Loading"]').count()).toBeGreaterThan(0);
  const password = page.getByRole("textbox", { name: "New password", exact: true });
  await password.fill("abcdefgh");
  for (const name of ["Yes", "No"]) await main.getByRole("img", { name, exact: true }).first().waitFor();
  await page.getByRole("textbox", { name: "Amount" }).first().focus();
  await page.keyboard.type("1x");
  await main.getByText("Illegal input", { exact: true }).waitFor();

  await visit(page, `${site.origin}/docs/select`);
  await page.getByRole("button", { name: /Asset/ }).first().click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("INPUT");
  await page.keyboard.type("nothing like this");
  await page.getByText("No matching data", { exact: true }).waitFor();
  await context.close();
});

interface DeviceRecord {
  readonly savedAtMs: number;
  readonly record: Readonly<Record<string, unknown>>;
}

const FIELDS =
  "screen_resolution available_screen_resolution system_version brand_model system_lang timezone timezoneOffset user_agent list_plugin canvas_code webgl_vendor webgl_renderer audio platform web_timezone device_name fingerprint";

async function readRecord(page: Page): Promise<{ readonly key: string; readonly kept: DeviceRecord } | undefined> {
  const found = await page.evaluate(() =>
    Object.entries(localStorage).find(([, value]) => value.includes('"screen_resolution"')),
  );
  return found === undefined ? undefined : { key: found[0], kept: JSON.parse(found[1]) as DeviceRecord };
}

test("[AUTH-10] a browser's record has the seventeen fields, hash last, is kept for a day and not for longer", async () => {
  const { context, page } = await newPage(browser);
  // A page whose connection is late uses HTTP, and a call names its device: this one's opens at once and remains.
  await page.routeWebSocket(/\/ws$/, (socket) => socket.onMessage(() => socket.send('{"event":"pong"}')));
  // The home page requests campaigns when idle; this one requests nothing.
  await visit(page, `${site.origin}/docs`);
  await page.waitForLoadState("networkidle");
  // A visitor who only reads leaves no record.
  expect(await readRecord(page)).toBeUndefined();
  const touch = async () => {
    // A press before the page listens counts for nothing.
    const press = async () => {
      await page.keyboard.press("Tab");
      return (await readRecord(page)) !== undefined;
    };
    await expect.poll(press).toBe(true);
    return (await readRecord(page)) as { key: string; kept: DeviceRecord };
  };
  const { key, kept } = await touch();
  expect(Object.keys(kept.record)).toEqual(FIELDS.split(" "));
  expect(kept.record.screen_resolution).toMatch(/^\d+x\d+$/);
  expect(kept.record.fingerprint).toMatch(/^[0-9a-f]{32}$/);
  expect(kept.record.canvas_code).toMatch(/^[0-9a-f]{32}$/);

  const age = (ms: number) =>
    page.evaluate(
      ([name, text]) => localStorage.setItem(name as string, text as string),
      [key, JSON.stringify({ ...kept, savedAtMs: kept.savedAtMs - ms })],
    );
  const savedAtMs = async () => (await readRecord(page))?.kept.savedAtMs ?? 0;
  const touchAgain = async () => {
    await page.reload({ waitUntil: "networkidle" });
    await page.keyboard.press("Tab");
  };
  await age(86_000_000);
  await touchAgain();
  await page.waitForTimeout(1_500);
  expect(await savedAtMs()).toBe(kept.savedAtMs - 86_000_000);
  await age(86_400_001);
  await touchAgain();
  const touched = async () => {
    await page.keyboard.press("Tab");
    return savedAtMs();
  };
  await expect.poll(touched).toBeGreaterThan(kept.savedAtMs);
  await context.close();
});

test("[SITE-22] a part that goes to rest takes its open page along and gives it back", async () => {
  const { context, page } = await newPage(browser);
  let tell: (text: string) => void = () => undefined;
  let subscribed = Promise.withResolvers<void>();
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    tell = (text) => socket.send(text);
    socket.onMessage((message) => server.send(message));
    // The server's own word on it comes first; only after that is ours the latest.
    server.onMessage((message) => {
      socket.send(message);
      if (String(message).includes('"modules"')) subscribed.resolve();
    });
  });
  await enter(page, site.origin, mintAccount());
  subscribed = Promise.withResolvers();
  await visit(page, `${site.origin}/identity`);
  await page.getByRole("heading", { level: 1, name: "Identity" }).waitFor();
  await subscribed.promise;
  const modules = (isDown: boolean) => [{ module: "kyc", isDown, reason: "New disks.", startsAt: null, endsAt: null }];
  const say = (isDown: boolean) =>
    tell(JSON.stringify({ event: "data", channel: "common", type: "modules", data: { modules: modules(isDown) } }));
  say(true);
  await page.getByRole("heading", { level: 1, name: "Identity is under maintenance" }).waitFor();
  expect(await page.locator("main").innerText()).toContain("New disks.");
  say(false);
  await page.getByRole("heading", { level: 1, name: "Identity verification", exact: true }).waitFor();
  await context.close();
});

test("[SITE-15] a phone's address is registered, public before signing in and private after", async () => {
  const { context, page } = await newPage(browser, { userAgent: "Mozilla/5.0 (Linux) ClockworkAndroid/1.0" });
  await page.addInitScript(() => {
    const reply = (text: string) => {
      const { id, ask } = JSON.parse(text) as { id: number; ask: string };
      const data =
        ask === "pushToken" ? { token: "phone:0123456789abcdef" } : ask === "takeToken" ? { token: "" } : null;
      setTimeout(() => {
        const { clockworkShellReply } = globalThis as unknown as { clockworkShellReply: (text: string) => void };
        clockworkShellReply(JSON.stringify({ id, ok: true, data }));
      });
    };
    Object.assign(globalThis, { ClockworkAndroid: { postMessage: reply } });
  });
  const handed = () => page.waitForResponse((response) => response.url().includes("/v1/common/push-token/"));
  const first = handed();
  await visit(page, site.origin);
  const open = await first;
  expect([new URL(open.url()).pathname, open.status()]).toEqual(["/api/v1/common/push-token/public", 200]);
  expect(open.request().postDataJSON()).toEqual({ token: "phone:0123456789abcdef", system: "android" });

  await enter(page, site.origin, mintAccount());
  const second = handed();
  await visit(page, site.origin);
  const own = await second;
  expect([new URL(own.url()).pathname, own.status()]).toEqual(["/api/v1/common/push-token/private", 200]);
  await context.close();
});

test("[SITE-16] a list scrolls while something is dragged to its edge, and the drop counts the way scrolled", async () => {
  const { context, page } = await newPage(browser, { viewport: { width: 1440, height: 420 } });
  await visit(page, `${site.origin}/docs/drag-sort`);
  const list = page.getByRole("list", { name: "Panels" });
  await list.evaluate((element) => {
    const box = element as HTMLElement;
    box.style.maxHeight = "120px";
    box.style.overflowY = "auto";
  });
  await list.scrollIntoViewIfNeeded();
  const grip = list.getByRole("button").first();
  await waitAwake(grip);
  const from = await grip.boundingBox();
  const view = await list.boundingBox();
  if (from === null || view === null) throw new Error("the list is not on the page");
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(from.x + from.width / 2, view.y + view.height - 4, { steps: 5 });
  await expect
    .poll(() => list.evaluate((element) => element.scrollTop + element.clientHeight >= element.scrollHeight - 1))
    .toBe(true);
  await page.mouse.up();
  await expect.poll(() => list.getByRole("listitem").last().innerText()).toMatch(/Order\s+book/);
  await context.close();
});

/** A request under a host of the caller's choice, as a browser cannot make it. */
function requestAs(host: string, path: string): Promise<string> {
  return new Promise((done, fail) => {
    get(site.origin + path, { headers: { host } }, async (response) => done(await text(response))).on("error", fail);
  });
}

test("[SITE-21] a page requested under a foreign host is private: no link in the cached page leads there", async () => {
  const { host } = new URL(site.origin);
  for (const path of ["/", "/help", "/robots.txt", "/sitemap.xml", "/markets/_payload.json"]) {
    await requestAs("evil.example", path);
    const [own, broken] = await Promise.all([requestAs(host, path), requestAs('x"><script>', path)]);
    expect(own, path).not.toContain("evil.example");
    expect(broken, path).not.toContain('x"><script>');
  }
});

/** Test funds by the faucet, as the terminal's own button requests them. */
function fund(page: Page, amount: string): Promise<number> {
  return page.evaluate(async (wanted) => {
    const response = await fetch("/dev/faucet", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ asset: "USDT", amount: wanted }),
    });
    return response.status;
  }, amount);
}

test("[SITE-22] the avatar opens the account: name, worth, every section, by keyboard and live", async () => {
  const { context, page, watch } = await newPage(browser);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await enter(page, site.origin);
  expect(await fund(page, "1250")).toBe(200);
  await visit(page, site.origin);
  const avatar = page.getByRole("button", { name: "Account", exact: true });
  await waitAwake(avatar);
  await avatar.focus();
  await page.keyboard.press("Enter");
  const menu = page.getByRole("dialog", { name: "Account" });
  await menu.getByText(/^pe\*\*\*@/).waitFor();
  await menu.getByText("$1,250.00").waitFor();
  expect(await findViolations(page)).toEqual([]);

  // Live: the balance changes elsewhere and the open menu follows.
  expect(await fund(page, "750.5")).toBe(200);
  await menu.getByText("$2,000.50").waitFor();
  await menu.getByRole("button", { name: "Hide amounts" }).click();
  await menu.getByText("$2,000.50").waitFor({ state: "detached" });
  await menu.getByRole("button", { name: "Copy your user ID" }).click();
  await menu.getByText("Copied").waitFor({ state: "attached" });
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(await menu.innerText()).toContain(`UID ${copied}`);

  const links = await menu.getByRole("link").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  for (const href of links) expect((await page.request.get(site.origin + href)).status(), String(href)).toBe(200);
  expect(links).toEqual(expect.arrayContaining(["/account", "/security", "/identity", "/devices", "/letters"]));
  // The marks of level and identity lead to their pages too; every other section is listed once.
  const places = links.filter((href) => href !== "/vip" && href !== "/identity");
  expect(places).toEqual([...new Set(places)]);

  await page.keyboard.press("End");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Sign out");
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "detached" });
  await expect.poll(() => avatar.evaluate((element) => element === document.activeElement)).toBe(true);

  // The choice holds over a page and in the sheet of narrow screens.
  await page.setViewportSize({ width: 390, height: 844 });
  await visit(page, `${site.origin}/help`);
  await waitAwake(avatar);
  await avatar.click();
  await menu.getByText("••••••").waitFor();
  await menu.getByRole("link", { name: "Security" }).click();
  await page.waitForURL("**/security");
  await menu.waitFor({ state: "detached" });
  await avatar.click();
  await menu.getByRole("button", { name: "Sign out" }).waitFor();
  expect(watch.troubles).toEqual([]);
  await menu.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("link", { name: "Sign up" }).first().waitFor();
  // Requests from a moment before are refused now, and the browser reports it.
  expect(watch.troubles.filter((line) => !line.includes("status of 401"))).toEqual([]);
  await context.close();
});
