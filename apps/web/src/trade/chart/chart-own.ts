// Own orders as lines that can be dragged to amend and closed to cancel, and own fills as marks at their candles. Part
// of the chunk loaded with the chart.
import type { Chart, OverlayEvent } from "klinecharts";
import type { ProductWords, TradeInstrument } from "#trade/product.ts";
import type { OwnFill, OwnOrder } from "#trade/terminal-link.ts";
import type { TerminalText } from "#trade/terminal-text.ts";
import { snapPrice } from "./chart-figures.ts";
import { type FillMarkData, type OrderLineData, shortLabelPx } from "./chart-overlays.ts";
import type { ChartColors } from "./chart-theme.ts";
import { ALONE, type LabelSlot, placeLabels } from "./order-slots.ts";

const LINES = "orders";
const MARKS = "fills";
const LINES_MAX = 60;
const MARKS_MAX = 200;

export interface OwnParts {
  readonly pair: TradeInstrument;
  readonly words: ProductWords;
  readonly text: TerminalText;
  readonly readColors: () => ChartColors;
  readonly onAmend: (orderId: string, price: string) => Promise<boolean>;
  readonly onCancel: (orderId: string) => Promise<boolean>;
}

function lineId(orderId: string): string {
  return `order_${orderId}`;
}

/** "stopLimit" → "Stop limit". */
function nameKind(type: string): string {
  if (type === "twap") return "TWAP";
  const words = type.replace(/([A-Z])/g, " $1").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The price of its line; a plan waits at its trigger price. */
function linePrice(order: OwnOrder): string | null {
  return (order.isPlan ? order.stopPrice : order.price) ?? order.price;
}

export class OwnMarks {
  readonly #chart: Chart;
  readonly #parts: OwnParts;
  #orders: readonly OwnOrder[] = [];
  #fills: readonly OwnFill[] = [];
  #showsOrders = true;
  #showsFills = true;
  #draggedId: string | undefined;
  #lines: readonly { readonly orderId: string; readonly price: number }[] = [];
  #slots: readonly LabelSlot[] = [];
  #slotsFor = "";
  #columnPx = 0;
  /** Labels paged past, by the first order of their group. */
  readonly #turns = new Map<string, number>();

  constructor(chart: Chart, parts: OwnParts) {
    this.#chart = chart;
    this.#parts = parts;
  }

  set(orders: readonly OwnOrder[], fills: readonly OwnFill[]): void {
    const { pairCode } = this.#parts.pair;
    this.#orders = orders.filter((order) => order.pairCode === pairCode).slice(0, LINES_MAX);
    this.#fills = fills.filter((fill) => fill.pairCode === pairCode).slice(-MARKS_MAX);
    this.redraw();
  }

  show(orders: boolean, fills: boolean): void {
    this.#showsOrders = orders;
    this.#showsFills = fills;
    this.redraw();
  }

  redraw(): void {
    // A dragged line follows the pointer.
    if (this.#draggedId !== undefined) return;
    this.#chart.removeOverlay({ groupId: LINES });
    this.#chart.removeOverlay({ groupId: MARKS });
    this.#lines = this.#orders.flatMap((order) => {
      const price = linePrice(order);
      return price === null ? [] : [{ orderId: order.orderId, price: Number(price) }];
    });
    this.#slotsFor = "";
    this.#columnPx = Math.max(0, ...this.#orders.map((order) => shortLabelPx(this.#lineData(order, "0"))));
    if (this.#showsOrders) for (const order of this.#orders) this.#drawLine(order);
    if (this.#showsFills) this.#drawMarks();
  }

  /** Every label requests its position on every paint; it is recomputed only when the heights have changed. */
  #place(orderId: string, columnsMax: number, labelPx: number, toPixel: (price: number) => number): LabelSlot {
    // Nothing changes its place while one of them is in the hand.
    if (this.#draggedId === undefined || this.#slots.length !== this.#lines.length) {
      const heights = this.#lines.map(({ price }) => Math.round(toPixel(price)));
      const requested = `${columnsMax}:${heights.join()}`;
      if (requested !== this.#slotsFor) {
        this.#slotsFor = requested;
        this.#slots = placeLabels(
          heights,
          columnsMax,
          labelPx,
          (first) => this.#turns.get(this.#lines[first]?.orderId ?? "") ?? 0,
        );
      }
    }
    const slot = this.#slots[this.#lines.findIndex((line) => line.orderId === orderId)];
    return slot ?? ALONE;
  }

  /** The labels of this folded one's group move on by as many as are shown. */
  #leaf(order: OwnOrder): void {
    const at = this.#lines.findIndex(({ orderId }) => orderId === order.orderId);
    const first = this.#slots[at]?.crowd ?? -1;
    const crowdId = this.#lines[first]?.orderId;
    if (crowdId === undefined) return;
    const shown = this.#slots.filter((slot) => slot.crowd === first && !slot.isFolded).length;
    this.#turns.set(crowdId, (this.#turns.get(crowdId) ?? 0) + shown);
    this.redraw();
  }

  #lineData(order: OwnOrder, price: string): OrderLineData {
    const { pair, words, text, readColors } = this.#parts;
    const isBuy = order.side === "buy";
    const formatPrice = (value: number) =>
      value.toLocaleString("en-US", {
        minimumFractionDigits: pair.priceDecimals,
        maximumFractionDigits: pair.priceDecimals,
      });
    const values = {
      quantity: order.quantity ?? "",
      asset: words.assetsOf(pair.pairCode).quantity,
      price: formatPrice(Number(price)),
    };
    return {
      colors: readColors(),
      isBuy,
      isPlan: order.isPlan,
      canDrag: order.canAmend && linePrice(order) !== null,
      kind: nameKind(order.type),
      text: text(isBuy ? "lineBuy" : "lineSell", values),
      shortText: values.quantity,
      isDragged: this.#draggedId === order.orderId,
      columnPx: this.#columnPx,
      place: (columnsMax, labelPx, toPixel) => this.#place(order.orderId, columnsMax, labelPx, toPixel),
      formatPrice,
    };
  }

  #drawLine(order: OwnOrder): void {
    const price = linePrice(order);
    if (price === null) return;
    const data = this.#lineData(order, price);
    this.#chart.createOverlay({
      name: "orderLine",
      id: lineId(order.orderId),
      groupId: LINES,
      points: [{ value: Number(price) }],
      extendData: data,
      onPressedMoveStart: () => {
        if (data.canDrag) this.#draggedId = order.orderId;
      },
      onPressedMoving: (event) => this.#dragging(event as OverlayEvent<OrderLineData>, order, data, Number(price)),
      onPressedMoveEnd: (event) => void this.#dropped(event as OverlayEvent<OrderLineData>, order),
      onClick: ({ figure }) => {
        if (figure?.key === "close") void this.#parts.onCancel(order.orderId);
        if (figure?.key === "more") this.#leaf(order);
      },
      onRightClick: (event) => event.preventDefault?.(),
    });
  }

  #dragging(event: OverlayEvent<OrderLineData>, order: OwnOrder, data: OrderLineData, price: number): void {
    if (!data.canDrag) {
      this.#chart.overrideOverlay({ id: lineId(order.orderId), points: [{ value: price }] });
      event.preventDefault?.();
      return;
    }
    const value = event.overlay.points[0]?.value;
    if (value === undefined) return;
    const snapped = this.#snap(value);
    this.#chart.overrideOverlay({ id: lineId(order.orderId), extendData: this.#lineData(order, snapped) });
  }

  #snap(value: number): string {
    const { pair } = this.#parts;
    return snapPrice(value, Number(pair.tickSize), pair.priceDecimals);
  }

  async #dropped(event: OverlayEvent<OrderLineData>, order: OwnOrder): Promise<void> {
    if (this.#draggedId !== order.orderId) return;
    const value = event.overlay.points[0]?.value;
    const price = value === undefined ? undefined : this.#snap(value);
    if (price !== undefined && Number(price) !== Number(linePrice(order))) {
      await this.#parts.onAmend(order.orderId, price).catch(() => false);
    }
    // Amended: the order itself brings the new price. Refused: the line goes back to the old one.
    this.#draggedId = undefined;
    this.redraw();
  }

  /** One mark per candle and side, however many fills it had. */
  #drawMarks(): void {
    const bars = this.#chart.getDataList();
    const first = bars[0];
    if (first === undefined) return;
    const colors = this.#parts.readColors();
    const marks = new Map<string, { timestamp: number; value: number; data: FillMarkData }>();
    for (const fill of this.#fills) {
      const bar = bars.findLast(({ timestamp }) => timestamp <= fill.timeMs);
      if (bar === undefined) continue;
      const isBuy = fill.side === "buy";
      const key = `${bar.timestamp}:${fill.side}`;
      const count = (marks.get(key)?.data.count ?? 0) + 1;
      marks.set(key, { timestamp: bar.timestamp, value: isBuy ? bar.low : bar.high, data: { colors, isBuy, count } });
    }
    for (const { timestamp, value, data } of marks.values()) {
      this.#chart.createOverlay({
        name: "fillMark",
        groupId: MARKS,
        lock: true,
        points: [{ timestamp, value }],
        extendData: data,
      });
    }
  }
}
