// The wire contract of futures trading: orders, fills, bills, fees and their private live channels, for linear and
// inverse perpetuals and for demo trading. Positions are in positions/contract. The only file of the slice a browser
// may import. Exact decimal text; quantities in coins (linear, demo) or in USD, whole faces (inverse).

import type { WalletType } from "@clockwork/kit/books";
import { endpoint } from "@clockwork/kit/endpoint";
import {
  CLIENT_ORDER_ID_LENGTH_MAX,
  DEAD_MAN_MAX_MS,
  SCALED_MAX,
  SCALED_MIN,
  TWAP_DURATION_MAX_MS,
  TWAP_DURATION_MIN_MS,
  TWAP_INTERVAL_MAX_MS,
  TWAP_INTERVAL_MIN_MS,
} from "@clockwork/kit/order-bounds";
import { FILL_CURSOR_LENGTH_MAX, FILL_CURSOR_PATTERN } from "@clockwork/kit/pages/fill-cursor";
import { PAIR_CURSOR_LENGTH_MAX, PAIR_CURSOR_PATTERN } from "@clockwork/kit/pages/page";
import { SECOND_MS } from "@clockwork/kit/time";
import { type Static, Type } from "typebox";
import { ORDER_TYPES } from "../orders/contract.ts";
import { REFUSALS } from "../positions/refusals.ts";

/**
 * Calls below /futuresapi. Every call of /v1/futuresc takes `biz`: futures (linear, the default), delivery (inverse) or
 * demo; those of /v1/perpcm serve delivery only. GET orders, orders/:id, orders/by-client-id/:clientOrderId, fills,
 * bills, bill-types, user-level-fee, max-order; POST orders, orders/batch, orders/clear, orders/cancel,
 * orders/cancel-after; PATCH and DELETE orders/:id. The same GETs below simulated/ serve demo; POST simulated/reset
 * resets it. Public: instruments, depth, trades, candles, quotations, funding-history, liquidations, ladder, risk-fund
 * (shapes in markets/contract), liquidations/:id (liquidations/contract).
 */
export const FUTURES_BIZ = ["futures", "delivery", "demo"] as const;
export type FuturesBiz = (typeof FUTURES_BIZ)[number];
const Biz = Type.Enum(FUTURES_BIZ);

const DecimalInput = Type.String({ pattern: "^(0|[1-9][0-9]{0,23})(\\.[0-9]{1,18})?$", maxLength: 44 });
const PairCode = Type.String({ pattern: "^[A-Z0-9]{1,12}_[A-Z0-9]{1,12}$", maxLength: 25 });
const ClientOrderId = Type.String({
  pattern: `^[A-Za-z0-9._:/-]{1,${CLIENT_ORDER_ID_LENGTH_MAX}}$`,
  maxLength: CLIENT_ORDER_ID_LENGTH_MAX,
});
const Id = Type.String({ pattern: "^[1-9][0-9]{0,14}$", maxLength: 15 });
const DecimalText = Type.String();
const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const TimeMs = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000 });

/** The user's book to trade from; main when omitted. */
const Account = Type.String({ pattern: "^(main|lead|copy:[1-9][0-9]{0,8}|bot:[1-9][0-9]{0,8})$", maxLength: 14 });
const from = { biz: Type.Optional(Biz), account: Type.Optional(Account) };
/** Which of the user's books a row is about: wallet type 3 linear, 4 inverse with its coin as sub; null of demo. */
const InBook = {
  biz: Biz,
  walletType: OrNull(Type.Unsafe<WalletType>(Type.String())),
  sub: OrNull(Type.String()),
};

export const BizQuery = Type.Object(from);
export const IdParams = Type.Object({ id: Id });
export const FuturesClientIdParams = Type.Object({ clientOrderId: ClientOrderId });

/**
 * One order; members by type as on spot. In hedge mode `positionSide` selects the side: buy/long and sell/short open,
 * sell/long and buy/short close (reduceOnly is optional). In split layout a closing order names its position.
 * stopProfit (a limit price) and stopLoss (a trigger, at market unless stopLossPrice is given) make a limit or market
 * order a bracket: exits are armed fill by fill and only ever reduce.
 */
