// Publishes to a user's open pages how marks change their positions and accounts: latest values, a few times a second,
// only while a page is subscribed and a value moved. Commits are published by the sequenced channels; this fills the
// time between them.

import type { Channel, Live } from "@clockwork/host/channel";
import type { Clock } from "@clockwork/host/clock";
import type { Log } from "@clockwork/host/log";
import type { SocketTopic } from "@clockwork/kit/wire";
import type { FuturesBiz, FuturesView } from "../positions/account-view.ts";
import { ACCOUNT_CHANNEL, POSITION_MARKS_CHANNEL } from "../positions/contract.ts";

export interface MarkChannelParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly live: Pick<Live, "publish">;
  readViews(userId: number, biz: FuturesBiz): Promise<readonly FuturesView[]>;
  describe(channel: string, biz: FuturesBiz, views: readonly FuturesView[]): readonly unknown[];
  /** Everything a description depends on, in short; undefined where it cannot be determined. */
  stampOf(biz: FuturesBiz, views: readonly FuturesView[]): string | undefined;
}

/** Five a second. */
const NOTIFY_MS = 200;
/** Readers served in one turn; the rest follow shortly after, so that many readers do not block the process. */
const TURN = 4;
const BIZS: readonly FuturesBiz[] = ["futures", "delivery", "demo"];

interface Reader {
  readonly topic: SocketTopic;
  readonly userId: number;
  answer: string;
  /** What the last description depended on: while it is unchanged nothing can have moved. */
  stamp: string | undefined;
}

export class MarkChannels {
  readonly channels: readonly Channel[];
  readonly #parts: MarkChannelParts;
  readonly #readers = new Map<string, Reader>();
  #stop: (() => void) | undefined;
  #isNotifying = false;

  constructor(parts: MarkChannelParts) {
    this.#parts = parts;
    this.channels = [POSITION_MARKS_CHANNEL, ACCOUNT_CHANNEL].map((channel) => this.#channel(channel));
  }

  close(): void {
    this.#stop?.();
    this.#readers.clear();
  }

  #channel(channel: string): Channel {
    return {
      channel,
      kind: "latest",
      isPrivate: true,
      serves: ({ biz, type, pairCode, base }) =>
        BIZS.some((one) => one === biz) && [type, pairCode, base].every((part) => part === undefined),
      snapshot: async (topic, account) => ({ data: await this.#read(topic, Number(account)) }),
      opened: (topic, account = "") => {
        this.#readers.set(keyOf(topic, account), { topic, userId: Number(account), answer: "", stamp: undefined });
        this.#stop ??= this.#parts.clock.every(NOTIFY_MS, () => this.#notify());
      },
      closed: (topic, account = "") => {
        this.#readers.delete(keyOf(topic, account));
        if (this.#readers.size > 0) return;
        this.#stop?.();
        this.#stop = undefined;
      },
    };
  }

  async #read(topic: SocketTopic, userId: number): Promise<readonly unknown[]> {
    const biz = topic.biz as FuturesBiz;
    return this.#parts.describe(topic.channel, biz, await this.#parts.readViews(userId, biz));
  }

  async #notify(): Promise<void> {
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    try {
      let count = 0;
      for (const reader of this.#readers.values()) {
        count += 1;
        if (count % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
        const biz = reader.topic.biz as FuturesBiz;
        const views = await this.#parts.readViews(reader.userId, biz);
        const stamp = this.#parts.stampOf(biz, views);
        if (stamp !== undefined && stamp === reader.stamp) continue;
        reader.stamp = stamp;
        const data = this.#parts.describe(reader.topic.channel, biz, views);
        const text = JSON.stringify(data);
        if (text === reader.answer) continue;
        reader.answer = text;
        this.#parts.live.publish(reader.topic, data, { account: String(reader.userId) });
      }
    } catch (error) {
      this.#parts.log.warn("futures.marks.failed", { error });
    } finally {
      this.#isNotifying = false;
    }
  }
}

const keyOf = ({ channel, biz }: SocketTopic, account: string): string => `${channel}/${biz}/${account}`;
