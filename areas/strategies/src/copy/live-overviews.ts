// The private channels of copy trading: a follower's overview and a leader's, whole each time. Published as soon as the
// tables hold the journal, and every few seconds while prices change what is shown. Reads only for subscribers.

import type { Channel, Live } from "@clockwork/host/channel";
import type { Clock } from "@clockwork/host/clock";
import type { Log } from "@clockwork/host/log";
import { inBackground } from "@clockwork/host/time/background";
import {
  COPY_CHANNEL,
  COPY_KINDS,
  type CopyKind,
  type CopyOverview,
  LEAD_CHANNEL,
  type LeadOverview,
} from "./contract.ts";

export type OverviewChannel = typeof COPY_CHANNEL | typeof LEAD_CHANNEL;

export interface OverviewParts {
  readonly clock: Pick<Clock, "every">;
  readonly log: Log;
  readonly live: Pick<Live, "publish">;
  readonly settled: (sequence: number) => Promise<void>;
  readCopies(userId: number, kind: CopyKind): Promise<CopyOverview>;
  readLead(userId: number, kind: CopyKind): Promise<LeadOverview>;
}

/** The effect of prices on equity and open profit; commits do not wait for it. */
const REVALUE_MS = 3_000;

interface Overview {
  readonly channel: OverviewChannel;
  readonly kind: CopyKind;
  readonly userId: number;
  /** The last command that changed something here. */
  sequence: number;
  answer: string;
}

export class LiveOverviews {
  readonly channels: readonly Channel[] = [this.#channel(COPY_CHANNEL), this.#channel(LEAD_CHANNEL)];
  readonly #parts: OverviewParts;
  readonly #overviews = new Map<string, Overview>();
  /** Overviews to publish, each once however much changed. */
  readonly #due = new Set<Overview>();
  #stop: (() => void) | undefined;
  #isNotifying = false;

  constructor(parts: OverviewParts) {
    this.#parts = parts;
  }

  /** A command changed this user's overview; costs nothing without a subscription. */
  changed(channel: OverviewChannel, kind: CopyKind, userId: number, sequence: number): void {
    const overview = this.#overviews.get(keyOf(channel, kind, userId));
    if (overview === undefined) return;
    overview.sequence = Math.max(overview.sequence, sequence);
    this.#due.add(overview);
    inBackground("copy.overviews", () => this.#notify());
  }

  close(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#overviews.clear();
    this.#due.clear();
  }

  #channel(channel: OverviewChannel): Channel {
    return {
      channel,
      kind: "latest",
      isPrivate: true,
      serves: ({ biz, type, pairCode, base }) =>
        COPY_KINDS.some((kind) => kind === biz) && [type, pairCode, base].every((part) => part === undefined),
      snapshot: async ({ biz }, account) => ({ data: await this.#read(channel, biz as CopyKind, Number(account)) }),
      opened: ({ biz }, account) => {
        const kind = biz as CopyKind;
        const userId = Number(account);
        this.#overviews.set(keyOf(channel, kind, userId), { channel, kind, userId, sequence: 0, answer: "" });
        this.#stop ??= this.#parts.clock.every(REVALUE_MS, () => this.#revalue());
      },
      closed: ({ biz }, account) => {
        const key = keyOf(channel, biz as CopyKind, Number(account));
        const overview = this.#overviews.get(key);
        if (overview !== undefined) this.#due.delete(overview);
        this.#overviews.delete(key);
        if (this.#overviews.size > 0) return;
        this.#stop?.();
        this.#stop = undefined;
      },
    };
  }

  #read(channel: OverviewChannel, kind: CopyKind, userId: number): Promise<CopyOverview | LeadOverview> {
    return channel === COPY_CHANNEL ? this.#parts.readCopies(userId, kind) : this.#parts.readLead(userId, kind);
  }

  #revalue(): void {
    for (const overview of this.#overviews.values()) this.#due.add(overview);
    inBackground("copy.overviews", () => this.#notify());
  }

  /** One overview after the other, so that a leader with many followers blocks no other work. */
  async #notify(): Promise<void> {
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    for (const overview of this.#due) {
      this.#due.delete(overview);
      await this.#publishOne(overview).catch((error: unknown) =>
        this.#parts.log.warn("copy.overview.failed", { error }),
      );
    }
    this.#isNotifying = false;
  }

  async #publishOne(overview: Overview): Promise<void> {
    const { channel, kind, userId, sequence } = overview;
    if (sequence > 0) await this.#parts.settled(sequence);
    const data = await this.#read(channel, kind, userId);
    const text = JSON.stringify(data);
    if (text === overview.answer) return;
    overview.answer = text;
    this.#parts.live.publish({ channel, biz: kind }, data, { account: String(userId) });
  }
}

const keyOf = (channel: OverviewChannel, kind: CopyKind, userId: number): string => `${channel}/${kind}/${userId}`;
