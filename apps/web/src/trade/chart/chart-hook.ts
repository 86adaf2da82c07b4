// Mounts the live chart: loads its chunk after hydration, keeps it level with settings, time zone, own orders and
// fills, and unmounts it.
import { type RefObject, useContext, useEffect, useRef, useState } from "react";
import { useGlobal } from "#boot/state.ts";
import { LiveContext } from "#live/react.ts";
import { readKept, writeKept } from "#session/kept-setting.ts";
import { useKeptSetting } from "#trade/local-setting.ts";
import { useProduct } from "#trade/product.ts";
import { useTerminalLink } from "#trade/terminal-link.ts";
import { useMarketFeeds, useTerminalData } from "#trade/terminal-market.ts";
import { useTerminalText } from "#trade/terminal-text.ts";
import type { ChartEngine } from "./chart-engine.ts";
import type { ChartSettings } from "./chart-settings.ts";

export type ChartState = "loading" | "shown" | "empty" | "failed" | "missing";

export interface LiveChart {
  readonly state: ChartState;
  readonly engine: ChartEngine | undefined;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly retry: () => void;
}

interface LiveChartOptions {
  readonly element: RefObject<HTMLDivElement | null>;
  readonly settings: ChartSettings;
  readonly onToolDone: () => void;
}

/** The engine reads each drawing with care; here it only must be a list. */
const checkList = (value: unknown) => (Array.isArray(value) ? (value as readonly unknown[]) : undefined);

export function useLiveChart({ element, settings, onToolDone }: LiveChartOptions): LiveChart {
  const text = useTerminalText();
  const link = useTerminalLink();
  const hub = useContext(LiveContext);
  const feeds = useMarketFeeds();
  const { market, words } = useProduct();
  const { pair } = useTerminalData();
  const timezone = useGlobal((state) => state.timezone);
  const [engine, setEngine] = useState<ChartEngine>();
  const [state, setState] = useState<ChartState>("loading");
  const [history, setHistory] = useState({ canUndo: false, canRedo: false });
  const [attempt, setAttempt] = useState(0);
  const latest = useRef({ settings, timezone, onToolDone });
  latest.current = { settings, timezone, onToolDone };
  const kept = useKeptSetting({ name: "drawings", pairCode: pair.pairCode, check: checkList });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` triggers another try
  useEffect(() => {
    if (hub === undefined || feeds === undefined) return;
    let made: ChartEngine | undefined;
    let isGone = false;
    const open = ({ ChartEngine: Engine }: typeof import("./chart-engine.ts")) => {
      if (isGone || element.current === null) return;
      made = new Engine({
        element: element.current,
        hub,
        market,
        words,
        feeds,
        pair,
        text,
        settings: latest.current.settings,
        timezone: latest.current.timezone,
        drawings: readKept(kept),
        onLoaded: setState,
        onDrawings: (drawings, canUndo, canRedo) => {
          writeKept(kept, drawings.length === 0 ? undefined : drawings);
          setHistory({ canUndo, canRedo });
        },
        onToolDone: () => latest.current.onToolDone(),
        onAmend: (orderId, price) => link.ask({ kind: "amend", orderId, price }),
        onCancel: (orderId) => link.ask({ kind: "cancel", orderId }),
        onPick: (price) => link.pick({ source: "chart", price }),
      });
      setEngine(made);
    };
    import("./chart-engine.ts").then(open, () => setState("missing"));
    return () => {
      isGone = true;
      made?.destroy();
      setEngine(undefined);
    };
  }, [hub, market, words, feeds, pair, text, link, element, kept, attempt]);

  useEffect(() => engine?.setSettings(settings), [engine, settings]);
  useEffect(() => engine?.setTimezone(timezone), [engine, timezone]);
  useOwnMarks(engine);
  const retry = () => {
    setState("loading");
    if (engine === undefined) setAttempt(attempt + 1);
    else engine.reload();
  };
  return { state, engine, ...history, retry };
}

/** Own orders, fills and lines, and a grid being drawn, whenever they change. */
function useOwnMarks(engine: ChartEngine | undefined): void {
  const link = useTerminalLink();
  useEffect(() => {
    if (engine === undefined) return;
    const publish = () => engine.setOwn(link.ownOrders.get(), link.ownFills.get());
    publish();
    const publishLines = () => engine.setLines(link.ownLines.get());
    publishLines();
    const publishGrid = () => engine.setGrid(link.drawnGrid.get());
    publishGrid();
    const releases = [
      link.ownOrders.subscribe(publish),
      link.ownFills.subscribe(publish),
      link.ownLines.subscribe(publishLines),
      link.drawnGrid.subscribe(publishGrid),
    ];
    return () => {
      for (const release of releases) release();
    };
  }, [engine, link]);
}
