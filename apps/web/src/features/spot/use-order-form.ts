// The order form in motion: what is typed, how it is judged, when it is sent.
import type { Pair } from "@clockwork/domains/markets/api";
import type { PlacedOrder } from "@clockwork/domains/spot/api";
import { readTimezone } from "@clockwork/kit/timezone";
import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from "react";
import { useGlobal } from "#boot/state.ts";
import { SPOT_PATHS } from "#live/feeds/spot-feeds.ts";
import { askingOf, isAsked } from "#trade/order/asking.ts";
import { focusField } from "#trade/order/form-parts.tsx";
import type { Fault } from "#trade/order/judge.ts";
import { useJudgement } from "#trade/order/use-judgement.ts";
import { type SampledMarket, useBookLevels, useSampledMarket } from "#trade/order/use-sampled-market.ts";
import { type SendingParts, useSending } from "#trade/order/use-sending.ts";
import { useTerminalLink } from "#trade/terminal-link.ts";
import { isTradeKey, sayRefusal, type TradeSpeak, useTradeText } from "#trade/trade-text.ts";
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
  type OrderKind,
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
  /** What stands beside a field now. */
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
  /** Takes back what stands beside the fields until the next try. */
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

const SENDING: SendingParts<OrderDraft, PlacedOrder> = {
  place: (request, body) => request.postJson<PlacedOrder>(SPOT_PATHS.orders, body),
};

function sayFault(text: TradeSpeak, fault: Fault, quote: string): string {
  const key = `fault.${fault.code}`;
  return isTradeKey(key) ? text(key, { limit: fault.limit ?? "", quote }) : text("fault.ILLEGAL");
}

export function useOrderForm(own: Own): OrderFormModel {
  const text = useTradeText();
  const market = useSampledMarket<Pair>();
  const zone = readTimezone(useGlobal((global) => global.timezone));
  const [state, setState] = useState(() => firstForm(market));
  const levels = useBookLevels(market, state.kind === "market");
  const known = worldOf(market, own, zone);
  const world = levels === undefined ? known : { ...known, ...levels };
  const judge = useJudgement<FieldName>(findFaults(state, world), (fault) => sayFault(text, fault, world.pair.quote));
  const [isAsking, setAsking] = useState(false);
  const { isBusy, send } = useSending(SENDING);
  const sendNow = (form: FormState) => {
    setAsking(false);
    void send(buildOrder(form, world), {
      onPlaced: (placed) => {
        setState((now) => clearAmounts(now));
        judge.begin();
        reportPlaced(text, form, world, placed);
      },
      onRefused: (failed) =>
        judge.setRefusal({ field: placeRefusal(String(failed.code), form), words: sayRefusal(text, failed) }),
    });
  };
  const submitAs = (form: FormState) => {
    if (isBusy) return;
    judge.tryAll();
    judge.setRefusal(undefined);
    const faulty = Object.keys(findFaults(form, { ...world, nowMs: Date.now() }));
    if (faulty.length > 0) focusField(fieldsOf(form).find((field) => faulty.includes(field)));
    else if (isAsked(askingOf(SPOT.biz).get(), form.kind)) setAsking(true);
    else sendNow(form);
  };
  useTerminalRequests(state, world, setState, submitAs);
  const edit = (field: TextField, typed: string) => {
    judge.enterField(field);
    setState(editText(state, world, field, typed));
  };
  return {
    state,
    world,
    market,
    effect: previewOrder(state, world),
    isBusy,
    isAsking,
    faultOf: judge.faultOf,
    isShort: Object.values(judge.faults).some((fault) => fault?.code === "INSUFFICIENT_BALANCE"),
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
    submit: () => submitAs(state),
    confirm: () => sendNow(state),
    giveUp: () => setAsking(false),
    calm: judge.begin,
  };
}

/** Prices picked in the book or on the chart, and the buttons at a phone's edge. */
function useTerminalRequests(
  state: FormState,
  world: FormWorld,
  setState: Dispatch<SetStateAction<FormState>>,
  submitAs: (form: FormState) => void,
): void {
  const link = useTerminalLink();
  const latest = useRef({ state, world, submitAs });
  useEffect(() => {
    latest.current = { state, world, submitAs };
  });
  useEffect(
    () =>
      link.onPick((pick) =>
        setState((now) => takePick(now, latest.current.world, pick, askingOf(SPOT.biz).get().bookPick)),
      ),
    [link, setState],
  );
  useEffect(
    () =>
      link.onPressSide((side) => {
        const turned = chooseSide(latest.current.state, side);
        setState(turned);
        latest.current.submitAs(turned);
      }),
    [link, setState],
  );
}
