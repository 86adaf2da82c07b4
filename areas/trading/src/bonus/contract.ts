// The wire contract of almighty gold (bonus for futures): a user's gold, and how operators grant it. The only file of
// the slice a browser may import. Exact decimal text.

import { endpoint } from "@clockwork/kit/endpoint";
import { PROPOSAL_REFUSALS, ProposalMade } from "@clockwork/kit/proposal-state";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

/**
 * Below /futuresapi/v1/futuresc: GET almighty-gold/list, almighty-gold/amount, almighty-gold/status are the caller's own.
 * Operators propose by POST /api/v1/console/almighty-gold; a second one approves it where all proposals are.
 */
export const BONUS_STATES = ["ISSUED", "ACTIVE", "USED", "EXPIRED", "VOIDED"] as const;
const DecimalText = Type.String();
const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);

export const Bonus = Type.Object({
  grantId: Type.String(),
  asset: Type.String(),
  /** The futures account it belongs to. */
  biz: Type.Enum(["futures", "delivery"]),
  state: Type.Enum(BONUS_STATES),
  amount: DecimalText,
  left: DecimalText,
  /** Share of each fee, funding and loss it bears, "1" is all. */
  ratio: DecimalText,
  maxLeverage: OrNull(Type.Integer()),
  grantedAtMs: Type.Integer(),
  expiresAtMs: Type.Integer(),
});
export type Bonus = Static<typeof Bonus>;
export const BonusList = Type.Object({ bonuses: Type.Array(Bonus) });
export type BonusList = Static<typeof BonusList>;
export const BonusAmount = Type.Object({
  amounts: Type.Array(Type.Object({ asset: Type.String(), left: DecimalText, given: DecimalText })),
});
export type BonusAmount = Static<typeof BonusAmount>;
export const BonusStatus = Type.Object({
  /** True while some of it counts as margin. */
  isActive: Type.Boolean(),
  count: Type.Integer(),
  /** The next end of one that has something left. */
  nextExpiryMs: OrNull(Type.Integer()),
});
export type BonusStatus = Static<typeof BonusStatus>;

/** All of it in one call: whether some of it counts, how much there is by coin, and each grant. */
export const BonusState = Type.Object({
  ...BonusStatus.properties,
  ...BonusAmount.properties,
  ...BonusList.properties,
});
export type BonusState = Static<typeof BonusState>;

export const GrantPayload = Type.Object(
  {
    user: Type.String({ pattern: "^[1-9][0-9]{0,11}$", maxLength: 12 }),
    asset: Type.String({ pattern: "^[A-Z0-9]{1,12}$", maxLength: 12 }),
    amount: Type.String({ pattern: "^(0|[1-9][0-9]{0,23})(\\.[0-9]{1,18})?$", maxLength: 44 }),
    /** futures: for the linear account; delivery: for the inverse account of the coin. */
    biz: Type.Enum(["futures", "delivery"]),
    /** Days until the remainder is returned. */
    days: Type.Integer({ minimum: 1, maximum: 365 }),
    ratioPercent: Type.Integer({ minimum: 1, maximum: 100 }),
    /** 0: no limit of its own. */
    maxLeverage: Type.Integer({ minimum: 0, maximum: 125 }),
    reason: Type.String({ minLength: 1, maxLength: 200, pattern: "\\S" }),
  },
  { additionalProperties: false },
);
export type GrantPayload = Static<typeof GrantPayload>;

/** `clientId` identifies the intent: a repeat proposes nothing more. */
export const GrantBody = Type.Object(
  {
    ...GrantPayload.properties,
    clientId: Type.String({ pattern: "^[A-Za-z0-9_-]{8,64}$", maxLength: 64 }),
  },
  { additionalProperties: false },
);

export const BONUS_CALLS = {
  list: endpoint("GET", "/v1/futuresc/almighty-gold/list", { bases: ["futures"], output: BonusList }),
  amount: endpoint("GET", "/v1/futuresc/almighty-gold/amount", { bases: ["futures"], output: BonusAmount }),
  status: endpoint("GET", "/v1/futuresc/almighty-gold/status", { bases: ["futures"], output: BonusStatus }),
  state: endpoint("GET", "/v1/common/almighty-gold/state", { bases: ["spot"], output: BonusState }),
  grant: endpoint("POST", "/v1/console/almighty-gold", {
    body: GrantBody,
    output: ProposalMade,
    refusals: { ...PROPOSAL_REFUSALS, ...REFUSALS },
  }),
};
