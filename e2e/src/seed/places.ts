// Other places a page may be in: a native shell, a narrow screen, a browser whose session ended or whose server calls the
// user otherwise, a help centre.
import type { Browser } from "playwright-core";
import { newPage, visit, waitAwake } from "../site.ts";
import { signUp, waitUntil, watchWire } from "./wire.ts";

export interface PlaceEvidence {
  /** By shell: how many footers and menus a page has in it, and what its calls say of the system. */
  readonly shells: Readonly<Record<string, { readonly frames: number; readonly system: string }>>;
  /** By path on a phone: whether it has the small header, and a way back in it. */
  readonly narrow: Readonly<Record<string, { readonly hasHeader: boolean; readonly hasBack: boolean }>>;
  readonly ended: { readonly url: string; readonly menu: string | null };
  /** How a page names the user that the server calls `fid`. */
  readonly fid: string;
  readonly help: readonly { readonly name: string; readonly to: string; readonly status: number }[];
  /** What another page shows after choices made on one. */
  readonly shared: { readonly theme: string; readonly footer: string; readonly body: string };
  /** Sign-up with all that its address may carry. */
  readonly carried: { readonly invite: string; readonly login: string };
}

const AGENTS = {
  ios: "Mozilla/5.0 (iPhone) ClockworkIos/1.0",
  android: "Mozilla/5.0 (Linux; Android 14) ClockworkAndroid/1.0",
  flutter: "Mozilla/5.0 (Linux; Android 14) ClockworkFlutter/1.0",
} as const;

/** Each shell by its agent and its own bridge, which passes the phone's push address. */
async function walkShells(browser: Browser, origin: string): Promise<PlaceEvidence["shells"]> {
  const shells: Record<string, { frames: number; system: string }> = {};
  for (const [shell, userAgent] of Object.entries(AGENTS)) {
    const { context, page } = await newPage(browser, { userAgent });
    const wire = watchWire(page);
    await page.addInitScript((name) => {
      const postMessage = (text: string) => {
        const { id, ask } = JSON.parse(text) as { id: number; ask: string };
        const token = ask === "pushToken" ? "phone:0123456789abcdef" : "";
        const reply = () =>
          (globalThis as unknown as { clockworkShellReply: (text: string) => void }).clockworkShellReply(
            JSON.stringify({ id, ok: true, data: { token } }),
          );
        setTimeout(reply);
      };
      const bridges: Record<string, object> = {
        ios: { webkit: { messageHandlers: { clockwork: { postMessage } } } },
        android: { ClockworkAndroid: { postMessage } },
        flutter: {
          flutter_inappwebview: { callHandler: (_: string, text: string) => Promise.resolve(postMessage(text)) },
        },
      };
      Object.assign(globalThis, bridges[name]);
    }, shell);
    await visit(page, origin);
    const handed = () => wire.calls.find(({ path }) => path.includes("/push-token/"));
    await waitUntil(page, async () => handed() !== undefined);
    const frames = await page.locator("header nav, footer").count();
    shells[shell] = { frames, system: handed()?.headers.system ?? "" };
    await context.close();
  }
  return shells;
}

async function walkNarrow(browser: Browser, origin: string): Promise<PlaceEvidence["narrow"]> {
  const narrow: Record<string, { hasHeader: boolean; hasBack: boolean }> = {};
  const { context, page } = await newPage(browser, { viewport: { width: 390, height: 844 } });
  for (const path of ["/forget-cw", "/forget-cw/verification", "/forget-cw/reset", "/login-cw/social-verification"]) {
    await page.goto(origin + path, { waitUntil: "commit" });
    const header = page.locator("header.lg\\:hidden:visible");
    await header.first().waitFor();
    const hasBack = (await header.getByRole("button", { name: "Go back" }).count()) > 0;
    narrow[path] = { hasHeader: (await header.count()) > 0, hasBack };
  }
  await context.close();
  return narrow;
}

