// The wire contract of copy trading: leaders with their statistics, following and its settings, results of copies,
// comments. Amounts, prices and rates are exact decimal text. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { CLIENT_ID_LENGTH_MAX, CLIENT_ID_PATTERN } from "@clockwork/kit/intent/client-id";
import { PROPOSAL_REFUSALS, ProposalMade } from "@clockwork/kit/proposal-state";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

export const COPY_CHANNEL = "copy";
export const LEAD_CHANNEL = "lead";
export const COPY_KINDS = ["futures", "spot"] as const;
export type CopyKind = (typeof COPY_KINDS)[number];

export const LEADER_SORTS = [
  "roi",
  "pnl",
  "drawdown",
  "winRate",
  "sharpe",
  "aum",
  "followers",
  "followersPnl",
] as const;
export type LeaderSort = (typeof LEADER_SORTS)[number];
export const WINDOW_TEXTS = ["7", "30", "90", "180"] as const;
export const LEADER_IDENTITIES = ["NONE", "APPLIED", "ACTIVE", "PAUSED", "CLOSING", "REJECTED", "SUSPENDED"] as const;
export type LeaderIdentity = (typeof LEADER_IDENTITIES)[number];

const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);

export const WindowFigures = Type.Object({
  days: Type.Integer(),
  roi: Type.String(),
  drawdown: Type.String(),
  pnl: Type.String(),
  trades: Type.Integer(),
  winRate: Type.String(),
  profitFactor: OrNull(Type.String()),
  sharpe: OrNull(Type.String()),
  holdingMs: Type.Integer(),
});
export type WindowFigures = Static<typeof WindowFigures>;
const Quality = Type.Object({
  copies: Type.Integer(),
  skips: Type.Integer(),
  skipRate: Type.String(),
  medianSlippageBps: OrNull(Type.String()),
  highSlippageBps: OrNull(Type.String()),
  reasons: Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() })),
  /** Copies by whole basis points of slippage, from 0 (and better) to 10; the last counts all that is worse. */
  histogram: Type.Array(Type.Integer()),
});
const summary = {
  leaderId: Type.String(),
  kind: Type.Enum([...COPY_KINDS]),
  nickname: Type.String(),
  /** Traded by the exchange's own program, with test money. */
  isSimulated: Type.Boolean(),
  level: Type.Integer(),
  state: Type.Enum([...LEADER_IDENTITIES]),
  asset: Type.String(),
  shareRate: Type.String(),
  followers: Type.Integer(),
  followersMax: Type.Integer(),
  equity: Type.String(),
  aum: Type.String(),
  followersPnl: Type.String(),
  sinceMs: Type.Integer(),
  figures: WindowFigures,
  /** The index at the end of each of the last days, and now, from 1. */
  curve: Type.Array(Type.String()),
  medianSlippageBps: OrNull(Type.String()),
  skipRate: Type.String(),
  isFollowed: Type.Boolean(),
  isFocused: Type.Boolean(),
  /** The caller is notified when a place becomes free. */
  isAwaited: Type.Boolean(),
  isOwn: Type.Boolean(),
};
export const LeaderSummary = Type.Object(summary);
export type LeaderSummary = Static<typeof LeaderSummary>;
export const LeaderPage = Type.Object({
  total: Type.Integer(),
  page: Type.Integer(),
  leaders: Type.Array(LeaderSummary),
});
export type LeaderPage = Static<typeof LeaderPage>;
export const LeaderCursorPage = Type.Object({
  leaders: Type.Array(Type.Object({ ...summary, windows: Type.Array(WindowFigures) })),
  nextCursor: OrNull(Type.String()),
});

