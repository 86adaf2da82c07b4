// Connects all channels to a user: outgoing messages, letters, notices and preferences. Contains no rules.

import type { Channel } from "@clockwork/host/channel";
import type { Vault } from "@clockwork/host/vault";
import { readAccountName } from "@clockwork/kit/account";
import { LETTERS_CHANNEL } from "@clockwork/messaging/letters/contract";
import { letterRoutes } from "@clockwork/messaging/letters/routes";
import { LetterService } from "@clockwork/messaging/letters/service";
import { letterStore } from "@clockwork/messaging/letters/store";
import { MessageService } from "@clockwork/messaging/messages/service";
import { messageStore } from "@clockwork/messaging/messages/store";
import { pushIdentity, webPushSender } from "@clockwork/messaging/messages/web-push";
import { noticeRoutes } from "@clockwork/messaging/notices/routes";
import { pushRoutes } from "@clockwork/messaging/push/routes";
import { PushService } from "@clockwork/messaging/push/service";
import { pushStore } from "@clockwork/messaging/push/store";
import { isWebToken } from "@clockwork/messaging/push/web-subscription";
import type { Kysely } from "kysely";
import type { SecurityService } from "../security/service.ts";
import { securityStore } from "../security/store.ts";
import type { UserService } from "../users/service.ts";
import { userStore } from "../users/store.ts";
import type { AccountParts } from "./account-needs.ts";
import { composeNotices, NOTICES_STREAM } from "./notices.ts";
import type { ListOutbox } from "./outbox.ts";
import { pushSender, smsSender, smtpSender } from "./senders.ts";

export type Notifying = ReturnType<typeof composeNotifying>;

export function composeNotifying(
  parts: AccountParts,
  vault: Vault,
  slices: { readonly users: () => UserService; readonly security: () => SecurityService },
) {
  const { clock, config, kysely } = parts;
  const { messages, outbox, closeSenders, hasMail, hasPush, canPush, web } = composeMessages(
    parts,
    vault,
    ownWord(kysely),
  );
  const letters = new LetterService({
    store: letterStore(kysely),
    needs: { publishUnread: (userId, count) => parts.publish(LETTERS_CHANNEL, userId, { count }) },
  });
  const origin = config.publicOrigin ?? `http://localhost:${config.port}`;
  const { notices: service, own: notices } = composeNotices({
    ...slices,
    kysely,
    messages,
    letters,
    now: clock.now,
    origin,
    canPush,
    publish: parts.publish,
  });
  return {
    messages,
    letters,
    notices,
    service,
    outbox,
    hasMail,
    hasPush,
    canPush,
    origin,
    channels: [lettersChannel((userId) => letters.countUnread(userId)), NOTICES_STREAM],
    routes: [
      ...letterRoutes(letters),
      ...noticeRoutes(service),
      ...pushRoutes(new PushService({ store: pushStore(kysely) }), web),
    ],
    start: () => {
      const stop = messages.start();
      return async () => {
        await stop();
        closeSenders();
      };
    },
  };
}

/** The anti-phishing code of the address's user; unknown addresses cost the same work. */
const ownWord =
  (kysely: Kysely<unknown>) =>
  async (to: string, inside: Kysely<unknown> = kysely): Promise<string | undefined> => {
    const name = readAccountName(to);
    const owner = name === undefined ? undefined : await userStore(inside).findByName(name);
    return (await securityStore(inside).findSetting(owner?.id ?? NOBODY))?.anti_phishing ?? undefined;
  };
const NOBODY = 0;

function composeMessages(parts: AccountParts, vault: Vault, antiPhishingOf: ReturnType<typeof ownWord>) {
  const { config, clock, log } = parts;
  const mail = config.smtpUrl === undefined ? undefined : smtpSender(config.smtpUrl, config.mailFrom);
  const sms = config.smsUrl === undefined ? undefined : smsSender(config.smsUrl);
  const push = config.pushUrl === undefined ? undefined : pushSender(config.pushUrl);
  const identity = pushIdentity((attempt) => Buffer.from(vault.mark(String(attempt), VAPID_CONTEXT), "base64url"));
  const webPush =
    config.webPush === "off"
      ? undefined
      : webPushSender({
          identity,
          // A push service that sees faults may write here.
          subject: config.publicOrigin?.startsWith("https:") ? config.publicOrigin : mailtoOf(config.mailFrom),
          clock: clock.now,
          onGone: (token) => pushStore(parts.kysely).remove(token),
        });
  // With a mail server the outbox is off: messages are not shown to visitors.
  const keepsOutbox = config.mode !== "production" && mail === undefined;
  const messages = new MessageService({
    store: messageStore(parts.kysely),
    needs: {
      ...(mail === undefined ? {} : { mail }),
      ...(sms === undefined ? {} : { sms }),
      ...(push === undefined ? {} : { push }),
      ...(webPush === undefined ? {} : { webPush }),
      keepsOutbox,
      antiPhishingOf,
      seal: vault.seal,
      open: vault.open,
      clock: clock.now,
      report: (fact, fields) => log.warn(fact, fields),
    },
  });
  // Shown nowhere in production and nowhere while a mail server is configured.
  const outbox: ListOutbox | undefined = keepsOutbox ? (to) => messages.listOutbox(to) : undefined;
  const reachesApps = push !== undefined || keepsOutbox;
  return {
    messages,
    outbox,
    closeSenders: () => mail?.close(),
    hasMail: mail !== undefined || keepsOutbox,
    hasPush: reachesApps || webPush !== undefined,
    canPush: (token: string) => (isWebToken(token) ? webPush !== undefined : reachesApps),
    web: webPush === undefined ? undefined : { publicKey: identity.publicKey, origins: config.pushServices },
  };
}

const VAPID_CONTEXT = "web-push";
const mailtoOf = (sender: string): string => `mailto:${/<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender.trim()}`;

/** The unread count, per reader, from the subscription on. */
function lettersChannel(countUnread: (userId: number) => Promise<number>): Channel {
  return {
    channel: LETTERS_CHANNEL,
    kind: "latest",
    isPrivate: true,
    serves: ({ biz, type, pairCode, base }) => [biz, type, pairCode, base].every((part) => part === undefined),
    snapshot: async (_, account) => ({ data: { count: await countUnread(Number(account)) } }),
  };
}
