// Connects channels with readers: subscriptions, one encoding per update, and catching up after a slow moment.
// Independent of HTTP and sockets; readers attach and detach. Everything it keeps is bounded.

import type { Channel, PublishExtra, SocketCode, Tap } from "@clockwork/host/channel";
import type { Log } from "@clockwork/host/log";
import { type SocketTopic, topicKey } from "@clockwork/kit/wire";
import type { Metrics } from "../http/metrics.ts";
import type { Reader } from "./reader.ts";
import { type Subscription, Topic } from "./topic.ts";

export interface HubOptions {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: () => number;
  readonly topicsMax?: number;
  /** Called when a stream a reader was promised cannot be served any more. */
  readonly onLost: (reader: Reader, topic: SocketTopic, code: SocketCode) => void;
}

export interface Hub {
  register(channel: Channel): void;
  /**
   * Publishes to every reader of this topic. Free without readers: data may be a function that makes it. An update that
   * covers more than one number (firstSequence to sequence) must contain the state, not the change: a reader may have a
   * part of it already.
   */
  publish(topic: SocketTopic, data: unknown, extra?: PublishExtra): void;
  /**
   * Delivers every update of a topic to a part of the process from now on; the returned function ends it. Undefined
   * when there is no such topic.
   */
  tap(topic: SocketTopic, tap: Tap, account?: string): (() => void) | undefined;
  /** Whether this topic has readers, or readers that may still come back to it. */
  isOpen(topic: SocketTopic, account?: string): boolean;
  /** Undefined when subscribed; else why not. */
  subscribe(reader: Reader, topic: SocketTopic, fromSequence?: number): SocketCode | undefined;
  unsubscribe(reader: Reader, topic: SocketTopic): void;
  /** Ends every private subscription of a reader that is signed out. */
  leaveAccount(reader: Reader): void;
  /** The reader's pipe has emptied: give it what it missed. */
  catchUp(reader: Reader): void;
  detach(reader: Reader): void;
  /** Evicts topics that no reader came back to. */
  sweep(): void;
  readonly topics: number;
  readonly subscriptions: number;
}

const TOPICS_MAX = 100_000;
const TOPIC_PART_MAX = 64;

export function createHub(options: HubOptions): Hub {
  return new ChannelHub(options);
}

class ChannelHub implements Hub {
  readonly #options: HubOptions;
  readonly #channels: Channel[] = [];
  readonly #topics = new Map<string, Topic>();
  #subscriptions = 0;

  constructor(options: HubOptions) {
    this.#options = options;
  }

  get topics(): number {
    return this.#topics.size;
  }

  get subscriptions(): number {
    return this.#subscriptions;
  }

  register(channel: Channel): void {
    this.#channels.push(channel);
  }

