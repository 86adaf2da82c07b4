// The wire contract of earn: products, holdings, coupons, records, and operators' actions. Amounts are exact decimal
// text, rates text of a fraction ("0.05" is 5 % a year), times UTC milliseconds. The only file of the slice a browser
// may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { CLIENT_ID_LENGTH_MAX } from "@clockwork/kit/intent/client-id";
import { PROPOSAL_REFUSALS, ProposalMade } from "@clockwork/kit/proposal-state";
import { type Static, Type } from "typebox";
import { DESK_REFUSALS, REFUSALS } from "./refusals.ts";

const DecimalText = Type.String();
const AmountText = Type.String({ pattern: "^(0|[1-9][0-9]{0,23})(\\.[0-9]{1,18})?$", maxLength: 44 });
const AssetCode = Type.String({ pattern: "^[A-Z0-9]{1,12}$", maxLength: 12 });
const ProductId = Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,47}$", maxLength: 48 });
const HoldingId = Type.String({ pattern: "^[0-9a-f]{16}$", maxLength: 16 });
/** Without a colon: with one are the ids the exchange itself gives, of renewals and maturities. */
const ClientId = Type.String({ pattern: "^[A-Za-z0-9._-]{1,36}$", maxLength: CLIENT_ID_LENGTH_MAX });
const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);

const EarnTier = Type.Object({ upto: OrNull(DecimalText), rate: DecimalText });
const SharkView = Type.Object({
  index: Type.String(),
  direction: Type.Enum(["bullish", "bearish"]),
  isTouch: Type.Boolean(),
  low: DecimalText,
  high: DecimalText,
  baseRate: DecimalText,
  lowRate: DecimalText,
  highRate: DecimalText,
  /** The index now; null before its first price. */
  price: OrNull(DecimalText),
  /** The price it settled at, and the rate that made. */
  settledPrice: OrNull(DecimalText),
  settledRate: OrNull(DecimalText),
  isKnockedOut: Type.Boolean(),
});
export type SharkView = Static<typeof SharkView>;

export const EarnProduct = Type.Object({
  productId: Type.String(),
  kind: Type.Enum(["flexible", "fixed", "shark"]),
  asset: Type.String(),
  name: Type.String(),
  /** Decimals of the coin's smallest unit. */
  decimals: Type.Integer(),
  days: Type.Integer(),
  /** Of a fixed term; of flexible ones the first tier's, of a shark fin its best. */
  rate: DecimalText,
  tiers: Type.Array(EarnTier),
  /**
   * Of a flexible product: the annual rate of the last full day's credits, without coupons; null when there was no
   * holding all day.
   */
  paidRate: OrNull(DecimalText),
  shark: OrNull(SharkView),
  state: Type.Enum(["UPCOMING", "OPEN", "FULL", "PAUSED", "CLOSED", "LOCKED", "SETTLED"]),
  minimum: DecimalText,
  userMaximum: DecimalText,
  quota: DecimalText,
  left: DecimalText,
  /** Of a flexible product: what may still come today. */
  poolLeft: OrNull(DecimalText),
  opensAtMs: Type.Integer(),
  closesAtMs: OrNull(Type.Integer()),
  startsAtMs: OrNull(Type.Integer()),
  endsAtMs: OrNull(Type.Integer()),
  isSimulated: Type.Boolean(),
});
export type EarnProduct = Static<typeof EarnProduct>;
export const EarnProducts = Type.Object({ products: Type.Array(EarnProduct), timeMs: Type.Integer() });
export type EarnProducts = Static<typeof EarnProducts>;

export const EarnHolding = Type.Object({
  holdingId: Type.String(),
  productId: Type.String(),
  kind: Type.Enum(["flexible", "fixed", "shark"]),
  asset: Type.String(),
  state: Type.Enum(["OPEN", "RUNNING", "MATURED", "REDEEMED"]),
  principal: DecimalText,
  rate: DecimalText,
  /** Interest since the last credit with eight more decimals than the coin has: shown, not credited. */
  accrued: DecimalText,
  /** What the hour under way brings, and when it began. */
  hourly: DecimalText,
  accruedAtMs: Type.Integer(),
  /** Interest paid so far. */
  paid: DecimalText,
  /** What a term pays at its end; null while the price decides it. */
  expected: OrNull(DecimalText),
  startsAtMs: Type.Integer(),
  endsAtMs: OrNull(Type.Integer()),
  days: Type.Integer(),
  isCompound: Type.Boolean(),
  isRenewed: Type.Boolean(),
  couponRate: OrNull(DecimalText),
  isMoving: Type.Boolean(),
});
export type EarnHolding = Static<typeof EarnHolding>;
const ApplySetting = Type.Object({ asset: Type.String(), reserve: DecimalText, isOn: Type.Boolean() });
export const EarnHoldings = Type.Object({
  totalUsdt: DecimalText,
  yesterdayUsdt: DecimalText,
  allTimeUsdt: DecimalText,
  holdings: Type.Array(EarnHolding),
  autoApply: Type.Array(ApplySetting),
  timeMs: Type.Integer(),
});
export type EarnHoldings = Static<typeof EarnHoldings>;
export const EarnBalance = Type.Object({
  totalUsdt: DecimalText,
  assets: Type.Array(Type.Object({ asset: Type.String(), amount: DecimalText, worthUsdt: OrNull(DecimalText) })),
});
export type EarnBalance = Static<typeof EarnBalance>;

