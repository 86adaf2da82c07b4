// Before funds leave a futures account: how much almighty gold the transfer would void, as the exchange computes it.

import { parseDecimal } from "@clockwork/kit/decimal";
import { formatCoins } from "@clockwork/kit/format";
import { type TransferPreview, WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { useEffect, useState } from "react";
import { useSiteText } from "#words/site-text.ts";
import { useCalls } from "./auth-context.ts";

const WAIT_MS = 150;
/** Only linear and inverse accounts have gold. */
const FUTURES_WALLETS: readonly string[] = ["3", "4"];

interface VoidedProps {
  readonly asset: string;
  readonly amount: string;
  readonly from: string;
  readonly to: string;
  readonly sub?: string | undefined;
}

const isSome = (amount: string): boolean => {
  const read = parseDecimal(amount);
  return read.ok && read.value.units > 0n;
};

export function VoidedBody(props: VoidedProps) {
  const text = useSiteText();
  const calls = useCalls();
  const [result, setNotified] = useState<TransferPreview>();
  const choice = FUTURES_WALLETS.includes(props.from) && isSome(props.amount) ? JSON.stringify(props) : "";
  useEffect(() => {
    let isOver = false;
    setNotified(undefined);
    if (choice === "") return;
    const timer = setTimeout(async () => {
      const answer = await (await calls()).call(WALLET_CALLS.previewTransfer, JSON.parse(choice));
      if (!isOver && answer.ok) setNotified(answer.data);
    }, WAIT_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [choice, calls]);
  if (result === undefined || !isSome(result.goldVoided)) return null;
  const { goldVoided, gold, asset } = result;
  return (
    <p role="status" className="rounded-lg bg-surface p-3 text-[13px] text-danger leading-5 dark:bg-bg">
      {text("gold.voided", { amount: formatCoins(goldVoided), gold: formatCoins(gold), asset })}
    </p>
  );
}
