// What the slices of an account require from each other. Wiring only: every line forwards a call.

import { randomBytes, randomInt } from "node:crypto";
import type { Clock } from "@clockwork/host/clock";
import type { Log } from "@clockwork/host/log";
import type { Pictures } from "@clockwork/host/part";
import type { Config } from "@clockwork/host/settings/config";
import { readProvider } from "@clockwork/host/settings/openid-provider";
import { type AccountName, mailboxOf, maskAccountName, readAccountName } from "@clockwork/kit/account";
import { type Result, refused } from "@clockwork/kit/result";
import { HOUR_MS } from "@clockwork/kit/time";
import type { LetterService } from "@clockwork/messaging/letters/service";
import type { NoticeKind } from "@clockwork/messaging/messages/text-rules";
import type { Kysely } from "kysely";
import type { AttemptRule } from "../attempts/rules.ts";
import type { AttemptService, Locked } from "../attempts/service.ts";
import { attemptStore } from "../attempts/store.ts";
import type { CaptchaService } from "../captcha/service.ts";
import { type CodePurpose, codeKey } from "../codes/rules.ts";
import type { CodeService } from "../codes/service.ts";
import { codeStore } from "../codes/store.ts";
import type { CredentialNeeds } from "../credentials/needs.ts";
import type { KycNeeds } from "../kyc/needs.ts";
import type { KycService } from "../kyc/service.ts";
import type { RoleNeeds } from "../operators/needs.ts";
import type { RoleService } from "../operators/role-service.ts";
import type { OperatorService } from "../operators/service.ts";
import { operatorStore } from "../operators/store.ts";
import type { PasskeyNeeds } from "../passkeys/needs.ts";
import type { PasskeyService } from "../passkeys/service.ts";
import type { IdentityPorts } from "../ports.ts";
import type { QrNeeds } from "../qr/needs.ts";
import type { Owner, SecurityNeeds } from "../security/needs.ts";
import type { LockCause } from "../security/rules.ts";
import type { SecurityService } from "../security/service.ts";
import type { LoginClient, LoginService } from "../sessions/login-service.ts";
import type { LoginAccount, LoginNeeds } from "../sessions/needs.ts";
import { accountKey, FACTOR_TRIES, OUTSIDERS_TRIES } from "../sessions/rules.ts";
import type { SessionService } from "../sessions/service.ts";
import type { SocialNeeds } from "../social/needs.ts";
import type { UserNeeds } from "../users/needs.ts";
import { type AccountRow, contactOf } from "../users/rules.ts";
import type { UserService } from "../users/service.ts";
import { userStore } from "../users/store.ts";
import type { HashBusy, HashPool } from "./hash-pool.ts";
import { outsideLiveness, simulatedLiveness } from "./liveness.ts";
import type { AccountNotices } from "./notices.ts";
import { openidProviders } from "./openid.ts";
import type { Vault } from "./secret-key.ts";
import type { NearProvider } from "./simulated-openid.ts";
import { webauthnCeremonies } from "./webauthn.ts";

const NOBODY = 0;

export interface AccountParts extends IdentityPorts {
  /** Seals secrets at rest. */
  readonly vault: Vault;
  readonly config: Config;
  readonly kysely: Kysely<unknown>;
  readonly log: Log;
  readonly clock: Clock;
  readonly passwords: HashPool;
  readonly pictures: Pictures;
  readonly endSockets: (sessionIds: readonly string[]) => void;
  readonly publish: (channel: string, userId: number, data: unknown) => void;
}

export interface NeedParts {
  readonly parts: AccountParts;
  readonly vault: Vault;
  readonly captcha: CaptchaService;
  readonly codes: CodeService;
  readonly notices: AccountNotices;
  readonly letters: LetterService;
  readonly attempts: AttemptService;
  readonly sessions: SessionService;
  readonly randomId: () => string;
  // Slices that depend on each other are resolved when used, not when created.
  readonly users: () => UserService;
  readonly security: () => SecurityService;
  readonly kyc: () => KycService;
  readonly passkeys: () => PasskeyService;
}

