// Connects the slices behind an account (messages, captcha, codes, users, sessions, security, letters, operators) with
// each other and with outside systems, by hand. Contains no rules.

import { randomBytes, randomInt } from "node:crypto";
import { addressKey } from "@clockwork/host/address";
import { storageMarks } from "@clockwork/host/marks";
import { type BaseContext, runs } from "@clockwork/host/part";
import { keepResuming } from "@clockwork/host/resume-loop";
import type { RouteContext, RouteSpec, SessionTokens } from "@clockwork/host/route";
import { cookiePlaceOf } from "@clockwork/host/settings/config";
import type { Vault } from "@clockwork/host/vault";
import type { CookiePlace } from "@clockwork/kit/session-cookie";
import { Value } from "typebox/value";
import { AttemptService } from "../attempts/service.ts";
import { attemptStore } from "../attempts/store.ts";
import { captchaRoutes } from "../captcha/routes.ts";
import { CaptchaService } from "../captcha/service.ts";
import { captchaStore } from "../captcha/store.ts";
import { listLinked } from "../claimants/linked.ts";
import { ClaimantService } from "../claimants/service.ts";
import { claimantStore } from "../claimants/store.ts";
import { mailRest, openChecks } from "../codes/checks.ts";
import { CodeService } from "../codes/service.ts";
import { codeStore } from "../codes/store.ts";
import { credentialRoutes } from "../credentials/routes.ts";
import { CredentialService } from "../credentials/service.ts";
import { resetStore } from "../credentials/store.ts";
import type { Accounts } from "../offers.ts";
import { Authentication } from "../passkeys/contract.ts";
import { passkeyRoutes } from "../passkeys/routes.ts";
import { PasskeyService } from "../passkeys/service.ts";
import { passkeyStore } from "../passkeys/store.ts";
import type { IdentityPorts } from "../ports.ts";
import { qrRoutes } from "../qr/routes.ts";
import { QrService } from "../qr/service.ts";
import { qrStore } from "../qr/store.ts";
import { securityRoutes } from "../security/routes.ts";
import { SecurityService } from "../security/service.ts";
import { securityStore } from "../security/store.ts";
import { type LoginClient, LoginService } from "../sessions/login-service.ts";
import { readClient, sessionRoutes } from "../sessions/routes.ts";
import { SessionService } from "../sessions/service.ts";
import { sessionIdentifier } from "../sessions/session-identifier.ts";
import { listSharing } from "../sessions/sharing.ts";
import { sessionStore } from "../sessions/store.ts";
import { socialRoutes } from "../social/routes.ts";
import { SocialService } from "../social/service.ts";
import { socialStore } from "../social/store.ts";
import { profileRoutes } from "../users/profile-routes.ts";
import { ProfileService } from "../users/profile-service.ts";
import { userRoutes } from "../users/routes.ts";
import { contactOf } from "../users/rules.ts";
import { UserService } from "../users/service.ts";
import { userStore } from "../users/store.ts";
import {
  type AccountParts,
  credentialNeeds,
  loginNeeds,
  type NeedParts,
  passkeyNeeds,
  qrNeeds,
  securityNeeds,
  socialNeeds,
  userNeeds,
} from "./account-needs.ts";
import { composeConsole } from "./console.ts";
import { announceOperators } from "./first-operator.ts";
import { geetestProvider } from "./geetest.ts";
import { accountGuard } from "./guard.ts";
import { type HashPool, openHashPool } from "./hash-pool.ts";
import { composeNotifying, type Notifying } from "./notifying.ts";
import { mountOutbox } from "./outbox.ts";
import { claimSecretKey, openVault } from "./secret-key.ts";
import { SimulatedOpenid } from "./simulated-openid.ts";
import { siteOf } from "./webauthn.ts";

const RESUME_MS = 5000;

