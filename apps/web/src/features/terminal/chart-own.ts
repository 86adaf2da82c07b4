// One's own orders as lines that can be dragged to amend and closed to cancel, and one's own fills as marks at their
// candles. Part of the chunk loaded with the chart.
import type { Pair } from "@clockwork/domains/markets/api";
import type { Chart, OverlayEvent } from "klinecharts";
import type { OwnFill, OwnOrder } from "#frame/terminal-link.ts";
import type { TerminalSpeak } from "#frame/terminal-text.ts";
import { snapPrice } from "./chart-figures.ts";
import type { FillMarkData, OrderLineData } from "./chart-overlays.ts";
import type { ChartColors } from "./chart-theme.ts";

const LINES = "orders";
const MARKS = "fills";
const LINES_MAX = 60;
const MARKS_MAX = 200;

export interface OwnParts {
  readonly pair: Pair;
  readonly text: TerminalSpeak;
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

export class OwnMarks {
  readonly #chart: Chart;
  readonly #parts: OwnParts;
  #orders: readonly OwnOrder[] = [];
  #fills: readonly OwnFill[] = [];
  #showsOrders = true;
  #showsFills = true;
  #draggedId: string | undefined;

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
    // A line in the hand stays where the hand is.
    if (this.#draggedId !== undefined) return;
    this.#chart.removeOverlay({ groupId: LINES });
    this.#chart.removeOverlay({ groupId: MARKS });
    if (this.#showsOrders) for (const order of this.#orders) this.#drawLine(order);
    if (this.#showsFills) this.#drawMarks();
  }

  #lineData(order: OwnOrder, price: string): OrderLineData {
    const { pair, text, readColors } = this.#parts;
    const isBuy = order.side === "buy";
    const formatPrice = (value: number) =>
      value.toLocaleString("en-US", {
        minimumFractionDigits: pair.priceDecimals,
        maximumFractionDigits: pair.priceDecimals,
      });
    const values = { quantity: order.quantity ?? "", asset: pair.base, price: formatPrice(Number(price)) };
    return {
      colors: readColors(),
      isBuy,
      isPlan: order.isPlan,
      canDrag: order.canAmend && order.price !== null,
      kind: nameKind(order.type),
      text: text(isBuy ? "lineBuy" : "lineSell", values),
      shortText: values.quantity,
      formatPrice,
    };
  }

  #drawLine(order: OwnOrder): void {
    const price = (order.isPlan ? order.stopPrice : order.price) ?? order.price;
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
    if (price !== undefined && Number(price) !== Number(order.price)) {
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
