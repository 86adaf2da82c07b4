// The wire contract of grid strategies: bots, their pairs and orders, ranking, suggestion, back-test. Prices and
// amounts are exact decimal text. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { CLIENT_ID_LENGTH_MAX, CLIENT_ID_PATTERN } from "@clockwork/kit/intent/client-id";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

/** Both have the same calls, below trees of their own. */
export type GridBiz = "spot" | "futures";
/** The private stream of the caller's bots, published whenever one changes. */
export const BOTS_CHANNEL = "bots";

/**
 * An infinity grid is a spot grid without an upper price: `count` cells are below the price, and the lines continue
 * above.
 */
export const GRID_KINDS = ["spot", "neutral", "long", "short", "infinity"] as const;

/** The call tree of a kind. */
export const bizOf = (kind: (typeof GRID_KINDS)[number]): GridBiz =>
  kind === "spot" || kind === "infinity" ? "spot" : "futures";
export const GRID_SPACINGS = ["arithmetic", "geometric"] as const;
const Kind = Type.Enum([...GRID_KINDS]);
const Spacing = Type.Enum([...GRID_SPACINGS]);
const PairCode = Type.String({ pattern: "^[A-Z0-9]{1,12}_[A-Z0-9]{1,12}$", maxLength: 25 });
const AmountText = Type.String({ pattern: "^(0|[1-9][0-9]{0,15})(\\.[0-9]{1,18})?$", maxLength: 36 });
const SignedText = Type.String({ pattern: "^-?(0|[1-9][0-9]{0,15})(\\.[0-9]{1,18})?$", maxLength: 37 });
const BotId = Type.Integer({ minimum: 1, maximum: 16_777_215 });
const ClientId = Type.String({ pattern: CLIENT_ID_PATTERN, maxLength: CLIENT_ID_LENGTH_MAX });
const TimeMs = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000 });

const settings = {
  trigger: Type.Optional(AmountText),
  takeProfit: Type.Optional(AmountText),
  stopLoss: Type.Optional(AmountText),
  /** How far the range follows the price. */
  trailUp: Type.Optional(AmountText),
  trailDown: Type.Optional(AmountText),
  /**
   * Ends when the price has come back this far from the best it has seen, in 1e-4: 0.5 to 50 %. Not for neutral grids.
   */
  exitBps: Type.Optional(Type.Integer({ minimum: 50, maximum: 5_000 })),
  endsAtMs: Type.Optional(TimeMs),
  /** Coins are not sold when it ends automatically. */
  keeps: Type.Optional(Type.Boolean()),
};

const shape = {
  kind: Kind,
  pairCode: PairCode,
  lower: AmountText,
  /** Not for an infinity grid. */
  upper: Type.Optional(AmountText),
  count: Type.Integer({ minimum: 2, maximum: 200 }),
  spacing: Spacing,
  /** Of the quote coin; "0" where only coins are invested. */
  investment: AmountText,
  /** Spot: invested coins. */
  base: Type.Optional(AmountText),
  leverage: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  ...settings,
};

export const CreateBody = Type.Object({ ...shape, clientId: ClientId }, { additionalProperties: false });
export type CreateBody = Static<typeof CreateBody>;
export const FollowBody = Type.Object(
  { id: BotId, investment: AmountText, clientId: ClientId },
  { additionalProperties: false },
);
export type FollowBody = Static<typeof FollowBody>;
export const UpdateBody = Type.Object({ id: BotId, ...settings, clientId: ClientId }, { additionalProperties: false });
export type UpdateBody = Static<typeof UpdateBody>;
export const MarginBody = Type.Object(
  { id: BotId, amount: SignedText, clientId: ClientId },
  { additionalProperties: false },
);
export const ProfitBody = Type.Object(
  { id: BotId, amount: AmountText, clientId: ClientId },
  { additionalProperties: false },
);
export const FinishBody = Type.Object(
  { id: BotId, base: Type.Enum(["keep", "sell"]) },
  { additionalProperties: false },
);
export const BotBody = Type.Object({ id: BotId }, { additionalProperties: false });
export const CancelBody = Type.Object(
  { id: BotId, orderId: Type.String({ pattern: "^[1-9][0-9]{0,15}$", maxLength: 16 }) },
  { additionalProperties: false },
);
export const BotQuery = Type.Object({ id: BotId }, { additionalProperties: false });
export const CloneQuery = Type.Object({ id: BotId, investment: AmountText }, { additionalProperties: false });
export const PairsQuery = Type.Object(
  {
    id: BotId,
    before: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
  },
  { additionalProperties: false },
);
export const ListQuery = Type.Object(
  {
    state: Type.Optional(Type.Enum(["running", "closed"])),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  },
  { additionalProperties: false },
);
export const RankingQuery = Type.Object(
  {
    kind: Type.Optional(Kind),
    pairCode: Type.Optional(PairCode),
    sort: Type.Optional(Type.Enum(["apr", "profit", "age", "drawdown"])),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  },
  { additionalProperties: false },
);
export type RankingQuery = Static<typeof RankingQuery>;
export const SuggestionQuery = Type.Object(
  { pairCode: PairCode, days: Type.Optional(Type.Enum(["7", "30", "180"])) },
  { additionalProperties: false },
);
export const BackTestBody = Type.Object(
  { ...shape, days: Type.Optional(Type.Integer({ minimum: 1, maximum: 180 })) },
  { additionalProperties: false },
);
export type BackTestBody = Static<typeof BackTestBody>;
const TaskId = Type.String({ pattern: "^[0-9a-f]{16}$", maxLength: 16 });
export const TaskQuery = Type.Object({ taskId: TaskId }, { additionalProperties: false });

