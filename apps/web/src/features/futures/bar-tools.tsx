// What the futures terminal adds at the end of the pair bar: the calculator.
import { useHotkey } from "@clockwork/ui/hooks/use-hotkey";
import { Icon } from "@clockwork/ui/icon";
import { useFuturesText } from "./model/futures-text.ts";
import { openDialog } from "./model/open-dialog.ts";

export function CalculatorButton() {
  const text = useFuturesText();
  const open = () => openDialog({ kind: "calculator" });
  useHotkey("c", open);
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      className="t-button max-lg:size-8 max-lg:justify-center max-lg:bg-transparent max-lg:p-0 max-lg:text-muted"
      onClick={open}
    >
      <Icon name="percent" size={16} />
      <span className="max-lg:sr-only">{text("calculator")}</span>
    </button>
  );
}
