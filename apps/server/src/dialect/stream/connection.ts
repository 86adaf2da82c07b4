// One connection of the Binance dialect's streams: a bounded pipe. A client that does not read or sends too much is cut
// off; frames are made once for all readers.
import type { Duplex } from "node:stream";
import { every } from "@clockwork/host/time/background";
import { measureMs } from "@clockwork/host/time/measure";
import type { WebSocket } from "ws";
import { textFrame } from "../../socket/frame.ts";
import { type Outgoing, releaseSoon } from "../../socket/outlet.ts";
import { inMicroseconds } from "../micro.ts";

const UNSENT_BYTES_MAX = 4 * 1_048_576;
const MESSAGES_PER_SECOND = 5;
const BURST = 50;
const PING_MS = 20_000;
const SILENT_MS = 60_000;

/** The same event alone and wrapped with the stream's name. */
export interface News {
  readonly raw: Buffer;
  readonly combined: Buffer;
  /** Both with times in microseconds. */
  readonly rawMicro: Buffer;
  readonly combinedMicro: Buffer;
}

export function newsOf(name: string, data: object): News {
  const text = JSON.stringify(data);
  let [raw, combined, rawMicro, combinedMicro]: (Buffer | undefined)[] = [];
  const wrap = (inner: string): Buffer => textFrame(`{"stream":${JSON.stringify(name)},"data":${inner}}`);
  // Each is encoded for its first reader: most streams have readers of one form only.
  return {
    get raw() {
      raw ??= textFrame(text);
      return raw;
    },
    get combined() {
      combined ??= wrap(text);
      return combined;
    },
    get rawMicro() {
      rawMicro ??= textFrame(JSON.stringify(inMicroseconds(data)));
      return rawMicro;
    },
    get combinedMicro() {
      combinedMicro ??= wrap(JSON.stringify(inMicroseconds(data)));
      return combinedMicro;
    },
  };
}

/** Connections with messages in this turn: messages of several streams to one connection leave together. */
let result: Connection[] = [];

function flush(): void {
  const waiting = result;
  result = [];
  for (const connection of waiting) releaseSoon(connection);
}

export class Connection implements Outgoing {
  readonly address: string;
  /** Its streams, with the function that leaves each. */
  readonly streams = new Map<string, () => void>();
  /** Whose keys were proved on it. */
  readonly userIds = new Set<number>();
  /** Every message carries its stream's name. */
  isCombined: boolean;
  readonly #isMicro: boolean;
  readonly #socket: WebSocket;
  readonly #stream: Duplex;
  readonly #closers: (() => void)[] = [];
  /** Messages of this turn that have not left yet. */
  #held: Buffer[] = [];
  #tokens = BURST;
  #tokensAtMs: number;
  #receivedMs: number;

  constructor(
    socket: WebSocket,
    stream: Duplex,
    requested: {
      readonly address: string;
      readonly isCombined: boolean;
      /** Times are in microseconds. */
      readonly isMicro?: boolean;
      readonly nowMs: number;
    },
  ) {
    this.#socket = socket;
    this.#stream = stream;
    this.address = requested.address;
    this.isCombined = requested.isCombined;
    this.#isMicro = requested.isMicro === true;
    this.#tokensAtMs = requested.nowMs;
    this.#receivedMs = requested.nowMs;
    const ping = every("dialect.ping", () => this.#watch(), PING_MS);
    ping.unref();
    socket.on("close", () => {
      clearInterval(ping);
      for (const leave of this.streams.values()) leave();
      this.streams.clear();
      for (const close of this.#closers.splice(0)) close();
    });
    socket.on("error", () => socket.terminate());
    const listen = (): void => {
      this.#receivedMs = measureMs();
    };
    for (const event of ["pong", "ping", "message"] as const) socket.on(event, listen);
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  onClose(close: () => void): void {
    if (this.isOpen) this.#closers.push(close);
    else close();
  }

  publish(news: News): void {
    if (this.#isMicro) this.#write(this.isCombined ? news.combinedMicro : news.rawMicro);
    else this.#write(this.isCombined ? news.combined : news.raw);
  }

  /**
   * At the end of a turn: one write for any number of frames. Joining small frames costs less than writing each of them
   * to the stream.
   */
  release(): void {
    const frames = this.#held;
    if (frames.length === 0) return;
    this.#held = [];
    if (this.isOpen) this.#stream.write(frames.length === 1 ? frames[0] : Buffer.concat(frames));
  }

  answer(message: object): void {
    this.#write(textFrame(JSON.stringify(message)));
  }

  /** False when it sends more than the limit; a client that continues is cut off. */
  takeToken(nowMs: number): boolean {
    this.#tokens = Math.min(BURST, this.#tokens + ((nowMs - this.#tokensAtMs) / 1_000) * MESSAGES_PER_SECOND);
    this.#tokensAtMs = nowMs;
    this.#tokens -= 1;
    if (this.#tokens >= 0) return true;
    this.end(1008, "Too many requests");
    return false;
  }

  /** Earlier messages still arrive. */
  end(code: number, reason: string): void {
    this.release();
    this.#socket.close(code, reason);
  }

  #write(frame: Buffer): void {
    if (!this.isOpen) return;
    if (this.#stream.writableLength > UNSENT_BYTES_MAX) {
      this.#socket.terminate();
      return;
    }
    if (this.#held.push(frame) === 1 && result.push(this) === 1) setImmediate(flush);
  }

  #watch(): void {
    if (measureMs() - this.#receivedMs > SILENT_MS) this.#socket.terminate();
    else if (this.isOpen) this.#socket.ping();
  }
}
