// The order form as data: its fields, its options, which kinds have which. Types and choices only; nothing is computed
// here.

import type { TimezoneName } from "@clockwork/kit/constants";
import {
  kindFields,
  type OrderKind,
  SHARED_TEXTS,
  type SharedField,
  TIMES_IN_FORCE,
  type TimeInForce,
} from "#trade/order/form-kinds.ts";
import type { OrderRules } from "#trade/order/judge.ts";
import type { LadderShape } from "#trade/order/ladder.ts";
import type { Level } from "#trade/order/use-sampled-market.ts";
import type { TradeSide } from "#trade/trade-order.ts";

export type Side = TradeSide;
export const SELF_TRADE_MODES = ["EXPIRE_TAKER", "EXPIRE_MAKER", "EXPIRE_BOTH", "DECREMENT"] as const;
export type SelfTradeMode = (typeof SELF_TRADE_MODES)[number];

export type TextField = SharedField | "amount" | "takeProfitPrice" | "stopLossPrice" | "stopLossLimitPrice";
/** `form` is for refusals that are about no single field. */
export type FieldName = TextField | "form";

export interface FormState {
  readonly side: Side;
  readonly kind: OrderKind;
  readonly texts: Readonly<Record<TextField, string>>;
  /** Market buys may say how much to spend instead of how much to get. */
  readonly sizeIn: "base" | "quote";
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** Post-only orders that would cross are put one tick behind instead of being refused. */
  readonly reprice: boolean;
  readonly iceberg: boolean;
  readonly exits: boolean;
  readonly shape: LadderShape;
  readonly selfTrade: SelfTradeMode;
  /** The slider's position at release; cleared by any edit that moves the amount. */
  readonly percent: number | undefined;
}

/** The rules of a pair as far as the form needs them; a served pair fits unchanged. */
export interface PairRules extends OrderRules {
  readonly pairCode: string;
  readonly base: string;
  readonly quote: string;
  readonly status: string;
  readonly quoteScale: number;
  readonly minNotional: string;
  readonly openOrdersMax: number;
}

/** The market and account data of the validation. Missing means unknown, and is then not validated. */
export interface FormWorld {
  readonly pair: PairRules;
  readonly availableBase: string | undefined;
  readonly availableQuote: string | undefined;
  readonly makerRate: string;
  readonly takerRate: string;
  readonly last: string | undefined;
  /** What the core bounds prices by: the average of five minutes. */
  readonly bandPrice: string | undefined;
  /** Best price first. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  readonly openOrders: number | undefined;
  readonly nowMs: number;
  /** Minutes east of UTC of the user's clock. */
  readonly zone: TimezoneName;
}

const NO_TEXTS: Readonly<Record<TextField, string>> = {
  ...SHARED_TEXTS,
  amount: "",
  takeProfitPrice: "",
  stopLossPrice: "",
  stopLossLimitPrice: "",
};

export const EMPTY_FORM: FormState = {
  side: "buy",
  kind: "limit",
  texts: NO_TEXTS,
  sizeIn: "quote",
  timeInForce: "GTC",
  postOnly: false,
  reprice: false,
  iceberg: false,
  exits: false,
  shape: "flat",
  selfTrade: "EXPIRE_TAKER",
  percent: undefined,
};

export const SLIPPAGE_DEFAULT_PERCENT = "5";

/** Which fields a kind has, in the order they are shown and judged. */
export function fieldsOf(state: FormState): readonly TextField[] {
  const { kind, timeInForce, iceberg, exits } = state;
  const isLimit = kind === "limit";
  return [
    ...kindFields(kind).map((field) => (field === "quantity" && isInQuote(state) ? "amount" : field)),
    ...(isLimit || kind === "stopLimit" ? (["amount"] as const) : []),
    ...(exits && (isLimit || kind === "market") ? EXIT_FIELDS : []),
    ...(isLimit && iceberg ? (["visibleQuantity"] as const) : []),
    ...(isLimit && timeInForce === "GTD" ? (["expiresAt"] as const) : []),
  ];
}

const EXIT_FIELDS: readonly TextField[] = ["takeProfitPrice", "stopLossPrice", "stopLossLimitPrice"];

export function isInQuote(state: FormState): boolean {
  return state.kind === "market" && state.side === "buy" && state.sizeIn === "quote";
}

/** Which options a kind takes, and which of them go together. */
export interface FormOptions {
  readonly timesInForce: readonly TimeInForce[];
  readonly postOnly: boolean;
  readonly iceberg: boolean;
  readonly exits: boolean;
}

export function optionsOf(state: FormState): FormOptions {
  const rests = state.timeInForce === "GTC" || state.timeInForce === "GTD";
  switch (state.kind) {
    case "limit":
      return {
        // An entry with exits carries no expiry of its own.
        timesInForce: state.exits ? ["GTC", "IOC", "FOK"] : TIMES_IN_FORCE,
        postOnly: rests,
        iceberg: rests && !state.exits,
        exits: true,
      };
    case "market":
      return { timesInForce: [], postOnly: false, iceberg: false, exits: true };
    case "stopLimit":
      return { timesInForce: ["GTC", "IOC", "FOK"], postOnly: rests, iceberg: false, exits: false };
    case "oco":
    case "scaled":
      return { timesInForce: [], postOnly: state.kind === "scaled", iceberg: false, exits: false };
    case "stopMarket":
    case "trailingStop":
    case "twap":
      return { timesInForce: [], postOnly: false, iceberg: false, exits: false };
  }
}

/** Options that the kind or another option rules out are dropped, so nothing hidden is ever sent. */
export function settleOptions(state: FormState): FormState {
  const first = optionsOf(state);
  const timeInForce =
    first.timesInForce.length === 0 || first.timesInForce.includes(state.timeInForce) ? state.timeInForce : "GTC";
  const settled = { ...state, timeInForce: first.timesInForce.length === 0 ? ("GTC" as const) : timeInForce };
  const options = optionsOf(settled);
  return {
    ...settled,
    postOnly: settled.postOnly && options.postOnly,
    iceberg: settled.iceberg && options.iceberg,
    exits: settled.exits && options.exits,
  };
}