export const FuturesOrderBody = Type.Object(
  {
    ...from,
    pairCode: PairCode,
    side: Type.Enum(["buy", "sell"]),
    positionSide: Type.Optional(Type.Enum(["both", "long", "short"])),
    type: Type.Enum(ORDER_TYPES),
    price: Type.Optional(DecimalInput),
    quantity: DecimalInput,
    reduceOnly: Type.Optional(Type.Boolean()),
    positionId: Type.Optional(Id),
    timeInForce: Type.Optional(Type.Enum(["GTC", "IOC", "FOK", "GTD"])),
    expiresAtMs: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    postOnly: Type.Optional(Type.Union([Type.Boolean(), Type.Literal("reprice")])),
    visibleQuantity: Type.Optional(DecimalInput),
    /** Trigger of a plan; of a trailing stop the activation price. */
    stopPrice: Type.Optional(DecimalInput),
    /** Of an oco: the limit behind its trigger; left out, market. */
    stopLimitPrice: Type.Optional(DecimalInput),
    triggerSource: Type.Optional(Type.Enum(["last", "mark", "index"])),
    triggerDirection: Type.Optional(Type.Enum(["rises", "falls"])),
    callbackPercent: Type.Optional(DecimalInput),
    /** Plans: reduces, and cancels other orders when it needs their margin. */
    closeOnTrigger: Type.Optional(Type.Boolean()),
    stopProfit: Type.Optional(DecimalInput),
    stopLoss: Type.Optional(DecimalInput),
    stopLossPrice: Type.Optional(DecimalInput),
    priceTo: Type.Optional(DecimalInput),
    count: Type.Optional(Type.Integer({ minimum: SCALED_MIN, maximum: SCALED_MAX })),
    shape: Type.Optional(Type.Enum(["flat", "rising", "falling"])),
    durationSeconds: Type.Optional(
      Type.Integer({ minimum: TWAP_DURATION_MIN_MS / SECOND_MS, maximum: TWAP_DURATION_MAX_MS / SECOND_MS }),
    ),
    intervalSeconds: Type.Optional(
      Type.Integer({ minimum: TWAP_INTERVAL_MIN_MS / SECOND_MS, maximum: TWAP_INTERVAL_MAX_MS / SECOND_MS }),
    ),
    slippagePercent: Type.Optional(DecimalInput),
    selfTrade: Type.Optional(Type.Enum(["EXPIRE_TAKER", "EXPIRE_MAKER", "EXPIRE_BOTH", "DECREMENT"])),
    clientOrderId: Type.Optional(ClientOrderId),
  },
  { additionalProperties: false },
);
export type FuturesOrderBody = Static<typeof FuturesOrderBody>;

export const FuturesPlaced = Type.Object({
  orderId: Type.String(),
  clientOrderId: OrNull(Type.String()),
  status: Type.String(),
  /** Why it ended before it was filled: FOK_UNFILLED, IOC_REST, MARKET_REST … */
  endReason: Type.Optional(Type.String()),
  filledQuantity: DecimalText,
  /** In the settlement coin. */
  filledAmount: DecimalText,
  averagePrice: OrNull(DecimalText),
  orderIds: Type.Array(Type.String()),
  isRepeat: Type.Boolean(),
  refusals: Type.Optional(
    Type.Array(Type.Object({ rung: Type.Integer(), code: Type.String(), message: Type.String() })),
  ),
  sequence: Type.Integer(),
});
export type FuturesPlaced = Static<typeof FuturesPlaced>;

export const FUTURES_BATCH_MAX = 20;
export const FuturesBatchBody = Type.Object(
  { orders: Type.Array(FuturesOrderBody, { minItems: 1, maxItems: FUTURES_BATCH_MAX }) },
  { additionalProperties: false },
);
/** The result of each order: placed, or its refusal; in the order of the request. */
export const FuturesBatchResult = Type.Array(
  Type.Object({ order: OrNull(FuturesPlaced), code: OrNull(Type.String()), message: OrNull(Type.String()) }),
);
/**
 * Ends every open order and plan, of one contract when named. With `keepStops` stops of positions remain and other
 * plans end; with `plans` false only orders resting in the book end.
 */
