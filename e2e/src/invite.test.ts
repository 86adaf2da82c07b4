// USR-1 and USR-4 in use: the levels before signing up, a link with its own split, a friend who comes by it, and the
// own level and fees afterwards.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { enter, mintAccount, register } from "./auth-steps.ts";
import { joinSite, measureOverflow, newPage, openBrowser, type Site, visit, visitUntil, waitAwake } from "./site.ts";

let site: Pick<Site, "origin">;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([joinSite(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
});

test("[USR-1] a visitor reads every level, and a signed-in user their own with the gap to the next", async () => {
  const { context, page } = await newPage(browser);
  await visit(page, `${site.origin}/vip`);
  await page.getByRole("row", { name: /VIP 8.*0\.000 0\.030 0\.000 0\.028 20/ }).waitFor();
  await enter(page, site.origin);
  await visit(page, `${site.origin}/vip`);
  await page.getByRole("heading", { name: "Toward VIP 1" }).waitFor();
  expect(await page.getByRole("progressbar").count()).toBe(3);
  expect(await page.getByRole("row", { name: /VIP 0 You/ }).getAttribute("aria-current")).toBe("true");
  const history = page.getByRole("button", { name: "Level history" });
  await waitAwake(history);
  await history.click();
  await page.getByText("Your level has not changed yet.").waitFor();
  await context.close();
});

test("[USR-4] a link with its own split brings a friend, and the friend's split never changes", async () => {
  const { context, page } = await newPage(browser);
  await enter(page, site.origin);
  await visit(page, `${site.origin}/invite`);
  const more = page.getByRole("button", { name: "New link" });
  await waitAwake(more);
  await more.click();
  await page.getByText("2 of 20 links").waitFor();
  const slider = page.getByRole("slider", { name: "Your part of the fee" });
  await waitAwake(slider);
  await slider.focus();
  for (let step = 0; step < 5; step += 1) await page.keyboard.press("ArrowLeft");
  await page.getByText("Friend 5%").waitFor();
  const address = await page.getByText(/\/register\?inviteCode=/).innerText();
  const query = new URL(address).search;
  await expect
    .poll(async () => {
      const { links } = (await (await page.request.get(`${site.origin}/api/v1/common/invite/profile`)).json()).data;
      return links.find(({ code }: { code: string }) => query.includes(code))?.friendPercent;
    })
    .toBe(5);
  const friend = await newPage(browser);
  await register(friend.page, site.origin, mintAccount(), query);
  await friend.context.close();
  await visitUntil(page, `${site.origin}/invite`, page.getByRole("row", { name: /Signed up/ }));
  await page.getByRole("heading", { name: "This week" }).waitFor();
  // On a phone the list of friends scrolls in its card, not the page around it.
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await measureOverflow(page)).toBe(0);
  await context.close();
});
