// What the chart library cannot draw: rectangle, arrow, measure, note, own orders as draggable lines, and fills as
// marks. Part of the chunk that is loaded with the chart.
import { type Coordinate, type OverlayFigure, type OverlayTemplate, registerOverlay } from "klinecharts";
import type { ChartColors } from "./chart-theme.ts";
import { fade } from "./chart-theme.ts";
import { keepInside, type LabelSlot, type PaneSize } from "./order-slots.ts";

export interface OrderLineData {
  readonly colors: ChartColors;
  readonly isBuy: boolean;
  readonly isPlan: boolean;
  readonly canDrag: boolean;
  readonly kind: string;
  readonly text: string;
  /** Replaces it where the chart is narrow or another label is next to it. */
  readonly shortText: string;
  readonly isDragged: boolean;
  /** The widest of the short labels, so that crowded ones form columns. */
  readonly columnPx: number;
  /** Its label's position among those of the other orders. */
  readonly place: (columnsMax: number, labelPx: number, toPixel: (price: number) => number) => LabelSlot;
  readonly formatPrice: (value: number) => string;
}

export interface FillMarkData {
  readonly colors: ChartColors;
  readonly isBuy: boolean;
  readonly count: number;
}

function rectOf([first, second]: readonly Coordinate[]) {
  if (first === undefined || second === undefined) return undefined;
  return {
    x: Math.min(first.x, second.x),
    y: Math.min(first.y, second.y),
    width: Math.abs(first.x - second.x),
    height: Math.abs(first.y - second.y),
  };
}

const rectangle: OverlayTemplate = {
  name: "rectangle",
  totalStep: 3,
  needDefaultPointFigure: true,
  needDefaultXAxisFigure: true,
  needDefaultYAxisFigure: true,
  createPointFigures: ({ coordinates }) => {
    const attrs = rectOf(coordinates);
    return attrs === undefined ? [] : [{ type: "rect", attrs, styles: { style: "stroke_fill" } }];
  },
};

const HEAD_PX = 9;

const arrow: OverlayTemplate = {
  name: "arrow",
  totalStep: 3,
  needDefaultPointFigure: true,
  needDefaultXAxisFigure: true,
  needDefaultYAxisFigure: true,
  createPointFigures: ({ coordinates }) => {
    const [from, to] = coordinates;
    if (from === undefined || to === undefined) return [];
    const angle = Math.atan2(to.y - from.y, to.x - from.x);
    const side = (turn: number) => ({
      x: to.x - HEAD_PX * Math.cos(angle + turn),
      y: to.y - HEAD_PX * Math.sin(angle + turn),
    });
    return [
      { type: "line", attrs: { coordinates: [from, to] } },
      { type: "line", attrs: { coordinates: [side(0.45), to, side(-0.45)] } },
    ];
  },
};

/** How far, in price and percent and candles, from one point to another. */
const measure: OverlayTemplate<{ readonly colors: ChartColors; readonly decimals: number }> = {
  name: "measure",
  totalStep: 3,
  needDefaultPointFigure: true,
  needDefaultXAxisFigure: true,
  needDefaultYAxisFigure: true,
  createPointFigures: ({ coordinates, overlay }) => {
    const attrs = rectOf(coordinates);
    const [from, to] = overlay.points;
    if (attrs === undefined || from?.value === undefined || to?.value === undefined) return [];
    const { colors, decimals } = overlay.extendData;
    const moved = to.value - from.value;
    const percent = from.value === 0 ? 0 : (moved / from.value) * 100;
    const bars = Math.abs((to.dataIndex ?? 0) - (from.dataIndex ?? 0));
    const color = moved < 0 ? colors.down : colors.up;
    const sign = moved < 0 ? "−" : "+";
    const text = `${sign}${Math.abs(moved).toFixed(decimals)}  ${sign}${Math.abs(percent).toFixed(2)}%  ${bars} bars`;
    const above = moved >= 0;
    return [
      { type: "rect", attrs, styles: { style: "stroke_fill", color: fade(color, 14), borderColor: color } },
      {
        type: "text",
        ignoreEvent: true,
        attrs: {
          x: attrs.x + attrs.width / 2,
          y: above ? attrs.y - 6 : attrs.y + attrs.height + 6,
          text,
          align: "center",
          baseline: above ? "bottom" : "top",
        },
        styles: {
          color: colors.text,
          backgroundColor: colors.raised,
          paddingLeft: 6,
          paddingRight: 6,
          paddingTop: 4,
          paddingBottom: 4,
          borderRadius: 3,
        },
      },
    ];
  },
};

const note: OverlayTemplate<string> = {
  name: "note",
  totalStep: 2,
  needDefaultPointFigure: true,
  needDefaultXAxisFigure: true,
  needDefaultYAxisFigure: true,
  createPointFigures: ({ coordinates, overlay }) => {
    const [at] = coordinates;
    if (at === undefined) return [];
    const attrs = { x: at.x, y: at.y - 8, text: overlay.extendData, align: "left", baseline: "bottom" };
    return [{ type: "text", attrs, styles: { paddingLeft: 0, paddingRight: 0, paddingTop: 2, paddingBottom: 2 } }];
  },
};

