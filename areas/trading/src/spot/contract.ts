// The wire contract of spot trading: orders, fills, balance, fees and the private live channels. The only file of the
// slice a browser may import. Prices, quantities and amounts are exact decimal text.

import type { WalletType } from "@clockwork/kit/books";
import { endpoint } from "@clockwork/kit/endpoint";
import { CLIENT_ID_LENGTH_MAX, CLIENT_ID_PATTERN } from "@clockwork/kit/intent/client-id";
import {
  CLIENT_ORDER_ID_LENGTH_MAX,
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
import { ORDER_TYPES, type OrderKind } from "../orders/contract.ts";
import { REFUSALS } from "./refusals.ts";

/** Plain decimals only: no sign, no exponent, no leading zero. The core checks the rest. */
export const DECIMAL_PATTERN = "^(0|[1-9][0-9]{0,23})(\\.[0-9]{1,18})?$";
const DecimalInput = Type.String({ pattern: DECIMAL_PATTERN, maxLength: 44 });
const PairCode = Type.String({ pattern: "^[A-Z0-9]{1,12}_[A-Z0-9]{1,12}$", maxLength: 25 });
export const CLIENT_ORDER_ID_PATTERN = `^[A-Za-z0-9._:/-]{1,${CLIENT_ORDER_ID_LENGTH_MAX}}$`;
const ClientOrderId = Type.String({ pattern: CLIENT_ORDER_ID_PATTERN, maxLength: CLIENT_ORDER_ID_LENGTH_MAX });
const DecimalText = Type.String();
const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
/** Which of the user's books a row is about. */
const InBook = {
  walletType: OrNull(Type.Unsafe<WalletType>(Type.String())),
  sub: OrNull(Type.String()),
};

// Upper case is accepted too: clients of other exchanges send it.
const Side = Type.Union([Type.Literal("buy"), Type.Literal("sell"), Type.Literal("BUY"), Type.Literal("SELL")]);
const OrderType = Type.Unsafe<OrderKind | "LIMIT" | "MARKET">(
  Type.Union([...ORDER_TYPES, "LIMIT", "MARKET"].map((type) => Type.Literal(type))),
);

/**
 * One order. Which members a type needs:
 * limit: price, quantity. market: quantity (base), or amount (quote; buys only). stopLimit: stopPrice, price, quantity.
 * stopMarket: stopPrice, quantity. trailingStop: callbackPercent, quantity, optional stopPrice as the activation price.
 * oco: price (limit leg), stopPrice, optional stopLimitPrice, quantity. twap: price (cap), quantity, durationSeconds,
 * intervalSeconds. scaled: price, priceTo, count, shape, quantity. takeProfitPrice / stopLossPrice (with optional
 * stopLossLimitPrice) on a limit or market order make it a bracket: exits are armed fill by fill.
 */
export const PlaceOrderBody = Type.Object(
  {
    pairCode: PairCode,
    side: Side,
    type: OrderType,
    price: Type.Optional(DecimalInput),
    quantity: Type.Optional(DecimalInput),
    amount: Type.Optional(DecimalInput),
    timeInForce: Type.Optional(
      Type.Union([Type.Literal("GTC"), Type.Literal("IOC"), Type.Literal("FOK"), Type.Literal("GTD")]),
    ),
    /** Required for GTD: 60 s to 90 d ahead. */
    expiresAtMs: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    postOnly: Type.Optional(Type.Union([Type.Boolean(), Type.Literal("reprice")])),
    /** Makes a limit order an iceberg that shows this much at a time. */
    visibleQuantity: Type.Optional(DecimalInput),
    stopPrice: Type.Optional(DecimalInput),
    stopLimitPrice: Type.Optional(DecimalInput),
    /** Left out: buys fire when the price rises to stopPrice or falls to it, whichever the last price calls for. */
    triggerDirection: Type.Optional(Type.Union([Type.Literal("rises"), Type.Literal("falls")])),
    callbackPercent: Type.Optional(DecimalInput),
    takeProfitPrice: Type.Optional(DecimalInput),
    stopLossPrice: Type.Optional(DecimalInput),
    stopLossLimitPrice: Type.Optional(DecimalInput),
    priceTo: Type.Optional(DecimalInput),
    count: Type.Optional(Type.Integer({ minimum: SCALED_MIN, maximum: SCALED_MAX })),
    shape: Type.Optional(Type.Union([Type.Literal("flat"), Type.Literal("rising"), Type.Literal("falling")])),
    durationSeconds: Type.Optional(
      Type.Integer({ minimum: TWAP_DURATION_MIN_MS / SECOND_MS, maximum: TWAP_DURATION_MAX_MS / SECOND_MS }),
    ),
    intervalSeconds: Type.Optional(
      Type.Integer({ minimum: TWAP_INTERVAL_MIN_MS / SECOND_MS, maximum: TWAP_INTERVAL_MAX_MS / SECOND_MS }),
    ),
    /** Market orders: how far from the best price, 0.01 to 10. */
    slippagePercent: Type.Optional(DecimalInput),
    selfTrade: Type.Optional(
      Type.Union([
        Type.Literal("EXPIRE_TAKER"),
        Type.Literal("EXPIRE_MAKER"),
        Type.Literal("EXPIRE_BOTH"),
        Type.Literal("DECREMENT"),
      ]),
    ),
    clientOrderId: Type.Optional(ClientOrderId),
    /** The response lists each fill of the order made by this command. */
    tellFills: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type PlaceOrderBody = Static<typeof PlaceOrderBody>;

export const SPOT_ORDER_STATUSES = [
  "PENDING_TRIGGER",
  "NEW",
  "PARTIALLY_FILLED",
  "FILLED",
  "CANCELED",
  "EXPIRED",
  "EXPIRED_STP",
  "REJECTED",
] as const;
export type SpotOrderStatus = (typeof SPOT_ORDER_STATUSES)[number];

export const SpotOrder = Type.Object({
  orderId: Type.String(),
  /** The command that placed it: unlike the number of an order, it follows time. */
  sequence: Type.Optional(Type.Integer()),
  clientOrderId: OrNull(Type.String()),
  pairCode: PairCode,
  side: Type.Union([Type.Literal("buy"), Type.Literal("sell")]),
  /** As placed: limit, market, stopLimit, stopMarket, trailingStop, twap. */
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
  price: OrNull(DecimalText),
  /** Base wanted; null for a market buy by amount. */
  quantity: OrNull(DecimalText),
  /** Quote wanted by a market buy by amount. */
  amount: OrNull(DecimalText),
  filledQuantity: DecimalText,
  filledAmount: DecimalText,
  averagePrice: OrNull(DecimalText),
  // Written out: a mapped list would lose its names in the type.
  status: Type.Union([
    Type.Literal("PENDING_TRIGGER"),
    Type.Literal("NEW"),
    Type.Literal("PARTIALLY_FILLED"),
    Type.Literal("FILLED"),
    Type.Literal("CANCELED"),
    Type.Literal("EXPIRED"),
    Type.Literal("EXPIRED_STP"),
    Type.Literal("REJECTED"),
  ]),
  /** Why it ended, when it did not fill: USER, IOC_REST, GTD_EXPIRED … */
  endReason: OrNull(Type.String()),
  stopPrice: OrNull(DecimalText),
  triggerDirection: OrNull(Type.String()),
  callbackPercent: OrNull(DecimalText),
  /** Where a trailing stop that follows the price would fire now; null before it follows. */
  currentTrigger: OrNull(DecimalText),
  /** A slicer's schedule: slices that ran, slices in all, seconds between them. */
  schedule: OrNull(Type.Object({ done: Type.Integer(), count: Type.Integer(), intervalSeconds: Type.Number() })),
  /** Exits this order arms as it fills. */
  takeProfitPrice: OrNull(DecimalText),
  stopLossPrice: OrNull(DecimalText),
  stopLossLimitPrice: OrNull(DecimalText),
  /** Orders of one OCO or bracket share it. */
  listId: OrNull(Type.String()),
  listLeg: OrNull(Type.String()),
  createdAtMs: Type.Integer(),
  updatedAtMs: Type.Integer(),
  ...InBook,
});
export type SpotOrder = Static<typeof SpotOrder>;

/** The answer to a placed order, after its commit. */
/** A fill in the answer to its own order. */
const PlacedFill = Type.Object({
  tradeId: Type.Integer(),
  price: DecimalText,
  quantity: DecimalText,
  fee: DecimalText,
  feeAsset: Type.String(),
});
export type PlacedFill = Static<typeof PlacedFill>;

export const PlacedOrder = Type.Object({
  orderId: Type.String(),
  clientOrderId: OrNull(Type.String()),
  status: Type.String(),
  /** Why it ended before it was filled: FOK_UNFILLED, IOC_REST, MARKET_REST … */
  endReason: Type.Optional(Type.String()),
  filledQuantity: DecimalText,
  filledAmount: DecimalText,
  averagePrice: OrNull(DecimalText),
  /** Oldest first, if requested and the order is no repeat. */
  fills: Type.Optional(Type.Array(PlacedFill)),
  /** Further orders the command made: the legs of an OCO or bracket, the rungs of a scaled order. */
  orderIds: Type.Array(Type.String()),
  /** True when this client order id was answered before: nothing new happened. */
  isRepeat: Type.Boolean(),
  /** Rungs of a scaled order that were rejected while others rest. */
  refusals: Type.Optional(
    Type.Array(Type.Object({ rung: Type.Integer(), code: Type.String(), message: Type.String() })),
  ),
  sequence: Type.Integer(),
});
export type PlacedOrder = Static<typeof PlacedOrder>;

/**
 * The changes; omitted members are unchanged. `stopPrice`, `callbackPercent` and `amount` are for plans. The quantity
 * of an OCO is for both its legs.
 */
export const AmendOrderBody = Type.Object(
  {
    price: Type.Optional(DecimalInput),
    quantity: Type.Optional(DecimalInput),
    amount: Type.Optional(DecimalInput),
    stopPrice: Type.Optional(DecimalInput),
    callbackPercent: Type.Optional(DecimalInput),
  },
  { additionalProperties: false },
);
export type AmendOrderBody = Static<typeof AmendOrderBody>;
export const OrderIdParams = Type.Object({ id: Type.String({ pattern: "^[1-9][0-9]{0,14}$", maxLength: 15 }) });
export const ClientOrderIdParams = Type.Object({ clientOrderId: ClientOrderId });
export const BATCH_MAX = 20;
export const BatchBody = Type.Object(
  { orders: Type.Array(PlaceOrderBody, { minItems: 1, maxItems: BATCH_MAX }) },
  { additionalProperties: false },
);
/** The result of each order: placed, or its refusal; in the order of the request. */
export const BatchResult = Type.Array(
  Type.Object({ order: OrNull(PlacedOrder), code: OrNull(Type.String()), message: OrNull(Type.String()) }),
);
/** Ends every open order of the caller, of one pair when named, and the plans too unless excluded. */
export const ClearBody = Type.Object(
  { pairCode: Type.Optional(PairCode), plans: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);
export const ClearResult = Type.Object({ canceled: Type.Integer() });

const ID_MAX = 999_999_999_999_999;
/** Reading forwards: `after` is the `next` of the page before, 0-0 at the beginning; the oldest come first. */
const forwards = {
  after: Type.Optional(Type.String({ pattern: PAIR_CURSOR_PATTERN, maxLength: PAIR_CURSOR_LENGTH_MAX })),
  /** Orders or trades with this number and higher ones. Numbers of orders do not follow time. */
  fromId: Type.Optional(Type.Integer({ minimum: 0, maximum: ID_MAX })),
};
export const OrdersQuery = Type.Object({
  state: Type.Union([Type.Literal("open"), Type.Literal("history"), Type.Literal("plan")]),
  pairCode: Type.Optional(PairCode),
  side: Type.Optional(Type.Union([Type.Literal("buy"), Type.Literal("sell")])),
  /** Created in this span. */
  from: Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000 })),
  to: Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000 })),
  /** The `next` of the page before. */
  before: Type.Optional(Type.String({ pattern: PAIR_CURSOR_PATTERN, maxLength: PAIR_CURSOR_LENGTH_MAX })),
  ...forwards,
  /** Orders of lists with this number and higher ones, by the list's number. */
  fromListId: Type.Optional(Type.Integer({ minimum: 0, maximum: ID_MAX })),
  /** Orders of lists only. */
  isListed: Type.Optional(Type.Boolean()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
});
export const OrderPage = Type.Object({ orders: Type.Array(SpotOrder), next: OrNull(Type.String()) });
export type OrderPage = Static<typeof OrderPage>;

