// The live chart: one klinecharts instance with its data, studies, drawings, own orders and fills. Independent of
// React; the panel passes what to show and receives the user's actions. This file and the library are one chunk, loaded
// on demand.
import type { TimezoneValue } from "@clockwork/kit/constants";
import { type Chart, dispose, type IndicatorCreate, init } from "klinecharts";
import { exchangeNowMs } from "#live/exchange-clock.ts";
import { candleZone, offsetOf, zoneId } from "#trade/clock-text.ts";
import type { ProductWords, TradeInstrument } from "#trade/product.ts";
import type { DrawnGrid, OwnFill, OwnLine, OwnOrder } from "#trade/terminal-link.ts";
import type { TerminalText } from "#trade/terminal-text.ts";
import { ChartCompare, COMPARE } from "./chart-compare.ts";
import { type ChartSource, createDataLoader } from "./chart-data.ts";
import { DrawingBoard } from "./chart-drawings.ts";
import { checkDrawings, countdownText, type Drawing, type DrawingLook, periodOf, snapPrice } from "./chart-figures.ts";
import { DrawnGridLines } from "./chart-grid.ts";
import { averageLegend, candleLegend, studyLegend, volumeLegend } from "./chart-legend.ts";
import { OwnLines } from "./chart-lines.ts";
import { registerOverlays } from "./chart-overlays.ts";
import { OwnMarks } from "./chart-own.ts";
import { type ChartSettings, INDICATORS, lineCount, nameInterval } from "./chart-settings.ts";
import { registerStudies, type StudyContext } from "./chart-studies.ts";
import { type ChartColors, chartStyles, readColors, seriesFrom, seriesLines } from "./chart-theme.ts";
import { paneHeight, topGap } from "./pane-heights.ts";
import { roundTicks } from "./time-ticks.ts";

const MAIN_PANE = "candle_pane";
const BAR_PX = 7;
const NARROW_PX = 600;
const LOW_PX = 240;
/** A change of height that moves nothing but the candles. */
const FITS_PX = 80;
/** Before a finger has moved so far its direction is not known. */
const TOUCH_PX = 5;
/** A chart at least so high has room for the readout of the candle. */
const READOUT_PX = 300;

function isNarrow(element: HTMLElement): boolean {
  return element.clientWidth < NARROW_PX || element.clientHeight < LOW_PX;
}

function isOnCandles(name: string): boolean {
  return INDICATORS.find((kind) => kind.name === name)?.place === "main";
}

export interface ChartParts extends Omit<ChartSource, "interval" | "price" | "timezone" | "onRetry"> {
  readonly element: HTMLElement;
  readonly pair: TradeInstrument;
  readonly text: TerminalText;
  readonly words: ProductWords;
  readonly settings: ChartSettings;
  readonly timezone: TimezoneValue;
  /** As it was kept; what cannot be read is left out. */
  readonly drawings: unknown;
  readonly onDrawings: (drawings: readonly Drawing[], canUndo: boolean, canRedo: boolean) => void;
  readonly onToolDone: () => void;
  readonly onChosen: (look: DrawingLook | undefined) => void;
  readonly onAmend: (orderId: string, price: string) => Promise<boolean>;
  readonly onCancel: (orderId: string) => Promise<boolean>;
  readonly onPick: (price: string) => void;
}

export class ChartEngine {
  readonly board: DrawingBoard;
  readonly #parts: ChartParts;
  readonly #chart: Chart;
  readonly #loader: ReturnType<typeof createDataLoader>;
  readonly #marks: OwnMarks;
  readonly #lines: OwnLines;
  /** Made when the first grid is drawn. */
  #grid: DrawnGridLines | undefined;
  readonly #compare: ChartCompare;
  #isNarrow: boolean;
  #heightPx: number;
  readonly #observers: readonly { disconnect(): void }[];
  #settings: ChartSettings;
  #timezone: TimezoneValue;
  #colors: ChartColors;

