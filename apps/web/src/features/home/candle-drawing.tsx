// Candles as pixels to paint; the exact prices are next to them as text.
import type { Candle } from "@clockwork/trading/markets/contract";

const WIDTH = 336;
const HEIGHT = 224;
const PAD = 14;

export interface CandleDrawingProps {
  readonly candles: readonly Candle[];
  readonly label: string;
  readonly className?: string;
}

export function CandleDrawing({ candles, label, className = "h-[224px] w-full" }: CandleDrawingProps) {
  const highs = candles.map(({ high }) => Number(high));
  const lows = candles.map(({ low }) => Number(low));
  const top = Math.max(...highs);
  const span = top - Math.min(...lows) || 1;
  const pitch = WIDTH / Math.max(1, candles.length);
  const place = (price: string): number => PAD + ((top - Number(price)) / span) * (HEIGHT - 2 * PAD);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      className={className}
    >
      {candles.map(({ timeMs, open, high, low, close }, at) => {
        const x = at * pitch + pitch / 2;
        const isUp = Number(close) >= Number(open);
        const bodyTop = Math.min(place(open), place(close));
        const height = Math.max(1, Math.abs(place(open) - place(close)));
        return (
          <g key={timeMs} className={isUp ? "fill-up stroke-up" : "fill-down stroke-down"}>
            <line x1={x} x2={x} y1={place(high)} y2={place(low)} strokeWidth="1" />
            <rect x={x - pitch * 0.34} y={bodyTop} width={pitch * 0.68} height={height} strokeWidth="0" />
          </g>
        );
      })}
    </svg>
  );
}
