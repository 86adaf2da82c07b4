// Identity from both sides in a real browser: a user submits all three levels with documents, an operator with an
// authenticator reviews them, every view is audited, and the user is notified.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  chooseOption,
  fillLogin,
  mintAccount,
  readCode,
  register,
  searchOption,
  showTotp,
  typeCode,
  typeDay,
} from "./auth-steps.ts";
import { newPage, openBrowser, type Site, startSite, visit } from "./site.ts";

let site: Site;
let browser: Browser;
beforeAll(async () => {
  // Strict, so that a user without a level sees the requirement on every page.
  [site, browser] = await Promise.all([
    startSite({ CW_KYC_STRICT: "on", CW_SIMULATED_REVIEWER: "off" }),
    openBrowser(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await site?.stop();
});

/** One red pixel. */
const PICTURE = {
  name: "paper.png",
  mimeType: "image/png",
  buffer: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
    "base64",
  ),
};

async function writeLevelOne(page: Page): Promise<void> {
  await page.getByLabel("First name").fill("Ada");
  await page.getByLabel("Last name").fill("Person");
  await typeDay(page, "Date of birth", "1990-05-04");
  await searchOption(page, "Issuing country", "Taiwan");
  const native = page.getByLabel("Name in Chinese characters");
  await native.fill("王 小明7");
  await expect.poll(() => native.inputValue()).toBe("王小明");
  await searchOption(page, "Issuing country", "United Kingdom");
  await native.waitFor({ state: "detached" });
  await chooseOption(page, "Document type", "Passport");
  await page.getByLabel("Document number").fill(`P${mintAccount("phone")}`);
  await page.getByRole("button", { name: "Submit for review" }).click();
  await page.locator('[data-kyc-state="SUBMITTED"]').waitFor();
}

async function writeLevelTwo(page: Page): Promise<void> {
  await typeDay(page, "Document expiry date", "2040-01-01");
  await page.getByLabel(/Choose file: Document \(front\)/).setInputFiles({
    name: "page.html",
    mimeType: "text/html",
    buffer: Buffer.from("<p>no picture</p>"),
  });
  await page.getByText("Upload a JPEG, PNG or WebP image").waitFor();
  await page.getByLabel(/Choose file: Document \(front\)/).setInputFiles(PICTURE);
  await page.getByText("Uploaded").first().waitFor();
  await page.getByLabel(/Choose file: Selfie/).setInputFiles(PICTURE);
  await page.getByText("Uploaded").nth(1).waitFor();
  await page.getByRole("button", { name: "Submit for review" }).click();
  await page.getByText("Complete every field and upload every file first.").waitFor();
  await page.getByText("Simulated: no provider is configured and no face is checked.").waitFor();
  await page.getByRole("button", { name: "Start" }).click();
  const steps = (await page.locator("[data-live-steps]").getAttribute("data-live-steps")) ?? "";
  for (const step of steps.split(" ")) {
    await page.getByRole("button", { name: new RegExp(`^${step}$`, "i") }).click();
  }
  await page.locator('[data-liveness="passed"]').waitFor();
  await page.getByRole("button", { name: "Submit for review" }).click();
  await page.locator('[data-kyc-state="SUBMITTED"]').waitFor();
}

/** The operator of the first start, with an authenticator. */
async function enterConsole(page: Page): Promise<void> {
  const named = () => /account (\S+), password (\S+) /.exec(site.reply());
  await expect.poll(named).not.toBeNull();
  const [, email = "", password = ""] = named() ?? [];
  await visit(page, `${site.origin}/login-cw?redirectUrl=%2Foperator%2Fkyc`);
  await fillLogin(page, email, password);
  await page.waitForURL("**/device-verification*");
  await typeCode(page, await readCode(site.origin, email, "login"));
  await page.waitForURL("**/stay-signed-in*");
  await page.getByRole("button", { name: "Not on this device" }).click();
  await page.waitForURL("**/operator/kyc");
  // Without an authenticator the console shows nothing.
  await page.getByText("Operators need an authenticator app").waitFor();
  await page.getByRole("link", { name: "Go to Security" }).click();
  await page.getByRole("button", { name: "Set up: Authenticator app" }).click();
  const secret = (await page.locator("[data-totp-secret]").innerText()).trim();
  await typeCode(page, showTotp(secret));
  await page.getByRole("button", { name: "Remove: Authenticator app" }).waitFor();
  await visit(page, `${site.origin}/operator/kyc`);
  await page.getByRole("heading", { name: "Awaiting review" }).waitFor();
}

async function openFirst(page: Page): Promise<void> {
  await visit(page, `${site.origin}/operator/kyc`);
  await page
    .getByRole("button", { name: /journey\.example|p\*/i })
    .first()
    .click();
  await page.getByRole("heading", { name: "Submitted details" }).waitFor();
}

async function decide(
  page: Page,
  button: "Approve" | "Reject" | "Request more information",
  reason = "",
): Promise<void> {
  if (reason !== "") await page.getByLabel("Reason (shown to the user)").fill(reason);
  await page.getByRole("button", { name: button }).click();
  await page.getByText("Decided. The user has been notified.").waitFor();
}

/** Sent back for more, then approved. */
async function passLevelOne(person: Page, operator: Page): Promise<void> {
  await writeLevelOne(person);
  await openFirst(operator);
  await operator.getByText("United Kingdom").waitFor();
  await operator.getByRole("button", { name: "Request more information" }).click();
  await operator.getByText("Enter a reason so that the user knows what to do.").waitFor();
  await decide(operator, "Request more information", "Write your second name too.");
  await visit(person, `${site.origin}/identity`);
  await person.locator('[data-kyc-state="MORE_INFO"]').waitFor();
  await person.getByText("Write your second name too.").waitFor();
  await person.getByLabel("First name").fill("Ada May");
  await person.getByRole("button", { name: "Submit for review" }).click();
  await person.locator('[data-kyc-state="SUBMITTED"]').waitFor();
  await openFirst(operator);
  await operator.getByText("Ada May").waitFor();
  await decide(operator, "Approve");
}

/** Rejected with a letter, submitted again with another picture, then approved. */
async function passLevelTwo(person: Page, operator: Page): Promise<void> {
  await visit(person, `${site.origin}/identity`);
  await writeLevelTwo(person);
  await openFirst(operator);
  await operator.getByText("Passed (simulated: no face was checked)").waitFor();
  await operator.getByRole("button", { name: "Show: Document (front)" }).click();
  const picture = operator.getByRole("img", { name: "Document (front)" });
  await picture.waitFor();
  // It has its place before it is read.
  await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1);
  await decide(operator, "Reject", "The picture is one dot.");
  await visit(person, `${site.origin}/letters`);
  await person.getByRole("button", { name: /Your documents were rejected/ }).click();
  await person.getByText("The picture is one dot.").waitFor();

  await visit(person, `${site.origin}/identity`);
  await person.locator('[data-kyc-state="REJECTED"]').waitFor();
  await person.getByText("The picture is one dot.").waitFor();
  const sent = person.waitForResponse((response) => response.url().includes("/kyc/upload?"));
  await person.getByLabel(/Choose file: Document \(front\)/).setInputFiles(PICTURE);
  expect((await sent).status()).toBe(200);
  await person.getByRole("button", { name: "Submit for review" }).click();
  await person.locator('[data-kyc-state="SUBMITTED"]').waitFor();
  await openFirst(operator);
  await decide(operator, "Approve");
}

/** Residence and source of funds, each with a document. */
async function passLevelThree(person: Page, operator: Page): Promise<void> {
  await visit(person, `${site.origin}/identity`);
  await person.getByRole("heading", { name: "Requirements for level 3" }).waitFor();
  await person.getByLabel("Residential address").fill("1 Escapement Row, London");
  await person.getByLabel("Source of funds").fill("Wages");
  await person.getByRole("button", { name: "Submit for review" }).click();
  await person.getByText("Complete every field and upload every file first.").waitFor();
  const paper = { name: "bill.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4\n%%EOF\n") };
  await person.getByLabel(/Choose file: Proof of address/).setInputFiles(paper);
  await person.getByText("Upload a JPEG, PNG or WebP image").waitFor();
  await person.getByLabel(/Choose file: Proof of address/).setInputFiles(PICTURE);
  await person.getByText("Uploaded").first().waitFor();
  await person.getByLabel(/Choose file: Proof of funds/).setInputFiles(PICTURE);
  await person.getByText("Uploaded").nth(1).waitFor();
  await person.getByRole("button", { name: "Submit for review" }).click();
  await person.locator('[data-kyc-state="SUBMITTED"]').waitFor();
  await openFirst(operator);
  await operator.getByText("1 Escapement Row, London").waitFor();
  await operator.getByRole("button", { name: "Show: Proof of funds" }).click();
  await operator.getByRole("img", { name: "Proof of funds" }).waitFor();
  await decide(operator, "Approve");
  await visit(person, `${site.origin}/identity`);
  await person.getByText("Level 3 is approved").waitFor();
  await person.getByText("You have reached the highest level.").waitFor();
}

