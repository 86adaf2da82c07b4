// The result of a typed basket over the last days compared with holding the same coins, over stored candles.

import { formatDecimal, formatPercent } from "@clockwork/kit/format";
import { formatMinute } from "@clockwork/kit/time";
import type { BasketTest } from "@clockwork/strategies/rebalance/contract";
import { AreaCurve } from "@clockwork/ui/area-curve";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Segmented } from "@clockwork/ui/segmented";
import { useState } from "react";
import type { BasketProps } from "./basket-form.tsx";
import { Fact, Signed } from "./figures.tsx";
import { useGridText } from "./grid-text.ts";
import { QUOTE } from "./model/basket-model.ts";
import { useBasketTest } from "./use-basket-test.ts";

const DAYS = ["7", "30", "180"] as const;
const CURVE_MIN = 3;

const money = (amount: string): string => formatDecimal(amount, { decimals: 2, grouped: true });

export function BasketTestCard({ data, made: { draft, preview } }: BasketProps) {
  const text = useGridText();
  const [days, setDays] = useState<string>("30");
  const { tested, isBusy, begin, cancel } = useBasketTest(draft);
  const isWrong = preview.coins !== undefined || preview.rule !== undefined || preview.investment !== undefined;
  return (
    <Card
      title={text("basket.test")}
      aside={
        <Segmented
          label={text("basket.testDays")}
          size={28}
          segments={DAYS.map((id) => ({ id, title: text("basket.days", { count: Number(id) }) }))}
          value={days}
          onChange={setDays}
        />
      }
    >
      {isBusy && (
        <progress className="h-0.5 w-full" max={1} value={tested?.progress ?? 0} aria-label={text("basket.test")} />
      )}
      {tested?.result !== undefined && (
        <div className={tested.of === draft ? "" : "opacity-60"}>
          <Result result={tested.result} />
        </div>
      )}
      {tested?.failure !== undefined && (
        <p role="alert" className="text-danger text-label">
          {tested.failure}
        </p>
      )}
      {data.isSignedIn ? (
        <div className="mt-3 flex gap-3">
          <Button size={32} isDisabled={isWrong || isBusy} onPress={() => void begin(Number(days))}>
            {text(tested === undefined ? "basket.testBegin" : "basket.testAgain")}
          </Button>
          {isBusy && (
            <Button kind="ghost" size={32} onPress={() => void cancel()}>
              {text("basket.testCancel")}
            </Button>
          )}
        </div>
      ) : (
        <p className="text-muted text-ui">{text("basket.testSignIn")}</p>
      )}
    </Card>
  );
}

function Result({ result }: { readonly result: BasketTest }) {
  const text = useGridText();
  return (
    <>
      <dl className="grid gap-x-6 sm:grid-cols-2">
        <Fact label={text("label.total")}>
          <Signed amount={result.total} />
        </Fact>
        <Fact label={text("basket.change")}>{formatPercent(result.change, { decimals: 2 })}</Fact>
        <Fact label={text("basket.holding")}>
          <Signed amount={result.holding} />
        </Fact>
        <Fact label={text("test.drawdown")}>{formatPercent(result.drawdown, { decimals: 2 })}</Fact>
        <Fact label={text("basket.rounds")}>{result.rounds}</Fact>
        <Fact label={text("label.fees")}>{money(result.fees)}</Fact>
      </dl>
      {result.curve.length >= CURVE_MIN && (
        <AreaCurve
          label={text("basket.test")}
          points={result.curve.map(({ timeMs, total }) => ({
            value: Number(total),
            place: formatMinute(timeMs),
            text: `${money(total)} ${QUOTE}`,
          }))}
          axisText={(value) => money(value.toFixed(2))}
          placeCount={4}
        />
      )}
      <p className="mt-2 text-label text-muted">
        {text("basket.testNote", { candles: result.candles, days: result.days })}
      </p>
    </>
  );
}