const LABEL_PX = 23;
const LABEL_LEFT_PX = 16;
const NARROW_PX = 420;
/** The texts of the legend; a label there moves to the other edge. */
const LEGEND_PX = 44;
const LEGEND_WIDTH_PX = 440;
const TAG_PX = 17;
/** The countdown below the last price. */
const TAG_MORE_PX = 12;

/** The position of an order's tag on the axis: next to its line, or just off the tag of the last price. */
function placeTag(y: number, lastY: number | undefined): number {
  if (lastY === undefined) return y;
  const [above, below] = [lastY - TAG_PX - 1, lastY + TAG_PX + TAG_MORE_PX + 1];
  if (y <= above || y >= below) return y;
  return y <= lastY ? above : below;
}

/**
 * Widths are estimates in the terminal's 12 px figures; text is centred in its own box, so an extra pixel is harmless.
 */
function textWidth(text: string): number {
  return Math.ceil(text.length * 6.4) + 16;
}

const COLUMN_GAP_PX = 4;
const COUNT_PX = 36;

/** Chip, quantity, grip and close. */
export function shortLabelPx({ kind, shortText, canDrag }: Pick<OrderLineData, "kind" | "shortText" | "canDrag">) {
  return textWidth(kind) + textWidth(shortText) + LABEL_PX * (canDrag ? 2 : 1);
}

/** As many as fit next to each other, and the count of the others. */
function countColumns(width: number, columnPx: number): number {
  return Math.max(1, Math.floor((width - LABEL_LEFT_PX - COUNT_PX) / (columnPx + COLUMN_GAP_PX)));
}

const MIDDLE = { baseline: "middle", align: "center" } as const;

function plainText(colors: ChartColors) {
  return { size: 12, family: colors.family, backgroundColor: "transparent", paddingLeft: 0, paddingRight: 0 };
}

/** Next to crowded labels, not through them; only the first of those can be dragged by its line, to avoid ambiguity. */
function lineFigure(y: number, width: number, color: string, data: OrderLineData, slot: LabelSlot): OverlayFigure {
  const labels = slot.columns * (data.columnPx + COLUMN_GAP_PX) + COUNT_PX;
  const coordinates = [
    { x: slot.isCrowded ? Math.min(width, LABEL_LEFT_PX + labels) : 0, y },
    { x: width, y },
  ];
  const styles = { style: "dashed", dashedValue: [5, 3], color, size: 1 };
  return { type: "line", key: "line", attrs: { coordinates }, styles, ignoreEvent: slot.column > 0 };
}

function countFigures(y: number, left: number, count: number, colors: ChartColors): OverlayFigure[] {
  return [
    {
      type: "rect",
      key: "more",
      attrs: { x: left, y: y - LABEL_PX / 2, width: COUNT_PX, height: LABEL_PX },
      styles: { style: "stroke_fill", color: colors.raised, borderColor: colors.muted, borderRadius: 3 },
    },
    {
      type: "text",
      key: "more",
      attrs: { x: left + COUNT_PX / 2, y, text: `+${count}`, ...MIDDLE },
      styles: { ...plainText(colors), color: colors.text, weight: "600" },
    },
  ];
}

function orderFigures(lineY: number, pane: PaneSize, data: OrderLineData, slot: LabelSlot): OverlayFigure[] {
  const { width } = pane;
  const y = keepInside(lineY, pane.height, LABEL_PX);
  const { colors, isBuy, kind } = data;
  const text = width < NARROW_PX || slot.isCrowded ? data.shortText : data.text;
  const color = isBuy ? colors.upSolid : colors.downSolid;
  const ink = isBuy ? colors.onUp : colors.onDown;
  const top = y - LABEL_PX / 2;
  const columnLeft = LABEL_LEFT_PX + slot.column * (data.columnPx + COLUMN_GAP_PX);
  const line = lineFigure(lineY, width, color, data, slot);
  if (slot.isFolded)
    return slot.foldedCount === 0 ? [line] : [line, ...countFigures(y, columnLeft, slot.foldedCount, colors)];
  const chip = textWidth(kind);
  const body = textWidth(text);
  const whole = chip + body + LABEL_PX * (data.canDrag ? 2 : 1);
  const isUnderLegend = !slot.isCrowded && top < LEGEND_PX && width - whole > LEGEND_WIDTH_PX;
  const left = isUnderLegend ? width - whole : columnLeft;
  const plain = plainText(colors);
  const closeX = left + whole - LABEL_PX / 2;
  const figures: OverlayFigure[] = [
    line,
    {
      type: "rect",
      key: "label",
      attrs: { x: left, y: top, width: whole, height: LABEL_PX },
      styles: { style: "stroke_fill", color: colors.bg, borderColor: color, borderRadius: 3 },
    },
    {
      type: "rect",
      key: "chip",
      attrs: { x: left, y: top, width: chip, height: LABEL_PX },
      styles: { style: "fill", color, borderRadius: [3, 0, 0, 3] },
    },
    {
      type: "text",
      key: "kind",
      attrs: { x: left + chip / 2, y, text: kind, ...MIDDLE },
      styles: { ...plain, color: ink, weight: "600" },
    },
    {
      type: "text",
      key: "text",
      attrs: { x: left + chip + body / 2, y, text, ...MIDDLE },
      styles: { ...plain, color: colors.text, weight: "500" },
    },
    {
      type: "text",
      key: "close",
      attrs: { x: closeX, y, text: "✕", ...MIDDLE, width: LABEL_PX, height: LABEL_PX },
      styles: { ...plain, color: colors.text },
    },
  ];
  if (data.canDrag) {
    const gripX = left + chip + body + LABEL_PX / 2;
    figures.push({
      type: "text",
      key: "grip",
      attrs: { x: gripX, y, text: "⠿", ...MIDDLE },
      styles: { ...plain, color: colors.muted },
    });
  }
  return figures;
}

