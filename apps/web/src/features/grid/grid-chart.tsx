// The price with the lines of a grid over it: buys below, sells above, the empty line dashed. The edges are handles that are
// dragged, or moved by the arrow keys: one tick, with Shift ten.
import type { BackTestCandle } from "@clockwork/kit/grid/back-test";
import { type Grid, PRICE_TICKS_MAX, priceText } from "@clockwork/kit/instrument";
import { formatDate } from "@clockwork/kit/time";
import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { useGridText } from "./grid-text.ts";
import { groupedPrice } from "./model/grouped-price.ts";

const WIDTH = 1000;
const HEIGHT = 476;
const PAD = 0.12;
const FAST_TICKS = 10;
/** Where month and day start in a written date. */
const DAY_AT = 5;

export interface ChartMark {
  readonly timeMs: number;
  readonly ticks: number;
  readonly side: "buy" | "sell";
}

export interface GridChartProps {
  readonly candles: readonly BackTestCandle[];
  readonly lines: readonly number[];
  readonly lastTicks: number;
  readonly instrument: Grid;
  /** Take profit, stop loss, trigger. */
  readonly levels?: readonly { readonly ticks: number; readonly title: string }[];
  readonly marks?: readonly ChartMark[];
  /** What a line's order would carry, written at the right of the lines that have room. */
  readonly quantityAt?: ((ticks: number) => string) | undefined;
  /** Which edges are handles; both by default. */
  readonly edges?: readonly ("lower" | "upper")[];
  readonly onMove?: ((edge: "lower" | "upper", ticks: number) => void) | undefined;
}

const BOTH = ["upper", "lower"] as const;

interface Scale {
  readonly low: number;
  readonly high: number;
}

function scaleOf({ candles, lines, levels = [] }: GridChartProps): Scale {
  const prices = [
    ...candles.flatMap(({ high, low }) => [high, low]),
    ...lines.slice(0, 1),
    ...lines.slice(-1),
    ...levels.map(({ ticks }) => ticks),
  ];
  if (prices.length === 0) return { low: 0, high: 1 };
  let [low, high] = [prices[0] as number, prices[0] as number];
  for (const price of prices) {
    if (price < low) low = price;
    if (price > high) high = price;
  }
  const pad = Math.max(1, (high - low) * PAD);
  return { low: Math.max(0, low - pad), high: high + pad };
}

const yOf = ({ low, high }: Scale, ticks: number): number => ((high - ticks) / (high - low)) * HEIGHT;

export function GridChart(props: GridChartProps) {
  const { candles, lines, lastTicks, instrument, levels = [], edges = BOTH, onMove } = props;
  const text = useGridText();
  const frame = useRef<HTMLDivElement>(null);
  const scale = scaleOf(props);
  const gap = lines.findLastIndex((line) => line <= lastTicks);
  return (
    <div ref={frame} className="relative h-[476px] w-full overflow-hidden max-md:h-[240px]">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full"
        role="img"
        aria-label={text("create.chart")}
      >
        <Candles candles={candles} scale={scale} />
        {lines.map((line, i) => (
          <line
            key={line}
            x1={0}
            x2={WIDTH}
            y1={yOf(scale, line)}
            y2={yOf(scale, line)}
            vectorEffect="non-scaling-stroke"
            strokeDasharray={i === gap ? "2 4" : undefined}
            className={i === gap ? "stroke-muted" : i < gap ? "stroke-up" : "stroke-down"}
            strokeOpacity={i === 0 || i === lines.length - 1 ? 1 : 0.45}
          />
        ))}
        {levels.map(({ ticks }) => (
          <line
            key={ticks}
            x1={0}
            x2={WIDTH}
            y1={yOf(scale, ticks)}
            y2={yOf(scale, ticks)}
            vectorEffect="non-scaling-stroke"
            strokeDasharray="6 4"
            className="stroke-warn"
          />
        ))}
        <Marks {...props} scale={scale} />
      </svg>
      {levels.map(({ ticks, title }) => (
        <span key={title} className="absolute left-3 text-axis text-warn" style={{ top: placeOf(scale, ticks, -16) }}>
          {title} {groupedPrice(priceText(instrument, ticks))}
        </span>
      ))}
      <Axes candles={candles} scale={scale} instrument={instrument} />
      {lastTicks > 0 && (
        <span
          className="figures absolute right-0 rounded-[2px] bg-text px-1.5 text-axis text-on-text"
          style={{ top: placeOf(scale, lastTicks, -8) }}
        >
          {groupedPrice(priceText(instrument, lastTicks))}
        </span>
      )}
      {props.quantityAt !== undefined && (
        <OrderLabels lines={lines} gap={gap} scale={scale} quantityAt={props.quantityAt} />
      )}
      {onMove !== undefined &&
        lines.length > 1 &&
        edges.map((edge) => <Edge key={edge} {...props} edge={edge} scale={scale} frame={frame} onMove={onMove} />)}
      {candles.length === 0 && <p className="absolute inset-x-0 top-1/2 text-center text-muted">{text("test.few")}</p>}
    </div>
  );
}

