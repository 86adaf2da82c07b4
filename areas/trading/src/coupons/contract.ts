// The wire contract of coupons: one's own coupons with their progress, and converting one to coin.
// The only file of the slice a browser may import. Amounts are exact decimal text.

import { endpoint } from "@clockwork/kit/endpoint";
import { PROPOSAL_REFUSALS, ProposalMade } from "@clockwork/kit/proposal-state";
import { type Static, Type } from "typebox";
import { ISSUE_REFUSALS, REFUSALS } from "./refusals.ts";

const DecimalText = Type.String();
const DecimalInput = Type.String({ pattern: "^(0|[1-9][0-9]{0,23})(\\.[0-9]{1,18})?$", maxLength: 44 });
const AssetCode = Type.String({ pattern: "^[A-Z0-9]{1,12}$", maxLength: 12 });
const CouponId = Type.String({ pattern: "^[0-9a-f]{16}$", maxLength: 16 });
/** Both become coin at the index once their turnover is met; `etf` refers to no fund (decision 0056). */
const CouponKind = Type.Union([Type.Literal("bonus"), Type.Literal("etf")]);
const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);

/** OPEN waits for its volume, READY may be converted, CONVERTING is being paid. */
export const Coupon = Type.Object({
  couponId: Type.String(),
  kind: CouponKind,
  /** The coin it becomes. */
  asset: Type.String(),
  faceUsdt: DecimalText,
  /** Spot turnover required since it was issued, and the turnover so far; both in USDT. */
  volumeNeededUsdt: DecimalText,
  volumeDoneUsdt: DecimalText,
  state: Type.Union([
    Type.Literal("OPEN"),
    Type.Literal("READY"),
    Type.Literal("CONVERTING"),
    Type.Literal("CONVERTED"),
    Type.Literal("EXPIRED"),
  ]),
  /** The current value, or the amount paid; null without a price. */
  amount: OrNull(DecimalText),
  /** The index price behind `amount`. */
  price: OrNull(DecimalText),
  issuedAtMs: Type.Integer(),
  expiresAtMs: Type.Integer(),
  convertedAtMs: OrNull(Type.Integer()),
});
export type Coupon = Static<typeof Coupon>;

export const ConvertBody = Type.Object({ couponId: CouponId }, { additionalProperties: false });

export const IssuePayload = Type.Object(
  {
    user: Type.String({ pattern: "^[1-9][0-9]{0,11}$", maxLength: 12 }),
    kind: CouponKind,
    asset: AssetCode,
    faceUsdt: DecimalInput,
    volumeUsdt: DecimalInput,
    days: Type.Integer({ minimum: 1, maximum: 365 }),
    /** One reference never gives a user a second coupon. */
    reference: Type.String({ pattern: "^[A-Za-z0-9._:/-]{1,64}$", maxLength: 64 }),
  },
  { additionalProperties: false },
);
export type IssuePayload = Static<typeof IssuePayload>;

/** `clientId` identifies the intent: a repeat proposes nothing more. */
export const IssueBody = Type.Object(
  {
    ...IssuePayload.properties,
    clientId: Type.String({ pattern: "^[A-Za-z0-9_-]{8,64}$", maxLength: 64 }),
  },
  { additionalProperties: false },
);

export const COUPON_CALLS = {
  list: endpoint("GET", "/spot-coupon/v1/coupons", { output: Type.Array(Coupon), refusals: REFUSALS }),
  convert: endpoint("POST", "/spot-coupon/v1/convert", { body: ConvertBody, output: Coupon, refusals: REFUSALS }),
  issue: endpoint("POST", "/spot-coupon/v1/issue", {
    body: IssueBody,
    output: ProposalMade,
    refusals: { ...PROPOSAL_REFUSALS, ...ISSUE_REFUSALS },
  }),
};