export const LeadPosition = Type.Object({
  pairCode: Type.String(),
  side: Type.String(),
  quantity: Type.String(),
  entryPrice: Type.String(),
  markPrice: Type.String(),
  leverage: Type.Integer(),
  unrealizedPnl: Type.String(),
  /** The margin it was opened with; for a coin its cost. */
  margin: Type.String(),
  openedAtMs: Type.Integer(),
});
export type LeadPosition = Static<typeof LeadPosition>;
export const LeadTrade = Type.Object({
  pairCode: Type.String(),
  side: Type.String(),
  quantity: Type.String(),
  entryPrice: OrNull(Type.String()),
  exitPrice: OrNull(Type.String()),
  pnl: Type.String(),
  /** Against the margin it was opened with, as a rate. */
  roe: OrNull(Type.String()),
  leverage: Type.Integer(),
  openedAtMs: Type.Integer(),
  closedAtMs: Type.Integer(),
  /** Before the first start, from the pre-history. */
  isPast: Type.Boolean(),
});
export type LeadTrade = Static<typeof LeadTrade>;
const FollowerRow = Type.Object({
  name: Type.String(),
  invested: Type.String(),
  realizedPnl: Type.String(),
  sinceMs: Type.Integer(),
  mode: Type.String(),
  /** Of mode fixed and of mode multiplier. */
  fixed: Type.String(),
  multiplier: Type.String(),
  held: Type.String(),
  paid: Type.String(),
});
export type FollowerRow = Static<typeof FollowerRow>;
export const LeaderDetail = Type.Object({
  ...summary,
  bio: Type.String(),
  windows: Type.Array(WindowFigures),
  days: Type.Array(
    /** With the last price of bitcoin that day, for comparison with holding it. */
    Type.Object({ dayMs: Type.Integer(), index: Type.String(), pnl: Type.String(), btc: OrNull(Type.String()) }),
  ),
  btcNow: OrNull(Type.String()),
  /** The journal position of the figures, and when they were computed. */
  sequence: Type.Integer(),
  reckonedAtMs: Type.Integer(),
  pairs: Type.Array(Type.Object({ pairCode: Type.String(), trades: Type.Integer() })),
  quality: Quality,
  nextShareRate: OrNull(Type.String()),
  nextShareFromMs: OrNull(Type.Integer()),
  positions: Type.Array(LeadPosition),
  /** The newest; the rest by pages. */
  trades: Type.Array(LeadTrade),
  tradesTotal: Type.Integer(),
  /** The example in the follow dialog. */
  latest: OrNull(
    Type.Object({
      pairCode: Type.String(),
      quantity: Type.String(),
      price: Type.String(),
      leverage: Type.Integer(),
      /** Quantities are multiples of it. */
      step: Type.String(),
    }),
  ),
  topFollowers: Type.Array(FollowerRow),
});
export type LeaderDetail = Static<typeof LeaderDetail>;
const paged = { total: Type.Integer(), page: Type.Integer() };
export const LeadTradePage = Type.Object({ ...paged, trades: Type.Array(LeadTrade) });
export type LeadTradePage = Static<typeof LeadTradePage>;
export const FollowerPage = Type.Object({ ...paged, followers: Type.Array(FollowerRow) });
export type FollowerPage = Static<typeof FollowerPage>;

const nextCursor = OrNull(Type.String());
export const LeadTradeCursorPage = Type.Object({ trades: Type.Array(LeadTrade), nextCursor });
export type LeadTradeCursorPage = Static<typeof LeadTradeCursorPage>;
export const FollowerCursorPage = Type.Object({ followers: Type.Array(FollowerRow), nextCursor });
export type FollowerCursorPage = Static<typeof FollowerCursorPage>;
/** All that a leader's figures are made of, exact: index values 1e-12, amounts in the coin's smallest units. */
export const LeaderRecord = Type.Object({
  sequence: Type.Integer(),
  reckonedAtMs: Type.Integer(),
  index: Type.String(),
  todayUnits: Type.String(),
  scale: Type.Integer(),
  days: Type.Array(Type.Object({ dayMs: Type.Integer(), index: Type.String(), pnlUnits: Type.String() })),
  trades: Type.Array(Type.Object({ openedAtMs: Type.Integer(), closedAtMs: Type.Integer(), pnlUnits: Type.String() })),
  windows: Type.Array(WindowFigures),
});
export type LeaderRecord = Static<typeof LeaderRecord>;

