// One stream with readers: its last updates as ready frames, its snapshot, and how a reader gets level with it.
// Bounded in updates and bytes; never sends a sequenced reader anything that does not follow what it has.

import type { Channel, Span, Tap } from "@clockwork/host/channel";
import type { SocketTopic } from "@clockwork/kit/wire";
import { textFrame } from "./frame.ts";
import type { Reader } from "./reader.ts";

export interface Subscription {
  readonly reader: Reader;
  readonly topic: Topic;
  /** Sequenced: the last update this reader has; undefined until it got a snapshot or resumed. */
  sentSequence: number | undefined;
  /** Requested to resume from a sequence and not answered yet; a response is due even when nothing is missing. */
  resuming: boolean;
  /** A snapshot is on its way. */
  awaiting: boolean;
}

interface Update {
  /** The first number this update covers; `sequence` is the last. */
  readonly first: number;
  readonly sequence: number;
  readonly frame: Buffer;
}

export interface PublishResult {
  readonly delivered: number;
  readonly conflated: number;
  /** Could take the update and must not: it does not follow what they have. They need to be brought level now, since
   *  no emptying pipe will remind us. */
  readonly astray: readonly Subscription[];
}

const UPDATES_MAX = 512;
const UPDATES_BYTES_MAX = 1_048_576;
const SNAPSHOT_TRIES = 3;
/** A kept snapshot with more updates after it than this is worth less than a new one. */
const SNAPSHOT_AGE_MAX = 64;

export class Topic {
  readonly key: string;
  readonly topic: SocketTopic;
  readonly account: string | undefined;
  readonly channel: Channel;
  readonly subscriptions = new Set<Subscription>();
  /** Receive every update inside the process, independent of readers. */
  readonly taps = new Set<Tap>();
  emptySinceMs: number | undefined;
  #latest: Buffer | undefined;
  #updates: Update[] = [];
  #updatesBytes = 0;
  #lastSequence: number | undefined;
  /** Where silence means no change: the first snapshot; before it the state was never read, so nothing is covered. */
  #coveredFrom = Number.POSITIVE_INFINITY;
  #snapshot: Update | undefined;
  #snapshotPending: Promise<void> | undefined;

  constructor(key: string, topic: SocketTopic, account: string | undefined, channel: Channel) {
    this.key = key;
    this.topic = topic;
    this.account = account;
    this.channel = channel;
    // Later updates reach back to this number and no further.
    this.#lastSequence = channel.position?.();
  }