export function userNeeds(all: NeedParts): UserNeeds {
  const { parts, letters, security } = all;
  return {
    ...codeNeeds(all),
    ...passwordNeeds(all),
    checkCode: (purpose, receiver, code, timeMs) => countedCodes(all)(purpose, receiver, code, receiver, timeMs),
    sendKnown: (to) => all.notices.note(to, "sign-up-known"),
    openBook: parts.openBook,
    findLink: parts.findLink,
    readExtras: async (userId) => {
      const [hasTotp, hasTradePassword, unreadLetters, kycLevel, identityPopup, vipLevel] = await Promise.all([
        security().hasTotp(userId),
        security().hasTradePassword(userId),
        letters.countUnread(userId),
        all.kyc().levelOf(userId, parts.clock.now()),
        all.kyc().wantsAttention(userId, parts.clock.now()),
        parts.vipLevelOf(userId),
      ]);
      return { hasTotp, hasTradePassword, unreadLetters, kycLevel, identityPopup, vipLevel };
    },
    randomBelow: randomInt,
    report: (fact, fields) => parts.log.warn(fact, fields),
  };
}

export function credentialNeeds(all: NeedParts): CredentialNeeds {
  const { sessions, users, security } = all;
  return {
    ...codeNeeds(all),
    ...passwordNeeds(all),
    ...changeNeeds(all),
    find: (userId) => users().find(userId),
    findByName: (name) => users().findByName(name),
    checkCode: countedCodes(all),
    knowsDevice: (userId, deviceKey) => sessions.knowsDevice(userId, deviceKey),
    forgiveTries: async (kysely, userId) => {
      await attemptStore(kysely).clearAll(`code:reset:${userId}`);
      const row = await userStore(kysely).find(userId);
      const names = [
        { kind: "email", value: row?.email },
        { kind: "phone", value: row?.phone },
      ] as const;
      for (const { kind, value } of names) {
        if (typeof value === "string") await attemptStore(kysely).clearAll(accountKey({ kind, value }));
      }
    },
    setPassword: (kysely, userId, hash) => userStore(kysely).change(userId, { password_hash: hash }),
    setContact: (kysely, userId, name) => userStore(kysely).setContact(userId, name),
    versionOf: (userId) => sessions.versionOf(userId),
    revoke: (userId, write) => sessions.revoke(userId, write),
    mark: all.vault.mark,
    randomId: all.randomId,
    hasTotp: (userId) => security().hasTotp(userId),
    checkTotp: (userId, code, timeMs) => security().checkTotp(userId, code, timeMs),
    isVerified: (sessionId, timeMs) => sessions.isVerified(sessionId, timeMs),
    guardTries: guardTries(all),
  };
}

export function securityNeeds(all: NeedParts): SecurityNeeds {
  const { vault, sessions, users, codes, notices } = all;
  return {
    seal: vault.seal,
    open: vault.open,
    mark: vault.mark,
    random: (length) => new Uint8Array(randomBytes(length)),
    ...passwordNeeds(all),
    findOwner: async (userId) => ownerOf(await readAt(all, userId)),
    findOwnerByName: async (name) => ownerOf(await readAt(all, (await users().findByName(name))?.id)),
    hasPasskeys: (userId) => all.passkeys().hasKeys(userId),
    isHeldByOperator: all.parts.isHeldByOperator,
    setFrozen: async (kysely, userId, isFrozen) => {
      await userStore(kysely).change(userId, { status: isFrozen ? "frozen" : "active" });
      // A code requested earlier does not lift a freeze that came after it.
      const row = isFrozen ? await userStore(kysely).find(userId) : undefined;
      for (const name of [row?.email, row?.phone]) {
        if (typeof name === "string") await codeStore(kysely).endAll(codeKey("release", name));
      }
    },
    change: (caller, rule, timeMs, write) => sessions.change(caller, rule, timeMs, write),
    revoke: (userId, write) => sessions.revoke(userId, write),
    changeAt: (userId, version, write) => sessions.changeAt(userId, version, write),
    isVerified: (sessionId, timeMs) => sessions.isVerified(sessionId, timeMs),
    proveSession: (caller, timeMs) => sessions.renew(caller, { isVerified: true }, timeMs),
    isCaptchaSolved: (answer, timeMs) => all.captcha.isSolved(answer, timeMs),
    mintCode: mintCounted(all),
    checkCode: (purpose, receiver, code, timeMs, subject) => codes.check(purpose, receiver, code, timeMs, subject),
    sendCode: (to, purpose, code, isVoid, _, about) => notices.sendCode(to, purpose, code, isVoid, about),
    knowsDevice: (userId, deviceKey) => sessions.knowsDevice(userId, deviceKey),
    guardTries: guardTries(all),
    async notify(userId, event, timeMs) {
      // Without a session of the account's own; every other change writes itself into the log.
      if (event === "frozen" || event === "released") await sessions.recordBy(userId, undefined, event, timeMs);
      await notices.notify(userId, event, {}, timeMs);
    },
  };
}

