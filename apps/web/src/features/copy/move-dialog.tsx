// Moves money into the sub-book of a follow, or what is free in it back home.

import { trimZeros } from "@clockwork/kit/decimal";
import { COPY_CALLS, type CopyKind, type Follow } from "@clockwork/strategies/copy/contract";
import { Button } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { TextField } from "@clockwork/ui/text-field";
import { showToast } from "@clockwork/ui/toast";
import { useState } from "react";
import { useCopyAct } from "./copy-calls.ts";
import { useCopyText } from "./copy-text.ts";

interface MoveDialogProps {
  readonly kind: CopyKind;
  readonly follow: Follow;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

const AMOUNT = /^[0-9]+(\.[0-9]{1,6})?$/;

export function MoveDialog({ kind, follow, onClose, onDone }: MoveDialogProps) {
  const text = useCopyText();
  const { actOnce, busy } = useCopyAct();
  const [amount, setAmount] = useState(follow.isActive ? "" : trimZeros(follow.free));
  const move = async (direction: "in" | "out") => {
    if ((await actOnce(COPY_CALLS[kind].transfer, { direction, leaderId: follow.leaderId, amount })) === undefined)
      return;
    showToast({ title: text("lead.moved"), tone: "done" });
    onDone();
  };
  const isReady = AMOUNT.test(amount) && Number(amount) > 0;
  return (
    <Dialog
      title={text("mine.moveTitle", { name: follow.nickname })}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <p className="mb-4 text-muted text-ui">{text("mine.moveLead")}</p>
      <TextField
        label={text("lead.amount")}
        value={amount}
        onChange={setAmount}
        maxLength={16}
        inputMode="decimal"
        suffix={<span className="text-muted">USDT</span>}
      />
      <div className="mt-4 grid grid-cols-2 gap-2">
        {follow.isActive && (
          <Button kind="primary" size={40} busy={busy} isDisabled={!isReady} onPress={() => void move("in")}>
            {text("mine.moveIn")}
          </Button>
        )}
        <Button
          kind={follow.isActive ? "neutral" : "primary"}
          size={40}
          busy={busy}
          isDisabled={!isReady}
          onPress={() => void move("out")}
        >
          {text("mine.moveOut")}
        </Button>
      </div>
    </Dialog>
  );
}
