// The public forms and the college, walked by a visitor in a browser.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser, type Site, startSite } from "./site.ts";

let site: Site;
let browser: Browser;
beforeAll(async () => {
  site = await startSite();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

test("[PAGE-1] a complaint is checked beside its fields, sent, and found again by number and key", async () => {
  const page = await browser.newPage();
  await page.goto(`${site.origin}/complaints`);
  // The form wakes after the page; a click before that is nobody's.
  const sendEmpty = async () => {
    await page.getByRole("button", { name: "Send", exact: true }).click();
    return page.getByText("This is needed.").count();
  };
  await expect.poll(sendEmpty, { timeout: 10_000 }).toBe(3);
  await page.getByLabel("Name").fill("Ada");
  await page.getByLabel("E-mail").fill("ada@example.com");
  await page.getByLabel("Message").fill("<b>late</b> order");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const sent = page.getByText(/Your number is CW-/);
  await sent.waitFor();
  await page.getByRole("link", { name: "Open the status page" }).click();
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByText("Received").waitFor();
  expect(await page.getByText("<b>late</b> order").count()).toBe(1);
  await page.close();
});

test("[USR-6] a lesson's questions are judged and explained", async () => {
  const page = await browser.newPage();
  await page.goto(`${site.origin}/college/first-steps/what-an-exchange-does`);
  const checkEmpty = async () => {
    await page.getByRole("button", { name: "Check the answers" }).click();
    return page.getByText("Answer every question first.").count();
  };
  await expect.poll(checkEmpty, { timeout: 10_000 }).toBe(1);
  await page.getByLabel("The one that was accepted first").check();
  await page.getByLabel("What leaves one account arrives in another").check();
  await page.getByLabel("The exchange", { exact: true }).check();
  await page.getByRole("button", { name: "Check the answers" }).click();
  await page.getByText("2 of 3 right").waitFor();
  await page.getByText(/Not quite: Whoever trades/).waitFor();
  await page.close();
});

test("[USR-7] the header's search finds articles", async () => {
  const page = await browser.newPage();
  await page.goto(`${site.origin}/help`);
  await page.keyboard.press("/");
  await page
    .getByRole("dialog")
    .getByRole("combobox")
    .or(page.getByRole("dialog").getByRole("textbox"))
    .first()
    .fill("trailing");
  await page.getByRole("dialog").getByText("Trailing stop", { exact: true }).first().click();
  await page.waitForURL("**/help/articles/trailing-stop");
  await page.close();
});
