// Deposits that are still being counted, live, for the wallet's overview; nothing where none is on its way.
import { DEPOSITS_CHANNEL, type DepositList } from "@clockwork/custody/custody/contract";
import { formatCoins } from "@clockwork/kit/format";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { Icon } from "@clockwork/ui/icon";
import { SiteLink } from "#boot/site-link.tsx";
import { useWalletText } from "#words/wallet-text.ts";
import { useLatest } from "./custody-live.ts";
import { Ticks } from "./deposit-rows.tsx";

const SHOWN_MAX = 3;

export function ArrivingCards({ first }: { readonly first: DepositList }) {
  const text = useWalletText();
  const { deposits } = useLatest(DEPOSITS_CHANNEL, first);
  const coming = deposits.filter(({ state }) => state === "CONFIRMING" || state === "CREDITED" || state === "REPLACED");
  if (coming.length === 0) return null;
  return (
    <ul className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
      {coming.slice(0, SHOWN_MAX).map((deposit) => (
        <li key={deposit.depositId}>
          <SiteLink
            to="/wallet/deposit"
            className="flex flex-col gap-2 rounded-card border border-line p-4 text-ui hover:bg-hover"
          >
            <span className="flex items-center gap-2">
              <CoinGlyph code={deposit.asset} size={20} />
              <span className="figures min-w-0 flex-1 truncate font-medium">
                {text("overview.arriving", { amount: formatCoins(deposit.amount), asset: deposit.asset })}
              </span>
              <Icon name="chevron-right" size={14} className="text-muted" />
            </span>
            <Ticks deposit={deposit} />
            <span className="flex justify-between gap-3 text-label text-muted">
              <span>{text(`state.${deposit.state}`)}</span>
              <span>{deposit.network}</span>
            </span>
          </SiteLink>
        </li>
      ))}
    </ul>
  );
}