export async function accountsPart(context: BaseContext, ports: IdentityPorts, hashPool?: HashPool): Promise<Accounts> {
  const { config, database, live, log, clock, pictures } = context;
  const vault = openVault(await claimSecretKey(storageMarks(database.kysely), config.folder, config.secretKey));
  const passwords = hashPool ?? (await openHashPool({ givesWay: config.passwordPriority === "idle" }));
  const accounts = composeAccounts({
    config,
    vault,
    log,
    clock,
    passwords,
    pictures,
    kysely: database.kysely,
    ...ports,
    endSockets: live.endSessions,
    publish: (channel, userId, data) => live.publish({ channel }, data, { account: String(userId) }),
  });
  return {
    ...accounts,
    async start() {
      await announceOperators(accounts, config, context.announce, clock.now());
      await accounts.start?.();
    },
    async close() {
      await accounts.close?.();
      await passwords.close();
    },
  };
}

export function composeAccounts(parts: AccountParts): Accounts {
  const { config, kysely, clock, vault } = parts;
  const notifying = composeNotifying(parts, vault, { users: () => users, security: () => security });
  const { letters, outbox, notices } = notifying;
  // Shown where the outbox is and no real provider is configured.
  const hasSimulated = outbox !== undefined && config.openid.length === 0;
  const simulated = hasSimulated ? new SimulatedOpenid(clock.now) : undefined;
  const attempts = new AttemptService(attemptStore(kysely));
  const revocations = new Set<(userId: number) => void>();
  const sessions = new SessionService({
    store: sessionStore(kysely),
    needs: {
      mark: vault.mark,
      randomId,
      endSockets: parts.endSockets,
      onRevoked: (userId) => void [...revocations].map((notify) => notify(userId)),
      onStolen: (userId, timeMs) => notices.notify(userId, "token-reuse", {}, timeMs),
    },
  });
  const captcha = composeCaptcha(parts, vault);
  const codes = new CodeService({ store: codeStore(kysely), needs: { mark: vault.mark, randomBelow: randomInt } });
  const { passwords } = parts;
  const needs: NeedParts = {
    parts,
    vault,
    captcha,
    codes,
    checks: openChecks({ captcha, codes, attempts, vault, passwords, sendCode: notices.sendCode }),
    notices,
    letters,
    attempts,
    sessions,
    randomId,
    users: () => users,
    security: () => security,
    kyc: () => kyc,
    passkeys: () => passkeys,
  };
  const readRequester = (context: RouteContext) => readClient(context, addressKey);
  const store = userStore(kysely);
  const users = new UserService({ store, needs: userNeeds(needs) });
  const credentials = new CredentialService({ store: resetStore(kysely), needs: credentialNeeds(needs) });
  const security = new SecurityService({ store: securityStore(kysely), needs: securityNeeds(needs) });
  const login = new LoginService({ needs: loginNeeds(needs), store: sessionStore(kysely), sessions, attempts });
  const qr = new QrService({ store: qrStore(kysely), needs: qrNeeds(needs) });
  const social = new SocialService({ store: socialStore(kysely), needs: socialNeeds(needs, login, simulated) });
  const passkeys = new PasskeyService({ store: passkeyStore(kysely), needs: passkeyNeeds(needs) });
  const console = composeConsole(kysely, needs);
  const { kyc, roles } = console.services;

  return {
    users,
    security,
    hasOutbox: outbox !== undefined,
    ...console.services,
    ...outward(needs.captcha, notifying, needs),
    ...provingByKey(passkeys, config, clock.now),
    notices: notifying.service,
    findPerson: personFinder({ users, kyc, roles }),
    claimants: claimantsOf({ kysely, vault, users, kyc }),
    listSharing: (userIds) => listSharing(kysely, userIds),
    listLinked: (userId, limit) => listLinked(kysely, userId, limit),
    guard: accountGuard({ kysely, clock, vault, sessions, security, revocations }),
    ...readingTokens(sessions, clock.now, cookiePlaceOf(config)),
    channels: notifying.channels,
    routes: [
      ...proofRoutes(parts, { users, profiles: new ProfileService({ store }), sessions, login, qr, social, passkeys }),
      ...captchaRoutes(needs.captcha),
      ...credentialRoutes(credentials, readRequester),
      ...securityRoutes(security, readRequester),
      ...notifying.routes,
      ...console.routes,
    ],
    ...runs(() => startLoops([notifying.start(), console.start()], users, parts)),
    mount(app) {
      if (outbox !== undefined) mountOutbox(app, outbox);
      simulated?.mount(app);
    },
  };
}

