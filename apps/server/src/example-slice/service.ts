// Keeps people's notes: one in each slot, the last word counts, forgotten after a year.
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import type { NoteBody, NoteList } from "./api.ts";
import type { NoteStore } from "./store.ts";

export interface NoteNeeds {
  publish(userId: number, list: NoteList): void;
}

export type NoteService = ReturnType<typeof noteService>;

export function noteService({ store, needs }: { readonly store: NoteStore; readonly needs: NoteNeeds }) {
  const list = async (userId: number): Promise<NoteList> => {
    const rows = await store.list(userId);
    return { notes: rows.map(({ slot, text, kept_at_ms }) => ({ slot, text, keptAtMs: kept_at_ms })) };
  };
  const tell = async (userId: number): Promise<NoteList> => {
    const kept = await list(userId);
    needs.publish(userId, kept);
    return kept;
  };
  return {
    list,
    async keep(userId: number, { slot, text }: NoteBody, timeMs: number): Promise<NoteList> {
      await store.put({ user_id: userId, slot, text, kept_at_ms: timeMs });
      return tell(userId);
    },
    async remove(userId: number, slot: number): Promise<Result<NoteList, "NOTE_UNKNOWN">> {
      return (await store.remove(userId, slot)) ? done(await tell(userId)) : refused("NOTE_UNKNOWN");
    },
    forgetOld: (timeMs: number) => store.removeBefore(timeMs - 365 * DAY_MS),
  };
}
