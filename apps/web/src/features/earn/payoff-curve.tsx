// The pay-off of a shark fin by the price at expiry: follows the pointer, a finger and the arrow keys, and shows the
// rate and the exact interest there. Jumps are gaps, not lines; a table contains the same for screen readers.
import type { EarnProduct, SharkView } from "@clockwork/earning/earn/contract";
import { formatPercent } from "@clockwork/kit/format";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { useEarnText } from "#words/earn-text.ts";
import { formatAmount, payoffAt, pixels } from "./earn-model.ts";

const WIDTH = 552;
const HEIGHT = 232;
const LEFT = 44;
const RIGHT = 12;
const TOP = 16;
const BOTTOM = 36;

interface Scale {
  readonly from: number;
  readonly to: number;
  x(price: number): number;
  y(rate: number): number;
}

function scaleOf(shark: SharkView): Scale & { readonly top: number } {
  const [low, high] = [pixels(shark.low), pixels(shark.high)];
  const [from, to] = [low - (high - low) / 2, high + (high - low) / 2];
  const top = Math.ceil(pixels(shark.highRate) * 20) / 20 + 0.02;
  return {
    from,
    to,
    top,
    x: (price) => LEFT + ((price - from) / (to - from)) * (WIDTH - LEFT - RIGHT),
    y: (rate) => HEIGHT - BOTTOM - (rate / top) * (HEIGHT - TOP - BOTTOM),
  };
}

function useTracked(scale: Scale, decimals: number, first: number) {
  const [price, setPrice] = useState(first);
  const place = (next: number) => setPrice(Math.min(scale.to, Math.max(scale.from, next)));
  const follow = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
    place(scale.from + share * (scale.to - scale.from));
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    place(price + step * (scale.to - scale.from) * 0.005);
  };
  return { price: price.toFixed(decimals), value: price, follow, press };
}

/** A small picture of the same curve, without figures; so small, its jumps are drawn as lines. */
export function PayoffShape({ shark }: { readonly shark: SharkView }) {
  const scale = scaleOf(shark);
  const { whole, rise } = paths(shark, scale);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
      className="h-16 w-full text-text"
      preserveAspectRatio="none"
    >
      <path d={rise.area} className="fill-active" />
      <path d={whole} fill="none" stroke="currentColor" strokeWidth={1.5} vectorEffect="non-scaling-stroke" />
      {shark.price === null ? null : (
        <line
          x1={scale.x(pixels(shark.price))}
          x2={scale.x(pixels(shark.price))}
          y1={TOP}
          y2={HEIGHT - BOTTOM}
          className="stroke-brass"
          strokeWidth={4}
          strokeDasharray="8 8"
        />
      )}
    </svg>
  );
}

function paths(shark: SharkView, { x, y, from, to }: Scale) {
  const [low, high] = [pixels(shark.low), pixels(shark.high)];
  const [first, last] =
    shark.direction === "bullish" ? [shark.lowRate, shark.highRate] : [shark.highRate, shark.lowRate];
  const floor = y(pixels(shark.baseRate));
  return {
    whole: `M${x(from)} ${floor} H${x(low)} V${y(pixels(first))} L${x(high)} ${y(pixels(last))} V${floor} H${x(to)}`,
    base: `M${x(from)} ${floor} H${x(low)} M${x(high)} ${floor} H${x(to)}`,
    rise: {
      line: `M${x(low)} ${y(pixels(first))} L${x(high)} ${y(pixels(last))}`,
      area: `M${x(low)} ${y(0)} V${y(pixels(first))} L${x(high)} ${y(pixels(last))} V${y(0)} Z`,
    },
  };
}

