// The interface sheet: the same parts as the reference picture, in the same places.

import { AmountField } from "@clockwork/ui/amount-field";
import { Button } from "@clockwork/ui/button";
import { Checkbox } from "@clockwork/ui/checkbox";
import { CodeField } from "@clockwork/ui/code-field";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { Figure } from "@clockwork/ui/figure";
import { Icon } from "@clockwork/ui/icon";
import { Mark } from "@clockwork/ui/mark";
import { StalePill } from "@clockwork/ui/pill";
import { Progress } from "@clockwork/ui/progress";
import { SkeletonRows } from "@clockwork/ui/skeleton";
import { PERCENT_STOPS, Slider } from "@clockwork/ui/slider";
import { EmptyState, ErrorState } from "@clockwork/ui/state";
import { Switch } from "@clockwork/ui/switch";
import { type Column, Table } from "@clockwork/ui/table";
import { Tabs } from "@clockwork/ui/tabs";
import { TextField } from "@clockwork/ui/text-field";
import { TOAST_CLASS, ToastBody } from "@clockwork/ui/toast";
import { Term } from "@clockwork/ui/tooltip";
import { useState } from "react";

function Head({ title, note }: { title: string; note?: string }) {
  return (
    <div className="mb-2 flex items-baseline justify-between text-label">
      <span className="font-semibold text-text">{title}</span>
      <span className="text-muted">{note}</span>
    </div>
  );
}

interface Row {
  pair: string;
  side: "Buy" | "Sell";
  price: string;
  amount: string;
  filled: string;
}
const ROWS: Row[] = [
  { pair: "BTC/USDT", side: "Buy", price: "63,970.0", amount: "0.15000", filled: "0%" },
  { pair: "BTC/USDT", side: "Sell", price: "64,236.5", amount: "0.20000", filled: "35%" },
  { pair: "ETH/USDT", side: "Buy", price: "3,212.50", amount: "1.2000", filled: "0%" },
];
const COLUMNS: Column<Row>[] = [
  {
    id: "pair",
    title: "Pair",
    read: (row) => row.pair,
    render: (row) => <span className="font-medium">{row.pair}</span>,
  },
  {
    id: "side",
    title: "Side",
    read: (row) => row.side,
    render: (row) => <span className={row.side === "Buy" ? "text-up-text" : "text-down-text"}>{row.side}</span>,
  },
  { id: "price", title: "Price", kind: "number", read: (row) => row.price },
  { id: "amount", title: "Amount", kind: "number", read: (row) => row.amount },
  { id: "filled", title: "Filled", kind: "number", read: (row) => row.filled, className: "text-muted" },
];

function First() {
  const [label, setLabel] = useState("Ledger cold store");
  const [price, setPrice] = useState("80000.0");
  const [amount, setAmount] = useState("1000.5");
  const [share, setShare] = useState(62);
  return (
    <div className="flex flex-col gap-4">
      <div>
        <Head title="Buttons" note="36 px, radius 8" />
        <div className="mb-3 flex gap-2">
          <Button kind="primary">Deposit</Button>
          <Button kind="primary">Hover</Button>
          <Button kind="primary" autoFocus>
            Focus
          </Button>
          <Button kind="primary" busy className="w-11">
            &nbsp;
          </Button>
        </div>
        <div className="mb-3 flex gap-2">
          <Button>Withdraw</Button>
          <Button kind="ghost" className="px-3">
            Cancel
          </Button>
          <Button isDisabled>Disabled</Button>
        </div>
        <div className="flex gap-2" data-surface="terminal">
          <Button kind="buy" size={40} wide>
            Buy BTC
          </Button>
          <Button kind="sell" size={40} wide>
            Sell BTC
          </Button>
        </div>
      </div>
      <div>
        <Head title="Fields" note="40 px" />
        <div className="flex flex-col gap-3">
          <TextField label="Address label" value={label} onChange={setLabel} help="Only you see this name." />
          <AmountField
            label="Price"
            value={price}
            onChange={setPrice}
            rules={{ places: 1 }}
            unit={<span className="text-muted">USDT</span>}
            error="Too high. Buys are accepted up to 76,942.0."
          />
        </div>
      </div>
      <div>
        <Head title="Amount" note="unit, max, keeps 1,000.5" />
        <AmountField
          label="Amount"
          labelHidden
          value={amount}
          onChange={setAmount}
          rules={{ places: 2, max: "25620.00" }}
          unit={
            <>
              <CoinGlyph code="USDT" size={16} /> USDT
            </>
          }
          maxValue="25620.00"
          help="Available 25,620.00 USDT"
          helpAside="≈ 0.01560 BTC"
        />
      </div>
      <div>
        <Head title="Slider" note="stops at 25%, drag by 1%" />
        <Slider
          label="Share"
          value={share}
          onChange={setShare}
          stops={PERCENT_STOPS}
          describe={(value) => `${value}%`}
          bubble="always"
          className="pt-9"
        />
      </div>
      <div>
        <Head title="Choices" />
        <div className="flex gap-5">
          <Checkbox defaultSelected>Post-only</Checkbox>
          <Checkbox>Iceberg</Checkbox>
          <Switch defaultSelected>TP / SL</Switch>
        </div>
      </div>
    </div>
  );
}

