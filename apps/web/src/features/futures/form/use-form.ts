// The futures form in motion: what is typed, how it is judged, what it would do to the position, when it is sent.

import { readTimezone } from "@clockwork/kit/timezone";
import { FUTURES_CALLS, type FuturesBiz, type FuturesPlaced, type MaxOrder } from "@clockwork/trading/futures/contract";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import type { ContractSettings, FuturesAccount, FuturesPosition } from "@clockwork/trading/positions/contract";
import { useEffect, useRef, useState } from "react";
import { useGlobal } from "#boot/state.ts";
import { useCalls } from "#session/auth-context.ts";
import { isPlanKind, type OrderKind } from "#trade/order/form-kinds.ts";
import { notify } from "#trade/order/notices.ts";
import { type OrderRulesOf, useOrderFlow } from "#trade/order/use-order-flow.ts";
import { type SampledMarket, useSampledMarket } from "#trade/order/use-sampled-market.ts";
import { describePlaced } from "#trade/orders/placed-notice.ts";
import { showOrder } from "#trade/orders/shown-order.ts";
import { type TradeText, useTradeText } from "#trade/trade-text.ts";
import { describeFuturesRefusal, useFuturesText } from "../model/futures-text.ts";
import { useBiz } from "../model/use-own.ts";
import { useContractQuotation } from "../parts/statistics.tsx";
import {
  applyPercent,
  buildOrder,
  chooseKind,
  chooseSide,
  clearAmounts,
  editText,
  findFaults,
  type OrderDraft,
  placeRefusal,
  sideOfPosition,
  takePick,
} from "./form-model.ts";
import {
  EMPTY_FORM,
  type FieldName,
  type FormState,
  type FormWorld,
  fieldsOf,
  settleOptions,
  type TextField,
} from "./form-state.ts";

export interface OwnFutures {
  readonly account: FuturesAccount | undefined;
  readonly positions: readonly FuturesPosition[];
  readonly settings: ContractSettings | undefined;
  readonly makerRate: string | undefined;
  readonly takerRate: string | undefined;
  /** Whose fees these are. */
  readonly level: number | undefined;
}

export interface FuturesFormModel {
  readonly state: FormState;
  readonly world: FormWorld;
  readonly market: SampledMarket<ContractInfo>;
  readonly own: OwnFutures;
  readonly isBusy: boolean;
  readonly isAsking: boolean;
  readonly faultOf: (field: FieldName) => string | undefined;
  /** What is typed needs more margin than there is. */
  readonly isShort: boolean;
  readonly edit: (field: TextField, text: string) => void;
  readonly leave: (field: TextField) => void;
  readonly setSide: (side: "buy" | "sell") => void;
  readonly setKind: (kind: OrderKind) => void;
  readonly setPercent: (percent: number) => void;
  readonly change: (change: Partial<FormState>) => void;
  readonly submit: () => void;
  readonly confirm: () => void;
  readonly giveUp: () => void;
  readonly calm: () => void;
}

const RULES: OrderRulesOf<FormState, FormWorld, TextField, OrderDraft, FuturesPlaced> = {
  sending: { place: (request, body) => request.call(FUTURES_CALLS.place, body, { api: "futures" }) },
  findFaults,
  fieldsOf,
  buildOrder,
  clearAmounts,
  chooseSide,
  takePick,
  placeRefusal,
  shortCode: "INSUFFICIENT_MARGIN",
};

const MAX_WAIT_MS = 300;
/** The available amount moves with every mark: checked this often, and requested only when it moved. */
const MAX_AGAIN_MS = 1_000;

