// REST of notes: schema → service → envelope.
import { answer, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { NOTE_CALLS as CALLS, REFUSALS } from "./contract.ts";
import type { NoteService } from "./service.ts";

const OWN = { tag: "notes", scope: "user" } as const;

export function noteRoutes(notes: NoteService): readonly RouteSpec[] {
  return [
    serve(CALLS.list, {
      ...OWN,
      summary: "The caller's notes",
      handle: async (_, { userId }) => answer(await notes.list(Number(userId))),
    }),
    serve(CALLS.keep, {
      ...OWN,
      summary: "Stores a note in a slot and replaces the previous one",
      handle: async ({ body }, { userId, timeMs }) => answer(await notes.keep(Number(userId), body, timeMs)),
    }),
    serve(CALLS.remove, {
      ...OWN,
      summary: "Empties a slot",
      handle: async ({ body }, { userId }) => {
        const removed = await notes.remove(Number(userId), body.slot);
        return removed.done ? answer(removed.value) : refuseBy(REFUSALS, removed);
      },
    }),
  ];
}
