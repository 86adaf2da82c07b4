// The wire contract of ads and matching. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { CLIENT_ID_LENGTH_MAX, CLIENT_ID_PATTERN } from "@clockwork/kit/intent/client-id";
import { FIAT_CODES, OTC_COINS, PAYMENT_KINDS } from "@clockwork/kit/otc/fiat";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

/** Published when ads or prices change: open lists are read again. */
export const OTC_MARKET_CHANNEL = "otcMarket";

const Side = Type.Enum(["buy", "sell"]);
const Asset = Type.Enum([...OTC_COINS]);
const Fiat = Type.Enum([...FIAT_CODES]);
const Kind = Type.Enum([...PAYMENT_KINDS]);
const DecimalInput = Type.String({ pattern: "^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,8})?$", maxLength: 24 });
const AdId = Type.String({ pattern: "^[1-9][0-9]{0,14}$", maxLength: 15 });
const PaymentId = Type.String({ pattern: "^[0-9a-f]{16}$", maxLength: 16 });
const ClientId = Type.String({ pattern: CLIENT_ID_PATTERN, maxLength: CLIENT_ID_LENGTH_MAX });

const IndexRow = Type.Object({
  asset: Type.String(),
  fiat: Type.String(),
  /** The coin in dollars, the currency per dollar, and their product; null while there is no price or no rate. */
  index: Type.Union([Type.String(), Type.Null()]),
  rate: Type.Union([Type.String(), Type.Null()]),
  price: Type.Union([Type.String(), Type.Null()]),
  /** The best ads for a visitor who buys, and for one who sells. */
  bestBuy: Type.Union([Type.String(), Type.Null()]),
  bestSell: Type.Union([Type.String(), Type.Null()]),
});
export const OtcIndex = Type.Object({
  assets: Type.Array(Type.String()),
  fiats: Type.Array(Type.Object({ code: Type.String(), name: Type.String(), decimals: Type.Integer() })),
  prices: Type.Array(IndexRow),
  /** Rates of a run whose coins have no value are simulated. */
  isSimulated: Type.Boolean(),
  /** When it was so. */
  asOfMs: Type.Integer(),
});
export type OtcIndex = Static<typeof OtcIndex>;
export const IndexQuery = Type.Object({ fiat: Type.Optional(Fiat) });

const AD_SORTS = ["price", "completion", "release", "orders"] as const;
/** `side` is the caller's side: buy lists sellers. */
export const AdsQuery = Type.Object({
  side: Type.Optional(Side),
  asset: Type.Optional(Asset),
  fiat: Type.Optional(Fiat),
  amount: Type.Optional(DecimalInput),
  payment: Type.Optional(Kind),
  /** The least bond of the merchant: 1, 2 or 3. */
  merchant: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
  /** The bounds of the time to pay, in minutes: payers prefer long ones, sellers short ones. */
  windowMin: Type.Optional(Type.Integer({ minimum: 10, maximum: 60 })),
  windowMax: Type.Optional(Type.Integer({ minimum: 10, maximum: 60 })),
  usable: Type.Optional(Type.Boolean()),
  sort: Type.Optional(Type.Enum([...AD_SORTS])),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
});
export type AdsQuery = Static<typeof AdsQuery>;

export const Maker = Type.Object({
  user: Type.String(),
  name: Type.String(),
  level: Type.Integer(),
  isSimulated: Type.Boolean(),
  /** Of the last 30 days; null before the first order. */
  orders: Type.Integer(),
  completion: Type.Union([Type.String(), Type.Null()]),
  releaseMinutes: Type.Union([Type.Integer(), Type.Null()]),
  isAway: Type.Boolean(),
});
export type Maker = Static<typeof Maker>;

/** Why the caller cannot take an ad now. */
const AD_BARS = [
  "OWN",
  "MIN",
  "MAX",
  "STOCK",
  "LEVEL",
  "FACTOR",
  "TRADED",
  "AGE",
  "ORDERS",
  "COMPLETION",
  "AWAY",
  "CLOSED",
  "RESTS",
] as const;
export type AdBar = (typeof AD_BARS)[number];

