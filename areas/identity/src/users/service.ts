// Accounts: sign-up, a user's own data, preferences, and the core's books behind each account. An account is stored
// first and its books are opened after; a restart opens those still missing.
import { type AccountName, readAccountName } from "@clockwork/kit/account";
import {
  CAPTCHA_LENGTH,
  DEFAULT_AVAILABLE_LOCALES,
  DEFAULT_CURRENCY,
  DEFAULT_LOCALE,
  LOCAL_LANGUAGES,
  PASSWORD_CLASSES_MIN,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
} from "@clockwork/kit/constants";
import { COMPLETION_MAIL_DOMAINS } from "@clockwork/kit/mail-domains";
import { done, type Result, refused } from "@clockwork/kit/result";
import { checkPassword } from "@clockwork/kit/validate";
import type {
  CodeSent,
  LanguageMenu,
  Preferences,
  PreferencesBody,
  RegisterConfig,
  SignUpBody,
  TopInfo,
} from "./contract.ts";
import type { FirstBook, UserNeeds } from "./needs.ts";
import type { UserRefusal } from "./refusals.ts";
import { type AccountRow, describeUser, drawInviteCode, drawUserId } from "./rules.ts";
import type { UserStore } from "./store.ts";

export const RESEND_SECONDS = 60;
const FIRST_BOOKS: readonly FirstBook[] = ["funding", "spot"];
const DRAWS_MAX = 8;
const RESUME_BATCH = 100;

/** The inviter of a user, and the code used. */
interface Inviter {
  readonly id: number;
  readonly code: string;
  readonly friendPercent: number;
}

export class UserService {
  readonly #store: UserStore;
  readonly #needs: UserNeeds;

