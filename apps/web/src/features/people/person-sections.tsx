// The sections of the page of one person. Each is the user's own read, made for an operator.
import type { DepositView } from "@clockwork/custody/custody/contract";
import type { Withdrawal } from "@clockwork/custody/withdrawals/contract";
import type { EarnHolding } from "@clockwork/earning/earn/contract";
import type { OrderPage as OtcPage } from "@clockwork/fiat/otcorders/contract";
import type { ApiKey } from "@clockwork/identity/apikeys/contract";
import { type AuditPage, OPERATOR_CALLS } from "@clockwork/identity/operators/contract";
import type { ActivityPage, SessionList } from "@clockwork/identity/sessions/contract";
import { formatCoins, formatMoney } from "@clockwork/kit/format";
import { formatDateTime } from "@clockwork/kit/time";
import type { Letter } from "@clockwork/messaging/letters/contract";
import { type Notes, PEOPLE_CALLS, PERSON_SECTIONS } from "@clockwork/site/people/contract";
import type { FuturesFill, FuturesOrder } from "@clockwork/trading/futures/contract";
import type { FuturesPosition } from "@clockwork/trading/positions/contract";
import type { Fill, SpotOrder } from "@clockwork/trading/spot/contract";
import type { Bill, WalletAccounts } from "@clockwork/trading/wallet/contract";
import { Button } from "@clockwork/ui/button";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { Badge } from "@clockwork/ui/pill";
import { Segmented } from "@clockwork/ui/segmented";
import type { Column } from "@clockwork/ui/table";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import { Panel, PanelEmpty, PanelTable } from "#console/panel.tsx";
import { SectionPanel } from "#console/section-panel.tsx";
import { useSection } from "#console/use-section.ts";
import { useCalls } from "#session/auth-context.ts";
import { type ConsoleText, useConsoleText } from "#words/console-text.ts";
import type { PersonTabProps } from "./person-tab.tsx";

type Part = Pick<PersonTabProps, "user" | "find">;

const PARTS: Readonly<Record<PersonTabProps["tab"], (part: PersonTabProps) => React.ReactNode>> = {
  summary: ({ user, find, me }) => (
    <div className="grid min-w-0 content-start gap-3">
      <Balances user={user} />
      <SpotOrders user={user} find={find} state="open" />
      <Positions user={user} find={find} />
      <Devices user={user} find={find} />
      {me.permissions.includes("audit.read") && <AuditLog user={user} />}
    </div>
  ),
  ledger: (part) => <Bills {...part} />,
  orders: (part) => <Orders {...part} />,
  fills: (part) => <Fills {...part} />,
  positions: (part) => <Positions {...part} />,
  deposits: (part) => <Deposits {...part} />,
  withdrawals: (part) => <Withdrawals {...part} />,
  otc: (part) => <OtcOrders {...part} />,
  earn: (part) => <Holdings {...part} />,
  devices: (part) => (
    <div className="grid gap-3">
      <Devices {...part} />
      <Activity {...part} />
    </div>
  ),
  keys: (part) => <Keys {...part} />,
  letters: (part) => <Letters {...part} />,
  notes: ({ user, me }) => <NoteList user={user} mayWrite={me.permissions.includes("people.reveal")} />,
  audit: ({ user }) => <AuditLog user={user} />,
};

export function PersonSections(props: PersonTabProps) {
  return PARTS[props.tab](props);
}

const time = (timeMs: number | null) => (timeMs === null ? "–" : formatDateTime(timeMs));
const coins = (value: string | null) => (value === null ? "–" : formatCoins(value));
const nowrap = "whitespace-nowrap";

function timeColumn<Row>(title: string, timeOf: (row: Row) => number): Column<Row> {
  return {
    id: "time",
    title,
    kind: "time",
    className: `${nowrap} text-muted`,
    read: (row) => formatDateTime(timeOf(row)),
  };
}

function sideColumn<Row extends { readonly side: string }>(text: ConsoleText): Column<Row> {
  return {
    id: "side",
    title: text("person.side"),
    read: ({ side }) => side,
    render: ({ side }) => (
      <span className={side === "buy" || side === "long" ? "text-up-text" : "text-down-text"}>
        {text(`person.side.${side === "buy" || side === "long" ? "buy" : "sell"}`)}
      </span>
    ),
  };
}

