// An exchange as production runs it, without a simulated market: no page speaks of simulation, test funds or samples, and
// none draws a price, a chart or a ranking that no trade has made.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CURRENCIES } from "@clockwork/kit/constants";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listKinds, listPaths } from "./routes-list.ts";
import { freePort, newPage, openBrowser, type Site, startSite, visit } from "./site.ts";

const WORDS =
  /[^.\n]{0,60}\b(?:simulat(?:ed|ion|ions)\b|test (?:funds|coins|money)|sample (?:company|street|city)|SAMPLE-|practi[sc]e first)[^.\n]{0,40}/i;
const COMPANY = {
  legalName: "Tick Exchange Limited",
  tradingName: "Tick",
  registrationNumber: "4711",
  registeredAddress: "7 Harbour Road, Valletta",
  jurisdiction: "Malta",
  courts: "the courts of Malta",
  regulator: "the regulator of Malta",
  licenceNumber: "MT-4711",
  licenceActivities: ["exchange services"],
  complianceEmail: "compliance@tick.test",
  complaintsEmail: "complaints@tick.test",
  privacyEmail: "privacy@tick.test",
  supportEmail: "support@tick.test",
  whistleblowerEmail: "speak-up@tick.test",
  ombudsman: "the ombudsman of Malta",
};

/** A source of exchange rates. */
const rates = createServer((_, response) => response.end(JSON.stringify({ rates: RATES })));
const RATES = Object.fromEntries(CURRENCIES.map((currency) => [currency, currency === "USD" ? "1" : "2.5"]));

let folder = "";
let site: Site;
let browser: Browser;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "clockwork-production-"));
  writeFileSync(join(folder, "company.json"), JSON.stringify(COMPANY));
  await new Promise<void>((done) => rates.listen(0, "127.0.0.1", () => done()));
  site = await startSite({
    CW_MODE: "production",
    PORT: String(await freePort()),
    CW_DATA: join(folder, "data"),
    CW_COMPANY: join(folder, "company.json"),
    CW_PUBLIC_ORIGIN: "https://tick.test",
    CW_TRUSTED_PROXIES: "127.0.0.1",
    CW_SMTP_URL: "smtp://127.0.0.1:9",
    CW_MAIL_FROM: "Tick <no-reply@tick.test>",
    CW_OPERATOR_EMAIL: "anna@tick.test,ben@tick.test",
    CW_LOG_LEVEL: "warn",
    CW_RATE_WEIGHT_PER_MINUTE: "1000000000",
    CW_SOCKET_OPENS_PER_MINUTE: "1000000",
    CW_LIVENESS_URL: "http://127.0.0.1:9/faces",
    CW_RATES_URL: `http://127.0.0.1:${(rates.address() as AddressInfo).port}`,
  });
  browser = await openBrowser();
});
afterAll(async () => {
  rates.close();
  await site?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const plain = (html: string): string =>
  html.replace(/<(script|style)[^>]*>[\s\S]*?<\/\1>/g, "\n").replace(/<[^>]+>/g, "\n");

test("[OPS-7] no page of production has words of simulation in its HTML, the company's own facts stand in it", async () => {
  const found: string[] = [];
  const paths = await listPaths(site.origin);
  for (const path of paths) {
    const text = plain(await (await fetch(site.origin + path)).text());
    const words = WORDS.exec(text)?.[0];
    if (words !== undefined) found.push(`${path}: ${words.trim()}`);
  }
  expect(found).toEqual([]);
  expect(paths.length).toBeGreaterThan(100);
  expect(await (await fetch(`${site.origin}/legal-statement`)).text()).toContain("Tick Exchange Limited");
});

test("[OPS-7] no page of production shows words of simulation in a browser", async () => {
  const { context, page } = await newPage(browser);
  const found: string[] = [];
  for (const path of await listKinds(site.origin)) {
    await visit(page, site.origin + path);
    const words = WORDS.exec(await page.locator("body").innerText())?.[0];
    if (words !== undefined) found.push(`${path}: ${words.trim()}`);
  }
  await context.close();
  expect(found).toEqual([]);
});

test("[OPS-7] without trades the home page shows no prices, and a market says that it has none", async () => {
  const { context, page } = await newPage(browser);
  await visit(page, `${site.origin}/`);
  expect(await page.locator("main").innerText()).not.toMatch(/(?<![\d.])0\.00?(?![\d.])|NaN|Infinity/);
  await visit(page, `${site.origin}/markets`);
  const row = page.getByRole("row").filter({ hasText: "BTC/USDT" }).first();
  expect(await row.innerText()).not.toMatch(/\d\.\d/);
  await visit(page, `${site.origin}/copy`);
  expect(await page.locator("main").innerText()).toContain("No lead traders yet.");
  await context.close();
});
