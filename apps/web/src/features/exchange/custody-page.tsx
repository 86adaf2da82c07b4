// `/operator/custody`: what hot and cold wallets hold, what is low, the comparison of chains and ledger, refills from the
// cold wallet, and deposits of coins that are not listed. No key ever passes here: a refill is signed on another machine.
import { CUSTODY_CALLS } from "@clockwork/custody/custody/contract";
import { type Levels, type RefillFile, TREASURY_CALLS } from "@clockwork/custody/treasury/contract";
import { type Reconciliation, WITHDRAW_CALLS } from "@clockwork/custody/withdrawals/contract";
import type { DataOf } from "@clockwork/kit/endpoint";
import { formatCoins } from "@clockwork/kit/format";
import { formatDateTime } from "@clockwork/kit/time";
import { filterDecimal } from "@clockwork/kit/validate";
import { Button } from "@clockwork/ui/button";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { Badge } from "@clockwork/ui/pill";
import type { Column } from "@clockwork/ui/table";
import { TextArea } from "@clockwork/ui/text-area";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import { ConsoleFrame } from "#console/console-frame.tsx";
import { ActionNote, useOperatorAction } from "#console/operator-action.tsx";
import { Panel, PanelTable } from "#console/panel.tsx";
import { SectionPanel } from "#console/section-panel.tsx";
import { type SectionRows, useSection } from "#console/use-section.ts";
import { LateSelect } from "#shell/late-fields.tsx";
import { useConsoleText } from "#words/console-text.ts";
import type { ExchangePageProps } from "./ledger-page.tsx";

type Level = Levels["levels"][number];
type Move = Levels["moves"][number];
type Unknown = DataOf<typeof CUSTODY_CALLS.unknown>[number];

export function CustodyPage({ me, proof }: ExchangePageProps) {
  const text = useConsoleText();
  return (
    <ConsoleFrame me={me} title={text("nav.custody")} lead={text("custody.lead")} proof={proof}>
      <Custody />
    </ConsoleFrame>
  );
}

function Custody() {
  const section = useSection({ called: TREASURY_CALLS.levels, input: {}, rowsOf: (levels: Levels) => [levels] });
  const levels = section.rows?.[0];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <LevelPanel section={section} />
      <div className="grid items-start gap-3 xl:grid-cols-2">
        <Refill levels={levels?.levels ?? []} onSent={section.reload} />
        <Moves moves={section.rows === null ? null : levels?.moves} onRetry={section.reload} />
      </div>
      <Comparison />
      <UnknownCoins />
    </div>
  );
}

function LevelPanel({ section }: { readonly section: SectionRows<Levels> }) {
  const text = useConsoleText();
  const columns: readonly Column<Level>[] = [
    {
      id: "coin",
      title: text("overview.coinNetwork"),
      read: ({ asset, network }) => `${asset} ${network}`,
      render: ({ asset, network }) => (
        <span className="flex items-center gap-2">
          <CoinGlyph code={asset} size={16} />
          <span className="font-medium">{asset}</span>
          <span className="text-muted">{network}</span>
        </span>
      ),
    },
    {
      id: "hot",
      title: text("custody.hot"),
      kind: "number",
      read: ({ hot }) => hot,
      render: ({ hot, isLow }) => <span className={isLow ? "text-danger" : ""}>{formatCoins(hot)}</span>,
    },
    {
      id: "low",
      title: text("overview.floor"),
      kind: "number",
      className: "text-muted",
      read: ({ low }) => formatCoins(low),
    },
    {
      id: "state",
      title: text("users.status"),
      read: ({ isLow }) => text(isLow ? "custody.low" : "custody.enough"),
      render: ({ isLow }) => (
        <Badge tone={isLow ? "danger" : "neutral"}>{text(isLow ? "custody.low" : "custody.enough")}</Badge>
      ),
    },
    { id: "refill", title: text("custody.refill"), kind: "number", read: ({ refill }) => formatCoins(refill) },
    { id: "cold", title: text("overview.cold"), kind: "number", read: ({ cold }) => formatCoins(cold) },
    {
      id: "deposits",
      title: text("overview.unswept"),
      kind: "number",
      className: "text-muted",
      read: ({ deposits }) => formatCoins(deposits),
    },
  ];
  return (
    <Panel flush title={text("custody.levels")}>
      <PanelTable
        label={text("custody.levels")}
        columns={columns}
        rows={section.rows === null ? null : section.rows?.[0]?.levels}
        rowKey={({ asset, network }) => `${asset} ${network}`}
        empty={text("overview.noNetworks")}
        onRetry={section.reload}
      />
    </Panel>
  );
}

