// The debt after a reorganisation removed a deposit that was spent, and what remains permitted; nothing without a debt.
import type { DebtList } from "@clockwork/custody/custody/contract";
import { formatCoins } from "@clockwork/kit/format";
import { useWalletText } from "#words/wallet-text.ts";

export function DebtNotice({ debts }: { readonly debts: DebtList }) {
  const text = useWalletText();
  if (debts.length === 0) return null;
  const amounts = debts.map(({ asset, owed }) => `${formatCoins(owed)} ${asset}`).join(", ");
  return (
    <p role="status" className="break-words rounded-control bg-warn-soft p-3 text-ui text-warn">
      {text("overview.debt", { amounts })}
    </p>
  );
}
