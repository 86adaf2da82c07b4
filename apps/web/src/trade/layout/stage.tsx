// The stage that holds the panels. Panels never change their parent, only their position, so that moving one keeps its
// content; the style sheet maps positions to boxes on wide screens and to one column on narrow ones.
import { cx } from "@clockwork/ui/logic/class-names";
import { type KeyboardEvent, type PointerEvent, type ReactNode, Suspense, useRef } from "react";
import { lazy } from "#boot/timeout.ts";
import { type TerminalText, useTerminalText } from "#trade/terminal-text.ts";
import {
  type ColumnIndex,
  type Layout,
  PANELS,
  type PanelId,
  type PanelPlace,
  placePanels,
  resizeSide,
  resizeStack,
} from "./layout-model.ts";
import { useLayout } from "./layout-store.ts";

const ArrangeCover = lazy(() => import("./arrange-cover.tsx").then((part) => ({ default: part.ArrangeCover })));

export type PanelContents = Readonly<Record<PanelId, ReactNode>>;

type Style = Record<`--${string}`, string | number>;

function stageStyle(layout: Layout): Style {
  const isEmpty = (column: ColumnIndex) => layout.columns[column].length === 0;
  return {
    ...(layout.leftPx > 0 ? { "--left": `${layout.leftPx}px` } : {}),
    ...(layout.rightPx > 0 ? { "--right": `${layout.rightPx}px` } : {}),
    ...(isEmpty(0) ? { "--left": "-4px" } : {}),
    ...(isEmpty(2) ? { "--right": "-4px" } : {}),
  };
}

const COLUMN_NAMES = ["left", "centre", "right"] as const;

function panelStyle(place: PanelPlace): Style {
  return { "--top": place.top / 1000, "--share": place.share / 1000 };
}

export function Stage({ contents }: { readonly contents: PanelContents }) {
  const text = useTerminalText();
  const { layout, isArranging } = useLayout();
  const stage = useRef<HTMLDivElement>(null);
  const places = placePanels(layout);
  return (
    <div ref={stage} className="t-stage" style={stageStyle(layout)} data-arranging={isArranging || undefined}>
      {PANELS.map((panel) => {
        const place = places.get(panel);
        if (place === undefined) return null;
        return (
          <section
            key={panel}
            aria-label={text(panel)}
            data-panel={panel}
            data-column={COLUMN_NAMES[place.column]}
            style={panelStyle(place)}
            className="t-panel"
          >
            {contents[panel]}
            {isArranging && (
              <Suspense fallback={null}>
                <ArrangeCover panel={panel} stage={stage} />
              </Suspense>
            )}
          </section>
        );
      })}
      <Splitters stage={stage} layout={layout} text={text} />
    </div>
  );
}

interface SplittersProps {
  readonly stage: { readonly current: HTMLElement | null };
  readonly layout: Layout;
  readonly text: TerminalText;
}

const STEP_PX = 8;
const STEP_SHARE = 20;

function Splitters({ stage, layout, text }: SplittersProps) {
  const { change } = useLayout();
  const widthOf = (column: "left" | "right") =>
    stage.current?.querySelector<HTMLElement>(`[data-column="${column}"]`)?.offsetWidth ?? 272;
  const stacks = ([0, 1, 2] as const).flatMap((column) => {
    let edge = 0;
    return layout.columns[column].slice(0, -1).map((placed, index) => {
      edge += placed.share;
      return { column, index, edge, panel: placed.panel };
    });
  });
  return (
    <>
      {(["left", "right"] as const).map((side) => {
        const column = side === "left" ? 0 : 2;
        if (layout.columns[column].length === 0) return null;
        const sign = side === "left" ? 1 : -1;
        const kept = side === "left" ? layout.leftPx : layout.rightPx;
        return (
          <Splitter
            key={side}
            label={text(side === "left" ? "resizeLeft" : "resizeRight")}
            orientation="vertical"
            value={kept === 0 ? (side === "left" ? 272 : 304) : kept}
            bounds={[220, 560]}
            className={side === "left" ? "t-split-left" : "t-split-right"}
            onStep={(steps) => change(resizeSide(layout, side, widthOf(side) + steps * STEP_PX * sign))}
            onDrag={(event) => {
              const box = stage.current?.getBoundingClientRect();
              if (box === undefined) return;
              change(resizeSide(layout, side, side === "left" ? event.clientX - box.left : box.right - event.clientX));
            }}
          />
        );
      })}
      {stacks.map(({ column, index, edge, panel }) => (
        <Splitter
          key={panel}
          label={text("resizeStack", { panel: text(panel) })}
          orientation="horizontal"
          value={edge}
          bounds={[0, 1000]}
          className="t-split-stack"
          column={COLUMN_NAMES[column]}
          style={{ "--top": edge / 1000 }}
          onStep={(steps) => change(resizeStack(layout, column, index, edge + steps * STEP_SHARE))}
          onDrag={(event) => {
            const box = stage.current?.getBoundingClientRect();
            if (box === undefined) return;
            change(resizeStack(layout, column, index, ((event.clientY - box.top) * 1000) / box.height));
          }}
        />
      ))}
    </>
  );
}

interface SplitterProps {
  readonly label: string;
  readonly orientation: "vertical" | "horizontal";
  readonly value: number;
  readonly bounds: readonly [number, number];
  readonly className: string;
  readonly column?: string;
  readonly style?: Style;
  /** Positive: right or down. */
  readonly onStep: (steps: number) => void;
  readonly onDrag: (event: PointerEvent) => void;
}

function Splitter({ label, orientation, value, bounds, className, column, style, onStep, onDrag }: SplitterProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    onStep(steps * (event.shiftKey ? 5 : 1));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved takes the focus; hr cannot
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={value}
      aria-valuemin={bounds[0]}
      aria-valuemax={bounds[1]}
      data-column={column}
      style={style}
      className={cx("t-split", className)}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && onDrag(event)}
    />
  );
}
