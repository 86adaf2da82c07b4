// What a stream is to the hub: which topics it serves, what a new subscriber is told first, and whether its updates
// replace each other (latest) or build on each other (sequenced). Declarations alone; the hub of the server does the work.
import type { Duplex } from "node:stream";
import type { SocketTopic } from "@clockwork/kit/wire";
import type { WebSocket } from "ws";

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
  UNKNOWN_EVENT: "Supported events: sub, unsub, ping, login and logout.",
  UNKNOWN_CHANNEL: "Channel not found.",
  TOO_MANY_SUBSCRIPTIONS: "Subscription limit of this connection reached. Unsubscribe from some channels first.",
  RATE_LIMITED: "Too many messages. Slow down.",
  UNAUTHENTICATED: "Sign in first: send login with a valid token.",
  UNAVAILABLE: "This channel is temporarily unavailable. Subscribe again shortly.",
};

/** The numbers an update covers, both included. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** Hears the data of each update; of a sequenced one also the numbers it covers. */
export type Tap = (data: unknown, span: Span | undefined) => void;

export interface PublishExtra {
  readonly firstSequence?: number;
  readonly sequence?: number;
  readonly account?: string;
}

/** Another way in beside ours: connections are let in by the same rules, and what is said there is its own. */
export interface Door {
  serves(path: string): boolean;
  open(socket: WebSocket, stream: Duplex, request: { readonly url: string; readonly address: string }): void;
}

/** Who a token stands for, or null. */
export type Authenticate = (
  token: string,
) => Promise<{ readonly account: string; readonly session?: string; readonly endsMs?: number } | null>;

/** One way to prove who a socket belongs to. A part lists its own in `socketIdentifiers`. */
export interface SocketIdentifier {
  readonly name: string;
  readonly authenticate: Authenticate;
}

/** What is published to sockets. Before they are open, nobody listens and nothing happens. */
export interface Live {
  /** Costs nothing when nobody reads the topic: data may be a function that makes it. An update that covers more than one
   *  number (firstSequence to sequence) states what is, not what changed: a reader may have a part of it already. */
  publish(topic: SocketTopic, data: unknown, extra?: PublishExtra): void;
  /** Whether anybody reads this topic, or may still come back to it. */
  isOpen(topic: SocketTopic, account?: string): boolean;
  /** Gives a part of the process every update of a topic from now on; the answer ends it. Undefined when there is no such
   *  topic. */
  tap(topic: SocketTopic, tap: Tap, account?: string): (() => void) | undefined;
  /** Ends every socket that signed in with one of these sessions. */
  endSessions(sessionIds: readonly string[]): void;
}
