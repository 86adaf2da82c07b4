// A QR code as one vector path, always dark on white with its quiet zone: cameras do not follow the theme.

import { useMemo } from "react";
import { cx } from "./logic/class-names.ts";
import { qrCells } from "./logic/qr-cells.ts";

export interface QrCodeProps {
  readonly text: string;
  /** What scanning it does. */
  readonly label: string;
  readonly sizePx?: number | undefined;
  readonly className?: string | undefined;
}

/** Runs of dark cells in a row become one rectangle: a third of the markup of single cells. */
function drawPath(cells: ReadonlyArray<readonly boolean[]>): string {
  let path = "";
  cells.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue;
      let end = x;
      while (row[end]) end++;
      path += `M${x} ${y}h${end - x}v1h${x - end}z`;
      x = end;
    }
  });
  return path;
}

interface Drawing {
  readonly path: string;
  readonly size: number;
}

/** A server draws the same code on page after page, and finding its best mask takes a millisecond. */
const drawings = new Map<string, Drawing>();
const DRAWINGS_MAX = 4;

function drawCode(text: string): Drawing {
  const found = drawings.get(text);
  if (found !== undefined) return found;
  const code = qrCells(text);
  const drawing = { path: drawPath(code.data), size: code.size };
  const [oldest] = drawings.keys();
  if (drawings.size >= DRAWINGS_MAX && oldest !== undefined) drawings.delete(oldest);
  drawings.set(text, drawing);
  return drawing;
}

export function QrCode({ text, label, sizePx = 160, className }: QrCodeProps) {
  const { path, size } = useMemo(() => drawCode(text), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      width={sizePx}
      height={sizePx}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={cx("rounded-control bg-paper", className)}
    >
      <path d={path} className="fill-ink" />
    </svg>
  );
}