export const Ad = Type.Object({
  adId: Type.String(),
  /** The side of the user who takes it. */
  side: Side,
  asset: Type.String(),
  fiat: Type.String(),
  price: Type.String(),
  /** Of the index, in percent. */
  premium: Type.String(),
  stock: Type.String(),
  min: Type.String(),
  max: Type.String(),
  payments: Type.Array(Type.Object({ paymentId: Type.String(), kind: Kind })),
  windowMinutes: Type.Integer(),
  note: Type.String(),
  maker: Maker,
  bar: Type.Union([Type.Enum([...AD_BARS]), Type.Null()]),
});
export type Ad = Static<typeof Ad>;
export const AdPage = Type.Object({
  ads: Type.Array(Ad),
  total: Type.Integer(),
  page: Type.Integer(),
  /** Hidden, because one of the two has blocked the other. */
  hidden: Type.Integer(),
  indexPrice: Type.Union([Type.String(), Type.Null()]),
});
export type AdPage = Static<typeof AdPage>;

const adShape = {
  side: Side,
  asset: Asset,
  fiat: Fiat,
  /** Fixed, or a percentage of the index with two decimals; exactly one of them. */
  price: Type.Optional(DecimalInput),
  premium: Type.Optional(Type.String({ pattern: "^[0-9]{2,3}(\\.[0-9]{1,2})?$", maxLength: 6 })),
  quantity: DecimalInput,
  min: DecimalInput,
  max: DecimalInput,
  paymentIds: Type.Array(PaymentId, { minItems: 1, maxItems: 5, uniqueItems: true }),
  windowMinutes: Type.Optional(Type.Integer({ minimum: 10, maximum: 60 })),
  note: Type.Optional(Type.String({ maxLength: 300 })),
  needLevel: Type.Optional(Type.Integer({ minimum: 2, maximum: 3 })),
  needDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 3650 })),
  needOrders: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  needCompletion: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  /** Only for users the advertiser has completed an order with. */
  needTraded: Type.Optional(Type.Boolean()),
};
export const AdDraft = Type.Object(adShape, { additionalProperties: false });
export type AdDraft = Static<typeof AdDraft>;
/** With `adId` they are new terms of that ad. */
export const CheckAdBody = Type.Object({ ...adShape, adId: Type.Optional(AdId) }, { additionalProperties: false });
export type CheckAdBody = Static<typeof CheckAdBody>;
export const AddAdBody = Type.Object(
  { ...adShape, online: Type.Optional(Type.Boolean()), clientId: ClientId },
  { additionalProperties: false },
);
export type AddAdBody = Static<typeof AddAdBody>;
/** Either a new state or new terms; terms of an ad with open orders are fixed. */
export const UpdateAdBody = Type.Object(
  { adId: AdId, state: Type.Optional(Type.Enum(["ONLINE", "OFFLINE", "DELETED"])), terms: Type.Optional(AdDraft) },
  { additionalProperties: false },
);
export type UpdateAdBody = Static<typeof UpdateAdBody>;
export const DeskAdsQuery = Type.Object({ user: Type.String({ pattern: "^[0-9]{1,12}$", maxLength: 12 }) });
export const BanBody = Type.Object(
  { adId: AdId, isBanned: Type.Boolean(), reason: Type.String({ minLength: 3, maxLength: 300, pattern: "\\S" }) },
  { additionalProperties: false },
);

const AD_STATES = ["OPENING", "ONLINE", "CLOSING", "OFFLINE", "SOLD_OUT", "BANNED", "DELETED"] as const;
export type AdState = (typeof AD_STATES)[number];
export const OwnAd = Type.Object({
  adId: Type.String(),
  /** The side of its owner. */
  side: Side,
  asset: Type.String(),
  fiat: Type.String(),
  state: Type.Enum([...AD_STATES]),
  reason: Type.String(),
  isFloating: Type.Boolean(),
  price: Type.Union([Type.String(), Type.Null()]),
  premium: Type.String(),
  quantity: Type.String(),
  stock: Type.String(),
  min: Type.String(),
  max: Type.String(),
  paymentIds: Type.Array(Type.String()),
  windowMinutes: Type.Integer(),
  note: Type.String(),
  needLevel: Type.Integer(),
  needDays: Type.Integer(),
  needOrders: Type.Integer(),
  needCompletion: Type.Integer(),
  needTraded: Type.Boolean(),
  openOrders: Type.Integer(),
  createdAtMs: Type.Integer(),
});
export type OwnAd = Static<typeof OwnAd>;
export const OwnAds = Type.Object({ ads: Type.Array(OwnAd), adsMax: Type.Integer() });
export type OwnAds = Static<typeof OwnAds>;