type BalanceRow = WalletAccounts["accounts"][number]["assets"][number] & { readonly account: string };
const WALLETS = ["1", "2", "3", "4", "5", "6", "7", "8", "9"] as const;

function Balances({ user }: { readonly user: string }) {
  const text = useConsoleText();
  const [showsZero, setShowsZero] = useState(false);
  const rowsOf = (data: WalletAccounts): readonly BalanceRow[] =>
    data.accounts.flatMap(({ walletType, sub, assets }) =>
      assets.map((asset) => ({
        ...asset,
        account: [text(`wallet.${walletType}`), sub].filter((part) => part !== null).join(" "),
      })),
    );
  const section = useSection({
    called: PERSON_SECTIONS.balances.called,
    input: { user, walletTypeList: [...WALLETS] },
    rowsOf,
  });
  const rows = section.rows?.filter(({ total }) => showsZero || Number(total) !== 0);
  const columns: readonly Column<BalanceRow>[] = [
    { id: "account", title: text("person.account"), className: "text-muted", read: ({ account }) => account },
    {
      id: "asset",
      title: text("person.coin"),
      read: ({ asset }) => asset,
      render: ({ asset }) => (
        <span className="flex items-center gap-2 font-medium">
          <CoinGlyph code={asset} size={16} />
          {asset}
        </span>
      ),
    },
    { id: "available", title: text("person.available"), kind: "number", read: ({ available }) => coins(available) },
    {
      id: "frozen",
      title: text("person.onHold"),
      kind: "number",
      className: "text-muted",
      read: ({ frozen }) => coins(frozen),
    },
    {
      id: "total",
      title: text("person.total"),
      kind: "number",
      className: "font-medium",
      read: ({ total }) => coins(total),
    },
    {
      id: "worth",
      title: text("person.worth"),
      kind: "number",
      read: ({ worthUsdt }) => (worthUsdt === null ? "–" : formatMoney(worthUsdt)),
    },
  ];
  return (
    <Panel
      flush
      title={text("person.balances")}
      aside={
        <Segmented
          label={text("person.zero")}
          size={28}
          segments={[
            { id: "used", title: text("person.zeroHidden") },
            { id: "all", title: text("person.zeroShown") },
          ]}
          value={showsZero ? "all" : "used"}
          onChange={(id) => setShowsZero(id === "all")}
        />
      }
    >
      <PanelTable
        label={text("person.balances")}
        columns={columns}
        rows={section.rows === null ? null : rows}
        rowKey={({ account, asset }) => `${account} ${asset}`}
        empty={text("person.noBalances")}
        onRetry={section.reload}
      />
    </Panel>
  );
}

function Bills({ user }: Part) {
  const text = useConsoleText();
  const { called } = PERSON_SECTIONS.bills;
  const columns: readonly Column<Bill>[] = [
    timeColumn(text("person.time"), ({ timeMs }) => timeMs),
    { id: "account", title: text("person.account"), read: ({ walletType }) => text(`wallet.${walletType}`) },
    { id: "business", title: text("person.business"), read: ({ business }) => business },
    { id: "asset", title: text("person.coin"), read: ({ asset }) => asset },
    {
      id: "change",
      title: text("person.change"),
      kind: "number",
      className: "font-medium",
      read: ({ change }) => change,
    },
    {
      id: "balance",
      title: text("person.balance"),
      kind: "number",
      className: "text-muted",
      read: ({ balance }) => balance,
    },
    {
      id: "reference",
      title: text("person.reference"),
      className: "text-muted font-mono text-label",
      read: ({ reference }) => reference,
    },
    { id: "id", title: text("person.posting"), kind: "number", className: "text-muted", read: ({ id }) => id },
  ];
  return (
    <SectionPanel
      title={text("person.tab.ledger")}
      source={{
        called,
        input: { user, limit: 50 },
        rowsOf: ({ bills }) => bills,
        nextOf: ({ next }) => (next === null ? undefined : { before: next }),
      }}
      columns={columns}
      rowKey={({ id, asset, walletType }) => `${id} ${asset} ${walletType}`}
      empty={text("person.none")}
    />
  );
}

