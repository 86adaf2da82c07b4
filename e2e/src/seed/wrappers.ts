// Every way a page calls the API, made to happen: forms and JSON, deletes, futures; answers that fail, and an answer that is
// text. Also who the futures API takes, and how often a read is tried again.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { newPage, visit, waitAwake } from "../site.ts";
import { type SeenCall, signUp, waitUntil, watchWire } from "./wire.ts";

export interface WrapperEvidence {
  readonly calls: readonly SeenCall[];
  /** How often a read was tried that was answered so, by status. */
  readonly tries: ReadonlyMap<number, number>;
  /** What a page shows of a call that was never answered, and whether anything was thrown. */
  readonly unanswered: string;
  readonly thrown: readonly string[];
  /** What a page shows of an answer that is JSON written as a text. */
  readonly asText: string;
  /** Whether the futures API and the other one recognised the caller, by the token. */
  readonly known: Readonly<Record<string, boolean>>;
  /** What the time zones UTC+8 and UTC are stored as. */
  readonly zones: readonly string[];
  /** The page's text for each currency's rate. */
  readonly rates: string;
}

const RETRIED = [408, 409, 425, 429, 500, 502, 503, 504];
const CURRENCIES = ["KRW", "TWD", "VND", "TRY", "RUB", "UAH", "EUR", "JPY", "CNY", "USD"];

/** Choosing a currency is a read with one field in its query; each choice is answered by another status. */
async function walkRetries(page: Page, origin: string): Promise<Pick<WrapperEvidence, "tries" | "rates">> {
  const rates: string[] = [];
  const tries = new Map<number, number>();
  await visit(page, origin);
  await page.getByRole("button", { name: /language and currency/ }).click();
  for (const [at, status] of [...RETRIED, 400, 404].entries()) {
    const currency = CURRENCIES[at] ?? "";
    let count = 0;
    await page.route(`**/index/changePriceType?priceType=${currency}`, (route) => {
      count += 1;
      return route.fulfill({ status, body: "" });
    });
    await page.getByRole("dialog").locator(`label:has(input[value="${currency}"])`).click();
    const wanted = RETRIED.includes(status) ? 2 : 1;
    await waitUntil(page, async () => count >= wanted);
    tries.set(status, count);
    const note = page.locator(`[data-rate="${currency}"]`);
    if (currency !== "USD") rates.push(await note.innerText());
  }
  // Every pending retry has happened by now.
  await page.waitForTimeout(1_000);
  await page.keyboard.press("Escape");
  return { tries, rates: rates.join("; ") };
}

/** The newsletter's link is confirmed by a form; its answers fail, or come as a text. */
async function walkForm(page: Page, origin: string): Promise<Pick<WrapperEvidence, "unanswered" | "asText">> {
  const press = async () => {
    await visit(page, `${origin}/newsletter?confirm=0123456789abcdef`);
    const button = page.getByRole("button", { name: "Confirm" });
    await waitAwake(button);
    await button.click();
  };
  await page.route("**/marketing/confirm", (route) => route.abort());
  await press();
  const alert = page.getByRole("main").getByRole("alert");
  await alert.waitFor();
  const unanswered = await alert.innerText();
  await page.unroute("**/marketing/confirm");
  const body = JSON.stringify(JSON.stringify({ code: 200, data: {}, message: "" }));
  await page.route("**/marketing/confirm", (route) => route.fulfill({ contentType: "text/plain", body }));
  await press();
  const status = page.getByRole("main").getByRole("status");
  await status.waitFor();
  const asText = await status.innerText();
  await page.unroute("**/marketing/confirm");
  return { unanswered, asText };
}