export const Fill = Type.Object({
  tradeId: Type.Integer(),
  orderId: Type.String(),
  pairCode: PairCode,
  side: Type.Union([Type.Literal("buy"), Type.Literal("sell")]),
  role: Type.Union([Type.Literal("maker"), Type.Literal("taker")]),
  price: DecimalText,
  quantity: DecimalText,
  amount: DecimalText,
  fee: DecimalText,
  feeAsset: Type.String(),
  timeMs: Type.Integer(),
  ...InBook,
});
export type Fill = Static<typeof Fill>;
const FillCursor = Type.Optional(Type.String({ pattern: FILL_CURSOR_PATTERN, maxLength: FILL_CURSOR_LENGTH_MAX }));
export const FillsQuery = Type.Object({
  pairCode: Type.Optional(PairCode),
  orderId: Type.Optional(Type.String({ pattern: "^[1-9][0-9]{0,14}$", maxLength: 15 })),
  side: Type.Optional(Type.Union([Type.Literal("buy"), Type.Literal("sell")])),
  from: Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000 })),
  to: Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000 })),
  ...forwards,
  before: FillCursor,
  after: FillCursor,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
});
export const FillPage = Type.Object({ fills: Type.Array(Fill), next: OrNull(Type.String()) });
export type FillPage = Static<typeof FillPage>;

