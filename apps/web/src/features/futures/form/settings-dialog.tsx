// The quieter choices of the futures form: how one is asked, and what the book brings. Loaded on demand.
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
