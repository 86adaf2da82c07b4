// The wire contract of broadcasts: composing, previewing, sending and stopping them. The only file of the slice a
// browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { CLIENT_ID_LENGTH_MAX, CLIENT_ID_PATTERN } from "@clockwork/kit/intent/client-id";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

export const BROADCAST_AUDIENCES = ["newsletter", "push", "both"] as const;
export type BroadcastAudience = (typeof BROADCAST_AUDIENCES)[number];
export const BROADCAST_STATES = ["scheduled", "sending", "sent", "cancelled"] as const;
export type BroadcastState = (typeof BROADCAST_STATES)[number];

export const SUBJECT_LENGTH_MAX = 120;
export const BODY_LENGTH_MAX = 10_000;

const closed = { additionalProperties: false } as const;
const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const LOCALE = "^[a-z]{2}_[A-Z]{2}$";

export const BroadcastWords = Type.Object(
  {
    subject: Type.String({ minLength: 1, maxLength: SUBJECT_LENGTH_MAX, pattern: "\\S" }),
    body: Type.String({ minLength: 1, maxLength: BODY_LENGTH_MAX, pattern: "\\S" }),
  },
  closed,
);
export type BroadcastWords = Static<typeof BroadcastWords>;
/** By language. English is mandatory: readers of other languages get it. */
export const BroadcastLanguages = Type.Record(Type.String({ pattern: LOCALE }), BroadcastWords, { maxProperties: 20 });
export type BroadcastLanguages = Readonly<Record<string, BroadcastWords>>;

const Audience = Type.Enum([...BROADCAST_AUDIENCES]);

export const BroadcastBody = Type.Object(
  {
    audience: Audience,
    words: BroadcastLanguages,
    /** Null: now. */
    sendAtMs: OrNull(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    clientId: Type.String({ pattern: CLIENT_ID_PATTERN, maxLength: CLIENT_ID_LENGTH_MAX }),
  },
  closed,
);
export type BroadcastBody = Static<typeof BroadcastBody>;

export const PreviewBody = Type.Object(
  { words: BroadcastLanguages, locale: Type.String({ pattern: LOCALE, maxLength: 5 }) },
  closed,
);
/** As a receiver of that language gets it. */
export const BroadcastPreview = Type.Object({
  subject: Type.String(),
  mail: Type.String(),
  push: Type.String(),
});
export type BroadcastPreview = Static<typeof BroadcastPreview>;

export const CancelBody = Type.Object(
  { number: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) },
  closed,
);

export const Broadcast = Type.Object({
  number: Type.Integer(),
  audience: Audience,
  subject: Type.String(),
  locales: Type.Array(Type.String()),
  state: Type.Enum([...BROADCAST_STATES]),
  sendAtMs: Type.Integer(),
  /** Queued so far. */
  mails: Type.Integer(),
  pushes: Type.Integer(),
  madeBy: Type.String(),
  madeAtMs: Type.Integer(),
  endedAtMs: OrNull(Type.Integer()),
});
export type Broadcast = Static<typeof Broadcast>;

export const BroadcastTable = Type.Object({
  broadcasts: Type.Array(Broadcast),
  /** Receivers at this moment. */
  subscribers: Type.Integer(),
  phones: Type.Integer(),
  /** False without a configured sender. */
  hasMail: Type.Boolean(),
  hasPush: Type.Boolean(),
  perMinute: Type.Integer(),
});
export type BroadcastTable = Static<typeof BroadcastTable>;

export const BROADCAST_CALLS = {
  list: endpoint("GET", "/v2/operators/broadcasts", { output: BroadcastTable }),
  preview: endpoint("POST", "/v2/operators/broadcasts/preview", {
    body: PreviewBody,
    output: BroadcastPreview,
    refusals: REFUSALS,
  }),
  send: endpoint("POST", "/v2/operators/broadcasts/send", {
    body: BroadcastBody,
    output: Broadcast,
    refusals: REFUSALS,
  }),
  cancel: endpoint("POST", "/v2/operators/broadcasts/cancel", {
    body: CancelBody,
    output: Type.Null(),
    refusals: REFUSALS,
  }),
};