export const FuturesClearBody = Type.Object(
  {
    ...from,
    pairCode: Type.Optional(PairCode),
    keepStops: Type.Optional(Type.Boolean()),
    plans: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
/**
 * For an order resting in the book: the new price, the new total quantity, or both. For a take-profit or stop-loss of a
 * whole position: only its new trigger; it is replaced in one command and answered with its new id.
 */
export const FuturesAmendBody = Type.Object(
  {
    ...from,
    price: Type.Optional(DecimalInput),
    quantity: Type.Optional(DecimalInput),
    stopPrice: Type.Optional(DecimalInput),
  },
  { additionalProperties: false },
);
export type FuturesAmendBody = Static<typeof FuturesAmendBody>;
export const FuturesClearResult = Type.Object({ canceled: Type.Integer() });
/** Ends every order of the caller, of one contract when named, unless called again in time; 0 switches it off. */
export const FuturesCancelAfterBody = Type.Object(
  {
    ...from,
    timeoutSeconds: Type.Integer({ minimum: 0, maximum: DEAD_MAN_MAX_MS / SECOND_MS }),
    pairCode: Type.Optional(PairCode),
  },
  { additionalProperties: false },
);
export const FuturesCancelAfterResult = Type.Object({ firesAtMs: OrNull(Type.Integer()) });
export const CancelQuery = Type.Object(from, { additionalProperties: false });
export const CancelManyBody = Type.Object(
  { ...from, orderIds: Type.Array(Id, { minItems: 1, maxItems: 50 }) },
  { additionalProperties: false },
);

export const FuturesOrder = Type.Object({
  ...InBook,
  orderId: Type.String(),
  /** The command that placed it: unlike the number of an order, it follows time. */
  sequence: Type.Optional(Type.Integer()),
  clientOrderId: OrNull(Type.String()),
  pairCode: PairCode,
  side: Type.Enum(["buy", "sell"]),
  /** The side of a hedge it was placed for; "both" without hedge mode. */
  positionSide: Type.Enum(["both", "long", "short"]),
  type: Type.String(),
  timeInForce: Type.String(),
  postOnly: Type.Boolean(),
  isIceberg: Type.Boolean(),
  /** When an order that lasts until a day ends. */
  expiresAtMs: Type.Optional(Type.Integer()),
  /** Of a TWAP's slice: the order it belongs to, and its number there. */
  slice: Type.Optional(Type.Object({ twapId: Type.String(), number: Type.Integer() })),
  /** The visible quantity of an iceberg. */
  visibleQuantity: Type.Optional(DecimalText),
  /** Self-trade prevention: what happens when it meets another order of the same owner. */
  selfTrade: Type.Optional(Type.String()),
  reduceOnly: Type.Boolean(),
  price: OrNull(DecimalText),
  quantity: DecimalText,
  filledQuantity: DecimalText,
  filledAmount: DecimalText,
  averagePrice: OrNull(DecimalText),
  status: Type.Enum([
    "PENDING_TRIGGER",
    "NEW",
    "PARTIALLY_FILLED",
    "FILLED",
    "CANCELED",
    "EXPIRED",
    "EXPIRED_STP",
    "REJECTED",
  ]),
  endReason: OrNull(Type.String()),
  stopPrice: OrNull(DecimalText),
  triggerSource: OrNull(Type.String()),
  triggerDirection: OrNull(Type.String()),
  callbackPercent: OrNull(DecimalText),
  /** Where a trailing stop that follows the price would fire now. */
  currentTrigger: OrNull(DecimalText),
  stopProfit: OrNull(DecimalText),
  stopLoss: OrNull(DecimalText),
  stopLossPrice: OrNull(DecimalText),
  listId: OrNull(Type.String()),
  listLeg: OrNull(Type.String()),
  /** The position of the stop. */
  positionId: OrNull(Type.String()),
  /** A stop of the whole position follows its size. */
  isWhole: Type.Boolean(),
  createdAtMs: Type.Integer(),
  updatedAtMs: Type.Integer(),
});
export type FuturesOrder = Static<typeof FuturesOrder>;

const page = {
  pairCode: Type.Optional(PairCode),
  from: Type.Optional(TimeMs),
  to: Type.Optional(TimeMs),
  /** The `next` of the page before. */
  before: Type.Optional(Type.String({ pattern: PAIR_CURSOR_PATTERN, maxLength: PAIR_CURSOR_LENGTH_MAX })),
  /** Reading forwards: the `next` of the page before, 0-0 at the beginning; the oldest come first. */
  after: Type.Optional(Type.String({ pattern: PAIR_CURSOR_PATTERN, maxLength: PAIR_CURSOR_LENGTH_MAX })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
};
/** Orders or trades with this number and higher ones. Numbers of orders do not follow time. */
const fromId = Type.Optional(Type.Integer({ minimum: 0, maximum: 999_999_999_999_999 }));
const Next = OrNull(Type.String());
export const FuturesOrdersQuery = Type.Object({
  ...from,
  ...page,
  fromId,
  state: Type.Enum(["open", "plan", "history"]),
  side: Type.Optional(Type.Enum(["buy", "sell"])),
});
export const FuturesOrderPage = Type.Object({ orders: Type.Array(FuturesOrder), next: Next });
export type FuturesOrderPage = Static<typeof FuturesOrderPage>;

export const FuturesFill = Type.Object({
  ...InBook,
  tradeId: Type.Integer(),
  orderId: Type.String(),
  pairCode: PairCode,
  side: Type.Enum(["buy", "sell"]),
  /** That of its order, where fills are listed; a live fill omits it, since the order is published with it. */
  positionSide: Type.Optional(Type.Enum(["both", "long", "short"])),
  role: Type.Enum(["maker", "taker"]),
  price: DecimalText,
  quantity: DecimalText,
  amount: DecimalText,
  /** The fee charged, whoever paid it. */
  fee: DecimalText,
  /** The part of the fee paid by almighty gold. */
  goldFee: DecimalText,
  feeAsset: Type.String(),
  /** Its realised profit before fees. */
  realizedPnl: DecimalText,
  timeMs: Type.Integer(),
});
export type FuturesFill = Static<typeof FuturesFill>;
const FillCursor = Type.Optional(Type.String({ pattern: FILL_CURSOR_PATTERN, maxLength: FILL_CURSOR_LENGTH_MAX }));
export const FuturesFillsQuery = Type.Object({
  ...from,
  ...page,
  before: FillCursor,
  after: FillCursor,
  fromId,
  orderId: Type.Optional(Id),
});
export const FuturesFillPage = Type.Object({ fills: Type.Array(FuturesFill), next: Next });
export type FuturesFillPage = Static<typeof FuturesFillPage>;

/** wallet: the account itself. gold: its almighty gold, which pays its part of fees, funding and losses first. */
const BILL_PAYERS = ["wallet", "gold"] as const;
/**
 * One cash change; amounts in the coin it concerns. Bills of an account sum to its balance, those of its gold to its
 * remainder.
 */
export const FuturesBill = Type.Object({
  ...InBook,
  id: Type.String(),
  asset: Type.String(),
  type: Type.String(),
  payer: Type.Enum(BILL_PAYERS),
  pairCode: OrNull(PairCode),
  change: DecimalText,
  /** The account's balance after it, isolated margins included; for gold the remainder. */
  balance: DecimalText,
  reference: OrNull(Type.String()),
  timeMs: Type.Integer(),
});
export type FuturesBill = Static<typeof FuturesBill>;
export const FuturesBillsQuery = Type.Object({
  ...from,
  ...page,
  asset: Type.Optional(Type.String({ pattern: "^[A-Z0-9]{1,12}$", maxLength: 12 })),
  type: Type.Optional(Type.String({ pattern: "^[A-Z_]{1,32}$", maxLength: 32 })),
  /** wallet when left out. */
  payer: Type.Optional(Type.Enum([...BILL_PAYERS, "all"])),
});
export const FuturesBillPage = Type.Object({ bills: Type.Array(FuturesBill), next: Next });
export type FuturesBillPage = Static<typeof FuturesBillPage>;
/** The type of a bill by the core's business; others go by the business in capitals (margin: MARGIN). */
export const BILL_TYPES = {
  openFee: "OPEN_FEE",
  closeFee: "CLOSE_FEE",
  realized: "REALIZED",
  funding: "FUNDING",
  liquidationFee: "LIQ_FEE",
  insurance: "INSURANCE",
  adl: "ADL",
  transfer: "TRANSFER",
  bonus: "BONUS",
  profitShare: "PROFIT_SHARE",
  rounding: "ROUNDING",
} as const;

/** The fees of this user: fractions, "0.0006" is 0.06 %. */
export const FuturesFee = Type.Object({ level: Type.Integer(), makerRate: DecimalText, takerRate: DecimalText });
export type FuturesFee = Static<typeof FuturesFee>;

export const MaxOrderQuery = Type.Object({ ...from, pairCode: PairCode, price: Type.Optional(DecimalInput) });
/** The largest orders accepted now, at a price (omitted: at market), and the source of each bound. */
export const MaxOrder = Type.Object({
  pairCode: PairCode,
  price: DecimalText,
  leverageLong: Type.Integer(),
  leverageShort: Type.Integer(),
  /** Free margin in the settlement coin. */
  available: DecimalText,
  buyQuantity: DecimalText,
  sellQuantity: DecimalText,
  /** The largest position at the leverage, as a value and as a quantity at the price. */
  maxValueLong: DecimalText,
  maxValueShort: DecimalText,
  /** Bounds of one order. */
  minQuantity: DecimalText,
  maxQuantity: DecimalText,
  maxMarketQuantity: DecimalText,
  openOrders: Type.Integer(),
  openOrdersMax: Type.Integer(),
  plans: Type.Integer(),
  plansMax: Type.Integer(),
});
export type MaxOrder = Static<typeof MaxOrder>;

/** POST simulated/reset: once in 24 hours. */
export const ResetResult = Type.Object({ asset: Type.String(), balance: DecimalText, nextResetMs: Type.Integer() });
export type ResetResult = Static<typeof ResetResult>;
/** GET simulated/status. */
export const DemoStatus = Type.Object({
  asset: Type.String(),
  isOpened: Type.Boolean(),
  /** When the account may be reset again; null when it may now. */
  nextResetMs: OrNull(Type.Integer()),
});
export type DemoStatus = Static<typeof DemoStatus>;

/**
 * Private live channels, biz "futures", "delivery" or "demo", numbered by journal sequence like spot's:
 * - orders: snapshot FuturesOrder[] (open orders and plans), then those that changed (ended ones once).
 * - fills: snapshot FuturesFill[] (newest last, at most 50), then new ones.
 * - positions: snapshot FuturesPosition[], then whole positions that changed by a commit; closed ones with quantity "0".
 *   Between commits the figures that hang on the mark come on `position-marks` (latest value, at most five a second):
 *   FuturesPosition[] of all open positions at the newest mark.
 * - account: snapshot FuturesAccount[] (positions/api), then those that changed by a commit or a mark; latest value.
 * - settings: snapshot ContractSettings[] (positions/api) of every contract something was set for, then those that
 *   changed.
 */
export const FUTURES_ORDERS_CHANNEL = "orders";
export const FUTURES_FILLS_CHANNEL = "fills";

export const FUTURES_CALLS = {
  place: endpoint("POST", "/v1/futuresc/orders", {
    bases: ["futures"],
    body: FuturesOrderBody,
    output: FuturesPlaced,
    refusals: REFUSALS,
  }),
  placeBatch: endpoint("POST", "/v1/futuresc/orders/batch", {
    bases: ["futures"],
    body: FuturesBatchBody,
    output: FuturesBatchResult,
    refusals: REFUSALS,
  }),
  clear: endpoint("POST", "/v1/futuresc/orders/clear", {
    bases: ["futures"],
    body: FuturesClearBody,
    output: FuturesClearResult,
    refusals: REFUSALS,
  }),
  cancelMany: endpoint("POST", "/v1/futuresc/orders/cancel", {
    bases: ["futures"],
    body: CancelManyBody,
    output: FuturesClearResult,
    refusals: REFUSALS,
  }),
  cancelAfter: endpoint("POST", "/v1/futuresc/orders/cancel-after", {
    bases: ["futures"],
    body: FuturesCancelAfterBody,
    output: FuturesCancelAfterResult,
    refusals: REFUSALS,
  }),
  amend: endpoint("PATCH", "/v1/futuresc/orders/:id", {
    bases: ["futures"],
    params: IdParams,
    body: FuturesAmendBody,
    output: FuturesOrder,
    refusals: REFUSALS,
  }),
  cancel: endpoint("DELETE", "/v1/futuresc/orders/:id", {
    bases: ["futures"],
    query: CancelQuery,
    params: IdParams,
    output: FuturesOrder,
    refusals: REFUSALS,
  }),
  orders: endpoint("GET", "/v1/futuresc/orders", {
    bases: ["futures"],
    query: FuturesOrdersQuery,
    output: FuturesOrderPage,
    refusals: REFUSALS,
  }),
  order: endpoint("GET", "/v1/futuresc/orders/:id", {
    bases: ["futures"],
    query: BizQuery,
    params: IdParams,
    output: FuturesOrder,
    refusals: REFUSALS,
  }),
  orderByClientId: endpoint("GET", "/v1/futuresc/orders/by-client-id/:clientOrderId", {
    bases: ["futures"],
    query: BizQuery,
    params: FuturesClientIdParams,
    output: FuturesOrder,
    refusals: REFUSALS,
  }),
  fills: endpoint("GET", "/v1/futuresc/fills", {
    bases: ["futures"],
    query: FuturesFillsQuery,
    output: FuturesFillPage,
    refusals: REFUSALS,
  }),
  bills: endpoint("GET", "/v1/futuresc/bills", {
    bases: ["futures"],
    query: FuturesBillsQuery,
    output: FuturesBillPage,
    refusals: REFUSALS,
  }),
  maxOrder: endpoint("GET", "/v1/futuresc/max-order", {
    bases: ["futures"],
    query: MaxOrderQuery,
    output: MaxOrder,
    refusals: REFUSALS,
  }),
  fee: endpoint("GET", "/v1/futuresc/user-level-fee", {
    bases: ["futures"],
    query: BizQuery,
    output: FuturesFee,
    refusals: REFUSALS,
  }),
  demoStatus: endpoint("GET", "/v1/futuresc/simulated/status", {
    bases: ["futures"],
    output: DemoStatus,
    refusals: REFUSALS,
  }),
  demoReset: endpoint("POST", "/v1/futuresc/simulated/reset", {
    bases: ["futures"],
    output: ResetResult,
    refusals: REFUSALS,
  }),
};

const StateQuery = Type.Omit(FuturesOrdersQuery, ["state"]);
/** Names of the seed that correspond to a query parameter elsewhere. */
export const INVERSE_FUTURES_CALLS = {
  open: endpoint("GET", "/v1/perpcm/open-orders", {
    bases: ["futures"],
    query: StateQuery,
    output: FuturesOrderPage,
    refusals: REFUSALS,
  }),
  plan: endpoint("GET", "/v1/perpcm/plan-orders", {
    bases: ["futures"],
    query: StateQuery,
    output: FuturesOrderPage,
    refusals: REFUSALS,
  }),
  history: endpoint("GET", "/v1/perpcm/history-orders", {
    bases: ["futures"],
    query: StateQuery,
    output: FuturesOrderPage,
    refusals: REFUSALS,
  }),
  billTypes: endpoint("GET", "/v1/perpcm/bill-types", {
    bases: ["futures"],
    output: Type.Array(Type.String()),
    refusals: REFUSALS,
  }),
  user: endpoint("GET", "/v1/perpcm/user", { bases: ["futures"], output: FuturesFee, refusals: REFUSALS }),
};
