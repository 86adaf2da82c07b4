// The secondary settings of the order form: self-trade prevention, and confirmations. Loaded on demand.
import { Dialog } from "@clockwork/ui/dialog";
import { AskingSettings, SwitchRow } from "#trade/order/asking-settings.tsx";
import { Choice } from "#trade/order/choice.tsx";
import { useTradeText } from "#trade/trade-text.ts";
import type { FormPartProps } from "./form-fields.tsx";
import { SELF_TRADE_MODES, type SelfTradeMode } from "./form-state.ts";

export function SettingsDialog({ form, onClose }: FormPartProps & { readonly onClose: () => void }) {
  const text = useTradeText();
  return (
    <Dialog title={text("settings")} isOpen onOpenChange={(isOpen) => !isOpen && onClose()} surface="terminal">
      <p className="text-label text-muted">
        <span className="font-medium text-text">{text(`kind.${form.state.kind}`)}</span>{" "}
        {text(`about.${form.state.kind}`)}
      </p>
      <SwitchRow
        title={text("reprice")}
        note={text("repriceNote")}
        isOn={form.state.reprice}
        onChange={(reprice) => form.change({ reprice })}
      />
      <div className="flex flex-col gap-1">
        <span aria-hidden="true">{text("selfTrade")}</span>
        <Choice
          look="box40"
          label={text("selfTrade")}
          value={form.state.selfTrade}
          options={SELF_TRADE_MODES.map((mode) => ({ id: mode, title: text(`stp.${mode}`) }))}
          onChange={(id) => form.change({ selfTrade: id as SelfTradeMode })}
        />
      </div>
      <AskingSettings />
    </Dialog>
  );
}