export const CopyConfig = Type.Object({
  asset: Type.String(),
  investmentMin: Type.String(),
  modes: Type.Array(Type.String()),
  pairs: Type.Array(Type.String()),
  slippage: Type.Object({ min: Type.String(), max: Type.String(), default: Type.String() }),
  multiplier: Type.Object({ min: Type.String(), max: Type.String() }),
  levels: Type.Array(
    Type.Object({
      level: Type.Integer(),
      equity: Type.String(),
      followers: Type.Integer(),
      shareRateMax: Type.String(),
    }),
  ),
  settlesNextMs: Type.Integer(),
});
export type CopyConfig = Static<typeof CopyConfig>;

const settingsShown = {
  mode: Type.String(),
  fixed: Type.String(),
  multiplier: Type.String(),
  marginMode: Type.String(),
  mirrorMargin: Type.Boolean(),
  leverage: Type.Integer(),
  leverageMax: Type.Integer(),
  slippage: Type.String(),
  stopLoss: Type.String(),
  takeProfit: Type.String(),
  dailyLoss: Type.String(),
  maxOrder: Type.String(),
  maxSymbol: Type.String(),
  maxTotal: Type.String(),
  pairs: Type.Array(Type.String()),
};
export const Follow = Type.Object({
  leaderId: Type.String(),
  nickname: Type.String(),
  isSimulated: Type.Boolean(),
  leaderState: Type.String(),
  account: Type.String(),
  isActive: Type.Boolean(),
  endedBy: OrNull(Type.String()),
  endedAtMs: OrNull(Type.Integer()),
  asset: Type.String(),
  invested: Type.String(),
  equity: Type.String(),
  unrealizedPnl: Type.String(),
  /** Withdrawable money of the sub-book. */
  free: Type.String(),
  /** R, H, p × max(0, R − H) and payments so far. */
  realizedPnl: Type.String(),
  highWaterMark: Type.String(),
  shareRate: Type.String(),
  held: Type.String(),
  paid: Type.String(),
  copies: Type.Integer(),
  skips: Type.Integer(),
  followedAtMs: Type.Integer(),
  settings: Type.Object(settingsShown),
});
export type Follow = Static<typeof Follow>;
export const FollowList = Type.Array(Follow);
export const CopyPosition = Type.Object({
  leaderId: Type.String(),
  nickname: Type.String(),
  ...LeadPosition.properties,
  positionId: Type.String(),
  account: Type.String(),
  /** Prices at which all of it is closed: the leader's, mirrored, or the follower's own in their place. */
  takeProfit: OrNull(Type.String()),
  stopLoss: OrNull(Type.String()),
});
export type CopyPosition = Static<typeof CopyPosition>;
export const CopyPositionList = Type.Array(CopyPosition);
export const CopyLine = Type.Object({
  id: Type.String(),
  leaderId: Type.String(),
  what: Type.String(),
  pairCode: Type.String(),
  quantity: Type.String(),
  filled: Type.String(),
  price: OrNull(Type.String()),
  leaderPrice: OrNull(Type.String()),
  limitPrice: OrNull(Type.String()),
  /** Closed by a stop of the leader, or the follower's mirror of it: at the market, without a limit. */
  isByStop: Type.Boolean(),
  slippageBps: OrNull(Type.String()),
  place: Type.Integer(),
  reason: OrNull(Type.String()),
  code: OrNull(Type.String()),
  /** For a skip, the bound that applied: a price, a quantity or an amount, depending on the reason. */
  bound: OrNull(Type.String()),
  timeMs: Type.Integer(),
});
export type CopyLine = Static<typeof CopyLine>;
export const CopyPage = Type.Object({ copies: Type.Array(CopyLine), nextBefore: OrNull(Type.String()) });
export type CopyPage = Static<typeof CopyPage>;
export const ShareLine = Type.Object({
  id: Type.String(),
  leaderId: Type.String(),
  role: Type.Enum(["follower", "leader"]),
  cause: Type.String(),
  shareRate: Type.String(),
  paid: Type.String(),
  realizedPnl: Type.String(),
  highWaterMark: Type.String(),
  timeMs: Type.Integer(),
});
export type ShareLine = Static<typeof ShareLine>;
export const ProfitPage = Type.Object({
  /** Realised and paid over all follows, and earned as a leader. */
  realizedPnl: Type.String(),
  paid: Type.String(),
  earned: Type.String(),
  shares: Type.Array(ShareLine),
  nextBefore: OrNull(Type.String()),
});
export type ProfitPage = Static<typeof ProfitPage>;
export const Condition = Type.Object({
  name: Type.Enum(["identity", "age", "equity", "trades", "following"]),
  isMet: Type.Boolean(),
  have: Type.String(),
  need: Type.String(),
});
export type Condition = Static<typeof Condition>;
export const Identity = Type.Object({
  state: Type.Enum([...LEADER_IDENTITIES]),
  leaderId: OrNull(Type.String()),
  nickname: Type.String(),
  bio: Type.String(),
  level: Type.Integer(),
  shareRate: Type.String(),
  shareRateMax: Type.String(),
  nextShareRate: OrNull(Type.String()),
  nextShareFromMs: OrNull(Type.Integer()),
  followers: Type.Integer(),
  followersMax: Type.Integer(),
  equity: Type.String(),
  available: Type.String(),
  /** Shares paid to the leader, and the amount held for them now. */
  earned: Type.String(),
  held: Type.String(),
  reason: Type.String(),
  restUntilMs: OrNull(Type.Integer()),
  /** Open in the lead book; a spot leader trades from the ordinary spot account. */
  positions: CopyPositionList,
  conditions: Type.Array(Condition),
});
export type Identity = Static<typeof Identity>;
export const FollowerList = Type.Array(
  Type.Object({
    ...FollowerRow.properties,
    equity: Type.String(),
    copies: Type.Integer(),
  }),
);
export type FollowerList = Static<typeof FollowerList>;
/** The payload of the channel `copy`, whole each time: the follower's whole page. */
export interface CopyOverview {
  readonly follows: readonly Follow[];
  readonly positions: readonly CopyPosition[];
  readonly copies: CopyPage;
  readonly profits: ProfitPage;
}
/** The same on the channel `lead`, for leaders and applicants. */
export interface LeadOverview {
  readonly identity: Identity;
  readonly followers: FollowerList;
}
export const FocusList = Type.Array(
  Type.Object({ leaderId: Type.String(), nickname: Type.String(), note: Type.String(), sinceMs: Type.Integer() }),
);
export const Done = Type.Object({ done: Type.Boolean() });
export const ClosedCoin = Type.Object({ filled: Type.String() });
export const Followed = Type.Object({ leaderId: Type.String(), account: Type.String() });

