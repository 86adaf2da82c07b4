// The state of the create page: what is typed, what follows from it, the back-test a moment later, and sending it once.

import type { BackTestResult } from "@clockwork/kit/grid/back-test";
import { priceText, readPriceTicks } from "@clockwork/kit/instrument";
import { type BotDetail, GRID_CALLS, type GridBiz, type Suggestion } from "@clockwork/strategies/grid/contract";
import type { Candle, FundingEntry, LadderStep } from "@clockwork/trading/markets/contract";
import { useEffect, useMemo, useState } from "react";
import { sendIntent } from "#live/intent.ts";
import { useCalls } from "#session/auth-context.ts";
import { gridIntent } from "./model/grid-intent.ts";
import {
  type Draft,
  drawGrid,
  type GridPair,
  readCandles,
  readEnds,
  readExit,
  readFundings,
  readLeverage,
  termsOf,
  withEnough,
} from "./model/grid-model.ts";
import type { SweptCount } from "./model/grid-test.ts";

export interface CreateData {
  readonly biz: GridBiz;
  readonly pair: GridPair;
  readonly pairs: readonly string[];
  readonly last: string;
  readonly candles: readonly Candle[];
  /** Of a contract. */
  readonly ladder: readonly LadderStep[];
  readonly fundings: readonly FundingEntry[];
  readonly suggestion: Suggestion | null;
  readonly isSignedIn: boolean;
  /** The address's parameters of the initial grid. */
  readonly requested?: Partial<Draft> | undefined;
}

const TEST_MS = 300;
const OPTIONAL = ["trigger", "takeProfit", "stopLoss", "trailUp", "trailDown"] as const;

function firstDraft({ biz, suggestion, requested }: CreateData): Draft {
  return {
    kind: biz === "spot" ? "spot" : "neutral",
    lower: suggestion?.lower ?? "",
    upper: suggestion?.upper ?? "",
    count: String(suggestion?.count ?? 20),
    spacing: suggestion?.spacing ?? "arithmetic",
    investment: suggestion?.investment ?? "",
    base: "",
    leverage: String(suggestion?.leverage ?? 2),
    trigger: "",
    takeProfit: "",
    stopLoss: "",
    trailUp: "",
    trailDown: "",
    exit: "",
    ends: "",
    keeps: false,
    ...requested,
  };
}

export function useCreate(data: CreateData) {
  const { pair, last, ladder, fundings } = data;
  const [typed, setTyped] = useState(() => firstDraft(data));
  const [hasOwnAmount, setOwnAmount] = useState(data.requested?.investment !== undefined);
  const terms = useMemo(() => {
    const read = termsOf(pair, ladder);
    return read === undefined ? undefined : { ...read, fundings: readFundings(fundings, read) };
  }, [pair, ladder, fundings]);
  const candles = useMemo(() => (terms === undefined ? [] : readCandles(data.candles, terms)), [data.candles, terms]);
  const lastTicks = (terms === undefined ? undefined : readPriceTicks(terms.instrument, last)) ?? 0;
  const draft = useMemo(
    () => (hasOwnAmount || terms === undefined ? typed : withEnough(typed, pair, terms, lastTicks)),
    [hasOwnAmount, typed, pair, terms, lastTicks],
  );
  const drawn = useMemo(
    () =>
      terms === undefined
        ? { lines: [], plan: undefined, refusal: "INVALID" }
        : drawGrid(draft, pair, terms, lastTicks),
    [draft, pair, terms, lastTicks],
  );
  const [tested, setTested] = useState<{
    result: BackTestResult | undefined;
    refusal: string | undefined;
    swept: readonly SweptCount[];
    of: Draft;
  }>();
  useEffect(() => {
    if (terms === undefined) return;
    let isThere = true;
    const test = async (): Promise<void> => {
      const { sweepCounts, testGrid, whyUntested } = await import("./model/grid-test.ts");
      if (!isThere) return;
      const result = testGrid(draft, pair, terms, candles);
      const refusal = result === undefined ? whyUntested(draft, pair, terms, candles) : undefined;
      const swept = result === undefined ? [] : sweepCounts(draft, pair, terms, candles);
      setTested({ result, refusal, swept, of: draft });
    };
    const timer = setTimeout(() => void test(), TEST_MS);
    return () => {
      isThere = false;
      clearTimeout(timer);
    };
  }, [draft, pair, terms, candles]);
  const change = (part: Partial<Draft>): void => {
    setTyped((now) => ({ ...now, ...part }));
    if (part.investment !== undefined) setOwnAmount(true);
  };
  const moveEdge = (edge: "lower" | "upper", ticks: number): void => {
    if (terms !== undefined) change({ [edge]: priceText(terms.instrument, ticks) });
  };
  return { draft, change, moveEdge, terms, candles, lastTicks, drawn, tested, sending: useSend(data, draft) };
}

/** One intent, one id: pressed again after a lost answer it is the same bot. */
function useSend({ biz, pair }: CreateData, draft: Draft) {
  const calls = useCalls();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const send = async (): Promise<BotDetail | undefined> => {
    setBusy(true);
    setFailure(undefined);
    const client = await calls();
    const endsAtMs = readEnds(draft);
    const exitBps = readExit(draft);
    const given = Object.fromEntries(OPTIONAL.flatMap((name) => (draft[name] === "" ? [] : [[name, draft[name]]])));
    const { create } = GRID_CALLS[biz];
    const body = {
      kind: draft.kind,
      pairCode: pair.pairCode,
      lower: draft.lower,
      ...(draft.kind === "infinity" ? {} : { upper: draft.upper }),
      count: Number(draft.count),
      spacing: draft.spacing,
      investment: draft.investment,
      ...(biz === "spot" && draft.base !== "" ? { base: draft.base } : {}),
      ...(biz === "spot" ? {} : { leverage: readLeverage(draft.leverage) }),
      ...given,
      ...(exitBps === undefined ? {} : { exitBps }),
      ...(endsAtMs === undefined ? {} : { endsAtMs }),
      keeps: draft.keeps,
    };
    const answer = await sendIntent(create.path, body, gridIntent(client), (clientId) =>
      client.call(create, { ...body, clientId }),
    );
    setBusy(false);
    if (answer.ok) return answer.data;
    setFailure(answer.message);
    return undefined;
  };
  return { send, isBusy, failure };
}
