// The liquidation price over leverage as a curve, bankruptcy dotted, the other side dashed; drag or arrow keys choose the
// leverage.
import { groupThousands } from "@clockwork/kit/decimal";
import { useDevice } from "@clockwork/ui/hooks/use-device";
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

/** Drawn at about its display size, so that its texts remain readable. */
const SIZES = {
  wide: { width: 680, height: 250, axis: 68 },
  phone: { width: 356, height: 200, axis: 60 },
} as const;
const MARKS = [2, 3, 5, 10, 20, 50, 100] as const;
const STEPS = 40;
/** How far above and below the entry is shown. */
const REACH = 0.28;

interface Place {
  readonly leverage: number;
  readonly price: number;
}

interface Scale {
  readonly width: number;
  readonly height: number;
  readonly axis: number;
  x(leverage: number): number;
  y(price: number): number;
}

function pathOf(places: readonly Place[], { x, y }: Scale): string {
  return places
    .map(({ leverage, price }, index) => `${index === 0 ? "M" : "L"}${x(leverage).toFixed(1)} ${y(price).toFixed(1)}`)
    .join("");
}

/** The area beyond the line, where the position would have ended. */
function beyondPath(places: readonly Place[], scale: Scale, isLong: boolean): string {
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return "";
  const edge = isLong ? scale.height : 0;
  return `${pathOf(places, scale)}L${scale.x(last.leverage).toFixed(1)} ${edge}L${scale.x(first.leverage).toFixed(1)} ${edge}Z`;
}

/** The prices at every leverage the curve is drawn through, the chosen one among them. */
function readCurves({ contract, input, feeRate, maxLeverage }: CurveProps) {
  const ratio = maxLeverage ** (1 / STEPS);
  const steps = Array.from({ length: STEPS + 1 }, (_, step) => Math.max(1, Math.round(ratio ** step)));
  const leverages = [...new Set([...steps, input.leverage])].sort((left, right) => left - right);
  const read = (isLong: boolean, which: "liquidation" | "bankruptcy"): readonly Place[] =>
    liquidationCurve({ contract, input: { ...input, isLong }, feeRate }, leverages).flatMap((one) => {
      const price = one[which];
      return price === undefined ? [] : [{ leverage: one.leverage, price: Number(writePrice(contract, price)) }];
    });
  return {
    own: read(input.isLong, "liquidation"),
    bankruptcy: read(input.isLong, "bankruptcy"),
    other: read(!input.isLong, "liquidation"),
  };
}

export function LiquidationCurve(props: CurveProps) {
  const { contract, input, maxLeverage, onLeverage } = props;
  const text = useFuturesText();
  const box = useRef<HTMLDivElement>(null);
  const size = SIZES[useDevice().width === "mobile" ? "phone" : "wide"];
  const { own, bankruptcy, other } = readCurves(props);
  const entry = Number(input.entry);
  const [low, high] = [entry * (1 - REACH), entry * (1 + REACH)];
  const scale: Scale = {
    ...size,
    x: (leverage) => (Math.log(leverage) / Math.log(maxLeverage)) * (size.width - size.axis),
    y: (price) => size.height - ((price - low) / (high - low)) * size.height,
  };
  const at = (places: readonly Place[]) => places.find(({ leverage }) => leverage === input.leverage)?.price;
  const show = (price: number | undefined) =>
    price === undefined ? text("form.none") : groupThousands(price.toFixed(contract.rules.priceDecimals));
  const here = at(own);
  const choose = (event: PointerEvent) => {
    const place = box.current?.getBoundingClientRect();
    if (place === undefined || (event.type === "pointermove" && event.buttons === 0)) return;
    const share = ((event.clientX - place.left) / place.width) * (size.width / (size.width - size.axis));
    onLeverage(Math.max(1, Math.min(maxLeverage, Math.round(maxLeverage ** Math.max(0, Math.min(1, share))))));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onLeverage(Math.max(1, Math.min(maxLeverage, input.leverage + step)));
  };
  return (
    <section className="rounded-control border border-line bg-surface dark:bg-bg">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-3 py-2 text-label">
        <h3 className="mr-auto font-semibold">{text("calc.byLeverage")}</h3>
        <Key look="stroke-warn" label={text("calc.liquidation")} value={show(here)} />
        <Key look="stroke-warn" dashes="1 3" label={text("calc.bankruptcy")} value={show(at(bankruptcy))} />
        <Key look="stroke-muted" dashes="5 4" label={text(input.isLong ? "calc.other" : "calc.otherLong")} />
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
        aria-valuetext={`${input.leverage}×, ${show(here)}`}
        onPointerDown={choose}
        onPointerMove={choose}
        onKeyDown={onKeyDown}
      >
        <svg aria-hidden="true" viewBox={`0 0 ${size.width} ${size.height + 20}`} className="w-full">
          <Axes scale={scale} entry={entry} maxLeverage={maxLeverage} decimals={contract.rules.priceDecimals} />
          {/* What leaves the picture is cut at its edge. */}
          <svg aria-hidden="true" width={size.width - size.axis} height={size.height}>
            <path d={beyondPath(own, scale, input.isLong)} fillOpacity={0.1} className="fill-warn" />
            <path d={pathOf(other, scale)} fill="none" strokeDasharray="5 4" className="stroke-muted" />
            <Levels scale={scale} input={input} show={show} />
            <path d={pathOf(bankruptcy, scale)} fill="none" strokeDasharray="1 3" className="stroke-warn" />
            <path d={pathOf(own, scale)} fill="none" strokeWidth={1.5} className="stroke-warn" />
            {here !== undefined && (
              <circle
                cx={scale.x(input.leverage)}
                cy={scale.y(here)}
                r={5}
                className="fill-bg stroke-warn"
                strokeWidth={2}
              />
            )}
          </svg>
        </svg>
      </div>
    </section>
  );
}

