// Shares of a whole as a ring, with its list next to it. Metals, never the colours of movement.

import { type ReactNode, useState } from "react";
import { cx } from "./logic/class-names.ts";
import { ringSlice, shareTurns } from "./logic/curve.ts";

export interface DonutSlice {
  readonly id: string;
  readonly title: string;
  /** For the angle only. */
  readonly weight: number;
  /** The exact share or amount, as shown. */
  readonly text: string;
}

export interface DonutProps {
  readonly label: string;
  readonly slices: readonly DonutSlice[];
  /** In the middle while no slice is pointed at. */
  readonly centre?: ReactNode;
  readonly sizePx?: number | undefined;
  readonly legend?: boolean | undefined;
  readonly className?: string | undefined;
}

const METALS = ["fill-m1", "fill-m2", "fill-m3", "fill-m4", "fill-m5", "fill-m6"] as const;
const DOTS = ["bg-m1", "bg-m2", "bg-m3", "bg-m4", "bg-m5", "bg-m6"] as const;
const OUTER = 100;
const INNER = 71;

function Ring({
  slices,
  lit,
  onLight,
}: {
  readonly slices: readonly DonutSlice[];
  readonly lit: string | undefined;
  readonly onLight: (id: string | undefined) => void;
}) {
  const shares = shareTurns(slices.map((slice) => slice.weight));
  return slices.map((slice, index) => {
    const share = shares[index];
    if (share === undefined || share.part === 0) return null;
    return (
      <path
        key={slice.id}
        d={ringSlice(OUTER, INNER, share.from, share.to)}
        strokeWidth={1.5}
        onPointerEnter={() => onLight(slice.id)}
        onPointerLeave={() => onLight(undefined)}
        className={cx(
          "stroke-bg transition-opacity duration-[120ms]",
          METALS[index % METALS.length],
          lit !== undefined && lit !== slice.id && "opacity-35",
        )}
      />
    );
  });
}

function Legend({ slices, lit, onLight }: Parameters<typeof Ring>[0]) {
  return (
    <ul className="grid grid-cols-2 gap-x-6 gap-y-2 text-[13px] leading-5">
      {slices.map((slice, index) => (
        <li
          key={slice.id}
          onPointerEnter={() => onLight(slice.id)}
          onPointerLeave={() => onLight(undefined)}
          className={cx("flex items-center gap-2", lit !== undefined && lit !== slice.id && "opacity-50")}
        >
          <span className={cx("size-2 shrink-0 rounded-[2px]", DOTS[index % DOTS.length])} />
          <span className="min-w-0 flex-1 truncate text-text">{slice.title}</span>
          <span className="figures text-muted">{slice.text}</span>
        </li>
      ))}
    </ul>
  );
}

export function Donut({ label, slices, centre, sizePx = 168, legend = true, className }: DonutProps) {
  const [lit, setLit] = useState<string | undefined>(undefined);
  const shown = slices.find((slice) => slice.id === lit);
  const reply = slices.map((slice) => `${slice.title} ${slice.text}`).join(", ");
  return (
    <div className={cx("flex flex-col items-stretch gap-5", className)}>
      <div className="relative mx-auto" style={{ width: sizePx, height: sizePx }}>
        <svg role="img" aria-label={`${label}: ${reply}`} viewBox="-101 -101 202 202" className="size-full">
          <Ring slices={slices} lit={lit} onLight={setLit} />
        </svg>
        <div
          className="pointer-events-none absolute inset-0 flex flex-col items-center justify-center"
          aria-hidden="true"
        >
          {shown ? (
            <>
              <span className="text-label text-muted">{shown.title}</span>
              <span className="figures font-semibold text-[18px] leading-6">{shown.text}</span>
            </>
          ) : (
            centre
          )}
        </div>
      </div>
      {legend && <Legend slices={slices} lit={lit} onLight={setLit} />}
    </div>
  );
}
