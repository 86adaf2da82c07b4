// The liquidation price over leverage as a curve, bankruptcy dotted, the other side dashed; drag or arrow keys choose the
// leverage.
import { groupThousands } from "@clockwork/kit/decimal";
import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { type KnownContract, writePrice } from "../model/contract.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { type CalculatorInput, liquidationCurve } from "./calculator.ts";

interface CurveProps {
  readonly contract: KnownContract;
  readonly input: CalculatorInput;
  readonly feeRate: string;
  readonly maxLeverage: number;
  readonly onLeverage: (leverage: number) => void;
}

const WIDTH = 640;
const HEIGHT = 260;
const AXIS_PX = 64;
const MARKS = [2, 3, 5, 10, 20, 50, 100] as const;
const STEPS = 40;

interface Place {
  readonly leverage: number;
  readonly price: number;
}

function pathOf(places: readonly Place[], x: (leverage: number) => number, y: (price: number) => number): string {
  return places
    .map(({ leverage, price }, index) => `${index === 0 ? "M" : "L"}${x(leverage).toFixed(1)} ${y(price).toFixed(1)}`)
    .join("");
}

export function LiquidationCurve({ contract, input, feeRate, maxLeverage, onLeverage }: CurveProps) {
  const text = useFuturesText();
  const box = useRef<HTMLDivElement>(null);
  const entry = Number(input.entry);
  const ratio = maxLeverage ** (1 / STEPS);
  const leverages = [
    ...new Set(Array.from({ length: STEPS + 1 }, (_, step) => Math.max(1, Math.round(ratio ** step)))),
  ];
  const read = (isLong: boolean, which: "liquidation" | "bankruptcy"): readonly Place[] =>
    liquidationCurve({ contract, input: { ...input, isLong }, feeRate }, leverages).flatMap((one) => {
      const price = one[which];
      return price === undefined ? [] : [{ leverage: one.leverage, price: Number(writePrice(contract, price)) }];
    });
  const own = read(input.isLong, "liquidation");
  const [low, high] = [entry * 0.72, entry * 1.28];
  const x = (leverage: number) => (Math.log(leverage) / Math.log(maxLeverage)) * (WIDTH - AXIS_PX);
  const y = (price: number) => HEIGHT - ((Math.max(low, Math.min(high, price)) - low) / (high - low)) * HEIGHT;
  const here = own.findLast(({ leverage }) => leverage <= input.leverage) ?? own[0];
  const choose = (event: PointerEvent) => {
    const at = box.current?.getBoundingClientRect();
    if (at === undefined || (event.type === "pointermove" && event.buttons === 0)) return;
    const share = ((event.clientX - at.left) / at.width) * (WIDTH / (WIDTH - AXIS_PX));
    onLeverage(Math.max(1, Math.min(maxLeverage, Math.round(maxLeverage ** Math.max(0, Math.min(1, share))))));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onLeverage(Math.max(1, Math.min(maxLeverage, input.leverage + step)));
  };
  const shown = here === undefined ? "–" : groupThousands(here.price.toFixed(contract.rules.priceDecimals));
  return (
    <section className="rounded-control border border-line bg-surface dark:bg-bg">
      <div className="flex flex-wrap items-center justify-between gap-2 border-line border-b px-3 py-2 text-label">
        <h3 className="font-semibold">{text("calc.byLeverage")}</h3>
        <span className="figures text-muted">
          {input.leverage}× · <span className="text-warn">{shown}</span>
        </span>
      </div>
      <div
        ref={box}
        className="cursor-crosshair touch-none"
        role="slider"
        tabIndex={0}
        aria-label={text("calc.byLeverage")}
        aria-valuemin={1}
        aria-valuemax={maxLeverage}
        aria-valuenow={input.leverage}
        aria-valuetext={`${input.leverage}×, ${shown}`}
        onPointerDown={choose}
        onPointerMove={choose}
        onKeyDown={onKeyDown}
      >
        <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${HEIGHT + 20}`} className="w-full">
          {MARKS.filter((mark) => mark <= maxLeverage).map((mark) => (
            <g key={mark}>
              <path d={`M${x(mark)} 0V${HEIGHT}`} className="stroke-line" />
              <text x={x(mark)} y={HEIGHT + 14} textAnchor="middle" className="fill-muted text-axis">
                {mark}×
              </text>
            </g>
          ))}
          {[0.8, 0.9, 1, 1.1, 1.2].map((share) => (
            <text key={share} x={WIDTH - AXIS_PX + 8} y={y(entry * share) + 4} className="fill-muted text-axis">
              {groupThousands((entry * share).toFixed(contract.rules.priceDecimals))}
            </text>
          ))}
          <path
            d={pathOf(read(!input.isLong, "liquidation"), x, y)}
            fill="none"
            strokeDasharray="5 4"
            className="stroke-muted"
          />
          <path d={`M0 ${y(entry)}H${WIDTH - AXIS_PX}`} className="stroke-text" />
          <path
            d={pathOf(read(input.isLong, "bankruptcy"), x, y)}
            fill="none"
            strokeDasharray="1 3"
            className="stroke-warn"
          />
          <path d={pathOf(own, x, y)} fill="none" strokeWidth={1.5} className="stroke-warn" />
          {here !== undefined && (
            <circle cx={x(input.leverage)} cy={y(here.price)} r={5} className="fill-bg stroke-warn" strokeWidth={2} />
          )}
        </svg>
      </div>
    </section>
  );
}
