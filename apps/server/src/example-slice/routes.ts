// REST of notes: schema → service → envelope.
import { answer, defineRoute, type RouteSpec, refuseBy } from "@clockwork/host/route";
import { NoteBody, NoteList, SlotBody } from "./contract.ts";
import type { NoteService } from "./service.ts";

const REFUSALS = { NOTE_UNKNOWN: [404, "There is no note in this slot."] } as const;
const own = { tag: "notes", scope: "user", output: NoteList } as const;

export function noteRoutes(notes: NoteService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...own,
      method: "GET",
      path: "/v1/notes",
      summary: "The caller's notes",
      handle: async (_, { userId }) => answer(await notes.list(Number(userId))),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: "/v1/notes/keep",
      summary: "Keeps a note in a slot; what was there is gone",
      body: NoteBody,
      handle: async ({ body }, { userId, timeMs }) => answer(await notes.keep(Number(userId), body, timeMs)),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: "/v1/notes/remove",
      summary: "Empties a slot",
      body: SlotBody,
      handle: async ({ body }, { userId }) => {
        const removed = await notes.remove(Number(userId), body.slot);
        return removed.done ? answer(removed.value) : refuseBy(REFUSALS, removed);
      },
    }),
  ];
}
