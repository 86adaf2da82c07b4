// A grid suggested from recent volatility: over which days, how it is computed, and always its back-tested result,
// drawdown and fees. Never a promise.

import { formatPercent } from "@clockwork/kit/format";
import { GRID_CALLS, type Suggestion } from "@clockwork/strategies/grid/contract";
import { Button } from "@clockwork/ui/button";
import { Segmented } from "@clockwork/ui/segmented";
import { useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { Fact, Signed } from "./figures.tsx";
import { useGridText } from "./grid-text.ts";
import type { Draft } from "./model/grid-model.ts";
import { groupedPrice } from "./model/grouped-price.ts";
import type { CreateData } from "./use-create.ts";

const DAYS = ["7", "30", "180"] as const;

export interface SuggestedProps {
  readonly data: CreateData;
  readonly onUse: (part: Partial<Draft>) => void;
}

export function Suggested({ data: { biz, pair, suggestion }, onUse }: SuggestedProps) {
  const text = useGridText();
  const calls = useCalls();
  const [shown, setShown] = useState(suggestion);
  const [days, setDays] = useState(DAYS.find((id) => Number(id) === suggestion?.days) ?? "30");
  const [failure, setFailure] = useState<string>();
  const choose = async (next: (typeof DAYS)[number]): Promise<void> => {
    setDays(next);
    const client = await calls();
    const answer = await client.call(GRID_CALLS[biz].suggestion, {
      pairCode: pair.pairCode,
      days: next,
    });
    setFailure(answer.ok ? undefined : answer.message);
    setShown(answer.ok ? answer.data : null);
  };
  const use = ({ lower, upper, count, spacing }: Suggestion): void =>
    onUse({ lower, upper, count: String(count), spacing });
  return (
    <section className="flex flex-col gap-2 rounded-control border border-line p-3 text-label">
      <header className="flex items-center justify-between gap-3">
        <h2 className="font-semibold">{text("create.suggested")}</h2>
        {shown !== null && (
          <Button size={28} onPress={() => use(shown)}>
            {text("create.use")}
          </Button>
        )}
      </header>
      <Segmented
        label={text("create.suggestedDays")}
        wide
        segments={DAYS.map((id) => ({ id, title: text("create.days", { days: id }) }))}
        value={days}
        onChange={(next) => void choose(next as (typeof DAYS)[number])}
      />
      {failure !== undefined && <p role="alert">{failure}</p>}
      {shown !== null && <Published suggestion={shown} isFutures={biz === "futures"} />}
    </section>
  );
}

function Published({ suggestion, isFutures }: { readonly suggestion: Suggestion; readonly isFutures: boolean }) {
  const text = useGridText();
  const { lower, upper, count, spacing, backTest, dailyVolatility, days, method } = suggestion;
  const percent = (rate: string): string => formatPercent(rate, { decimals: 2 });
  return (
    <>
      <p className="figures text-muted">
        {groupedPrice(lower)} – {groupedPrice(upper)}, {count} {text(`spacing.${spacing}`).toLowerCase()},{" "}
        {text("create.volatility", { rate: percent(dailyVolatility) })}
      </p>
      {backTest === null ? (
        <p className="text-muted">{text("test.none")}</p>
      ) : (
        <dl>
          <Fact label={text("create.would", { days, amount: groupedPrice(backTest.invested) })}>
            <Signed amount={backTest.total} />
          </Fact>
          {isFutures && (
            <Fact label={text("test.fundingPart")}>
              {backTest.fundingFromMs === null ? text("test.leftOut") : <Signed amount={backTest.funding} />}
            </Fact>
          )}
          <Fact label={text("test.drawdown")}>{percent(backTest.drawdown)}</Fact>
          <Fact label={text("create.feeShare")}>{percent(backTest.feeShare)}</Fact>
        </dl>
      )}
      <details className="text-muted">
        <summary className="cursor-pointer">{text("create.method")}</summary>
        <p className="mt-1">{method}</p>
      </details>
    </>
  );
}
