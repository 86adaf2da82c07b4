// The futures account below the form: what carries the positions, and how much of it is used; and the way to test funds
// where it carries nothing, or not what is typed.
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import type { FuturesAccount } from "@clockwork/trading/positions/contract";
import { IconButton } from "@clockwork/ui/button";
import { useChannel } from "#live/react.ts";
import { TestFunds } from "#session/test-funds.tsx";
import { readServed } from "#trade/order/exact.ts";
import { Line } from "#trade/order/line.tsx";
import { useTradeText } from "#trade/trade-text.ts";
import { shownCoin, shownDecimals } from "../model/contract.ts";
import { toneOf, writeCoin, writePercent, writeSigned } from "../model/figures.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { openDialog } from "../model/open-dialog.ts";
import { useBiz, useFuturesFeeds } from "../model/use-own.ts";

interface AccountBoxProps {
  readonly account: FuturesAccount | undefined;
  readonly pair: ContractInfo;
}

export function AccountBox({ account, pair }: AccountBoxProps) {
  const text = useFuturesText();
  const trade = useTradeText();
  const biz = useBiz();
  const { settle } = pair;
  const coin = (value: string | undefined) =>
    value === undefined ? "–" : `${writeCoin(value, settle)} ${shownCoin(settle)}`;
  return (
    <div className="-mx-3 mt-auto flex flex-col gap-1 border-line border-t px-3 pt-2.5 @max-[240px]:hidden">
      <div className="flex items-center justify-between">
        <h2 className="font-semibold">
          {text(biz === "demo" ? "demo.title" : biz === "delivery" ? "account.inverse" : "account.linear", { settle })}
        </h2>
        {biz !== "demo" && (
          <IconButton
            icon="swap"
            label={text("form.transfer")}
            size={24}
            iconSize={14}
            className="-mr-1.5"
            onPress={() => openDialog({ kind: "transfer" })}
          />
        )}
      </div>
      <dl>
        <Line
          label={text("account.ratio")}
          value={
            account === undefined ? "–" : account.marginRatio === null ? "100%" : writePercent(account.marginRatio)
          }
        />
        <Line label={text("account.maintenance")} value={coin(account?.maintenanceMargin)} />
        <Line label={text("account.balance")} value={coin(account?.balance)} />
        {account !== undefined && readServed(account.bonus).units > 0n && (
          <Line label={text("account.bonus")} value={coin(account.bonus)} />
        )}
        <Line
          label={text("account.unrealised")}
          value={
            account === undefined ? (
              "–"
            ) : (
              <span className={toneOf(account.unrealizedPnl)}>
                {writeSigned(account.unrealizedPnl, shownDecimals(settle))} {shownCoin(settle)}
              </span>
            )
          }
        />
      </dl>
      {pair.isSimulated && <p className="pt-1 text-axis text-muted">{trade("simulated")}</p>}
    </div>
  );
}

/** The account's stream reports the arrival of test funds. Demo money is requested in its own bar. */
export function ShortOfMargin({ account, pair, isShort }: AccountBoxProps & { readonly isShort: boolean }) {
  const biz = useBiz();
  const isPublished = !useChannel(useFuturesFeeds().accounts).empty;
  const isEmpty = isPublished && readServed(account?.available ?? "0").units === 0n;
  return biz === "demo" || !(isShort || isEmpty) ? null : <TestFunds asset={pair.settle} account={biz} />;
}