  constructor(parts: ChartParts) {
    registerOverlays();
    registerStudies();
    const { element, pair } = parts;
    this.#parts = parts;
    this.#settings = parts.settings;
    this.#timezone = parts.timezone;
    this.#colors = readColors(element);
    this.#isNarrow = isNarrow(element);
    this.#heightPx = element.clientHeight;
    const chart = init(element, {
      locale: "en-US",
      timezone: zoneId(parts.timezone),
      thousandsSeparator: { sign: "," },
      formatter: {
        formatExtendText: ({ data }) => countdownText(data.timestamp, this.#settings.interval, exchangeNowMs()),
      },
      layout: { pane: { minHeight: 40 } },
    });
    if (chart === null) throw new Error("SPOT-4: the chart has no element to stand in");
    this.#chart = chart;
    // The panel's own element takes the focus; the library's would come before everything else on the page.
    for (const child of element.querySelectorAll<HTMLElement>("[tabindex]")) child.tabIndex = -1;
    chart.setSymbol({
      ticker: parts.words.nameOf(pair.pairCode),
      pricePrecision: pair.priceDecimals,
      volumePrecision: Math.min(3, pair.quantityDecimals),
    });
    chart.setBarSpace(BAR_PX);
    chart.setOffsetRightDistance(48);
    this.board = new DrawingBoard(chart, {
      drawings: checkDrawings(parts.drawings),
      decimals: pair.priceDecimals,
      readColors: () => this.#colors,
      onChanged: parts.onDrawings,
      onToolDone: parts.onToolDone,
      onChosen: parts.onChosen,
    });
    this.#marks = new OwnMarks(chart, { ...parts, readColors: () => this.#colors });
    this.#lines = new OwnLines(chart, pair.pairCode, () => this.#colors);
    this.#compare = new ChartCompare(chart, {
      hub: parts.hub,
      market: parts.market,
      nameOf: parts.words.nameOf,
      paneId: MAIN_PANE,
      readColors: () => this.#colors,
      interval: () => this.#settings.interval,
      timezone: () => candleZone(this.#timezone),
    });
    this.#loader = createDataLoader({
      ...parts,
      interval: () => this.#settings.interval,
      price: () => this.#settings.price,
      timezone: () => candleZone(this.#timezone),
      onRetry: () => this.#chart.resetData(),
      onLoaded: (state) => {
        parts.onLoaded(state);
        // After the library has taken the candles in: marks and drawings find their places by them.
        queueMicrotask(() => {
          this.#marks.redraw();
          this.#compare.redraw();
        });
      },
    });
    this.#restyle();
    chart.overrideXAxis({
      createTicks: ({ defaultTicks, bounding }) => roundTicks(defaultTicks, bounding.width, offsetOf(this.#timezone)),
    });
    this.#showIndicators();
    this.#setScale();
    chart.setPeriod(periodOf(this.#settings.interval));
    chart.setDataLoader(this.#loader);
    this.board.restore();
    this.#showCompare();
    this.#observers = [this.#followSize(), this.#followTheme(), this.#letPageScroll()];
  }

  destroy(): void {
    for (const observer of this.#observers) observer.disconnect();
    this.board.close();
    this.#compare.close();
    this.#loader.stop();
    dispose(this.#chart);
  }

  /** A finger that moves up or down scrolls the page, unless it draws or holds something of the chart, or the chart is all there is. */
  #letPageScroll(): { disconnect(): void } {
    const { element } = this.#parts;
    const stop = new AbortController();
    let from: { readonly x: number; readonly y: number } | undefined;
    let isPage = false;
    const capture = { capture: true, passive: true, signal: stop.signal } as const;
    element.addEventListener(
      "touchstart",
      ({ touches: [touch, other] }) => {
        isPage = false;
        from = touch === undefined || other !== undefined ? undefined : { x: touch.clientX, y: touch.clientY };
      },
      capture,
    );
    element.addEventListener(
      "touchmove",
      (event) => {
        const [touch] = event.touches;
        if (isPage) event.stopPropagation();
        if (isPage || from === undefined || touch === undefined) return;
        const [x, y] = [Math.abs(touch.clientX - from.x), Math.abs(touch.clientY - from.y)];
        if (x + y < TOUCH_PX) return;
        from = undefined;
        const isFull = element.closest("[data-full]") !== null;
        isPage = y > x && !isFull && !this.board.isDrawing() && !this.#isHolding();
        if (isPage) event.stopPropagation();
      },
      capture,
    );
    return { disconnect: () => stop.abort() };
  }

  /** An order's line, an edge of a grid or a drawing is under the finger. The library tells it nowhere else. */
  #isHolding(): boolean {
    const inner = this.#chart as unknown as {
      getChartStore?: () => { getPressedOverlayInfo?: () => { readonly overlay?: unknown } };
    };
    return (inner.getChartStore?.().getPressedOverlayInfo?.().overlay ?? null) !== null;
  }

  #followSize(): ResizeObserver {
    const observer = new ResizeObserver(() => {
      this.#chart.resize();
      this.#fitPanes();
    });
    observer.observe(this.#parts.element);
    return observer;
  }

  /** A turned phone or a window drawn small: words go, and studies leave the candles their room. */
  #fitPanes(): void {
    const { element } = this.#parts;
    const { clientHeight } = element;
    const isSame = isNarrow(element) === this.#isNarrow && Math.abs(clientHeight - this.#heightPx) < FITS_PX;
    if (isSame || clientHeight === 0) return;
    this.#isNarrow = isNarrow(element);
    this.#heightPx = clientHeight;
    this.#restyle();
    this.#sharePanes();
    this.#fitTop();
    for (const { id, name } of this.#chart.getIndicators({ name: "VOL" })) {
      this.#chart.overrideIndicator({ id, name, ...this.#special(name) });
    }
  }

  /** Each study gets its share again: the more there are, the lower each is, and the candles keep theirs. */
  #sharePanes(): void {
    for (const { name, paneId } of this.#chart.getIndicators()) {
      if (paneId !== MAIN_PANE) this.#chart.setPaneOptions({ id: paneId, height: this.#paneHeight(name) });
    }
  }

  /** Theme and up/down colours are attributes of the page; the chart is painted anew when they change. */
  #followTheme(): MutationObserver {
    const observer = new MutationObserver(() => this.#repaint());
    observer.observe(document.documentElement, { attributeFilter: ["data-theme", "data-updown"] });
    return observer;
  }

  #repaint(): void {
    this.#colors = readColors(this.#parts.element);
    this.#restyle();
    this.#repaintStudies();
    this.board.repaint();
    this.#marks.redraw();
    this.#lines.redraw();
    this.#grid?.redraw();
    this.#compare.redraw();
  }

