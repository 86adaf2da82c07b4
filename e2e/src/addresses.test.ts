// The exchange at several names, for a signed-in user: its futures API below the domain, and another address that takes
// over when the page's own does not answer. One site; names below localhost lead to it in every browser.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mintAccount, PASSWORD, readCode } from "./auth-steps.ts";
import { freePort, newPage, openBrowser, type Site, startSite, visit } from "./site.ts";

const DOMAIN = "cw.localhost";
const PARTNERS = { CW_PARTNER_DOMAINS: "partner.localhost=AB12CD" };
let site: Site;
let browser: Browser;
let home: string;
let sister: string;
let futures: string;

beforeAll(async () => {
  const port = await freePort();
  [home, sister, futures] = [DOMAIN, `b.${DOMAIN}`, `futuresapi.${DOMAIN}`].map((name) => `http://${name}:${port}`) as [
    string,
    string,
    string,
  ];
  const settings = { PORT: String(port), CW_DOMAIN: DOMAIN, CW_FAST_ORIGINS: sister, CW_CAPTCHA: "off", ...PARTNERS };
  [site, browser] = await Promise.all([startSite(settings), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

function listen(page: Page): { readonly answers: string[]; readonly sockets: string[] } {
  const [answers, sockets]: [string[], string[]] = [[], []];
  page.on("response", (response) => answers.push(`${response.status()} ${response.url()}`));
  page.on("websocket", (socket) => sockets.push(socket.url()));
  return { answers, sockets };
}

/** By calls of the page: only a browser resolves these names. */
async function signUp(page: Page): Promise<void> {
  const post = (path: string, data: object) =>
    page.evaluate(
      async ([path, data]) => {
        const headers = { "content-type": "application/json" };
        const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(data) });
        return answer.status;
      },
      [path, data] as const,
    );
  const account = mintAccount();
  await visit(page, `${home}/docs`);
  expect(await post("/api/v2/users/sign-up/code", { account })).toBe(200);
  const code = await readCode(site.origin, account, "sign-up");
  expect(await post("/api/v2/users/sign-up", { account, code, password: PASSWORD, country: "GB" })).toBe(200);
}

test("[NET-3] [NET-7] a user trades on at the futures API's own name, and at a sister address", async () => {
  const { context, page } = await newPage(browser);
  // A change of a socket's address is dispatched to the whole page.
  await page.addInitScript(() => {
    const moves: string[] = [];
    Object.assign(globalThis, { moves });
    for (const name of ["spot WS change", "futures WS change"]) {
      addEventListener(name, (event) => moves.push(`${name} ${(event as CustomEvent<string>).detail}`));
    }
  });
  // Starts at its own address, however fast the other is.
  await page.route(`${sister}/api/v1/common/ping`, (route) => route.abort());
  await signUp(page);
  const { answers, sockets } = listen(page);
  await visit(page, `${home}/futures/BTC_USDT`);
  // Only the owner gets the fee: cookies of the domain reached the name below it.
  const asFutures = () => answers.filter((line) => line.includes("futures") && !line.includes("/assets/"));
  await expect.poll(asFutures).toContain(`200 ${futures}/v1/futuresc/user-level-fee?biz=futures`);
  expect(answers.filter((line) => line.startsWith("401"))).toEqual([]);
  // Market data goes the same way, with the headers of every call.
  const requested = page.waitForRequest((request) => request.url().startsWith(`${futures}/v1/futuresc/candles`));
  await page.reload();
  expect((await requested).headers()).toMatchObject({ clienttag: "web", thirdappid: "cw" });

  const opened = sockets.length;
  await visit(page, `${home}/overview`);
  await expect.poll(() => sockets.length).toBeGreaterThan(opened);
  await page.unroute(`${sister}/api/v1/common/ping`);
  const from = answers.length;
  await page.route(`${home}/api/**`, (route) => route.abort());
  const own = () => answers.slice(from).filter((line) => line.startsWith(`200 ${sister}/api/v1/portfolio`));
  await expect.poll(() => own().length, { timeout: 120_000 }).toBeGreaterThan(0);
  await expect
    .poll(() => sockets.some((url) => url.startsWith(sister.replace("http", "ws"))), { timeout: 60_000 })
    .toBe(true);
  const moves = () => page.evaluate(() => (globalThis as unknown as { moves: string[] }).moves);
  const there = `${sister.replace("http", "ws")}/ws`;
  await expect.poll(moves).toEqual(expect.arrayContaining([`spot WS change ${there}`, `futures WS change ${there}`]));
  // No user was signed out by it.
  expect(answers.slice(from).filter((line) => line.startsWith("401"))).toEqual([]);
  expect(new URL(page.url()).pathname).toBe("/overview");
  await context.close();
});

test("[SITE-22] a partner's domain carries its inviter into sign-up, and no other does", async () => {
  const { context, page } = await newPage(browser);
  await visit(page, `${home.replace(DOMAIN, "www.partner.localhost")}/register`);
  expect(await page.getByLabel("Invite code").inputValue()).toBe("AB12CD");
  await visit(page, `${home}/register`);
  await page.getByRole("button", { name: "I have an invite code" }).click();
  expect(await page.getByLabel("Invite code").inputValue()).toBe("");
  await context.close();
});
