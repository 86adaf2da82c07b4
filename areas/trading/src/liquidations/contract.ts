// The wire contract of liquidation reports: why one started, each step with the numbers that caused it, how it ended.
// The only file of the slice a browser may import. Exact decimal text in the settlement coin.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";
import { ContractQuery } from "../markets/contract.ts";
import { CONTRACT_REFUSALS } from "../markets/refusals.ts";
import { REFUSALS } from "./refusals.ts";

/**
 * GET /futuresapi/v1/futuresc/liquidations/:id is public and names no user; `id` is that of the print in the public
 * list. Only the owner also gets balances and fees. GET my-liquidations lists the caller's own. GET
 * risk-state?pairCode: the value of a contract's liquidations and the use of the insurance fund.
 */
export const LIQUIDATION_ID_PATTERN = "^[1-9][0-9]{0,15}-[0-9]{1,9}$";
export const LiquidationParams = Type.Object({ id: Type.String({ pattern: LIQUIDATION_ID_PATTERN, maxLength: 26 }) });
const Biz = Type.Enum(["futures", "delivery", "demo"]);
export const LiquidationListQuery = Type.Object({
  biz: Type.Optional(Biz),
  before: Type.Optional(Type.String({ pattern: LIQUIDATION_ID_PATTERN, maxLength: 26 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
});
const DecimalText = Type.String();
const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);

export const LiquidationStep = Type.Object({
  step: Type.Enum(["ordersCancelled", "pairNetted", "tierReduced", "takenOver", "deleveraged"]),
  pairCode: Type.String(),
  /** Its price limit; null where there is none. */
  bankruptcyPrice: OrNull(DecimalText),
  quantity: DecimalText,
  value: DecimalText,
  /** The average price in the book; null when the book took nothing. */
  averagePrice: OrNull(DecimalText),
  /** The tier of the position before and after, by its value at the mark. */
  tierBefore: OrNull(Type.Integer()),
  tierAfter: OrNull(Type.Integer()),
  /** The margin left after the step; owner only. */
  cash: OrNull(DecimalText),
  /** What the insurance fund received (positive) or paid in this step. */
  fund: DecimalText,
  fee: DecimalText,
  /** Winners closed against it: quantities, without their names. */
  deleveraged: Type.Array(
    Type.Object({ side: Type.Enum(["long", "short"]), quantity: DecimalText, price: DecimalText }),
  ),
});
export type LiquidationStep = Static<typeof LiquidationStep>;

export const LiquidationReport = Type.Object({
  id: Type.String(),
  sequence: Type.Integer(),
  timeMs: Type.Integer(),
  biz: Biz,
  pairCode: Type.String(),
  asset: Type.String(),
  side: Type.Enum(["long", "short"]),
  mode: Type.Enum(["cross", "isolated"]),
  /** True when the caller's own. */
  isOwn: Type.Boolean(),
  positionId: OrNull(Type.String()),
  markPrice: DecimalText,
  /** Of the position that was taken. */
  quantity: DecimalText,
  entryPrice: OrNull(DecimalText),
  leverage: Type.Integer(),
  /** What supported it: margin or wallet with bonus, and profit at the mark; owner only where it is a wallet. */
  cash: OrNull(DecimalText),
  profit: OrNull(DecimalText),
  /** Maintenance margin and liquidation fee required at the mark. */
  need: DecimalText,
  /** need ÷ (cash + profit); liquidation starts at 1. Null when nothing was left. */
  ratio: OrNull(DecimalText),
  tier: Type.Integer(),
  steps: Type.Array(LiquidationStep),
  liquidatedQuantity: DecimalText,
  averagePrice: OrNull(DecimalText),
  /** Sums over the steps. */
  bookQuantity: DecimalText,
  fundQuantity: DecimalText,
  deleveragedQuantity: DecimalText,
  fee: DecimalText,
  fund: DecimalText,
  /** Balance of the account after it; owner only. */
  balanceAfter: OrNull(DecimalText),
});
export type LiquidationReport = Static<typeof LiquidationReport>;
export const LiquidationList = Type.Object({
  liquidations: Type.Array(LiquidationReport),
  next: OrNull(Type.String()),
});
export type LiquidationList = Static<typeof LiquidationList>;

/** The value of a contract's liquidations, and the use of the insurance fund. Values in the settlement coin. */
export const RiskState = Type.Object({
  pairCode: Type.String(),
  asset: Type.String(),
  /** In the last 24 hours. */
  liquidatedValue: DecimalText,
  liquidations: Type.Integer(),
  /**
   * What the symbol drew from the fund in eight hours as a fraction of the fund's peak in them; 0 when it paid in more.
   */
  drawdown: DecimalText,
  peak: DecimalText,
  /** Above this drawdown losses go to counterparties, until it is below the second. */
  deleveragesFrom: DecimalText,
  deleveragesUntil: DecimalText,
  isDeleveraging: Type.Boolean(),
  /** Liquidations of the last 90 days that counterparties were closed against. */
  deleveragings: Type.Integer(),
});
export type RiskState = Static<typeof RiskState>;

export const LIQUIDATION_CALLS = {
  one: endpoint("GET", "/v1/futuresc/liquidations/:id", {
    bases: ["futures"],
    params: LiquidationParams,
    output: LiquidationReport,
    refusals: REFUSALS,
  }),
  own: endpoint("GET", "/v1/futuresc/my-liquidations", {
    bases: ["futures"],
    query: LiquidationListQuery,
    output: LiquidationList,
  }),
  riskState: endpoint("GET", "/v1/futuresc/risk-state", {
    bases: ["futures"],
    query: ContractQuery,
    output: RiskState,
    refusals: CONTRACT_REFUSALS,
  }),
};
