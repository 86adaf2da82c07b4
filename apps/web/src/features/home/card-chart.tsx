// The chart of the card: candles and volume as pixels to paint, with their scale next to them. The exact prices are in
// the text above.

import { civilTime, HOUR_MS } from "@clockwork/kit/time";
import type { Candle } from "@clockwork/trading/markets/contract";
import { groupText } from "./live-quotations.ts";

const WIDTH = 480;
const HEIGHT = 200;
/** Shares of the height: prices above, volume below. */
const TOP = 0.08;
const PRICES = 0.68;
const VOLUME = 0.17;
/** A mark of the scale gives way to the last price so near it. */
const CLEAR = 0.08;
const LINES = [0, 1 / 3, 2 / 3, 1] as const;

export interface CardChartProps {
  readonly candles: readonly Candle[];
  readonly last: string;
  /** How the day went. */
  readonly isUp: boolean;
  readonly label: string;
}

interface Scale {
  readonly high: number;
  readonly low: number;
  readonly most: number;
}

function readScale(candles: readonly Candle[], last: number): Scale {
  return {
    high: Math.max(last, ...candles.map(({ high }) => Number(high))),
    low: Math.min(last, ...candles.map(({ low }) => Number(low))),
    most: Math.max(...candles.map(({ volume }) => Number(volume))) || 1,
  };
}

/** The position of a price, from 0 at the top to 1. */
function placeOf(price: number, { high, low }: Scale): number {
  return TOP + ((high - price) / (high - low || 1)) * PRICES;
}

export function CardChart({ candles, last, isUp, label }: CardChartProps) {
  const scale = readScale(candles, Number(last));
  const here = placeOf(Number(last), scale);
  const decimals = scale.high >= 1_000 ? 0 : (last.split(".")[1]?.length ?? 0);
  const percent = (share: number) => `${(share * 100).toFixed(2)}%`;
  return (
    <div className="relative h-[252px] min-w-0">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
        className="absolute inset-y-0 left-0 h-[228px] w-[calc(100%-56px)]"
      >
        <Lines scale={scale} last={Number(last)} isUp={isUp} />
        <Bars candles={candles} scale={scale} />
      </svg>
      <div aria-hidden="true" className="figures absolute inset-y-0 right-0 h-[228px] w-[52px] text-axis text-muted">
        {LINES.filter((share) => Math.abs(TOP + share * PRICES - here) > CLEAR).map((share) => (
          <span key={share} className="-translate-y-1/2 absolute left-0" style={{ top: percent(TOP + share * PRICES) }}>
            {groupText((scale.high - share * (scale.high - scale.low)).toFixed(decimals))}
          </span>
        ))}
        <span
          className={`-left-1 -translate-y-1/2 absolute rounded-xs px-1 font-medium text-bg leading-4 ${isUp ? "bg-up-text" : "bg-down-text"}`}
          style={{ top: percent(here) }}
        >
          {groupText(Number(last).toFixed(decimals))}
        </span>
      </div>
      <div
        aria-hidden="true"
        className="figures absolute bottom-1 left-0 h-5 w-[calc(100%-56px)] text-axis text-muted leading-5"
      >
        {hoursOf(candles).map(({ share, text }) => (
          <span key={text} className="-translate-x-1/2 absolute" style={{ left: percent(share) }}>
            {text}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Every third hour that is not at the very edge. */
function hoursOf(candles: readonly Candle[]): readonly { readonly share: number; readonly text: string }[] {
  return candles.flatMap(({ timeMs }, at) => {
    const share = (at + 0.5) / candles.length;
    if (timeMs % (3 * HOUR_MS) !== 0 || share < 0.06 || share > 0.94) return [];
    return [{ share, text: `${String(civilTime(timeMs).hour).padStart(2, "0")}:00` }];
  });
}

function Lines({ scale, last, isUp }: { readonly scale: Scale; readonly last: number; readonly isUp: boolean }) {
  const line = { x1: 0, x2: WIDTH, vectorEffect: "non-scaling-stroke" } as const;
  const at = placeOf(last, scale) * HEIGHT;
  return (
    <>
      {LINES.map((share) => {
        const y = (TOP + share * PRICES) * HEIGHT;
        return <line key={share} {...line} y1={y} y2={y} className="stroke-line" />;
      })}
      <line {...line} y1={at} y2={at} strokeDasharray="2 3" className={isUp ? "stroke-up" : "stroke-down"} />
    </>
  );
}

function Bars({ candles, scale }: { readonly candles: readonly Candle[]; readonly scale: Scale }) {
  const pitch = WIDTH / Math.max(1, candles.length);
  return (
    <>
      {candles.map(({ timeMs, open, high, low, close, volume }, at) => {
        const x = at * pitch + pitch / 2;
        const y = (price: string) => placeOf(Number(price), scale) * HEIGHT;
        const tall = (Number(volume) / scale.most) * VOLUME * HEIGHT;
        const isUp = Number(close) >= Number(open);
        return (
          <g key={timeMs} className={isUp ? "fill-up stroke-up" : "fill-down stroke-down"}>
            <line x1={x} x2={x} y1={y(high)} y2={y(low)} vectorEffect="non-scaling-stroke" />
            <rect
              x={x - pitch * 0.34}
              y={Math.min(y(open), y(close))}
              width={pitch * 0.68}
              height={Math.max(1, Math.abs(y(open) - y(close)))}
              strokeWidth="0"
            />
            <rect
              x={x - pitch * 0.34}
              y={HEIGHT - tall}
              width={pitch * 0.68}
              height={tall}
              strokeWidth="0"
              opacity="0.28"
            />
          </g>
        );
      })}
    </>
  );
}
