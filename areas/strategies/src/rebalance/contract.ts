// The wire contract of rebalancing bots: a basket of coins with weights, what it holds and its rounds. Amounts are
// exact decimal text, weights and shares 1e-4. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { CLIENT_ID_LENGTH_MAX, CLIENT_ID_PATTERN } from "@clockwork/kit/intent/client-id";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

/** The private stream of the caller's rebalancing bots, published whenever one of them trades, starts or ends. */
export const REBALANCERS_CHANNEL = "rebalancers";

const Ticker = Type.String({ pattern: "^[A-Z0-9]{1,12}$", maxLength: 12 });
const AmountText = Type.String({ pattern: "^(0|[1-9][0-9]{0,15})(\\.[0-9]{1,18})?$", maxLength: 36 });
const Id = Type.Integer({ minimum: 1, maximum: 8_388_607 });
const ClientId = Type.String({ pattern: CLIENT_ID_PATTERN, maxLength: CLIENT_ID_LENGTH_MAX });
const Bps = Type.Integer({ minimum: 0, maximum: 10_000 });

const shape = {
  /** The coin the others are bought with; may itself be one of them. */
  quote: Ticker,
  coins: Type.Array(Type.Object({ coin: Ticker, weightBps: Bps }, { additionalProperties: false }), {
    minItems: 1,
    maxItems: 20,
  }),
  /** It trades when a share is off its weight by this, when this time has passed, or both. */
  thresholdBps: Type.Optional(Bps),
  intervalMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000_000 })),
  investment: AmountText,
};

export const CreateBody = Type.Object({ ...shape, clientId: ClientId }, { additionalProperties: false });
export type CreateBody = Static<typeof CreateBody>;
export const FollowBody = Type.Object(
  { id: Id, investment: AmountText, clientId: ClientId },
  { additionalProperties: false },
);
export type FollowBody = Static<typeof FollowBody>;
export const BackTestBody = Type.Object(
  { ...shape, days: Type.Optional(Type.Integer({ minimum: 1, maximum: 180 })) },
  { additionalProperties: false },
);
export type BackTestBody = Static<typeof BackTestBody>;
const TaskId = Type.String({ pattern: "^[0-9a-f]{16}$", maxLength: 16 });
export const TaskQuery = Type.Object({ taskId: TaskId }, { additionalProperties: false });
export const RankingQuery = Type.Object(
  {
    sort: Type.Optional(Type.Enum(["week", "total", "age", "drawdown"])),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  },
  { additionalProperties: false },
);
export type RankingQuery = Static<typeof RankingQuery>;
export const FinishBody = Type.Object({ id: Id, base: Type.Enum(["keep", "sell"]) }, { additionalProperties: false });
export const ListQuery = Type.Object(
  {
    state: Type.Optional(Type.Enum(["running", "closed"])),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  },
  { additionalProperties: false },
);
export const IdQuery = Type.Object({ id: Id }, { additionalProperties: false });
export const RoundsQuery = Type.Object(
  {
    id: Id,
    before: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  },
  { additionalProperties: false },
);

const Text = Type.String();
const WholeOrNull = Type.Union([Type.Integer(), Type.Null()]);

const figures = {
  id: Id,
  quote: Text,
  status: Type.Enum(["RUNNING", "CLOSED"]),
  thresholdBps: WholeOrNull,
  intervalMs: WholeOrNull,
  invested: Text,
  /** Of all holdings at the last prices; for a closed one the amount returned. */
  value: Text,
  /** Value − invested, and relative to the investment. */
  total: Text,
  change: Text,
  fees: Text,
  rounds: Type.Integer(),
  /** The part of the value kept in quote in addition to the weights, for fees. */
  reserve: Text,
  /** The quote comes last, with what the weights leave. Shares are of the value without the reserve. */
  coins: Type.Array(
    Type.Object({
      coin: Text,
      pairCode: Type.Union([Text, Type.Null()]),
      weightBps: Type.Integer(),
      shareBps: Type.Integer(),
      quantity: Text,
      price: Type.Union([Text, Type.Null()]),
      value: Text,
    }),
  ),
  createdAtMs: Type.Integer(),
  updatedAtMs: Type.Integer(),
  /** The end of the next interval; null without one, and for a closed one. */
  nextAtMs: WholeOrNull,
  isSimulated: Type.Boolean(),
};
export const Rebalancer = Type.Object(figures);
export type Rebalancer = Static<typeof Rebalancer>;
export const RebalancerList = Type.Object({ bots: Type.Array(Rebalancer) });
export type RebalancerList = Static<typeof RebalancerList>;
export const RebalancerDetail = Type.Object({
  ...figures,
  isYours: Type.Boolean(),
  /** The proceeds of selling all coins now. */
  ifStopped: Type.Object({ coinsValue: Text, fee: Text, back: Text }),
  curve: Type.Array(Type.Object({ timeMs: Type.Integer(), total: Text })),
});
export type RebalancerDetail = Static<typeof RebalancerDetail>;
export const RoundList = Type.Object({
  rounds: Type.Array(
    Type.Object({
      /** 0 is its beginning. */
      number: Type.Integer(),
      change: Text,
      cause: Text,
      timeMs: Type.Integer(),
      value: Text,
      fee: Text,
      /** Coins that were traded; the price is the last of the round. */
      legs: Type.Array(Type.Object({ coin: Text, side: Type.Enum(["buy", "sell"]), quantity: Text, price: Text })),
    }),
  ),
});
export type RoundList = Static<typeof RoundList>;

