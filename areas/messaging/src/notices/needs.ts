// The ports of notices: letters, mails and phones as rows of one transaction, and the open pages.
import type { Notice, NoticeKind } from "@clockwork/kit/notice";
import type { Kysely } from "kysely";
import type { LiveNotice } from "./contract.ts";

/** A prepared mail, SMS or push; its content is internal to the server. */
export type Prepared = object;

export interface NoticeNeeds {
  /** Mail or SMS to the owner, signed; undefined without an address. */
  prepareMail(userId: number, notice: Notice, kind: NoticeKind, timeMs: number): Promise<Prepared | undefined>;
  /** One for each of the user's phones. */
  preparePush(userId: number, notice: Notice): Promise<readonly Prepared[]>;
  /** Within the caller's transaction. */
  writeLetter(inside: Kysely<unknown>, userId: number, notice: Notice, timeMs: number): Promise<void>;
  queue(inside: Kysely<unknown>, messages: readonly Prepared[], timeMs: number): Promise<void>;
  /** After the transaction: the unread count, and the messages' loop. */
  wake(userId: number): Promise<void>;
  publish(userId: number, notice: LiveNotice): void;
}