  publish(topic: SocketTopic, data: unknown, extra: PublishExtra = {}): void {
    const state = this.#topics.get(stateKey(topic, extra.account));
    if (state === undefined) return;
    const numbers = {
      ...(extra.firstSequence === undefined ? {} : { first: extra.firstSequence }),
      ...(extra.sequence === undefined ? {} : { last: extra.sequence }),
    };
    const { delivered, conflated, astray } = state.publish(data, numbers, this.#options.clock());
    const { socketMessages, socketConflated } = this.#options.metrics;
    socketMessages.inc({ direction: "out" }, delivered);
    if (conflated > 0) socketConflated.inc({ kind: state.channel.kind }, conflated);
    for (const subscription of astray) this.#level(subscription);
  }

  tap(requested: SocketTopic, tap: Tap, account?: string): (() => void) | undefined {
    const topic = plainTopic(requested);
    const channel = this.#channels.find((candidate) => candidate.channel === topic?.channel && candidate.serves(topic));
    if (topic === undefined || channel === undefined || (channel.isPrivate === true) !== (account !== undefined)) {
      return undefined;
    }
    const state = this.#open(stateKey(topic, account), topic, account, channel);
    if (state === undefined) return undefined;
    if (state.taps.size + state.subscriptions.size === 0) channel.opened?.(topic, account);
    state.taps.add(tap);
    state.emptySinceMs = undefined;
    return () => {
      if (state.taps.delete(tap)) this.#leave(state);
    };
  }

  isOpen(topic: SocketTopic, account?: string): boolean {
    return this.#topics.has(stateKey(topic, account));
  }

  subscribe(reader: Reader, requested: SocketTopic, fromSequence?: number): SocketCode | undefined {
    const topic = plainTopic(requested);
    const channel = this.#channels.find((candidate) => candidate.channel === topic?.channel && candidate.serves(topic));
    if (topic === undefined || channel === undefined) return "UNKNOWN_CHANNEL";
    if (channel.isPrivate === true && reader.account === undefined) return "UNAUTHENTICATED";
    const account = channel.isPrivate === true ? reader.account : undefined;
    const key = stateKey(topic, account);
    if (reader.subscriptions.has(key)) this.#remove(reader, key);
    if (reader.subscriptions.size >= reader.limits.subscriptionsMax) return "TOO_MANY_SUBSCRIPTIONS";
    const state = this.#open(key, topic, account, channel);
    if (state === undefined) return "UNAVAILABLE";
    const subscription: Subscription = {
      reader,
      topic: state,
      sentSequence: fromSequence,
      resuming: fromSequence !== undefined,
      awaiting: false,
    };
    state.subscriptions.add(subscription);
    state.emptySinceMs = undefined;
    reader.subscriptions.set(key, subscription);
    this.#count(1);
    if (state.subscriptions.size + state.taps.size === 1) channel.opened?.(topic, account);
    this.#level(subscription);
    return undefined;
  }

  unsubscribe(reader: Reader, requested: SocketTopic): void {
    const topic = plainTopic(requested);
    if (topic === undefined) return;
    this.#remove(reader, stateKey(topic, undefined));
    if (reader.account !== undefined) this.#remove(reader, stateKey(topic, reader.account));
  }

  leaveAccount(reader: Reader): void {
    for (const [key, subscription] of [...reader.subscriptions]) {
      if (subscription.topic.account !== undefined) this.#remove(reader, key);
    }
    reader.account = undefined;
    reader.session = undefined;
    reader.accountEndsMs = Number.POSITIVE_INFINITY;
  }

  catchUp(reader: Reader): void {
    const waiting = [...reader.behind];
    reader.behind.clear();
    reader.behindSinceMs = undefined;
    for (const subscription of waiting) this.#level(subscription);
  }

  detach(reader: Reader): void {
    for (const key of [...reader.subscriptions.keys()]) this.#remove(reader, key);
    reader.behind.clear();
  }

  sweep(): void {
    const nowMs = this.#options.clock();
    for (const [key, state] of this.#topics) {
      if (state.emptySinceMs !== undefined && nowMs - state.emptySinceMs >= (state.channel.retainMs ?? 0)) {
        this.#topics.delete(key);
      }
    }
  }

  #open(key: string, topic: SocketTopic, account: string | undefined, channel: Channel): Topic | undefined {
    const known = this.#topics.get(key);
    if (known !== undefined) return known;
    if (this.#topics.size >= (this.#options.topicsMax ?? TOPICS_MAX)) this.sweep();
    if (this.#topics.size >= (this.#options.topicsMax ?? TOPICS_MAX)) return undefined;
    const state = new Topic(key, topic, account, channel);
    this.#topics.set(key, state);
    return state;
  }

  #remove(reader: Reader, key: string): void {
    const subscription = reader.subscriptions.get(key);
    if (subscription === undefined) return;
    const { topic: state } = subscription;
    reader.subscriptions.delete(key);
    reader.behind.delete(subscription);
    state.subscriptions.delete(subscription);
    this.#count(-1);
    this.#leave(state);
  }

  /** Evicts a topic without readers, at once or after a while. */
  #leave(state: Topic): void {
    if (state.subscriptions.size + state.taps.size > 0) return;
    state.channel.closed?.(state.topic, state.account);
    if ((state.channel.retainMs ?? 0) > 0) state.emptySinceMs = this.#options.clock();
    else this.#topics.delete(state.key);
  }

  #level(subscription: Subscription): void {
    const { topic: state, reader } = subscription;
    state.level(subscription, this.#options.clock()).catch((error: unknown) => {
      this.#options.log.error("socket.snapshot.failed", { topic: state.key, error });
      if (!state.subscriptions.has(subscription)) return;
      this.#remove(reader, state.key);
      this.#options.onLost(reader, state.topic, "UNAVAILABLE");
    });
  }

  #count(change: number): void {
    this.#subscriptions += change;
    this.#options.metrics.socketSubscriptions.set(this.#subscriptions);
  }
}

/** Accounts and topics never share a key, under any name. */
function stateKey(topic: SocketTopic, account: string | undefined): string {
  return account === undefined ? `public/${topicKey(topic)}` : `private/${account}/${topicKey(topic)}`;
}

/** Only the known parts, each short, without the key's separator; undefined when a part does not fit. */
function plainTopic(topic: SocketTopic): SocketTopic | undefined {
  const plain: Record<string, string> = {};
  for (const part of ["channel", "biz", "type", "pairCode", "base"] as const) {
    const text = topic[part];
    if (text === undefined || text === "") continue;
    if (text.length > TOPIC_PART_MAX || !/^[A-Za-z0-9_.:/-]+$/.test(text)) return undefined;
    plain[part] = text;
  }
  return plain.channel === undefined ? undefined : (plain as unknown as SocketTopic);
}