  constructor({ store, needs }: { readonly store: UserStore; readonly needs: UserNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async topInfo(userId: number | null): Promise<TopInfo> {
    const row = userId === null ? undefined : await this.#store.find(userId);
    const availableLanguage = [...DEFAULT_AVAILABLE_LOCALES];
    if (row === undefined) return { id: null, userInfo: null, availableLanguage };
    const [extras, profile] = await Promise.all([this.#needs.readExtras(row.id), this.#store.findProfile(row.id)]);
    return { id: String(row.id), userInfo: describeUser(row, extras, profile), availableLanguage };
  }

  languageMenu(): LanguageMenu {
    return { whiteList: LOCAL_LANGUAGES.map((language) => ({ ...language })) };
  }

  registerConfig(): RegisterConfig {
    return {
      kinds: ["email", "phone"],
      passwordLengthMin: PASSWORD_LENGTH_MIN,
      passwordLengthMax: PASSWORD_LENGTH_MAX,
      passwordClassesMin: PASSWORD_CLASSES_MIN,
      codeLength: CAPTCHA_LENGTH,
      resendSeconds: RESEND_SECONDS,
      isInviteRequired: false,
      termsPath: "/user-agreement",
      privacyPath: "/privacy-policy",
      mailDomains: [...COMPLETION_MAIL_DOMAINS],
    };
  }

  /** Sends a code, or to the owner of an existing account a note instead: the caller sees no difference. */
  async sendSignUpCode(
    account: string,
    captcha: Readonly<Record<string, string>> | undefined,
    timeMs: number,
  ): Promise<Result<CodeSent, UserRefusal>> {
    const name = readAccountName(account);
    if (name === undefined) return refused("ACCOUNT_INVALID");
    if (!(await this.#needs.isCaptchaSolved(captcha, timeMs))) return refused("CAPTCHA_REQUIRED");
    const minted = await this.#needs.mintCode("sign-up", name.value, timeMs);
    if (!minted.done) return refused("CODE_TOO_SOON", minted.detail);
    const known = await this.#store.findByName(name);
    if (known === undefined) await this.#needs.sendCode(name, "sign-up", minted.value);
    else await this.#needs.sendKnown(name, timeMs);
    return done({ resendSeconds: RESEND_SECONDS });
  }

  async signUp(body: SignUpBody, timeMs: number): Promise<Result<number, UserRefusal>> {
    const name = readAccountName(body.account);
    if (name === undefined) return refused("ACCOUNT_INVALID");
    const wrong = checkPassword(body.password);
    if (wrong !== undefined) return refused("PASSWORD_INVALID", wrong);
    const busy = this.#needs.hashBusy();
    if (busy !== undefined) return refused("BUSY", String(busy.retryAfterSeconds));
    const inviter = await this.#findInviter(body.inviteCode);
    if (inviter === undefined) return refused("INVITE_UNKNOWN");
    const isRight = await this.#needs.checkCode("sign-up", name.value, body.code, timeMs);
    if (typeof isRight === "object") return refused("CODE_LOCKED", String(isRight.retryAfterSeconds));
    if (!isRight) return refused("CODE_WRONG");
    return this.#open(name, { ...body, inviter }, "CODE_WRONG", timeMs);
  }

  /** For an address a provider has proved to be this person's. */
  async signUpProved(
    email: string,
    body: Pick<SignUpBody, "password" | "country" | "inviteCode">,
    timeMs: number,
  ): Promise<Result<number, "PASSWORD_INVALID" | "INVITE_UNKNOWN" | "ACCOUNT_KNOWN" | "BUSY">> {
    const name = readAccountName(email);
    const wrong = checkPassword(body.password);
    if (wrong !== undefined) return refused("PASSWORD_INVALID", wrong);
    if (name === undefined || (await this.#store.findByName(name)) !== undefined) return refused("ACCOUNT_KNOWN");
    const inviter = await this.#findInviter(body.inviteCode);
    if (inviter === undefined) return refused("INVITE_UNKNOWN");
    return this.#open(name, { ...body, inviter }, "ACCOUNT_KNOWN", timeMs);
  }

  /** Undefined for an unknown code, null without a code. */
  async #findInviter(given: string | undefined): Promise<Inviter | null | undefined> {
    const code = given?.trim().toUpperCase() ?? "";
    if (code === "") return null;
    const link = await this.#needs.findLink(code);
    const id = link?.ownerId ?? (await this.#store.findInviter(code));
    return id === undefined ? undefined : { id, code, friendPercent: link?.friendPercent ?? 0 };
  }

  async #open<Taken extends string>(
    name: AccountName,
    body: Pick<SignUpBody, "password" | "country"> & { readonly inviter: Inviter | null },
    taken: Taken,
    timeMs: number,
  ): Promise<Result<number, Taken | "BUSY">> {
    const hash = await this.#needs.hashPassword(body.password);
    if (typeof hash === "object") return refused("BUSY", String(hash.retryAfterSeconds));
    const more = { country: body.country ?? "", role: "user", inviter: body.inviter } as const;
    const id = await this.#addAccount(name, hash, more, timeMs);
    if (id === undefined) return refused(taken);
    await this.openBooks(id, "user");
    return done(id);
  }

  /** An account for an operator; undefined when the address is taken. */
  async createOperator(email: string, password: string, timeMs: number): Promise<number | undefined> {
    const hash = await this.#needs.hashPassword(password);
    if (typeof hash === "object") return undefined;
    const name = { kind: "email", value: email } as const;
    const id = await this.#addAccount(name, hash, { country: "", role: "operator", inviter: null }, timeMs);
    if (id !== undefined) await this.openBooks(id, "operator");
    return id;
  }

  async #addAccount(
    name: AccountName,
    passwordHash: string,
    more: { readonly country: string; readonly role: AccountRow["role"]; readonly inviter: Inviter | null },
    timeMs: number,
  ): Promise<number | undefined> {
    for (let draw = 0; draw < DRAWS_MAX; draw += 1) {
      const id = drawUserId(this.#needs.randomBelow);
      const isAdded = await this.#store.add({
        id,
        email: name.kind === "email" ? name.value : null,
        phone: name.kind === "phone" ? name.value : null,
        password_hash: passwordHash,
        nickname: `User-${String(id).slice(-6)}`,
        country: more.country,
        role: more.role,
        status: "active",
        closed_at_ms: null,
        books: "intended",
        invite_code: drawInviteCode(this.#needs.randomBelow),
        invited_by: more.inviter?.id ?? null,
        invited_code: more.inviter?.code ?? null,
        invited_percent: more.inviter?.friendPercent ?? null,
        user_language: DEFAULT_LOCALE,
        pricing_currency: DEFAULT_CURRENCY,
        created_at_ms: timeMs,
      });
      if (isAdded) return id;
      if ((await this.#store.findByName(name)) !== undefined) return undefined;
    }
    return undefined;
  }

  /**
   * Opens the first books of an account in the core; an operator's are blocked, since operators do not trade. Safe to
   * repeat: the core returns what exists.
   */
  async openBooks(userId: number, role: AccountRow["role"]): Promise<boolean> {
    for (const book of FIRST_BOOKS) {
      const account = await this.#needs.openBook(userId, book, role === "operator");
      if (account === undefined) {
        this.#needs.report("user.books.intended", { userId, book });
        return false;
      }
    }
    await this.#store.setBooksOpen(userId);
    return true;
  }

  /** Opens the books a crash or a busy core left missing; returns how many are open now. */
  async resumeBooks(): Promise<number> {
    let opened = 0;
    for (const { id, role } of await this.#store.listIntended(RESUME_BATCH)) {
      if (!(await this.openBooks(id, role))) break;
      opened += 1;
    }
    return opened;
  }

  find(userId: number): Promise<AccountRow | undefined> {
    return this.#store.find(userId);
  }

  findByName(name: AccountName): Promise<AccountRow | undefined> {
    return this.#store.findByName(name);
  }

  async readPreferences(userId: number): Promise<Preferences> {
    const row = await this.#store.find(userId);
    return {
      userLanguage: row?.user_language ?? DEFAULT_LOCALE,
      pricingCurrency: row?.pricing_currency ?? DEFAULT_CURRENCY,
    };
  }

  async savePreferences(userId: number, body: PreferencesBody): Promise<Preferences> {
    const { userLanguage, pricingCurrency } = body;
    const values = {
      ...(userLanguage === undefined ? {} : { user_language: userLanguage }),
      ...(pricingCurrency === undefined ? {} : { pricing_currency: pricingCurrency }),
    };
    if (Object.keys(values).length > 0) await this.#store.change(userId, values);
    return this.readPreferences(userId);
  }
}
