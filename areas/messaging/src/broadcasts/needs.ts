// The ports of broadcasts: newsletter subscribers, and the messages' queue.
import type { Kysely } from "kysely";

export interface Receiver {
  /** A mail address or a push token: unique, and the sort key of receivers. */
  readonly address: string;
  readonly locale: string;
  /** False: counted as processed, but not sent. */
  readonly isWanted: boolean;
}

export interface Outgoing {
  readonly to: string;
  readonly channel: "mail" | "push";
  /** Stable over retries. */
  readonly id: string;
  readonly subject: string;
  readonly text: string;
}

export interface BroadcastNeeds {
  /** Confirmed before that time, after an address. */
  listSubscribers(after: string, confirmedBeforeMs: number, limit: number): Promise<readonly Receiver[]>;
  /** Registered with or without an account, after a token. */
  listPhones(after: string, limit: number): Promise<readonly Receiver[]>;
  countSubscribers(): Promise<number>;
  countPhones(): Promise<number>;
  /** The page on which a receiver of mail leaves with one press. */
  leaveUrl(email: string): string;
  readonly hasMail: boolean;
  readonly hasPush: boolean;
  readonly perMinute: number;
  nameOf(userId: number): Promise<string>;
  /** Within the caller's transaction. */
  queue(inside: Kysely<unknown>, messages: readonly Outgoing[]): Promise<void>;
  /** After it. */
  wake(): void;
}
