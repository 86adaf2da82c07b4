// The public forms and the college, walked by a visitor in a browser.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { enter } from "./auth-steps.ts";
import { findViolations } from "./axe-find.ts";
import { enterOperator } from "./operator-steps.ts";
import { joinSite, newPage, openBrowser, type Site, visit, waitAwake } from "./site.ts";

let site: Pick<Site, "origin">;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([joinSite("guarded"), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
});

interface Gate {
  readonly isOpen: Promise<void>;
  readonly open: () => void;
}

function makeGate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { isOpen: promise, open: resolve };
}

test("[PAGE-1] a complaint is validated next to its fields, sent, and found again by number and key", async () => {
  const { context, page } = await newPage(browser);
  const sends: string[] = [];
  page.on("request", (request) => request.url().endsWith("/support/tickets") && sends.push(request.method()));
  // A click expires after seconds; a slow machine must not make it an old one.
  await page.addInitScript(() => {
    const loadedMs = Date.now();
    Date.now = () => loadedMs;
  });
  // The form hydrates after the page; input and clicks before that count, and count once.
  let form = makeGate();
  let replay = makeGate();
  await page.route(/assets\/ticket-form-/, async (route) => {
    await form.isOpen;
    await route.continue();
  });
  await page.route(/assets\/early-replay-/, async (route) => {
    await replay.isOpen;
    await route.continue();
  });
  replay.open();
  await page.goto(`${site.origin}/complaints`);
  const send = page.getByRole("button", { name: "Send", exact: true });
  await page.getByLabel("Name").fill("Ada");
  await page.getByText("Trading", { exact: true }).click();
  await send.dblclick();
  expect(await send.evaluate((button) => Object.keys(button).some((key) => key.startsWith("__reactProps")))).toBe(
    false,
  );
  form.open();
  await page.getByText("This field is required.").nth(1).waitFor();
  expect(await page.getByText("This field is required.").count()).toBe(2);
  expect(await page.getByRole("radio", { name: "Trading" }).isChecked()).toBe(true);
  // Typed before the form hydrates and clicked after, but before the input was replayed: the input is replayed first,
  // then sent.
  form = makeGate();
  replay = makeGate();
  await page.reload({ waitUntil: "commit" });
  await page.getByLabel("Name").fill("Ada");
  await page.getByLabel("Email").fill("ada@example.com");
  // The browser may or may not have kept the choice through the reload.
  await page.getByText("Trading", { exact: true }).click();
  await page.getByLabel("Message").fill("<b>late</b> order");
  form.open();
  await waitAwake(send);
  await send.dblclick();
  replay.open();
  // Read as text, so that a failure shows the actual content.
  await expect.poll(() => page.locator("main").innerText()).toContain("Your ticket number is CW-");
  expect(sends).toEqual(["POST"]);
  await page.getByRole("link", { name: "Open status page" }).click();
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByText("Received").waitFor();
  expect(await page.getByText("<b>late</b> order").count()).toBe(1);
  await context.close();
});

test("[USR-6] a lesson's questions are judged and explained", async () => {
  const { context, page } = await newPage(browser);
  await visit(page, `${site.origin}/college/first-steps/what-an-exchange-does`);
  const check = page.getByRole("button", { name: "Check answers" });
  // What is pressed before is done later, but not after ten seconds, and a machine may be slower.
  await waitAwake(check);
  await check.click();
  await page.getByText("Answer every question first.").waitFor();
  await page.getByLabel("The one that was accepted first").check();
  await page.getByLabel("What leaves one account arrives in another").check();
  await page.getByLabel("The exchange", { exact: true }).check();
  await check.click();
  await page.getByText("2 of 3 correct").waitFor();
  await page.getByText(/Incorrect: The traders/).waitFor();
  await context.close();
});