export const EarnCoupon = Type.Object({
  couponId: Type.String(),
  kind: Type.Enum(["flexible", "fixed"]),
  asset: Type.String(),
  rate: DecimalText,
  cap: DecimalText,
  days: Type.Integer(),
  expiresAtMs: Type.Integer(),
  state: Type.Enum(["OPEN", "USED", "EXPIRED"]),
});
export type EarnCoupon = Static<typeof EarnCoupon>;
export const EarnCoupons = Type.Object({ coupons: Type.Array(EarnCoupon) });

export const SubscribeBody = Type.Object(
  {
    productId: ProductId,
    amount: AmountText,
    clientId: ClientId,
    couponId: Type.Optional(HoldingId),
    /** A fixed term renews at its end while the product is open. */
    autoRenew: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type SubscribeBody = Static<typeof SubscribeBody>;
export const RedeemBody = Type.Object(
  { holdingId: HoldingId, amount: Type.Optional(AmountText), clientId: Type.Optional(ClientId) },
  { additionalProperties: false },
);
export type RedeemBody = Static<typeof RedeemBody>;
export const MoveAnswer = Type.Object({
  holdingId: Type.String(),
  amount: DecimalText,
  state: Type.Enum(["done", "queued"]),
  /** When a redemption beyond today's pool is paid. */
  dueAtMs: OrNull(Type.Integer()),
});
export type MoveAnswer = Static<typeof MoveAnswer>;
export const SettingsBody = Type.Object(
  { holdingId: HoldingId, compound: Type.Optional(Type.Boolean()), autoRenew: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);
export type SettingsBody = Static<typeof SettingsBody>;
export const AutoApplyBody = Type.Object(
  { asset: AssetCode, isOn: Type.Boolean(), reserve: AmountText },
  { additionalProperties: false },
);
export type AutoApplyBody = Static<typeof AutoApplyBody>;
export const AutoApplied = Type.Object({ autoApply: Type.Array(ApplySetting) });

export const RecordsQuery = Type.Object({
  /** `next` of the page before. */
  cursor: Type.Optional(Type.String({ pattern: "^[0-9]{1,15}\\.[A-Za-z0-9:._-]{1,80}$", maxLength: 96 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
});
export const EarnRecord = Type.Object({
  reference: Type.String(),
  kind: Type.Enum(["subscribe", "redeem", "credit", "mature", "renew"]),
  productId: Type.String(),
  asset: Type.String(),
  amount: DecimalText,
  interest: DecimalText,
  state: Type.Enum(["intended", "queued", "done", "refused"]),
  code: Type.String(),
  timeMs: Type.Integer(),
});
export type EarnRecord = Static<typeof EarnRecord>;
export const EarnRecords = Type.Object({ records: Type.Array(EarnRecord), next: OrNull(Type.String()) });
export type EarnRecords = Static<typeof EarnRecords>;

const proposal = { clientId: Type.String({ pattern: "^[A-Za-z0-9_-]{8,64}$", maxLength: 64 }) };
const RateText = Type.String({ pattern: "^(0|[1-9][0-9]{0,2})(\\.[0-9]{1,8})?$", maxLength: 12 });
const Reason = Type.String({ minLength: 1, maxLength: 200, pattern: "\\S" });
export const FundPayload = Type.Object(
  { asset: AssetCode, amount: AmountText, reason: Reason },
  { additionalProperties: false },
);
export type FundPayload = Static<typeof FundPayload>;
export const FundBody = Type.Object({ ...FundPayload.properties, ...proposal }, { additionalProperties: false });
const TierInput = Type.Object({ upto: OrNull(AmountText), rate: RateText }, { additionalProperties: false });
export const RatePayload = Type.Object(
  { productId: ProductId, tiers: Type.Array(TierInput, { minItems: 1, maxItems: 5 }), reason: Reason },
  { additionalProperties: false },
);
export type RatePayload = Static<typeof RatePayload>;
export const RateBody = Type.Object({ ...RatePayload.properties, ...proposal }, { additionalProperties: false });
const Time = Type.Integer({ minimum: 0, maximum: 10_000_000_000_000 });
export const ProductPayload = Type.Object(
  {
    productId: ProductId,
    kind: Type.Enum(["flexible", "fixed", "shark"]),
    asset: AssetCode,
    days: Type.Integer({ minimum: 0, maximum: 365 }),
    rate: RateText,
    tiers: Type.Optional(Type.Array(TierInput, { minItems: 1, maxItems: 5 })),
    minimum: AmountText,
    userMaximum: AmountText,
    quota: AmountText,
    dayIn: AmountText,
    dayOut: AmountText,
    opensAtMs: Time,
    closesAtMs: Time,
    startsAtMs: Type.Optional(Time),
    endsAtMs: Type.Optional(Time),
    shark: Type.Optional(
      Type.Object(
        {
          index: AssetCode,
          direction: Type.Enum(["bullish", "bearish"]),
          isTouch: Type.Boolean(),
          low: AmountText,
          high: AmountText,
          baseRate: RateText,
          lowRate: RateText,
          highRate: RateText,
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
export type ProductPayload = Static<typeof ProductPayload>;
export const ProductBody = Type.Object({ ...ProductPayload.properties, ...proposal }, { additionalProperties: false });
export const OpenBody = Type.Object({ productId: ProductId, isOpen: Type.Boolean() }, { additionalProperties: false });
export const Opened = Type.Object({ productId: Type.String(), isOpen: Type.Boolean() });
export const IssueCouponPayload = Type.Object(
  {
    user: Type.String({ pattern: "^[1-9][0-9]{0,11}$", maxLength: 12 }),
    kind: Type.Enum(["flexible", "fixed"]),
    asset: AssetCode,
    rate: RateText,
    cap: AmountText,
    days: Type.Integer({ minimum: 1, maximum: 365 }),
    validDays: Type.Integer({ minimum: 1, maximum: 365 }),
    reference: Type.String({ pattern: "^[A-Za-z0-9._:/-]{1,64}$", maxLength: 64 }),
  },
  { additionalProperties: false },
);
export type IssueCouponPayload = Static<typeof IssueCouponPayload>;
export const IssueCouponBody = Type.Object(
  { ...IssueCouponPayload.properties, ...proposal },
  { additionalProperties: false },
);
export const Treasury = Type.Object({
  coins: Type.Array(
    Type.Object({
      asset: Type.String(),
      free: DecimalText,
      reserved: DecimalText,
      /** Flexible interest of the next thirty days at today's rates. */
      owedMonth: DecimalText,
      isShort: Type.Boolean(),
    }),
  ),
});
export type Treasury = Static<typeof Treasury>;

const HoldingsQuery = Type.Object({ ended: Type.Optional(Type.Enum(["true", "false"])) });
const redeem = { body: RedeemBody, output: MoveAnswer, refusals: REFUSALS };
const DESK = { ...PROPOSAL_REFUSALS, ...DESK_REFUSALS };

export const EARN_CALLS = {
  products: endpoint("GET", "/financial/v1/products", { output: EarnProducts }),
  balance: endpoint("GET", "/financial/v1/balance", { output: EarnBalance }),
  holdings: endpoint("GET", "/financial/v1/holdings", { query: HoldingsQuery, output: EarnHoldings }),
  subscribe: endpoint("POST", "/financial/v1/subscribe", {
    body: SubscribeBody,
    output: MoveAnswer,
    refusals: REFUSALS,
  }),
  redeem: endpoint("POST", "/financial/v1/redeem", redeem),
  settings: endpoint("POST", "/financial/v1/holding-settings", {
    body: SettingsBody,
    output: EarnHoldings,
    refusals: REFUSALS,
  }),
  autoApply: endpoint("POST", "/financial/v1/auto-apply", {
    body: AutoApplyBody,
    output: AutoApplied,
    refusals: REFUSALS,
  }),
  records: endpoint("GET", "/financial/v1/records", { query: RecordsQuery, output: EarnRecords }),
  coupons: endpoint("GET", "/spot-coupon/v1/earn-coupons", { output: EarnCoupons }),
  issue: endpoint("POST", "/spot-coupon/v1/earn-issue", {
    body: IssueCouponBody,
    output: ProposalMade,
    refusals: DESK,
  }),
  redeemAlias: endpoint("POST", "/asset/v1/api/wallet/redeem", redeem),
  redeemShort: endpoint("POST", "/asset/v1/api/redeem", redeem),
};

export const EARN_CONSOLE_CALLS = {
  treasury: endpoint("GET", "/v1/console/earn/treasury", { output: Treasury }),
  fund: endpoint("POST", "/v1/console/earn/fund", { body: FundBody, output: ProposalMade, refusals: DESK }),
  product: endpoint("POST", "/v1/console/earn/product", { body: ProductBody, output: ProposalMade, refusals: DESK }),
  open: endpoint("POST", "/v1/console/earn/open", { body: OpenBody, output: Opened, refusals: REFUSALS }),
  rate: endpoint("POST", "/v1/console/earn/rate", { body: RateBody, output: ProposalMade, refusals: DESK }),
};
