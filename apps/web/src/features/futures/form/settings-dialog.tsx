// The secondary settings of the futures form: confirmations, and the effect of a click in the book. Loaded on demand.
import { Dialog } from "@clockwork/ui/dialog";
import { AskingSettings } from "#trade/order/asking-settings.tsx";
import { useTradeText } from "#trade/trade-text.ts";

export function SettingsDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useTradeText();
  return (
    <Dialog title={text("settings")} isOpen onOpenChange={(isOpen) => !isOpen && onClose()} surface="terminal">
      <AskingSettings />
    </Dialog>
  );
}