/** An order is taken back, an alert removed, a mode of positions changed, as the screens do it. */
async function walkTerminals(context: BrowserContext, page: Page, origin: string): Promise<void> {
  const post = (path: string, data: object) => context.request.post(origin + path, { data, headers: { origin } });
  await post("/dev/identity", { level: 1 });
  await post("/dev/faucet", { asset: "USDT", amount: "100" });
  // Too far away to be matched.
  const order = { pairCode: "BTC_USDT", side: "buy", type: "limit", price: "20000", quantity: "0.001" };
  const placed = await post("/api/v1/spot/orders", { ...order, clientOrderId: `seed-${Date.now()}` });
  if (!placed.ok()) throw new Error(`no order: ${await placed.text()}`);
  await visit(page, `${origin}/spot/BTC_USDT`);
  const cancel = page.getByRole("region", { name: "Your orders" }).getByRole("button", { name: /^Cancel BTC\/USDT/ });
  await cancel.click();
  const question = page.getByRole("dialog", { name: "Cancel order" });
  await question.getByRole("button", { name: "Cancel order" }).click();
  await cancel.waitFor({ state: "detached" });
  // Without a market there is no price to trigger at: the list shows that one waits.
  const alert = {
    id: 7,
    pairCode: "BTC_USDT",
    price: "1000",
    percent: null,
    indicator: null,
    repeats: false,
    direction: "falls",
    createdAtMs: 0,
    firedAtMs: null,
  };
  await page.route("**/v1/alerts?**", (route) =>
    route.fulfill({ json: { code: 200, data: { waiting: [alert], fired: [] }, message: "" } }),
  );
  await page.getByRole("button", { name: "Alert", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Price alert" });
  const removed = page.waitForRequest(
    (request) => request.method() === "DELETE" && request.url().includes("/v1/alerts/"),
  );
  await dialog.getByRole("button", { name: /Remove/ }).click();
  await removed;
  await page.keyboard.press("Escape");
}

async function chooseZones(context: BrowserContext, page: Page): Promise<readonly string[]> {
  const zones: string[] = [];
  for (const name of ["UTC+8", "UTC"]) {
    const before = zones.at(-1);
    await page.getByRole("button", { name: /Time zone/ }).click();
    await page.getByRole("menuitemradio", { name, exact: true }).click();
    const read = async () => (await context.cookies()).find((cookie) => cookie.name === "cw_timezone")?.value;
    await waitUntil(page, async () => ((await read()) ?? before) !== before);
    zones.push((await read()) ?? "");
  }
  return zones;
}

/** By token alone: a browser's own cookies are left out of it. */
async function walkTokens(context: BrowserContext, page: Page): Promise<WrapperEvidence["known"]> {
  const cookies = await context.cookies();
  const readToken = (name: string) => cookies.find((cookie) => cookie.name === name)?.value ?? "";
  const [futures, login] = [readToken("cw_futures_token"), readToken("cw_access_token")];
  const ask = (path: string, headers: Record<string, string>) =>
    page.evaluate(async ([path, headers]) => (await fetch(path, { headers, credentials: "omit" })).status === 200, [
      path,
      headers,
    ] as const);
  const [own, other] = ["/futuresapi/v1/futuresc/accounts", "/api/v1/spot/balance"];
  return {
    futures: await ask(own, { authorization: futures }),
    login: await ask(own, { authorization: login }),
    fallback: await ask(own, { authorization: `${futures}x`, loginToken: login }),
    neither: await ask(own, { authorization: `${futures}x` }),
    elsewhere: await ask(other, { "x-authorization": futures }),
  };
}

export async function walkWrappers(browser: Browser, origin: string): Promise<WrapperEvidence> {
  const { context, page, watch } = await newPage(browser);
  const wire = watchWire(page);
  const retries = await walkRetries(page, origin);
  const form = await walkForm(page, origin);
  await signUp(context, origin);
  await walkTerminals(context, page, origin);
  const zones = await chooseZones(context, page);
  const known = await walkTokens(context, page);
  const thrown = watch.troubles.filter((line) => line.startsWith("uncaught"));
  await context.close();
  return { calls: wire.calls, ...retries, ...form, thrown, known, zones };
}