function orderColumns<Row extends SpotOrder | FuturesOrder>(text: ConsoleText): readonly Column<Row>[] {
  return [
    timeColumn(text("person.time"), ({ createdAtMs }) => createdAtMs),
    { id: "pair", title: text("person.market"), className: "font-medium", read: ({ pairCode }) => pairCode },
    sideColumn(text),
    { id: "type", title: text("person.type"), read: ({ type }) => type },
    { id: "price", title: text("person.price"), kind: "number", read: ({ price }) => coins(price) },
    { id: "quantity", title: text("person.quantity"), kind: "number", read: ({ quantity }) => coins(quantity) },
    { id: "filled", title: text("person.filled"), kind: "number", read: ({ filledQuantity }) => coins(filledQuantity) },
    { id: "state", title: text("users.status"), className: "text-muted", read: ({ status }) => status },
    { id: "id", title: text("person.order"), kind: "number", className: "text-muted", read: ({ orderId }) => orderId },
  ];
}

interface OrdersProps extends Part {
  readonly state: "open" | "history" | "plan";
}

function SpotOrders({ user, find, state }: OrdersProps) {
  const text = useConsoleText();
  return (
    <SectionPanel<typeof PERSON_SECTIONS.spotOrders.called, SpotOrder>
      title={text(`person.spotOrders.${state}`)}
      source={{
        called: PERSON_SECTIONS.spotOrders.called,
        input: { user, state },
        rowsOf: ({ orders }) => orders,
        nextOf: ({ next }) => (next === null ? undefined : { before: next }),
      }}
      columns={orderColumns(text)}
      rowKey={({ orderId }) => orderId}
      empty={text("person.none")}
      {...(find === undefined ? {} : { selectedKey: find })}
    />
  );
}

function FuturesOrders({ user, find, state }: OrdersProps) {
  const text = useConsoleText();
  return (
    <SectionPanel<typeof PERSON_SECTIONS.futuresOrders.called, FuturesOrder>
      title={text(`person.futuresOrders.${state}`)}
      source={{
        called: PERSON_SECTIONS.futuresOrders.called,
        input: { user, state, limit: 50 },
        rowsOf: ({ orders }) => orders,
        nextOf: ({ next }) => (next === null ? undefined : { before: next }),
      }}
      columns={orderColumns(text)}
      rowKey={({ orderId }) => orderId}
      empty={text("person.none")}
      {...(find === undefined ? {} : { selectedKey: find })}
    />
  );
}

function Orders(part: Part) {
  const text = useConsoleText();
  const [state, setState] = useState<OrdersProps["state"]>(part.find === undefined ? "open" : "history");
  return (
    <div className="grid gap-3">
      <Segmented
        label={text("person.orderStates")}
        size={28}
        segments={(["open", "plan", "history"] as const).map((id) => ({ id, title: text(`person.orderState.${id}`) }))}
        value={state}
        onChange={(id) => setState(id as OrdersProps["state"])}
        className="justify-self-start"
      />
      <SpotOrders {...part} state={state} />
      <FuturesOrders {...part} state={state} />
    </div>
  );
}

function fillColumns<Row extends Fill | FuturesFill>(text: ConsoleText): readonly Column<Row>[] {
  return [
    timeColumn(text("person.time"), ({ timeMs }) => timeMs),
    { id: "pair", title: text("person.market"), className: "font-medium", read: ({ pairCode }) => pairCode },
    sideColumn(text),
    { id: "role", title: text("person.role"), className: "text-muted", read: ({ role }) => role },
    { id: "price", title: text("person.price"), kind: "number", read: ({ price }) => coins(price) },
    { id: "quantity", title: text("person.quantity"), kind: "number", read: ({ quantity }) => coins(quantity) },
    { id: "fee", title: text("person.fee"), kind: "number", read: ({ fee, feeAsset }) => `${fee} ${feeAsset}` },
    {
      id: "order",
      title: text("person.order"),
      kind: "number",
      className: "text-muted",
      read: ({ orderId }) => orderId,
    },
  ];
}