/** Results are public, owners are not shown. */
export const RankedBasket = Type.Object({
  /** 0 while it is too young to be ranked. */
  rank: Type.Integer(),
  id: Id,
  quote: Text,
  coins: Type.Array(Type.Object({ coin: Text, weightBps: Type.Integer() })),
  thresholdBps: WholeOrNull,
  intervalMs: WholeOrNull,
  invested: Text,
  /** Of the last seven days, and relative to the investment; of its whole life if shorter. */
  weekProfit: Text,
  week: Text,
  total: Text,
  change: Text,
  rounds: Type.Integer(),
  drawdown: Text,
  spark: Type.Array(Type.Number()),
  ageMs: Type.Integer(),
  usedBy: Type.Integer(),
  isYours: Type.Boolean(),
  isSimulated: Type.Boolean(),
});
export type RankedBasket = Static<typeof RankedBasket>;
export const BasketRanking = Type.Object({
  bots: Type.Array(RankedBasket),
  /** Simulated ones that do not meet the conditions yet. */
  young: Type.Array(RankedBasket),
  refreshedAtMs: Type.Integer(),
});
export type BasketRanking = Static<typeof BasketRanking>;

export const BasketTest = Type.Object({
  candles: Type.Integer(),
  days: Type.Number(),
  invested: Text,
  total: Text,
  change: Text,
  /** The result of holding the initial basket. */
  holding: Text,
  fees: Text,
  rounds: Type.Integer(),
  drawdown: Text,
  curve: Type.Array(Type.Object({ timeMs: Type.Integer(), total: Text, holding: Text })),
});
export type BasketTest = Static<typeof BasketTest>;
export const BasketTestTask = Type.Object({
  taskId: TaskId,
  state: Type.Enum(["running", "done", "cancelled", "failed"]),
  /** 0 to 1. */
  progress: Type.Number(),
  result: Type.Union([BasketTest, Type.Null()]),
});
export type BasketTestTask = Static<typeof BasketTestTask>;

export const REBALANCE_CALLS = {
  create: endpoint("POST", "/v1/spot/strategy/rebalance/create", {
    body: CreateBody,
    output: RebalancerDetail,
    refusals: REFUSALS,
  }),
  follow: endpoint("POST", "/v1/spot/strategy/rebalance/follow", {
    body: FollowBody,
    output: RebalancerDetail,
    refusals: REFUSALS,
  }),
  finish: endpoint("POST", "/v1/spot/strategy/rebalance/finish", {
    body: FinishBody,
    output: RebalancerDetail,
    refusals: REFUSALS,
  }),
  list: endpoint("GET", "/v1/spot/strategy/rebalance/list", { query: ListQuery, output: RebalancerList }),
  detail: endpoint("GET", "/v1/spot/strategy/rebalance/detail", {
    query: IdQuery,
    output: RebalancerDetail,
    refusals: REFUSALS,
  }),
  rounds: endpoint("GET", "/v1/spot/strategy/rebalance/rounds", {
    query: RoundsQuery,
    output: RoundList,
    refusals: REFUSALS,
  }),
  ranking: endpoint("GET", "/v1/spot/strategy/rebalance/ranking", { query: RankingQuery, output: BasketRanking }),
  startTest: endpoint("POST", "/v1/spot/strategy/rebalance/backtest", {
    body: BackTestBody,
    output: BasketTestTask,
    refusals: REFUSALS,
  }),
  readTest: endpoint("GET", "/v1/spot/strategy/rebalance/backtest", {
    query: TaskQuery,
    output: BasketTestTask,
    refusals: REFUSALS,
  }),
  cancelTest: endpoint("POST", "/v1/spot/strategy/rebalance/backtest/cancel", {
    body: TaskQuery,
    output: BasketTestTask,
    refusals: REFUSALS,
  }),
};
