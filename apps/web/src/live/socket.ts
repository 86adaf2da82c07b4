// One WebSocket to one URL: lifecycle, heartbeat, reconnection, and the subscriptions that outlive every connection.
// Never interprets data: it passes messages to subscribers and reports the state of the connection.
import {
  CONNECT_HTTP_MINUTE_THROTTLE_MS,
  CONNECT_HTTP_THROTTLE_MS,
  CONNECTION_EVENT,
  type ConnectionEvent,
  HEARTBEAT_MS,
  RECONNECT_THRESHOLD_MS,
} from "@clockwork/kit/constants";
import { parseSocketMessage, type SocketMessage, type SocketTopic, topicKey } from "@clockwork/kit/wire";
import type { Clock, Random } from "./clock.ts";
import {
  type ConnectionTransport,
  describeSubscription,
  describeTopic,
  findSubscriptions,
  isUnauthenticated,
  LOGIN_TOPIC,
  notifySent,
  type OpenTransport,
  type SubscribeRequest,
  type Subscription,
} from "./transport.ts";

export type SocketPhase = "stopped" | "connecting" | "open" | "waiting";

export interface LiveSocketOptions {
  readonly url: string;
  /** The URL's current target, read at every connection: the product may move to another domain. */
  readonly resolve?: (url: string) => string;
  readonly clock: Clock;
  readonly random: Random;
  readonly open: OpenTransport;
  readonly heartbeatMs?: number;
  readonly thresholdMs?: number;
  /** Delay before the first and the slowest reconnection; doubled in between, with jitter. */
  readonly backoffFirstMs?: number;
  readonly backoffMaxMs?: number;
  /** An attempt that has not opened by then is given up. */
  readonly connectTimeoutMs?: number;
}

/** Up to this many subscriptions are sent one by one, more in batches of the size below. */
const SINGLE_MAX = 10;
const BATCH_SIZE = 100;

type EventListener = (message: SocketMessage | undefined) => void;

export class LiveSocket {
  readonly url: string;
  readonly #options: Required<LiveSocketOptions>;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #eventListeners = new Map<ConnectionEvent, Set<EventListener>>();
  readonly #phaseListeners = new Set<(phase: SocketPhase) => void>();
  #phase: SocketPhase = "stopped";
  #transport: ConnectionTransport | undefined;
  #attempt = 0;
  #pingAtMs = 0;
  #pongAtMs = 0;
  #httpAtMs = Number.NEGATIVE_INFINITY;
  #httpMinuteAtMs = Number.NEGATIVE_INFINITY;
  #cancelTimer: () => void = () => {};
  #cancelDownTimer: () => void = () => {};