// ---- Operators

export const ReviewRow = Type.Object({
  leaderId: Type.String(),
  kind: Type.Enum([...COPY_KINDS]),
  userId: Type.String(),
  nickname: Type.String(),
  bio: Type.String(),
  state: Type.Enum([...LEADER_IDENTITIES]),
  level: Type.Integer(),
  shareRate: Type.String(),
  isSimulated: Type.Boolean(),
  reason: Type.String(),
  appliedAtMs: Type.Integer(),
  washTrades: Type.Integer(),
});
export type ReviewRow = Static<typeof ReviewRow>;
export const ReviewList = Type.Object({ leaders: Type.Array(ReviewRow) });
export type ReviewList = Static<typeof ReviewList>;

// ---- Inputs of calls: every one bounded

const Amount = Type.String({ pattern: "^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,8})?$", maxLength: 24 });
const Rate = Type.String({ pattern: "^0(\\.[0-9]{1,4})?$", maxLength: 6 });
const Id = Type.String({ pattern: "^[0-9]{1,10}$", maxLength: 10 });
const ClientId = Type.String({ pattern: CLIENT_ID_PATTERN, maxLength: CLIENT_ID_LENGTH_MAX });
const PairCode = Type.String({ pattern: "^[A-Z0-9]{1,12}_[A-Z0-9]{1,12}$", maxLength: 25 });
const Words = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: "\\S" });
const closed = { additionalProperties: false } as const;

