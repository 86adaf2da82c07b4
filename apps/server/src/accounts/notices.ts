// Tells an owner what happened to their account: by mail or SMS with their own word and the freeze link, and by letter.

import { setTimeout } from "node:timers/promises";
import type { LetterService } from "@clockwork/domains/letters/service";
import type { MessageService } from "@clockwork/domains/messages/service";
import {
  type CodePurpose,
  type NoticeFields,
  type NoticeKind,
  writeCode,
  writeLetter,
  writeNotice,
} from "@clockwork/domains/messages/text-rules";
import type { SecurityService } from "@clockwork/domains/security/service";
import { contactOf } from "@clockwork/domains/users/rules";
import type { UserService } from "@clockwork/domains/users/service";
import type { AccountName } from "@clockwork/kit/account";

export interface Notices {
  sendCode(to: AccountName, purpose: CodePurpose, code: string, isVoid?: boolean): Promise<void>;
  /** To an address, about an account its owner may not know of. */
  note(to: AccountName, kind: NoticeKind): Promise<void>;
  /** To the owner of an account. */
  tell(userId: number, kind: NoticeKind, fields: NoticeFields, timeMs: number): Promise<void>;
}

export interface NoticeParts {
  readonly messages: MessageService;
  readonly letters: LetterService;
  readonly users: () => UserService;
  readonly security: () => SecurityService;
  /** Where the site is seen from outside. */
  readonly origin: string;
}

/** Sending takes at least this long, so that a row more or less in the database cannot be heard from outside. */
const EVEN_MS = 30;

export const FREEZE_PATH = "/account/freeze";

export function createNotices({ messages, letters, users, security, origin }: NoticeParts): Notices {
  const channelOf = ({ kind }: AccountName): "mail" | "sms" => (kind === "email" ? "mail" : "sms");
  return {
    async sendCode(to, purpose, code, isVoid = false) {
      const words = writeCode(purpose, code);
      await Promise.all([
        messages.send({ ...words, to: to.value, channel: channelOf(to), isVoid }),
        setTimeout(EVEN_MS),
      ]);
    },
    async note(to, kind) {
      const words = writeNotice(kind, {});
      await Promise.all([messages.send({ ...words, to: to.value, channel: channelOf(to) }), setTimeout(EVEN_MS)]);
    },
    async tell(userId, kind, fields, timeMs) {
      const owner = await users().find(userId);
      if (owner === undefined) return;
      const antiPhishing = await security().antiPhishingOf(userId);
      const freezeUrl = `${origin}${FREEZE_PATH}?token=${security().freezeToken(userId, timeMs)}`;
      const to = contactOf(owner);
      const words = writeNotice(kind, fields, { antiPhishing, freezeUrl });
      await messages.send({ ...words, to: to.value, channel: channelOf(to) });
      await letters.write(userId, writeLetter(kind, fields), timeMs);
    },
  };
}
