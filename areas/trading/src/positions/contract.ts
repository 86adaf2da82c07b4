// The wire contract of positions: open and closed ones, futures accounts, settings, and all actions on a position. The
// only file of the slice a browser may import. Exact decimal text in the settlement coin; quantities in coins (linear,
// demo) or in USD (inverse).

import type { WalletType } from "@clockwork/kit/books";
import { endpoint } from "@clockwork/kit/endpoint";
import { CLIENT_ID_LENGTH_MAX, CLIENT_ID_PATTERN } from "@clockwork/kit/intent/client-id";
import { PAIR_CURSOR_LENGTH_MAX, PAIR_CURSOR_PATTERN } from "@clockwork/kit/pages/page";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

/**
 * Calls below /futuresapi/v1/futuresc (and /v1/perpcm for delivery): GET positions, positions/history,
 * positions/margin-history, positions/settings, accounts; POST positions/leverage, margin-mode, mode, layout, margin, auto-append, stop, close,
 * close-all, reverse.
 */
const Biz = Type.Enum(["futures", "delivery", "demo"]);
const DecimalInput = Type.String({ pattern: "^(0|[1-9][0-9]{0,23})(\\.[0-9]{1,18})?$", maxLength: 44 });
const SignedInput = Type.String({ pattern: "^-?(0|[1-9][0-9]{0,23})(\\.[0-9]{1,18})?$", maxLength: 45 });
const PairCode = Type.String({ pattern: "^[A-Z0-9]{1,12}_[A-Z0-9]{1,12}$", maxLength: 25 });
const Id = Type.String({ pattern: "^[1-9][0-9]{0,14}$", maxLength: 15 });
const DecimalText = Type.String();
const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const TimeMs = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000 });
/** The user's book to trade from; main when omitted. */
const Account = Type.String({ pattern: "^(main|lead|copy:[1-9][0-9]{0,8}|bot:[1-9][0-9]{0,8})$", maxLength: 14 });
const from = { biz: Type.Optional(Biz), account: Type.Optional(Account) };
const InBook = {
  biz: Biz,
  walletType: OrNull(Type.Unsafe<WalletType>(Type.String())),
  sub: OrNull(Type.String()),
};
const Next = OrNull(Type.String());

export const PositionStop = Type.Object({
  orderId: Type.String(),
  kind: Type.Enum(["profit", "loss", "trailing"]),
  /** The other stop of its pair: the first to fire ends it. */
  pairId: OrNull(Type.String()),
  isWhole: Type.Boolean(),
  quantity: DecimalText,
  /** Of a trailing stop the activation price; null when it follows at once. */
  triggerPrice: OrNull(DecimalText),
  triggerSource: Type.String(),
  /** Null at market. */
  price: OrNull(DecimalText),
  trailBps: OrNull(Type.Integer()),
});
export type PositionStop = Static<typeof PositionStop>;

/** Every figure is the core's own, at the mark it names. Amounts in the settlement coin. */
export const FuturesPosition = Type.Object({
  ...InBook,
  positionId: Type.String(),
  pairCode: PairCode,
  side: Type.Enum(["long", "short"]),
  /** both: one-way mode. */
  positionSide: Type.Enum(["both", "long", "short"]),
  isSplit: Type.Boolean(),
  quantity: DecimalText,
  entryPrice: DecimalText,
  markPrice: DecimalText,
  /** Null where no price would liquidate it. */
  liquidationPrice: OrNull(DecimalText),
  bankruptcyPrice: OrNull(DecimalText),
  /** The price where closing at the taker's rate earns nothing. */
  breakEvenPrice: DecimalText,
  /** Its cost and its value at the mark. */
  cost: DecimalText,
  value: DecimalText,
  /** For an isolated position its own margin, for a cross one the initial margin it requires from the account. */
  margin: DecimalText,
  initialMargin: DecimalText,
  maintenanceMargin: DecimalText,
  /** The used share of its margin, "0.3512" is 35.12 %; liquidation at 1. Null when no margin is left. */
  marginRatio: OrNull(DecimalText),
  unrealizedPnl: DecimalText,
  realizedPnl: DecimalText,
  /** Sums over its life; fees and funding as they changed the balance. */
  fee: DecimalText,
  funding: DecimalText,
  /** Unrealised PnL over initial margin, "0.12" is 12 %. */
  roe: DecimalText,
  leverage: Type.Integer(),
  mode: Type.Enum(["cross", "isolated"]),
  isAutoAppend: Type.Boolean(),
  tier: Type.Integer(),
  /** 1 to 5: the fifth of all positions of its side, by deleveraging rank; 5 is closed first. */
  adl: Type.Integer(),
  stops: Type.Array(PositionStop),
  openedAtMs: Type.Integer(),
  updatedAtMs: Type.Integer(),
});
export type FuturesPosition = Static<typeof FuturesPosition>;

