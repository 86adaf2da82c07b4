// Owns the shape of the tables of copy trading (see 009-copy.sql here). Contains no behaviour.
import { RowShape } from "@clockwork/host/row-shape";
import { POSITION_COLUMNS } from "@clockwork/trading/projectors/futures/futures-rows";

export interface LeaderRow {
  account: number;
  state: string;
  asset: number;
  share_rate: number;
  next_share_rate: number;
  next_share_ms: number;
  followers_max: number;
  followers: number;
  since_ms: number;
  updated_ms: number;
}

export interface CopyRow {
  sequence: number;
  line: number;
  account: number;
  leader: number;
  what: string;
  market: number;
  place: number;
  lots: number;
  order_id: number | null;
  filled_lots: number;
  leader_ticks: number | null;
  limit_ticks: number | null;
  /** Σ ticks × lots of the fills. */
  tick_lots: bigint;
  slippage: number | null;
  reason: string | null;
  code: string | null;
  bound: number | null;
  time_ms: number;
}

export interface ShareRow {
  sequence: number;
  line: number;
  account: number;
  leader: number;
  cause: string;
  share_rate: number;
  paid_units: number;
  realized_units: number;
  mark_units: number;
  unrealized_units: number;
  time_ms: number;
}

export interface LeadBookRow {
  account: number;
  kind: "futures" | "spot";
  asset: number;
  cash_units: bigint;
  /** The index of its worth when it was last continued, in 1e-12, and the worth of the book then. */
  nav: bigint;
  base_units: bigint;
  /** Its worth when the day started, and deposits and withdrawals since. */
  day_units: bigint;
  flow_units: bigint;
  since_ms: number;
}

export interface LeadCoinRow {
  account: number;
  asset: number;
  units: bigint;
  cost_units: bigint;
  since_ms: number;
}

export interface LeadSaleRow {
  sequence: number;
  line: number;
  account: number;
  market: number;
  units: bigint;
  proceeds_units: bigint;
  cost_units: bigint;
  opened_ms: number;
  time_ms: number;
}

export interface LeadDayRow {
  account: number;
  day_ms: number;
  nav: bigint;
  equity_units: bigint;
  flow_units: bigint;
  pnl_units: bigint;
}

export interface LeadMarkRow {
  market: number;
  minute_ms: number;
  ticks: number;
}

export const LEADERS = new RowShape({
  table: "engine_leaders",
  columns: [
    "account",
    "state",
    "asset",
    "share_rate",
    "next_share_rate",
    "next_share_ms",
    "followers_max",
    "followers",
    "since_ms",
    "updated_ms",
  ],
  key: ["account"],
  kept: ["since_ms"],
});
const FOLLOW_COLUMNS = [
  "account",
  "leader",
  "is_active",
  "ended_by",
  "share_rate",
  "invested_units",
  "realized_units",
  "mark_units",
  "held_units",
  "followed_ms",
  "updated_ms",
];
/** Started, or started again. */
export const FOLLOWED = new RowShape({ table: "engine_follows", columns: FOLLOW_COLUMNS, key: ["account"] });
/** Changed or ended: the start is unchanged. */
export const FOLLOW_CHANGED = new RowShape({
  table: "engine_follows",
  columns: FOLLOW_COLUMNS,
  key: ["account"],
  kept: ["followed_ms"],
});
export const FOLLOW_SETTINGS = new RowShape({
  table: "engine_follows",
  columns: [
    "account",
    "mode",
    "margin_mode",
    "mirror_margin",
    "multiplier",
    "leverage",
    "leverage_max",
    "slippage_bps",
    "stop_loss_bps",
    "take_profit_bps",
    "fixed_units",
    "daily_loss_units",
    "max_order_units",
  ],
  key: ["account"],
});
export const FOLLOW_SCOPE = new RowShape({
  table: "engine_follows",
  columns: ["account", "max_symbol_units", "max_total_units", "markets"],
  key: ["account"],
});
export const FOLLOW_HELD = new RowShape({
  table: "engine_follows",
  columns: ["account", "share_rate", "invested_units", "held_units", "realized_units", "mark_units"],
  key: ["account"],
});
export const COPIES = new RowShape({
  table: "engine_copies",
  columns: [
    "sequence",
    "line",
    "account",
    "leader",
    "what",
    "market",
    "place",
    "lots",
    "order_id",
    "filled_lots",
    "leader_ticks",
    "limit_ticks",
    "tick_lots",
    "slippage",
    "reason",
    "code",
    "bound",
    "time_ms",
  ],
});
export const SHARES = new RowShape({
  table: "engine_shares",
  columns: [
    "sequence",
    "line",
    "account",
    "leader",
    "cause",
    "share_rate",
    "paid_units",
    "realized_units",
    "mark_units",
    "unrealized_units",
    "time_ms",
  ],
});
export const LEAD_BOOKS = new RowShape({
  table: "engine_lead_books",
  columns: ["account", "kind", "asset", "cash_units", "nav", "base_units", "day_units", "flow_units", "since_ms"],
  key: ["account"],
});
export const LEAD_COINS = new RowShape({
  table: "engine_lead_coins",
  columns: ["account", "asset", "units", "cost_units", "since_ms"],
  key: ["account", "asset"],
});
export const LEAD_POSITIONS = new RowShape({
  table: "engine_lead_positions",
  columns: POSITION_COLUMNS,
  key: ["position_id"],
  kept: ["account", "market", "side", "opened_sequence", "opened_ms"],
});
export const LEAD_SALES = new RowShape({
  table: "engine_lead_sales",
  columns: ["sequence", "line", "account", "market", "units", "proceeds_units", "cost_units", "opened_ms", "time_ms"],
});
export const LEAD_DAYS = new RowShape({
  table: "engine_lead_days",
  columns: ["account", "day_ms", "nav", "equity_units", "flow_units", "pnl_units"],
  key: ["account", "day_ms"],
});
export const LEAD_MARKS = new RowShape({
  table: "engine_lead_marks",
  columns: ["market", "minute_ms", "ticks"],
  key: ["market"],
});
