// The order form in motion: what is typed, how it is judged, when it is sent.

import { readTimezone } from "@clockwork/kit/timezone";
import type { Pair } from "@clockwork/trading/markets/contract";
import { type PlacedOrder, SPOT_CALLS } from "@clockwork/trading/spot/contract";
import { useState } from "react";
import { useGlobal } from "#boot/state.ts";
import type { OrderKind } from "#trade/order/form-kinds.ts";
import { type OrderRulesOf, useOrderFlow } from "#trade/order/use-order-flow.ts";
import { type SampledMarket, useBookLevels, useSampledMarket } from "#trade/order/use-sampled-market.ts";
import { describeRefusal, useTradeText } from "#trade/trade-text.ts";
import { applyPercent, chooseKind, chooseSide, clearAmounts, editText, settleAmount, takePick } from "./form-model.ts";
import { buildOrder, type OrderDraft, placeRefusal } from "./form-order.ts";
import { type Effect, previewOrder } from "./form-preview.ts";
import { findFaults } from "./form-rules.ts";
import {
  EMPTY_FORM,
  type FieldName,
  type FormState,
  type FormWorld,
  fieldsOf,
  type Side,
  settleOptions,
  type TextField,
} from "./form-state.ts";
import { reportPlaced } from "./order-reports.ts";
import { SPOT } from "./product.ts";
import type { Own } from "./use-own.ts";

type SpotMarket = SampledMarket<Pair>;

export interface OrderFormModel {
  readonly state: FormState;
  readonly world: FormWorld;
  readonly market: SpotMarket;
  readonly effect: Effect | undefined;
  readonly isBusy: boolean;
  /** The order waits for a yes. */
  readonly isAsking: boolean;
  /** The current message of a field. */
  readonly faultOf: (field: FieldName) => string | undefined;
  /** What is typed needs more than there is. */
  readonly isShort: boolean;
  readonly edit: (field: TextField, text: string) => void;
  readonly leave: (field: TextField) => void;
  readonly setSide: (side: Side) => void;
  readonly setKind: (kind: OrderKind) => void;
  readonly setPercent: (percent: number) => void;
  readonly change: (change: Partial<FormState>) => void;
  readonly submit: () => void;
  readonly confirm: () => void;
  readonly giveUp: () => void;
  /** Clears the messages of the fields until the next try. */
  readonly calm: () => void;
}

function worldOf(market: SpotMarket, own: Own, zone: FormWorld["zone"]): FormWorld {
  const { pair, last, bandPrice, bid, ask } = market;
  const openOrders = own.openOrders?.filter(
    (order) => order.pairCode === pair.pairCode && order.status !== "PENDING_TRIGGER",
  );
  return {
    pair,
    // An asset never held is not in the list: that is zero, not unknown.
    availableBase: own.balances === undefined ? undefined : (own.balances.get(pair.base)?.available ?? "0"),
    availableQuote: own.balances === undefined ? undefined : (own.balances.get(pair.quote)?.available ?? "0"),
    makerRate: own.fee?.makerRate ?? pair.makerRate,
    takerRate: own.fee?.takerRate ?? pair.takerRate,
    last: last ?? undefined,
    bandPrice: bandPrice ?? undefined,
    bids: bid === null ? [] : [[bid, "0"]],
    asks: ask === null ? [] : [[ask, "0"]],
    openOrders: openOrders?.length,
    nowMs: market.nowMs,
    zone,
  };
}

function firstForm(market: SpotMarket): FormState {
  return { ...EMPTY_FORM, texts: { ...EMPTY_FORM.texts, price: market.last ?? "" } };
}

const RULES: OrderRulesOf<FormState, FormWorld, TextField, OrderDraft, PlacedOrder> = {
  sending: { place: (request, body) => request.call(SPOT_CALLS.place, body) },
  findFaults,
  fieldsOf,
  buildOrder,
  clearAmounts,
  chooseSide,
  takePick,
  placeRefusal,
  shortCode: "INSUFFICIENT_BALANCE",
};

export function useOrderForm(own: Own): OrderFormModel {
  const text = useTradeText();
  const market = useSampledMarket<Pair>();
  const zone = readTimezone(useGlobal((global) => global.timezone));
  const [state, setState] = useState(() => firstForm(market));
  const levels = useBookLevels(market, state.kind === "market");
  const known = worldOf(market, own, zone);
  const world = levels === undefined ? known : { ...known, ...levels };
  const { judge, ...flow } = useOrderFlow(RULES, {
    biz: SPOT.biz,
    state,
    world,
    setState,
    describeRefusal: (failed) => describeRefusal(text, failed),
    report: (form, placed) => reportPlaced(text, form, world, placed),
  });
  const edit = (field: TextField, typed: string) => {
    judge.enterField(field);
    setState(editText(state, world, field, typed));
  };
  return {
    state,
    world,
    market,
    ...flow,
    effect: previewOrder(state, world),
    faultOf: judge.faultOf,
    edit,
    leave: (field) => {
      judge.leaveField(field);
      if (field === "amount") setState(settleAmount(state, world));
    },
    setSide: (side) => {
      judge.begin();
      setState(chooseSide(state, side));
    },
    setKind: (kind) => {
      judge.begin();
      setState(chooseKind(state, world, kind));
    },
    setPercent: (percent) => setState(applyPercent(state, world, percent)),
    change: (change) => setState(settleOptions({ ...state, ...change })),
    calm: judge.begin,
  };
}
