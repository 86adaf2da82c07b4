// Taking money out of a holding: how much, when it comes, then one press.
import { EARN_CALLS, type EarnHolding } from "@clockwork/earning/earn/contract";
import { AmountField } from "@clockwork/ui/amount-field";
import { Button } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { showToast } from "@clockwork/ui/toast";
import { useState } from "react";
import { sendIntent } from "#live/intent.ts";
import { useCalls } from "#session/auth-context.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useEarnText } from "#words/earn-text.ts";
import { formatAmount } from "./earn-model.ts";

const CLIENT_ID_LENGTH = 24;

export function RedeemDialog({
  holding,
  onClose,
  onDone,
}: {
  readonly holding: EarnHolding;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const text = useEarnText();
  const authText = useAuthText();
  const calls = useCalls();
  const [amount, setAmount] = useState(holding.principal);
  const [failure, setFailure] = useState("");
  const [isBusy, setBusy] = useState(false);
  const isFixed = holding.kind === "fixed";
  const redeem = async () => {
    setBusy(true);
    const request = await calls();
    const choice = { holdingId: holding.holdingId, ...(isFixed ? {} : { amount }) };
    const mint = () => request.mintOrderId().slice(-CLIENT_ID_LENGTH);
    const answer = await sendIntent("redeem", choice, { mint, nowMs: Date.now() }, (clientId) =>
      request.call(EARN_CALLS.redeem, { ...choice, clientId }),
    );
    setBusy(false);
    if (!answer.ok) {
      setFailure(describeFailure(authText, answer));
      return;
    }
    showToast({ title: text(answer.data.state === "done" ? "redeem.done" : "redeem.queued"), tone: "done" });
    onDone();
    onClose();
  };
  return (
    <Dialog
      title={text("redeem.title", { coin: holding.asset })}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <div className="grid gap-4">
        <p className="text-muted text-ui">{text(isFixed ? "redeem.fixed" : "redeem.flexible")}</p>
        {isFixed ? null : (
          <AmountField
            label={text("amount")}
            value={amount}
            onChange={setAmount}
            rules={{ places: 8, min: "0" }}
            maxValue={holding.principal}
            unit={holding.asset}
          />
        )}
        {failure === "" ? null : (
          <p role="alert" className="text-danger text-ui">
            {failure}
          </p>
        )}
        <Button kind="primary" size={40} wide busy={isBusy} isDisabled={amount === ""} onPress={() => void redeem()}>
          {text("redeem.do", { amount: formatAmount(isFixed ? holding.principal : amount), coin: holding.asset })}
        </Button>
      </div>
    </Dialog>
  );
}
