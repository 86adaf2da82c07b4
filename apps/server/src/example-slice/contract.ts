// Notes on the wire: schemas, types and the channel's name.
import { Type } from "typebox";

export const NOTES_CHANNEL = "notes";

const Slot = Type.Integer({ minimum: 1, maximum: 20 });
export const NoteBody = Type.Object(
  { slot: Slot, text: Type.String({ minLength: 1, maxLength: 200 }) },
  { additionalProperties: false },
);
export const SlotBody = Type.Object({ slot: Slot }, { additionalProperties: false });
export const NoteList = Type.Object({
  notes: Type.Array(Type.Object({ slot: Slot, text: Type.String(), keptAtMs: Type.Integer() })),
});
export type NoteBody = Type.Static<typeof NoteBody>;
export type NoteList = Type.Static<typeof NoteList>;