export const SpotBalance = Type.Object({
  asset: Type.String(),
  name: Type.String(),
  available: DecimalText,
  frozen: DecimalText,
  total: DecimalText,
  /** Worth in USDT at the last price; null without a pair. */
  worthUsdt: OrNull(DecimalText),
  ...InBook,
});
export type SpotBalance = Static<typeof SpotBalance>;

/** The fees of this user: fractions, "0.001" is 0.1 %. */
export const SpotFee = Type.Object({
  level: Type.Integer(),
  makerRate: DecimalText,
  takerRate: DecimalText,
});
export type SpotFee = Static<typeof SpotFee>;

/** How much may still be done on a pair: open orders, plans, lists, largest order. */
export const PositionLimit = Type.Object({
  pairCode: PairCode,
  openOrders: Type.Integer(),
  openOrdersMax: Type.Integer(),
  plans: Type.Integer(),
  plansMax: Type.Integer(),
  maxQuantity: DecimalText,
  maxMarketQuantity: DecimalText,
  minNotional: DecimalText,
});
export type PositionLimit = Static<typeof PositionLimit>;

/** Ends every order of the caller when no further call comes in time; 0 switches it off. */
export const CancelAfterBody = Type.Object(
  { timeoutSeconds: Type.Integer({ minimum: 0, maximum: 300 }), pairCode: Type.Optional(PairCode) },
  { additionalProperties: false },
);
export const CancelAfterResult = Type.Object({ firesAtMs: OrNull(Type.Integer()) });
export const PositionLimitQuery = Type.Object({ pairCode: PairCode });

