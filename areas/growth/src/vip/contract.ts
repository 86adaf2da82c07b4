// The wire contract of levels: schemas and types. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { CLIENT_ID_LENGTH_MAX, CLIENT_ID_PATTERN } from "@clockwork/kit/intent/client-id";
import { PROPOSAL_REFUSALS, ProposalMade } from "@clockwork/kit/proposal-state";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

const Money = Type.String();
const Level = Type.Integer({ minimum: 0, maximum: 8 });

/** Percent as text: 0.08. */
export const VipRates = Type.Object({
  spotMaker: Type.String(),
  spotTaker: Type.String(),
  futuresMaker: Type.String(),
  futuresTaker: Type.String(),
});
export type VipRates = Static<typeof VipRates>;

export const VipTier = Type.Object({
  level: Level,
  /** USDT; null without a requirement. */
  spotUsdt: Type.Union([Money, Type.Null()]),
  futuresUsdt: Type.Union([Money, Type.Null()]),
  assetsUsdt: Type.Union([Money, Type.Null()]),
  rates: VipRates,
  /** Times the daily limit. */
  withdrawalFactor: Type.String(),
  /** Times the orders a program may send. */
  orderFactor: Type.Integer(),
  /** Tickets to support are answered before others'. */
  isAnsweredFirst: Type.Boolean(),
});
export type VipTier = Static<typeof VipTier>;

export const VipLevels = Type.Object({ levels: Type.Array(VipTier) });
export type VipLevels = Static<typeof VipLevels>;

export const VIP_MEASURES = ["assets", "futures", "spot"] as const;
const VipMeasure = Type.Object({
  measure: Type.Enum([...VIP_MEASURES]),
  usdt: Money,
  /** The level reached by this measure alone. */
  reachedLevel: Level,
  /** The bar of the level held, and of the next one. */
  heldUsdt: Type.Union([Money, Type.Null()]),
  nextUsdt: Type.Union([Money, Type.Null()]),
  /** Of the way to the next level, in hundredths of a percent, at most 10 000. */
  progress: Type.Integer(),
});
export type VipMeasure = Static<typeof VipMeasure>;

export const VipStanding = Type.Object({
  level: Level,
  /** The level the measures earned; above it, `level` is a trial. */
  earnedLevel: Level,
  nextLevel: Type.Union([Level, Type.Null()]),
  trial: Type.Union([Type.Object({ level: Level, untilMs: Type.Integer() }), Type.Null()]),
  /** The measures are below the bar: when the level falls, and to which. */
  falling: Type.Union([Type.Object({ toLevel: Level, atMs: Type.Integer() }), Type.Null()]),
  countedAtMs: Type.Union([Type.Integer(), Type.Null()]),
  nextCountMs: Type.Integer(),
  /** The exchange's time of this answer. */
  timeMs: Type.Integer(),
  /** The thirty full days of the measures. */
  windowFromMs: Type.Integer(),
  windowToMs: Type.Integer(),
  measures: Type.Array(VipMeasure),
  /** What the core charges now. */
  rates: VipRates,
  withdrawalFactor: Type.String(),
  paid: Type.Object({
    paidUsdt: Money,
    asBaseUsdt: Money,
    asNextUsdt: Type.Union([Money, Type.Null()]),
    savedUsdt: Money,
  }),
  levels: Type.Array(VipTier),
});
export type VipStanding = Static<typeof VipStanding>;

export const VIP_CAUSES = ["counted", "fallen", "trial", "trialEnded"] as const;
export const VipHistory = Type.Object({
  changes: Type.Array(
    Type.Object({
      atMs: Type.Integer(),
      fromLevel: Level,
      toLevel: Level,
      cause: Type.Enum([...VIP_CAUSES]),
    }),
  ),
  /** What was traded and paid by day, newest first. */
  days: Type.Array(
    Type.Object({ dayMs: Type.Integer(), spotUsdt: Money, futuresUsdt: Money, assetsUsdt: Money, feeUsdt: Money }),
  ),
});
export type VipHistory = Static<typeof VipHistory>;

const TRIAL = {
  user: Type.String({ maxLength: 10, pattern: "^[1-9][0-9]{0,9}$" }),
  /** 0 ends a trial before its time. */
  level: Level,
  days: Type.Integer({ minimum: 1, maximum: 90 }),
  reason: Type.String({ minLength: 3, maxLength: 200 }),
};
export const TrialPayload = Type.Object(TRIAL, { additionalProperties: false });
export type TrialPayload = Static<typeof TrialPayload>;
export const TrialBody = Type.Object(
  { ...TRIAL, clientId: Type.String({ pattern: CLIENT_ID_PATTERN, maxLength: CLIENT_ID_LENGTH_MAX }) },
  { additionalProperties: false },
);

/** Current trial levels, the one that ends first before the others. */
export const VipTrials = Type.Object({
  trials: Type.Array(Type.Object({ user: Type.String(), level: Level, earnedLevel: Level, untilMs: Type.Integer() })),
});
export type VipTrials = Static<typeof VipTrials>;

export const VIP_CALLS = {
  standing: endpoint("GET", "/v2/users/vip", { output: VipStanding }),
  levels: endpoint("GET", "/v2/users/vip/levels", { output: VipLevels }),
  history: endpoint("GET", "/v2/users/vip/history", { output: VipHistory }),
  trials: endpoint("GET", "/v1/console/vip/trials", { output: VipTrials }),
  trial: endpoint("POST", "/v1/console/vip/trial", {
    body: TrialBody,
    output: ProposalMade,
    refusals: { ...PROPOSAL_REFUSALS, ...REFUSALS },
  }),
};