const AD_CHECKS = ["merchant", "bond", "slots", "price", "limits", "orderMax", "payments", "funds"] as const;
export const AdChecks = Type.Object({
  checks: Type.Array(Type.Object({ rule: Type.Enum([...AD_CHECKS]), isMet: Type.Boolean(), value: Type.String() })),
  price: Type.Union([Type.String(), Type.Null()]),
  indexPrice: Type.Union([Type.String(), Type.Null()]),
  index: Type.Union([Type.String(), Type.Null()]),
  rate: Type.Union([Type.String(), Type.Null()]),
  /** Frozen when it goes online: the coins and the fee. */
  frozen: Type.String(),
  fee: Type.String(),
  /** The total proceeds or cost. */
  total: Type.String(),
  free: Type.String(),
  missing: Type.String(),
  /** The public view: its maker, and the payment methods. */
  maker: Maker,
  ways: Type.Array(Kind),
  /** The other ads' prices on the same side, best first. */
  rivals: Type.Array(Type.String()),
  rank: Type.Integer(),
});
export type AdChecks = Static<typeof AdChecks>;

const matchShape = {
  side: Side,
  asset: Asset,
  fiat: Fiat,
  /** One of them. */
  amount: Type.Optional(DecimalInput),
  quantity: Type.Optional(DecimalInput),
  payment: Type.Optional(Kind),
};
export const MatchBody = Type.Object(matchShape, { additionalProperties: false });
export type MatchBody = Static<typeof MatchBody>;
export const NearestQuery = Type.Object(matchShape);
/** In money or in coins, as requested; null where no ad can be taken at all. */
export const NearestMatch = Type.Object({
  nearest: Type.Union([
    Type.Object({
      value: Type.String(),
      /** The range of the ad that accepts it. */
      min: Type.String(),
      max: Type.String(),
    }),
    Type.Null(),
  ]),
});
export type NearestMatch = Static<typeof NearestMatch>;
export const MatchQuery = Type.Object({ id: Type.String({ pattern: "^[0-9a-f]{16}$", maxLength: 16 }) });
export const Match = Type.Object({
  matchId: Type.String(),
  state: Type.Enum(["HELD", "TAKEN", "EXPIRED"]),
  ad: Type.Union([Ad, Type.Null()]),
  price: Type.String(),
  quantity: Type.String(),
  amount: Type.String(),
  /** The number of ads that accepted it. */
  candidates: Type.Integer(),
  nextPrice: Type.Union([Type.String(), Type.Null()]),
  leftMs: Type.Integer(),
  expiresAtMs: Type.Integer(),
  orderId: Type.Union([Type.String(), Type.Null()]),
});
export type Match = Static<typeof Match>;

export const OTC_AD_CALLS = {
  index: endpoint("GET", "/v2/otc/index", { query: IndexQuery, output: OtcIndex }),
  page: endpoint("GET", "/v2/otc/ads/page", { query: AdsQuery, output: AdPage }),
  own: endpoint("GET", "/v2/otc/ads/own", { output: OwnAds }),
  add: endpoint("POST", "/v2/otc/ads/add", { body: AddAdBody, output: OwnAds, refusals: REFUSALS }),
  update: endpoint("POST", "/v2/otc/ads/update", { body: UpdateAdBody, output: OwnAds, refusals: REFUSALS }),
  validate: endpoint("POST", "/v2/otc/ads/validate", { body: CheckAdBody, output: AdChecks, refusals: REFUSALS }),
  ban: endpoint("POST", "/v2/otc/ads/ban", { body: BanBody, output: OwnAds, refusals: REFUSALS }),
  desk: endpoint("GET", "/v2/otc/ads/desk", { query: DeskAdsQuery, output: OwnAds }),
  match: endpoint("POST", "/v2/otc/match", { body: MatchBody, output: Match, refusals: REFUSALS }),
  matchStatus: endpoint("GET", "/v2/otc/match/status", { query: MatchQuery, output: Match, refusals: REFUSALS }),
  matchNearest: endpoint("GET", "/v2/otc/match/nearest", {
    query: NearestQuery,
    output: NearestMatch,
    refusals: REFUSALS,
  }),
};