const placeOf = (scale: Scale, ticks: number, offset: number): string =>
  `calc(${(yOf(scale, ticks) / HEIGHT) * 100}% + ${offset}px)`;

interface OrderLabelsProps {
  readonly lines: readonly number[];
  readonly gap: number;
  readonly scale: Scale;
  readonly quantityAt: (ticks: number) => string;
}

/** Of the chart's height, between two labels. */
const LABEL_ROOM = 18;

/**
 * Quantity of every line's order; where lines are close, only every second or third is labelled. The edges have
 * handles.
 */
function OrderLabels({ lines, gap, scale, quantityAt }: OrderLabelsProps) {
  const text = useGridText();
  let last = Number.NEGATIVE_INFINITY;
  const shown = lines.flatMap((line, i) => {
    const y = yOf(scale, line);
    if (i === gap || i === 0 || i === lines.length - 1 || Math.abs(last - y) < LABEL_ROOM) return [];
    last = y;
    return [{ line, side: i < gap ? ("buy" as const) : ("sell" as const) }];
  });
  return (
    <div aria-hidden="true" className="pointer-events-none max-md:hidden">
      {shown.map(({ line, side }) => (
        <span
          key={line}
          className="figures absolute right-20 bg-surface/70 px-1 text-axis text-muted"
          style={{ top: placeOf(scale, line, -8) }}
        >
          {text(side === "buy" ? "create.buyOf" : "create.sellOf", { quantity: quantityAt(line) })}
        </span>
      ))}
    </div>
  );
}

const PRICES = 5;
const TIMES = 5;

/** A few prices at the right and days at the foot. */
function Axes({
  candles,
  scale,
  instrument,
}: Pick<GridChartProps, "candles" | "instrument"> & { readonly scale: Scale }) {
  const prices = Array.from({ length: PRICES }, (_, i) =>
    Math.round(scale.high - ((i + 0.5) / PRICES) * (scale.high - scale.low)),
  );
  const times = Array.from({ length: TIMES }, (_, i) => candles[Math.floor(((i + 0.5) / TIMES) * candles.length)]);
  return (
    <div aria-hidden="true" className="pointer-events-none">
      {prices.map((ticks) => (
        <span
          key={ticks}
          className="figures absolute right-1 text-axis text-muted"
          style={{ top: placeOf(scale, ticks, -8) }}
        >
          {groupedPrice(priceText(instrument, ticks))}
        </span>
      ))}
      {times.map(
        (candle, i) =>
          candle !== undefined && (
            <span
              key={candle.timeMs}
              className="figures absolute bottom-1 -translate-x-1/2 text-axis text-muted"
              style={{ left: `${((i + 0.5) / TIMES) * 100}%` }}
            >
              {formatDate(candle.timeMs).slice(DAY_AT)}
            </span>
          ),
      )}
    </div>
  );
}

