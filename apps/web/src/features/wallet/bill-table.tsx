// Bills as a table: what changed, where, by how much, and what stood there after.
import type { Bill } from "@clockwork/domains/wallet/api";
import { formatCoins } from "@clockwork/kit/format";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { HIDDEN_TEXT, useHiddenAmounts } from "#session/hidden-amounts.ts";
import { Moment } from "#shell/moment.tsx";
import { useWalletText, type WalletSpeak } from "#words/wallet-text.ts";
import { BUSINESS_FILTERS, WALLET_NAMES } from "./history-model.ts";

export function nameBusiness(text: WalletSpeak, business: string): string {
  const named = BUSINESS_FILTERS.find((one) => one === business);
  return named === undefined ? business : text(`business.${named}`);
}

export interface BillTableProps {
  readonly bills: readonly Bill[];
  /** Something stands beside it: references wait for the widest screens. */
  readonly isNarrow?: boolean;
}

export function BillTable({ bills, isNarrow = false }: BillTableProps) {
  const text = useWalletText();
  const head = "py-2 font-normal text-label text-muted";
  return (
    <table className="w-full text-ui">
      <thead>
        <tr className="text-left">
          <th scope="col" className={`${head} max-sm:hidden`}>
            {text("label.time")}
          </th>
          <th scope="col" className={head}>
            {text("history.business")}
          </th>
          <th scope="col" className={`${head} max-md:hidden`}>
            {text("label.account")}
          </th>
          <th scope="col" className={head}>
            {text("label.coin")}
          </th>
          <th scope="col" className={`${head} text-right`}>
            {text("history.change")}
          </th>
          <th scope="col" className={`${head} text-right max-sm:hidden`}>
            {text("history.balance")}
          </th>
          <th scope="col" className={`${head} pl-6 ${isNarrow ? "max-[1700px]:hidden" : "max-xl:hidden"}`}>
            {text("history.reference")}
          </th>
        </tr>
      </thead>
      <tbody>
        {bills.map((bill) => (
          <BillRow key={bill.id} bill={bill} isNarrow={isNarrow} />
        ))}
      </tbody>
    </table>
  );
}

function BillRow({ bill, isNarrow }: { readonly bill: Bill; readonly isNarrow: boolean }) {
  const text = useWalletText();
  const { isHidden } = useHiddenAmounts();
  const { asset, business, change, balance, timeMs, walletType, sub, reference } = bill;
  const shown = (amount: string): string => (isHidden ? HIDDEN_TEXT : formatCoins(amount));
  const sign = change.startsWith("-") || isHidden ? "" : "+";
  return (
    <tr className="h-10 border-line border-t">
      <td className="figures whitespace-nowrap pr-3 text-muted max-sm:hidden">
        <Moment at={timeMs} />
      </td>
      <td className="pr-3 font-medium">{nameBusiness(text, business)}</td>
      <td className="text-muted max-md:hidden">
        {WALLET_NAMES[walletType]}
        {sub === null ? "" : ` ${sub}`}
      </td>
      <td>
        <span className="flex items-center gap-2">
          <CoinGlyph code={asset} size={20} />
          {asset}
        </span>
      </td>
      <td className="figures text-right">
        {sign}
        {shown(change)}
      </td>
      <td className="figures pl-4 text-right text-muted max-sm:hidden">{shown(balance)}</td>
      <td
        className={`max-w-48 truncate pl-6 font-mono text-label text-muted ${isNarrow ? "max-[1700px]:hidden" : "max-xl:hidden"}`}
      >
        {reference}
      </td>
    </tr>
  );
}
