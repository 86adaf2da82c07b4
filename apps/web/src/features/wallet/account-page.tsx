// `/wallet/accounts/…`: one account alone: what it holds, coin by coin, and what changed it last.
import type { BillPage, WalletAccount } from "@clockwork/domains/wallet/api";
import { formatCoins, formatDecimal } from "@clockwork/kit/format";
import { Card } from "@clockwork/ui/card";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { EmptyState } from "@clockwork/ui/state";
import { SiteLink } from "#boot/site-link.tsx";
import { HIDDEN_TEXT, useHiddenAmounts } from "#session/hidden-amounts.ts";
import { WalletFrame } from "#shell/wallet-frame.tsx";
import { useWalletText } from "#words/wallet-text.ts";
import type { AccountPageKind } from "./account-model.ts";
import { BillTable } from "./bill-table.tsx";

export interface AccountPageProps {
  readonly kind: AccountPageKind;
  readonly accounts: readonly WalletAccount[] | null;
  readonly bills: BillPage | null;
}

export function AccountPage({ kind, accounts, bills }: AccountPageProps) {
  const text = useWalletText();
  const aside = (
    <div className="flex flex-wrap gap-2">
      <SiteLink to="/wallet/transfer" className={buttonClass({ size: 40 })}>
        {text("nav.transfer")}
      </SiteLink>
      <SiteLink to={`/wallet/history?account=${kind.types[0]}`} className={buttonClass({ size: 40 })}>
        {text("nav.history")}
      </SiteLink>
    </div>
  );
  return (
    <WalletFrame title={text(kind.title)} aside={aside}>
      {accounts === null ? (
        <p className="text-muted">{text("label.failed")}</p>
      ) : (
        <div className="flex flex-col gap-4">
          {accounts.map((account) => (
            <Holdings key={`${account.walletType}:${account.sub ?? ""}`} account={account} />
          ))}
          {accounts.length === 0 && (
            <Card>
              <EmptyState text={text("account.none")} />
            </Card>
          )}
          <Card title={text("account.last")}>
            {bills === null || bills.bills.length === 0 ? (
              <EmptyState text={text("history.none")} />
            ) : (
              <BillTable bills={bills.bills} />
            )}
          </Card>
        </div>
      )}
    </WalletFrame>
  );
}

function Holdings({ account }: { readonly account: WalletAccount }) {
  const text = useWalletText();
  const { isHidden } = useHiddenAmounts();
  const shown = (amount: string): string => (isHidden ? HIDDEN_TEXT : formatCoins(amount));
  const worth = (amount: string | null): string => {
    if (isHidden) return HIDDEN_TEXT;
    return amount === null ? "–" : formatDecimal(amount, { grouped: true, decimals: 2 });
  };
  const head = "py-2 font-normal text-label text-muted";
  return (
    <Card
      title={account.sub === null ? account.name : `${account.name} ${account.sub}`}
      aside={<span className="figures font-medium text-ui">{worth(account.totalUsdt)} USDT</span>}
    >
      {account.assets.length === 0 ? (
        <EmptyState text={text("account.none")} />
      ) : (
        <table className="w-full text-ui">
          <thead>
            <tr>
              <th scope="col" className={`${head} text-left`}>
                {text("label.coin")}
              </th>
              <th scope="col" className={`${head} text-right`}>
                {text("overview.all")}
              </th>
              <th scope="col" className={`${head} text-right max-md:hidden`}>
                {text("overview.available")}
              </th>
              <th scope="col" className={`${head} text-right max-md:hidden`}>
                {text("overview.frozen")}
              </th>
              <th scope="col" className={`${head} text-right`}>
                {text("overview.worth")}, USDT
              </th>
            </tr>
          </thead>
          <tbody>
            {account.assets.map((row) => (
              <tr key={row.asset} className="h-12 border-line border-t">
                <td>
                  <span className="flex items-center gap-2">
                    <CoinGlyph code={row.asset} size={24} />
                    <span className="font-medium">{row.asset}</span>
                    <span className="text-label text-muted max-sm:hidden">{row.name}</span>
                  </span>
                </td>
                <td className="figures text-right">{shown(row.total)}</td>
                <td className="figures text-right max-md:hidden">{shown(row.available)}</td>
                <td className="figures text-right text-muted max-md:hidden">{shown(row.frozen)}</td>
                <td className="figures text-right">{worth(row.worthUsdt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}