/** The services of accounts for forms outside them. */
function outward(
  captcha: CaptchaService,
  {
    messages,
    origin,
    hasMail,
    hasPush,
    canPush,
  }: Pick<Notifying, "messages" | "origin" | "hasMail" | "hasPush" | "canPush">,
  counted: Pick<NeedParts, "attempts" | "vault">,
): Pick<Accounts, "isCaptchaSolved" | "origin" | "sendMail" | "mayWriteTo" | "queue"> {
  return {
    queue: {
      hasMail,
      hasPush,
      canPush,
      add: (inside, message) => messages.sendWithin(inside, message),
      wake: () => messages.wake(),
    },
    mayWriteTo: async (contact, timeMs) => (await mailRest(counted, contact, timeMs)) === undefined,
    isCaptchaSolved: (answer, timeMs) => captcha.isSolved(answer, timeMs),
    origin,
    sendMail: (to, words) => messages.send({ ...words, to, channel: "mail" }),
  };
}

/** Who may claim a reward: verified users whose device, mailbox and address have not claimed it. */
function claimantsOf({
  kysely,
  vault,
  users,
  kyc,
}: Pick<Accounts, "users" | "kyc"> & Pick<AccountParts, "kysely" | "vault">): Accounts["claimants"] {
  const sessions = sessionStore(kysely);
  const claimants = new ClaimantService({
    store: claimantStore(kysely),
    needs: {
      levelOf: (userId, timeMs) => kyc.levelOf(userId, timeMs),
      contactOf: async (userId) => {
        const row = await users.find(userId);
        return row === undefined ? undefined : contactOf(row).value;
      },
      mark: vault.mark,
    },
  });
  return {
    of: async ({ userId, session, ip, timeMs }) => {
      const device = session === undefined ? undefined : (await sessions.find(session.id))?.device_key;
      return { userId: Number(userId), device: device ?? "", address: addressKey(ip), timeMs };
    },
    take: (reward, claimant) => claimants.take(reward, claimant),
    mark: (reward, claimant) => claimants.mark(reward, claimant),
  };
}

/** For routes outside the account's own that accept a passkey. */
function provingByKey(
  passkeys: PasskeyService,
  { publicOrigin }: AccountParts["config"],
  now: () => number,
): Pick<Accounts, "provePasskey" | "hasPasskeys"> {
  const site = siteOf(publicOrigin);
  return {
    hasPasskeys: (userId) => passkeys.hasKeys(userId),
    provePasskey: async (context, response, userId) => {
      if (!Value.Check(Authentication, response)) return false;
      const proved = await passkeys.login(site(context), response, now());
      return proved.done && proved.value.userId === userId;
    },
  };
}

function personFinder({ users, kyc, roles }: Pick<Accounts, "users" | "kyc" | "roles">): Accounts["findPerson"] {
  return async (userId, timeMs) => {
    const [account, kycLevel, me] = await Promise.all([
      users.find(userId),
      kyc.levelOf(userId, timeMs),
      roles.me({ userId, sessionId: "", address: "" }, timeMs),
    ]);
    return account === undefined ? undefined : { nickname: account.nickname, kycLevel, isOperator: me.done };
  };
}

