// A user creates keys for programs, a program uses one as the page describes, and both are ended.
import { execFile } from "node:child_process";
import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { promisify } from "node:util";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { enter } from "./auth-steps.ts";
import { joinSite, measureOverflow, openBrowser, visit, WAIT_MS } from "./site.ts";

const run = promisify(execFile);
let origin: string;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [{ origin }, browser] = await Promise.all([joinSite(), openBrowser()]);
  context = await browser.newContext();
  context.setDefaultTimeout(WAIT_MS);
  page = await context.newPage();
  await enter(page, origin);
});
afterAll(() => browser?.close());

const create = () => page.getByRole("button", { name: "Create key" }).first();
const dialog = () => page.getByRole("dialog");

test("[USR-2] an own key is validated when pasted, bound to this device, used by a program and ended", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
  await visit(page, `${origin}/api-keys`);
  await create().click();
  const confirm = dialog().getByRole("button", { name: "Create key" });
  await dialog().getByLabel("Name").fill("Grid runner");
  await dialog().getByLabel("Your public key").fill(pem.slice(0, 60));
  await dialog()
    .getByText(/^Not a public key/)
    .waitFor();
  expect(await confirm.isDisabled()).toBe(true);
  await dialog().getByLabel("Your public key").fill(pem);
  await dialog().getByText("Valid Ed25519 key").waitFor();
  await dialog().getByLabel("Allowed addresses").fill("203.0.113.300");
  await dialog().getByText("Not an address: 203.0.113.300").waitFor();
  await dialog().getByLabel("Allowed addresses").fill("");
  await dialog()
    .getByRole("button", { name: /^This device/ })
    .click();
  await dialog().getByLabel("Orders in 10 s").fill("5");
  await confirm.click();
  await dialog().getByText("Key created: Grid runner").waitFor();
  const apiKey =
    (await dialog()
      .getByText(/^[A-Za-z0-9]{64}$/)
      .textContent()) ?? "";
  await dialog().getByRole("button", { name: "Done" }).click();
  await page.getByRole("cell", { name: "Grid runner Ed25519" }).waitFor();
  const ask = async (): Promise<number> => {
    const query = `recvWindow=60000&timestamp=${Date.now()}`;
    const signature = sign(
      null,
      Buffer.from(query),
      createPrivateKey(privateKey.export({ type: "pkcs8", format: "pem" })),
    );
    const url = `${origin}/api/v3/account?${query}&signature=${encodeURIComponent(signature.toString("base64"))}`;
    return (await fetch(url, { headers: { "x-mbx-apikey": apiKey } })).status;
  };
  expect(await ask()).toBe(200);
  await expect
    .poll(async () => {
      await visit(page, `${origin}/api-keys`);
      return page.getByText(/\/api\/v3\/account, /).count();
    })
    .toBeGreaterThan(0);
  await page.getByRole("button", { name: "Delete Grid runner" }).first().click();
  await dialog().getByRole("button", { name: "Delete" }).click();
  await page.getByText("No keys yet.").waitFor();
  expect(await ask()).toBe(401);
});

test("[USR-2] a secret is not lost by closing in a hurry, and the sample next to it works unchanged", async () => {
  await visit(page, `${origin}/api-keys`);
  await create().click();
  await dialog().getByLabel("Name").fill("Notebook");
  await dialog().getByText("HMAC-SHA256").click();
  await dialog().getByRole("button", { name: "Create key" }).click();
  await dialog().getByText("Key created: Notebook").waitFor();
  await dialog().getByRole("button", { name: "Close" }).click();
  await dialog()
    .getByText(/Close without storing it/)
    .waitFor();
  await dialog().getByRole("button", { name: "Go back" }).click();
  const apiKey =
    (await dialog()
      .getByText(/^[A-Za-z0-9]{64}$/)
      .first()
      .textContent()) ?? "";
  await dialog().getByRole("button", { name: "Show the secret" }).click();
  const secret = (await dialog().getByTestId("secret").textContent()) ?? "";
  expect(secret).toMatch(/^[A-Za-z0-9]{64}$/);
  await dialog().getByText("I have stored the secret").click();
  await dialog().getByRole("button", { name: "Done" }).click();
  await page
    .getByRole("radio", { name: "REST" })
    .or(page.getByRole("button", { name: "REST" }))
    .first()
    .click();
  const sample = (await page.locator("pre").textContent()) ?? "";
  const { stdout } = await run("bash", ["-c", sample.replace("timestamp=", "recvWindow=60000&timestamp=")], {
    env: { ...process.env, CW_KEY: apiKey, CW_SECRET: secret },
  });
  expect(JSON.parse(stdout)).toMatchObject({ accountType: "SPOT", canTrade: false });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("listitem").filter({ hasText: "Notebook" }).waitFor();
  expect(await measureOverflow(page)).toBe(0);
});
