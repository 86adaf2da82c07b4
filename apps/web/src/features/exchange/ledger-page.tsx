// `/operator/ledger`: the exchange's own accounts by purpose, and what users own of each coin.
import { formatCoins, formatMoney } from "@clockwork/kit/format";
import {
  type CoinTotal,
  type ExchangeBalance,
  type ExchangeLedger,
  LEDGER_CALLS,
} from "@clockwork/trading/exchangeledger/contract";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import type { Column } from "@clockwork/ui/table";
import type { ReactNode } from "react";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import { SectionPanel } from "#console/section-panel.tsx";
import { useConsoleText } from "#words/console-text.ts";

export interface ExchangePageProps {
  readonly me: ConsoleOperator;
  readonly proof: ReactNode;
}

export function LedgerPage({ me, proof }: ExchangePageProps) {
  const text = useConsoleText();
  return (
    <ConsoleFrame me={me} title={text("nav.ledger")} lead={text("ledger.lead")} proof={proof}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3 xl:grid-cols-[2fr_3fr]">
        <Coins />
        <Balances />
      </div>
    </ConsoleFrame>
  );
}

const Coin = ({ code }: { readonly code: string }) => (
  <span className="flex items-center gap-2 font-medium">
    <CoinGlyph code={code} size={16} />
    {code}
  </span>
);

function Coins() {
  const text = useConsoleText();
  const columns: readonly Column<CoinTotal>[] = [
    {
      id: "asset",
      title: text("person.coin"),
      read: ({ asset }) => asset,
      render: ({ asset }) => <Coin code={asset} />,
    },
    {
      id: "users",
      title: text("ledger.users"),
      kind: "number",
      read: ({ users }) => users,
      render: ({ users }) => formatCoins(users),
    },
    {
      id: "worth",
      title: text("person.worth"),
      kind: "number",
      read: ({ usersUsdt }) => usersUsdt,
      render: ({ usersUsdt }) => (usersUsdt === null ? "–" : formatMoney(usersUsdt)),
    },
    {
      id: "exchange",
      title: text("ledger.exchange"),
      kind: "number",
      className: "text-muted",
      read: ({ exchange }) => exchange,
      render: ({ exchange }) => formatCoins(exchange),
    },
  ];
  return (
    <SectionPanel<typeof LEDGER_CALLS.read, CoinTotal>
      title={text("ledger.coins")}
      source={{ called: LEDGER_CALLS.read, input: {}, rowsOf: ({ coins }: ExchangeLedger) => coins }}
      columns={columns}
      rowKey={({ asset }) => asset}
      empty={text("ledger.none")}
    />
  );
}

function Balances() {
  const text = useConsoleText();
  const columns: readonly Column<ExchangeBalance>[] = [
    {
      id: "purpose",
      title: text("ledger.purpose"),
      className: "font-medium",
      read: ({ purpose, sub }) => (sub === 0 ? purpose : `${purpose} ${sub}`),
    },
    {
      id: "asset",
      title: text("person.coin"),
      read: ({ asset }) => asset,
      render: ({ asset }) => <Coin code={asset} />,
    },
    {
      id: "available",
      title: text("person.available"),
      kind: "number",
      read: ({ available }) => available,
      render: ({ available }) => formatCoins(available),
    },
    { id: "hold", title: text("person.onHold"), kind: "number", className: "text-muted", read: ({ onHold }) => onHold },
    {
      id: "worth",
      title: text("person.worth"),
      kind: "number",
      read: ({ worthUsdt }) => worthUsdt,
      render: ({ worthUsdt }) => (worthUsdt === null ? "–" : formatMoney(worthUsdt)),
    },
  ];
  return (
    <SectionPanel<typeof LEDGER_CALLS.read, ExchangeBalance>
      title={text("ledger.accounts")}
      source={{ called: LEDGER_CALLS.read, input: {}, rowsOf: ({ balances }: ExchangeLedger) => balances }}
      columns={columns}
      rowKey={({ account, asset }) => `${account} ${asset}`}
      empty={text("ledger.none")}
    />
  );
}