const Text = Type.String();
const OptionalText = Type.Union([Text, Type.Null()]);

const botFigures = {
  id: BotId,
  kind: Kind,
  pairCode: Text,
  base: Text,
  quote: Text,
  spacing: Spacing,
  status: Text,
  reason: Text,
  lower: Text,
  upper: Text,
  count: Type.Integer(),
  quantity: Text,
  leverage: Type.Integer(),
  invested: Text,
  /** Total = grid + float. */
  total: Text,
  grid: Text,
  float: Text,
  /** Of grid profit; null in the first day. */
  apr: OptionalText,
  pairs: Type.Integer(),
  fees: Text,
  taken: Text,
  startPrice: Text,
  lastPrice: Text,
  createdAtMs: Type.Integer(),
  updatedAtMs: Type.Integer(),
  trigger: OptionalText,
  takeProfit: OptionalText,
  stopLoss: OptionalText,
  trailUp: OptionalText,
  trailDown: OptionalText,
  exitBps: Type.Union([Type.Integer(), Type.Null()]),
  endsAtMs: Type.Union([Type.Integer(), Type.Null()]),
  keeps: Type.Boolean(),
  isSimulated: Type.Boolean(),
};
export const Bot = Type.Object(botFigures);
export type Bot = Static<typeof Bot>;
export const BotList = Type.Object({ bots: Type.Array(Bot) });
export const CurvePoint = Type.Object({ timeMs: Type.Integer(), total: Text, grid: Text });
export const BotDetail = Type.Object({
  ...botFigures,
  isYours: Type.Boolean(),
  lines: Type.Array(Text),
  /** The profit of a cell relative to its cost, after fees of both sides: minimum and maximum. */
  profitMin: Text,
  profitMax: Text,
  coinsHeld: Text,
  quoteHeld: Text,
  takeable: Text,
  /** The minimum for a clone at the current price; null while that is outside the range. */
  least: OptionalText,
  liquidationPrice: OptionalText,
  /** Futures: where each side would be liquidated with every line on it filled; null if never. */
  liquidations: Type.Object({ long: OptionalText, short: OptionalText }),
  /** The proceeds of stopping now. */
  ifStopped: Type.Object({ coinsValue: Text, fee: Text, back: Text }),
  curve: Type.Array(CurvePoint),
  log: Type.Array(
    Type.Object({
      change: Text,
      status: Text,
      reason: Text,
      price: Text,
      lower: Text,
      upper: Text,
      timeMs: Type.Integer(),
    }),
  ),
});
export type BotDetail = Static<typeof BotDetail>;
/** The start of a clone at the current price; all but the refusal is null when it would be refused. */
export const ClonePlan = Type.Object({
  /** Of every order; of an infinity grid of one at the price. */
  quantity: OptionalText,
  buys: Type.Union([Type.Integer(), Type.Null()]),
  sells: Type.Union([Type.Integer(), Type.Null()]),
  /** The cost of the coins or the position bought at the start, with the fee; "0" without any. */
  startCost: OptionalText,
  refusal: OptionalText,
});
export type ClonePlan = Static<typeof ClonePlan>;
export const PairList = Type.Object({
  pairs: Type.Array(
    Type.Object({
      number: Type.Integer(),
      later: Text,
      boughtAt: Text,
      soldAt: Text,
      quantity: Text,
      gross: Text,
      fees: Text,
      net: Text,
      earlierMs: Type.Integer(),
      timeMs: Type.Integer(),
    }),
  ),
});
export type PairList = Static<typeof PairList>;
export const OrderList = Type.Object({
  orders: Type.Array(
    Type.Object({ orderId: Text, side: Text, price: Text, quantity: Text, filled: Text, distance: Text }),
  ),
});
export type OrderList = Static<typeof OrderList>;
export const Agreement = Type.Object({ agreedAtMs: Type.Union([Type.Integer(), Type.Null()]) });
export const RankedBot = Type.Object({
  rank: Type.Integer(),
  id: BotId,
  kind: Kind,
  pairCode: Text,
  spacing: Spacing,
  leverage: Type.Integer(),
  /** Of the last seven days' grid profit. */
  apr: Text,
  profit: Text,
  invested: Text,
  spark: Type.Array(Type.Number()),
  lower: Text,
  upper: Text,
  count: Type.Integer(),
  pairs: Type.Integer(),
  drawdown: Text,
  ageMs: Type.Integer(),
  usedBy: Type.Integer(),
  isYours: Type.Boolean(),
  isSimulated: Type.Boolean(),
});
export type RankedBot = Static<typeof RankedBot>;
export const Ranking = Type.Object({
  bots: Type.Array(RankedBot),
  /** Simulated ones that do not meet the conditions yet; their rank is 0. */
  young: Type.Array(RankedBot),
  refreshedAtMs: Type.Integer(),
});
export type Ranking = Static<typeof Ranking>;
export const BackTest = Type.Object({
  candles: Type.Integer(),
  days: Type.Number(),
  status: Text,
  pairs: Type.Integer(),
  invested: Text,
  total: Text,
  grid: Text,
  float: Text,
  fees: Text,
  /** The sum of funding by the stored settlements, a part of the float: negative when more was paid. "0" on spot. */
  funding: Text,
  /**
   * Since when settlements are stored; null on spot, and where none of these days is stored: then funding is left out.
   */
  fundingFromMs: Type.Union([Type.Integer(), Type.Null()]),
  /** The cost of selling or closing all holdings at the end; not part of the total. */
  closeFee: Text,
  apr: OptionalText,
  drawdown: Text,
  inside: Text,
  /** The result of holding the coin over the same days. */
  holding: Text,
  /** The share of fees in the cells' gross profit. */
  feeShare: Text,
  curve: Type.Array(CurvePoint),
});
export type BackTest = Static<typeof BackTest>;
export const BackTestTask = Type.Object({
  taskId: TaskId,
  state: Type.Enum(["running", "done", "cancelled", "failed"]),
  /** 0 to 1. */
  progress: Type.Number(),
  result: Type.Union([BackTest, Type.Null()]),
});
export type BackTestTask = Static<typeof BackTestTask>;
export const Suggestion = Type.Object({
  pairCode: Text,
  days: Type.Integer(),
  dailyVolatility: Text,
  lower: Text,
  upper: Text,
  count: Type.Integer(),
  spacing: Spacing,
  profitMin: Text,
  profitMax: Text,
  /** What the market takes of such a grid and some more: a form opens with it, and the back-test has it. */
  investment: Text,
  /** Of futures; 1 on spot. */
  leverage: Type.Integer(),
  /** The same grid over the same days; how it was chosen, and no promise. */
  backTest: Type.Union([BackTest, Type.Null()]),
  method: Text,
});
export type Suggestion = Static<typeof Suggestion>;

