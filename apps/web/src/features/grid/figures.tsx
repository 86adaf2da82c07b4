// Small parts of the grid pages: facts in rows, signed amounts, a bot's state, three curves in one picture.

import { formatDecimal } from "@clockwork/kit/format";
import type { Bot } from "@clockwork/strategies/grid/contract";
import { Badge } from "@clockwork/ui/pill";
import type { ReactNode } from "react";
import { keyOf, useGridText } from "./grid-text.ts";
import { groupedPrice } from "./model/grouped-price.ts";

export function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-h-8 items-center justify-between gap-4 border-line border-b py-1 text-ui last:border-b-0">
      <dt className="text-muted">{label}</dt>
      <dd className="figures text-right font-medium">{children}</dd>
    </div>
  );
}

/** With its sign and the colour of it. */
export function Signed({ amount, decimals = 2 }: { readonly amount: string; readonly decimals?: number }) {
  const shown = formatDecimal(amount, { decimals, grouped: true });
  const isDown = amount.startsWith("-");
  const isZero = /^-?0(\.0*)?$/.test(amount);
  return (
    <span className={isZero ? "figures" : isDown ? "figures text-down-text" : "figures text-up-text"}>
      {isDown || isZero ? shown : `+${shown}`}
    </span>
  );
}

export function StatusPill({ bot }: { readonly bot: Pick<Bot, "status" | "reason"> }) {
  const text = useGridText();
  const tone = bot.status === "OUT_OF_RANGE" ? "warn" : "outline";
  const reason = bot.status === "CLOSED" && bot.reason !== "none" ? `: ${text(keyOf("reason", bot.reason))}` : "";
  return (
    <Badge tone={tone} round>
      {text(keyOf("status", bot.status))}
      {reason}
    </Badge>
  );
}

/** An infinity grid has no upper end. */
export const rangeOf = ({ kind, lower, upper }: Pick<Bot, "kind" | "lower" | "upper">): string =>
  `${groupedPrice(lower)} – ${kind === "infinity" ? "∞" : groupedPrice(upper)}`;

/** In percent; empty without one. */
export const exitText = ({ exitBps }: Pick<Bot, "exitBps">): string => (exitBps === null ? "" : String(exitBps / 100));

export interface CurveLine {
  readonly timeMs: number;
  readonly total: number;
  readonly grid: number;
}

const WIDTH = 1000;
const HEIGHT = 180;

/** Total, grid and float over time; zero is a line of its own. */
export function ProfitCurve({ points, label }: { readonly points: readonly CurveLine[]; readonly label: string }) {
  const text = useGridText();
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2) return null;
  const values = points.flatMap(({ total, grid }) => [total, grid, total - grid]);
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const span = high - low || 1;
  const x = (timeMs: number): number => ((timeMs - first.timeMs) / Math.max(1, last.timeMs - first.timeMs)) * WIDTH;
  const y = (value: number): number => ((high - value) / span) * HEIGHT;
  const path = (of: (point: CurveLine) => number): string =>
    points.map((one, i) => `${i === 0 ? "M" : "L"}${x(one.timeMs).toFixed(1)} ${y(of(one)).toFixed(1)}`).join("");
  const line = { fill: "none", vectorEffect: "non-scaling-stroke" } as const;
  return (
    <figure className="flex flex-col gap-2">
      <svg
        viewBox={`0 -4 ${WIDTH} ${HEIGHT + 8}`}
        preserveAspectRatio="none"
        className="h-[180px] w-full"
        role="img"
        aria-label={label}
      >
        <line x1={0} x2={WIDTH} y1={y(0)} y2={y(0)} className="stroke-line2" vectorEffect="non-scaling-stroke" />
        <path d={path(({ total, grid }) => total - grid)} {...line} className="stroke-info" strokeDasharray="3 3" />
        <path d={path(({ grid }) => grid)} {...line} className="stroke-warn" strokeWidth={1.5} />
        <path d={path(({ total }) => total)} {...line} className="stroke-text" strokeWidth={1.5} />
      </svg>
      <figcaption className="flex gap-4 text-label text-muted">
        <span>
          <span aria-hidden="true">— </span>
          {text("test.total")}
        </span>
        <span className="text-warn">{text("test.grid")}</span>
        <span className="text-info">{text("test.float")}</span>
      </figcaption>
    </figure>
  );
}