test("[AUTH-11] [AUTH-13] [OPS-1] a user is guided through three levels with documents; an operator reviews them", async () => {
  const person = await newPage(browser);
  await register(person.page, site.origin, mintAccount());
  await person.page.getByRole("heading", { name: "Verify your identity" }).waitFor();
  await person.page.getByRole("link", { name: "Verify identity" }).click();
  await person.page.getByText("0 USDT per day", { exact: true }).waitFor();
  const operator = await newPage(browser);
  for (const { context } of [person, operator]) {
    await context.addCookies([{ name: "cw_notice", value: "1", url: site.origin }]);
  }
  await enterConsole(operator.page);
  await passLevelOne(person.page, operator.page);
  await passLevelTwo(person.page, operator.page);
  await passLevelThree(person.page, operator.page);

  await visit(operator.page, `${site.origin}/operator/audit`);
  await operator.page.locator('[data-audit-whole="true"]').waitFor();
  const readRows = async () => (await operator.page.getByRole("row").allInnerTexts()).join("\n");
  await expect.poll(readRows).toMatch(/kyc\.rejected[^\n]*The picture is one dot\./);
  const rows = await readRows();
  expect(rows).toMatch(/kyc\.viewed[^\n]*document-front/);
  expect(rows).toMatch(/kyc\.viewed[^\n]*funds-proof/);
  expect(rows.match(/kyc\.approved/g)).toHaveLength(3);
  expect(operator.watch.troubles).toEqual([]);
  expect(person.watch.troubles).toEqual([]);
  await person.context.close();
  await operator.context.close();
});

test("[OPS-1] the console does not exist for any other user", async () => {
  const { context, page } = await newPage(browser);
  await register(page, site.origin, mintAccount());
  for (const path of ["/operator", "/operator/kyc", "/operator/audit"]) {
    expect((await page.goto(site.origin + path))?.status(), path).toBe(404);
  }
  await context.close();
});
