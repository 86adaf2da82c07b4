// What can be done with the selected drawing: colour, width, lock, another of the same, removal.
import { Icon } from "@clockwork/ui/icon";
import { useTerminalText } from "#trade/terminal-text.ts";
import type { DrawingBoard } from "./chart-drawings.ts";
import { DRAWING_COLORS, DRAWING_WIDTHS, type DrawingLook } from "./chart-figures.ts";

const ROLES = ["series1", "series2", "series3", "series4", "series5"] as const;

export function DrawingBar({ board, look }: { readonly board: DrawingBoard; readonly look: DrawingLook }) {
  const text = useTerminalText();
  const width = look.width ?? DRAWING_WIDTHS[0];
  const color = look.color === undefined ? "accent" : ROLES[look.color];
  const nextWidth = DRAWING_WIDTHS[(DRAWING_WIDTHS.findIndex((one) => one >= width) + 1) % DRAWING_WIDTHS.length] ?? 1;
  const flipLock = ({ isLocked, ...rest }: DrawingLook): DrawingLook =>
    isLocked === true ? rest : { ...rest, isLocked: true };
  return (
    <div role="toolbar" aria-label={text("drawn")} className="drawing-bar" data-drawing-bar="">
      <button
        type="button"
        className="t-icon"
        title={text("drawn.color")}
        aria-label={text("drawn.color")}
        onClick={() => board.restyle({ color: ((look.color ?? -1) + 1) % DRAWING_COLORS })}
      >
        <span className="size-3.5 rounded-full" style={{ background: `var(--${color})` }} />
      </button>
      <button
        type="button"
        className="t-icon"
        title={text("drawn.width", { width })}
        aria-label={text("drawn.width", { width })}
        onClick={() => board.restyle({ width: nextWidth })}
      >
        <span className="w-4 bg-text" style={{ height: width }} />
      </button>
      <button
        type="button"
        className="t-icon"
        title={text("drawn.lock")}
        aria-label={text("drawn.lock")}
        aria-pressed={look.isLocked === true}
        onClick={() => board.restyle(flipLock)}
      >
        <Icon name="lock" />
      </button>
      <button
        type="button"
        className="t-icon"
        title={text("drawn.copy")}
        aria-label={text("drawn.copy")}
        onClick={() => board.duplicateChosen()}
      >
        <Icon name="copy" />
      </button>
      <button
        type="button"
        className="t-icon"
        title={text("drawn.remove")}
        aria-label={text("drawn.remove")}
        onClick={() => board.removeChosen()}
      >
        <Icon name="trash" />
      </button>
    </div>
  );
}
