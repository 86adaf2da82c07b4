// The futures form as data: its fields, its options, which kinds have which. Types and choices only.

import type { TimezoneName } from "@clockwork/kit/constants";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import {
  isWaiting,
  kindFields,
  ORDER_KINDS,
  type OrderKind,
  SHARED_TEXTS,
  type SharedField,
  TIMES_IN_FORCE,
  type TimeInForce,
} from "#trade/order/form-kinds.ts";
import type { LadderShape } from "#trade/order/ladder.ts";
import type { TradeSide } from "#trade/trade-order.ts";

/** Demo fills follow the real market order by order: lists and slicers have no place there. */
const NOT_IN_DEMO: readonly OrderKind[] = ["oco", "twap"];

/** The kinds on offer. */
export function kindsOf({ isDemo }: FormState): readonly OrderKind[] {
  return isDemo ? ORDER_KINDS.filter((kind) => !NOT_IN_DEMO.includes(kind)) : ORDER_KINDS;
}

export const TRIGGER_SOURCES = ["mark", "last", "index"] as const;
export type TriggerSource = (typeof TRIGGER_SOURCES)[number];

export type TextField = SharedField | "stopProfit" | "stopLoss";
/** `form` is for refusals that are about no single field. */
export type FieldName = TextField | "form";

export interface FormState {
  readonly side: TradeSide;
  readonly kind: OrderKind;
  readonly texts: Readonly<Record<TextField, string>>;
  /** The size is typed as a quantity, or as its value. */
  readonly sizeIn: "quantity" | "value";
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly iceberg: boolean;
  readonly reduceOnly: boolean;
  /** Hedge mode: opens its side, or closes the other's position. */
  readonly intent: "open" | "close";
  readonly exits: boolean;
  readonly shape: LadderShape;
  readonly triggerSource: TriggerSource;
  readonly isDemo: boolean;
  readonly percent: number | undefined;
}

export const EMPTY_FORM: FormState = {
  side: "buy",
  kind: "limit",
  texts: { ...SHARED_TEXTS, stopProfit: "", stopLoss: "" },
  sizeIn: "quantity",
  timeInForce: "GTC",
  postOnly: false,
  iceberg: false,
  reduceOnly: false,
  intent: "open",
  exits: false,
  shape: "flat",
  triggerSource: "mark",
  isDemo: false,
  percent: undefined,
};

/** The market and account data of the validation. Missing means unknown, and is then not validated. */
export interface FormWorld {
  readonly pair: ContractInfo;
  readonly isHedge: boolean;
  readonly last: string | undefined;
  readonly mark: string | undefined;
  readonly bandPrice: string | undefined;
  readonly bid: string | undefined;
  readonly ask: string | undefined;
  /** The largest order accepted now, according to the server. */
  readonly mostBuy: string | undefined;
  readonly mostSell: string | undefined;
  /** What is held against a closing order of each side. */
  readonly heldAgainst: { readonly buy: string; readonly sell: string };
  readonly nowMs: number;
  /** Of the user's clock. */
  readonly zone: TimezoneName;
}

const EXITS: readonly TextField[] = ["stopProfit", "stopLoss"];

/** Which fields a kind has, in the order they are shown and judged. */
export function fieldsOf({ kind, timeInForce, iceberg, exits }: FormState): readonly TextField[] {
  const isLimit = kind === "limit";
  return [
    ...kindFields(kind),
    ...(exits && (isLimit || kind === "market") ? EXITS : []),
    ...(isLimit && iceberg ? (["visibleQuantity"] as const) : []),
    ...(isLimit && timeInForce === "GTD" ? (["expiresAt"] as const) : []),
  ];
}

export interface FormOptions {
  readonly timesInForce: readonly TimeInForce[];
  readonly postOnly: boolean;
  readonly iceberg: boolean;
  readonly exits: boolean;
  readonly triggers: boolean;
  readonly reduces: boolean;
}

export function optionsOf({ kind, timeInForce, reduceOnly, intent, exits, isDemo }: FormState): FormOptions {
  const rests = timeInForce === "GTC" || timeInForce === "GTD";
  const opens = !reduceOnly && intent === "open";
  const times: readonly TimeInForce[] = ["GTC", "IOC", "FOK"];
  return {
    // An entry with exits carries no expiry of its own, nor does a plan.
    timesInForce: kind === "limit" ? (exits || isDemo ? times : TIMES_IN_FORCE) : kind === "stopLimit" ? times : [],
    postOnly: ((kind === "limit" || kind === "stopLimit") && rests) || kind === "scaled",
    iceberg: kind === "limit" && rests && !exits && !isDemo,
    exits: (kind === "limit" || kind === "market") && opens && !isDemo,
    triggers: isWaiting(kind) || kind === "oco",
    reduces: kind !== "twap",
  };
}

/** Options that the kind or another option rules out are dropped, so nothing hidden is ever sent. */
export function settleOptions(state: FormState): FormState {
  const { timesInForce, reduces } = optionsOf(state);
  const settled: FormState = {
    ...state,
    timeInForce: timesInForce.includes(state.timeInForce) ? state.timeInForce : "GTC",
    reduceOnly: state.reduceOnly && reduces,
    intent: reduces ? state.intent : "open",
  };
  const options = optionsOf(settled);
  return {
    ...settled,
    postOnly: settled.postOnly && options.postOnly,
    iceberg: settled.iceberg && options.iceberg,
    exits: settled.exits && options.exits,
  };
}
