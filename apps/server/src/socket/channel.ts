// What a stream is to the hub: which topics it serves, what a new subscriber is told first, and whether its updates
// replace each other (latest) or build on each other (sequenced). Owns the words only; the hub does the work.
import type { SocketTopic } from "@clockwork/kit/wire";

export interface Snapshot {
  readonly data: unknown;
  /** For a sequenced channel: the last update this state contains. */
  readonly sequence?: number;
}

export interface Channel {
  readonly channel: string;
  /** latest: a newer update makes the older one worthless, so slow readers skip. sequenced: every update counts, so a
   *  reader that missed one gets the missing ones or a snapshot. */
  readonly kind: "latest" | "sequenced";
  /** Only for signed-in readers, each seeing their own. */
  readonly isPrivate?: boolean;
  /** How long a topic nobody reads any more still collects updates, so that a reader may resume where it was. */
  readonly retainMs?: number;
  serves(topic: SocketTopic): boolean;
  /** For a stream numbered by something that counts on while nothing happens here, such as the journal: the number up
   *  to which everything has been published. Updates then reach back to the one before them, and silence is no gap. */
  position?(): number;
  snapshot?(topic: SocketTopic, account: string | undefined): Snapshot | Promise<Snapshot>;
  /** The first reader came, the last one left. */
  opened?(topic: SocketTopic, account: string | undefined): void;
  closed?(topic: SocketTopic, account: string | undefined): void;
}

/** Why a message was refused. A closed union: the same code reaches log, message and translation key. */
export type SocketCode =
  | "MALFORMED_MESSAGE"
  | "UNKNOWN_EVENT"
  | "UNKNOWN_CHANNEL"
  | "TOO_MANY_SUBSCRIPTIONS"
  | "RATE_LIMITED"
  | "UNAUTHENTICATED"
  | "UNAVAILABLE";

export const SOCKET_MESSAGES: Readonly<Record<SocketCode, string>> = {
  MALFORMED_MESSAGE: "Send one JSON object with a text `event`.",
  UNKNOWN_EVENT: "Known events are sub, unsub, ping, login and logout.",
  UNKNOWN_CHANNEL: "There is no such channel.",
  TOO_MANY_SUBSCRIPTIONS: "This connection has as many subscriptions as it may; unsubscribe from some first.",
  RATE_LIMITED: "Too many messages; slow down.",
  UNAUTHENTICATED: "Sign in first: send login with a valid token.",
  UNAVAILABLE: "This channel cannot answer now; subscribe again shortly.",
};
