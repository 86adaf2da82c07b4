// A leader's index or profit over a window, next to bitcoin held over the same days; daily bars below it: gains up,
// losses down.
import type { LeaderDetail } from "@clockwork/strategies/copy/contract";
import { AreaCurve } from "@clockwork/ui/area-curve";
import { Card } from "@clockwork/ui/card";
import { Segmented } from "@clockwork/ui/segmented";
import { useMemo, useState } from "react";
import { day, gain, money, sumOf } from "./copy-figures.ts";
import { useCopyText } from "./copy-text.ts";

const WINDOWS = ["7", "30", "90", "180"];
const BARS_HEIGHT = 56;

type Shown = "roi" | "pnl";

/** Positions on a drawing, not money: exact figures are in the tooltips. */
function drawingOf(leader: LeaderDetail, window: string, shown: Shown) {
  const days = leader.days.slice(-Number(window));
  const base = Number(days[0]?.index ?? "1");
  const last = leader.curve.at(-1) ?? "1";
  const signed = (value: number): string => `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(2)}%`;
  let made = "0";
  const points = [...days, { dayMs: 0, index: last, pnl: today(leader) }].map((one) => {
    made = sumOf([made, one.pnl]);
    const rate = (Number(one.index) / base - 1) * 100;
    const place = one.dayMs === 0 ? "" : day(one.dayMs).slice(5);
    const brought = gain(one.pnl);
    return shown === "roi"
      ? { value: rate, place, text: `${signed(rate)} · ${brought}` }
      : { value: Number(made), place, text: `${gain(made)} · ${brought}` };
  });
  const firstBitcoin = days.find(({ btc }) => btc !== null)?.btc;
  const against = (price: string | null): number | undefined =>
    price === null || firstBitcoin == null ? undefined : (Number(price) / Number(firstBitcoin) - 1) * 100;
  const bitcoin = [...days.map(({ btc }) => against(btc)), against(leader.btcNow)];
  return { days, points, bitcoin: shown === "roi" && firstBitcoin != null ? bitcoin : undefined };
}

/** The result of the current day: the week's profit less its finished days. */
function today({ windows, days, reckonedAtMs }: LeaderDetail): string {
  const week = windows[0];
  if (week === undefined) return "0";
  const over = days.filter(({ dayMs }) => dayMs >= reckonedAtMs - week.days * 86_400_000).map(({ pnl }) => pnl);
  const spent = sumOf(over);
  return sumOf([week.pnl, spent.startsWith("-") ? spent.slice(1) : `-${spent}`]);
}

export function Performance({ leader }: { readonly leader: LeaderDetail }) {
  const text = useCopyText();
  const [window, setWindow] = useState("90");
  const [shown, setShown] = useState<Shown>("roi");
  const { days, points, bitcoin } = useMemo(() => drawingOf(leader, window, shown), [leader, window, shown]);
  return (
    <Card
      title={text("performance")}
      aside={
        <span className="flex flex-wrap items-center justify-end gap-2">
          <Segmented
            label={text("performance")}
            size={28}
            segments={(["roi", "pnl"] as const).map((id) => ({ id, title: text(`curve.${id}`) }))}
            value={shown}
            onChange={(id) => setShown(id as Shown)}
          />
          <Segmented
            label={text("window")}
            size={28}
            segments={WINDOWS.map((id) => ({ id, title: text("days", { days: id }) }))}
            value={window}
            onChange={setWindow}
          />
        </span>
      }
    >
      {bitcoin !== undefined && (
        <p className="mb-2 flex flex-wrap justify-end gap-x-4 text-label text-muted" aria-hidden="true">
          <span className="flex items-center gap-1.5">
            <span className="h-0.5 w-4 bg-text" /> {leader.nickname}
          </span>
          <span className="flex items-center gap-1.5">
            <span className="w-4 border-series1 border-t-2 border-dashed" /> {text("curve.bitcoin")}
          </span>
        </p>
      )}
      {points.length < 2 ? (
        <p className="py-16 text-center text-muted">{text("noClosed")}</p>
      ) : (
        <>
          <AreaCurve
            label={text("curveLabel", { name: leader.nickname, days: window })}
            points={points}
            beside={bitcoin}
            heightPx={240}
            axisText={(value) => (shown === "roi" ? `${value.toFixed(0)}%` : money(value.toFixed(0), 0))}
          />
          <Bars days={days} />
        </>
      )}
      <p className="mt-2 flex flex-wrap justify-between gap-2 text-[13px] text-muted">
        <span>{text("curveNote")}</span>
        <span>{text("barsNote")}</span>
      </p>
    </Card>
  );
}

function Bars({ days }: { readonly days: LeaderDetail["days"] }) {
  const most = Math.max(1, ...days.map(({ pnl }) => Math.abs(Number(pnl))));
  const width = 100 / Math.max(1, days.length);
  return (
    <svg
      viewBox={`0 0 100 ${BARS_HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="mt-2 w-full pr-17"
      style={{ height: BARS_HEIGHT }}
    >
      {days.map(({ dayMs, pnl }, index) => {
        const value = Number(pnl);
        const height = (Math.abs(value) / most) * (BARS_HEIGHT / 2);
        return (
          <rect
            key={dayMs}
            x={index * width}
            width={width * 0.7}
            y={value >= 0 ? BARS_HEIGHT / 2 - height : BARS_HEIGHT / 2}
            height={height}
            className={value >= 0 ? "fill-up" : "fill-down"}
          >
            <title>{`${day(dayMs)} ${gain(pnl)}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}
