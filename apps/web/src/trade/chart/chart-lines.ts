// Own prices that are no orders, as lines across the chart: a position's entry, break-even and liquidation. Part of the
// chunk loaded with the chart.
import { type Chart, type OverlayFigure, type OverlayTemplate, registerOverlay } from "klinecharts";
import type { OwnLine } from "#trade/terminal-link.ts";
import type { ChartColors } from "./chart-theme.ts";
import { isCovered, labelOf } from "./line-labels.ts";

const GROUP = "ownLines";
const LABEL_PX = 19;
const LEFT_PX = 16;
const TAG_PX = 17;

interface LineData {
  readonly colors: ChartColors;
  readonly line: OwnLine;
}

function colorOf({ tone }: OwnLine, colors: ChartColors): string {
  if (tone === "muted") return colors.muted;
  if (tone === "warn") return colors.warn;
  return tone === "up" ? colors.upSolid : colors.downSolid;
}

function widthOf(text: string): number {
  return Math.ceil(text.length * 6.3);
}

/** Movable lines have their label on the left; derived ones on the right, out of the way. */
function labelFigures(y: number, chartPx: number, { colors, line }: LineData): readonly OverlayFigure[] {
  const color = colorOf(line, colors);
  const { label, aside } = labelOf(line, chartPx);
  const width = widthOf(label) + (aside === "" ? 0 : widthOf(aside) + 10) + 16;
  const left = line.isDashed ? chartPx - width - 8 : LEFT_PX;
  const plain = { size: 11, family: colors.family, backgroundColor: "transparent", paddingLeft: 0, paddingRight: 0 };
  const middle = { baseline: "middle", align: "left" } as const;
  return [
    {
      type: "rect",
      ignoreEvent: true,
      attrs: { x: left, y: y - LABEL_PX / 2, width, height: LABEL_PX },
      styles: { style: "stroke_fill", color: colors.bg, borderColor: color, borderRadius: 3 },
    },
    {
      type: "text",
      ignoreEvent: true,
      attrs: { x: left + 8, y, text: label, ...middle },
      styles: { ...plain, color: colors.text, weight: "500" },
    },
    ...(aside === ""
      ? []
      : [
          {
            type: "text",
            ignoreEvent: true,
            attrs: { x: left + 18 + widthOf(label), y, text: aside, ...middle },
            styles: { ...plain, color: line.asideTone === "down" ? colors.downText : colors.upText, weight: "600" },
          },
        ]),
  ];
}

const ownLine: OverlayTemplate<LineData> = {
  name: "ownLine",
  totalStep: 2,
  needDefaultPointFigure: false,
  needDefaultXAxisFigure: false,
  needDefaultYAxisFigure: false,
  createPointFigures: ({ coordinates, bounding, overlay, yAxis }) => {
    const y = coordinates[0]?.y;
    if (y === undefined) return [];
    const { colors, line } = overlay.extendData;
    const beside = line.besidePrice === undefined ? undefined : yAxis?.convertToPixel(Number(line.besidePrice));
    const styles = line.isDashed
      ? { style: "dashed", dashedValue: [4, 4], color: colorOf(line, colors), size: 1 }
      : { style: "solid", color: colorOf(line, colors), size: 1 };
    const across = [
      { x: 0, y },
      { x: bounding.width, y },
    ];
    return [
      { type: "line", ignoreEvent: true, attrs: { coordinates: across }, styles },
      ...(isCovered(y, beside, LABEL_PX) ? [] : labelFigures(y, bounding.width, overlay.extendData)),
    ];
  },
  createYAxisFigures: ({ coordinates, bounding, overlay }) => {
    const y = coordinates[0]?.y;
    if (y === undefined) return [];
    const { colors, line } = overlay.extendData;
    // Break-even is mostly at the entry: one tag is enough.
    if (line.tone === "muted") return [];
    return [
      {
        type: "text",
        ignoreEvent: true,
        attrs: { x: 0, y, width: bounding.width, height: TAG_PX, text: line.shown, align: "left", baseline: "middle" },
        styles: {
          style: "stroke_fill",
          size: 11,
          family: colors.family,
          weight: "600",
          color: colors.text,
          backgroundColor: colors.bg,
          borderColor: colorOf(line, colors),
          borderSize: 1,
          borderRadius: 0,
          paddingLeft: 7,
          paddingRight: 4,
          paddingTop: 3,
          paddingBottom: 3,
        },
      },
    ];
  },
};

let isRegistered = false;

export class OwnLines {
  readonly #chart: Chart;
  readonly #pairCode: string;
  readonly #readColors: () => ChartColors;
  #lines: readonly OwnLine[] = [];
  #isShown = true;

  constructor(chart: Chart, pairCode: string, readColors: () => ChartColors) {
    if (!isRegistered) registerOverlay(ownLine);
    isRegistered = true;
    this.#chart = chart;
    this.#pairCode = pairCode;
    this.#readColors = readColors;
  }

  /** What changed is written into the line that is there; lines come and go with their positions. */
  set(lines: readonly OwnLine[]): void {
    const mine = lines.filter(({ pairCode }) => pairCode === this.#pairCode);
    const before = this.#lines;
    const isSame = mine.length === before.length && mine.every(({ id }, index) => id === before[index]?.id);
    this.#lines = mine;
    if (!isSame || !this.#isShown) {
      this.redraw();
      return;
    }
    for (const [index, line] of mine.entries()) {
      // Each line that is written draws its pane once more.
      if (JSON.stringify(line) === JSON.stringify(before[index])) continue;
      this.#chart.overrideOverlay({
        id: line.id,
        points: [{ value: Number(line.price) }],
        extendData: { colors: this.#readColors(), line },
      });
    }
  }

  show(isShown: boolean): void {
    this.#isShown = isShown;
    this.redraw();
  }

  redraw(): void {
    this.#chart.removeOverlay({ groupId: GROUP });
    if (!this.#isShown) return;
    for (const line of this.#lines) {
      this.#chart.createOverlay({
        name: "ownLine",
        id: line.id,
        groupId: GROUP,
        lock: true,
        points: [{ value: Number(line.price) }],
        extendData: { colors: this.#readColors(), line },
      });
    }
  }
}