  /** Encodes an update once and gives it to every reader that can take it. */
  publish(data: unknown, numbers: { first?: number; last?: number }, nowMs: number): PublishResult {
    const astray: Subscription[] = [];
    const span = this.channel.kind === "sequenced" ? this.#span(numbers) : undefined;
    if (span !== undefined && !this.#follows(span)) return { delivered: 0, conflated: 0, astray };
    const value: unknown = typeof data === "function" ? data() : data;
    for (const tap of this.taps) tap(value, span);
    const frame = this.#encode(value, span, false);
    if (span === undefined) this.#latest = frame;
    else this.#remember(frame, span);
    let delivered = 0;
    for (const subscription of this.subscriptions) {
      const { reader } = subscription;
      if (this.#deliver(subscription, frame, span)) delivered += 1;
      else if (subscription.awaiting || reader.behind.has(subscription)) continue;
      else if (reader.hasRoom()) astray.push(subscription);
      else reader.markBehind(subscription, nowMs);
    }
    return { delivered, conflated: this.subscriptions.size - delivered, astray };
  }

  #deliver(subscription: Subscription, frame: Buffer, span: Span | undefined): boolean {
    const { reader } = subscription;
    if (subscription.awaiting || reader.behind.has(subscription) || !reader.hasRoom()) return false;
    if (span !== undefined) {
      const have = subscription.sentSequence;
      if (have === undefined) return false;
      // A snapshot may be ahead of the updates; its content is not published again.
      if (span.last <= have) return true;
      if (span.first > have + 1) return false;
      subscription.sentSequence = span.last;
    }
    reader.write(frame);
    return true;
  }

  /**
   * Without a first number an update is one number long, or, where silence means no change, reaches back to the update
   * before it.
   */
  #span({ first, last }: { first?: number; last?: number }): Span {
    if (last === undefined) throw new Error(`NET-6: ${this.key} published without a sequence`);
    if (first !== undefined) return { first, last };
    if (this.channel.position === undefined) return { first: last, last };
    return { first: Math.min(last, (this.#lastSequence ?? last - 1) + 1), last };
  }

  /** False for an update that was published before. A source that skipped leaves nothing to lead across the gap. */
  #follows(span: Span): boolean {
    if (this.#lastSequence === undefined) return true;
    if (span.last <= this.#lastSequence) return false;
    if (span.first > this.#lastSequence + 1) {
      this.#updates = [];
      this.#updatesBytes = 0;
      this.#snapshot = undefined;
    }
    return true;
  }

  #remember(frame: Buffer, span: Span): void {
    this.#lastSequence = span.last;
    this.#updates.push({ first: span.first, sequence: span.last, frame });
    this.#updatesBytes += frame.length;
    while (this.#updates.length > UPDATES_MAX || this.#updatesBytes > UPDATES_BYTES_MAX) {
      this.#updatesBytes -= this.#updates.shift()?.frame.length ?? 0;
    }
  }

  /** Brings a reader level: the missing updates when they are still here, else a snapshot and what followed it. */
  async level(subscription: Subscription, nowMs: number): Promise<void> {
    if (subscription.awaiting) return;
    if (this.channel.kind === "latest") return this.#levelLatest(subscription, nowMs);
    for (let attempt = 0; attempt < SNAPSHOT_TRIES; attempt += 1) {
      if (this.#replay(subscription, nowMs)) {
        if (subscription.resuming) this.#confirm(subscription);
        return;
      }
      subscription.resuming = false;
      subscription.awaiting = true;
      try {
        await this.#refreshSnapshot();
      } finally {
        subscription.awaiting = false;
      }
      const snapshot = this.#snapshot;
      if (!this.subscriptions.has(subscription) || snapshot === undefined) return;
      if (!this.#reaches(snapshot.sequence)) continue;
      if (!subscription.reader.hasRoom()) {
        subscription.reader.markBehind(subscription, nowMs);
        return;
      }
      subscription.reader.write(snapshot.frame);
      subscription.sentSequence = snapshot.sequence;
    }
    if (!this.#replay(subscription, nowMs)) throw new Error(`NET-6: ${this.key} outran its own snapshots`);
  }

  async #levelLatest(subscription: Subscription, nowMs: number): Promise<void> {
    if (this.#latest === undefined && this.channel.snapshot !== undefined) {
      subscription.awaiting = true;
      try {
        const { data } = await this.channel.snapshot(this.topic, this.account);
        this.#latest ??= this.#encode(data, undefined, false);
      } finally {
        subscription.awaiting = false;
      }
    }
    if (this.#latest === undefined || !this.subscriptions.has(subscription)) return;
    if (subscription.reader.hasRoom()) subscription.reader.write(this.#latest);
    else subscription.reader.markBehind(subscription, nowMs);
  }

  /** Sends kept updates after what the reader has; false when they do not reach back that far. */
  #replay(subscription: Subscription, nowMs: number): boolean {
    const from = subscription.sentSequence;
    if (from === undefined || !this.#reaches(from)) return false;
    for (const update of this.#updates) {
      if (update.sequence <= from) continue;
      if (!subscription.reader.hasRoom()) {
        subscription.reader.markBehind(subscription, nowMs);
        return true;
      }
      subscription.reader.write(update.frame);
      subscription.sentSequence = update.sequence;
    }
    return true;
  }

  /** Nothing, or no more, is missing: silence would look like a lost subscription. */
  #confirm(subscription: Subscription): void {
    subscription.resuming = false;
    const { sentSequence: sequence } = subscription;
    const message = { event: "data", ...this.topic, sequence, resumed: true, data: null };
    subscription.reader.answer(message);
  }

  /** True when what is kept leads on from this sequence without a gap. */
  #reaches(sequence: number): boolean {
    const last = this.#lastSequence;
    if (sequence === this.#snapshot?.sequence && sequence >= (last ?? 0)) return true;
    const { position } = this.channel;
    if (position !== undefined && sequence < this.#coveredFrom) return false;
    const result = position === undefined ? last : this.channel.position?.();
    if (result === undefined || sequence > result) return false;
    if (last === undefined || sequence >= last) return true;
    const first = this.#updates[0];
    return first !== undefined && first.first <= sequence + 1;
  }

  /** One snapshot serves all waiting readers; it is requested again only when updates no longer continue it. */
  #refreshSnapshot(): Promise<void> {
    const kept = this.#snapshot;
    if (kept !== undefined && this.#reaches(kept.sequence)) {
      const younger = this.#updates.filter(({ sequence }) => sequence > kept.sequence).length;
      if (younger <= SNAPSHOT_AGE_MAX) return Promise.resolve();
    }
    this.#snapshotPending ??= this.#fetchSnapshot().finally(() => {
      this.#snapshotPending = undefined;
    });
    return this.#snapshotPending;
  }

  async #fetchSnapshot(): Promise<void> {
    if (this.channel.snapshot === undefined) throw new Error(`NET-6: ${this.key} is sequenced and has no snapshot`);
    const { data, sequence } = await this.channel.snapshot(this.topic, this.account);
    if (sequence === undefined) throw new Error(`NET-6: the snapshot of ${this.key} has no sequence`);
    this.#coveredFrom = Math.min(this.#coveredFrom, sequence);
    const span = { first: sequence, last: sequence };
    this.#snapshot = { first: sequence, sequence, frame: this.#encode(data, span, true) };
  }

  #encode(data: unknown, span: Span | undefined, isSnapshot: boolean): Buffer {
    const order =
      span === undefined
        ? {}
        : {
            ...(span.first < span.last ? { firstSequence: span.first } : {}),
            sequence: span.last,
            ...(isSnapshot ? { snapshot: true } : {}),
          };
    return textFrame(JSON.stringify({ event: "data", ...this.topic, ...order, data }));
  }
}