function Second() {
  const [code, setCode] = useState("407");
  const [tab, setTab] = useState("overview");
  return (
    <div className="flex flex-col gap-6">
      <div>
        <Head title="Code" note="six boxes, accepts paste" />
        <CodeField label="Code" labelHidden value={code} onChange={setCode} />
        <div className="mt-1 flex w-[328px] justify-between text-label text-muted">
          <span>Sent to m•••@clockwork.example</span>
          <span>Send again in 0:42</span>
        </div>
      </div>
      <div>
        <Head title="Tabs" />
        <Tabs
          label="Sections"
          selected={tab}
          onSelect={setTab}
          panelClassName="hidden"
          items={["Overview", "Deposits", "Withdrawals", "Statements"].map((title) => ({
            id: title.toLowerCase(),
            title,
          }))}
        />
      </div>
      <div>
        <Head title="Table" note="terminal, 12/16, rows 32" />
        <div data-surface="terminal" className="overflow-hidden rounded-control border border-line bg-bg">
          <Table
            label="Orders"
            rows={ROWS}
            columns={COLUMNS}
            rowKey={(row) => row.price}
            sort={{ column: "pair", direction: "descending" }}
            onSort={() => {}}
            className="[--edge:12px]"
          />
        </div>
      </div>
      <div>
        <Head title="Skeleton" note="the final shape, no text" />
        <div className="rounded-control border border-line bg-surface p-3">
          <SkeletonRows disc />
        </div>
      </div>
      <div>
        <Head title="Empty" note="why, and one action" />
        <EmptyState
          boxed
          text="You have no open orders on BTC/USDT."
          action={<Button size={32}>Show all pairs</Button>}
        />
      </div>
      <div>
        <Head title="Progress" note="numbers for long work" />
        <Progress
          label="Deposit 0.25000 BTC"
          detail="1 of 2 confirmations, about 9 min"
          steps={{ done: 1, count: 2 }}
        />
      </div>
    </div>
  );
}

function Third() {
  return (
    <div className="flex flex-col gap-6">
      <div>
        <Head title="Dialog" note="exact effect before money moves" />
        <div className="rounded-card bg-raised p-5 shadow-raised">
          <div className="mb-3 flex justify-between text-card">
            Confirm sell <Icon name="close" className="text-muted" />
          </div>
          <div className="figures mb-3 rounded-control bg-surface p-3 font-medium">
            <span className="text-down-text">Sell</span> 0.5 BTC at 64,120.0 → 32,060.0 USDT
          </div>
          <dl className="figures mb-3 grid grid-cols-[1fr_auto] gap-y-1">
            <dt className="text-muted">Fee, maker 0.100%</dt>
            <dd className="text-right">32.06 USDT</dd>
            <dt className="text-muted">You receive</dt>
            <dd className="font-semibold">32,027.94 USDT</dd>
          </dl>
          <Checkbox className="mb-3 text-muted">Don’t ask again for limit orders</Checkbox>
          <div className="flex gap-2">
            <Button size={40} wide>
              Back
            </Button>
            <Button kind="sell" size={40} wide>
              Sell 0.5 BTC
            </Button>
          </div>
        </div>
      </div>
      <div>
        <Head title="Toasts" />
        <div className="flex flex-col gap-2">
          <div className={TOAST_CLASS}>
            <ToastBody
              onClose={() => {}}
              message={{
                title: "Sell order placed",
                detail: "0.5 BTC at 64,120.0.",
                action: { label: "View order", href: "#" },
              }}
            />
          </div>
          <div className={TOAST_CLASS}>
            <ToastBody
              onClose={() => {}}
              message={{
                tone: "danger",
                title: "Order refused",
                detail: "Needs 84.20 USDT more than is available.",
                action: { label: "Deposit", href: "#" },
              }}
            />
          </div>
        </div>
      </div>
      <div className="grid grid-cols-2">
        <div>
          <Head title="Stale" />
          <StalePill>Stale 8 s, reconnecting</StalePill>
          <div className="mt-2">
            <Figure text="64,118.4" stale className="font-semibold text-[20px] leading-6" />
          </div>
        </div>
        <div>
          <Head title="Tooltip" />
          <Term text="Mark price, median of three fair prices">Mark</Term> <Figure text="64,127.6" />
        </div>
      </div>
      <div>
        <Head title="Failing" note="what happened, what to do" />
        <ErrorState
          title="Order history did not load"
          detail="It took too long. Your orders are safe."
          onRetry={() => {}}
        />
      </div>
    </div>
  );
}

export function Sheet() {
  return (
    <>
      <header className="flex h-14 items-center gap-4 border-line border-b bg-header px-6">
        <span className="flex items-center gap-2 font-semibold text-[16px]">
          <Mark /> Clockwork
        </span>
        <h1 className="flex-1 text-muted">Components</h1>
        <Mark size={16} />
        <Mark size={20} />
        <Mark size={32} />
      </header>
      <main className="grid grid-cols-[352px_376px_376px] gap-6 p-6 pt-5">
        <First />
        <Second />
        <Third />
      </main>
    </>
  );
}