export const PositionsQuery = Type.Object({ ...from, pairCode: Type.Optional(PairCode) });

/** A closed position. */
export const ClosedPosition = Type.Object({
  ...InBook,
  positionId: Type.String(),
  pairCode: PairCode,
  side: Type.Enum(["long", "short"]),
  mode: Type.Enum(["cross", "isolated"]),
  leverage: Type.Integer(),
  /** The maximum over its life. */
  maxQuantity: DecimalText,
  closedQuantity: DecimalText,
  entryPrice: DecimalText,
  closePrice: OrNull(DecimalText),
  realizedPnl: DecimalText,
  fee: DecimalText,
  funding: DecimalText,
  /** Realised PnL with fees and funding. */
  netPnl: DecimalText,
  endedBy: Type.Enum(["close", "liquidation", "adl", "delisting", "reset"]),
  /** Its liquidation report, when it was liquidated. */
  liquidationId: OrNull(Type.String()),
  openedAtMs: Type.Integer(),
  closedAtMs: Type.Integer(),
});
export type ClosedPosition = Static<typeof ClosedPosition>;
export const PositionHistoryQuery = Type.Object({
  ...from,
  pairCode: Type.Optional(PairCode),
  from: Type.Optional(TimeMs),
  to: Type.Optional(TimeMs),
  before: Type.Optional(Type.String({ pattern: PAIR_CURSOR_PATTERN, maxLength: PAIR_CURSOR_LENGTH_MAX })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
});
export const PositionHistoryPage = Type.Object({ positions: Type.Array(ClosedPosition), next: Next });
export type PositionHistoryPage = Static<typeof PositionHistoryPage>;

/** A change of an isolated position's own margin; negative for a withdrawal. */
export const MarginChange = Type.Object({
  ...InBook,
  positionId: Type.String(),
  pairCode: PairCode,
  side: Type.Enum(["long", "short"]),
  /** Its side of a hedge; "both" without hedge mode. */
  positionSide: Type.Enum(["both", "long", "short"]),
  asset: Type.String(),
  change: DecimalText,
  /** The position's margin after it. */
  margin: DecimalText,
  /** Added automatically before the position would have been liquidated. */
  isAutomatic: Type.Boolean(),
  timeMs: Type.Integer(),
});
export type MarginChange = Static<typeof MarginChange>;
const Cursor = Type.String({ pattern: PAIR_CURSOR_PATTERN, maxLength: PAIR_CURSOR_LENGTH_MAX });
export const MarginHistoryQuery = Type.Object({
  ...from,
  pairCode: Type.Optional(PairCode),
  from: Type.Optional(TimeMs),
  to: Type.Optional(TimeMs),
  /** The `next` of the page before. */
  before: Type.Optional(Cursor),
  /** Reading forwards: the `next` of the page before, 0-0 at the beginning; the oldest come first. */
  after: Type.Optional(Cursor),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
});
export const MarginHistoryPage = Type.Object({ changes: Type.Array(MarginChange), next: Next });
export type MarginHistoryPage = Static<typeof MarginHistoryPage>;

/** A futures account and its capacity: one of linear and demo, one for each coin of inverse. */
export const FuturesAccount = Type.Object({
  ...InBook,
  asset: Type.String(),
  /** All it holds: wallet and isolated margins. */
  balance: DecimalText,
  /** Bonus (almighty gold) that counts as margin. */
  bonus: DecimalText,
  isolatedMargin: DecimalText,
  unrealizedPnl: DecimalText,
  /** balance + bonus + unrealizedPnl. */
  equity: DecimalText,
  /** Required by cross positions and open orders. */
  initialMargin: DecimalText,
  maintenanceMargin: DecimalText,
  /** Of the cross positions; null when no margin is left, "0" without any. */
  marginRatio: OrNull(DecimalText),
  /** Available for new orders. */
  available: DecimalText,
  /** The transferable amount. */
  transferable: DecimalText,
  worthUsdt: OrNull(DecimalText),
  isHedge: Type.Boolean(),
  isSplit: Type.Boolean(),
});
export type FuturesAccount = Static<typeof FuturesAccount>;
export const AccountsQuery = Type.Object(from);

/** The settings of a contract; by default the standard ones. */
export const ContractSettings = Type.Object({
  ...InBook,
  pairCode: PairCode,
  mode: Type.Enum(["cross", "isolated"]),
  leverageLong: Type.Integer(),
  leverageShort: Type.Integer(),
  maxLeverage: Type.Integer(),
  isAutoAppend: Type.Boolean(),
  positionMode: Type.Enum(["one-way", "hedge"]),
  layout: Type.Enum(["merge", "split"]),
});
export type ContractSettings = Static<typeof ContractSettings>;
export const SettingsQuery = Type.Object({ ...from, pairCode: PairCode });

const closed = { additionalProperties: false } as const;
/** In hedge mode `side` selects one; omitted, both. Answered with ContractSettings. */
export const LeverageBody = Type.Object(
  {
    ...from,
    pairCode: PairCode,
    leverage: Type.Integer({ minimum: 1, maximum: 1_000 }),
    side: Type.Optional(Type.Enum(["long", "short"])),
  },
  closed,
);
export const MarginModeBody = Type.Object(
  { ...from, pairCode: PairCode, mode: Type.Enum(["cross", "isolated"]) },
  closed,
);
/** For inverse accounts the coin selects one; omitted, all of the caller's. One-way mode always merges. */
export const ModeBody = Type.Object(
  {
    ...from,
    mode: Type.Enum(["one-way", "hedge"]),
    coin: Type.Optional(Type.String({ pattern: "^[A-Z0-9]{1,12}$", maxLength: 12 })),
  },
  closed,
);
export const LayoutBody = Type.Object(
  {
    ...from,
    layout: Type.Enum(["merge", "split"]),
    coin: Type.Optional(Type.String({ pattern: "^[A-Z0-9]{1,12}$", maxLength: 12 })),
  },
  closed,
);
export const ModeResult = Type.Object({
  positionMode: Type.Enum(["one-way", "hedge"]),
  layout: Type.Enum(["merge", "split"]),
});
export type ModeResult = Static<typeof ModeResult>;
/** Identifies the intent: a repeat with the same id and contents counts once. */
const ClientId = Type.Optional(Type.String({ pattern: CLIENT_ID_PATTERN, maxLength: CLIENT_ID_LENGTH_MAX }));
/** Negative withdraws. Answered with the position. */
export const MarginBody = Type.Object({ ...from, positionId: Id, amount: SignedInput, clientId: ClientId }, closed);
export const AutoAppendBody = Type.Object({ ...from, pairCode: PairCode, isOn: Type.Boolean() }, closed);
/**
 * Take-profit, stop-loss or trailing stop of a position. Without a quantity: of the whole, at market, follows its size,
 * replaces the earlier ones; with none of the three it removes those. With a quantity: one more pair.
 */
export const StopBody = Type.Object(
  {
    ...from,
    positionId: Id,
    quantity: Type.Optional(DecimalInput),
    profit: Type.Optional(Type.Object({ triggerPrice: DecimalInput, price: Type.Optional(DecimalInput) }, closed)),
    loss: Type.Optional(Type.Object({ triggerPrice: DecimalInput, price: Type.Optional(DecimalInput) }, closed)),
    trailing: Type.Optional(
      Type.Object(
        { trailBps: Type.Integer({ minimum: 10, maximum: 1_000 }), activation: Type.Optional(DecimalInput) },
        closed,
      ),
    ),
    source: Type.Optional(Type.Enum(["last", "mark"])),
  },
  closed,
);
/** Without a quantity all of it, without a price at market. */
export const CloseBody = Type.Object(
  {
    ...from,
    positionId: Id,
    quantity: Type.Optional(DecimalInput),
    price: Type.Optional(DecimalInput),
    slippagePercent: Type.Optional(DecimalInput),
    clientId: ClientId,
  },
  closed,
);
export const CloseAllBody = Type.Object({ ...from, pairCode: Type.Optional(PairCode) }, closed);
export const ReverseBody = Type.Object({ ...from, positionId: Id }, closed);
/** The result of a close or a reversal: the current position (null when closed), each order, and the refusals. */
export const CloseResult = Type.Object({
  position: OrNull(FuturesPosition),
  closedQuantity: DecimalText,
  averagePrice: OrNull(DecimalText),
  realizedPnl: DecimalText,
  orderIds: Type.Array(Type.String()),
  /** A reversal whose second half failed: the close is final, nothing was opened. */
  refusal: OrNull(Type.Object({ code: Type.String(), message: Type.String() })),
  /** It was done before under the same clientId: nothing happened now. */
  isRepeated: Type.Boolean(),
  sequence: Type.Integer(),
});
export type CloseResult = Static<typeof CloseResult>;
export const CloseAllResult = Type.Object({
  closed: Type.Integer(),
  refusals: Type.Array(Type.Object({ pairCode: PairCode, code: Type.String(), message: Type.String() })),
});
export type CloseAllResult = Static<typeof CloseAllResult>;

/** Private live channels; see futures/contract. */
export const POSITIONS_CHANNEL = "positions";
export const POSITION_MARKS_CHANNEL = "position-marks";
export const ACCOUNT_CHANNEL = "account";
export const SETTINGS_CHANNEL = "settings";

export const POSITION_CALLS = {
  accounts: endpoint("GET", "/v1/futuresc/accounts", {
    bases: ["futures"],
    query: AccountsQuery,
    output: Type.Array(FuturesAccount),
    refusals: REFUSALS,
  }),
  list: endpoint("GET", "/v1/futuresc/positions", {
    bases: ["futures"],
    query: PositionsQuery,
    output: Type.Array(FuturesPosition),
    refusals: REFUSALS,
  }),
  history: endpoint("GET", "/v1/futuresc/positions/history", {
    bases: ["futures"],
    query: PositionHistoryQuery,
    output: PositionHistoryPage,
    refusals: REFUSALS,
  }),
  marginHistory: endpoint("GET", "/v1/futuresc/positions/margin-history", {
    bases: ["futures"],
    query: MarginHistoryQuery,
    output: MarginHistoryPage,
    refusals: REFUSALS,
  }),
  settings: endpoint("GET", "/v1/futuresc/positions/settings", {
    bases: ["futures"],
    query: SettingsQuery,
    output: ContractSettings,
    refusals: REFUSALS,
  }),
  setLeverage: endpoint("POST", "/v1/futuresc/positions/leverage", {
    bases: ["futures"],
    body: LeverageBody,
    output: ContractSettings,
    refusals: REFUSALS,
  }),
  setMarginMode: endpoint("POST", "/v1/futuresc/positions/margin-mode", {
    bases: ["futures"],
    body: MarginModeBody,
    output: ContractSettings,
    refusals: REFUSALS,
  }),
  setMode: endpoint("POST", "/v1/futuresc/positions/mode", {
    bases: ["futures"],
    body: ModeBody,
    output: ModeResult,
    refusals: REFUSALS,
  }),
  setLayout: endpoint("POST", "/v1/futuresc/positions/layout", {
    bases: ["futures"],
    body: LayoutBody,
    output: ModeResult,
    refusals: REFUSALS,
  }),
  changeMargin: endpoint("POST", "/v1/futuresc/positions/margin", {
    bases: ["futures"],
    body: MarginBody,
    output: FuturesPosition,
    refusals: REFUSALS,
  }),
  setAutoAppend: endpoint("POST", "/v1/futuresc/positions/auto-append", {
    bases: ["futures"],
    body: AutoAppendBody,
    output: ContractSettings,
    refusals: REFUSALS,
  }),
  setStops: endpoint("POST", "/v1/futuresc/positions/stop", {
    bases: ["futures"],
    body: StopBody,
    output: FuturesPosition,
    refusals: REFUSALS,
  }),
  close: endpoint("POST", "/v1/futuresc/positions/close", {
    bases: ["futures"],
    body: CloseBody,
    output: CloseResult,
    refusals: REFUSALS,
  }),
  closeAll: endpoint("POST", "/v1/futuresc/positions/close-all", {
    bases: ["futures"],
    body: CloseAllBody,
    output: CloseAllResult,
    refusals: REFUSALS,
  }),
  reverse: endpoint("POST", "/v1/futuresc/positions/reverse", {
    bases: ["futures"],
    body: ReverseBody,
    output: CloseResult,
    refusals: REFUSALS,
  }),
};

/** The seed's names for calls defined above under others. */
export const INVERSE_POSITION_CALLS = {
  assets: endpoint("GET", "/v1/perpcm/assets", {
    bases: ["futures"],
    query: AccountsQuery,
    output: Type.Array(FuturesAccount),
    refusals: REFUSALS,
  }),
  type: endpoint("POST", "/v1/perpcm/positions/type", {
    bases: ["futures"],
    body: MarginModeBody,
    output: ContractSettings,
    refusals: REFUSALS,
  }),
  config: endpoint("GET", "/v1/perpcm/positions/config", {
    bases: ["futures"],
    query: SettingsQuery,
    output: ContractSettings,
    refusals: REFUSALS,
  }),
};
