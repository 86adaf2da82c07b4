// The panel with the chart, the depth and the pair's rules. The chart's own toolbar and rail are here; what they do is
// done by the engine, which arrives after the page.
import { Icon } from "@clockwork/ui/icon";
import { type KeyboardEvent, type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from "react";
import { lazy } from "#boot/timeout.ts";
import { TradesBody } from "#trade/book/trades-panel.tsx";
import { HeadTabs, tabPanelProps } from "#trade/head-tabs.tsx";
import { useSetting } from "#trade/local-setting.ts";
import { useOwnHotkey } from "#trade/own-keys.ts";
import { useProduct } from "#trade/product.ts";
import { useTerminalData } from "#trade/terminal-market.ts";
import { useTerminalText } from "#trade/terminal-text.ts";
import { type LiveChart, useLiveChart } from "./chart-hook.ts";
import { ChartRail } from "./chart-rail.tsx";
import { type ChartSettings, checkSettings, FIRST_SETTINGS } from "./chart-settings.ts";
import { ChartStill } from "./chart-still.tsx";
import { ChartSettingsMenu, ChartToolbar } from "./chart-toolbar.tsx";
import { useChartMenu } from "./use-chart-menu.tsx";

const DepthPanel = lazy(() => import("#trade/book/depth-panel.tsx").then((module) => ({ default: module.DepthPanel })));

/** Every terminal has chart, depth, info and trades; a product adds its own. */
export type ChartView = string;

/** A product's own tab behind the chart; its body is made when it is opened. */
export interface MoreTab {
  readonly id: string;
  readonly title: string;
  readonly body: ReactNode;
}

function useFullscreen(panel: RefObject<HTMLElement | null>) {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const publish = () => setFull(document.fullscreenElement !== null && document.fullscreenElement === panel.current);
    document.addEventListener("fullscreenchange", publish);
    return () => document.removeEventListener("fullscreenchange", publish);
  }, [panel]);
  const toggle = () => {
    if (document.fullscreenElement !== null) void document.exitFullscreen();
    else void panel.current?.requestFullscreen().catch(() => undefined);
  };
  return { isFull, toggle };
}

const checkFlag = (value: unknown) => (typeof value === "boolean" ? value : undefined);

interface ChartPanelProps {
  readonly info: ReactNode;
  readonly more: readonly MoreTab[];
}

export function ChartPanel({ info, more }: ChartPanelProps) {
  const text = useTerminalText();
  const panel = useRef<HTMLDivElement>(null);
  const element = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<ChartView>("chart");
  const [tool, setTool] = useState("cursor");
  const [settings, setSettings] = useSetting<ChartSettings>({ name: "chart", check: checkSettings }, FIRST_SETTINGS);
  const [isCollapsed, setCollapsed] = useSetting<boolean>({ name: "chartCollapsed", check: checkFlag }, false);
  const { candlePrices } = useProduct();
  const priced =
    candlePrices === undefined && settings.price !== "last" ? { ...settings, price: "last" as const } : settings;
  const chart = useLiveChart({ element, settings: priced, onToolDone: () => setTool("cursor") });
  const { isFull, toggle } = useFullscreen(panel);
  useOwnHotkey("fullscreen", toggle);
  const change = (part: Partial<ChartSettings>) => setSettings({ ...settings, ...part });
  const save = () => {
    if (chart.engine === undefined) return;
    const anchor = document.createElement("a");
    anchor.href = chart.engine.snapshot();
    anchor.download = "chart.png";
    anchor.click();
  };
  const tabs = [...(["chart", "depth", "info"] as const).map((id) => ({ id, title: text(id) })), ...more];
  const own = more.find(({ id }) => id === view);
  return (
    <div ref={panel} className="chart-panel" data-collapsed={isCollapsed || undefined}>
      <HeadTabs
        label={text("views")}
        name="chart"
        tabs={tabs}
        selected={view === "trades" ? "chart" : view}
        onSelect={setView}
        aside={<HeadTools settings={settings} change={change} isFull={isFull} onSave={save} onFullscreen={toggle} />}
      />
      <ChartToolbar
        settings={settings}
        change={change}
        view={view}
        chart={chart}
        isCollapsed={isCollapsed}
        more={more}
        onView={setView}
        onCollapse={setCollapsed}
        onFullscreen={toggle}
      />
      <div className="chart-bodies">
        <div
          {...tabPanelProps("chart", "chart")}
          className="chart-body"
          data-away={view === "chart" ? undefined : ""}
          aria-hidden={view !== "chart"}
        >
          <ChartRail chart={chart} tool={tool} onTool={setTool} />
          <ChartStage chart={chart} element={element} />
        </div>
        <Suspense fallback={<div className="flex-1" />}>
          {view === "depth" && (
            <div {...tabPanelProps("chart", "depth")} className="chart-body flex-col">
              <DepthPanel />
            </div>
          )}
          {view === "info" && (
            <div {...tabPanelProps("chart", "info")} className="chart-body flex-col">
              {info}
            </div>
          )}
          {own !== undefined && (
            <div {...tabPanelProps("chart", own.id)} className="chart-body flex-col">
              {own.body}
            </div>
          )}
          {view === "trades" && (
            <div className="chart-body flex-col">
              <TradesBody />
            </div>
          )}
        </Suspense>
      </div>
    </div>
  );
}

