// The public site as visitors and its editors use it: campaigns, articles, searches, the newsletter, the calculator,
// the API's runner, the risk disclosure at a path of the operator's. All user input remains text.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseOption } from "./auth-steps.ts";
import { findViolations } from "./axe-find.ts";
import { enterOperator, proposeLaunch, setCoinsAside } from "./operator-steps.ts";
import { newPage, openBrowser, type Site, startSite, visit, visitUntil, WAIT_MS, waitAwake } from "./site.ts";

const RISK_PATH = "/risk-told-first";
const SCRIPT = "<script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">";

const SETTINGS = {
  CW_RISK_PATH: RISK_PATH,
  CW_CAPTCHA: "off",
  CW_CHAT_URL: "https://chat.example/widget",
  CW_CHAT_APP_ID: "journey",
  CW_CHAT_SECRET: "a-secret-of-the-journey-and-nobody-else",
};

let site: Site;
let browser: Browser;
let desk: BrowserContext;
beforeAll(async () => {
  [site, browser] = await Promise.all([startSite(SETTINGS), openBrowser()]);
  desk = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  desk.setDefaultTimeout(WAIT_MS);
  await desk.addCookies([{ name: "cw_notice", value: "1", url: site.origin }]);
  await enterOperator(site, desk);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

async function openVisitor(): Promise<{ page: Page; context: BrowserContext; troubles: string[] }> {
  const { context, page, watch } = await newPage(browser, { reducedMotion: "reduce" });
  await context.addCookies([{ name: "cw_notice", value: "1", url: site.origin }]);
  return { context, page, troubles: watch.troubles };
}

test("[PAGE-2] [USR-8] an editor's popup is shown once to a visitor, as text", async () => {
  const editor = await desk.newPage();
  await visit(editor, `${site.origin}/operator/campaigns`);
  await editor.getByLabel("Name, lower-case letters and hyphens").fill("opening");
  await chooseOption(editor, "Kind", "Popup");
  await editor.getByLabel("Title").fill(SCRIPT.slice(0, 80));
  await editor.getByLabel("Text", { exact: true }).fill("=1+1");
  await editor.getByLabel("Link text").fill("To the markets");
  await editor.getByLabel("Link target").fill("javascript:alert(1)");
  await editor.getByRole("button", { name: "Save" }).click();
  await editor.getByRole("alert").getByText("A title, a valid link target").waitFor();
  await editor.getByLabel("Link target").fill("/markets");
  await editor.getByRole("button", { name: "Save" }).click();
  await editor.getByText("Done.").waitFor();
  expect(await findViolations(editor)).toEqual([]);
  await editor.close();

  const { page, context, troubles } = await openVisitor();
  await visit(page, site.origin);
  const popup = page.getByRole("dialog");
  await popup.getByText("document.title='taken'").waitFor();
  await popup.getByText("=1+1").waitFor();
  expect(await findViolations(page)).toEqual([]);
  await popup.getByRole("link", { name: "To the markets" }).click();
  await page.waitForURL("**/markets");
  const listed = page.waitForResponse((response) => response.url().endsWith("/v1/home/popups"));
  await visit(page, site.origin);
  // Once the page has read the list and drawn what it makes of it.
  await (await listed).finished();
  await page.evaluate(
    () => new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 200)),
  );
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(await page.title()).not.toBe("taken");
  expect(troubles).toEqual([]);
  await context.close();
});

