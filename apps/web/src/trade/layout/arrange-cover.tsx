// The cover of a panel while panels are being arranged: its name, arrows, and a handle to drag it.
import { Icon } from "@clockwork/ui/icon";
import { type PointerEvent, useState } from "react";
import { useTerminalText } from "#trade/terminal-text.ts";
import { type ColumnIndex, type PanelId, placePanels } from "./layout-model.ts";
import { type Direction, hidePanel, movePanel, stepPanel } from "./layout-moves.ts";
import { useLayout } from "./layout-store.ts";

export interface ArrangeCoverProps {
  readonly panel: PanelId;
  readonly stage: { readonly current: HTMLElement | null };
}

const ARROWS = [
  ["left", "arrow-left", "moveLeft"],
  ["up", "arrow-up", "moveUp"],
  ["down", "arrow-down", "moveDown"],
  ["right", "arrow-right", "moveRight"],
] as const satisfies readonly (readonly [Direction, string, string])[];

/** The column under the pointer, and before which of its panels a drop would land. */
function findDrop(stage: HTMLElement, event: PointerEvent, panel: PanelId, order: ReturnType<typeof placePanels>) {
  const box = stage.getBoundingClientRect();
  const share = (event.clientX - box.left) / box.width;
  const left = stage.querySelector<HTMLElement>('[data-column="left"]')?.offsetWidth ?? box.width / 6;
  const right = stage.querySelector<HTMLElement>('[data-column="right"]')?.offsetWidth ?? box.width / 6;
  const column: ColumnIndex = share < left / box.width ? 0 : share > 1 - right / box.width ? 2 : 1;
  const height = ((event.clientY - box.top) * 1000) / box.height;
  const above = [...order].filter(
    ([id, place]) => id !== panel && place.column === column && place.top + place.share / 2 < height,
  );
  return { column, index: above.length };
}

export function ArrangeCover({ panel, stage }: ArrangeCoverProps) {
  const text = useTerminalText();
  const { layout, change } = useLayout();
  const [isDragged, setDragged] = useState(false);
  const name = text(panel);
  const onDrop = (event: PointerEvent) => {
    setDragged(false);
    if (stage.current === null) return;
    const { column, index } = findDrop(stage.current, event, panel, placePanels(layout));
    change(movePanel(layout, panel, column, index));
  };
  return (
    <div
      className="t-cover"
      data-dragged={isDragged || undefined}
      onPointerDown={(event) => {
        if ((event.target as Element).closest("button") !== null) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragged(true);
      }}
      onPointerUp={(event) => isDragged && onDrop(event)}
      onPointerCancel={() => setDragged(false)}
    >
      <span className="flex items-center gap-2 font-semibold text-ui">
        <Icon name="grip" /> {name}
      </span>
      <span className="flex gap-1">
        {ARROWS.map(([direction, icon, key]) => (
          <button
            key={direction}
            type="button"
            aria-label={text(key, { panel: name })}
            className="t-icon bg-control"
            onClick={() => change(stepPanel(layout, panel, direction))}
          >
            <Icon name={icon} />
          </button>
        ))}
        <button
          type="button"
          aria-label={text("hide", { panel: name })}
          className="t-icon bg-control"
          onClick={() => change(hidePanel(layout, panel))}
        >
          <Icon name="eye-off" />
        </button>
      </span>
    </div>
  );
}