interface HeadToolsProps {
  readonly settings: ChartSettings;
  readonly change: (part: Partial<ChartSettings>) => void;
  readonly isFull: boolean;
  readonly onSave: () => void;
  readonly onFullscreen: () => void;
}

function HeadTools({ settings, change, isFull, onSave, onFullscreen }: HeadToolsProps) {
  const text = useTerminalText();
  const full = text(isFull ? "leaveFullscreen" : "fullscreen");
  return (
    <span className="flex">
      <button type="button" className="t-icon" title={text("snapshot")} aria-label={text("snapshot")} onClick={onSave}>
        <Icon name="camera" />
      </button>
      <ChartSettingsMenu settings={settings} change={change} />
      <button type="button" className="t-icon" title={full} aria-label={full} onClick={onFullscreen}>
        <Icon name={isFull ? "collapse" : "expand"} />
      </button>
    </span>
  );
}

interface ChartStageProps {
  readonly chart: LiveChart;
  readonly element: RefObject<HTMLDivElement | null>;
}

function ChartStage({ chart, element }: ChartStageProps) {
  const text = useTerminalText();
  const { pair } = useTerminalData();
  const { words } = useProduct();
  const { state, engine, retry } = chart;
  const menu = useChartMenu(engine);
  const onKeyDown = (event: KeyboardEvent) => {
    const { board } = engine ?? {};
    const isDone =
      (event.key === "Escape" && board?.cancel()) ||
      ((event.key === "Delete" || event.key === "Backspace") && board?.removeChosen()) ||
      engine?.step(event.key);
    if (isDone) event.preventDefault();
  };
  const note = { empty: "noCandles", failed: "chartFailed", missing: "chartFailed" } as const;
  return (
    <div className="chart-stage">
      {(state === "loading" || engine === undefined) && state !== "missing" && (
        <div className="chart-still">
          <ChartStill />
        </div>
      )}
      <div
        ref={element}
        role="application"
        aria-label={text("chartLabel", { pair: words.nameOf(pair.pairCode), interval: "" })}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows scroll and plus and minus zoom
        tabIndex={0}
        className="chart-canvas"
        data-chart={state}
        onKeyDown={onKeyDown}
        onDoubleClick={(event) => engine?.pickAt(event.clientY)}
        onContextMenu={menu.openAt}
        onPointerMove={menu.follow}
        onPointerLeave={menu.leave}
      />
      {menu.parts}
      {(state === "empty" || state === "failed" || state === "missing") && (
        <div className="chart-note">
          <p className="text-muted">{text(note[state])}</p>
          {state !== "empty" && (
            <button type="button" className="t-button" onClick={retry}>
              {text("retry")}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