export function PayoffCurve({
  product,
  shark,
  amount,
}: {
  readonly product: EarnProduct;
  readonly shark: SharkView;
  readonly amount: string;
}) {
  const text = useEarnText();
  const scale = scaleOf(shark);
  const decimals = (shark.low.split(".")[1] ?? "").length;
  const middle = (pixels(shark.low) + pixels(shark.high)) / 2;
  const tracked = useTracked(scale, decimals, shark.price === null ? middle : pixels(shark.price));
  const found = payoffAt(product, shark, tracked.price, amount);
  const { base, rise } = paths(shark, scale);
  const [px, py] = [scale.x(tracked.value), scale.y(pixels(found.rate))];
  const reply = `${text("shark.at", { coin: shark.index, price: tracked.price })}: ${formatPercent(found.rate)}`;
  return (
    <div>
      <div
        className="touch-pan-y"
        role="slider"
        tabIndex={0}
        aria-label={text("shark.point")}
        aria-valuemin={Math.round(scale.from)}
        aria-valuemax={Math.round(scale.to)}
        aria-valuenow={Math.round(tracked.value)}
        aria-valuetext={reply}
        onPointerMove={tracked.follow}
        onPointerDown={tracked.follow}
        onKeyDown={tracked.press}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" className="w-full text-text">
          {[0, 0.5, 1].map((share) => (
            <g key={share}>
              <line
                x1={LEFT}
                x2={WIDTH - RIGHT}
                y1={scale.y(scale.top * share)}
                y2={scale.y(scale.top * share)}
                className="stroke-line"
              />
              <text x={LEFT - 8} y={scale.y(scale.top * share) + 4} textAnchor="end" className="fill-muted text-[11px]">
                {`${(scale.top * share * 100).toFixed(0)}%`}
              </text>
            </g>
          ))}
          {shark.isTouch ? <Hatched shark={shark} scale={scale} /> : null}
          <path d={rise.area} className="fill-active" />
          <path d={`${base} ${rise.line}`} fill="none" stroke="currentColor" strokeWidth={2} />
          {[shark.low, shark.high].map((price) => (
            <text
              key={price}
              x={scale.x(pixels(price))}
              y={HEIGHT - 12}
              textAnchor="middle"
              className="fill-muted text-[11px]"
            >
              {formatAmount(price, { decimals: 0 })}
            </text>
          ))}
          {shark.price === null ? null : (
            <line
              x1={scale.x(pixels(shark.price))}
              x2={scale.x(pixels(shark.price))}
              y1={HEIGHT - BOTTOM - 8}
              y2={HEIGHT - BOTTOM}
              className="stroke-brass"
              strokeWidth={2}
            />
          )}
          <line x1={px} x2={px} y1={py} y2={HEIGHT - BOTTOM} stroke="currentColor" strokeDasharray="2 3" />
          <circle cx={px} cy={py} r={5} className="fill-bg" stroke="currentColor" strokeWidth={2} />
        </svg>
      </div>
      <p className="figures mt-1 flex flex-wrap gap-x-4 text-label">
        <span className="text-muted">
          {text("shark.at", { coin: shark.index, price: formatAmount(tracked.price, { decimals }) })}
        </span>
        <span className="font-medium text-text">{formatPercent(found.rate)} APR</span>
        <span className="text-text">
          {text("shark.on", {
            interest: found.interest,
            asset: product.asset,
            amount: formatAmount(amount === "" ? "0" : amount),
          })}
        </span>
      </p>
      {shark.isTouch ? (
        <p className="mt-1 text-label text-warn">
          {text("shark.touch", {
            price: formatAmount(shark.direction === "bullish" ? shark.high : shark.low, { decimals: 0 }),
          })}
        </p>
      ) : null}
    </div>
  );
}

/** The side that ends the term. */
function Hatched({ shark, scale }: { readonly shark: SharkView; readonly scale: Scale }) {
  const isBull = shark.direction === "bullish";
  const from = isBull ? scale.x(pixels(shark.high)) : scale.x(scale.from);
  const to = isBull ? scale.x(scale.to) : scale.x(pixels(shark.low));
  const lines = Array.from({ length: Math.floor((to - from) / 8) }, (_, index) => from + index * 8);
  return (
    <g className="stroke-line2">
      {lines.map((x) => (
        <line key={x} x1={x} x2={x + 8} y1={HEIGHT - BOTTOM} y2={TOP} />
      ))}
    </g>
  );
}

export function PayoffTable({
  product,
  shark,
  amount,
}: {
  readonly product: EarnProduct;
  readonly shark: SharkView;
  readonly amount: string;
}) {
  const text = useEarnText();
  const decimals = (shark.low.split(".")[1] ?? "").length;
  const [low, high] = [pixels(shark.low), pixels(shark.high)];
  const prices = [
    low - (high - low) / 4,
    low,
    (3 * low + high) / 4,
    (low + high) / 2,
    (low + 3 * high) / 4,
    high,
    high + (high - low) / 4,
  ];
  return (
    <table className="figures w-full text-ui">
      <thead className="text-label text-muted">
        <tr>
          <th className="py-1 text-left font-normal">{text("shark.price")}</th>
          <th className="text-right font-normal">{text("apr")}</th>
          <th className="text-right font-normal">{text("shark.interest")}</th>
        </tr>
      </thead>
      <tbody>
        {prices.map((price) => {
          const found = payoffAt(product, shark, price.toFixed(decimals), amount);
          return (
            <tr key={price} className="border-line border-t">
              <td className="py-1">{formatAmount(price.toFixed(decimals), { decimals })}</td>
              <td className="text-right">{formatPercent(found.rate)}</td>
              <td className="text-right">{`+${found.interest}`}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