  constructor(options: LiveSocketOptions) {
    this.url = options.url;
    this.#options = {
      heartbeatMs: HEARTBEAT_MS,
      thresholdMs: RECONNECT_THRESHOLD_MS,
      backoffFirstMs: 500,
      backoffMaxMs: 30_000,
      connectTimeoutMs: RECONNECT_THRESHOLD_MS,
      resolve: (url) => url,
      ...options,
    };
  }

  get phase(): SocketPhase {
    return this.#phase;
  }

  /** Milliseconds between the last ping and its pong; nothing before the first answer. */
  get latencyMs(): number | undefined {
    return this.#pingAtMs > 0 && this.#pongAtMs >= this.#pingAtMs ? this.#pongAtMs - this.#pingAtMs : undefined;
  }

  start(): void {
    if (this.#phase === "stopped") this.#connect();
  }

  /** Closes for good; subscriptions are kept for the next start. */
  stop(): void {
    if (this.#phase === "stopped") return;
    this.#leave();
    this.#cancelDownTimer();
    this.#setPhase("stopped");
    this.#emit(CONNECTION_EVENT.close);
  }

  /** Gives up the present connection and opens a new one at once: the browser came online, or the network changed. */
  reconnect(): void {
    if (this.#phase === "stopped") return;
    const wasUp = this.#transport !== undefined;
    this.#leave();
    this.#attempt = 0;
    this.#goDown();
    this.#connect();
    if (wasUp) this.#emit(CONNECTION_EVENT.close);
  }

  on(event: ConnectionEvent, listener: EventListener): () => void {
    const listeners = this.#eventListeners.get(event) ?? new Set<EventListener>();
    this.#eventListeners.set(event, listeners);
    const entry: EventListener = (message) => listener(message);
    listeners.add(entry);
    return () => {
      listeners.delete(entry);
    };
  }

  onPhase(listener: (phase: SocketPhase) => void): () => void {
    const entry = (phase: SocketPhase) => listener(phase);
    this.#phaseListeners.add(entry);
    return () => {
      this.#phaseListeners.delete(entry);
    };
  }

  /** Counts subscribers of a topic: the first sends `sub`, the release of the last sends `unsub`. */
  subscribe(request: SubscribeRequest): () => void {
    const key = topicKey(request.topic);
    let subscription = this.#subscriptions.get(key);
    if (subscription === undefined) {
      subscription = { topic: request.topic, kind: request.kind ?? "sub", requests: new Set(), awaitsLogin: false };
      this.#subscriptions.set(key, subscription);
    }
    const entry = { ...request };
    subscription.requests.add(entry);
    if (subscription.requests.size === 1) this.#sendSubscription(subscription);
    const owner = subscription;
    return () => {
      if (!owner.requests.delete(entry) || owner.requests.size > 0) return;
      if (this.#subscriptions.get(key) !== owner) return;
      this.#subscriptions.delete(key);
      this.#sendRelease(owner);
    };
  }

  /** Keeps the connection signed in: the token is read and sent at every opening. The returned function signs out. */
  login(token: () => string | undefined, onRefused?: () => void): () => void {
    return this.subscribe({
      topic: LOGIN_TOPIC,
      kind: "login",
      argument: () => ({ token: token() ?? "" }),
      onMessage: () => {},
      ...(onRefused === undefined ? {} : { onRefused }),
    });
  }

  /** Requests a stream afresh: the only way to be sent a new snapshot over the same connection. */
  resubscribe(topic: SocketTopic): void {
    const subscription = this.#subscriptions.get(topicKey(topic));
    if (subscription === undefined || this.#phase !== "open") return;
    this.#sendRelease(subscription);
    this.#sendSubscription(subscription);
  }

  unsubscribeAll(): void {
    const all = [...this.#subscriptions.values()];
    this.#subscriptions.clear();
    for (const subscription of all) {
      subscription.requests.clear();
      this.#sendRelease(subscription);
    }
  }

  get subscriptionCount(): number {
    return this.#subscriptions.size;
  }

  #connect(): void {
    this.#setPhase("connecting");
    let transport: ConnectionTransport | undefined;
    // Events of a connection already given up must not touch its successor.
    const current = () => transport !== undefined && this.#transport === transport;
    try {
      transport = this.#options.open(this.#options.resolve(this.url), {
        onOpen: () => current() && this.#opened(),
        onText: (text) => current() && this.#receive(text),
        onError: () => current() && this.#emit(CONNECTION_EVENT.error),
        onClose: () => current() && this.#lost(),
      });
    } catch {
      this.#emit(CONNECTION_EVENT.error);
    }
    this.#transport = transport;
    if (transport === undefined) this.#lost();
    else this.#startTimer(this.#options.connectTimeoutMs, () => this.#lost());
  }

  #opened(): void {
    this.#cancelTimer();
    this.#cancelDownTimer();
    this.#pingAtMs = 0;
    this.#pongAtMs = this.#options.clock.now();
    this.#setPhase("open");
    // Private streams need the session, so logins go first.
    const all = [...this.#subscriptions.values()];
    for (const one of all) if (one.kind === "login") this.#sendSubscription(one);
    this.#sendTogether(all.filter((one) => one.kind !== "login"));
    this.#startTimer(this.#options.heartbeatMs, () => this.#beat());
    this.#emit(CONNECTION_EVENT.ok);
  }

  #beat(): void {
    // A hidden tab's timers may sleep for a minute: silence counts only after an earlier ping went unanswered.
    const unanswered = this.#pingAtMs > this.#pongAtMs;
    this.#pingAtMs = this.#options.clock.now();
    if (unanswered && this.#pingAtMs - this.#pongAtMs > this.#options.thresholdMs) {
      this.#lost();
      return;
    }
    this.#send({ event: "ping" });
    this.#startTimer(this.#options.heartbeatMs, () => this.#beat());
  }

  /** The connection ended, was never made, or went silent: wait a little and try again. */
  #lost(): void {
    this.#leave();
    const { backoffFirstMs, backoffMaxMs, random } = this.#options;
    const delayMs = Math.min(backoffMaxMs, backoffFirstMs * 2 ** Math.min(this.#attempt, 16));
    this.#attempt += 1;
    this.#startTimer(delayMs * (0.5 + random() / 2), () => this.#connect());
    this.#setPhase("waiting");
    this.#goDown();
    // Last, since a listener may answer by stopping or reconnecting.
    this.#emit(CONNECTION_EVENT.close);
  }

  #leave(): void {
    this.#cancelTimer();
    const transport = this.#transport;
    this.#transport = undefined;
    transport?.close();
  }

  /** Notifies pages to fetch by HTTP, at most every 30 s and every 60 s, repeatedly while it is down. */
  #goDown(): void {
    const nowMs = this.#options.clock.now();
    if (nowMs - this.#httpAtMs >= CONNECT_HTTP_THROTTLE_MS) {
      this.#httpAtMs = nowMs;
      this.#emit(CONNECTION_EVENT.http);
    }
    if (nowMs - this.#httpMinuteAtMs >= CONNECT_HTTP_MINUTE_THROTTLE_MS) {
      this.#httpMinuteAtMs = nowMs;
      this.#emit(CONNECTION_EVENT.httpMinute);
    }
    this.#cancelDownTimer();
    const dueMs = Math.min(
      this.#httpAtMs + CONNECT_HTTP_THROTTLE_MS,
      this.#httpMinuteAtMs + CONNECT_HTTP_MINUTE_THROTTLE_MS,
    );
    this.#cancelDownTimer = this.#options.clock.after(dueMs - nowMs, () => this.#goDown());
  }

  #receive(text: string): void {
    const message = parseSocketMessage(text);
    if (message === undefined) return;
    this.#attempt = 0;
    if (message.event === "pong") {
      this.#pongAtMs = this.#options.clock.now();
      return;
    }
    const refused = message.event === "subfail" || message.event === "error";
    for (const subscription of findSubscriptions(this.#subscriptions, message)) {
      subscription.awaitsLogin = refused && isUnauthenticated(message);
      for (const request of [...subscription.requests]) {
        if (refused) request.onRefused?.(message);
        else request.onMessage(message);
      }
    }
    if (message.event === "login") this.#loggedIn();
    if (message.event === "subfail") this.#emit(CONNECTION_EVENT.subscribeFailed, message);
  }

  /** Private streams requested before the login was decided were refused; now they can be subscribed. */
  #loggedIn(): void {
    const waiting = [...this.#subscriptions.values()].filter((one) => one.awaitsLogin && one.kind !== "login");
    for (const one of waiting) one.awaitsLogin = false;
    this.#sendTogether(waiting);
  }

  /** Many at once go in few messages: servers rightly limit how many a client may send. */
  #sendTogether(subscriptions: readonly Subscription[]): void {
    if (subscriptions.length <= SINGLE_MAX) {
      for (const one of subscriptions) this.#sendSubscription(one);
      return;
    }
    for (let at = 0; at < subscriptions.length; at += BATCH_SIZE) {
      const batch = subscriptions.slice(at, at + BATCH_SIZE);
      this.#send({ event: "sub", data: batch.map((one) => describeSubscription(one)) });
      for (const one of batch) notifySent(one);
    }
  }

  #sendSubscription(subscription: Subscription): void {
    if (this.#phase !== "open") return;
    this.#send({ event: subscription.kind, ...describeSubscription(subscription) });
    notifySent(subscription);
  }

  #sendRelease(subscription: Subscription): void {
    if (this.#phase !== "open") return;
    this.#send({ event: subscription.kind === "login" ? "logout" : "unsub", ...describeTopic(subscription.topic) });
  }

  #send(message: SocketMessage): void {
    this.#transport?.send(JSON.stringify(message));
  }

  #startTimer(delayMs: number, run: () => void): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#options.clock.after(delayMs, run);
  }

  #setPhase(phase: SocketPhase): void {
    if (this.#phase === phase) return;
    this.#phase = phase;
    for (const listener of [...this.#phaseListeners]) listener(phase);
  }

  #emit(event: ConnectionEvent, message?: SocketMessage): void {
    for (const listener of [...(this.#eventListeners.get(event) ?? [])]) listener(message);
  }
}

export type SocketPool = (url: string) => LiveSocket;

/** One socket per URL, however many screens request it. */
export function createSocketPool(options: Omit<LiveSocketOptions, "url">): SocketPool {
  const sockets = new Map<string, LiveSocket>();
  return (url) => {
    const existing = sockets.get(url);
    if (existing !== undefined) return existing;
    const socket = new LiveSocket({ ...options, url });
    sockets.set(url, socket);
    return socket;
  };
}