  #repaintStudies(): void {
    for (const { id, name } of this.#chart.getIndicators()) {
      if (isOnCandles(name)) this.#chart.overrideIndicator({ id, name, ...this.#special(name) });
    }
  }

  #restyle(): void {
    const { pair, words } = this.#parts;
    const title = `${words.nameOf(pair.pairCode)} · ${nameInterval(this.#settings.interval)}`;
    const legend = candleLegend(this.#colors, title, pair.priceDecimals);
    this.#chart.setStyles(chartStyles(this.#colors, this.#settings));
    this.#chart.setStyles({
      candle: {
        tooltip: {
          showRule: this.#isNarrow && this.#parts.element.clientHeight < READOUT_PX ? "follow_cross" : "always",
          legend: { template: legend },
        },
      },
    });
  }

  setSettings(next: ChartSettings): void {
    const before = this.#settings;
    this.#settings = next;
    this.#restyle();
    if (next.interval !== before.interval) this.#chart.setPeriod(periodOf(next.interval));
    else if (next.price !== before.price) this.#chart.resetData();
    if (next.indicators !== before.indicators) this.#showIndicators();
    if (next.compare !== before.compare || next.interval !== before.interval) this.#showCompare();
    if (next.scale !== before.scale) this.#setScale();
    if (next.orders !== before.orders || next.fills !== before.fills) this.#marks.show(next.orders, next.fills);
    if (next.orders !== before.orders) this.#lines.show(next.orders);
  }

  setTimezone(timezone: TimezoneValue): void {
    if (timezone === this.#timezone) return;
    this.#timezone = timezone;
    this.#chart.setTimezone(zoneId(timezone));
    this.#chart.resetData();
    this.#showCompare();
  }

  setOwn(orders: readonly OwnOrder[], fills: readonly OwnFill[]): void {
    this.#marks.set(orders, fills);
  }

  setLines(lines: readonly OwnLine[]): void {
    this.#lines.set(lines);
  }

  setGrid(grid: DrawnGrid | null): void {
    if (grid !== null) this.#grid ??= new DrawnGridLines(this.#chart, this.#parts.pair, () => this.#colors);
    this.#grid?.set(grid);
  }

  /** Fetches again after a failure. */
  reload(): void {
    this.#chart.resetData();
  }

  snapshot(): string {
    return this.#chart.getConvertPictureUrl(true, "png", this.#colors.bg);
  }

  /** The price at a height of the window, on the grid of ticks; nothing outside of the candles. */
  priceAt(clientY: number): string | undefined {
    const y = clientY - this.#parts.element.getBoundingClientRect().top;
    if (y < 0 || y > (this.#chart.getSize(MAIN_PANE, "main")?.height ?? 0)) return undefined;
    const [point] = this.#chart.convertFromPixel([{ y }], { paneId: MAIN_PANE, absolute: true }) as {
      value?: number;
    }[];
    if (point?.value === undefined || point.value <= 0) return undefined;
    const { tickSize, priceDecimals } = this.#parts.pair;
    return snapPrice(point.value, Number(tickSize), priceDecimals);
  }

  /** Width of the price axis, to place a sign at its edge. */
  axisWidth(): number {
    return this.#chart.getSize(MAIN_PANE, "yAxis")?.width ?? 0;
  }

  /** A double press on a price hands it to the form. */
  pickAt(clientY: number): void {
    const price = this.priceAt(clientY);
    if (price !== undefined) this.#parts.onPick(price);
  }

  /** Steps through candles and zoom by keyboard. */
  step(key: string): boolean {
    const distance = { ArrowLeft: 1, ArrowRight: -1 }[key];
    if (distance !== undefined) this.#chart.scrollByDistance(distance * BAR_PX * 4, 0);
    else if (key === "+" || key === "=") this.#chart.zoomAtCoordinate(1.2);
    else if (key === "-") this.#chart.zoomAtCoordinate(0.8);
    else if (key === "End") this.#chart.scrollToRealTime(120);
    else return false;
    return true;
  }

  #showCompare(): void {
    const { compare } = this.#settings;
    const shown = compare === this.#parts.pair.pairCode ? null : compare;
    this.#compare.show(shown);
    this.#fitTop();
  }

  /** The legend keeps its lines above the highest candle and its label, however low the pane is. */
  #fitTop(): void {
    const isCompared = this.#settings.compare !== null && this.#settings.compare !== this.#parts.pair.pairCode;
    const studies = this.#settings.indicators.filter(({ name }) => isOnCandles(name)).length;
    const legendPx = (this.#isNarrow ? 50 : 44) + (isCompared ? 18 : 0) + 16 * Math.max(0, studies - 1);
    const heightPx = this.#chart.getSize(MAIN_PANE, "main")?.height ?? 0;
    const top = topGap(legendPx, heightPx);
    this.#chart.overrideYAxis({ paneId: MAIN_PANE, gap: { top: Math.max(isCompared ? 0.27 : 0.2, top) } });
  }

  #setScale(): void {
    this.#chart.overrideYAxis({ paneId: MAIN_PANE, name: this.#settings.scale });
  }

  #showIndicators(): void {
    const chart = this.#chart;
    const wanted = new Map(this.#settings.indicators.map((choice) => [choice.name, choice]));
    for (const shown of chart.getIndicators()) {
      if (shown.name !== COMPARE && !wanted.has(shown.name)) chart.removeIndicator({ id: shown.id });
    }
    for (const { name, params } of this.#settings.indicators) {
      const [shown] = chart.getIndicators({ name });
      const calcParams = [...params];
      if (shown !== undefined) {
        chart.overrideIndicator({ name, id: shown.id, calcParams, ...this.#special(name) });
        continue;
      }
      const isMain = isOnCandles(name);
      const paneId = isMain ? MAIN_PANE : `below_${name}`;
      const extendData: StudyContext = { colors: () => this.#colors, zoneMs: () => offsetOf(this.#timezone) };
      chart.createIndicator({ name, calcParams, paneId, extendData, ...this.#special(name) }, true);
      if (isMain) continue;
      chart.setPaneOptions({ id: paneId, height: this.#paneHeight(name), minHeight: 28 });
      // Volume is read by comparing bars; figures next to it only add noise.
      if (name === "VOL") chart.overrideYAxis({ paneId, createTicks: () => [] });
    }
    this.#sharePanes();
    this.#fitTop();
  }

  /** The number of the colour a study's first line has: those over the candles share the series. */
  #firstColor(name: string): number {
    let first = 0;
    for (const one of this.#settings.indicators) {
      if (one.name === name) return first;
      if (isOnCandles(one.name)) first += lineCount(one);
    }
    return 0;
  }

  /** Studies in the theme's colours, and those whose words the library writes differently from us. */
  #special(name: string): Partial<IndicatorCreate> {
    if (!isOnCandles(name)) return this.#words(name, 0);
    const first = this.#firstColor(name);
    const { series, up, down } = this.#colors;
    const own = seriesFrom(series, first);
    const [one = up] = own;
    const lines = seriesLines({ Supertrend: [up, down], VWAP: [one, one] }[name] ?? own);
    return { styles: { lines }, ...this.#words(name, first) };
  }

  #words(name: string, first: number): Partial<IndicatorCreate> {
    const { pairCode, quantityDecimals, priceDecimals } = this.#parts.pair;
    const read = () => this.#colors;
    // A phone has no room for the words.
    if (name === "VOL" && this.#isNarrow)
      return { createTooltipDataSource: () => ({ name: "", calcParamsText: "", features: [], legends: [] }) };
    if (name === "VOL")
      return {
        createTooltipDataSource: volumeLegend(
          read,
          `Vol (${this.#parts.words.assetsOf(pairCode).quantity})`,
          Math.min(3, quantityDecimals),
        ),
      };
    if (name === "MA" || name === "EMA")
      return { createTooltipDataSource: averageLegend(read, name, priceDecimals, first) };
    if (isOnCandles(name)) return { createTooltipDataSource: studyLegend(read, priceDecimals) };
    return {};
  }

  #paneHeight(name: string): number {
    const whole = this.#parts.element.clientHeight;
    const count = this.#settings.indicators.filter(({ name: one }) => !isOnCandles(one)).length;
    return paneHeight({ isVolume: name === "VOL", count, chartPx: whole, isNarrow: this.#isNarrow });
  }
}
