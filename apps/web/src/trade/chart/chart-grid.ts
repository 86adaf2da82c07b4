// A grid being drawn over the chart: all its lines thin, its edges as draggable lines. Part of the chunk loaded with
// the chart.
import { type Chart, type OverlayEvent, type OverlayTemplate, registerOverlay } from "klinecharts";
import type { TradeInstrument } from "#trade/product.ts";
import type { DrawnGrid } from "#trade/terminal-link.ts";
import { snapPrice } from "./chart-figures.ts";
import { type ChartColors, fade } from "./chart-theme.ts";

const GROUP = "drawnGrid";
const PANE = "candle_pane";
const LABEL_PX = 23;
const LEFT_PX = 16;
/** Below the texts of the legend. */
const LEGEND_PX = 62;

interface LineData {
  readonly colors: ChartColors;
  /** Lines below this price buy. */
  readonly price: number;
  readonly values: readonly number[];
}

interface EdgeData {
  readonly colors: ChartColors;
  readonly label: string;
}

const ALWAYS = { needDefaultPointFigure: false, needDefaultXAxisFigure: false, needDefaultYAxisFigure: false } as const;

/** One overlay for all of them: its only point is the lowest line, the axis gives the positions of the others. */
const gridLines: OverlayTemplate<LineData> = {
  name: "gridLines",
  totalStep: 2,
  ...ALWAYS,
  createPointFigures: ({ bounding, overlay, yAxis }) => {
    const { colors, price, values } = overlay.extendData;
    return values.map((value) => {
      const y = yAxis?.convertToPixel(value) ?? 0;
      const color = fade(value <= price ? colors.up : colors.down, 55);
      const coordinates = [
        { x: 0, y },
        { x: bounding.width, y },
      ];
      return { type: "line", ignoreEvent: true, attrs: { coordinates }, styles: { style: "solid", color, size: 1 } };
    });
  },
};

const gridEdge: OverlayTemplate<EdgeData> = {
  name: "gridEdge",
  totalStep: 2,
  ...ALWAYS,
  createPointFigures: ({ coordinates, bounding, overlay }) => {
    const at = coordinates[0]?.y;
    if (at === undefined) return [];
    // An edge beyond what is shown waits at the border, so that it can be pulled in.
    const y = Math.max(LEGEND_PX, Math.min(bounding.height - LABEL_PX, at));
    const { colors, label } = overlay.extendData;
    const text = `${label}  ⠿`;
    const width = Math.ceil(text.length * 6.4) + 16;
    const across = [
      { x: 0, y },
      { x: bounding.width, y },
    ];
    return [
      {
        type: "line",
        key: "line",
        attrs: { coordinates: across },
        styles: { style: "solid", color: colors.warn, size: 2 },
      },
      {
        type: "rect",
        key: "label",
        attrs: { x: LEFT_PX, y: y - LABEL_PX / 2, width, height: LABEL_PX },
        styles: { style: "stroke_fill", color: colors.bg, borderColor: colors.warn, borderRadius: 3 },
      },
      {
        type: "text",
        key: "text",
        attrs: { x: LEFT_PX + 8, y, text, align: "left", baseline: "middle" },
        styles: {
          size: 12,
          family: colors.family,
          color: colors.text,
          backgroundColor: "transparent",
          paddingLeft: 0,
          paddingRight: 0,
          weight: "600",
        },
      },
    ];
  },
};

let isRegistered = false;

export class DrawnGridLines {
  readonly #chart: Chart;
  readonly #pair: TradeInstrument;
  readonly #readColors: () => ChartColors;
  #grid: DrawnGrid | null = null;
  #isDragging = false;

  constructor(chart: Chart, pair: TradeInstrument, readColors: () => ChartColors) {
    if (!isRegistered) {
      registerOverlay(gridLines);
      registerOverlay(gridEdge);
    }
    isRegistered = true;
    this.#chart = chart;
    this.#pair = pair;
    this.#readColors = readColors;
  }

  set(grid: DrawnGrid | null): void {
    this.#grid = grid?.pairCode === this.#pair.pairCode ? grid : null;
    // A dragged edge follows the pointer; its lines follow.
    if (this.#isDragging && this.#grid !== null) this.#writeLines(this.#grid);
    else this.redraw();
  }

  redraw(): void {
    this.#chart.removeOverlay({ groupId: GROUP });
    const grid = this.#grid;
    if (grid === null || grid.lines.length === 0) return;
    this.#chart.createOverlay({
      name: "gridLines",
      id: `${GROUP}:lines`,
      groupId: GROUP,
      lock: true,
      ...this.#lineParts(grid),
    });
    for (const { id, price, label } of grid.edges)
      this.#chart.createOverlay({
        name: "gridEdge",
        id: `${GROUP}:${id}`,
        groupId: GROUP,
        points: [{ value: Number(price) }],
        extendData: { colors: this.#readColors(), label },
        onPressedMoveStart: () => {
          this.#isDragging = true;
        },
        onPressedMoving: (event) => this.#moved(event as OverlayEvent<EdgeData>, id),
        onPressedMoveEnd: () => {
          this.#isDragging = false;
          this.redraw();
        },
        onRightClick: (event) => event.preventDefault?.(),
      });
  }

  #lineParts(grid: DrawnGrid) {
    const values = grid.lines.map(Number);
    return {
      points: [{ value: values[0] as number }],
      extendData: { colors: this.#readColors(), price: grid.price, values },
    };
  }

  #writeLines(grid: DrawnGrid): void {
    if (grid.lines.length > 0) this.#chart.overrideOverlay({ id: `${GROUP}:lines`, ...this.#lineParts(grid) });
    for (const { id, label } of grid.edges)
      this.#chart.overrideOverlay({ id: `${GROUP}:${id}`, extendData: { colors: this.#readColors(), label } });
  }

  #moved(event: OverlayEvent<EdgeData>, id: "lower" | "upper"): void {
    // The pointer's position, not the distance it has moved: an edge at the border comes from further away.
    const under = event.y === undefined ? undefined : this.#chart.convertFromPixel([{ y: event.y }], { paneId: PANE });
    const value = (Array.isArray(under) ? under[0] : under)?.value;
    if (value === undefined || value <= 0) return;
    this.#grid?.onMove(id, snapPrice(value, Number(this.#pair.tickSize), this.#pair.priceDecimals));
  }
}