test("[USR-7] an editor writes, previews and publishes an announcement; it is in the audit log", async () => {
  const editor = await desk.newPage();
  await visit(editor, `${site.origin}/operator/articles`);
  await editor.getByRole("button", { name: "New" }).click();
  await editor.getByLabel("URL slug").fill("from-the-desk");
  await editor.getByLabel("Title").fill("Said at the desk");
  await editor.getByLabel("Summary").fill(SCRIPT);
  await editor.getByLabel("Category").fill("product");
  await editor.getByLabel("Text (Markdown)").fill(`Plain **words**.\n\n${SCRIPT}`);
  await editor.getByRole("button", { name: "Preview" }).click();
  await editor.getByRole("region", { name: "Preview" }).getByText("words").waitFor();
  expect(await editor.getByText("Done.").count()).toBe(0);
  expect(await findViolations(editor)).toEqual([]);
  await editor.getByRole("button", { name: "Save" }).click();
  await editor.getByRole("button", { name: "Restore version 1" }).waitFor();
  await visit(editor, `${site.origin}/operator/audit`);
  await editor.getByRole("cell", { name: "announcement/from-the-desk" }).waitFor();
  await editor.close();

  const { page, context, troubles } = await openVisitor();
  for (const path of ["/news/from-the-desk", "/news", "/en_US"]) {
    await visit(page, site.origin + path);
    await page.getByText("Said at the desk").first().waitFor();
    expect(await page.title()).not.toBe("taken");
  }
  expect(troubles).toEqual([]);
  await context.close();
});

test("[USR-7] an announcement that has been out for long is changed and saved", async () => {
  const editor = await desk.newPage();
  await visit(editor, `${site.origin}/operator/articles?kind=announcement`);
  await editor.getByRole("button", { name: "Edit: Passkeys are now available" }).click();
  await editor.getByLabel("Summary").fill("Said anew at the desk");
  await editor.getByRole("button", { name: "Save" }).click();
  await editor.getByRole("button", { name: "Restore version 1" }).waitFor();
  await editor.close();
});

test("[PAGE-1] a complaint is answered in the console and read on the status page; all remains text", async () => {
  const { page, context, troubles } = await openVisitor();
  await visit(page, `${site.origin}/complaints`);
  await waitAwake(page.getByLabel("Message"));
  await page.getByRole("radio", { name: "Trading" }).check({ force: true });
  await page.getByLabel("Name").fill(SCRIPT.slice(0, 90));
  await page.getByLabel("Email").last().fill("late@journey.example");
  await page.getByLabel("Message").fill(SCRIPT);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText(/Your ticket number is CW-/).waitFor();

  const staff = await desk.newPage();
  await visit(staff, `${site.origin}/operator/tickets`);
  await staff
    .getByRole("button", { name: /Complaint/ })
    .first()
    .click();
  // The writer's name in the list is the same text: only the message itself counts.
  await staff.getByRole("main").locator("ol").getByText(SCRIPT, { exact: true }).waitFor();
  expect(await findViolations(staff)).toEqual([]);
  await staff.getByLabel("Reply, visible to").fill(`Sorry. ${SCRIPT}`);
  await staff.getByRole("button", { name: "Send reply" }).click();
  await staff.getByText("Done.").waitFor();
  expect(await staff.title()).not.toBe("taken");
  await visit(staff, `${site.origin}/operator/audit`);
  await staff.getByRole("cell", { name: "ticket.answered" }).waitFor();
  await staff.close();

  await page.getByRole("link", { name: "Open status page" }).click();
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByText(`Sorry. ${SCRIPT}`).waitFor();
  await page.getByText("Answered").waitFor();
  expect(await page.title()).not.toBe("taken");
  const readMails = async () => (await fetch(`${site.origin}/dev/outbox.json?to=late%40journey.example`)).text();
  await expect.poll(readMails).toContain("New reply: CW-");
  expect(await readMails()).not.toMatch(/script|taken/);
  expect(troubles).toEqual([]);
  await context.close();
});

test("[AUTH-9] an institution that writes from a personal address gets the error next to the field", async () => {
  const { page, context } = await openVisitor();
  await visit(page, `${site.origin}/contact-us`);
  await waitAwake(page.getByLabel("Message"));
  await page.getByLabel("Institutional").check();
  await page.getByLabel("Name").fill("Ada");
  await page.getByLabel("Email").last().fill("ada@gmail.com");
  await page.getByLabel("Message").fill("We would like to trade.");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("Use your company email address.").waitFor();
  await context.close();
});

