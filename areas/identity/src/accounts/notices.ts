// Connects notices with letters, messages, phones and the sockets, and writes codes and account events in the texts of
// the messages slice. Contains no rules.

import { setTimeout } from "node:timers/promises";
import type { Channel } from "@clockwork/host/channel";
import type { AccountName } from "@clockwork/kit/account";
import type { LetterService } from "@clockwork/messaging/letters/service";
import type { Message } from "@clockwork/messaging/messages/rules";
import type { MessageService } from "@clockwork/messaging/messages/service";
import {
  type CodePurpose,
  type NoticeFields,
  type NoticeKind,
  signText,
  writeCode,
  writeLetter,
  writeNotice,
} from "@clockwork/messaging/messages/text-rules";
import { type LiveNotice, NOTICES_CHANNEL } from "@clockwork/messaging/notices/contract";
import type { NoticeNeeds } from "@clockwork/messaging/notices/needs";
import { NoticeService } from "@clockwork/messaging/notices/service";
import { noticeStore } from "@clockwork/messaging/notices/store";
import { pushStore } from "@clockwork/messaging/push/store";
import type { Kysely } from "kysely";
import type { CodeAbout } from "../codes/checks.ts";
import type { SecurityService } from "../security/service.ts";
import { contactOf } from "../users/rules.ts";
import type { UserService } from "../users/service.ts";

export interface AccountNotices {
  sendCode(to: AccountName, purpose: CodePurpose, code: string, isVoid?: boolean, about?: CodeAbout): Promise<void>;
  /** To an address, about an account its owner may not have. */
  note(to: AccountName, kind: NoticeKind): Promise<void>;
  /** To the owner of an account. */
  notify(userId: number, kind: NoticeKind, fields: NoticeFields, timeMs: number): Promise<void>;
}

export interface NoticeParts {
  readonly kysely: Kysely<unknown>;
  readonly messages: MessageService;
  readonly letters: LetterService;
  readonly users: () => UserService;
  readonly security: () => SecurityService;
  readonly now: () => number;
  /** The public origin of the site. */
  readonly origin: string;
  /** Whether pushes to this token leave, or are kept in the outbox. */
  readonly canPush: (token: string) => boolean;
  readonly publish: (channel: string, userId: number, data: unknown) => void;
}

/** Sending takes at least this long, so that timing does not reveal whether a database row exists. */
const EVEN_MS = 30;

export const FREEZE_PATH = "/account/freeze";

const PHONES_MAX = 10;
const PUSH_LENGTH_MAX = 200;

/** Security notices of an account; its other notices concern identity. */
const SECURITY = { kind: "security", group: "account", defaults: ["live", "letter", "mail"] } as const;
const IDENTITY = { kind: "identity", group: "account", defaults: ["live", "letter", "mail"] } as const;

const channelOf = ({ kind }: AccountName): "mail" | "sms" => (kind === "email" ? "mail" : "sms");

export function composeNotices(parts: NoticeParts): { notices: NoticeService; own: AccountNotices } {
  const notices = new NoticeService({ store: noticeStore(parts.kysely), needs: noticeNeeds(parts) });
  notices.register({ ...SECURITY, always: ["letter", "mail"], isSecurity: true });
  notices.register({ ...IDENTITY, always: ["letter"], isSecurity: true });
  return { notices, own: accountNotices(parts, notices) };
}

function accountNotices(parts: NoticeParts, notices: NoticeService): AccountNotices {
  const { messages } = parts;
  return {
    async sendCode(to, purpose, code, isVoid = false, about) {
      const freezeUrl = about === undefined ? undefined : freezeUrlOf(parts, about.userId, parts.now());
      const words = writeCode(purpose, code, about === undefined ? {} : { ...about, freezeUrl });
      await Promise.all([
        messages.send({ ...words, to: to.value, channel: channelOf(to), isVoid }),
        setTimeout(EVEN_MS),
      ]);
    },
    async note(to, kind) {
      const words = writeNotice(kind, {});
      await Promise.all([messages.send({ ...words, to: to.value, channel: channelOf(to) }), setTimeout(EVEN_MS)]);
    },
    async notify(userId, kind, fields, timeMs) {
      const { title, body } = writeLetter(kind, fields);
      const notice = {
        kind: kind.startsWith("kyc-") ? IDENTITY.kind : SECURITY.kind,
        topic: kind,
        // Two of the same at one moment are one.
        reference: `${kind}:${timeMs}`,
        title,
        body,
        mailBody: writeNotice(kind, fields).text,
        path: kind.startsWith("kyc-") ? "/identity" : "/security",
      };
      await notices.notify(userId, notice, timeMs);
    },
  };
}

/** The link that freezes the account at once, good for as long as the mail is likely to be read. */
const freezeUrlOf = ({ origin, security }: NoticeParts, userId: number, timeMs: number): string =>
  `${origin}${FREEZE_PATH}?token=${security().freezeToken(userId, timeMs)}`;

function noticeNeeds(parts: NoticeParts): NoticeNeeds {
  const { kysely, messages, letters, users, publish } = parts;
  return {
    async prepareMail(userId, { title, body, mailBody, topic, kind }, { isSecurity = false }, timeMs) {
      const owner = await users().find(userId);
      if (owner === undefined || (owner.email === null && !isSecurity)) return undefined;
      const to = contactOf(owner);
      const freezeUrl = isSecurity && topic !== "frozen" ? freezeUrlOf(parts, userId, timeMs) : undefined;
      const text = signText([mailBody ?? body], { freezeUrl });
      return { to: to.value, channel: channelOf(to), kind: topic ?? kind, subject: title, text } satisfies Message;
    },
    async preparePush(userId, { title, body, mailBody, topic, kind, path }) {
      const phones = await pushStore(kysely).list(userId, PHONES_MAX);
      const text = (mailBody ?? body).slice(0, PUSH_LENGTH_MAX);
      const words = { kind: topic ?? kind, subject: title, text, ...(path === undefined ? {} : { path }) };
      return phones
        .filter(({ token }) => parts.canPush(token))
        .map(({ token }) => ({ to: token, channel: "push", ...words }) satisfies Message);
    },
    writeLetter: (inside, userId, { topic, kind, title, body, path }, timeMs) =>
      letters.writeWithin(inside, userId, { kind: topic ?? kind, title, body, path }, timeMs),
    async queue(inside, prepared) {
      for (const message of prepared) await messages.sendWithin(inside, message as Message);
    },
    async wake(userId) {
      messages.wake();
      await letters.announce(userId);
    },
    publish: (userId, notice: LiveNotice) => publish(NOTICES_CHANNEL, userId, notice),
  };
}

export const NOTICES_STREAM: Channel = {
  channel: NOTICES_CHANNEL,
  kind: "latest",
  isPrivate: true,
  serves: ({ biz, type, pairCode, base }) => [biz, type, pairCode, base].every((part) => part === undefined),
};
