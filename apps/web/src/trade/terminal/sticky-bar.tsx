// The two buttons at the bottom edge of a phone. What stands below the names is the form's to say.
import { useLinked, useTerminalLink } from "#trade/terminal-link.ts";
import { useTerminalData } from "#trade/terminal-market.ts";
import { useTerminalText } from "#trade/terminal-text.ts";

export function StickyBar() {
  const text = useTerminalText();
  const link = useTerminalLink();
  const { pair } = useTerminalData();
  const notes = useLinked(link.formNotes);
  return (
    <div className="t-sticky t-only-narrow">
      <button type="button" className="bg-up-solid text-on-up" onClick={() => link.pressSide("buy")}>
        {text("buy", { asset: pair.base })}
        {notes.buy !== "" && <small>{notes.buy}</small>}
      </button>
      <button type="button" className="bg-down-solid text-on-down" onClick={() => link.pressSide("sell")}>
        {text("sell", { asset: pair.base })}
        {notes.sell !== "" && <small>{notes.sell}</small>}
      </button>
    </div>
  );
}
