// How fields process input, each kind of input where the product uses it.
import { join } from "node:path";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { mintAccount, searchOption } from "../auth-steps.ts";
import { newPage, ROOT_FOLDER, visit, waitAwake } from "../site.ts";
import { signUp, waitUntil } from "./wire.ts";

export type Typed = Readonly<Record<string, string>>;

/** The log-in's result for accounts: the next page, or a refusal. */
async function typeAccounts(page: Page, origin: string): Promise<Typed> {
  const typed: Record<string, string> = {};
  for (const [name, text] of Object.entries({
    badMail: "nobody@nowhere",
    mail: "  somebody@journey.example ",
    shortPhone: "12345",
    phone: "123456",
  })) {
    await visit(page, `${origin}/login-cw`);
    const field = page.getByLabel("Email or phone");
    await waitAwake(field);
    await field.fill(text);
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    const isOn = () => new URL(page.url()).search.includes("step=password");
    const isRefused = async () => !isOn() && (await field.getAttribute("aria-invalid")) === "true";
    await waitUntil(page, async () => isOn() || (await isRefused()));
    typed[name] = isOn() ? "taken" : (await isRefused()) ? "refused" : "nothing";
  }
  return typed;
}

/** Every domain that completes a started mail address, as the field offers it. */
async function typeMails(page: Page, domains: readonly string[]): Promise<string> {
  const field = page.getByLabel("Email or phone");
  const offered: string[] = [];
  for (const domain of domains) {
    await field.fill(`ann@${domain.slice(0, -1)}`);
    const offer = page.getByRole("button", { name: `Complete as ann@${domain}`, exact: true });
    await waitUntil(page, async () => (await offer.count()) > 0);
    if ((await offer.count()) > 0) offered.push(domain);
  }
  return String(offered.length);
}

/** So few: more submissions within an hour are throttled. */
const MAILS_TRIED = 7;

/**
 * An institution writes from a public provider's address, some from all over the list, and is asked for its company's.
 */
async function sendMails(context: BrowserContext, origin: string, domains: readonly string[]): Promise<string> {
  let refused = 0;
  const step = Math.ceil(domains.length / MAILS_TRIED);
  for (const domain of [...domains.filter((_, at) => at % step === 0), "company.example"]) {
    // Without a text in the message: nothing is ever submitted.
    const data = { kind: "institutional", name: "Ada", email: `ada@${domain}`, message: " " };
    const answer = await context.request.post(`${origin}/api/v1/support/tickets`, { data, headers: { origin } });
    if ((await answer.text()).includes("Use your company email address.")) refused += 1;
  }
  return `${refused} of ${domains.length}`;
}

const PASSWORDS: Readonly<Record<string, string>> = {
  seven: "Abcdef1",
  letters: "abcdefgh",
  digits: "12345678",
  two: "abcdefg1",
  marks: "!!!!!!!1",
  longest: "a1".repeat(16),
  tooLong: `${"a1".repeat(16)}b`,
};

const isRefused = async (field: Locator): Promise<boolean> => (await field.getAttribute("aria-invalid")) === "true";

/** The classic registration with nothing else filled in: it is never sent, and every field shows its requirement. */
async function typeRegistration(page: Page, origin: string): Promise<Typed> {
  const typed: Record<string, string> = {};
  await visit(page, `${origin}/register`);
  const send = page.getByRole("button", { name: "Create account" });
  const password = page.getByRole("textbox", { name: "Password", exact: true });
  await waitAwake(password);
  const judge = async (field: Locator, text: string): Promise<string> => {
    await field.fill(text);
    await send.click();
    // The account's own error appears once the form has validated everything.
    await page.getByLabel("Email or phone").and(page.locator('[aria-invalid="true"]')).waitFor();
    return (await isRefused(field)) ? "refused" : "taken";
  };
  for (const [name, text] of Object.entries(PASSWORDS)) typed[`password ${name}`] = await judge(password, text);
  await page.getByRole("button", { name: "I have a referral code" }).click();
  const invite = page.getByLabel("Referral code");
  typed.badInvite = await judge(invite, "AB-12");
  typed.invite = await judge(invite, "AB12CD");
  return typed;
}

async function keep(field: Locator, text: string): Promise<string> {
  await waitAwake(field);
  await field.fill(text);
  return field.inputValue();
}

/** Where a code is typed into one box: the release of a frozen account. */
async function typeCodeBox(page: Page, origin: string): Promise<Typed> {
  await visit(page, `${origin}/account/release`);
  const account = page.getByLabel("Email or phone");
  await waitAwake(account);
  await account.fill(mintAccount());
  await page.getByRole("button", { name: "Send code" }).click();
  const code = await keep(page.getByLabel("6-digit code"), "12a34567890");
  await visit(page, `${origin}/docs/select`);
  const digits = await keep(page.getByRole("textbox", { name: "Phone" }), "+49 (170) 12x34");
  return { code, digits };
}

/** Fields of a signed-in user: the public name, the documents, the payment card. */
async function typeOwn(browser: Browser, origin: string): Promise<Typed> {
  const { context, page } = await newPage(browser);
  await signUp(context, origin);
  await visit(page, `${origin}/identity`);
  const number = await keep(page.getByLabel("Document number"), "P-12 é王3");
  await searchOption(page, "Issuing country", "Taiwan");
  const native = await keep(page.getByLabel("Name in Chinese characters"), "王 小明7");
  await context.request.post(`${origin}/dev/identity`, { data: { level: 1 }, headers: { origin } });
  await visit(page, `${origin}/otc/payments`);
  const kind = page.getByRole("button", { name: /Type/ });
  await waitAwake(kind);
  await kind.click();
  await page.getByRole("option", { name: "Card transfer", exact: true }).click();
  const card = await keep(page.getByLabel("Card number"), "4111-1111 1111_11x11");
  await visit(page, `${origin}/account`);
  const nickname = page.getByLabel("Display name", { exact: true });
  const save = page.getByRole("button", { name: "Save" });
  await keep(nickname, "Ann <b>");
  await save.click();
  const isPublished = page.getByText("Use 2 to 24 letters, digits, Chinese characters or basic punctuation.");
  await isPublished.waitFor();
  await nickname.fill("Ann 王 (1), no. 2!");
  await save.click();
  await page.getByText("Saved.", { exact: true }).waitFor();
  const text = (await isPublished.count()) === 0 ? "taken" : "refused";
  await context.close();
  return { number, native, card, text };
}

export async function walkFields(browser: Browser, origin: string): Promise<Typed> {
  const lists = (await import(join(ROOT_FOLDER, "kit/src/mail-domains.ts"))) as {
    COMPLETION_MAIL_DOMAINS: readonly string[];
    PUBLIC_MAIL_DOMAINS: readonly string[];
  };
  const { context, page } = await newPage(browser);
  const accounts = await typeAccounts(page, origin);
  await visit(page, `${origin}/login-cw`);
  await waitAwake(page.getByLabel("Email or phone"));
  const completed = await typeMails(page, lists.COMPLETION_MAIL_DOMAINS);
  const personal = await sendMails(context, origin, lists.PUBLIC_MAIL_DOMAINS);
  const registration = await typeRegistration(page, origin);
  const boxes = await typeCodeBox(page, origin);
  await context.close();
  const own = await typeOwn(browser, origin);
  return { ...accounts, ...registration, ...boxes, ...own, completed, personal };
}
