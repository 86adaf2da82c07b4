// One WebSocket connection as the hub sees it: a bounded pipe. Owns how much may wait unsent, which subscriptions fell
// behind, and how fast control messages may come. Never queues more than its bound: what does not fit is conflated.
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { textFrame } from "./frame.ts";
import { type Outgoing, releaseSoon } from "./outlet.ts";
import type { Subscription } from "./topic.ts";

export interface ReaderLimits {
  readonly bufferBytes: number;
  readonly messagesPerSecond: number;
  readonly subscriptionsMax: number;
}

export type CloseReason = "slow" | "silent" | "flood" | "binary" | "login" | "session" | "shutdown";

const CLOSE_CODES: Readonly<Record<CloseReason, number>> = {
  slow: 1013,
  silent: 1001,
  flood: 1008,
  binary: 1003,
  login: 1008,
  session: 1008,
  shutdown: 1001,
};

/** Short bursts are normal: a page that reconnects re-sends all its subscriptions at once. */
const BURST_SECONDS = 10;
const OVERFLOW_FACTOR = 4;

export class Reader implements Outgoing {
  readonly subscriptions = new Map<string, Subscription>();
  readonly behind = new Set<Subscription>();
  readonly limits: ReaderLimits;
  readonly addressKey: string;
  account: string | undefined;
  /** The session the account was proved by; when it ends, so does the connection. */
  session: string | undefined;
  accountEndsMs = Number.POSITIVE_INFINITY;
  loginFailures = 0;
  receivedMs: number;
  behindSinceMs: number | undefined;
  closeReason: CloseReason | undefined;
  readonly #socket: WebSocket;
  readonly #stream: Duplex;
  #tokens: number;
  #tokensAtMs: number;
  #excess = 0;
  #corked = false;

  /** The credentials in the cookies of the opening request; used when a login names no token. */
  cookieTokens: readonly string[] = [];

  constructor(socket: WebSocket, stream: Duplex, limits: ReaderLimits, addressKey: string, nowMs: number) {
    this.#socket = socket;
    this.#stream = stream;
    this.limits = limits;
    this.addressKey = addressKey;
    this.receivedMs = nowMs;
    this.#tokens = limits.messagesPerSecond * BURST_SECONDS;
    this.#tokensAtMs = nowMs;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  get unsentBytes(): number {
    return this.#stream.writableLength;
  }

  hasRoom(): boolean {
    return this.isOpen && this.#stream.writableLength < this.limits.bufferBytes;
  }

  /** Writes a frame unchanged. Frames of one turn of the event loop leave in one write. */
  write(frame: Buffer): void {
    if (!this.isOpen) return;
    if (!this.#corked) {
      this.#corked = true;
      this.#stream.cork();
      releaseSoon(this);
    }
    this.#stream.write(frame);
  }

  release(): void {
    this.#corked = false;
    this.#stream.uncork();
  }

  /** A response to this reader alone. A reader that requests and never reads is cut off. */
  answer(message: object): void {
    if (this.#stream.writableLength > this.limits.bufferBytes * OVERFLOW_FACTOR) this.cut("slow");
    else this.write(textFrame(JSON.stringify(message)));
  }

  markBehind(subscription: Subscription, nowMs: number): void {
    this.behind.add(subscription);
    this.behindSinceMs ??= nowMs;
  }

  /** True when a control message is accepted now. A reader that keeps sending after refusals is cut off. */
  takeToken(nowMs: number): boolean {
    const { messagesPerSecond } = this.limits;
    const burst = messagesPerSecond * BURST_SECONDS;
    const gained = (Math.max(0, nowMs - this.#tokensAtMs) / 1000) * messagesPerSecond;
    this.#tokens = Math.min(burst, this.#tokens + gained);
    this.#tokensAtMs = nowMs;
    if (this.#tokens >= 1) {
      this.#tokens -= 1;
      this.#excess = 0;
      return true;
    }
    this.#excess += 1;
    if (this.#excess > burst) this.end("flood");
    return false;
  }

  ping(): void {
    if (this.isOpen) this.#socket.ping();
  }

  /** Closes with a code; earlier frames still arrive. */
  end(reason: CloseReason): void {
    this.closeReason ??= reason;
    this.#socket.close(CLOSE_CODES[reason], reason);
  }

  /** Ends at once and discards what is unsent. */
  cut(reason: CloseReason): void {
    this.closeReason ??= reason;
    this.#socket.terminate();
  }
}
