// The treemap of markets: area by volume, colour by change. A list of links that also moves by arrow keys; drawn on the
// server for a wide screen, then for the width it has.
import { writeDecimal } from "@clockwork/kit/decimal";
import { Sparkline } from "@clockwork/ui/sparkline";
import { type CSSProperties, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { PairLink } from "./market-parts.tsx";
import { changeOf, type MarketRow, pairName, type Span, showChange, showPrice } from "./market-rows.ts";
import { useMarketsText } from "./markets-text.ts";
import { arrangeTiles, type Direction, findNeighbour, type Tile } from "./treemap.ts";

const FIRST_WIDTH_PX = 1376;
const HEIGHT_PX = 560;
const NARROW_HEIGHT_PX = 640;
/** Volumes differ by thousands; to this power small pairs keep a readable tile. */
const AREA_POWER = 0.72;
const STEPS = [25, 50, 75, 100] as const;
/** Seven days move further than one. */
const STEP_PERCENT = { day: 1.5, week: 3 } as const;

function weightOf(row: MarketRow, size: "volume" | "equal"): number {
  const turnover = row.turnover === undefined ? 0 : Number(writeDecimal(row.turnover));
  return size === "equal" ? 1 : turnover > 1 ? turnover ** AREA_POWER : 1;
}

/** How strong the colour of a change is: four steps up to six per cent of a day, twelve of a week. */
function strengthOf(percent: number, span: Span): number {
  return STEPS[Math.min(STEPS.length - 1, Math.floor(Math.abs(percent) / STEP_PERCENT[span]))] ?? 100;
}

/** Tinted on a light page and darkened on a dark one, so that the text is readable on every step and in both colours. */
function paintOf(percent: number, span: Span): string {
  const role = percent < 0 ? "var(--down)" : "var(--up)";
  const strength = percent === 0 ? 0 : strengthOf(percent, span);
  const side = `color-mix(in srgb, ${role} var(--heat-purity), black)`;
  return `color-mix(in srgb, ${side} calc(${strength}% * var(--heat-most)), var(--heat-rest))`;
}

function useWidth() {
  const box = useRef<HTMLUListElement>(null);
  const [widthPx, setWidthPx] = useState(FIRST_WIDTH_PX);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidthPx(Math.round(entry.contentRect.width)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { box, widthPx };
}

const KEYS: Readonly<Record<string, Direction>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

export interface HeatMapProps {
  readonly rows: readonly MarketRow[];
  readonly size: "volume" | "equal";
  readonly span: Span;
}

export function HeatMap({ rows, size, span }: HeatMapProps) {
  const text = useMarketsText();
  const { box, widthPx } = useWidth();
  const heightPx = widthPx < 640 ? NARROW_HEIGHT_PX : HEIGHT_PX;
  const tiles = arrangeTiles(
    rows.map((row) => weightOf(row, size)),
    widthPx,
    heightPx,
  );
  const move = (event: KeyboardEvent, tile: Tile) => {
    const direction = KEYS[event.key];
    const next = direction && findNeighbour(tiles, tile, direction);
    if (next === undefined) return;
    event.preventDefault();
    box.current?.querySelector<HTMLElement>(`[data-tile="${next.index}"]`)?.focus();
  };
  return (
    <>
      <ul ref={box} aria-label={text("heatLabel")} className="relative mt-4 w-full" style={{ height: heightPx }}>
        {tiles.map((tile) => {
          const row = rows[tile.index];
          return (
            row !== undefined && (
              <HeatTile
                key={row.pair.pairCode}
                row={row}
                tile={tile}
                span={span}
                widthPx={widthPx}
                heightPx={heightPx}
                onKeyDown={(event) => move(event, tile)}
              />
            )
          );
        })}
      </ul>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3 text-label text-muted">
        <Scale span={span} />
        <p className="max-md:hidden">{text("heatNote")}</p>
      </div>
    </>
  );
}

interface HeatTileProps {
  readonly row: MarketRow;
  readonly tile: Tile;
  readonly span: Span;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

const GAP_PX = 2;

/** Shares of the box, so that the server's drawing fits any page width. */
function placeOf(tile: Tile, widthPx: number, heightPx: number): CSSProperties {
  const share = (part: number, whole: number) => `${((part / whole) * 100).toFixed(3)}%`;
  return {
    left: share(tile.x, widthPx),
    top: share(tile.y, heightPx),
    width: `calc(${share(tile.width, widthPx)} - ${GAP_PX}px)`,
    height: `calc(${share(tile.height, heightPx)} - ${GAP_PX}px)`,
  };
}

function HeatTile({ row, tile, span, widthPx, heightPx, onKeyDown }: HeatTileProps) {
  const change = changeOf(row, span);
  const percent = change === undefined ? 0 : Number(writeDecimal(change));
  const isLarge = tile.width > 150 && tile.height > 120;
  const isMiddle = tile.width > 84 && tile.height > 56;
  const isTiny = tile.width < 52 || tile.height < 34;
  return (
    <li className="absolute overflow-hidden" style={placeOf(tile, widthPx, heightPx)} onKeyDown={onKeyDown}>
      <PairLink
        row={row}
        className="block size-full outline-offset-[-3px]"
        aria-label={`${pairName(row.pair)} ${showPrice(row.quotation?.last)} ${showChange(change)}`}
        data-tile={tile.index}
      >
        <span
          className={`flex size-full flex-col overflow-hidden rounded-[3px] text-(--heat-ink) hover:brightness-95 dark:hover:brightness-115 ${isLarge ? "p-3" : isTiny ? "" : "p-2"}`}
          style={{ background: paintOf(percent, span) }}
        >
          {!isTiny && (
            <>
              <span
                className={`font-semibold ${isLarge ? (tile.width > 240 ? "text-[28px] leading-8" : "text-[21px] leading-7") : isMiddle ? "text-ui" : "text-axis"}`}
              >
                {row.pair.quote === "USDT" ? row.pair.base : pairName(row.pair)}
              </span>
              <span className={`figures ${isLarge ? "text-[15px] leading-5" : "text-axis"}`}>{showChange(change)}</span>
              {isLarge && <span className="figures text-[13px] leading-5">{showPrice(row.quotation?.last)}</span>}
            </>
          )}
          {isLarge && tile.height > 170 && (
            <Sparkline
              values={span === "week" ? row.weekCurve : row.curve}
              tone="neutral"
              width={Math.round(tile.width - 26)}
              height={48}
              className="mt-auto text-(--heat-ink) opacity-70"
            />
          )}
        </span>
      </PairLink>
    </li>
  );
}

/** In steps of the colour, the middle of each. */
const SCALE = [-3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5];

function Scale({ span }: { readonly span: Span }) {
  const step = STEP_PERCENT[span];
  return (
    <span className="figures flex items-center gap-2" aria-hidden="true">
      −{step * STEPS.length}%
      {SCALE.map((steps) => (
        <span
          key={steps}
          className="h-3 w-8 rounded-xs max-sm:w-5"
          style={{ background: paintOf(steps * step, span) }}
        />
      ))}
      +{step * STEPS.length}%
    </span>
  );
}