function Fills({ user }: Part) {
  const text = useConsoleText();
  return (
    <div className="grid gap-3">
      <SectionPanel<typeof PERSON_SECTIONS.spotFills.called, Fill>
        title={text("person.spotFills")}
        source={{
          called: PERSON_SECTIONS.spotFills.called,
          input: { user, limit: 50 },
          rowsOf: ({ fills }) => fills,
          nextOf: ({ next }) => (next === null ? undefined : { before: next }),
        }}
        columns={fillColumns(text)}
        rowKey={({ tradeId, pairCode, orderId }) => `${pairCode} ${tradeId} ${orderId}`}
        empty={text("person.none")}
      />
      <SectionPanel<typeof PERSON_SECTIONS.futuresFills.called, FuturesFill>
        title={text("person.futuresFills")}
        source={{
          called: PERSON_SECTIONS.futuresFills.called,
          input: { user, limit: 50 },
          rowsOf: ({ fills }) => fills,
          nextOf: ({ next }) => (next === null ? undefined : { before: next }),
        }}
        columns={fillColumns(text)}
        rowKey={({ tradeId, pairCode, orderId }) => `${pairCode} ${tradeId} ${orderId}`}
        empty={text("person.none")}
      />
    </div>
  );
}

function Positions({ user }: Part) {
  const text = useConsoleText();
  const columns: readonly Column<FuturesPosition>[] = [
    timeColumn(text("person.opened"), ({ openedAtMs }) => openedAtMs),
    { id: "pair", title: text("person.market"), className: "font-medium", read: ({ pairCode }) => pairCode },
    sideColumn(text),
    { id: "leverage", title: text("person.leverage"), kind: "number", read: ({ leverage }) => `${leverage}×` },
    { id: "quantity", title: text("person.quantity"), kind: "number", read: ({ quantity }) => coins(quantity) },
    { id: "entry", title: text("person.entry"), kind: "number", read: ({ entryPrice }) => coins(entryPrice) },
    { id: "mark", title: text("person.mark"), kind: "number", read: ({ markPrice }) => coins(markPrice) },
    {
      id: "liquidation",
      title: text("person.liquidation"),
      kind: "number",
      read: ({ liquidationPrice }) => coins(liquidationPrice),
    },
    { id: "margin", title: text("person.margin"), kind: "number", read: ({ margin }) => coins(margin) },
    { id: "pnl", title: text("person.pnl"), kind: "number", read: ({ unrealizedPnl }) => coins(unrealizedPnl) },
  ];
  return (
    <SectionPanel<typeof PERSON_SECTIONS.positions.called, FuturesPosition>
      title={text("person.positions")}
      source={{ called: PERSON_SECTIONS.positions.called, input: { user }, rowsOf: (positions) => positions }}
      columns={columns}
      rowKey={({ positionId }) => positionId}
      empty={text("person.noPositions")}
    />
  );
}

function Deposits({ user, find }: Part) {
  const text = useConsoleText();
  const columns: readonly Column<DepositView>[] = [
    timeColumn(text("person.seenAt"), ({ seenAtMs }) => seenAtMs),
    {
      id: "amount",
      title: text("person.amount"),
      kind: "number",
      className: "font-medium",
      read: ({ amount, asset }) => `${amount} ${asset}`,
    },
    { id: "network", title: text("person.network"), read: ({ network }) => network },
    { id: "state", title: text("users.status"), className: "text-muted", read: ({ state }) => state },
    {
      id: "blocks",
      title: text("person.blocks"),
      kind: "number",
      read: ({ confirmations, unlockBlocks }) => `${confirmations}/${unlockBlocks}`,
    },
    { id: "from", title: text("person.from"), className: "font-mono text-label", read: ({ from }) => from },
    { id: "hash", title: text("person.hash"), className: "font-mono text-label", read: ({ txHash }) => txHash },
  ];
  return (
    <SectionPanel<typeof PERSON_SECTIONS.deposits.called, DepositView>
      title={text("person.tab.deposits")}
      source={{
        called: PERSON_SECTIONS.deposits.called,
        input: { user, limit: 50 },
        rowsOf: ({ deposits }) => deposits,
        nextOf: ({ deposits }) => (deposits.length < 50 ? undefined : { before: deposits.at(-1)?.seenAtMs }),
      }}
      columns={columns}
      rowKey={({ depositId }) => depositId}
      empty={text("person.none")}
      {...(find === undefined ? {} : { selectedKey: find })}
    />
  );
}

