// The narrow interface between the live socket and a real WebSocket, and the record of subscriptions. Holds no policy:
// when to connect, to send or to give up is decided by the socket.
import { type SocketMessage, type SocketTopic, topicKey } from "@clockwork/kit/wire";

export interface TransportHandlers {
  readonly onOpen: () => void;
  readonly onText: (text: string) => void;
  readonly onError: () => void;
  readonly onClose: () => void;
}

export interface ConnectionTransport {
  send(text: string): void;
  close(): void;
}

export type OpenTransport = (url: string, handlers: TransportHandlers) => ConnectionTransport;

/** Older browsers open no socket from a path. */
function absoluteUrl(url: string): string {
  return url.startsWith("/") ? `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${url}` : url;
}

/** The platform's WebSocket, in a browser or in Node. */
export const openWebSocket: OpenTransport = (url, handlers) => {
  const socket = new WebSocket(absoluteUrl(url));
  socket.addEventListener("open", () => handlers.onOpen());
  socket.addEventListener("message", (event) => {
    if (typeof event.data === "string") handlers.onText(event.data);
  });
  socket.addEventListener("error", () => handlers.onError());
  socket.addEventListener("close", () => handlers.onClose());
  return {
    send: (text) => {
      // A closing socket reports it by its close event; the text would be lost either way.
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.close(),
  };
};

export interface SubscribeRequest {
  readonly topic: SocketTopic;
  /**
   * `login` carries the session's token: sent before all others, ended with logout, which ends every private stream.
   * Private streams themselves are ordinary `sub`s besides one login.
   */
  readonly kind?: "sub" | "login";
  /** Read at every sending, so that a resubscription can name its last sequence. */
  readonly argument?: () => unknown;
  readonly onMessage: (message: SocketMessage) => void;
  readonly onSent?: () => void;
  readonly onRefused?: (message: SocketMessage) => void;
}

export interface Subscription {
  readonly topic: SocketTopic;
  readonly kind: "sub" | "login";
  readonly requests: Set<SubscribeRequest>;
  /** Refused without a session; requested again once there is one. */
  awaitsLogin: boolean;
}

/** A login without a stream of its own: it is sent without a topic. */
export const LOGIN_TOPIC: SocketTopic = { channel: "login" };

/** The members of a message that name its topic. */
export function describeTopic(topic: SocketTopic): Partial<SocketTopic> {
  return topic === LOGIN_TOPIC ? {} : topic;
}

/** The topic with the first argument any of its subscribers has. */
export function describeSubscription(subscription: Subscription): Partial<SocketTopic> & { readonly data?: unknown } {
  let data: unknown;
  for (const request of subscription.requests) data ??= request.argument?.();
  const topic = describeTopic(subscription.topic);
  return data === undefined ? topic : { ...topic, data };
}

export function notifySent(subscription: Subscription): void {
  for (const request of [...subscription.requests]) request.onSent?.();
}

function readCode(message: SocketMessage): unknown {
  return (message.data as { code?: unknown } | null | undefined)?.code;
}

export function isUnauthenticated(message: SocketMessage): boolean {
  return readCode(message) === "UNAUTHENTICATED";
}

/** A login that failed, or could not be decided, is refused without a topic. */
function isLoginCode(message: SocketMessage): boolean {
  return isUnauthenticated(message) || readCode(message) === "UNAVAILABLE";
}

/** The stream a message names, and wider ones whose topic omits members of the message. */
export function findSubscriptions(all: ReadonlyMap<string, Subscription>, message: SocketMessage): Subscription[] {
  const found: Subscription[] = [];
  const exact = all.get(topicKey(message));
  if (exact !== undefined) found.push(exact);
  const anyLogin = message.event === "error" && message.channel === undefined && isLoginCode(message);
  for (const subscription of all.values()) {
    if (subscription === exact) continue;
    if (covers(subscription.topic, message) || (anyLogin && subscription.kind === "login")) found.push(subscription);
  }
  return found;
}

function covers(topic: SocketTopic, message: SocketMessage): boolean {
  return (
    topic.channel === message.channel &&
    (topic.biz === undefined || topic.biz === message.biz) &&
    (topic.type === undefined || topic.type === message.type) &&
    (topic.pairCode === undefined || topic.pairCode === message.pairCode)
  );
}