export function loginNeeds(all: NeedParts): LoginNeeds {
  const { vault, users, security, codes, notices } = all;
  return {
    mark: vault.mark,
    randomId: all.randomId,
    findAccount: async (name) => loginOf(await readAt(all, (await users().findByName(name))?.id)),
    findUser: async (userId) => loginOf(await readAt(all, userId)),
    hashBusy: (ahead) => all.parts.passwords.busy(ahead),
    verifyPassword: (password, hash) => all.parts.passwords.verify(password, hash),
    isCaptchaSolved: (answer, timeMs) => all.captcha.isSolved(answer, timeMs),
    hasTotp: (userId) => security().hasTotp(userId),
    checkTotp: (userId, code, timeMs) => security().checkTotp(userId, code, timeMs),
    mintCode: (contact, timeMs) => codes.mint("login", contact.value, timeMs),
    sendCode: (_, contact, code) => notices.sendCode(contact, "login", code),
    checkCode: (contact, code, timeMs) => codes.check("login", contact.value, code, timeMs),
    onNewDevice: async (userId, { name, address }, timeMs) => {
      await security().rest(userId, "new-device", timeMs);
      await notices.notify(userId, "new-device", { device: name, address }, timeMs);
    },
  };
}

export function qrNeeds(all: NeedParts): QrNeeds {
  const { sessions } = all;
  const { mark, randomId, findUser, onNewDevice } = loginNeeds(all);
  return {
    mark,
    randomId,
    findUser,
    onNewDevice,
    knowsDevice: (userId, deviceKey) => sessions.knowsDevice(userId, deviceKey),
    versionOf: (caller) => sessions.readSessionVersion(caller),
    openSession: (confirmed, client, isKept, timeMs) =>
      sessions.open(confirmed, client, { isKept, isVerified: false, method: "qr" }, timeMs),
  };
}

export function passkeyNeeds(all: NeedParts): PasskeyNeeds {
  const { sessions } = all;
  return {
    ...webauthnCeremonies((error) => all.parts.log.debug("passkey.refused", { error })),
    ...changeNeeds(all),
    findUser: async (userId) => {
      const found = await readAt(all, userId);
      if (found === undefined) return undefined;
      const { row, version } = found;
      return { name: contactOf(row).value, isFrozen: row.status === "frozen", version };
    },
    isVerified: (sessionId, timeMs) => sessions.isVerified(sessionId, timeMs),
    proveSession: (caller, timeMs) => sessions.renew(caller, { isVerified: true }, timeMs),
  };
}

export function socialNeeds(
  all: NeedParts,
  login: LoginService,
  simulated: NearProvider | undefined,
): SocialNeeds<LoginClient> {
  const { vault, parts } = all;
  const configured = parts.config.openid.map(readProvider).filter((provider) => provider !== undefined);
  const providers = simulated === undefined ? configured : [...configured, simulated];
  return {
    ...openidProviders(providers, (provider, error) => parts.log.warn("social.refused", { provider, error })),
    mark: vault.mark,
    seal: vault.seal,
    open: vault.open,
    randomId: all.randomId,
    enter: async (userId, client, isKept, timeMs) => {
      const entered = await login.enter(userId, client, isKept, timeMs);
      if (entered.done) return entered;
      return refused(entered.code === "ACCOUNT_FROZEN" ? "ACCOUNT_FROZEN" : "TICKET_INVALID");
    },
    isKnown: async (email) => (await all.users().findByName({ kind: "email", value: email })) !== undefined,
    signUp: (email, body, timeMs) => all.users().signUpProved(email, body, timeMs),
    ...changeNeeds(all),
  };
}