function Withdrawals({ user, find }: Part) {
  const text = useConsoleText();
  const columns: readonly Column<Withdrawal>[] = [
    timeColumn(text("person.time"), ({ createdAtMs }) => createdAtMs),
    {
      id: "amount",
      title: text("person.amount"),
      kind: "number",
      className: "font-medium",
      read: ({ amount, asset }) => `${amount} ${asset}`,
    },
    {
      id: "network",
      title: text("person.network"),
      read: ({ network, receiver }) => network ?? text("person.toUser", { user: receiver ?? "" }),
    },
    { id: "state", title: text("users.status"), className: "text-muted", read: ({ state }) => state },
    { id: "address", title: text("person.to"), className: "font-mono text-label", read: ({ address }) => address },
    { id: "hash", title: text("person.hash"), className: "font-mono text-label", read: ({ txHash }) => txHash },
    {
      id: "id",
      title: text("person.number"),
      className: "font-mono text-label",
      read: ({ withdrawalId }) => withdrawalId,
    },
  ];
  return (
    <SectionPanel<typeof PERSON_SECTIONS.withdrawals.called, Withdrawal>
      title={text("person.tab.withdrawals")}
      source={{
        called: PERSON_SECTIONS.withdrawals.called,
        input: { user, limit: 50 },
        rowsOf: ({ withdrawals }) => withdrawals,
        nextOf: ({ withdrawals }) =>
          withdrawals.length < 50 ? undefined : { before: withdrawals.at(-1)?.createdAtMs },
      }}
      columns={columns}
      rowKey={({ withdrawalId }) => withdrawalId}
      empty={text("person.none")}
      {...(find === undefined ? {} : { selectedKey: find })}
    />
  );
}

function OtcOrders({ user, find }: Part) {
  const text = useConsoleText();
  const columns: readonly Column<OtcPage["orders"][number]>[] = [
    timeColumn(text("person.time"), ({ createdAtMs }) => createdAtMs),
    sideColumn(text),
    {
      id: "quantity",
      title: text("person.quantity"),
      kind: "number",
      read: ({ quantity, asset }) => `${quantity} ${asset}`,
    },
    { id: "amount", title: text("person.amount"), kind: "number", read: ({ amount, fiat }) => `${amount} ${fiat}` },
    { id: "state", title: text("users.status"), className: "text-muted", read: ({ state }) => state },
    { id: "with", title: text("person.counterparty"), read: ({ counterpart }) => counterpart },
    { id: "id", title: text("person.order"), kind: "number", className: "text-muted", read: ({ orderId }) => orderId },
  ];
  return (
    <SectionPanel<typeof PERSON_SECTIONS.otc.called, OtcPage["orders"][number]>
      title={text("person.tab.otc")}
      source={{
        called: PERSON_SECTIONS.otc.called,
        input: { user },
        rowsOf: ({ orders }) => orders,
        nextOf: ({ nextBefore }) => (nextBefore === null ? undefined : { before: nextBefore }),
      }}
      columns={columns}
      rowKey={({ orderId }) => orderId}
      empty={text("person.none")}
      {...(find === undefined ? {} : { selectedKey: find })}
    />
  );
}

function Holdings({ user }: Part) {
  const text = useConsoleText();
  const columns: readonly Column<EarnHolding>[] = [
    timeColumn(text("person.starts"), ({ startsAtMs }) => startsAtMs),
    { id: "kind", title: text("person.type"), read: ({ kind }) => kind },
    {
      id: "principal",
      title: text("person.principal"),
      kind: "number",
      className: "font-medium",
      read: ({ principal, asset }) => `${principal} ${asset}`,
    },
    { id: "rate", title: text("person.rate"), kind: "number", read: ({ rate }) => rate },
    { id: "paid", title: text("person.paid"), kind: "number", read: ({ paid }) => paid },
    { id: "state", title: text("users.status"), className: "text-muted", read: ({ state }) => state },
    { id: "ends", title: text("person.ends"), kind: "time", read: ({ endsAtMs }) => time(endsAtMs) },
  ];
  return (
    <SectionPanel<typeof PERSON_SECTIONS.earn.called, EarnHolding>
      title={text("person.tab.earn")}
      source={{ called: PERSON_SECTIONS.earn.called, input: { user }, rowsOf: ({ holdings }) => holdings }}
      columns={columns}
      rowKey={({ holdingId }) => holdingId}
      empty={text("person.none")}
    />
  );
}

