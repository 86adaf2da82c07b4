// The wire contract of rewards: tasks with one's own progress, claims, coupons of every kind, and what operators do.
// The only file of the slice a browser may import. Amounts are exact decimal text in USDT unless a coin is named.
import { endpoint } from "@clockwork/kit/endpoint";
import { PROPOSAL_REFUSALS, ProposalMade } from "@clockwork/kit/proposal-state";
import { type Static, Type } from "typebox";
import { DESK_REFUSALS, REFUSALS } from "./refusals.ts";

export const REWARDS_CHANNEL = "rewards";

/** The counted facts: first actions and sums are read from the ledger, lessons and invitees from their slices. */
export const TASK_KINDS = [
  "deposit",
  "limitOrder",
  "spotVolume",
  "futuresVolume",
  "copy",
  "earn",
  "quiz",
  "invite",
] as const;
export type TaskKind = (typeof TASK_KINDS)[number];
/** LOCKED waits for its day or for another task; DONE may be claimed; EXPIRED is over, done or not. */
export const TASK_STATES = ["LOCKED", "OPEN", "DONE", "CLAIMED", "EXPIRED"] as const;
export type TaskState = (typeof TASK_STATES)[number];

const DecimalText = Type.String();
const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const Amount = Type.String({ pattern: "^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,6})?$", maxLength: 19 });
const Id = Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,39}$", maxLength: 40 });
const Coin = Type.String({ pattern: "^[A-Z0-9]{1,12}$", maxLength: 12 });
const Days = Type.Integer({ minimum: 1, maximum: 365 });
const Instant = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 });
const exact = { additionalProperties: false } as const;

/** USDT into the spot account. */
const Airdrop = Type.Object({ kind: Type.Literal("airdrop"), amount: Amount }, exact);
/** Almighty gold: margin that bears its share of losses and ends. */
const Gold = Type.Object(
  {
    kind: Type.Literal("gold"),
    amount: Amount,
    days: Days,
    ratioPercent: Type.Integer({ minimum: 1, maximum: 100 }),
    /** 0: no limit of its own. */
    maxLeverage: Type.Integer({ minimum: 0, maximum: 125 }),
  },
  exact,
);
/** An amount in a coin at its index, after a turnover on spot. */
const SpotCoupon = Type.Object(
  { kind: Type.Literal("spotCoupon"), amount: Amount, asset: Coin, volume: Amount, days: Days },
  exact,
);
/** Additional interest on an amount for some days; `rate` is a fraction of one. */
const EarnCoupon = Type.Object(
  {
    kind: Type.Literal("earnCoupon"),
    product: Type.Enum(["flexible", "fixed"]),
    rate: Type.String({ pattern: "^0(\\.[0-9]{1,6})$", maxLength: 8 }),
    cap: Amount,
    days: Type.Integer({ minimum: 1, maximum: 90 }),
    validDays: Days,
  },
  exact,
);
/** Returns a percentage of every fee until its amount is used up. */
const FeeCoupon = Type.Object(
  {
    kind: Type.Literal("feeCoupon"),
    amount: Amount,
    biz: Type.Enum(["spot", "futures"]),
    ratioPercent: Type.Integer({ minimum: 1, maximum: 100 }),
    days: Days,
  },
  exact,
);
export const Reward = Type.Union([Airdrop, Gold, SpotCoupon, EarnCoupon, FeeCoupon]);
export type Reward = Static<typeof Reward>;

export const WelfareTask = Type.Object({
  taskId: Type.String(),
  campaignId: Type.String(),
  kind: Type.Enum([...TASK_KINDS]),
  state: Type.Enum([...TASK_STATES]),
  /** USDT for volumes and earn, a count otherwise. */
  target: DecimalText,
  /** Never more than the target. */
  progress: DecimalText,
  /** The course of a quiz. */
  course: OrNull(Type.String()),
  /** The task that must be done before. */
  after: OrNull(Type.String()),
  /** The identity level a claim requires. */
  levelNeeded: Type.Integer(),
  reward: Reward,
  /** The maximum cost of the reward to the campaign. */
  value: DecimalText,
  /** The campaign's budget for it is used up. */
  isSpent: Type.Boolean(),
  isSimulated: Type.Boolean(),
  startsAtMs: Type.Integer(),
  endsAtMs: Type.Integer(),
  claimUntilMs: Type.Integer(),
  doneAtMs: OrNull(Type.Integer()),
  claimedAtMs: OrNull(Type.Integer()),
});
export type WelfareTask = Static<typeof WelfareTask>;
export const WelfareTasks = Type.Object({
  /** Claimable, open, locked, then closed ones. */
  tasks: Type.Array(WelfareTask),
  toClaim: Type.Object({ count: Type.Integer(), value: DecimalText }),
  claimed: Type.Object({ count: Type.Integer(), value: DecimalText, sinceMs: OrNull(Type.Integer()) }),
});
export type WelfareTasks = Static<typeof WelfareTasks>;

export const ClaimBody = Type.Object({ taskId: Id }, exact);
/** A repeat returns the same claim. */
export const WelfareClaim = Type.Object({
  claimId: Type.String(),
  taskId: Type.String(),
  reward: Reward,
  value: DecimalText,
  claimedAtMs: Type.Integer(),
});
export type WelfareClaim = Static<typeof WelfareClaim>;