const looking = {
  sort: Type.Optional(Type.Enum([...LEADER_SORTS])),
  window: Type.Optional(Type.Enum([...WINDOW_TEXTS])),
  level: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  pair: Type.Optional(PairCode),
  search: Type.Optional(Type.String({ maxLength: 40 })),
  /** Only those with room for another follower. */
  open: Type.Optional(Type.Boolean()),
  focused: Type.Optional(Type.Boolean()),
  /** The deepest drawdown of the index to include, as a rate. */
  maxDrawdown: Type.Optional(Rate),
  /** Days of history at least. */
  minDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_650 })),
};
const LeadersMax = Type.Optional(Type.Integer({ minimum: 1, maximum: 480 }));
export const LeadersQuery = Type.Object({
  ...looking,
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  limit: LeadersMax,
});
export type LeadersQuery = Static<typeof LeadersQuery>;
export const LeaderParams = Type.Object({ id: Id });
export const LeadTradesQuery = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
});
export const FollowersQuery = Type.Object({
  /** By investment, or by result. */
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
export const CursorQuery = Type.Object({ ...looking, limit: LeadersMax, cursor: Cursor });
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
  /** The follow closes everything and ends when equity falls to this part of the investment, as a rate; 0 for none. */
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
/** On one copied trade: omitted members are removed. */
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
    /** From a spot sub-book, a coin that was kept; by default the coin leaders are measured in. */
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
    /** Notifies once when the leader has room for another follower. */
    tellPlace: Type.Optional(Type.Boolean()),
  },
  closed,
);

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

// ---- Calls

/** Below the address of each kind, and for futures also below its second version. */
const ownCalls = (base: string) => ({
  config: endpoint("GET", `${base}/config`, { output: CopyConfig }),
  record: endpoint("GET", `${base}/leaders/:id/record`, {
    params: LeaderParams,
    output: LeaderRecord,
    refusals: REFUSALS,
  }),
  focused: endpoint("GET", `${base}/focus`, { output: FocusList }),
  focus: endpoint("POST", `${base}/focus`, { body: FocusBody, output: Done, refusals: REFUSALS }),
  follow: endpoint("POST", `${base}/follow`, { body: FollowBody, output: Followed, refusals: REFUSALS }),
  settings: endpoint("POST", `${base}/settings`, { body: SettingsBody, output: Follow, refusals: REFUSALS }),
  cancel: endpoint("POST", `${base}/cancel`, { body: CancelBody, output: Follow, refusals: REFUSALS }),
  transfer: endpoint("POST", `${base}/transfer`, { body: TransferBody, output: Done, refusals: REFUSALS }),
  follows: endpoint("GET", `${base}/follows`, { output: FollowList }),
  positions: endpoint("GET", `${base}/positions`, { output: CopyPositionList }),
  copies: endpoint("GET", `${base}/copies`, { query: PageQuery, output: CopyPage }),
  profits: endpoint("GET", `${base}/profits`, { query: PageQuery, output: ProfitPage }),
  identity: endpoint("GET", `${base}/identity`, { output: Identity }),
  apply: endpoint("POST", `${base}/apply`, { body: ApplyBody, output: Identity, refusals: REFUSALS }),
  leave: endpoint("POST", `${base}/apply/cancel`, { body: EmptyBody, output: Identity, refusals: REFUSALS }),
  lead: endpoint("POST", `${base}/lead`, { body: LeadBody, output: Identity, refusals: REFUSALS }),
  followers: endpoint("GET", `${base}/followers`, { output: FollowerList, refusals: REFUSALS }),
  announce: endpoint("POST", `${base}/announce`, { body: AnnounceBody, output: Done, refusals: REFUSALS }),
});
const leaderCalls = (base: string) => ({
  leaders: endpoint("GET", `${base}/leaders`, { query: LeadersQuery, output: LeaderPage }),
  leader: endpoint("GET", `${base}/leaders/:id`, { params: LeaderParams, output: LeaderDetail, refusals: REFUSALS }),
  leaderTrades: endpoint("GET", `${base}/leaders/:id/trades`, {
    params: LeaderParams,
    query: LeadTradesQuery,
    output: LeadTradePage,
    refusals: REFUSALS,
  }),
  leaderFollowers: endpoint("GET", `${base}/leaders/:id/followers`, {
    params: LeaderParams,
    query: FollowersQuery,
    output: FollowerPage,
    refusals: REFUSALS,
  }),
});
const stopsCall = (base: string) =>
  endpoint("POST", `${base}/stops`, { body: StopsBody, output: CopyPosition, refusals: REFUSALS });

