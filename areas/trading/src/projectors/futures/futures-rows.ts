// Owns the shape of the tables of perpetuals (see the SQL files here). Contains no behaviour.
import { RowShape } from "@clockwork/host/row-shape";

export interface PositionRow {
  position_id: number;
  account: number;
  market: number;
  side: "long" | "short";
  leverage: number;
  /** For a closed position: the last value. */
  isolated: boolean;
  /** Long positive, short negative, 0 when closed. */
  lots: bigint;
  /** Rounded up, by this many parts of 2^48. */
  cost_units: bigint;
  cost_excess: bigint;
  margin_units: bigint;
  /** Sums over its life; fees and funding as they changed the balance. */
  realized_units: bigint;
  fee_units: bigint;
  funding_units: bigint;
  max_lots: bigint;
  entered_lots: bigint;
  entered_units: bigint;
  entered_excess: bigint;
  closed_lots: bigint;
  closed_units: bigint;
  opened_sequence: number;
  opened_ms: number;
  updated_sequence: number;
  updated_ms: number;
  closed_sequence: number | null;
  ended_by: "close" | "liquidation" | "adl" | "delisting" | "reset" | null;
  /** Which of the liquidations of the command that ended it. */
  liquidation_place: number | null;
}

/** Market 0 holds the modes of the whole account. */
export interface SettingRow {
  account: number;
  market: number;
  isolated: boolean;
  hedge: boolean;
  split: boolean;
  auto_append: boolean;
  leverage_long: number;
  leverage_short: number;
}

/** How an account holds its positions from this command on. */
export interface ModeRow {
  account: number;
  sequence: number;
  hedge: boolean;
}

/** A change of an isolated position's own margin. */
export interface MarginRow {
  account: number;
  sequence: number;
  /** Among those of the command. */
  line: number;
  market: number;
  position_id: number;
  side: "long" | "short";
  delta_units: bigint;
  margin_units: bigint;
  automatic: boolean;
  time_ms: number;
}

export interface StopRow {
  order_id: number;
  account: number;
  position_id: number;
  is_whole: boolean;
  pair_id: number | null;
}

export interface BonusRow {
  grant_id: number;
  account: number;
  asset: number;
  state: string;
  given_units: bigint;
  left_units: bigint;
  expires_ms: number;
  granted_sequence: number;
  granted_ms: number;
  updated_ms: number;
  /** The sub of its treasury, and the amount returned there. */
  source: number;
  returned_units: bigint;
}

export interface ResetRow {
  account: number;
  asset: number;
  units: bigint;
  time_ms: number;
}

export interface LiquidationRow {
  sequence: number;
  place: number;
  account: number;
  market: number;
  position_id: number;
  isolated: boolean;
  leverage: number;
  /** The position that was taken, as it was. */
  lots: bigint;
  cost_units: bigint;
  cost_excess: bigint;
  mark_ticks: number;
  cash_units: bigint;
  profit_units: bigint;
  need_units: bigint;
  available_units: bigint;
  frozen_units: bigint;
  time_ms: number;
}

export interface StepRow {
  sequence: number;
  place: number;
  line: number;
  step: string;
  market: number;
  position_id: number;
  bankruptcy_ticks: number;
  /** The position's lots before the step. */
  held_lots: bigint;
  lots: bigint;
  value_units: bigint;
  cash_units: bigint | null;
  /** The part the book took. */
  book_lots: bigint;
  book_units: bigint;
  /** Received by the insurance fund, or paid when negative. */
  fund_units: bigint;
  fee_units: bigint;
}

export interface DeleveragingRow {
  sequence: number;
  number: number;
  /** The liquidation and its step; null when the fund itself had to reduce its holding. */
  place: number | null;
  line: number | null;
  account: number;
  market: number;
  position_id: number;
  price_ticks: number;
  lots: bigint;
  value_units: bigint;
  realized_units: bigint;
  time_ms: number;
}

export const POSITION_COLUMNS = [
  "position_id",
  "account",
  "market",
  "side",
  "leverage",
  "isolated",
  "lots",
  "cost_units",
  "cost_excess",
  "margin_units",
  "realized_units",
  "fee_units",
  "funding_units",
  "max_lots",
  "entered_lots",
  "entered_units",
  "entered_excess",
  "closed_lots",
  "closed_units",
  "opened_sequence",
  "opened_ms",
  "updated_sequence",
  "updated_ms",
  "closed_sequence",
  "ended_by",
  "liquidation_place",
];
export const POSITIONS = new RowShape({
  table: "engine_positions",
  columns: POSITION_COLUMNS,
  key: ["position_id"],
  kept: ["account", "market", "side", "opened_sequence", "opened_ms"],
});
export const SETTINGS = new RowShape({
  table: "engine_perp_settings",
  columns: ["account", "market", "isolated", "hedge", "split", "auto_append", "leverage_long", "leverage_short"],
  key: ["account", "market"],
});
/** For contracts without stored settings: existing rows are unchanged. */
export const ASSUMED_SETTINGS = new RowShape({
  table: "engine_perp_settings",
  columns: SETTINGS.columns,
  key: ["account", "market"],
  kept: ["isolated", "hedge", "split", "auto_append", "leverage_long", "leverage_short"],
});
export const MODES = new RowShape({
  table: "engine_perp_modes",
  columns: ["account", "sequence", "hedge"],
  key: ["account", "sequence"],
});
export const MARGINS = new RowShape({
  table: "engine_margin_changes",
  columns: [
    "account",
    "sequence",
    "line",
    "market",
    "position_id",
    "side",
    "delta_units",
    "margin_units",
    "automatic",
    "time_ms",
  ],
});
export const STOPS = new RowShape({
  table: "engine_stops",
  columns: ["order_id", "account", "position_id", "is_whole", "pair_id"],
  key: ["order_id"],
});
export const BONUSES = new RowShape({
  table: "engine_bonuses",
  columns: [
    "grant_id",
    "account",
    "asset",
    "state",
    "given_units",
    "left_units",
    "expires_ms",
    "granted_sequence",
    "granted_ms",
    "updated_ms",
    "source",
    "returned_units",
  ],
  key: ["grant_id"],
  kept: ["account", "asset", "given_units", "granted_sequence", "granted_ms", "source"],
});
export const RESETS = new RowShape({
  table: "engine_demo_resets",
  columns: ["account", "asset", "units", "time_ms"],
  key: ["account"],
});
export const LIQUIDATIONS = new RowShape({
  table: "engine_liquidations",
  columns: [
    "sequence",
    "place",
    "account",
    "market",
    "position_id",
    "isolated",
    "leverage",
    "lots",
    "cost_units",
    "cost_excess",
    "mark_ticks",
    "cash_units",
    "profit_units",
    "need_units",
    "available_units",
    "frozen_units",
    "time_ms",
  ],
});
export const STEPS = new RowShape({
  table: "engine_liquidation_steps",
  columns: [
    "sequence",
    "place",
    "line",
    "step",
    "market",
    "position_id",
    "bankruptcy_ticks",
    "held_lots",
    "lots",
    "value_units",
    "cash_units",
    "book_lots",
    "book_units",
    "fund_units",
    "fee_units",
  ],
});
export const DELEVERAGINGS = new RowShape({
  table: "engine_deleveragings",
  columns: [
    "sequence",
    "number",
    "place",
    "line",
    "account",
    "market",
    "position_id",
    "price_ticks",
    "lots",
    "value_units",
    "realized_units",
    "time_ms",
  ],
});