test("[USR-7] the header's search finds articles", async () => {
  const { context, page } = await newPage(browser);
  await page.goto(`${site.origin}/help`);
  const search = page.getByRole("dialog");
  // The key works after hydration.
  await expect
    .poll(
      async () => {
        if ((await search.count()) === 0) await page.keyboard.press("/");
        return search.count();
      },
      { interval: 500 },
    )
    .toBe(1);
  await page
    .getByRole("dialog")
    .getByRole("combobox")
    .or(page.getByRole("dialog").getByRole("textbox"))
    .first()
    .fill("trailing");
  await page.getByRole("dialog").getByText("Trailing stop", { exact: true }).first().click();
  await page.waitForURL("**/help/articles/trailing-stop");
  await context.close();
});

test("[USR-8] a customer and an operator write to each other, and both see it at once; a reload keeps it", async () => {
  const own = await joinSite();
  const { context, page, watch } = await newPage(browser, { reducedMotion: "reduce" });
  await visit(page, `${own.origin}/help`);
  await page.getByRole("link", { name: "Log in to chat" }).waitFor();
  await enter(page, own.origin);
  await visit(page, `${own.origin}/help`);
  const bubble = page.getByRole("button", { name: /^Chat with support/ });
  await bubble.waitFor();
  // On a small screen the notice of a first visit leaves the way into the chat free.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("region", { name: "Cookies and risk" }).waitFor();
  await bubble.click();
  await page.getByRole("region", { name: "Cookies and risk" }).waitFor({ state: "hidden" });
  await bubble.click();
  await page.setViewportSize({ width: 1440, height: 900 });
  const ask = page.getByRole("button", { name: "Open chat" });
  await waitAwake(ask);
  await ask.click();
  const chat = page.getByRole("dialog", { name: "Support" });
  await chat.getByLabel("Write a message").fill("<b>Where</b> is my deposit?");
  await chat.getByRole("button", { name: "Send", exact: true }).click();
  await chat.getByText("<b>Where</b> is my deposit?").waitFor();
  await chat.getByText("Simulated agent").waitFor();
  expect(await findViolations(page)).toEqual([]);

  const second = await newPage(browser, { reducedMotion: "reduce" });
  await enterOperator(own, second.context);
  const desk = second.page;
  await visit(desk, `${own.origin}/operator/tickets?state=received`);
  await desk.getByRole("button", { name: /Chat ·/ }).click();
  await desk.getByText("<b>Where</b> is my deposit?").waitFor();
  await desk.getByLabel("Reply, shown in the customer’s chat").fill("It needs two confirmations.");
  await desk.getByRole("button", { name: "Send reply" }).click();
  await chat.getByText("It needs two confirmations.").waitFor();
  await chat.getByLabel("Write a message").fill("Thank you.");
  await page.keyboard.press("Enter");
  await desk.getByText("Thank you.").waitFor();
  // What was typed is kept while the chat is closed, and the focus is where it was opened.
  await chat.getByLabel("Write a message").fill("One more");
  await chat.getByRole("button", { name: "Close the chat" }).click();
  expect(await bubble.evaluate((button) => button === document.activeElement)).toBe(true);
  await bubble.click();
  expect(await chat.getByLabel("Write a message").inputValue()).toBe("One more");
  await page.keyboard.press("Escape");

  await desk.getByLabel("Reply, shown in the customer’s chat").fill("It is there now.");
  await desk.getByRole("button", { name: "Send reply" }).click();
  await page.getByRole("button", { name: "Chat with support, 1 unread" }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Chat with support, 1 unread" }).click();
  await chat.getByText("It is there now.").waitFor();
  await chat.getByText("Thank you.").waitFor();
  await page.getByRole("button", { name: "Chat with support", exact: true }).waitFor();
  expect([...watch.troubles, ...second.watch.troubles]).toEqual([]);
  // A conversation that could not be read is reported and read again.
  await page.reload();
  await page.route(/support\/chat/, (route) => route.abort());
  await bubble.click();
  await chat.getByText(/Could not reach/).waitFor();
  await page.unroute(/support\/chat/);
  await chat.getByRole("button", { name: "Try again" }).click();
  await chat.getByText("It is there now.").waitFor();
  expect(await chat.getByText(/Could not reach/).count()).toBe(0);
  await Promise.all([context.close(), second.context.close()]);
});
