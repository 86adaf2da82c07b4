// Copy trading in a real browser: a newcomer finds a simulated leader, copies them with test funds, sees the leader in
// the list of copies, changes the copy and stops it; light, dark and on a phone. One site.
import { text } from "node:stream/consumers";
import type { Browser, BrowserContext, Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { enter, mintAccount } from "./auth-steps.ts";
import { findViolations } from "./axe-find.ts";
import { joinSite, measureOverflow, newPage, openBrowser, type Site, visit, type Watch, waitAwake } from "./site.ts";

let site: Pick<Site, "origin">;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let watch: Watch;

beforeAll(async () => {
  [site, browser] = await Promise.all([joinSite("living"), openBrowser()]);
  ({ context, page, watch } = await newPage(browser, { locale: "en-GB" }));
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
});

/** A call of the signed-in page itself, past the screens. */
function call(path: string, body: object): Promise<number> {
  return page.evaluate(
    async ([address, sent]) => {
      const headers = { "content-type": "application/json" };
      return (await fetch(address as string, { method: "POST", headers, body: sent as string })).status;
    },
    [path, JSON.stringify(body)] as const,
  );
}

interface Listed {
  readonly leaders: readonly { readonly figures: { readonly trades: number } }[];
}

/** Leaders with closed trades in ninety days. */
async function leadersThere(): Promise<number> {
  const answer = await fetch(`${site.origin}/api/follow/v1/leaders?window=90&limit=50`);
  const { data } = (await answer.json()) as { data: Listed };
  return data.leaders.filter(({ figures }) => figures.trades > 0).length;
}

test("[COPY-1] at least twelve simulated leaders with a past of ninety days are on the list", {
  timeout: 300_000,
}, async () => {
  await expect.poll(leadersThere, { timeout: 280_000, interval: 1_000 }).toBeGreaterThanOrEqual(12);
  const leadersShown = async () => {
    await visit(page, `${site.origin}/copy`);
    return page.locator("[data-leader]").count();
  };
  await expect.poll(leadersShown).toBeGreaterThanOrEqual(12);
  await page.getByText("Simulated", { exact: true }).first().waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.locator("[data-leader] h2 a").first().click();
  await page.getByRole("heading", { name: "Statistics" }).waitFor();
  await page.getByText("BTC held").waitFor();
  expect(await findViolations(page)).toEqual([]);
  // Recomputed in the browser, from the public record.
  const recompute = page.getByRole("button", { name: "Recompute here" });
  await waitAwake(recompute);
  await recompute.click();
  await page.getByText("are the same", { exact: false }).waitFor();
  // The leader's closed trades: the second page, and all of it as a file.
  const pages = page.getByRole("navigation", { name: "Pages" }).first();
  await waitAwake(pages.getByRole("button", { name: "Page 2", exact: true }));
  await pages.getByRole("button", { name: "Page 2", exact: true }).click();
  await pages.getByText("11 to 20 of", { exact: false }).waitFor();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).click();
  expect((await saved).suggestedFilename()).toMatch(/closed.*\.csv$/);

  // In the zone that was chosen, on the screen and in the file.
  const closed = page.locator("section", { has: page.getByRole("columnheader", { name: /^Closed, UTC/ }) }).last();
  const times = async () => {
    const cells = closed.getByRole("cell").filter({ hasText: /\d:\d\d$/ });
    await cells.first().waitFor();
    return (await cells.allInnerTexts()).map((text) => Date.parse(`${text.trim().replace(" ", "T")}Z`));
  };
  await page.reload();
  const [before = 0] = await times();
  await page.context().addCookies([{ name: "cw_timezone", value: "1", url: site.origin }]);
  await page.reload();
  await closed.getByRole("columnheader", { name: "Closed, UTC+8" }).waitFor();
  // Simulated leaders keep trading: the newest row may be lower by now, and is eight hours later all the same.
  expect(await times()).toContain(before + 8 * 3_600_000);
  // Pressed before the page's clients have come: the press waits for them.
  const clients = "**/assets/clients-*.js";
  const held = Promise.withResolvers<void>();
  await page.route(clients, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.reload();
  const file = page.waitForEvent("download");
  const csv = page.getByRole("button", { name: "CSV" });
  await waitAwake(csv);
  await csv.click();
  held.resolve();
  expect(await text(await (await file).createReadStream())).toContain("Closed, UTC+8");
  await page.unroute(clients);
  // A failure is shown and retried; the page remains unchanged.
  expect(watch.troubles).toEqual([]);
  const trades = "**/leaders/*/trades?*";
  await page.route(trades, (route) => route.abort());
  await pages.getByRole("button", { name: "Page 2", exact: true }).click();
  const again = page.getByRole("alert").getByRole("button", { name: "Try again" });
  await again.waitFor();
  expect(await pages.innerText()).toContain("1 to 10 of");
  await page.unroute(trades);
  watch.troubles.length = 0;
  await again.click();
  await pages.getByText("11 to 20 of", { exact: false }).waitFor();
  expect(await again.count()).toBe(0);
  await page.context().clearCookies({ name: "cw_timezone" });
});

test("[COPY-3] a newcomer copies a leader, sees it, changes a guard and puts money in", async () => {
  await enter(page, site.origin, mintAccount());
  expect(await call("/dev/identity", { level: 1 })).toBe(200);
  await visit(page, `${site.origin}/copy`);
  const copy = page.getByRole("button", { name: /^Copy / }).first();
  await waitAwake(copy);
  await copy.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Get 10,000 test USDT" }).click();
  await dialog.getByText("10,000.00 USDT free", { exact: false }).waitFor();
  await dialog.getByLabel("Most slippage").fill("9");
  await dialog.getByText("One field needs a change").waitFor();
  await dialog.getByLabel("Most slippage").fill("1");
  await dialog.getByText("I read the risk disclosure").click();
  await dialog.getByRole("button", { name: /^Copy with/ }).click();
  await dialog.waitFor({ state: "hidden" });
  await visit(page, `${site.origin}/copy/mine`);
  const card = page.locator("[data-follow]").first();
  await card.getByText("1,000.00").first().waitFor();
  expect(await findViolations(page)).toEqual([]);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Statement" }).click();
  expect((await saved).suggestedFilename()).toMatch(/^copies-futures.*\.csv$/);
  await card.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("dialog").getByLabel("Stop when equity falls to").fill("80");
  await page.getByRole("dialog").getByRole("button", { name: "Save settings" }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await card.getByRole("button", { name: "Transfer" }).click();
  await page.getByRole("dialog").getByLabel("Amount").fill("100");
  await page.getByRole("dialog").getByRole("button", { name: "Put in" }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
});

test("[COPY-1] a simulated trader's comment on a leader is marked as such, and so is its translation", async () => {
  await visit(page, `${site.origin}/copy`);
  await page.locator("[data-leader] h2 a").first().click();
  await page.getByText("Simulated trader").first().waitFor();
  await page.getByRole("button", { name: "Translate" }).first().click();
  await page.getByText("Simulated translation").waitFor();
});

test("[COPY-3] within minutes the leader acts, and the newcomer sees it copied", { timeout: 240_000 }, async () => {
  const filled = () =>
    page.evaluate(async () => {
      const { data } = await (await fetch("/api/follow/v1/copies")).json();
      return data.copies.filter((row: { filled: string; reason: string | null }) => Number(row.filled) > 0).length;
    });
  await expect.poll(filled, { timeout: 200_000, interval: 1_000 }).toBeGreaterThan(0);
  await visit(page, `${site.origin}/copy/mine`);
  await page.getByRole("tab", { name: "History" }).click();
  await page.getByRole("row").filter({ hasText: "USDT" }).first().waitFor();
  // The follower's own stop on that one trade.
  await page.getByRole("tab", { name: "Positions" }).click();
  const row = page.getByRole("row").filter({ hasText: "USDT" }).first();
  await row.getByRole("button", { name: /^TP\/SL/ }).click();
  const isLong = (await row.getByText("Long").count()) > 0;
  const mark = ((await row.getByRole("cell").nth(4).textContent()) ?? "").replaceAll(",", "");
  const decimals = mark.split(".")[1]?.length ?? 0;
  const far = (Number(mark) * (isLong ? 0.5 : 1.5)).toFixed(decimals);
  await page.getByRole("dialog").getByLabel("Stop loss at").fill(far);
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole("dialog").getByRole("button", { name: "Set stops" }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await row.getByText(Number(far).toLocaleString("en-US", { minimumFractionDigits: decimals })).waitFor();
});

test("[COPY-3] changes elsewhere appear on the open page at once, over the socket; a stop closes everything", async () => {
  // A page whose connection is late uses calls until the first message.
  const result = new Promise<void>((done) => {
    page.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => String(payload).includes('"channel":"copy"') && done()),
    );
  });
  await visit(page, `${site.origin}/copy/mine`);
  await result;
  const card = page.locator("[data-follow]").first();
  const stop = card.getByRole("button", { name: "Stop", exact: true });
  await waitAwake(stop);
  const requested: string[] = [];
  const listen = (request: Request) => {
    if (/\/follow\/v1\/(follows|positions|copies|profits)/.test(request.url())) requested.push(request.url());
  };
  page.on("request", listen);
  const leaderId = (await card.getAttribute("data-follow")) ?? "";
  // As another device would: the page itself has no part in it.
  expect(await call("/api/follow/v1/settings", { leaderId, mode: "multiplier", multiplier: "0.5" })).toBe(200);
  await card.getByText("× 0.5").waitFor();
  await stop.click();
  await page.getByRole("button", { name: "Close all positions" }).click();
  await card.getByText("You stopped this copy and closed everything.").waitFor();
  page.off("request", listen);
  expect(requested).toEqual([]);
});

test("[COPY-2] spot has its own list; the phone shows both without scrolling sideways", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ["/copy", "/copy/spot", "/copy/mine", "/copy/lead"]) {
    await visit(page, `${site.origin}${path}`);
    expect([path, await measureOverflow(page)]).toEqual([path, 0]);
  }
  await visit(page, `${site.origin}/copy/lead`);
  await page.getByText("Conditions of leading").waitFor();
  // On a phone the dialog goes in three steps.
  await visit(page, `${site.origin}/copy`);
  const copy = page.getByRole("button", { name: /^Copy / }).first();
  await waitAwake(copy);
  await copy.click();
  const dialog = page.getByRole("dialog");
  for (const [step, seen, unseen] of [
    [1, "Investment", "Most slippage"],
    [2, "Most slippage", "Investment"],
  ] as const) {
    await dialog.getByText(`Step ${step} of 3`, { exact: false }).waitFor();
    await dialog.getByLabel(seen).waitFor();
    expect(await dialog.getByLabel(unseen).isVisible()).toBe(false);
    await dialog.getByRole("button", { name: "Next" }).click();
  }
  await dialog.getByText("I read the risk disclosure").waitFor();
  await dialog.getByRole("button", { name: "Back" }).click();
  await dialog.getByText("Step 2 of 3", { exact: false }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  expect(watch.troubles).toEqual([]);
});