/** How calls and sockets are authenticated. */
function readingTokens(
  sessions: SessionService,
  now: () => number,
  place: CookiePlace,
): Pick<Accounts, "identifiers" | "socketIdentifiers"> {
  return {
    identifiers: [
      sessionIdentifier(
        {
          readAccess: (token, scope) => sessions.reading.readAccess(token, scope, now()),
          recallAccess: (token, scope) => sessions.reading.recallAccess(token, scope, now()),
          readWebSession: (secret) => sessions.reading.readWebSession(secret, now()),
        },
        place,
      ),
    ],
    socketIdentifiers: [
      {
        name: "session",
        authenticate: async (token) => {
          const caller = await sessions.reading.readAccess(token, "all", now());
          return caller === null ? null : { account: caller.userId, session: caller.sessionId, endsMs: caller.endsMs };
        },
      },
    ],
  };
}

interface Doors {
  readonly users: UserService;
  readonly profiles: ProfileService;
  readonly sessions: SessionService;
  readonly login: LoginService;
  readonly qr: QrService;
  readonly social: SocialService<LoginClient>;
  readonly passkeys: PasskeyService;
}

/** Every way to sign in, and the sessions they open. */
function proofRoutes({ config }: AccountParts, doors: Doors): readonly RouteSpec[] {
  const { users, profiles, sessions, login, qr, social, passkeys } = doors;
  const site = siteOf(config.publicOrigin);
  const client = (context: RouteContext): LoginClient => readClient(context, addressKey);
  return [
    ...userRoutes({ users, openSession: openFirst(sessions) }),
    ...profileRoutes(profiles),
    ...sessionRoutes({ sessions, login, sourceOf: addressKey, place: cookiePlaceOf(config) }),
    ...qrRoutes({ qr, readClient: client, originOf: (context) => site(context).origin }),
    ...passkeyRoutes({ passkeys, siteOf: site, openSession: openProved(sessions, "passkey") }),
    ...socialRoutes({
      social,
      readClient: client,
      returnUrl: (context) => `${site(context).origin}/login-cw/social-verification`,
      openSession: openFirst(sessions),
    }),
  ];
}

/** The session of a user who has just proved ownership by more than a password. */
function openProved(sessions: SessionService, method: "sign-up" | "passkey") {
  return (
    proved: { readonly userId: number; readonly version: number },
    context: RouteContext,
    isKept: boolean,
  ): Promise<SessionTokens | null> => {
    const options = { isKept, isVerified: true, method } as const;
    return sessions.open(proved, readClient(context, addressKey), options, context.timeMs);
  };
}

/** The first session of a new account; undefined when its security was changed before. */
function openFirst(sessions: SessionService) {
  const open = openProved(sessions, "sign-up");
  return (userId: number, context: RouteContext, isKept: boolean) => open({ userId, version: 0 }, context, isKept);
}

function randomId(): string {
  return randomBytes(24).toString("base64url");
}

function composeCaptcha({ config, kysely, log }: AccountParts, vault: Vault): CaptchaService {
  const hasProvider = config.geetestId !== "";
  return new CaptchaService({
    store: captchaStore(kysely),
    needs: {
      kind: config.captcha === "off" ? "off" : hasProvider ? "geetest" : "work",
      ...(hasProvider ? { provider: geetestProvider(config) } : {}),
      mark: vault.mark,
      random: (length) => randomBytes(length),
      report: (fact, fields) => log.warn(fact, fields),
    },
  });
}

function startLoops(
  stops: readonly (() => Promise<void>)[],
  users: UserService,
  { clock, log }: AccountParts,
): () => Promise<void> {
  const stopResuming = keepResuming({
    clock,
    everyMs: RESUME_MS,
    resume: () => users.resumeBooks(),
    onFailure: (error) => log.warn("user.books.failed", { error }),
  });
  return async () => {
    await stopResuming();
    for (const stop of stops) await stop();
  };
}
