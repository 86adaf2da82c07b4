// The one way to notify a user: by the channels they chose, once per event. Stored channels (letter, mail, push) are
// written in one transaction with the row that marks the notice as sent; open pages receive it afterwards.
import { NOTICE_CHANNELS, type Notice, type NoticeChannel, type NoticeKind, type Notices } from "@clockwork/kit/notice";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import type { ChoiceBody, NoticeChoices } from "./contract.ts";
import type { NoticeNeeds } from "./needs.ts";
import type { ChoiceRefusal } from "./refusals.ts";
import { channelsOf } from "./rules.ts";
import { type ChoiceRow, type NoticeStore, noticeStore } from "./store.ts";

/** Longer than any resumed work may be pending. */
const KEPT_DAYS = 120;
/** Users whose preferences are cached. */
const KNOWN_MAX = 20_000;

export class NoticeService implements Notices {
  readonly #store: NoticeStore;
  readonly #needs: NoticeNeeds;
  readonly #kinds = new Map<string, NoticeKind>();
  readonly #choices = new Map<number, Promise<readonly ChoiceRow[]>>();
  #sweptDay = -1;

  constructor({ store, needs }: { readonly store: NoticeStore; readonly needs: NoticeNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  register(kind: NoticeKind): void {
    if (this.#kinds.has(kind.kind)) throw new Error(`two kinds of notices are called ${kind.kind}`);
    this.#kinds.set(kind.kind, kind);
  }

  async notify(userId: number, notice: Notice, timeMs: number): Promise<boolean> {
    const kind = this.#kinds.get(notice.kind);
    if (kind === undefined) throw new Error(`nobody registered notices of ${notice.kind}`);
    const channels = channelsOf(kind, await this.#choicesOf(userId));
    if (channels.length === 0) return false;
    const isLiveAlone = channels.every((channel) => channel === "live");
    if (!(isLiveAlone && kind.isFleeting === true)) {
      if (!(await this.#keep(userId, notice, kind, channels, timeMs))) return false;
      await this.#needs.wake(userId);
    }
    if (channels.includes("live")) this.#publish(userId, notice, timeMs);
    return true;
  }

  async readChoices(userId: number): Promise<NoticeChoices> {
    const rows = await this.#choicesOf(userId);
    const kinds = [...this.#kinds.values()].map((kind) => {
      const on = channelsOf(kind, rows);
      const channels = NOTICE_CHANNELS.map((channel) => ({
        channel,
        isOn: on.includes(channel),
        isFixed: kind.always?.includes(channel) === true,
      }));
      return { kind: kind.kind, group: kind.group, channels };
    });
    return { kinds };
  }

  async choose(userId: number, { kind, channel, isOn }: ChoiceBody): Promise<Result<NoticeChoices, ChoiceRefusal>> {
    const known = this.#kinds.get(kind);
    if (known === undefined) return refused("NOTICE_UNKNOWN");
    if (known.always?.includes(channel) === true && !isOn) return refused("NOTICE_FIXED");
    await this.#store.choose({ user_id: userId, kind, channel, is_on: isOn });
    this.#choices.delete(userId);
    return done(await this.readChoices(userId));
  }

  /** Users who enabled a kind of notice by letter, mail or push. */
  listKeepers(kind: string, after: number, limit: number): Promise<readonly number[]> {
    return this.#store.listUsers(kind, after, limit);
  }

  /** False when it was sent before: the second caller writes nothing. */
  async #keep(
    userId: number,
    notice: Notice,
    kind: NoticeKind,
    channels: readonly NoticeChannel[],
    timeMs: number,
  ): Promise<boolean> {
    const mail = channels.includes("mail") ? await this.#needs.prepareMail(userId, notice, kind, timeMs) : undefined;
    const pushes = channels.includes("push") ? await this.#needs.preparePush(userId, notice) : [];
    await this.#sweep(timeMs);
    return this.#store.transact(async (inside) => {
      const row = { user_id: userId, kind: notice.kind, reference: notice.reference, at_ms: timeMs };
      if (!(await noticeStore(inside).add(row))) return false;
      if (channels.includes("letter")) await this.#needs.writeLetter(inside, userId, notice, timeMs);
      const messages = [...(mail === undefined ? [] : [mail]), ...pushes];
      if (messages.length > 0) await this.#needs.queue(inside, messages, timeMs);
      return true;
    });
  }

  #publish(userId: number, { kind, topic, reference, title, body, path }: Notice, timeMs: number): void {
    const reply = { kind, topic: topic ?? kind, reference, title, body, path: path ?? null, atMs: timeMs };
    this.#needs.publish(userId, reply);
  }

  #choicesOf(userId: number): Promise<readonly ChoiceRow[]> {
    const known = this.#choices.get(userId);
    if (known !== undefined) return known;
    if (this.#choices.size >= KNOWN_MAX) this.#choices.clear();
    const reading = this.#store.listChoices(userId);
    this.#choices.set(userId, reading);
    // A failed read is retried by the next notice.
    reading.catch(() => this.#choices.delete(userId));
    return reading;
  }

  async #sweep(timeMs: number): Promise<void> {
    const day = Math.floor(timeMs / DAY_MS);
    if (day === this.#sweptDay) return;
    this.#sweptDay = day;
    await this.#store.remove(timeMs - KEPT_DAYS * DAY_MS);
  }
}
