// Deposits on their way and done, each with its confirmations as ticks that are counted live.
import { DEPOSITS_CHANNEL, type DepositList, type DepositView } from "@clockwork/custody/custody/contract";
import { formatCoins } from "@clockwork/kit/format";
import { Card } from "@clockwork/ui/card";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { CopyButton } from "@clockwork/ui/copy-button";
import { EmptyState } from "@clockwork/ui/state";
import { Moment } from "#shell/moment.tsx";
import { useWalletText } from "#words/wallet-text.ts";
import { shortHash, useLatest } from "./custody-live.ts";

export function DepositRows({ first }: { readonly first: DepositList }) {
  const text = useWalletText();
  const { deposits } = useLatest(DEPOSITS_CHANNEL, first);
  return (
    <Card
      title={text("deposit.onTheWay")}
      aside={<span className="text-label text-muted">{text("deposit.live")}</span>}
      flush
      className="mt-4"
    >
      {deposits.length === 0 ? (
        <EmptyState text={text("deposit.none")} />
      ) : (
        <ul className="px-6 pb-3">
          {deposits.map((deposit) => (
            <DepositRow key={deposit.depositId} deposit={deposit} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function DepositRow({ deposit }: { readonly deposit: DepositView }) {
  const text = useWalletText();
  const { asset, amount, state, txHash, network, seenAtMs } = deposit;
  return (
    <li className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 border-line border-t py-3 text-ui lg:grid-cols-[170px_minmax(0,1fr)_minmax(0,1.4fr)_minmax(0,1.2fr)_150px]">
      <span className="figures text-muted max-lg:order-3 max-lg:text-label">
        <Moment at={seenAtMs} />
      </span>
      <span className="flex min-w-0 items-center gap-2 max-lg:col-span-2">
        <CoinGlyph code={asset} size={20} />
        <span className="figures truncate font-medium">
          {formatCoins(amount)} {asset}
        </span>
        <span className="text-label text-muted">{network}</span>
      </span>
      <Ticks deposit={deposit} />
      <span className={state === "REPLACED" ? "text-warn" : undefined}>{text(`state.${state}`)}</span>
      <span className="flex items-center justify-end gap-1 font-mono text-label text-muted">
        {txHash.startsWith("0x") ? shortHash(txHash) : network}
        <CopyButton text={txHash} what={text("label.transaction")} />
      </span>
    </li>
  );
}

/** One tick a block; the tall ones mark crediting and withdrawability. */
export function Ticks({ deposit }: { readonly deposit: DepositView }) {
  const text = useWalletText();
  const { confirmations: count, creditBlocks, unlockBlocks } = deposit;
  const blocks = Array.from({ length: unlockBlocks }, (_, index) => index + 1);
  return (
    <span
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={unlockBlocks}
      aria-valuenow={count}
      aria-valuetext={text("deposit.count", { count, needed: unlockBlocks })}
      className="flex items-end gap-0.5 max-lg:order-2"
    >
      {blocks.map((block) => (
        <span
          key={block}
          className={`w-1.5 ${block === creditBlocks || block === unlockBlocks ? "h-3.5" : "h-2"} ${block <= count ? "bg-text" : "bg-line2"}`}
        />
      ))}
      <span className="figures ml-2 text-label text-muted">
        {count} / {count < creditBlocks ? creditBlocks : unlockBlocks}
      </span>
    </span>
  );
}