export function roleNeeds(all: NeedParts): RoleNeeds {
  const { sessions, users, security } = all;
  return {
    hasTotp: (userId) => security().hasTotp(userId),
    isVerified: (sessionId, withinMs, timeMs) => sessions.isVerified(sessionId, timeMs, withinMs),
    provedAt: (sessionId) => sessions.provedAt(sessionId),
    findAccount: async (text) => {
      const name = readAccountName(text);
      const row = name === undefined ? undefined : await users().findByName(name);
      return row === undefined ? undefined : { userId: row.id };
    },
    nameOf: (userId) => nameOf(all, userId),
    setOperator: (userId, isOperator, inside) =>
      userStore(inside).change(userId, { role: isOperator ? "operator" : "user" }),
    endSessions: async (userId) => {
      await sessions.revoke(userId);
    },
  };
}

/** Operators by their name, else by their address; users masked. */
export async function nameOf({ users, parts }: NeedParts, userId: number): Promise<string> {
  const named = await operatorStore(parts.kysely).findName(userId);
  if (named !== undefined) return named;
  const row = await users().find(userId);
  if (row === undefined) return String(userId);
  const contact = contactOf(row);
  return row.role === "operator" ? contact.value : maskAccountName(contact);
}

export function kycNeeds(all: NeedParts, operators: OperatorService, roles: RoleService): KycNeeds {
  const { vault, notices, parts } = all;
  const { livenessUrl, livenessKey, kycStrict, kycBlockedCountries } = parts.config;
  return {
    liveness:
      livenessUrl === undefined
        ? simulatedLiveness({ mark: vault.mark, randomId: all.randomId })
        : outsideLiveness(livenessUrl, livenessKey, (fact, fields) => parts.log.warn(fact, fields)),
    isStrict: kycStrict === "on",
    nameOf: (userId) => nameOf(all, userId),
    permit: (reviewer, timeMs) => roles.permit(reviewer, "kyc.review", timeMs),
    withRights: (work) =>
      roles.withRights(({ inside, holds, record }) =>
        work({ inside, record, mayReview: (userId) => holds(userId, "kyc.review") }),
      ),
    seal: vault.seal,
    open: vault.open,
    mark: vault.mark,
    randomId: all.randomId,
    redrawPicture: (bytes) => parts.pictures.redraw(bytes),
    blockedCountries: kycBlockedCountries,
    audit: (operatorId, action, subject, detail, address, timeMs) =>
      operators.record({ operatorId, action, subject, detail, address }, timeMs),
    notify: (userId, decision, reason, timeMs) => notices.notify(userId, decision, { reason }, timeMs),
  };
}

/** How a slice changes an account's security: in one transaction with its suspension of withdrawals. */
function changeNeeds({ sessions, security, notices }: NeedParts) {
  return {
    change: sessions.change.bind(sessions),
    rest: (kysely: Kysely<unknown>, userId: number, change: LockCause & NoticeKind, timeMs: number) =>
      security().rest(userId, change, timeMs, kysely),
    async notify(userId: number, change: LockCause & NoticeKind, timeMs: number) {
      if (change === "password-reset") await sessions.recordBy(userId, undefined, change, timeMs);
      await notices.notify(userId, change, {}, timeMs);
    },
  };
}

/** The number of messages unauthenticated requests may send to a mailbox before it is suspended. */
const OUTSIDER_MAILS: AttemptRule = { triesMax: 20, lockMs: HOUR_MS };

/** Counts one such mail; defined where it must not be sent. */
export function mailRest(
  { attempts, vault }: Pick<NeedParts, "attempts" | "vault">,
  contact: string,
  timeMs: number,
): Promise<Locked | undefined> {
  return attempts.spend(`mail:${vault.mark(mailboxOf(contact), "mail")}`, OUTSIDER_MAILS, timeMs);
}

/**
 * Codes requested from an account's own devices have a limit of their own: exhausting the shared one does not affect
 * the owner.
 */
function mintCounted(all: NeedParts) {
  return async (
    purpose: CodePurpose,
    receiver: string,
    timeMs: number,
    subject?: string,
  ): Promise<Result<string, "CODE_TOO_SOON">> => {
    const minted = await all.codes.mint(purpose, receiver, timeMs, subject);
    const contact = outsidersContact(purpose, receiver);
    if (!minted.done || contact === undefined) return minted;
    const rest = await mailRest(all, contact, timeMs);
    return rest === undefined ? minted : refused("CODE_TOO_SOON", String(rest.retryAfterSeconds));
  };
}

