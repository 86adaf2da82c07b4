// The private channels of copy trading: a follower's desk and a leader's, whole each time. Told as soon as the tables hold
// what the journal has, and every few seconds while prices move what is shown. Reads only for those who look.
import {
  COPY_CHANNEL,
  COPY_KINDS,
  type CopyDesk,
  type CopyKind,
  LEAD_CHANNEL,
  type LeadDesk,
} from "@clockwork/domains/copy/api";
import type { Clock } from "@clockwork/kit/clock";
import type { Log } from "../base/log.ts";
import type { Live } from "../part.ts";
import type { Channel } from "../socket/channel.ts";

export type DeskChannel = typeof COPY_CHANNEL | typeof LEAD_CHANNEL;

export interface DeskParts {
  readonly clock: Pick<Clock, "every">;
  readonly log: Log;
  readonly live: Pick<Live, "publish">;
  readonly settled: (sequence: number) => Promise<void>;
  readCopies(userId: number, kind: CopyKind): Promise<CopyDesk>;
  readLead(userId: number, kind: CopyKind): Promise<LeadDesk>;
}

/** What prices do to equity and open profit; commits do not wait for it. */
const REVALUE_MS = 3_000;

interface Desk {
  readonly channel: DeskChannel;
  readonly kind: CopyKind;
  readonly userId: number;
  /** The last command that changed something here. */
  sequence: number;
  told: string;
}

export class LiveDesks {
  readonly channels: readonly Channel[] = [this.#channel(COPY_CHANNEL), this.#channel(LEAD_CHANNEL)];
  readonly #parts: DeskParts;
  readonly #desks = new Map<string, Desk>();
  /** Desks to be told, each once however much changed. */
  readonly #due = new Set<Desk>();
  #stop: (() => void) | undefined;
  #isTelling = false;

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  /** A command changed what this user's desk shows; costs nothing while he does not look. */
  changed(channel: DeskChannel, kind: CopyKind, userId: number, sequence: number): void {
    const desk = this.#desks.get(keyOf(channel, kind, userId));
    if (desk === undefined) return;
    desk.sequence = Math.max(desk.sequence, sequence);
    this.#due.add(desk);
    void this.#tell();
  }

  close(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#desks.clear();
    this.#due.clear();
  }

  #channel(channel: DeskChannel): Channel {
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
        this.#desks.set(keyOf(channel, kind, userId), { channel, kind, userId, sequence: 0, told: "" });
        this.#stop ??= this.#parts.clock.every(REVALUE_MS, () => this.#revalue());
      },
      closed: ({ biz }, account) => {
        const key = keyOf(channel, biz as CopyKind, Number(account));
        const desk = this.#desks.get(key);
        if (desk !== undefined) this.#due.delete(desk);
        this.#desks.delete(key);
        if (this.#desks.size > 0) return;
        this.#stop?.();
        this.#stop = undefined;
      },
    };
  }

  #read(channel: DeskChannel, kind: CopyKind, userId: number): Promise<CopyDesk | LeadDesk> {
    return channel === COPY_CHANNEL ? this.#parts.readCopies(userId, kind) : this.#parts.readLead(userId, kind);
  }

  #revalue(): void {
    for (const desk of this.#desks.values()) this.#due.add(desk);
    void this.#tell();
  }

  /** One desk after the other, so that a leader with a crowd holds up nobody. */
  async #tell(): Promise<void> {
    if (this.#isTelling) return;
    this.#isTelling = true;
    for (const desk of this.#due) {
      this.#due.delete(desk);
      await this.#tellOne(desk).catch((error: unknown) => this.#parts.log.warn("copy.desk.failed", { error }));
    }
    this.#isTelling = false;
  }

  async #tellOne(desk: Desk): Promise<void> {
    const { channel, kind, userId, sequence } = desk;
    if (sequence > 0) await this.#parts.settled(sequence);
    const data = await this.#read(channel, kind, userId);
    const text = JSON.stringify(data);
    if (text === desk.told) return;
    desk.told = text;
    this.#parts.live.publish({ channel, biz: kind }, data, { account: String(userId) });
  }
}

const keyOf = (channel: DeskChannel, kind: CopyKind, userId: number): string => `${channel}/${kind}/${userId}`;
