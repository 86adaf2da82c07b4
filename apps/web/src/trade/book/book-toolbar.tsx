// The order book's choices: which sides are shown and by how much prices are grouped.

import { showFixed } from "@clockwork/kit/whole-text";
import { Icon } from "@clockwork/ui/icon";
import { ChoiceDrop } from "#trade/drop.tsx";
import type { TradeInstrument } from "#trade/product.ts";
import { useTerminalText } from "#trade/terminal-text.ts";
import { stepDecimals } from "./book-painter.ts";
import { BOOK_MODES, type BookMode } from "./book-view.ts";

const NAMES = { both: "viewBoth", bids: "viewBids", asks: "viewAsks" } as const;

/** Three lines next to two blocks in the colours of the sides shown. */
function ModeGlyph({ mode }: { readonly mode: BookMode }) {
  const top = mode === "bids" ? "fill-up" : "fill-down";
  const bottom = mode === "asks" ? "fill-down" : "fill-up";
  return (
    <svg width={16} height={16} viewBox="0 0 16 16" aria-hidden="true">
      <path d="M2 3h5v4.500H2z" className={top} />
      <path d="M2 8.500h5V13H2z" className={bottom} />
      <path d="M9 3.700h5M9 6.700h5M9 9.700h5M9 12.700h5" stroke="currentColor" strokeWidth={1.35} />
    </svg>
  );
}

export interface BookToolbarProps {
  readonly pair: TradeInstrument;
  readonly steps: readonly number[];
  readonly step: number;
  readonly mode: BookMode;
  readonly onStep: (step: number) => void;
  readonly onMode: (mode: BookMode) => void;
  /** The row below the book of a phone. */
  readonly compact?: boolean | undefined;
}

export function BookToolbar({ pair, steps, step, mode, onStep, onMode, compact }: BookToolbarProps) {
  const text = useTerminalText();
  const write = (units: number) => showFixed(units, pair.priceDecimals, stepDecimals(units, pair.priceDecimals));
  const next = BOOK_MODES[(BOOK_MODES.indexOf(mode) + 1) % BOOK_MODES.length] ?? "both";
  return (
    <div className={compact ? "book-tools-compact" : "book-tools"}>
      {!compact && (
        <fieldset aria-label={text("bookView")} className="flex gap-1">
          {BOOK_MODES.map((id) => (
            <button
              key={id}
              type="button"
              aria-label={text(NAMES[id])}
              title={text(NAMES[id])}
              aria-pressed={id === mode}
              onClick={() => onMode(id)}
              className="t-icon size-6"
            >
              <ModeGlyph mode={id} />
            </button>
          ))}
        </fieldset>
      )}
      <ChoiceDrop
        label={text("step")}
        align="end"
        buttonClass={compact ? "t-select flex-1 justify-between h-6" : "t-select ml-auto h-6"}
        button={
          <>
            <span className="sr-only">{text("step")}</span>
            <span className="figures">{write(step)}</span>
            <Icon name="chevron-down" size={12} />
          </>
        }
        choices={steps.map((units) => ({ id: String(units), title: write(units) }))}
        selected={String(step)}
        onChoose={(id) => onStep(Number(id))}
      />
      {compact && (
        <button
          type="button"
          aria-label={text(NAMES[next])}
          onClick={() => onMode(next)}
          className="t-icon size-6 bg-control"
        >
          <ModeGlyph mode={mode} />
        </button>
      )}
    </div>
  );
}
