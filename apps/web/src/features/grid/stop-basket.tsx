// Ends a rebalancing bot: its coins sold or kept, everything goes back.
import { REBALANCE_CALLS, type RebalancerDetail } from "@clockwork/strategies/rebalance/contract";
import { Button } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { useGridText } from "./grid-text.ts";

export interface StopBasketProps {
  readonly bot: RebalancerDetail;
  readonly onChanged: () => void;
}

export function StopBasket({ bot, onChanged }: StopBasketProps) {
  const text = useGridText();
  const calls = useCalls();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const stop = async (base: "keep" | "sell", close: () => void): Promise<void> => {
    setBusy(true);
    // A bot ends once, however often that is requested.
    const answer = await (await calls()).call(REBALANCE_CALLS.finish, { id: bot.id, base });
    setBusy(false);
    setFailure(answer.ok ? undefined : answer.message);
    onChanged();
    if (answer.ok) close();
  };
  return (
    <Dialog
      alert
      title={text("detail.stopTitle")}
      size="small"
      trigger={<Button>{text("detail.stop")}</Button>}
      actions={(close) => (
        <>
          <Button busy={isBusy} onPress={() => void stop("keep", close)}>
            {text("detail.stopKeep")}
          </Button>
          <Button kind="primary" busy={isBusy} onPress={() => void stop("sell", close)}>
            {text("detail.stopSell")}
          </Button>
        </>
      )}
    >
      <p>{text("basket.stopText")}</p>
      {failure !== undefined && (
        <p role="alert" className="text-danger text-label">
          {failure}
        </p>
      )}
    </Dialog>
  );
}
