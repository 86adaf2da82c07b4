// Bills as a table: the change, the account, the amount, and the balance after it.

import { formatCoins } from "@clockwork/kit/format";
import { WALLET_NAMES } from "@clockwork/kit/wallet/names";
import type { Bill } from "@clockwork/trading/wallet/contract";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import type { ReactNode } from "react";
import { HIDDEN_TEXT, useHiddenAmounts } from "#session/hidden-amounts.ts";
import { Moment } from "#shell/moment.tsx";
import { useWalletText, type WalletText } from "#words/wallet-text.ts";
import { BUSINESS_FILTERS, COLUMNS, type Column } from "./history-model.ts";

export function nameBusiness(text: WalletText, business: string): string {
  const named = BUSINESS_FILTERS.find((one) => one === business);
  return named === undefined ? business : text(`business.${named}`);
}

export interface BillTableProps {
  readonly bills: readonly Bill[];
  /** Which of the optional columns are shown; all by default. */
  readonly columns?: readonly Column[];
}

/** Where each is dropped on smaller screens. */
const ROOM: Readonly<Record<Column, string>> = {
  time: "max-sm:hidden",
  business: "",
  account: "max-md:hidden",
  balance: "max-sm:hidden",
  reference: "max-xl:hidden",
};
const HEAD = "py-2 font-normal text-label text-muted";

export function BillTable({ bills, columns = COLUMNS }: BillTableProps) {
  const text = useWalletText();
  const head = (column: Column, title: string, more = "") =>
    columns.includes(column) && (
      <th scope="col" className={`${HEAD} ${ROOM[column]} ${more}`}>
        {title}
      </th>
    );
  return (
    <table className="w-full text-[13px]">
      <thead>
        <tr className="text-left">
          {head("time", text("label.time"))}
          {head("business", text("history.business"))}
          {head("account", text("label.account"))}
          <th scope="col" className={HEAD}>
            {text("label.coin")}
          </th>
          <th scope="col" className={`${HEAD} text-right`}>
            {text("history.change")}
          </th>
          {head("balance", text("history.balance"), "pl-4 text-right")}
          {head("reference", text("history.reference"), "pl-5")}
        </tr>
      </thead>
      <tbody>
        {bills.map((bill) => (
          <BillRow key={bill.id} bill={bill} columns={columns} />
        ))}
      </tbody>
    </table>
  );
}

function BillRow({ bill, columns }: { readonly bill: Bill; readonly columns: readonly Column[] }) {
  const text = useWalletText();
  const { isHidden } = useHiddenAmounts();
  const { asset, business, change, balance, timeMs, walletType, sub, reference } = bill;
  const shown = (amount: string): string => (isHidden ? HIDDEN_TEXT : formatCoins(amount));
  const sign = change.startsWith("-") || isHidden ? "" : "+";
  const cell = (column: Column, inner: ReactNode, look: string) =>
    columns.includes(column) && <td className={`${look} ${ROOM[column]}`}>{inner}</td>;
  return (
    <tr className="h-10 border-line border-t hover:bg-hover">
      {cell("time", <Moment at={timeMs} />, "figures whitespace-nowrap pr-3 text-muted")}
      {cell("business", nameBusiness(text, business), "pr-3 font-medium")}
      {cell(
        "account",
        sub === null ? WALLET_NAMES[walletType] : `${WALLET_NAMES[walletType]} ${sub}`,
        "pr-3 text-muted",
      )}
      <td>
        <span className="flex items-center gap-2">
          <CoinGlyph code={asset} size={20} />
          {asset}
        </span>
      </td>
      <td className="figures text-right font-medium">
        {sign}
        {shown(change)}
      </td>
      {cell("balance", shown(balance), "figures pl-4 text-right text-muted")}
      {cell("reference", reference, "max-w-36 truncate pl-5 font-mono text-label text-muted")}
    </tr>
  );
}
