// Copy trading on the wire: leaders with their statistics, following and its settings, what copies came of it, comments.
// Amounts, prices and rates are exact decimal text. The only file of the slice a browser may import.
import { type Static, Type } from "typebox";

export const COPY_CHANNEL = "copy";
export const LEAD_CHANNEL = "lead";
export const COPY_KINDS = ["futures", "spot"] as const;
export type CopyKind = (typeof COPY_KINDS)[number];
/** Where each kind answers. */
export const COPY_PATHS: Readonly<Record<CopyKind, string>> = { futures: "/follow/v1", spot: "/spot-follow" };
export const COPY_V2_PATH = "/follow/v2";

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
  /** The caller is told when there is room. */
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
  /** What it was opened with; of a coin its cost. */
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
    /** With the last price of bitcoin that day, for whoever would rather have held it. */
    Type.Object({ dayMs: Type.Integer(), index: Type.String(), pnl: Type.String(), btc: OrNull(Type.String()) }),
  ),
  btcNow: OrNull(Type.String()),
  /** The journal's command up to which figures go, and when they were reckoned. */
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
  /** What the follow dialog shows as an example. */
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
  /** Money of the sub-book that may be taken out. */
  free: Type.String(),
  /** R, H, p × max(0, R − H) and what was paid so far. */
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
  /** A stop of the leader's, or the follower's mirror of it, closed it: at the market, without a limit. */
  isByStop: Type.Boolean(),
  slippageBps: OrNull(Type.String()),
  place: Type.Integer(),
  reason: OrNull(Type.String()),
  code: OrNull(Type.String()),
  /** Of a skip, the bound that was met: a price, a quantity or an amount, as the reason has it. */
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
  /** Shares paid to the leader, and what is held for him now. */
  earned: Type.String(),
  held: Type.String(),
  reason: Type.String(),
  restUntilMs: OrNull(Type.Integer()),
  /** Open in the lead book; a spot leader trades his ordinary spot account. */
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
/** What the channel `copy` carries, whole each time: all that a follower's page shows. */
export interface CopyOverview {
  readonly follows: readonly Follow[];
  readonly positions: readonly CopyPosition[];
  readonly copies: CopyPage;
  readonly profits: ProfitPage;
}
/** The same of the channel `lead` for whoever leads or applies. */
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