interface KeyProps {
  readonly look: string;
  readonly dashes?: string;
  readonly label: string;
  readonly value?: string;
}

/** One line of the drawing: its style, its name, and its value at the chosen leverage. */
function Key({ look, dashes, label, value }: KeyProps) {
  return (
    <span className="flex items-center gap-1.5 text-muted">
      <svg aria-hidden="true" width="16" height="2" className={look}>
        <path d="M0 1H16" strokeWidth={2} {...(dashes === undefined ? {} : { strokeDasharray: dashes })} />
      </svg>
      {label}
      {value !== undefined && <span className="figures font-medium text-text">{value}</span>}
    </span>
  );
}

interface AxesProps {
  readonly scale: Scale;
  readonly entry: number;
  readonly maxLeverage: number;
  readonly decimals: number;
}

function Axes({ scale: { x, y, width, height, axis }, entry, maxLeverage, decimals }: AxesProps) {
  return (
    <>
      {MARKS.filter((mark) => mark <= maxLeverage).map((mark) => (
        <g key={mark}>
          <path d={`M${x(mark)} 0V${height}`} className="stroke-line" />
          <text x={x(mark)} y={height + 14} textAnchor="middle" className="fill-muted text-axis">
            {mark}×
          </text>
        </g>
      ))}
      {[0.8, 0.9, 1, 1.1, 1.2].map((share) => (
        <text key={share} x={width - axis + 8} y={y(entry * share) + 4} className="fill-muted text-axis">
          {groupThousands((entry * share).toFixed(decimals))}
        </text>
      ))}
    </>
  );
}

interface LevelsProps {
  readonly scale: Scale;
  readonly input: CalculatorInput;
  readonly show: (price: number) => string;
}

/** The entry and, if typed, the exit of the position; the labels are on opposite sides. */
function Levels({ scale: { y, width, axis }, input, show }: LevelsProps) {
  const text = useFuturesText();
  const [entry, exit] = [Number(input.entry), Number(input.exit)];
  const isAbove = exit > entry;
  const gains = isAbove === input.isLong;
  const hasExit = exit > 0 && Math.abs(exit / entry - 1) < REACH;
  return (
    <>
      <path d={`M0 ${y(entry)}H${width - axis}`} className="stroke-text" />
      <text x={8} y={y(entry) + (hasExit && !isAbove ? -5 : 13)} className="fill-text text-axis">
        {text("calc.entry")} {show(entry)}
      </text>
      {hasExit && (
        <>
          <path
            d={`M0 ${y(exit)}H${width - axis}`}
            strokeDasharray="4 3"
            className={gains ? "stroke-up-text" : "stroke-down-text"}
          />
          <text
            x={8}
            y={y(exit) + (isAbove ? -5 : 13)}
            className={`text-axis ${gains ? "fill-up-text" : "fill-down-text"}`}
          >
            {text("calc.exit")} {show(exit)}
          </text>
        </>
      )}
    </>
  );
}