function Candles({ candles, scale }: { readonly candles: readonly BackTestCandle[]; readonly scale: Scale }) {
  const step = WIDTH / Math.max(1, candles.length);
  const wicks = { up: "", down: "" };
  const bodies = { up: "", down: "" };
  for (const [i, { open, high, low, close }] of candles.entries()) {
    const side = close >= open ? "up" : "down";
    const x = (i + 0.5) * step;
    wicks[side] += `M${x.toFixed(1)} ${yOf(scale, high).toFixed(1)}V${yOf(scale, low).toFixed(1)}`;
    const top = yOf(scale, Math.max(open, close));
    const height = Math.max(1, yOf(scale, Math.min(open, close)) - top);
    bodies[side] +=
      `M${(x - step * 0.35).toFixed(1)} ${top.toFixed(1)}h${(step * 0.7).toFixed(1)}v${height.toFixed(1)}h-${(step * 0.7).toFixed(1)}z`;
  }
  return (
    <g>
      <path d={wicks.up} className="stroke-up" vectorEffect="non-scaling-stroke" />
      <path d={wicks.down} className="stroke-down" vectorEffect="non-scaling-stroke" />
      <path d={bodies.up} className="fill-up" />
      <path d={bodies.down} className="fill-down" />
    </g>
  );
}

function Marks({ candles, marks = [], scale }: GridChartProps & { readonly scale: Scale }) {
  const [first, last] = [candles[0], candles.at(-1)];
  if (first === undefined || last === undefined || last.timeMs === first.timeMs) return null;
  return marks.map(({ timeMs, ticks, side }) => {
    const x = ((timeMs - first.timeMs) / (last.timeMs - first.timeMs)) * WIDTH;
    if (x < 0) return null;
    const y = yOf(scale, ticks);
    const d = side === "buy" ? `M${x} ${y}l-4 7h8z` : `M${x} ${y}l-4 -7h8z`;
    return <path key={`${timeMs}:${ticks}:${side}`} d={d} className={side === "buy" ? "fill-up" : "fill-down"} />;
  });
}

interface EdgeProps extends GridChartProps {
  readonly edge: "lower" | "upper";
  readonly scale: Scale;
  readonly frame: { readonly current: HTMLDivElement | null };
  readonly onMove: (edge: "lower" | "upper", ticks: number) => void;
}

function Edge({ edge, lines, instrument, scale, frame, onMove }: EdgeProps) {
  const text = useGridText();
  const ticks = (edge === "upper" ? lines.at(-1) : lines[0]) as number;
  const price = priceText(instrument, ticks);
  const move = (to: number): void => {
    const other = (edge === "upper" ? lines[0] : lines.at(-1)) as number;
    const bounded = edge === "upper" ? Math.max(other + 1, to) : Math.min(other - 1, to);
    onMove(edge, Math.max(1, Math.round(bounded)));
  };
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const box = frame.current?.getBoundingClientRect();
    if (box === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const part = (event.clientY - box.top) / box.height;
    move(scale.high - part * (scale.high - scale.low));
  };
  const press = (event: KeyboardEvent): void => {
    const sign = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (sign === 0) return;
    event.preventDefault();
    move(ticks + sign * (event.shiftKey ? FAST_TICKS : 1));
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-valuemin={1}
      aria-valuemax={PRICE_TICKS_MAX}
      aria-orientation="vertical"
      aria-label={text(edge === "upper" ? "create.edge.upper" : "create.edge.lower", { price })}
      aria-valuenow={ticks}
      aria-valuetext={price}
      data-edge={edge}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={press}
      className="figures absolute left-3 flex h-7 min-w-36 -translate-y-1/2 cursor-ns-resize touch-none items-center justify-between gap-3 rounded-[4px] border border-accent bg-surface px-2 font-semibold text-label max-md:h-11"
      style={{ top: placeOf(scale, ticks, 0) }}
    >
      {text(edge === "upper" ? "label.upper" : "label.lower")} {groupedPrice(price)}
      <span aria-hidden="true" className="text-muted">
        ⠿
      </span>
    </div>
  );
}
