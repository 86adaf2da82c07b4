// Owns the shape of the tables of ledger and orders (see the SQL files here). Contains no behaviour.

export interface AccountRow {
  account: number;
  user_id: number;
  book: string;
  sub: number;
  group_id: number;
  flags: number;
  created_ms: number;
}

export interface AssetRow {
  asset: number;
  symbol: string;
  scale: number;
}

export interface MarketRow {
  market: number;
  kind: string;
  base_asset: number;
  quote_asset: number;
  step_units: bigint;
  tick_lot_units: bigint;
  status: string;
  /** Of contracts: the settlement asset and the worth of a lot; null where the market's own quote and units apply. */
  settle_asset: number | null;
  factor: bigint | null;
}

export interface OrderRow {
  order_id: number;
  kind: "order" | "conditional" | "twap";
  account: number;
  market: number;
  side: string;
  type: string;
  time_in_force: string;
  post_only: string;
  self_trade: string;
  reduce_only: boolean;
  iceberg: boolean;
  in_quote: boolean;
  price_ticks: number;
  quantity: bigint;
  filled_lots: bigint;
  filled_units: bigint;
  state: string;
  end_reason: string | null;
  client_order_id: string | null;
  list_id: number | null;
  list_leg: string | null;
  trigger_ticks: number | null;
  trigger_source: string | null;
  trigger_direction: string | null;
  callback_bps: number | null;
  profit_ticks: number | null;
  stop_ticks: number | null;
  stop_limit_ticks: number | null;
  peak_ticks: number | null;
  slices_done: number | null;
  slice_count: number | null;
  slice_ms: number | null;
  /** Of an iceberg: the visible quantity. */
  visible_lots: number | null;
  /** Of an order that lasts until a day: when it ends. */
  expires_ms: number | null;
  /** The TWAP it is a slice of; its `slices_done` is then its own number. */
  parent_id: number | null;
  created_sequence: number;
  created_ms: number;
  updated_sequence: number;
  updated_ms: number;
}

export interface FillRow {
  market: number;
  trade_number: number;
  role: "maker" | "taker";
  account: number;
  order_id: number;
  side: string;
  price_ticks: number;
  lots: bigint;
  notional_units: bigint;
  fee_asset: number | null;
  fee_units: bigint;
  /** Of contracts: realised profit before fees. */
  realized_units: bigint;
  /** The part of its fee paid by almighty gold; `fee_units` is the rest. */
  gold_fee_units: bigint;
  sequence: number;
  time_ms: number;
}

/** One account's turnover in one market in one hour, in one role. */
export interface TurnoverRow {
  hour: number;
  account: number;
  market: number;
  role: string;
  fee_asset: number;
  notional_units: bigint;
  fee_units: bigint;
}

/** An account's turnover in a UTC day, by market, side and coin of the fee. */
export interface FillDayRow {
  account: number;
  day: number;
  market: number;
  side: string;
  fee_asset: number;
  lots: bigint;
  notional_units: bigint;
  fee_units: bigint;
}

/** An account's bills in a UTC day. */
export interface BillDayRow {
  account: number;
  day: number;
  asset: number;
  business: string;
  units: bigint;
  bills: number;
  /** The largest change, either way. */
  most_units: bigint;
}

/** Sequences of the journal that a block of bills has. */
export const BLOCK_SEQUENCES = 2_048;

/** The largest change of an account's bills in a block, either way. */
export interface BillBlockRow {
  account: number;
  asset: number;
  business: string;
  block: number;
  most_units: bigint;
}

export interface BillRow {
  sequence: number;
  line: number;
  account: number;
  asset: number;
  business: string;
  delta_units: bigint;
  available_units: bigint;
  frozen_units: bigint;
  counterparty: number;
  market: number;
  reference_number: number;
  reference: string | null;
  time_ms: number;
  /** Of funding: when it was due. */
  settled_ms: number | null;
}

export interface BalanceRow {
  account: number;
  asset: number;
  available_units: bigint;
  frozen_units: bigint;
  updated_sequence: number;
}

/** Rates in 1e-8; account 0 is the group's own row, −1 in an account's row means the group's rate. */
export interface FeeRow {
  account: number;
  fee_group: number;
  maker_rate: number;
  taker_rate: number;
}

/** The fee of a user on every market, in 1e-8; −1 where the fee group's rate applies. */
export interface UserFeeRow {
  user_id: number;
  spot_maker_rate: number;
  spot_taker_rate: number;
  perp_maker_rate: number;
  perp_taker_rate: number;
}

export interface ExpiredHoldRow {
  sequence: number;
  line: number;
  account: number;
  business: string;
  asset: number;
  units: bigint;
  hold: string;
  time_ms: number;
}

/** USDT units of a user's worth that are restricted. */
export interface RestrictionRow {
  user_id: number;
  total_units: bigint;
  updated_sequence: number;
  updated_ms: number;
}

/** A user's debt to the exchange in an asset. */
export interface DebtRow {
  user_id: number;
  asset: number;
  owed_units: bigint;
  updated_sequence: number;
  updated_ms: number;
}

export interface HouseAccountRow {
  account: number;
  purpose: string;
  sub: number;
}

/** In force from `since_sequence` to before `until_sequence`. */
export interface SeedRow {
  number: number;
  seed: string;
  since_sequence: number;
  until_sequence: number;
  replaced_ms: number;
}

/** The last value of an asset in a minute or a day: units × up ÷ down in USDT's units. */
export interface ValueRow {
  asset: number;
  span_ms: number;
  slot_ms: number;
  up: number;
  down: number;
}

/** A margin notice of a user; the body is the event as JSON. */
export interface MarginNotifiedRow {
  sequence: number;
  line: number;
  account: number;
  kind: string;
  body: string;
  time_ms: number;
}

// A type, not an interface: only a type fits Kysely's table record.
export type ProjectionTables = {
  engine_accounts: AccountRow;
  engine_assets: AssetRow;
  engine_markets: MarketRow;
  engine_orders: OrderRow;
  engine_fills: FillRow;
  engine_turnover: TurnoverRow;
  engine_fill_days: FillDayRow;
  engine_bill_days: BillDayRow;
  engine_bill_blocks: BillBlockRow;
  engine_minutes: { minute: number; sequence: number };
  engine_values: ValueRow;
  engine_bills: BillRow;
  engine_balances: BalanceRow;
  engine_fees: FeeRow;
  engine_user_fees: UserFeeRow;
  engine_expired_holds: ExpiredHoldRow;
  engine_restrictions: RestrictionRow;
  engine_debts: DebtRow;
  engine_house_accounts: HouseAccountRow;
  engine_seeds: SeedRow;
  engine_margin_told: MarginNotifiedRow;
};
