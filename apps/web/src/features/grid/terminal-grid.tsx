// A new grid next to the terminal's chart: the form of the create page for the pair on the screen, its lines drawn over
// the chart while it is filled in, its edges dragged there. Contains no rule.

import { priceText, readPriceTicks } from "@clockwork/kit/instrument";
import { GRID_CALLS, type GridBiz, type Suggestion } from "@clockwork/strategies/grid/contract";
import { CONTRACT_CALLS, type LadderStep } from "@clockwork/trading/markets/contract";
import { useEffect, useMemo, useRef, useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { useSampledMarket } from "#trade/order/use-sampled-market.ts";
import { useTerminalLink } from "#trade/terminal-link.ts";
import { CreateForm } from "./create-form.tsx";
import { Send, Summary } from "./create-parts.tsx";
import { useGridText } from "./grid-text.ts";
import type { GridPair } from "./model/grid-model.ts";
import { type CreateData, useCreate } from "./use-create.ts";
import { useFree } from "./use-free.ts";

interface Known {
  readonly pairCode: string;
  readonly suggestion: Suggestion | null;
  readonly ladder: readonly LadderStep[];
}

/** The form's initial data, fetched once for the pair. */
function useKnown(biz: GridBiz, pairCode: string): Known | undefined {
  const calls = useCalls();
  const [known, setKnown] = useState<Known>();
  useEffect(() => {
    let isThere = true;
    const fetch = async (): Promise<void> => {
      const client = await calls();
      const [suggestion, ladder] = await Promise.all([
        client.call(GRID_CALLS[biz].suggestion, { pairCode, days: "30" }),
        biz === "spot" ? undefined : client.call(CONTRACT_CALLS.ladder, { biz, pairCode }, { api: "futures" }),
      ]);
      if (!isThere) return;
      setKnown({
        pairCode,
        suggestion: suggestion.ok ? suggestion.data : null,
        ladder: ladder?.ok === true ? ladder.data : [],
      });
    };
    fetch().catch(() => undefined);
    return () => {
      isThere = false;
    };
  }, [calls, biz, pairCode]);
  return known?.pairCode === pairCode ? known : undefined;
}

export function TerminalGrid({ biz }: { readonly biz: GridBiz }) {
  const { pair, last } = useSampledMarket<GridPair>();
  const known = useKnown(biz, pair.pairCode);
  const data = useMemo(
    (): CreateData | undefined =>
      known === undefined || last === null
        ? undefined
        : {
            biz,
            pair,
            pairs: [],
            last,
            candles: NONE,
            fundings: NONE,
            ladder: known.ladder,
            suggestion: known.suggestion,
            isSignedIn: true,
          },
    [biz, pair, last, known],
  );
  return data === undefined ? null : <Drawing key={pair.pairCode} data={data} />;
}

/** Nothing is tested here. */
const NONE: CreateData["candles"] & CreateData["fundings"] = [];

function Drawing({ data }: { readonly data: CreateData }) {
  const made = useCreate(data);
  const money = useFree(data.biz, data.isSignedIn);
  useDrawn(data, made);
  return (
    <div className="grid gap-4 p-3 md:grid-cols-2">
      <CreateForm
        draft={made.draft}
        base={data.pair.base}
        quote={data.pair.quote}
        isSpot={data.biz === "spot"}
        refusal={made.drawn.refusal}
        money={money}
        onChange={made.change}
      />
      <div className="flex flex-col gap-3">
        <Summary made={made} pair={data.pair} />
        <Send data={data} made={made} />
      </div>
    </div>
  );
}

/** Keeps the chart's lines in step with the form, and removes them with it. */
function useDrawn(
  { pair }: CreateData,
  { drawn, draft, lastTicks, terms, moveEdge }: ReturnType<typeof useCreate>,
): void {
  const text = useGridText();
  const { drawnGrid } = useTerminalLink();
  const move = useRef(moveEdge);
  move.current = moveEdge;
  useEffect(() => {
    if (terms === undefined || drawn.lines.length === 0) {
      drawnGrid.set(null);
      return;
    }
    const { instrument } = terms;
    const shown = drawn.lines.map((ticks) => priceText(instrument, ticks));
    const ends = draft.kind === "infinity" ? (["lower"] as const) : (["upper", "lower"] as const);
    drawnGrid.set({
      pairCode: pair.pairCode,
      lines: shown,
      price: Number(priceText(instrument, lastTicks)),
      edges: ends.map((id) => {
        const price = (id === "upper" ? shown.at(-1) : shown[0]) as string;
        return { id, price, label: `${text(`label.${id}`)} ${price}` };
      }),
      onMove: (edge, price) => {
        const ticks = readPriceTicks(instrument, price);
        if (ticks === undefined) return;
        // One edge never passes the other.
        const [low, high] = [drawn.lines[0] as number, drawn.lines.at(-1) as number];
        move.current(edge, edge === "upper" ? Math.max(low + 1, ticks) : Math.min(high - 1, ticks));
      },
    });
  }, [drawnGrid, drawn.lines, draft.kind, lastTicks, terms, pair.pairCode, text]);
  useEffect(() => () => drawnGrid.set(null), [drawnGrid]);
}
