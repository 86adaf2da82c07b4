// What calls of copy trading may say: schemas of bodies and queries, every input bounded. Pure.
import { type Static, Type } from "typebox";
import { LEADER_IDENTITIES, LEADER_SORTS, WINDOW_TEXTS } from "./api.ts";

const Amount = Type.String({ pattern: "^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,8})?$", maxLength: 24 });
const Rate = Type.String({ pattern: "^0(\\.[0-9]{1,4})?$", maxLength: 6 });
const Id = Type.String({ pattern: "^[0-9]{1,10}$", maxLength: 10 });
const ClientId = Type.String({ pattern: "^[A-Za-z0-9._-]{1,16}$", maxLength: 16 });
const PairCode = Type.String({ pattern: "^[A-Z0-9]{1,12}_[A-Z0-9]{1,12}$", maxLength: 25 });
const Words = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: "\\S" });
const closed = { additionalProperties: false } as const;

export const LeadersQuery = Type.Object({
  sort: Type.Optional(Type.Enum([...LEADER_SORTS])),
  window: Type.Optional(Type.Enum([...WINDOW_TEXTS])),
  level: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  pair: Type.Optional(PairCode),
  search: Type.Optional(Type.String({ maxLength: 40 })),
  /** Only those with room for another follower. */
  open: Type.Optional(Type.Boolean()),
  focused: Type.Optional(Type.Boolean()),
  /** Deepest fall of the index that is still shown, as a rate. */
  maxDrawdown: Type.Optional(Rate),
  /** Days of history at least. */
  minDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_650 })),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
});
export type LeadersQuery = Static<typeof LeadersQuery>;
export const LeaderParams = Type.Object({ id: Id });
export const LeadTradesQuery = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
});
export const FollowersQuery = Type.Object({
  /** By what was invested, or by what came of it. */
  sort: Type.Optional(Type.Enum(["amount", "result"])),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
});
export type FollowersQuery = Static<typeof FollowersQuery>;
export const PageQuery = Type.Object({
  leaderId: Type.Optional(Id),
  before: Type.Optional(Type.String({ pattern: "^[0-9]{1,16}(\\.[0-9]{1,9})?$", maxLength: 26 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
});
export type PageQuery = Static<typeof PageQuery>;
/** A rank and how many of it were shown. */
const Cursor = Type.Optional(Type.String({ pattern: "^-?[0-9]{1,30}\\.[0-9]{1,6}$", maxLength: 40 }));
const { page: _page, ...filters } = LeadersQuery.properties;
export const CursorQuery = Type.Object({ ...filters, cursor: Cursor });
export type CursorQuery = Static<typeof CursorQuery>;
export const TradesCursorQuery = Type.Object({ cursor: Cursor, limit: LeadTradesQuery.properties.limit });
export type TradesCursorQuery = Static<typeof TradesCursorQuery>;
export const FollowersCursorQuery = Type.Object({
  sort: FollowersQuery.properties.sort,
  cursor: Cursor,
  limit: FollowersQuery.properties.limit,
});
export type FollowersCursorQuery = Static<typeof FollowersCursorQuery>;

const settings = {
  mode: Type.Enum(["fixed", "multiplier", "proportional"]),
  /** Mode fixed: margin (spot: quote amount) for each opening order of the leader's. */
  fixed: Type.Optional(Amount),
  multiplier: Type.Optional(Type.String({ pattern: "^[0-9]{1,2}(\\.[0-9]{1,4})?$", maxLength: 7 })),
  marginMode: Type.Optional(Type.Enum(["follow", "isolated", "cross"])),
  mirrorMargin: Type.Optional(Type.Boolean()),
  leverage: Type.Optional(Type.Integer({ minimum: 0, maximum: 125 })),
  leverageMax: Type.Optional(Type.Integer({ minimum: 0, maximum: 125 })),
  /** Against the leader's average price, as a rate: 0.001 to 0.05. */
  slippage: Type.Optional(Rate),
  /** All is closed and the follow ends when equity falls to this part of the investment, as a rate; 0 for none. */
  stopLoss: Type.Optional(Rate),
  /** The same when it rises to this multiple of it. */
  takeProfit: Type.Optional(Type.String({ pattern: "^[0-9]{1,3}(\\.[0-9]{1,4})?$", maxLength: 8 })),
  dailyLoss: Type.Optional(Amount),
  maxOrder: Type.Optional(Amount),
  maxSymbol: Type.Optional(Amount),
  maxTotal: Type.Optional(Amount),
  pairs: Type.Optional(Type.Array(PairCode, { maxItems: 16, uniqueItems: true })),
};
export const FollowBody = Type.Object(
  { leaderId: Id, investment: Amount, from: Type.Optional(Type.Enum(["1", "2", "3"])), ...settings },
  closed,
);
export type FollowBody = Static<typeof FollowBody>;
export const SettingsBody = Type.Object({ leaderId: Id, ...settings }, closed);
export type SettingsBody = Static<typeof SettingsBody>;
export const CancelBody = Type.Object({ leaderId: Id, positions: Type.Enum(["close", "keep"]) }, closed);
/** On one copied trade: what is left out is taken back. */
export const StopsBody = Type.Object(
  {
    leaderId: Id,
    positionId: Type.String({ pattern: "^[0-9]{1,16}$", maxLength: 16 }),
    takeProfit: Type.Optional(Amount),
    stopLoss: Type.Optional(Amount),
  },
  closed,
);
export type StopsBody = Static<typeof StopsBody>;
/** Of spot: everything a copy holds of one coin. */
export const CloseBody = Type.Object({ leaderId: Id, pairCode: PairCode, clientId: ClientId }, closed);
export type CloseBody = Static<typeof CloseBody>;
export const TransferBody = Type.Object(
  {
    /** Into or out of the own lead book, or the sub-book of a follow when a leader is named. */
    direction: Type.Enum(["in", "out"]),
    leaderId: Type.Optional(Id),
    /** Out of a spot sub-book, for a coin that was kept; the coin leaders are counted in where none is named. */
    asset: Type.Optional(Type.String({ pattern: "^[A-Z0-9]{1,12}$", maxLength: 12 })),
    /** With `all`, everything of it that is free, to the last unit. */
    amount: Type.String({ pattern: "^(all|(0|[1-9][0-9]{0,14})(\\.[0-9]{1,18})?)$", maxLength: 34 }),
    clientId: ClientId,
  },
  closed,
);
export type TransferBody = Static<typeof TransferBody>;
export const ApplyBody = Type.Object(
  {
    nickname: Type.String({ pattern: "^[\\p{L}\\p{N}][\\p{L}\\p{N} _.-]{1,19}$", maxLength: 20 }),
    bio: Words(500),
    shareRate: Rate,
  },
  closed,
);
export type ApplyBody = Static<typeof ApplyBody>;
export const LeadBody = Type.Object(
  {
    state: Type.Optional(Type.Enum(["active", "paused"])),
    shareRate: Type.Optional(Rate),
    bio: Type.Optional(Words(500)),
  },
  closed,
);
export type LeadBody = Static<typeof LeadBody>;
export const EmptyBody = Type.Object({}, closed);
export const AnnounceBody = Type.Object({ text: Words(500), clientId: ClientId }, closed);
export const FocusBody = Type.Object(
  {
    leaderId: Id,
    isOn: Type.Boolean(),
    note: Type.Optional(Type.String({ maxLength: 200 })),
    /** Tells once when the leader has room for another follower. */
    tellPlace: Type.Optional(Type.Boolean()),
  },
  closed,
);
// ---- Operators

export const ReviewQuery = Type.Object({ state: Type.Optional(Type.Enum([...LEADER_IDENTITIES])) });
export const DecidePayload = Type.Object({ leaderId: Id, user: Id, action: Type.Enum(["approve", "resume"]) }, closed);
export type DecidePayload = Static<typeof DecidePayload>;
export const DecideBody = Type.Object(
  { leaderId: Id, action: Type.Enum(["approve", "resume"]), clientId: ClientId },
  closed,
);
export const StopBody = Type.Object(
  { leaderId: Id, action: Type.Enum(["reject", "suspend"]), reason: Words(300) },
  closed,
);