function Devices({ user }: Part) {
  const text = useConsoleText();
  const columns: readonly Column<SessionList["sessions"][number]>[] = [
    { id: "device", title: text("person.device"), className: "font-medium", read: ({ deviceName }) => deviceName },
    { id: "address", title: text("audit.address"), read: ({ address }) => address },
    { id: "method", title: text("person.signedInWith"), className: "text-muted", read: ({ method }) => method },
    {
      id: "created",
      title: text("person.signedIn"),
      kind: "time",
      className: `${nowrap} text-muted`,
      read: ({ createdAtMs }) => time(createdAtMs),
    },
    {
      id: "seen",
      title: text("person.lastActive"),
      kind: "time",
      className: nowrap,
      read: ({ seenAtMs }) => time(seenAtMs),
    },
  ];
  return (
    <SectionPanel<typeof PERSON_SECTIONS.devices.called, SessionList["sessions"][number]>
      title={text("person.sessions")}
      source={{ called: PERSON_SECTIONS.devices.called, input: { user }, rowsOf: ({ sessions }) => sessions }}
      columns={columns}
      rowKey={({ id }) => id}
      empty={text("person.noSessions")}
      noExport
    />
  );
}

function Activity({ user }: Part) {
  const text = useConsoleText();
  const columns: readonly Column<ActivityPage["rows"][number]>[] = [
    timeColumn(text("person.time"), ({ atMs }) => atMs),
    { id: "kind", title: text("person.event"), className: "font-medium", read: ({ kind }) => kind },
    { id: "device", title: text("person.device"), read: ({ deviceName }) => deviceName },
    { id: "address", title: text("audit.address"), className: "text-muted", read: ({ address }) => address },
  ];
  return (
    <SectionPanel<typeof PERSON_SECTIONS.activity.called, ActivityPage["rows"][number]>
      title={text("person.activity")}
      source={{
        called: PERSON_SECTIONS.activity.called,
        input: { user },
        rowsOf: ({ rows }) => rows,
        nextOf: ({ nextBefore }) => (nextBefore === null ? undefined : { before: nextBefore }),
      }}
      columns={columns}
      rowKey={({ id }) => String(id)}
      empty={text("person.none")}
    />
  );
}

function Keys({ user }: Part) {
  const text = useConsoleText();
  const columns: readonly Column<ApiKey>[] = [
    { id: "label", title: text("person.keyLabel"), className: "font-medium", read: ({ label }) => label },
    {
      id: "key",
      title: text("person.key"),
      className: "font-mono text-label",
      read: ({ apiKey }) => `${apiKey.slice(0, 8)}…`,
    },
    { id: "permissions", title: text("person.permissions"), read: ({ permissions }) => permissions.join(", ") },
    {
      id: "created",
      title: text("person.time"),
      kind: "time",
      className: `${nowrap} text-muted`,
      read: ({ createdAtMs }) => time(createdAtMs),
    },
    {
      id: "used",
      title: text("person.lastUse"),
      kind: "time",
      className: nowrap,
      read: ({ lastUse }) => time(lastUse?.timeMs ?? null),
    },
    {
      id: "expires",
      title: text("person.expires"),
      kind: "time",
      className: nowrap,
      read: ({ expiresAtMs }) => time(expiresAtMs),
    },
  ];
  return (
    <SectionPanel<typeof PERSON_SECTIONS.keys.called, ApiKey>
      title={text("person.tab.keys")}
      source={{ called: PERSON_SECTIONS.keys.called, input: { user }, rowsOf: ({ keys }) => keys }}
      columns={columns}
      rowKey={({ apiKey }) => apiKey}
      empty={text("person.noKeys")}
      noExport
    />
  );
}