test("[USR-8] the help centre leads into the chat, which receives the user's identity", async () => {
  const html = await (await fetch(`${site.origin}/help`)).text();
  expect(html).toContain('href="https://chat.example/widget"');
  const page = await desk.newPage();
  const requested: string[] = [];
  await desk.route("https://chat.example/**", (route) => {
    requested.push(route.request().url());
    return route.fulfill({ contentType: "text/html", body: "<title>chat</title>" });
  });
  await visit(page, `${site.origin}/help`);
  const [tab] = await Promise.all([desk.waitForEvent("page"), page.getByRole("link", { name: "Open chat" }).click()]);
  await tab.waitForURL("https://chat.example/**");
  const result = new URLSearchParams(new URL(tab.url()).hash.slice(1));
  expect([result.get("appId"), result.get("token")?.split(".").length]).toEqual(["journey", 3]);
  expect(requested).toEqual(["https://chat.example/widget"]);
  await tab.close();
  await page.close();
});

test("[USR-8] the footer and a downtime change for all visitors", async () => {
  const editor = await desk.newPage();
  await visit(editor, `${site.origin}/operator/site`);
  expect(await findViolations(editor)).toEqual([]);
  await chooseOption(editor, "Module", "spot");
  await editor.getByLabel("Reason (shown").fill(SCRIPT);
  await editor.getByRole("button", { name: "Plan" }).click();
  const requested = editor.getByRole("alertdialog", { name: "Take spot down" });
  await requested.getByText("All pages of spot show a maintenance notice").waitFor();
  const confirm = requested.getByRole("button", { name: "Take spot down" });
  expect(await confirm.isDisabled()).toBe(true);
  await requested.getByLabel("Type spot to confirm").fill("spot");
  expect(await findViolations(editor)).toEqual([]);
  await confirm.click();
  await editor.getByRole("button", { name: "Propose to end: spot" }).waitFor();
  const { page, context } = await openVisitor();
  await visit(page, `${site.origin}/spot`);
  await page.getByText("document.title='taken'").first().waitFor();
  expect(await page.title()).not.toBe("taken");
  await visit(page, page.url());
  await page.locator("[data-maintenance]").waitFor();
  await editor.getByRole("button", { name: "Propose to end: spot" }).click();
  await editor.getByText("Another operator must approve it").waitFor();
  await visit(editor, `${site.origin}/operator/proposals`);
  await editor.getByText("a simulated reviewer approves").waitFor();
  await editor.getByText("decided by Simulated reviewer").first().waitFor();
  expect(await findViolations(editor)).toEqual([]);
  await visit(editor, `${site.origin}/operator/site`);
  await editor.getByText("All modules are up").waitFor();
  // Reloaded while it was down, the page recovers.
  await page.locator("[data-order-form]").waitFor();
  const box = editor.getByLabel("One line per column");
  await box.fill(`${await box.inputValue()}\n\nOnly here\n  To the college | /college`);
  const [answer] = await Promise.all([
    editor.waitForResponse((response) => response.url().endsWith("/site/footer")),
    editor.getByRole("button", { name: "Save" }).nth(1).click(),
  ]);
  expect(answer.status()).toBe(200);
  // A page of the moment before may be handed out for a moment more.
  const read = async () => (await fetch(`${site.origin}/help`)).text();
  await expect.poll(read).toContain("To the college</a>");
  await editor.close();
  await context.close();
});

test("[NET-8] an operator reads visits per day with their campaign", async () => {
  const query = "event=visit&request_source=H5&type=home&utm_source=mail&utm_campaign=%3DHYPERLINK(1)";
  const headers = { cwDeviceId: crypto.randomUUID() };
  for (let call = 0; call < 3; call++) await fetch(`${site.origin}/api/open/activity/statistics?${query}`, { headers });
  const page = await desk.newPage();
  await visitUntil(page, `${site.origin}/operator/visits`, page.getByText("3 on mobile"));
  await page.getByRole("cell", { name: "=HYPERLINK(1)" }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export" }).click(),
  ]);
  const stream = await download.createReadStream();
  let csv = "";
  for await (const chunk of stream) csv += String(chunk);
  expect(csv).toContain("'=HYPERLINK(1)");
  await page.close();
});

