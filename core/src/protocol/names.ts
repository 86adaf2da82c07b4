// Owns every closed list of names in the core's vocabulary. A name's position is its byte in journals and
// snapshots, so lists only ever grow at the end; never reorder or remove.

export const SIDES = ["buy", "sell"] as const;
export const ORDER_TYPES = ["limit", "market"] as const;
export const TIMES_IN_FORCE = ["GTC", "IOC", "FOK", "GTD"] as const;
export const POST_ONLY_MODES = ["no", "reject", "reprice"] as const;
export const SELF_TRADE_MODES = ["EXPIRE_TAKER", "EXPIRE_MAKER", "EXPIRE_BOTH", "DECREMENT", "NONE"] as const;
export const MARKET_KINDS = ["spot", "linear", "inverse"] as const;
export const MARKET_STATUSES = ["PRE", "AUCTION", "TRADING", "CANCEL_ONLY", "REDUCE_ONLY", "HALT", "DELISTED"] as const;
export const CONDITIONAL_TYPES = ["stopLimit", "stopMarket", "trailingStop"] as const;
export const TRIGGER_SOURCES = ["last", "mark", "index"] as const;
export const TRIGGER_DIRECTIONS = ["rises", "falls"] as const;
export const SCALED_SHAPES = ["flat", "rising", "falling"] as const;
export const LIST_TYPES = ["oco", "bracket"] as const;
export const LIST_LEGS = ["entry", "profit", "stop"] as const;

/** What a fill or a price can cause, in the order in which it runs. */
export const FOLLOW_UPS = ["list", "plan", "bot", "copy"] as const;

/** Why an order left the book or a conditional order was withdrawn. */
export const END_REASONS = [
  "USER",
  "IOC_REST",
  "FOK_UNFILLED",
  "MARKET_REST",
  "GTD_EXPIRED",
  "STP_TAKER",
  "STP_MAKER",
  "STP_DECREMENT",
  "DEAD_MAN",
  "MARKET_STATUS",
  "LIST_SIBLING",
  "CANCEL_ALL",
  "AMEND_REPLACED",
  "TRIGGER_REJECTED",
  "LIQUIDATION",
  "ACCOUNT_BLOCKED",
  "TWAP_ENDED",
  "PRICE_BAND",
  "LIST_DONE",
  /** A quote amount bought all it could; what is left is less than one lot more. */
  "QUOTE_SPENT",
  /** A reducing order was trimmed to the position it reduces. */
  "POSITION_REDUCED",
  /** The position the order belonged to is over. */
  "POSITION_CLOSED",
  /** Taken back to free margin for a close. */
  "CLOSE_ON_TRIGGER",
] as const;

export const ORDER_STATES = [
  "REJECTED",
  "PENDING_TRIGGER",
  "NEW",
  "PARTIALLY_FILLED",
  "FILLED",
  "CANCELED",
  "EXPIRED",
  "EXPIRED_STP",
] as const;

/** The state an order ends in, by reason. */
export function endState(reason: (typeof END_REASONS)[number]): (typeof ORDER_STATES)[number] {
  switch (reason) {
    case "USER":
    case "CANCEL_ALL":
    case "DEAD_MAN":
    case "LIST_SIBLING":
    case "AMEND_REPLACED":
    case "POSITION_REDUCED":
    case "POSITION_CLOSED":
    case "CLOSE_ON_TRIGGER":
      return "CANCELED";
    case "STP_TAKER":
    case "STP_MAKER":
    case "STP_DECREMENT":
      return "EXPIRED_STP";
    case "TRIGGER_REJECTED":
      return "REJECTED";
    case "QUOTE_SPENT":
      return "FILLED";
    default:
      return "EXPIRED";
  }
}

/** Books an account can be. `sub` of the account tells coins, bots and leaders apart. */
export const BOOKS = [
  "funding",
  "spot",
  "linear",
  "inverse",
  "copyF",
  "copyFLead",
  "copyS",
  "bot",
  "earn",
  "otc",
  "bonus",
  "demo",
  "house",
] as const;

/** House books have these positions as their account ids; users' accounts start at FIRST_USER_ACCOUNT. */
export const HOUSE_BOOKS = [
  "none",
  "fees",
  "insurance",
  "rounding",
  "earnPool",
  "otcEscrow",
  "merchantBond",
  "launchEscrow",
  "reserves",
  "suspense",
  "external",
  /** Stands between winners and losers of perpetuals: it owes what open positions have gained so far. */
  "clearing",
  /** Owes what bankrupt accounts left when the insurance fund was empty; what comes to the fund repays it first. */
  "deficit",
] as const;

/**
 * What a house account is for. Those that are house books too mean the book itself under sub 0. None of them ever owes:
 * what it pays was brought in before.
 */
export const HOUSE_PURPOSES = [
  /** The exchange's own coins; in a run with test money everything comes from here. */
  "reserves",
  /** What came in or is owed and cannot be given to anybody yet. */
  "suspense",
  "otcEscrow",
  "merchantBond",
  "launchEscrow",
  "earnPool",
  "interestTreasury",
  "campaignTreasury",
  "couponTreasury",
  "rebateSource",
  /** The stock of one sale, by sub. */
  "sale",
] as const;

/** What the value of an asset comes from. */
export const VALUE_SOURCES = ["none", "index", "median"] as const;

/** How a restriction ended. */
export const RESTRICTION_ENDS = ["lifted", "expired"] as const;

export const FEES_ACCOUNT = 1;
export const INSURANCE_ACCOUNT = 2;
export const ROUNDING_ACCOUNT = 3;
export const RESERVES_ACCOUNT = 8;
export const EXTERNAL_ACCOUNT = 10;
export const CLEARING_ACCOUNT = 11;
export const DEFICIT_ACCOUNT = 12;
export const FIRST_USER_ACCOUNT = 16;

