// The chart's toolbar: interval, style, studies, undo and redo, which own orders and fills are drawn, settings.
import type { CandleInterval } from "@clockwork/trading/markets/contract";
import { Icon } from "@clockwork/ui/icon";
import { Suspense } from "react";
import { lazy } from "#boot/timeout.ts";
import { ChoiceDrop, Drop } from "#trade/drop.tsx";
import { useProduct } from "#trade/product.ts";
import { useTerminalText } from "#trade/terminal-text.ts";
import type { LiveChart } from "./chart-hook.ts";
import type { ChartView, MoreTab } from "./chart-panel.tsx";
import {
  CHART_STYLES,
  type ChartSettings,
  type ChartStyle,
  INTERVALS,
  NARROW_INTERVALS,
  nameInterval,
  QUICK_INTERVALS,
} from "./chart-settings.ts";
import { CompareMenu } from "./compare-menu.tsx";
import { IndicatorMenu } from "./indicator-menu.tsx";

const ChartOptions = lazy(() => import("./chart-options.tsx").then((part) => ({ default: part.ChartOptions })));

export interface ChartToolbarProps {
  readonly settings: ChartSettings;
  readonly change: (part: Partial<ChartSettings>) => void;
  readonly chart: LiveChart;
  readonly view: ChartView;
  readonly more: readonly MoreTab[];
  readonly onView: (view: ChartView) => void;
  readonly isCollapsed: boolean;
  readonly onCollapse: (isCollapsed: boolean) => void;
  readonly onFullscreen: () => void;
}

/** Last, mark or index, where the product has more than one price. */
function CandlePrices({ settings, change }: Pick<ChartToolbarProps, "settings" | "change">) {
  const text = useTerminalText();
  const { candlePrices } = useProduct();
  if (candlePrices === undefined) return null;
  return (
    <>
      <span aria-hidden="true" className="chart-rule" />
      {candlePrices.map((price) => (
        <button
          key={price}
          type="button"
          aria-pressed={settings.price === price}
          data-here={settings.price === price ? "" : undefined}
          className="t-interval"
          onClick={() => change({ price })}
        >
          {text(`price.${price}`)}
        </button>
      ))}
    </>
  );
}

export function ChartToolbar(props: ChartToolbarProps) {
  const text = useTerminalText();
  const { settings, change, chart, view } = props;
  const { candlePrices } = useProduct();
  return (
    <div className="chart-toolbar" data-view={view} data-prices={candlePrices === undefined ? undefined : ""}>
      <Intervals settings={settings} change={change} />
      <span className="chart-tools">
        <span aria-hidden="true" className="chart-rule" />
        <ChoiceDrop
          label={text("style")}
          buttonLabel={text("style")}
          buttonClass="t-icon"
          button={<Icon name="candles" />}
          choices={CHART_STYLES.map((id) => ({ id, title: text(`style.${id}`) }))}
          selected={settings.style}
          onChoose={(id) => change({ style: id as ChartStyle })}
        />
        <IndicatorMenu settings={settings} change={change} />
        <CompareMenu settings={settings} change={change} />
        <CandlePrices settings={settings} change={change} />
        <span aria-hidden="true" className="chart-rule" />
        <button
          type="button"
          className="t-icon"
          aria-label={text("undo")}
          title={text("undo")}
          disabled={!chart.canUndo}
          onClick={() => chart.engine?.board.undo()}
        >
          <Icon name="undo" />
        </button>
        <button
          type="button"
          className="t-icon"
          aria-label={text("redo")}
          title={text("redo")}
          disabled={!chart.canRedo}
          onClick={() => chart.engine?.board.redo()}
        >
          <Icon name="redo" />
        </button>
      </span>
      <span className="chart-aside">
        <label className="flex items-center gap-1.5">
          <input
            type="checkbox"
            className="t-check"
            checked={settings.orders}
            onChange={(event) => change({ orders: event.target.checked })}
          />
          {text("showOrders")}
        </label>
        <label className="flex items-center gap-1.5">
          <input
            type="checkbox"
            className="t-check"
            checked={settings.fills}
            onChange={(event) => change({ fills: event.target.checked })}
          />
          {text("showFills")}
        </label>
      </span>
      <NarrowTools {...props} />
    </div>
  );
}

interface PartProps {
  readonly settings: ChartSettings;
  readonly change: (part: Partial<ChartSettings>) => void;
}

function Intervals({ settings, change }: PartProps) {
  const text = useTerminalText();
  const isQuick = QUICK_INTERVALS.includes(settings.interval);
  const others = INTERVALS.filter(
    (interval) => !QUICK_INTERVALS.includes(interval) || !NARROW_INTERVALS.includes(interval),
  );
  return (
    <fieldset aria-label={text("intervals")} className="flex min-w-0 items-center">
      {QUICK_INTERVALS.map((interval) => (
        <button
          key={interval}
          type="button"
          aria-pressed={settings.interval === interval}
          data-narrow={NARROW_INTERVALS.includes(interval)}
          className="t-interval"
          onClick={() => change({ interval })}
        >
          {nameInterval(interval)}
        </button>
      ))}
      {!isQuick && (
        <span className="t-interval" aria-hidden="true" data-narrow data-here>
          {nameInterval(settings.interval)}
        </span>
      )}
      <ChoiceDrop
        label={text("moreIntervals")}
        buttonLabel={text("moreIntervals")}
        buttonClass="t-icon size-6"
        button={<Icon name="chevron-down" size={14} />}
        choices={others.map((id) => ({ id, title: nameInterval(id) }))}
        selected={settings.interval}
        onChoose={(id) => change({ interval: id as CandleInterval })}
      />
    </fieldset>
  );
}

export function ChartSettingsMenu({ settings, change }: PartProps) {
  const text = useTerminalText();
  return (
    <Drop
      label={text("settings")}
      buttonLabel={text("settings")}
      align="end"
      buttonClass="t-icon"
      button={<Icon name="settings" />}
    >
      {() => (
        <Suspense fallback={<div className="h-60 w-[208px]" />}>
          <ChartOptions settings={settings} change={change} />
        </Suspense>
      )}
    </Drop>
  );
}

/** The end of the toolbar on a phone: studies, views, full screen, collapse. */
function NarrowTools({
  settings,
  change,
  view,
  more,
  onView,
  isCollapsed,
  onCollapse,
  onFullscreen,
}: ChartToolbarProps) {
  const text = useTerminalText();
  const views = [...(["chart", "depth", "trades", "info"] as const).map((id) => ({ id, title: text(id) })), ...more];
  return (
    <span className="chart-narrow">
      <IndicatorMenu settings={settings} change={change} isShort />
      <ChoiceDrop
        label={text("views")}
        buttonLabel={text("views")}
        align="end"
        buttonClass="t-icon"
        button={<Icon name="more" />}
        choices={views}
        selected={view}
        onChoose={onView}
      />
      <button type="button" className="t-icon" aria-label={text("fullscreen")} onClick={onFullscreen}>
        <Icon name="expand" />
      </button>
      <button
        type="button"
        className="t-icon"
        aria-expanded={!isCollapsed}
        aria-label={text(isCollapsed ? "expand" : "collapse")}
        onClick={() => onCollapse(!isCollapsed)}
      >
        <Icon name={isCollapsed ? "chevron-down" : "chevron-up"} />
      </button>
    </span>
  );
}