function Refill({ levels, onSent }: { readonly levels: readonly Level[]; readonly onSent: () => void }) {
  const text = useConsoleText();
  const action = useOperatorAction();
  const [place, setPlace] = useState("");
  const [amount, setAmount] = useState("");
  const [raw, setRaw] = useState("");
  const chosen = levels.find(({ asset, network }) => `${asset} ${network}` === place) ?? levels[0];
  const prepare = async () => {
    if (chosen === undefined) return;
    const body = { network: chosen.network, asset: chosen.asset, amount };
    const made = await action.run(TREASURY_CALLS.prepare, body);
    if (made !== undefined) saveFile(made.data);
  };
  const submit = async () => {
    if (chosen === undefined) return;
    if ((await action.run(TREASURY_CALLS.submit, { network: chosen.network, raw: raw.trim() })) === undefined) return;
    setRaw("");
    onSent();
  };
  return (
    <Panel title={text("custody.refillTitle")} note={text("custody.refillLead")}>
      <ActionNote action={action} />
      <div className="flex flex-wrap items-end gap-2">
        <div className="w-48">
          <LateSelect
            label={text("overview.coinNetwork")}
            size={32}
            value={chosen === undefined ? "" : `${chosen.asset} ${chosen.network}`}
            onChange={setPlace}
            options={levels.map(({ asset, network }) => ({ id: `${asset} ${network}`, title: `${asset} ${network}` }))}
          />
        </div>
        <TextField
          label={text("person.amount")}
          size={32}
          value={amount}
          onChange={(typed) => setAmount(filterDecimal(typed, 18))}
          maxLength={44}
          className="min-w-32 flex-1"
        />
        <Button size={32} isDisabled={chosen === undefined || amount === ""} onPress={() => void prepare()}>
          {text("custody.prepare")}
        </Button>
      </div>
      <TextArea
        label={text("custody.signed")}
        value={raw}
        onChange={setRaw}
        maxLength={2_002}
        rows={3}
        className="mt-3 font-mono"
      />
      <div className="mt-2">
        <Button
          kind="primary"
          size={32}
          isDisabled={!/^0x[0-9a-f]{2,2000}$/.test(raw.trim())}
          onPress={() => void submit()}
        >
          {text("custody.send")}
        </Button>
      </div>
    </Panel>
  );
}

function saveFile(file: RefillFile): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(file, null, 2)], { type: "application/json" }));
  link.download = `refill-${file.network}-${file.asset}-${file.nonce}.json`.toLowerCase();
  link.click();
  URL.revokeObjectURL(link.href);
}

