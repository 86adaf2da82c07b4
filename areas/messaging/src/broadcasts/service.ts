// Use cases of broadcasts: composing one, and sending it at a rate per minute, to each receiver once. A batch of
// messages and the position behind it are one transaction: a process that ends anywhere resumes behind the last batch.
import { DEFAULT_LOCALE } from "@clockwork/kit/constants";
import { done, type Result, refused } from "@clockwork/kit/result";
import type {
  Broadcast,
  BroadcastBody,
  BroadcastLanguages,
  BroadcastPreview,
  BroadcastTable,
  BroadcastWords,
} from "./contract.ts";
import type { BroadcastNeeds, Outgoing, Receiver } from "./needs.ts";
import type { BroadcastRefusal } from "./refusals.ts";
import { cleanWords, firstStage, mailText, nextStage, pushText, wordsFor } from "./rules.ts";
import type { BroadcastStore, IssueRow } from "./store.ts";

/** The interval of the job. */
export const RUN_MS = 10_000;
const MINUTE_MS = 60_000;
const BATCH = 50;
const LISTED = 50;

export class BroadcastService {
  readonly #store: BroadcastStore;
  readonly #needs: BroadcastNeeds;

  constructor({ store, needs }: { readonly store: BroadcastStore; readonly needs: BroadcastNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async list(): Promise<BroadcastTable> {
    const { hasMail, hasPush, perMinute } = this.#needs;
    const [rows, subscribers, phones] = await Promise.all([
      this.#store.list(LISTED),
      this.#needs.countSubscribers(),
      this.#needs.countPhones(),
    ]);
    const broadcasts = await Promise.all(rows.map((row) => this.#describe(row)));
    return { broadcasts, subscribers, phones, hasMail, hasPush, perMinute };
  }

  preview(words: BroadcastLanguages, locale: string): Result<BroadcastPreview, "ENGLISH_REQUIRED"> {
    const clean = cleanAll(words);
    if (clean === undefined) return refused("ENGLISH_REQUIRED");
    const reply = wordsFor(clean, locale);
    return done({
      subject: reply.subject,
      mail: mailText(reply, this.#needs.leaveUrl("reader@example.com")),
      push: pushText(reply),
    });
  }

  async send(body: BroadcastBody, userId: number, timeMs: number): Promise<Result<Broadcast, BroadcastRefusal>> {
    const { audience, sendAtMs, clientId } = body;
    const words = cleanAll(body.words);
    if (words === undefined) return refused("ENGLISH_REQUIRED");
    const { hasMail, hasPush } = this.#needs;
    if ((audience !== "push" && !hasMail) || (audience !== "newsletter" && !hasPush)) return refused("SENDER_MISSING");
    const row = {
      ...({ client_id: clientId, audience, words: JSON.stringify(words), state: "scheduled", place: "" } as const),
      send_at_ms: sendAtMs ?? timeMs,
      stage: firstStage(audience),
      mails: 0,
      pushes: 0,
      made_by: userId,
      made_at_ms: timeMs,
      started_at_ms: null,
      ended_at_ms: null,
    };
    await this.#store.add(row);
    const kept = await this.#store.findIntent(clientId);
    const isSame =
      kept?.words === row.words &&
      kept.audience === audience &&
      kept.made_by === userId &&
      (sendAtMs ?? kept.send_at_ms) === kept.send_at_ms;
    return kept !== undefined && isSame ? done(await this.#describe(kept)) : refused("CLIENT_ID_REUSED");
  }

  async cancel(number: number, timeMs: number): Promise<Result<null, BroadcastRefusal>> {
    return (await this.#store.cancel(number, timeMs)) ? done(null) : refused("BROADCAST_UNKNOWN");
  }

  /** The share of a minute; the job calls it. */
  async run(timeMs: number): Promise<void> {
    let room = Math.max(1, Math.floor((this.#needs.perMinute * RUN_MS) / MINUTE_MS));
    while (room > 0) {
      const issue = await this.#store.findDue(timeMs);
      if (issue === undefined) return;
      room -= await this.#sendBatch(issue, Math.min(room, BATCH), timeMs);
    }
  }

  /** Returns how many receivers were processed. */
  async #sendBatch(issue: IssueRow, limit: number, timeMs: number): Promise<number> {
    const { stage, place, audience } = issue;
    const receivers = await this.#listReceivers(issue, limit);
    const messages = receivers.filter(({ isWanted }) => isWanted).map((one) => this.#message(issue, one));
    const counts = {
      mails: issue.mails + (stage === "mail" ? messages.length : 0),
      pushes: issue.pushes + (stage === "push" ? messages.length : 0),
    };
    const last = receivers.at(-1);
    const isOver = receivers.length < limit;
    const next = nextStage(audience, stage);
    const change = isOver
      ? next === "end"
        ? { ...counts, state: "sent" as const, place: last?.address ?? place, ended_at_ms: timeMs }
        : { ...counts, stage: next, place: "" }
      : { ...counts, place: last?.address ?? place };
    if (await this.#store.step(issue, change, (inside) => this.#needs.queue(inside, messages))) this.#needs.wake();
    return receivers.length;
  }

  #listReceivers({ stage, place, started_at_ms, made_at_ms }: IssueRow, limit: number): Promise<readonly Receiver[]> {
    return stage === "mail"
      ? this.#needs.listSubscribers(place, started_at_ms ?? made_at_ms, limit)
      : this.#needs.listPhones(place, limit);
  }

  #message({ number, stage, words }: IssueRow, { address, locale }: Receiver): Outgoing {
    const reply = wordsFor(JSON.parse(words) as BroadcastLanguages, locale);
    const text = stage === "mail" ? mailText(reply, this.#needs.leaveUrl(address)) : pushText(reply);
    return { to: address, channel: stage, id: `broadcast-${number}`, subject: reply.subject, text };
  }

  async #describe(row: IssueRow): Promise<Broadcast> {
    const words = JSON.parse(row.words) as BroadcastLanguages;
    return {
      number: row.number,
      audience: row.audience,
      subject: wordsFor(words, DEFAULT_LOCALE).subject,
      locales: Object.keys(words),
      state: row.state,
      sendAtMs: row.send_at_ms,
      mails: row.mails,
      pushes: row.pushes,
      madeBy: await this.#needs.nameOf(row.made_by),
      madeAtMs: row.made_at_ms,
      endedAtMs: row.ended_at_ms,
    };
  }
}

function cleanAll(words: BroadcastLanguages): BroadcastLanguages | undefined {
  if (words[DEFAULT_LOCALE] === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(words).map(([locale, reply]): [string, BroadcastWords] => [locale, cleanWords(reply)]),
  );
}
