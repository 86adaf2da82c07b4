// Stores users' notes: one in each slot, the last write wins, deleted after a year.
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import type { NoteBody, NoteList } from "./contract.ts";
import type { NoteStore } from "./store.ts";

export interface NoteNeeds {
  publish(userId: number, list: NoteList): void;
}

export class NoteService {
  readonly #store: NoteStore;
  readonly #needs: NoteNeeds;

  constructor({ store, needs }: { readonly store: NoteStore; readonly needs: NoteNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async list(userId: number): Promise<NoteList> {
    const rows = await this.#store.list(userId);
    return { notes: rows.map(({ slot, text, kept_at_ms }) => ({ slot, text, keptAtMs: kept_at_ms })) };
  }

  async keep(userId: number, { slot, text }: NoteBody, timeMs: number): Promise<NoteList> {
    await this.#store.put({ user_id: userId, slot, text, kept_at_ms: timeMs });
    return this.#notify(userId);
  }

  async remove(userId: number, slot: number): Promise<Result<NoteList, "NOTE_UNKNOWN">> {
    return (await this.#store.remove(userId, slot)) ? done(await this.#notify(userId)) : refused("NOTE_UNKNOWN");
  }

  removeOld(timeMs: number): Promise<void> {
    return this.#store.removeBefore(timeMs - 365 * DAY_MS);
  }

  async #notify(userId: number): Promise<NoteList> {
    const kept = await this.list(userId);
    this.#needs.publish(userId, kept);
    return kept;
  }
}