export const WelfareCoupon = Type.Object({
  couponId: Type.String(),
  /** bonus and etf become a coin after their turnover; fee returns fees; earn adds interest. */
  kind: Type.Enum(["fee", "earn", "bonus", "etf"]),
  state: Type.Enum(["USABLE", "USED", "ENDED"]),
  /** USDT; null for earn coupons. */
  face: OrNull(DecimalText),
  /** Of face; null for earn coupons. */
  left: OrNull(DecimalText),
  /** Fee coupons only. */
  biz: OrNull(Type.String()),
  ratioPercent: OrNull(Type.Integer()),
  /** Waits until another fee coupon is used up. */
  isWaiting: Type.Boolean(),
  /** The coin it becomes, or whose interest it adds to. */
  asset: Type.String(),
  /** Earn coupons only. */
  product: OrNull(Type.String()),
  rate: OrNull(DecimalText),
  cap: OrNull(DecimalText),
  days: OrNull(Type.Integer()),
  /** Turnover required and done; bonus and etf only. */
  volumeNeeded: OrNull(DecimalText),
  volumeDone: OrNull(DecimalText),
  /** Its turnover is there: it may be converted now. */
  isReady: Type.Boolean(),
  expiresAtMs: Type.Integer(),
});
export type WelfareCoupon = Static<typeof WelfareCoupon>;
export const WelfareCoupons = Type.Object({ coupons: Type.Array(WelfareCoupon) });
export type WelfareCoupons = Static<typeof WelfareCoupons>;

const proposal = { clientId: Type.String({ pattern: "^[A-Za-z0-9_-]{8,64}$", maxLength: 64 }) } as const;
const Reason = Type.String({ minLength: 1, maxLength: 200, pattern: "\\S" });

export const CampaignPayload = Type.Object(
  { campaignId: Id, name: Type.String({ minLength: 1, maxLength: 60, pattern: "\\S" }) },
  exact,
);
export type CampaignPayload = Static<typeof CampaignPayload>;
export const CampaignBody = Type.Object({ ...CampaignPayload.properties, ...proposal }, exact);

export const BudgetPayload = Type.Object({ campaignId: Id, amount: Amount, reason: Reason }, exact);
export type BudgetPayload = Static<typeof BudgetPayload>;
export const BudgetBody = Type.Object({ ...BudgetPayload.properties, ...proposal }, exact);

export const TaskPayload = Type.Object(
  {
    taskId: Id,
    campaignId: Id,
    kind: Type.Enum([...TASK_KINDS]),
    target: Amount,
    /** Of a quiz; empty otherwise. */
    course: Type.String({ pattern: "^[a-z0-9-]{0,60}$", maxLength: 60 }),
    after: OrNull(Id),
    levelNeeded: Type.Integer({ minimum: 1, maximum: 3 }),
    reward: Reward,
    startsAtMs: Instant,
    endsAtMs: Instant,
    claimUntilMs: Instant,
    position: Type.Integer({ minimum: 0, maximum: 1_000 }),
  },
  exact,
);
export type TaskPayload = Static<typeof TaskPayload>;
export const TaskBody = Type.Object({ ...TaskPayload.properties, ...proposal }, exact);

/** Without a task it is the whole campaign. */
export const OpenBody = Type.Object({ campaignId: Id, taskId: Type.Optional(Id), isOpen: Type.Boolean() }, exact);
export type OpenBody = Static<typeof OpenBody>;

const Cost = Type.Object({ kind: Type.String(), count: Type.Integer(), value: DecimalText });
export const RewardReport = Type.Object({
  campaigns: Type.Array(
    Type.Object({
      campaignId: Type.String(),
      name: Type.String(),
      isOpen: Type.Boolean(),
      isSimulated: Type.Boolean(),
      /** From the ledger: received, free, and reserved for draws under way. */
      funded: DecimalText,
      left: DecimalText,
      held: DecimalText,
      /** By kind of reward; `spring` are prizes of draws. */
      costs: Type.Array(Cost),
      spent: DecimalText,
      /** The unused part that returned into the budget. */
      returned: DecimalText,
      /** funded − spent + returned − left − held; other than 0 while something is on its way. */
      difference: DecimalText,
      tasks: Type.Array(
        Type.Object({
          taskId: Type.String(),
          kind: Type.Enum([...TASK_KINDS]),
          target: DecimalText,
          course: OrNull(Type.String()),
          reward: Reward,
          value: DecimalText,
          isOpen: Type.Boolean(),
          done: Type.Integer(),
          claimed: Type.Integer(),
          endsAtMs: Type.Integer(),
        }),
      ),
    }),
  ),
});
export type RewardReport = Static<typeof RewardReport>;

const PROPOSED = { ...PROPOSAL_REFUSALS, ...DESK_REFUSALS };

export const WELFARE_CALLS = {
  tasks: endpoint("GET", "/v1/welfare/tasks", { output: WelfareTasks }),
  claim: endpoint("POST", "/v1/welfare/claim", { body: ClaimBody, output: WelfareClaim, refusals: REFUSALS }),
  coupons: endpoint("GET", "/v1/welfare/coupons", { output: WelfareCoupons }),
};

export const REWARD_CONSOLE_CALLS = {
  report: endpoint("GET", "/v1/console/rewards", { output: RewardReport }),
  open: endpoint("POST", "/v1/console/rewards/open", { body: OpenBody, output: Type.Null(), refusals: DESK_REFUSALS }),
  campaign: endpoint("POST", "/v1/console/rewards/campaign", {
    body: CampaignBody,
    output: ProposalMade,
    refusals: PROPOSED,
  }),
  fund: endpoint("POST", "/v1/console/rewards/fund", { body: BudgetBody, output: ProposalMade, refusals: PROPOSED }),
  task: endpoint("POST", "/v1/console/rewards/task", { body: TaskBody, output: ProposalMade, refusals: PROPOSED }),
};