/**
 * Users of these numbers are the exchange's own simulated traders: people's numbers are drawn far above. The core treats
 * them like everybody; whoever keeps rows, counts volumes or pays rewards asks here and leaves them out.
 */
export const SIMULATED_USER_MIN = 1_000_000;
export const SIMULATED_USER_MAX = 1_999_999;

export function isSimulatedUser(user: number): boolean {
  return user >= SIMULATED_USER_MIN && user <= SIMULATED_USER_MAX;
}

/** The business type of a posting. */
export const BUSINESSES = [
  "trade",
  "fee",
  "rounding",
  "transfer",
  "deposit",
  "withdrawal",
  "withdrawalFee",
  "faucet",
  "internalTransfer",
  "convert",
  "earnSubscribe",
  "earnRedeem",
  "earnInterest",
  "otcEscrow",
  "otcRelease",
  "otcFee",
  "merchantBond",
  "launchCommit",
  "launchAllocate",
  "launchRefund",
  "reward",
  "coupon",
  "bonus",
  "rebate",
  "profitShare",
  "botFund",
  "copyFund",
  "adjustment",
  "openFee",
  "closeFee",
  "realized",
  "funding",
  "liquidationFee",
  "insurance",
  "adl",
  /** Between the wallet and an isolated position's own margin. */
  "margin",
  /** A deposit taken back because its block was replaced, and what repays it. */
  "reorg",
  /** What a chain took for the house's own transactions. */
  "networkFee",
] as const;

export const LEADER_STATES = ["none", "active", "paused", "suspended"] as const;
/** How much a follower copies: a margin of his own, a multiple of the lots, or the same part of his equity. */
export const COPY_MODES = ["fixed", "multiplier", "proportional"] as const;
export const COPY_MARGIN_MODES = ["follow", "isolated", "cross"] as const;
/** What becomes of what a follower holds when he stops following. */
export const COPY_ENDS = ["close", "keep"] as const;
export const FOLLOW_CHANGES = [
  "followed",
  "settings",
  "closed",
  "kept",
  "stopLoss",
  "takeProfit",
  "leaderClosed",
  /** The weekly settlement. */
  "settlement",
] as const;
/** What a leader does that is copied. */
export const COPY_JOBS = ["open", "close", "margin", "stops", "end", "stopsEnded"] as const;
/** Why a copy was not made. */
export const COPY_SKIPS = [
  "NOT_FOLLOWING",
  "LEADER_PAUSED",
  "MARKET_EXCLUDED",
  /** The follower closed alone what this belongs to. */
  "CLOSED_BY_FOLLOWER",
  "BELOW_MINIMUM",
  "ORDER_CAP",
  "SYMBOL_CAP",
  "TOTAL_CAP",
  "DAILY_LOSS",
  /** The book has moved further from the leader's price than the follower allows. */
  "SLIPPAGE",
  /** A check refused it; the code says which. */
  "REFUSED",
  /** The follower has stops of his own on this trade: the leader's are not set in their place. */
  "OWN_STOPS",
] as const;

/** What a grid bot is: on spot, or on futures by what it holds at the start. */
export const BOT_KINDS = ["spot", "neutral", "long", "short", "infinity"] as const;
export const BOT_SPACINGS = ["arithmetic", "geometric"] as const;
export const BOT_STATUSES = ["WAIT_TRIGGER", "INITIALISING", "RUNNING", "OUT_OF_RANGE", "STOPPING", "CLOSED"] as const;
/** Why a bot ended. */
export const BOT_REASONS = [
  "USER",
  "TAKE_PROFIT",
  "STOP_LOSS",
  "ENDED",
  "START_UNFILLED",
  "LIQUIDATED",
  "TRAILING_EXIT",
  "DELISTED",
  /** The price jumped over the trigger so far that no order the market takes could be paid for. */
  "PRICE_JUMPED",
] as const;
export const BOT_CHANGES = [
  "created",
  "starting",
  "started",
  "range",
  "settings",
  "funds",
  "profitTaken",
  "trailed",
  "trailOver",
  "stopping",
  "closed",
] as const;
export const REBALANCER_CHANGES = ["created", "rebalanced", "closed", "failed"] as const;
/** Why a rebalancing bot traded, began or ended. */
export const REBALANCE_CAUSES = ["user", "start", "threshold", "interval", "delisted"] as const;

/** Products a bonus can be bound to, and the books each is traded from. */
export const BONUS_PRODUCTS = { linear: 1, inverse: 2, copy: 4, bot: 8 } as const;
/** Which of a user's bonus books stands beside a futures account. */
export const goldSubOf = (account: number): number => account & 0xffffff;
export const BONUS_STATES = ["ISSUED", "ACTIVE", "USED", "EXPIRED", "VOIDED"] as const;
/** How a liquidation goes on: each step is reported. */
export const LIQUIDATION_STEPS = ["ordersCancelled", "pairNetted", "tierReduced", "takenOver", "deleveraged"] as const;
/** What a change of modes leaves as it is: nothing, whether both sides are kept apart, or whether orders are. */
export const KEPT_MODES = ["none", "hedge", "split"] as const;
export const POSITION_SIDES = ["both", "long", "short"] as const;
export const CONTRACT_CLASSES = ["A", "B"] as const;

export type Side = (typeof SIDES)[number];
export type EndReason = (typeof END_REASONS)[number];
export type Book = (typeof BOOKS)[number];
export type HousePurpose = (typeof HOUSE_PURPOSES)[number];
export type Business = (typeof BUSINESSES)[number];
export type MarketStatus = (typeof MARKET_STATUSES)[number];