/** The server's tokens die under an open page. */
async function walkEnded(browser: Browser, origin: string): Promise<PlaceEvidence["ended"]> {
  const { context, page } = await newPage(browser);
  await signUp(context, origin);
  await visit(page, `${origin}/letters`);
  await page.waitForFunction(() => localStorage.getItem("cw_user_menu") !== null);
  await context.clearCookies({ name: "cw_session" });
  for (const name of ["cw_access_token", "cw_correct_access_token"]) {
    await context.addCookies([{ name, value: "spoiled", url: origin }]);
  }
  const currency = page.getByRole("button", { name: /language and currency/ });
  await waitAwake(currency);
  await currency.click();
  await page.getByRole("dialog").locator('label:has(input[value="KRW"])').click();
  await page.waitForURL((url) => url.pathname === "/login");
  const menu = await page.evaluate(() => localStorage.getItem("cw_user_menu"));
  const { pathname, search } = new URL(page.url());
  await context.close();
  return { url: pathname + search, menu };
}

/** A page served as anonymous in a signed-in browser requests the identity, and receives it under the older name. */
async function walkFid(browser: Browser, origin: string): Promise<string> {
  const { context, page } = await newPage(browser);
  await signUp(context, origin);
  await page.route(`${origin}/help`, async (route) => {
    const { cookie: _, ...headers } = await route.request().allHeaders();
    await route.fulfill({ response: await route.fetch({ headers: { ...headers, cookie: "" } }) });
  });
  const data = {
    fid: 4_204_200,
    userInfo: { nickname: "Ann", account: "an***@x.example" },
    availableLanguage: ["en_US"],
  };
  await page.route("**/v2/users/top-info", (route) => route.fulfill({ json: { code: 0, data, message: "" } }));
  await visit(page, `${origin}/help`);
  const avatar = page.getByRole("button", { name: "Account", exact: true });
  await avatar.waitFor();
  await waitAwake(avatar);
  await avatar.click();
  const menu = page.getByRole("dialog", { name: "Account" });
  await menu.getByText(/UID/).waitFor();
  // What the account is worth comes a moment later.
  await waitUntil(page, async () => (await menu.innerText()).includes("$"));
  const output = await menu.innerText();
  await context.close();
  return output;
}

async function walkHelp(browser: Browser, origin: string): Promise<PlaceEvidence["help"]> {
  const { context, page } = await newPage(browser);
  await visit(page, `${origin}/en_US/help`);
  const links = await page
    .getByRole("navigation", { name: "Asked for most" })
    .getByRole("link")
    .evaluateAll((all) => all.map((link) => [link.textContent ?? "", link.getAttribute("href") ?? ""] as const));
  const help: { name: string; to: string; status: number }[] = [];
  for (const [name, to] of links) {
    const status = await page.evaluate(async (path) => (await fetch(path)).status, to);
    help.push({ name, to, status });
  }
  await context.close();
  return help;
}

async function walkShared(browser: Browser, origin: string): Promise<PlaceEvidence["shared"]> {
  const { context, page } = await newPage(browser);
  await visit(page, origin);
  const settings = page.getByRole("button", { name: /language and currency/ });
  await waitAwake(settings);
  await settings.click();
  await page.getByRole("dialog").locator('label:has(input[value="EUR"])').click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Choose a theme" }).click();
  await page.getByRole("dialog", { name: "Theme" }).getByText("Dark", { exact: true }).click();
  await page.keyboard.press("Escape");
  await page.locator('footer a[href="/help"]').first().click();
  await page.waitForURL("**/help");
  await page.getByRole("navigation", { name: "Asked for most" }).waitFor();
  const shared = {
    theme: (await page.locator("html").getAttribute("data-theme")) ?? "",
    footer: await page.locator("footer").innerText(),
    body: (await page.locator("body").getAttribute("class")) ?? "",
  };
  await context.close();
  return shared;
}

async function walkCarried(browser: Browser, origin: string): Promise<PlaceEvidence["carried"]> {
  const { context, page } = await newPage(browser);
  await visit(page, `${origin}/register?forwardUrl=%2Fdocs&inviteCode=AB12CD&utm_source=letter`);
  const invite = await page.getByLabel("Invite code").inputValue();
  const login = (await page.getByRole("main").getByRole("link", { name: "Log in" }).getAttribute("href")) ?? "";
  await context.close();
  return { invite, login };
}

export async function walkPlaces(browser: Browser, origin: string): Promise<PlaceEvidence> {
  return {
    shells: await walkShells(browser, origin),
    narrow: await walkNarrow(browser, origin),
    ended: await walkEnded(browser, origin),
    fid: await walkFid(browser, origin),
    help: await walkHelp(browser, origin),
    shared: await walkShared(browser, origin),
    carried: await walkCarried(browser, origin),
  };
}