/** The receiver of a message requested without proof of ownership. */
function outsidersContact(purpose: CodePurpose, receiver: string): string | undefined {
  // A code for a new contact has the requester before the contact; one for a reset or release has the requesting device
  // or address after it.
  if (purpose === "contact") return receiver.slice(receiver.lastIndexOf(":") + 1);
  const [contact = "", place = ""] = receiver.split(" ");
  const isPlaced = purpose === "reset" || purpose === "release";
  return purpose === "sign-up" || (isPlaced && place.startsWith("address:")) ? contact : undefined;
}

function codeNeeds(all: NeedParts) {
  const { captcha, notices } = all;
  return {
    isCaptchaSolved: (answer: Readonly<Record<string, string>> | undefined, timeMs: number) =>
      captcha.isSolved(answer, timeMs),
    mintCode: mintCounted(all),
    sendCode: (to: AccountName, purpose: CodePurpose, code: string, isVoid: boolean) =>
      notices.sendCode(to, purpose, code, isVoid),
  };
}

function passwordNeeds({ parts }: NeedParts) {
  const { passwords } = parts;
  return {
    hashBusy: () => passwords.busy(),
    hashPassword: (password: string) => passwords.hash(password),
    verifyPassword: (password: string, hash: string | undefined) => passwords.verify(password, hash),
  };
}

/** Five wrong codes of one purpose, over all its codes, then growing pauses. */
function countedCodes({ codes, attempts }: NeedParts) {
  return async (
    purpose: CodePurpose,
    receiver: string,
    code: string,
    countedAs: string,
    timeMs: number,
    countedTogetherAs?: string,
  ): Promise<boolean | HashBusy> => {
    const keys = [{ key: `code:${purpose}:${countedAs}`, rule: FACTOR_TRIES }];
    if (countedTogetherAs !== undefined)
      keys.push({ key: `code:${purpose}:${countedTogetherAs}`, rule: OUTSIDERS_TRIES });
    const verdict = await attempts.judgeAll(keys, timeMs, () => codes.judge(purpose, receiver, code, timeMs));
    // The wrong code that causes the lock is answered as wrong: the lock shows with the next refusal.
    return verdict.isRight ?? verdict.locked ?? false;
  };
}

/** Five wrong tries, then growing pauses; a try that could not be judged does not count. */
function guardTries({ attempts }: NeedParts) {
  return async (
    key: string,
    isRight: () => Promise<boolean | HashBusy>,
    timeMs: number,
    together?: string,
  ): Promise<boolean | HashBusy> => {
    let busy: HashBusy | undefined;
    const keys = [{ key: `guard:${key}`, rule: FACTOR_TRIES }];
    if (together !== undefined) keys.push({ key: `guard:${together}`, rule: OUTSIDERS_TRIES });
    const verdict = await attempts.judgeAll(keys, timeMs, async () => {
      const judged = await isRight();
      if (typeof judged === "boolean") return judged;
      busy = judged;
      return undefined;
    });
    return verdict.isRight ?? busy ?? verdict.locked ?? { retryAfterSeconds: 1 };
  };
}

/** An account and its security version, which is read first: it is old if anything changes in between. */
interface AccountAt {
  readonly row: AccountRow;
  readonly version: number;
}

/** The same work whether there is such an account or not. */
async function readAt({ sessions, users }: NeedParts, userId: number = NOBODY): Promise<AccountAt | undefined> {
  const version = await sessions.versionOf(userId);
  const row = await users().find(userId);
  return row === undefined ? undefined : { row, version };
}

function loginOf(found: AccountAt | undefined): LoginAccount | undefined {
  if (found === undefined) return undefined;
  const { row, version } = found;
  const { id, password_hash, status } = row;
  return { userId: id, passwordHash: password_hash, isFrozen: status === "frozen", contact: contactOf(row), version };
}

function ownerOf(found: AccountAt | undefined): Owner | undefined {
  if (found === undefined) return undefined;
  const { row, version } = found;
  const { id, email, phone, password_hash, status } = row;
  return {
    userId: id,
    email,
    phone,
    passwordHash: password_hash,
    isFrozen: status === "frozen",
    contact: contactOf(row),
    version,
  };
}
