// Behind "Layout": which panels are shown, the position of trades relative to the book, named layouts, and reset.
import { Icon } from "@clockwork/ui/icon";
import { type FormEvent, useState } from "react";
import { useTerminalText } from "#trade/terminal-text.ts";
import { decodeLayout, PANELS, TRADES_PLACES } from "./layout-model.ts";
import { findPanel, hidePanel, showPanel } from "./layout-moves.ts";
import { LAYOUT_NAME_MAX, useLayout } from "./layout-store.ts";

const PLACE_NAMES = { auto: "tradesAuto", tab: "tradesTab", split: "tradesSplit" } as const;

export function LayoutChoices({ close }: { readonly close: () => void }) {
  const text = useTerminalText();
  const { layout, change, reset, arrange } = useLayout();
  return (
    <div className="flex flex-col gap-3 p-3">
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 text-muted">{text("panels")}</legend>
        {PANELS.map((panel) => {
          const isShown = findPanel(layout, panel) !== undefined;
          return (
            <label key={panel} className="flex h-6 items-center gap-2">
              <input
                type="checkbox"
                checked={isShown}
                onChange={() => change(isShown ? hidePanel(layout, panel) : showPanel(layout, panel))}
                className="t-check"
              />
              {text(panel)}
            </label>
          );
        })}
      </fieldset>
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 text-muted">{text("tradesPlace")}</legend>
        {TRADES_PLACES.map((place) => (
          <label key={place} className="flex h-6 items-center gap-2">
            <input
              type="radio"
              name="trades-place"
              checked={layout.trades === place}
              onChange={() => change({ ...layout, trades: place })}
              className="t-check rounded-full"
            />
            {text(PLACE_NAMES[place])}
          </label>
        ))}
      </fieldset>
      <SavedLayouts close={close} />
      <div className="flex gap-2 border-line border-t pt-3">
        <button
          type="button"
          className="t-button flex-1"
          onClick={() => {
            close();
            arrange(true);
          }}
        >
          {text("arrange")}
        </button>
        <button type="button" className="t-button flex-1" onClick={reset}>
          {text("reset")}
        </button>
      </div>
    </div>
  );
}

function SavedLayouts({ close }: { readonly close: () => void }) {
  const text = useTerminalText();
  const { change, saved, save, remove } = useLayout();
  const [name, setName] = useState("");
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save(name);
    setName("");
  };
  return (
    <section aria-label={text("savedLayouts")} className="flex flex-col gap-1">
      <h3 className="text-muted">{text("savedLayouts")}</h3>
      {saved.map((entry) => (
        <div key={entry.name} className="flex items-center gap-1">
          <button
            type="button"
            className="t-choice flex-1"
            onClick={() => {
              close();
              change(decodeLayout(entry.code));
            }}
          >
            {entry.name}
          </button>
          <button
            type="button"
            aria-label={text("removeLayout", { name: entry.name })}
            className="t-icon"
            onClick={() => remove(entry.name)}
          >
            <Icon name="trash" size={14} />
          </button>
        </div>
      ))}
      <form onSubmit={onSubmit} className="flex gap-2">
        <input
          aria-label={text("layoutName")}
          placeholder={text("saveLayout")}
          maxLength={LAYOUT_NAME_MAX}
          value={name}
          onChange={(event) => setName(event.target.value)}
          className="t-input min-w-0 flex-1"
        />
        <button type="submit" className="t-button" disabled={name.trim() === ""}>
          {text("save")}
        </button>
      </form>
    </section>
  );
}