test("[USR-8] what was found is among the popular searches of the next visitor", async () => {
  const first = await openVisitor();
  await visit(first.page, `${site.origin}/help`);
  await first.page.keyboard.press("/");
  await first.page.getByRole("combobox").fill("trailing");
  await first.page
    .getByRole("option", { name: /^Trailing stop/ })
    .first()
    .click();
  await first.page.waitForURL("**/help/articles/trailing-stop");
  // It is counted during the navigation: a browser that is closed too soon would cancel it.
  const popular = async () => (await fetch(`${site.origin}/api/v1/common/hot-search`)).text();
  await expect.poll(popular).toContain("Trailing stop");
  await first.context.close();
  const { page, context } = await openVisitor();
  await visit(page, `${site.origin}/en_US/help`);
  await page.keyboard.press("/");
  await page.getByRole("group", { name: "Popular searches" }).getByText("Trailing stop").click();
  await page.waitForURL("**/en_US/help/articles/trailing-stop");
  await context.close();
});

test("[USR-7] the newsletter is requested, confirmed, sent by an editor, and left by the link of its issue", async () => {
  const { page, context } = await openVisitor();
  await visit(page, `${site.origin}/newsletter`);
  await page.getByRole("main").getByLabel("Email").fill("reader@journey.example");
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByText("Check your inbox").waitFor();
  const mailOf = async (kind: string): Promise<string> => {
    const response = await fetch(`${site.origin}/dev/outbox.json?to=reader%40journey.example`);
    const mails = (await response.json()) as { readonly kind: string; readonly text: string }[];
    return mails.find((mail) => mail.kind === kind)?.text ?? "";
  };
  const follow = async (kind: string, action: "confirm" | "leave", button: string, done: string) => {
    await expect.poll(() => mailOf(kind)).toContain(`${action}=`);
    const [link = ""] = new RegExp(`newsletter\\?${action}=[\\w-]+`).exec(await mailOf(kind)) ?? [];
    await visit(page, `${site.origin}/${link}`);
    await page.getByRole("button", { name: button }).click();
    await page.getByText(done).waitFor();
  };
  await follow("newsletter", "confirm", "Confirm", "Confirmed.");

  const editor = await desk.newPage();
  await visit(editor, `${site.origin}/operator/broadcasts`);
  await editor.getByText(/^1 subscriber,/).waitFor();
  await editor.getByLabel("Subject").fill("Weekly");
  await editor.getByLabel("Text", { exact: true }).fill(SCRIPT);
  await editor.getByRole("button", { name: "Preview" }).click();
  await editor.getByRole("region", { name: "Email" }).getByText("Unsubscribe:", { exact: false }).waitFor();
  // Nothing was sent yet.
  expect(await editor.getByText("Done.").count()).toBe(0);
  expect(await findViolations(editor)).toEqual([]);
  await editor.getByRole("button", { name: "Send", exact: true }).click();
  await editor.getByText("Done.").waitFor();
  // Without a reload.
  const issue = editor.getByRole("listitem").filter({ hasText: "Weekly" });
  await issue.getByText("Sent", { exact: true }).waitFor();
  expect(await issue.textContent()).toContain("1 email");
  expect(await editor.title()).not.toBe("taken");
  await editor.close();
  await follow("broadcast", "leave", "Unsubscribe", "Your address has been deleted.");
  await context.close();
});

test("[PAGE-1] the calculator shows what reversing does and follows what is typed", async () => {
  const { page, context, troubles } = await openVisitor();
  await visit(page, `${site.origin}/tomato-futures-reverse`);
  // It hydrates when it is visible, and may be drawn anew then.
  await page.getByLabel("Entry price").evaluate((field) => field.scrollIntoView({ block: "center" }));
  await waitAwake(page.getByLabel("Entry price"));
  await page.getByLabel("Entry price").fill("60,000");
  await page.getByLabel("Current price").fill("57000");
  await page.getByText("−1,500.00 USDT").first().waitFor();
  await page.getByText("After: Short 0.5 BTC").waitFor();
  await page
    .getByRole("radio", { name: "Short" })
    .or(page.getByRole("button", { name: "Short" }))
    .first()
    .click();
  await page.getByText("+1,500.00 USDT").first().waitFor();
  await page.getByRole("textbox", { name: "Leverage" }).fill("500");
  await page.getByText("Out of range.").waitFor();
  expect(troubles).toEqual([]);
  await context.close();
});