export type OwnCalls = ReturnType<typeof ownCalls>;
export type LeaderCalls = ReturnType<typeof leaderCalls>;
export type StopsCall = ReturnType<typeof stopsCall>;

export const COPY_CALLS = {
  futures: { ...ownCalls("/follow/v1"), ...leaderCalls("/follow/v1"), stops: stopsCall("/follow/v1") },
  spot: { ...ownCalls("/spot-follow"), ...leaderCalls("/spot-follow") },
};

/** The second version of futures returns the same; its lists use cursors. */
export const COPY_V2_CALLS = {
  ...ownCalls("/follow/v2"),
  stops: stopsCall("/follow/v2"),
  leaders: endpoint("GET", "/follow/v2/leaders", { query: CursorQuery, output: LeaderCursorPage }),
  leader: endpoint("GET", "/follow/v2/leaders/:id", { params: LeaderParams, output: LeaderDetail, refusals: REFUSALS }),
  leaderTrades: endpoint("GET", "/follow/v2/leaders/:id/trades", {
    params: LeaderParams,
    query: TradesCursorQuery,
    output: LeadTradeCursorPage,
    refusals: REFUSALS,
  }),
  leaderFollowers: endpoint("GET", "/follow/v2/leaders/:id/followers", {
    params: LeaderParams,
    query: FollowersCursorQuery,
    output: FollowerCursorPage,
    refusals: REFUSALS,
  }),
};

/** Names specific to the spot group. */
export const SPOT_COPY_CALLS = {
  traderInfo: endpoint("GET", "/spot-follow/trader-info", { output: Identity }),
  copiers: endpoint("GET", "/spot-follow/copiers", { output: FollowerList, refusals: REFUSALS }),
  close: endpoint("POST", "/spot-follow/close", { body: CloseBody, output: ClosedCoin, refusals: REFUSALS }),
  orders: endpoint("GET", "/spot-follow/orders", { query: PageQuery, output: CopyPage }),
};

export const COPY_CONSOLE_CALLS = {
  leaders: endpoint("GET", "/v1/console/copy/leaders", { query: ReviewQuery, output: ReviewList }),
  decide: endpoint("POST", "/v1/console/copy/leaders/decide", {
    body: DecideBody,
    output: ProposalMade,
    refusals: { ...PROPOSAL_REFUSALS, ...REFUSALS },
  }),
  stop: endpoint("POST", "/v1/console/copy/leaders/stop", { body: StopBody, output: Done, refusals: REFUSALS }),
};
