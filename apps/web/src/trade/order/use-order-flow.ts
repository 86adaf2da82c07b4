// An order form in use, for any product: validated while it is typed, confirmed before it is sent, sent once, and
// reported. The product defines errors and orders.
import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from "react";
import type { Failed } from "#live/answer.ts";
import { type TerminalPick, useTerminalLink } from "#trade/terminal-link.ts";
import type { TradeSide } from "#trade/trade-order.ts";
import { isTradeKey, type TradeText, useTradeText } from "#trade/trade-text.ts";
import { askingOf, type BookPick, isAsked } from "./asking.ts";
import type { OrderKind } from "./form-kinds.ts";
import { focusField } from "./form-parts.tsx";
import type { Fault, Faults } from "./judge.ts";
import { type Judgement, useJudgement } from "./use-judgement.ts";
import { type SendingParts, useSending } from "./use-sending.ts";

/** The product's rules of its own orders. */
export interface OrderRulesOf<State, World, Field extends string, Draft extends object, Placed> {
  readonly sending: SendingParts<Draft, Placed>;
  /** Every fault there is, the first one per field. */
  readonly findFaults: (state: State, world: World) => Faults<Field | "form">;
  /** The fields of the order's kind, in the order they are shown. */
  readonly fieldsOf: (state: State) => readonly Field[];
  readonly buildOrder: (state: State, world: World) => Draft;
  readonly clearAmounts: (state: State) => State;
  readonly chooseSide: (state: State, side: TradeSide) => State;
  readonly takePick: (state: State, world: World, pick: TerminalPick, bookPick: BookPick) => State;
  /** The field that a refusal of the server belongs to. */
  readonly placeRefusal: (code: string, state: State) => Field | "form";
  /** What is needed and not there. */
  readonly shortCode: string;
}

interface FlowParts<State, World, Placed> {
  readonly biz: string;
  readonly state: State;
  readonly world: World;
  readonly setState: Dispatch<SetStateAction<State>>;
  readonly describeRefusal: (failed: Failed) => string;
  readonly report: (state: State, placed: Placed) => void;
}

interface OrderFlow<Field extends string> {
  readonly judge: Judgement<Field | "form">;
  readonly isBusy: boolean;
  /** The order waits for a yes. */
  readonly isAsking: boolean;
  /** What is typed needs more than there is. */
  readonly isShort: boolean;
  readonly submit: () => void;
  readonly confirm: () => void;
  readonly giveUp: () => void;
}

interface JudgedWorld {
  readonly pair: { readonly quote: string };
  readonly nowMs: number;
}

function describeFault(text: TradeText, fault: Fault, quote: string): string {
  const key = `fault.${fault.code}`;
  return isTradeKey(key) ? text(key, { limit: fault.limit ?? "", quote }) : text("fault.ILLEGAL");
}

export function useOrderFlow<
  State extends { readonly kind: OrderKind },
  World extends JudgedWorld,
  Field extends string,
  Draft extends object,
  Placed,
>(
  rules: OrderRulesOf<State, World, Field, Draft, Placed>,
  { biz, state, world, setState, describeRefusal, report }: FlowParts<State, World, Placed>,
): OrderFlow<Field> {
  const text = useTradeText();
  const say = (fault: Fault) => describeFault(text, fault, world.pair.quote);
  const judge = useJudgement<Field | "form">(rules.findFaults(state, world), say);
  const [isAsking, setAsking] = useState(false);
  const { isBusy, send } = useSending(rules.sending);
  const sendNow = (form: State) => {
    setAsking(false);
    void send(rules.buildOrder(form, world), {
      onPlaced: (placed) => {
        setState((now) => rules.clearAmounts(now));
        judge.begin();
        report(form, placed);
      },
      onRefused: (failed) =>
        judge.setRefusal({ field: rules.placeRefusal(String(failed.code), form), words: describeRefusal(failed) }),
    });
  };
  const submitAs = (form: State) => {
    if (isBusy) return;
    judge.tryAll();
    judge.setRefusal(undefined);
    const faulty = Object.keys(rules.findFaults(form, { ...world, nowMs: Date.now() }));
    if (faulty.length > 0) focusField(rules.fieldsOf(form).find((field) => faulty.includes(field)));
    else if (isAsked(askingOf(biz).get(), form.kind)) setAsking(true);
    else sendNow(form);
  };
  useTerminalRequests(rules, { biz, state, world, setState, submitAs });
  return {
    judge,
    isBusy,
    isAsking,
    isShort: (Object.values(judge.faults) as (Fault | undefined)[]).some((fault) => fault?.code === rules.shortCode),
    submit: () => submitAs(state),
    confirm: () => sendNow(state),
    giveUp: () => setAsking(false),
  };
}

type RequestRules<State, World> = Pick<OrderRulesOf<State, World, string, object, unknown>, "chooseSide" | "takePick">;

interface RequestParts<State, World> extends Pick<FlowParts<State, World, unknown>, "biz" | "state" | "world"> {
  readonly setState: Dispatch<SetStateAction<State>>;
  readonly submitAs: (form: State) => void;
}

/** Prices picked in the book or on the chart, and the buttons at a phone's edge. */
function useTerminalRequests<State, World>(
  rules: RequestRules<State, World>,
  { biz, state, world, setState, submitAs }: RequestParts<State, World>,
): void {
  const link = useTerminalLink();
  const latest = useRef({ state, world, submitAs });
  useEffect(() => {
    latest.current = { state, world, submitAs };
  });
  useEffect(() => {
    const left = link.onPick((pick) =>
      setState((now) => rules.takePick(now, latest.current.world, pick, askingOf(biz).get().bookPick)),
    );
    const released = link.onPressSide((side) => {
      const turned = rules.chooseSide(latest.current.state, side);
      setState(turned);
      latest.current.submitAs(turned);
    });
    return () => {
      left();
      released();
    };
  }, [link, biz, rules, setState]);
}
