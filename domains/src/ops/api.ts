// What the ops slice says on the wire: schemas and their types. The only file of the slice a browser may import.
import { type Static, Type } from "typebox";

export const LABEL_LENGTH_MAX = 64;
export const UTM_LENGTH_MAX = 128;

// Names our own pages give to events; a tight alphabet keeps invented ones out of reports.
const Label = Type.String({ minLength: 1, maxLength: LABEL_LENGTH_MAX, pattern: "^[A-Za-z0-9][A-Za-z0-9_.:/-]*$" });
// Written by whoever made the link, in any language; only control characters are refused.
const Utm = Type.Optional(Type.String({ maxLength: UTM_LENGTH_MAX, pattern: "^[^\\u0000-\\u001f\\u007f]*$" }));

export const RequestSource = Type.Union([Type.Literal("H5"), Type.Literal("PC")]);
export type RequestSource = Static<typeof RequestSource>;

export const StatisticsQuery = Type.Object({
  event: Label,
  request_source: RequestSource,
  type: Type.Optional(Label),
  utm_source: Utm,
  utm_medium: Utm,
  utm_campaign: Utm,
  utm_term: Utm,
  utm_content: Utm,
  utm_id: Utm,
});
export type StatisticsQuery = Static<typeof StatisticsQuery>;
