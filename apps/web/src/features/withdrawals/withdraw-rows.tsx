// Withdrawals with their state, live; one in review can be cancelled.
import {
  type AddressBook,
  WITHDRAWALS_CHANNEL,
  type Withdrawal,
  type WithdrawalList,
} from "@clockwork/custody/withdrawals/contract";
import { formatCoins } from "@clockwork/kit/format";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { EmptyState } from "@clockwork/ui/state";
import { useContext, useEffect, useState } from "react";
import { LiveContext } from "#live/react.ts";
import type { WalletTextKey } from "#locales/en-us-wallet.ts";
import { useCalls } from "#session/auth-context.ts";
import { Minute } from "#shell/moment.tsx";
import { useWalletText } from "#words/wallet-text.ts";
import { cancelWithdrawal, speedUp } from "./withdraw-calls.ts";

/** The channel's last message, or the page's own data where that is newer. */
function useWithdrawals(first: WithdrawalList): WithdrawalList {
  const hub = useContext(LiveContext);
  const [latest, setLatest] = useState(first);
  useEffect(() => setLatest(first), [first]);
  useEffect(() => {
    if (hub === undefined) return;
    return hub.socket.subscribe({
      topic: { channel: WITHDRAWALS_CHANNEL },
      onMessage: ({ data }) => setLatest(data as WithdrawalList),
    });
  }, [hub]);
  return latest;
}

export function WithdrawalRows({ first, book }: { readonly first: WithdrawalList; readonly book: AddressBook }) {
  const text = useWalletText();
  const { withdrawals } = useWithdrawals(first);
  return (
    <Card title={text("withdraw.recent")} flush>
      {withdrawals.length === 0 ? (
        <EmptyState text={text("label.none")} />
      ) : (
        <ul className="px-6 pb-3">
          {withdrawals.map((one) => (
            <Row key={one.withdrawalId} withdrawal={one} name={nameOf(book, one)} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function nameOf({ addresses }: AddressBook, { network, address }: Withdrawal): string | undefined {
  return addresses.find((one) => one.address === address && one.network === network)?.name;
}

function Row({ withdrawal, name }: { readonly withdrawal: Withdrawal; readonly name: string | undefined }) {
  const text = useWalletText();
  const calls = useCalls();
  const { asset, amount, address, state, createdAtMs, confirmations, confirmationsNeeded } = withdrawal;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t py-3 text-ui">
      <span className="figures w-32 text-muted max-sm:w-full">
        <Minute at={createdAtMs} />
      </span>
      <span className="figures flex min-w-0 flex-1 items-center gap-2 font-medium">
        <CoinGlyph code={asset} size={20} />
        {formatCoins(amount)} {asset}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block">
          {text(`out.${state}`, { count: confirmations, needed: confirmationsNeeded })}
          {withdrawal.network === null && `, ${text("withdraw.within")}`}
        </span>
        {state === "REVIEW" && (
          <span className="block text-label text-muted">
            {withdrawal.review.map((why) => text(`why.${why}` as WalletTextKey)).join(", ")}
          </span>
        )}
        <span className={`block truncate text-label text-muted ${name === undefined ? "font-mono" : ""}`}>
          {name ?? address}
        </span>
        {!/^0(\.0*)?$/.test(withdrawal.speedFee) && (
          <span className="figures block text-label text-muted">
            {text("withdraw.spedUp", { fee: formatCoins(withdrawal.speedFee), asset })}
          </span>
        )}
      </span>
      {withdrawal.maySpeedUp && (
        <Button size={32} onPress={() => void calls().then((request) => speedUp(request, withdrawal.withdrawalId))}>
          {text("withdraw.speedUp", { fee: formatCoins(withdrawal.speedCost), asset })}
        </Button>
      )}
      {withdrawal.mayCancel && (
        <Button
          size={32}
          onPress={() => void calls().then((request) => cancelWithdrawal(request, withdrawal.withdrawalId))}
        >
          {text("withdraw.cancel")}
        </Button>
      )}
    </li>
  );
}
