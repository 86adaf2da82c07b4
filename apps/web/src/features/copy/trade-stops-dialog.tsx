// Take-profit and stop-loss of a follower's own on one copied trade.

import { trimZeros } from "@clockwork/kit/decimal";
import { COPY_CALLS, type CopyPosition } from "@clockwork/strategies/copy/contract";
import { Button } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { TextField } from "@clockwork/ui/text-field";
import { showToast } from "@clockwork/ui/toast";
import { useState } from "react";
import { useCopyAct } from "./copy-calls.ts";
import { price } from "./copy-figures.ts";
import { useCopyText } from "./copy-text.ts";

export interface TradeStopsDialogProps {
  readonly position: CopyPosition;
  readonly onClose: () => void;
}

const PRICE = /^([0-9]+(\.[0-9]{1,8})?)?$/;

export function TradeStopsDialog({ position, onClose }: TradeStopsDialogProps) {
  const text = useCopyText();
  const { act, busy } = useCopyAct();
  const [takeProfit, setTakeProfit] = useState(trimZeros(position.takeProfit ?? ""));
  const [stopLoss, setStopLoss] = useState(trimZeros(position.stopLoss ?? ""));
  const save = async () => {
    const { leaderId, positionId } = position;
    const set = await act(COPY_CALLS.futures.stops, {
      leaderId,
      positionId,
      ...(takeProfit === "" ? {} : { takeProfit }),
      ...(stopLoss === "" ? {} : { stopLoss }),
    });
    if (set === undefined) return;
    showToast({ title: text("follow.saved"), tone: "done" });
    onClose();
  };
  const field = (label: string, value: string, onChange: (value: string) => void) => (
    <TextField
      label={label}
      inputMode="decimal"
      maxLength={20}
      value={value}
      onChange={onChange}
      suffix={<span className="text-muted">USDT</span>}
      error={PRICE.test(value) ? undefined : text("follow.number")}
    />
  );
  const isReady = PRICE.test(takeProfit) && PRICE.test(stopLoss);
  return (
    <Dialog
      title={text("mine.stopsTitle", { pair: position.pairCode.replace("_", "") })}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <p className="mb-2 text-muted text-ui">{text("mine.stopsLead")}</p>
      <p className="figures mb-4 text-[13px] text-muted">
        {text("entry")} {price(position.entryPrice)} · {text("mark")} {price(position.markPrice)}
      </p>
      <div className="flex flex-col gap-3">
        {field(text("mine.takeProfit"), takeProfit, setTakeProfit)}
        {field(text("mine.stopLoss"), stopLoss, setStopLoss)}
        <Button kind="primary" size={40} wide busy={busy} isDisabled={!isReady} onPress={() => void save()}>
          {text("mine.stopsSave")}
        </Button>
      </div>
    </Dialog>
  );
}