/** Test funds of the default run: what each asset still gives today. */
export const FaucetBody = Type.Object(
  {
    asset: Type.String({ pattern: "^[A-Z0-9]{1,12}$", maxLength: 12 }),
    amount: DecimalInput,
    /** Identifies the intent: granted once. Omitted, every call is a new one. */
    clientId: Type.Optional(Type.String({ pattern: CLIENT_ID_PATTERN, maxLength: CLIENT_ID_LENGTH_MAX })),
  },
  { additionalProperties: false },
);
export const FaucetResult = Type.Object({ asset: Type.String(), amount: DecimalText, available: DecimalText });

/**
 * Private live channels, biz "spot", numbered by journal sequence: a message covers every change up to its sequence.
 * - orders: snapshot data SpotOrder[] (open orders and plans), then SpotOrder[] that changed (ended ones included
 * once).
 * - fills: snapshot data Fill[] (newest last, at most 50), then new Fill[].
 * - balances: snapshot data SpotBalance[], then those that changed; worth is that of the moment it was published.
 */
export const ORDERS_CHANNEL = "orders";
export const FILLS_CHANNEL = "fills";
export const BALANCES_CHANNEL = "balances";

export const SPOT_CALLS = {
  place: endpoint("POST", "/v1/spot/orders", { body: PlaceOrderBody, output: PlacedOrder, refusals: REFUSALS }),
  placeBatch: endpoint("POST", "/v1/spot/orders/batch", { body: BatchBody, output: BatchResult, refusals: REFUSALS }),
  clear: endpoint("POST", "/v1/spot/orders/clear", { body: ClearBody, output: ClearResult, refusals: REFUSALS }),
  cancelAfter: endpoint("POST", "/v1/spot/orders/cancel-after", {
    body: CancelAfterBody,
    output: CancelAfterResult,
    refusals: REFUSALS,
  }),
  orders: endpoint("GET", "/v1/spot/orders", { query: OrdersQuery, output: OrderPage, refusals: REFUSALS }),
  order: endpoint("GET", "/v1/spot/orders/:id", { params: OrderIdParams, output: SpotOrder, refusals: REFUSALS }),
  orderByClientId: endpoint("GET", "/v1/spot/orders/by-client-id/:clientOrderId", {
    params: ClientOrderIdParams,
    output: SpotOrder,
    refusals: REFUSALS,
  }),
  amend: endpoint("PATCH", "/v1/spot/orders/:id", {
    params: OrderIdParams,
    body: AmendOrderBody,
    output: SpotOrder,
    refusals: REFUSALS,
  }),
  cancel: endpoint("DELETE", "/v1/spot/orders/:id", { params: OrderIdParams, output: SpotOrder, refusals: REFUSALS }),
  fills: endpoint("GET", "/v1/spot/fills", { query: FillsQuery, output: FillPage, refusals: REFUSALS }),
  balance: endpoint("GET", "/v1/spot/balance", { output: Type.Array(SpotBalance), refusals: REFUSALS }),
  fee: endpoint("GET", "/v1/spot/fee", { output: SpotFee, refusals: REFUSALS }),
  positionLimit: endpoint("GET", "/v1/spot/position-limit", {
    query: PositionLimitQuery,
    output: PositionLimit,
    refusals: REFUSALS,
  }),
};

/** Test funds, in the default run only. */
export const FAUCET_CALLS = {
  give: endpoint("POST", "/dev/faucet", {
    bases: ["root"],
    body: FaucetBody,
    output: FaucetResult,
    refusals: REFUSALS,
  }),
};