/** The largest orders at the typed price, from the server; requested again when their inputs changed. */
function useMaxOrder(pairCode: string, price: string, own: OwnFutures): MaxOrder | undefined {
  const calls = useCalls();
  const biz = useBiz();
  const [most, setMost] = useState<MaxOrder>();
  const { available } = own.account ?? {};
  const { leverageLong, leverageShort, mode } = own.settings ?? {};
  const newest = useRef(available);
  newest.current = available;
  const isKnown = available !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the bound hangs on
  useEffect(() => {
    if (!isKnown) return;
    let gone = false;
    let requested: string | undefined;
    const ask = async () => {
      if (requested === newest.current) return;
      requested = newest.current;
      const query = { biz, pairCode, ...(/^\d+(\.\d+)?$/.test(price) && Number(price) > 0 ? { price } : {}) };
      const answer = await (await calls()).call(FUTURES_CALLS.maxOrder, query, { api: "futures" });
      if (answer.ok && !gone) setMost(answer.data);
    };
    const first = setTimeout(ask, MAX_WAIT_MS);
    const again = setInterval(ask, MAX_AGAIN_MS);
    return () => {
      gone = true;
      clearTimeout(first);
      clearInterval(again);
    };
  }, [calls, biz, pairCode, price, isKnown, leverageLong, leverageShort, mode]);
  return most?.pairCode === pairCode ? most : undefined;
}

function heldOf(positions: readonly FuturesPosition[], side: "long" | "short"): string {
  return positions.find((position) => position.side === side)?.quantity ?? "0";
}

interface WorldParts {
  readonly market: SampledMarket<ContractInfo>;
  readonly own: OwnFutures;
  readonly mark: string | null;
  readonly most: MaxOrder | undefined;
  readonly zone: FormWorld["zone"];
}

function worldOf({ market, own, mark, most, zone }: WorldParts): FormWorld {
  const here = own.positions.filter(({ pairCode }) => pairCode === market.pair.pairCode);
  return {
    pair: market.pair,
    isHedge: own.settings?.positionMode === "hedge",
    last: market.last ?? undefined,
    mark: mark ?? undefined,
    bandPrice: market.bandPrice ?? undefined,
    bid: market.bid ?? undefined,
    ask: market.ask ?? undefined,
    mostBuy: most?.buyQuantity,
    mostSell: most?.sellQuantity,
    // A buy closes a short, a sell a long.
    heldAgainst: { buy: heldOf(here, "short"), sell: heldOf(here, "long") },
    nowMs: market.nowMs,
    zone,
  };
}

function report(text: TradeText, form: FormState, world: FormWorld, placed: FuturesPlaced): void {
  const { priceDecimals, quantityDecimals } = world.pair;
  const sent = {
    side: form.side,
    isPlan: isPlanKind(form.kind),
    quantity: form.texts.quantity,
    price: form.kind === "limit" ? form.texts.price : undefined,
    unit: "",
    priceDecimals,
    quantityDecimals,
  };
  notify({
    ...describePlaced(text, sent, placed),
    action: { label: text("toast.view"), onPress: () => showOrder(placed.orderId) },
  });
}

function firstState(biz: FuturesBiz, price: string): FormState {
  return { ...EMPTY_FORM, isDemo: biz === "demo", texts: { ...EMPTY_FORM.texts, price } };
}

export function useFuturesForm(own: OwnFutures): FuturesFormModel {
  const text = useTradeText();
  const words = useFuturesText();
  const biz = useBiz();
  const market = useSampledMarket<ContractInfo>();
  const mark = useContractQuotation()?.mark ?? null;
  const [state, setState] = useState<FormState>(() => firstState(biz, market.last ?? ""));
  const zone = readTimezone(useGlobal((global) => global.timezone));
  const requested = fieldsOf(state).includes("price") ? state.texts.price : "";
  const most = useMaxOrder(market.pair.pairCode, requested, own);
  const world = worldOf({ market, own, mark, most, zone });
  const { judge, ...flow } = useOrderFlow(RULES, {
    biz,
    state,
    world,
    setState,
    describeRefusal: (failed) => describeFuturesRefusal(words, text, failed),
    report: (form, placed) => report(text, form, world, placed),
  });
  return {
    state,
    world,
    market,
    own,
    ...flow,
    faultOf: judge.faultOf,
    edit: (field, typed) => {
      judge.enterField(field);
      setState(editText(state, field, typed));
    },
    leave: judge.leaveField,
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

/** Which of one's positions an order of the form is about. */
export function targetOf(form: Pick<FuturesFormModel, "state" | "world" | "own">): FuturesPosition | undefined {
  const { state, world, own } = form;
  const here = own.positions.filter(({ pairCode, isSplit }) => pairCode === world.pair.pairCode && !isSplit);
  return world.isHedge ? here.find(({ side }) => side === sideOfPosition(state)) : here[0];
}