function Moves({
  moves,
  onRetry,
}: {
  readonly moves: readonly Move[] | undefined | null;
  readonly onRetry: () => void;
}) {
  const text = useConsoleText();
  const columns: readonly Column<Move>[] = [
    {
      id: "time",
      title: text("person.time"),
      kind: "time",
      className: "whitespace-nowrap text-muted",
      read: ({ begunAtMs }) => formatDateTime(begunAtMs),
    },
    { id: "kind", title: text("person.type"), read: ({ kind }) => text(`custody.kind.${kind}`) },
    { id: "asset", title: text("person.coin"), read: ({ asset, network }) => `${asset} ${network}` },
    { id: "state", title: text("users.status"), read: ({ state }) => state },
    {
      id: "hash",
      title: text("person.hash"),
      className: "font-mono text-label break-all",
      read: ({ txHash }) => txHash,
    },
  ];
  return (
    <Panel flush title={text("custody.moves")}>
      <PanelTable
        label={text("custody.moves")}
        columns={columns}
        rows={moves}
        rowKey={({ network, sender, begunAtMs, txHash }) => `${network} ${sender} ${begunAtMs} ${txHash}`}
        empty={text("custody.noMoves")}
        onRetry={onRetry}
      />
    </Panel>
  );
}

function Comparison() {
  const text = useConsoleText();
  const action = useOperatorAction();
  const [read, setRead] = useState<Reconciliation>();
  const compare = async () => {
    const answer = await action.look(WITHDRAW_CALLS.reconcile, {});
    if (answer !== undefined) setRead(answer.data);
  };
  type Row = Reconciliation["assets"][number];
  const names = ["chain", "ledger", "uncredited", "leaving", "fees", "gifts", "moving", "difference"] as const;
  const columns: readonly Column<Row>[] = [
    { id: "asset", title: text("person.coin"), className: "font-medium", read: ({ asset }) => asset },
    ...names.map(
      (name): Column<Row> => ({
        id: name,
        title: text(`custody.compare.${name}`),
        kind: "number",
        read: (row) => row[name],
        render: (row) => (
          <span className={name === "difference" && Number(row.difference) !== 0 ? "text-danger" : ""}>
            {row[name]}
          </span>
        ),
      }),
    ),
  ];
  return (
    <Panel
      flush={read !== undefined}
      title={text("custody.compareTitle")}
      {...(read === undefined
        ? {}
        : { note: `${formatDateTime(read.atMs)} · ${text(read.isWhole ? "custody.whole" : "custody.notWhole")}` })}
      aside={
        <Button size={28} icon="refresh" busy={action.isBusy} onPress={() => void compare()}>
          {text("custody.compareNow")}
        </Button>
      }
    >
      {read === undefined ? (
        <>
          <ActionNote action={action} />
          <p className="text-muted">{text("custody.compareLead")}</p>
        </>
      ) : (
        <PanelTable
          label={text("custody.compareTitle")}
          columns={columns}
          rows={read.assets}
          rowKey={({ asset }) => asset}
          empty={text("ledger.none")}
        />
      )}
    </Panel>
  );
}

function UnknownCoins() {
  const text = useConsoleText();
  const columns: readonly Column<Unknown>[] = [
    {
      id: "time",
      title: text("person.seenAt"),
      kind: "time",
      className: "whitespace-nowrap text-muted",
      read: ({ seenAtMs }) => formatDateTime(seenAtMs),
    },
    { id: "network", title: text("person.network"), read: ({ network }) => network },
    { id: "user", title: text("outgoing.user"), kind: "number", read: ({ user }) => user },
    {
      id: "contract",
      title: text("custody.contract"),
      className: "font-mono text-label break-all",
      read: ({ contract }) => contract,
    },
    { id: "units", title: text("custody.units"), kind: "number", read: ({ chainUnits }) => chainUnits },
    {
      id: "hash",
      title: text("person.hash"),
      className: "font-mono text-label break-all",
      read: ({ txHash }) => txHash,
    },
  ];
  return (
    <SectionPanel<typeof CUSTODY_CALLS.unknown, Unknown>
      title={text("custody.unknown")}
      source={{ called: CUSTODY_CALLS.unknown, input: {}, rowsOf: (rows) => rows }}
      columns={columns}
      rowKey={({ network, txHash, contract }) => `${network} ${txHash} ${contract}`}
      empty={text("custody.noUnknown")}
    />
  );
}