const gridCalls = (path: string) => ({
  create: endpoint("POST", `${path}/create`, { body: CreateBody, output: BotDetail, refusals: REFUSALS }),
  follow: endpoint("POST", `${path}/follow`, { body: FollowBody, output: BotDetail, refusals: REFUSALS }),
  update: endpoint("POST", `${path}/update`, { body: UpdateBody, output: BotDetail, refusals: REFUSALS }),
  finish: endpoint("POST", `${path}/finish`, { body: FinishBody, output: BotDetail, refusals: REFUSALS }),
  profit: endpoint("POST", `${path}/profit`, { body: ProfitBody, output: BotDetail, refusals: REFUSALS }),
  margin: endpoint("POST", `${path}/margin/update`, { body: MarginBody, output: BotDetail, refusals: REFUSALS }),
  cancelOrder: endpoint("POST", `${path}/order/cancel`, { body: CancelBody, output: BotDetail, refusals: REFUSALS }),
  closePosition: endpoint("POST", `${path}/position/close`, { body: BotBody, output: BotDetail, refusals: REFUSALS }),
  list: endpoint("GET", `${path}/list`, { query: ListQuery, output: BotList }),
  orders: endpoint("GET", `${path}/orders`, { query: BotQuery, output: OrderList, refusals: REFUSALS }),
  agreement: endpoint("GET", `${path}/protocol`, { output: Agreement }),
  agree: endpoint("POST", `${path}/protocol/agree`, { output: Agreement }),
  detail: endpoint("GET", `${path}/detail`, { query: BotQuery, output: BotDetail, refusals: REFUSALS }),
  clone: endpoint("GET", `${path}/clone`, { query: CloneQuery, output: ClonePlan, refusals: REFUSALS }),
  pairs: endpoint("GET", `${path}/pairs`, { query: PairsQuery, output: PairList, refusals: REFUSALS }),
  ranking: endpoint("GET", `${path}/ranking`, { query: RankingQuery, output: Ranking }),
  suggestion: endpoint("GET", `${path}/suggestion`, {
    query: SuggestionQuery,
    output: Suggestion,
    refusals: REFUSALS,
  }),
  startTest: endpoint("POST", `${path}/backtest`, { body: BackTestBody, output: BackTestTask, refusals: REFUSALS }),
  readTest: endpoint("GET", `${path}/backtest`, { query: TaskQuery, output: BackTestTask, refusals: REFUSALS }),
  cancelTest: endpoint("POST", `${path}/backtest/cancel`, {
    body: TaskQuery,
    output: BackTestTask,
    refusals: REFUSALS,
  }),
});

export const GRID_CALLS = { spot: gridCalls("/v1/spot/strategy"), futures: gridCalls("/v1/sps") };
