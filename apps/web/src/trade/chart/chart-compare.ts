// The compared pair on the live chart: fetches its candles as far back as the chart's own, follows the newest and draws
// one line. Part of the chunk loaded with the chart.

import type { TimezoneValue } from "@clockwork/kit/constants";
import type { Candle, CandleInterval } from "@clockwork/trading/markets/contract";
import { type Chart, type KLineData, registerIndicator } from "klinecharts";
import type { MarketData } from "#live/feeds/market-feeds.ts";
import { frames } from "#live/frame-loop.ts";
import type { LiveHub } from "#live/hub.ts";
import type { ChartColors } from "./chart-theme.ts";
import { type ComparePoint, compareLine } from "./compare-line.ts";

export const COMPARE = "COMPARE";
const PAGE = 500;
const PAGES_MAX = 20;

export interface CompareParts {
  readonly hub: LiveHub;
  readonly market: MarketData;
  readonly nameOf: (pairCode: string) => string;
  readonly paneId: string;
  readonly readColors: () => ChartColors;
  readonly interval: () => CandleInterval;
  readonly timezone: () => TimezoneValue;
}

let isRegistered = false;

function registerCompare(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerIndicator<ComparePoint>({
    name: COMPARE,
    series: "price",
    figures: [{ key: "value", title: "", type: "line" }],
    calc: () => [],
  });
}

export class ChartCompare {
  readonly #chart: Chart;
  readonly #parts: CompareParts;
  #pairCode: string | null = null;
  #closes = new Map<number, number>();
  #oldestMs = Number.POSITIVE_INFINITY;
  #isWhole = false;
  #pages = 0;
  /** Counts what is shown, so that an answer for what was shown before is not taken. */
  #turn = 0;
  #isLoading = false;
  #undraw: (() => void) | undefined;
  #release: () => void = () => {};
  readonly #onMoved = () => {
    this.#undraw ??= frames.draw(() => {
      this.#undraw = undefined;
      this.redraw();
      void this.#reach();
    });
  };

  constructor(chart: Chart, parts: CompareParts) {
    this.#chart = chart;
    this.#parts = parts;
    registerCompare();
  }

  /** Another pair, another interval or another zone: all of it is fetched anew. */
  show(pairCode: string | null): void {
    this.close();
    this.#pairCode = pairCode;
    if (pairCode === null) return;
    const { hub, market, paneId, interval, timezone } = this.#parts;
    this.#chart.createIndicator(
      {
        name: COMPARE,
        paneId,
        calc: this.#makeLine(),
        styles: { lines: [{ color: this.#parts.readColors().text, size: 1.5 }] },
        createTooltipDataSource: ({ indicator, crosshair }) => {
          const at = indicator.result[crosshair.dataIndex ?? indicator.result.length - 1] ?? indicator.result.at(-1);
          return {
            name: "",
            calcParamsText: "",
            features: [],
            legends: [this.#legend(at as ComparePoint | undefined)],
          };
        },
      },
      true,
    );
    const feed = hub.feed(market.candles(pairCode, interval(), timezone()));
    this.#release = feed.subscribe(() => this.#take(feed.get().value));
    this.#chart.subscribeAction("onVisibleRangeChange", this.#onMoved);
    this.#onMoved();
  }

  close(): void {
    this.#turn += 1;
    this.#release();
    this.#release = () => {};
    this.#chart.unsubscribeAction("onVisibleRangeChange", this.#onMoved);
    this.#undraw?.();
    this.#undraw = undefined;
    this.#chart.removeIndicator({ name: COMPARE });
    this.#closes = new Map();
    this.#oldestMs = Number.POSITIVE_INFINITY;
    this.#isWhole = false;
    this.#isLoading = false;
    this.#pages = 0;
  }

  #legend(point: ComparePoint | undefined) {
    const { text, upText, downText, muted } = this.#parts.readColors();
    const percent = point?.percent;
    const title = { text: `${this.#pairCode === null ? "" : this.#parts.nameOf(this.#pairCode)} `, color: text };
    if (percent === undefined) return { title, value: { text: "–", color: muted } };
    const sign = percent < 0 ? "−" : "+";
    return {
      title,
      value: { text: `${sign}${Math.abs(percent).toFixed(2)}%`, color: percent < 0 ? downText : upText },
    };
  }

  /** A new function each time: the library computes anew when it is another one, and copies any data it is given. */
  #makeLine() {
    const from = Math.max(0, this.#chart.getVisibleRange().realFrom);
    return (bars: KLineData[]) => [...compareLine(bars, this.#closes, from)];
  }

  /** The theme changed, the chart moved, or there are more candles. */
  redraw(): void {
    const [shown] = this.#chart.getIndicators({ name: COMPARE });
    if (shown === undefined) return;
    const styles = { lines: [{ color: this.#parts.readColors().text, size: 1.5 }] };
    this.#chart.overrideIndicator({ name: COMPARE, id: shown.id, calc: this.#makeLine(), styles });
  }

  #take(candles: readonly Candle[]): void {
    for (const { timeMs, close } of candles) {
      this.#closes.set(timeMs, Number(close));
      this.#oldestMs = Math.min(this.#oldestMs, timeMs);
    }
  }

  /** As far back as the chart itself; candles it has not are never drawn. */
  async #reach(): Promise<void> {
    const wanted = this.#chart.getDataList()[0]?.timestamp;
    const [pairCode, turn] = [this.#pairCode, this.#turn];
    if (wanted === undefined || pairCode === null || this.#isLoading || this.#isWhole) return;
    if (this.#pages > 0 && this.#oldestMs <= wanted) return;
    if (this.#pages >= PAGES_MAX) return;
    this.#isLoading = true;
    const candles = await this.#fetchPage(pairCode, this.#pages === 0 ? undefined : this.#oldestMs - 1).catch(
      () => undefined,
    );
    if (turn !== this.#turn) return;
    this.#isLoading = false;
    this.#pages += 1;
    if (candles === undefined) return;
    this.#isWhole = candles.length < PAGE;
    this.#take(candles);
    this.#onMoved();
  }

  #fetchPage(pairCode: string, toMs: number | undefined): Promise<readonly Candle[] | undefined> {
    return this.#parts.market.fetchCandles({
      pairCode,
      interval: this.#parts.interval(),
      limit: PAGE,
      timezone: this.#parts.timezone(),
      ...(toMs === undefined ? {} : { toMs }),
    });
  }
}
