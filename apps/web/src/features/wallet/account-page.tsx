// `/wallet/accounts/…`: one account alone: what it holds, coin by coin, and what changed it last.
import type { BillPage, WalletAccount } from "@clockwork/trading/wallet/contract";
import { Card } from "@clockwork/ui/card";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { EmptyState } from "@clockwork/ui/state";
import { SiteLink } from "#boot/site-link.tsx";
import { WalletFrame } from "#shell/wallet-frame.tsx";
import { useWalletText } from "#words/wallet-text.ts";
import type { AccountPageKind } from "./account-model.ts";
import { BillTable } from "./bill-table.tsx";
import { HoldingTable } from "./holding-table.tsx";
import { holdingsOf } from "./overview-model.ts";
import { useShown } from "./use-shown.ts";

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
  const worth = useShown(true);
  return (
    <Card
      title={account.sub === null ? account.name : `${account.name} ${account.sub}`}
      aside={<span className="figures font-medium text-ui">{worth(account.totalUsdt, 2)} USDT</span>}
    >
      {account.assets.length === 0 ? (
        <EmptyState text={text("account.none")} />
      ) : (
        <HoldingTable rows={holdingsOf(account)} />
      )}
    </Card>
  );
}
