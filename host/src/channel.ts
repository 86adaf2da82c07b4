// A stream as the hub sees it: which topics it serves, the snapshot for a new subscriber, and whether its updates
// replace each other (latest) or build on each other (sequenced). Declarations only; the hub of the server does the
// work.
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
  /**
   * latest: a newer update replaces the older one, so slow readers skip. sequenced: every update counts, so a reader
   * that missed one gets the missing ones or a snapshot.
   */
  readonly kind: "latest" | "sequenced";
  /** Only for signed-in readers, each seeing their own. */
  readonly isPrivate?: boolean;
  /** How long a topic without readers still collects updates, so that a reader may resume where it was. */
  readonly retainMs?: number;
  serves(topic: SocketTopic): boolean;
  /**
   * For a stream numbered by a counter that also advances without events here, such as the journal: the number up to
   * which everything has been published. Updates then connect to the one before them, and a pause is no gap.
   */
  position?(): number;
  snapshot?(topic: SocketTopic, account: string | undefined): Snapshot | Promise<Snapshot>;
  /** The first reader subscribed, the last one left. */
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

/** The numbers an update covers, both included. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** Receives the data of each update; for a sequenced one also the numbers it covers. */
export type Tap = (data: unknown, span: Span | undefined) => void;

export interface PublishExtra {
  readonly firstSequence?: number;
  readonly sequence?: number;
  readonly account?: string;
}

/** A further socket endpoint: connections are admitted by the same rules, with a protocol of their own. */
export interface Door {
  serves(path: string): boolean;
  open(socket: WebSocket, stream: Duplex, request: { readonly url: string; readonly address: string }): void;
}

/** The holder of a token, or null. */
export type Authenticate = (
  token: string,
) => Promise<{ readonly account: string; readonly session?: string; readonly endsMs?: number } | null>;

/** One way to authenticate a socket. A part lists its own in `socketIdentifiers`. */
export interface SocketIdentifier {
  readonly name: string;
  readonly authenticate: Authenticate;
}

/** Publishing to sockets. Before they are open, there are no subscribers and nothing happens. */
export interface Live {
  /**
   * Costs nothing without readers: data may be a function that makes it. An update that covers more than one number
   * (firstSequence to sequence) carries the state, not the change: a reader may have a part of it already.
   */
  publish(topic: SocketTopic, data: unknown, extra?: PublishExtra): void;
  /** Whether the topic has readers, or ones that may still resume. */
  isOpen(topic: SocketTopic, account?: string): boolean;
  /**
   * Subscribes a part of the process to every update of a topic; the returned function ends it. Undefined without such
   * a topic.
   */
  tap(topic: SocketTopic, tap: Tap, account?: string): (() => void) | undefined;
  /** Ends every socket that signed in with one of these sessions. */
  endSessions(sessionIds: readonly string[]): void;
}