function slotOf(data: OrderLineData, width: number, toPixel: ((price: number) => number) | undefined): LabelSlot {
  return data.place(countColumns(width, data.columnPx), LABEL_PX, toPixel ?? (() => 0));
}

const orderLine: OverlayTemplate<OrderLineData> = {
  name: "orderLine",
  totalStep: 2,
  needDefaultPointFigure: false,
  needDefaultXAxisFigure: false,
  needDefaultYAxisFigure: false,
  createPointFigures: ({ coordinates, bounding, overlay, yAxis }) => {
    const y = coordinates[0]?.y;
    if (y === undefined) return [];
    const slot = slotOf(overlay.extendData, bounding.width, yAxis?.convertToPixel.bind(yAxis));
    return orderFigures(y, bounding, overlay.extendData, slot);
  },
  createYAxisFigures: ({ chart, coordinates, bounding, overlay, yAxis }) => {
    const lineY = coordinates[0]?.y;
    const value = overlay.points[0]?.value;
    if (lineY === undefined || value === undefined) return [];
    // One tag represents those it would cover.
    const { isDragged } = overlay.extendData;
    const mainWidth = chart.getSize("candle_pane", "main")?.width ?? 0;
    const slot = slotOf(overlay.extendData, mainWidth, yAxis?.convertToPixel.bind(yAxis));
    if (!slot.isTagged && !isDragged) return [];
    const last = chart.getDataList().at(-1)?.close;
    const y = placeTag(lineY, last === undefined ? undefined : yAxis?.convertToPixel(last));
    const { colors, isBuy, formatPrice } = overlay.extendData;
    const color = isBuy ? colors.upSolid : colors.downSolid;
    return [
      {
        type: "text",
        ignoreEvent: true,
        attrs: {
          x: 0,
          y,
          width: bounding.width,
          height: TAG_PX,
          text: formatPrice(value),
          align: "left",
          baseline: "middle",
        },
        styles: {
          style: "stroke_fill",
          size: 11,
          family: colors.family,
          weight: "600",
          color: isBuy ? colors.upText : colors.downText,
          backgroundColor: colors.bg,
          borderColor: color,
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

const MARK_PX = 14;
const MARK_GAP_PX = 6;

const fillMark: OverlayTemplate<FillMarkData> = {
  name: "fillMark",
  totalStep: 2,
  needDefaultPointFigure: false,
  needDefaultXAxisFigure: false,
  needDefaultYAxisFigure: false,
  createPointFigures: ({ coordinates, overlay }) => {
    const [at] = coordinates;
    if (at === undefined) return [];
    const { colors, isBuy } = overlay.extendData;
    const color = isBuy ? colors.upSolid : colors.downSolid;
    const way = isBuy ? 1 : -1;
    const tip = at.y + way * MARK_GAP_PX;
    const base = tip + way * 4;
    const top = isBuy ? base : base - MARK_PX;
    return [
      {
        type: "polygon",
        ignoreEvent: true,
        attrs: {
          coordinates: [
            { x: at.x, y: tip },
            { x: at.x - 4, y: base },
            { x: at.x + 4, y: base },
          ],
        },
        styles: { style: "fill", color },
      },
      {
        type: "rect",
        ignoreEvent: true,
        attrs: { x: at.x - MARK_PX / 2, y: top, width: MARK_PX, height: MARK_PX },
        styles: { style: "fill", color, borderRadius: 3 },
      },
      {
        type: "text",
        ignoreEvent: true,
        attrs: { x: at.x, y: top + MARK_PX / 2, text: isBuy ? "B" : "S", align: "center", baseline: "middle" },
        styles: {
          color: isBuy ? colors.onUp : colors.onDown,
          size: 10,
          weight: "700",
          family: colors.family,
          backgroundColor: "transparent",
          paddingLeft: 0,
          paddingRight: 0,
        },
      },
    ];
  },
};

let isRegistered = false;

export function registerOverlays(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerOverlay(rectangle);
  registerOverlay(arrow);
  registerOverlay(measure);
  registerOverlay(note);
  registerOverlay(orderLine);
  registerOverlay(fillMark);
}
