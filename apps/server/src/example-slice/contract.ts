// Notes on the wire: calls with their schemas, types and the channel's name.
import { endpoint, type RefusalTable } from "@clockwork/kit/endpoint";
import { Type } from "typebox";

export const NOTES_CHANNEL = "notes";

const Slot = Type.Integer({ minimum: 1, maximum: 20 });
export const NoteBody = Type.Object(
  { slot: Slot, text: Type.String({ minLength: 1, maxLength: 200 }) },
  { additionalProperties: false },
);
const SlotBody = Type.Object({ slot: Slot }, { additionalProperties: false });
export const NoteList = Type.Object({
  notes: Type.Array(Type.Object({ slot: Slot, text: Type.String(), keptAtMs: Type.Integer() })),
});
export type NoteBody = Type.Static<typeof NoteBody>;
export type NoteList = Type.Static<typeof NoteList>;

export const REFUSALS = {
  NOTE_UNKNOWN: [404, "This slot is empty."],
} as const satisfies RefusalTable<string>;

export const NOTE_CALLS = {
  list: endpoint("GET", "/v1/notes", { output: NoteList }),
  keep: endpoint("POST", "/v1/notes/keep", { body: NoteBody, output: NoteList }),
  remove: endpoint("POST", "/v1/notes/remove", { body: SlotBody, output: NoteList, refusals: REFUSALS }),
};