test("[PAGE-4] a call of the API reference runs in the page", async () => {
  const { page, context, troubles } = await openVisitor();
  await visit(page, `${site.origin}/api-docs`);
  await page
    .locator("main")
    .getByRole("link", { name: /^content/ })
    .click();
  const call = page.locator("details").filter({ hasText: "/api/v1/common/ping" }).last();
  await call.locator("summary").click();
  await call.getByRole("button", { name: "Run" }).first().click();
  await call.getByText(/"timeMs"/).waitFor();
  expect(troubles).toEqual([]);
  await context.close();
});

test("[PAGE-1] the risk disclosure is at the operator's path, and the usual path leads there", async () => {
  const ask = (path: string) => fetch(site.origin + path, { redirect: "manual" });
  for (const prefix of ["", "/en_US"]) {
    const moved = await ask(`${prefix}/risk-disclosure`);
    expect([moved.status, moved.headers.get("location")]).toEqual([302, prefix + RISK_PATH]);
    const html = await (await ask(prefix + RISK_PATH)).text();
    expect(html).toContain("<title>Risk disclosure · Clockwork</title>");
    expect(html).toContain(`href="${prefix}${RISK_PATH}"`);
    expect(html).not.toContain('href="/risk-disclosure"');
  }
  expect(await (await ask("/sitemap.xml")).text()).toContain(`${site.origin}${RISK_PATH}</loc>`);
  expect((await ask("/risk-other")).status).toBe(404);
});

test("[OPS-1] an operator stops a market by its typed code and proposes a coupon", async () => {
  const operator = await desk.newPage();
  await visit(operator, `${site.origin}/operator/markets`);
  await operator.getByRole("button", { name: "Stop trading: BTC_USDT spot" }).click();
  const requested = operator.getByRole("alertdialog", { name: "Stop trading" });
  await requested.getByText("New orders in BTC_USDT are rejected").waitFor();
  await requested.getByLabel("Reason").fill("Wrong prices");
  await requested.getByLabel("Type BTC_USDT to confirm").fill("BTC_USDT");
  expect(await findViolations(operator)).toEqual([]);
  await requested.getByRole("button", { name: "Stop trading" }).click();
  await operator.getByRole("button", { name: "Propose to reopen: BTC_USDT spot" }).click();
  await operator.getByText("Another operator must approve it").waitFor();
  await visit(operator, `${site.origin}/operator/coupons`);
  expect(await findViolations(operator)).toEqual([]);
  await operator.getByLabel("User ID").fill("1");
  // A coupon is valid for a day at least and a year at most, for any input.
  const days = operator.getByLabel("Valid for, days");
  for (const [typed, kept] of [
    ["9999", "365"],
    ["0", "1"],
    ["30", "30"],
  ] as const) {
    await days.fill(typed);
    await days.blur();
    expect(await days.inputValue()).toBe(kept);
  }
  await operator.getByLabel("Value, USDT").fill("5");
  await operator.getByLabel("Reference").fill("journey");
  await operator.getByRole("button", { name: "Propose" }).click();
  await operator.getByText("User not found").waitFor();
  await operator.close();
});

test("[EARN-2] an operator sets coins aside and proposes a launch; visitors see it once another has approved", async () => {
  const operator = await desk.newPage();
  await setCoinsAside(operator, site.origin);
  expect(await findViolations(operator)).toEqual([]);
  await proposeLaunch(operator);
  const shown = async () => (await fetch(`${site.origin}/api/open/seckill/project?id=park`)).status;
  await expect.poll(shown, { interval: 1_000 }).toBe(200);
  await visit(operator, `${site.origin}/launchpad/park`);
  await operator.getByRole("heading", { name: /Polka Park/ }).waitFor();
  await operator.close();
});
