// What the slices of an account require from each other. Wiring only: every line forwards a call.

import { randomBytes, randomInt } from "node:crypto";
import type { Clock } from "@clockwork/host/clock";
import type { Log } from "@clockwork/host/log";
import type { Pictures } from "@clockwork/host/part";
import type { Config } from "@clockwork/host/settings/config";
import { readProvider } from "@clockwork/host/settings/openid-provider";
import type { Vault } from "@clockwork/host/vault";
import { maskAccountName, readAccountName } from "@clockwork/kit/account";
import { refused } from "@clockwork/kit/result";
import type { LetterService } from "@clockwork/messaging/letters/service";
import type { NoticeKind } from "@clockwork/messaging/messages/text-rules";
import type { Kysely } from "kysely";
import type { AttemptService } from "../attempts/service.ts";
import { attemptStore } from "../attempts/store.ts";
import type { CaptchaService } from "../captcha/service.ts";
import type { Checks } from "../codes/checks.ts";
import { codeKey } from "../codes/rules.ts";
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
import { accountKey } from "../sessions/rules.ts";
import type { SessionService } from "../sessions/service.ts";
import type { SocialNeeds } from "../social/needs.ts";
import type { UserNeeds } from "../users/needs.ts";
import { type AccountRow, contactOf } from "../users/rules.ts";
import type { UserService } from "../users/service.ts";
import { userStore } from "../users/store.ts";
import type { HashPool } from "./hash-pool.ts";
import { outsideLiveness, simulatedLiveness } from "./liveness.ts";
import type { AccountNotices } from "./notices.ts";
import { openidProviders } from "./openid.ts";
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
  readonly checks: Checks;
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
    ...all.checks,
    checkCode: (purpose, receiver, code, timeMs) => all.checks.checkCode(purpose, receiver, code, receiver, timeMs),
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
    ...all.checks,
    ...changeNeeds(all),
    ...sessionNeeds(sessions),
    find: (userId) => users().find(userId),
    findByName: (name) => users().findByName(name),
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
    mark: all.vault.mark,
    randomId: all.randomId,
    hasTotp: (userId) => security().hasTotp(userId),
    checkTotp: (userId, code, timeMs) => security().checkTotp(userId, code, timeMs),
  };
}

export function securityNeeds(all: NeedParts): SecurityNeeds {
  const { vault, sessions, users, notices } = all;
  return {
    ...vault,
    ...all.checks,
    ...sessionNeeds(sessions),
    checkCode: all.checks.judgeCode,
    random: (length) => new Uint8Array(randomBytes(length)),
    findOwner: async (userId) => ownerOf(await readAt(all, userId)),
    findOwnerByName: async (name) => ownerOf(await readAt(all, (await users().findByName(name))?.id)),
    hasPasskeys: (userId) => all.passkeys().hasKeys(userId),
    isHeldByOperator: all.parts.isHeldByOperator,
    setFrozen: async (kysely, userId, isFrozen) => {
      await userStore(kysely).change(
        userId,
        isFrozen ? { status: "frozen" } : { status: "active", closed_at_ms: null },
      );
      // A code requested earlier does not lift a freeze that came after it.
      const row = isFrozen ? await userStore(kysely).find(userId) : undefined;
      for (const name of [row?.email, row?.phone]) {
        if (typeof name === "string") await codeStore(kysely).endAll(codeKey("release", name));
      }
    },
    setClosed: (kysely, userId, timeMs) => userStore(kysely).change(userId, { closed_at_ms: timeMs }),
    holdsAssets: (userId) => all.parts.holdsAssets(userId),
    proveSession: (caller, timeMs) => sessions.renew(caller, { isVerified: true }, timeMs),
    async notify(userId, event, timeMs) {
      // Without a session of the account's own; every other change writes itself into the log.
      if (event === "frozen" || event === "released" || event === "closed")
        await sessions.recordBy(userId, undefined, event, timeMs);
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
    ...all.checks,
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
    ...sessionNeeds(sessions),
    findUser: async (userId) => {
      const found = await readAt(all, userId);
      if (found === undefined) return undefined;
      const { row, version } = found;
      return { name: contactOf(row).value, isFrozen: row.status === "frozen", version };
    },
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
    ...vault,
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
    withRights: roles.withRights.bind(roles),
    ...vault,
    randomId: all.randomId,
    redrawPicture: (bytes) => parts.pictures.redraw(bytes),
    blockedCountries: kycBlockedCountries,
    audit: operators.record.bind(operators),
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

function sessionNeeds(sessions: SessionService) {
  return {
    change: sessions.change.bind(sessions),
    changeAt: sessions.changeAt.bind(sessions),
    revoke: sessions.revoke.bind(sessions),
    versionOf: sessions.versionOf.bind(sessions),
    isVerified: sessions.isVerified.bind(sessions),
    knowsDevice: sessions.knowsDevice.bind(sessions),
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
  const { id, email, phone, password_hash, status, closed_at_ms } = row;
  return {
    userId: id,
    email,
    phone,
    passwordHash: password_hash,
    isFrozen: status === "frozen",
    isClosed: closed_at_ms !== null,
    contact: contactOf(row),
    version,
  };
}