function Letters({ user }: Part) {
  const text = useConsoleText();
  const columns: readonly Column<Letter>[] = [
    timeColumn(text("person.time"), ({ createdAtMs }) => createdAtMs),
    { id: "title", title: text("person.letter"), className: "font-medium", read: ({ title }) => title },
    { id: "kind", title: text("person.type"), className: "text-muted", read: ({ kind }) => kind },
    {
      id: "read",
      title: text("person.read"),
      read: ({ isRead }) => text(isRead ? "label.yes" : "label.no"),
      render: ({ isRead }) => <Badge>{text(isRead ? "person.isRead" : "person.isUnread")}</Badge>,
    },
  ];
  return (
    <SectionPanel<typeof PERSON_SECTIONS.letters.called, Letter>
      title={text("person.tab.letters")}
      source={{
        called: PERSON_SECTIONS.letters.called,
        input: { user },
        rowsOf: ({ letters }) => letters,
        nextOf: ({ nextBefore }) => (nextBefore === null ? undefined : { before: nextBefore }),
      }}
      columns={columns}
      rowKey={({ id }) => String(id)}
      empty={text("person.none")}
    />
  );
}

function NoteList({ user, mayWrite }: { readonly user: string; readonly mayWrite: boolean }) {
  const text = useConsoleText();
  const calls = useCalls();
  const [typed, setTyped] = useState("");
  const [added, setAdded] = useState<Notes>();
  const [isBusy, setBusy] = useState(false);
  const section = useSection({ called: PEOPLE_CALLS.notes, input: { user }, rowsOf: ({ notes }: Notes) => notes });
  const add = async () => {
    setBusy(true);
    const answer = await (await calls()).call(PEOPLE_CALLS.addNote, { user, text: typed.trim() });
    setBusy(false);
    if (!answer.ok) return;
    setAdded(answer.data);
    setTyped("");
  };
  const notes = added?.notes ?? section.rows ?? [];
  return (
    <Panel title={text("person.tab.notes")} note={text("person.notesLead")}>
      {mayWrite && (
        <div className="mb-3 flex flex-wrap items-end gap-2">
          <TextField
            label={text("person.newNote")}
            value={typed}
            onChange={setTyped}
            maxLength={1_000}
            className="min-w-60 flex-1"
          />
          <Button size={32} busy={isBusy} isDisabled={typed.trim() === ""} onPress={() => void add()}>
            {text("person.addNote")}
          </Button>
        </div>
      )}
      {notes.length === 0 && <PanelEmpty text={text("person.noNotes")} />}
      <ul className="grid gap-3">
        {notes.map(({ id, by, text: note, atMs }) => (
          <li key={id} className="border-line border-b pb-3 last:border-0 last:pb-0">
            <p className="[overflow-wrap:anywhere]">{note}</p>
            <p className="figures mt-1 text-label text-muted">
              {by} · {formatDateTime(atMs)}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function AuditLog({ user }: { readonly user: string }) {
  const text = useConsoleText();
  const columns: readonly Column<AuditPage["rows"][number]>[] = [
    timeColumn(text("audit.time"), ({ atMs }) => atMs),
    {
      id: "operator",
      title: text("audit.operator"),
      className: "font-medium",
      read: ({ operatorName }) => operatorName,
    },
    { id: "action", title: text("audit.action"), read: ({ action }) => action },
    {
      id: "detail",
      title: text("audit.detail"),
      className: "text-muted [overflow-wrap:anywhere]",
      read: ({ detail }) => detail,
    },
  ];
  return (
    <SectionPanel<typeof OPERATOR_CALLS.audit, AuditPage["rows"][number]>
      title={text("person.tab.audit")}
      source={{
        called: OPERATOR_CALLS.audit,
        input: { subject: user },
        rowsOf: ({ rows }) => rows,
        nextOf: ({ nextBefore }) => (nextBefore === null ? undefined : { before: nextBefore }),
      }}
      columns={columns}
      rowKey={({ id }) => String(id)}
      empty={text("audit.empty")}
    />
  );
}
