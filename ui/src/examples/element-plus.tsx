// Live examples of the component gallery: actions, fields, choices, feedback.

import { useState } from "react";
import { AmountField } from "../amount-field.tsx";
import { Button, IconButton } from "../button.tsx";
import { Checkbox } from "../checkbox.tsx";
import { CodeField } from "../code-field.tsx";
import { CoinGlyph } from "../coin-glyph.tsx";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { CopyButton } from "../copy-button.tsx";
import { Dialog } from "../dialog.tsx";
import { findFault } from "../logic/amount-edit.ts";
import { Menu } from "../menu.tsx";
import { PasswordField } from "../password-field.tsx";
import { Badge, KeyCap, StalePill } from "../pill.tsx";
import { PriceField } from "../price-field.tsx";
import { RadioGroup } from "../radio.tsx";
import { Sheet } from "../sheet.tsx";
import { PERCENT_STOPS, Slider } from "../slider.tsx";
import { Switch } from "../switch.tsx";
import { Tabs } from "../tabs.tsx";
import { TextField } from "../text-field.tsx";
import { showToast } from "../toast.tsx";
import { Tooltip } from "../tooltip.tsx";

/** One primary button per view; buy and sell take the colours of movement. */
export function Buttons() {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button kind="primary">Deposit</Button>
      <Button icon="arrow-up">Withdraw</Button>
      <Button kind="ghost">Cancel</Button>
      <Button kind="buy">Buy</Button>
      <Button kind="sell">Sell</Button>
      <Button busy>Sending</Button>
      <Button isDisabled>Disabled</Button>
      <Tooltip text="Refresh">
        <IconButton icon="refresh" label="Refresh" />
      </Tooltip>
    </div>
  );
}

/** Text, password with strength, and the six-box code. */
export function TextFields() {
  const [label, setLabel] = useState("Ledger cold store");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("407");
  return (
    <div className="grid w-[360px] max-w-full gap-5">
      <TextField label="Address label" value={label} onChange={setLabel} clearable help="Only you see this name." />
      <PasswordField
        label="New password"
        value={password}
        onChange={setPassword}
        strength={{ lengthText: "8 to 32 characters", classesText: "Two of letters, digits, signs" }}
      />
      <CodeField label="Code" value={code} onChange={setCode} />
    </div>
  );
}

const RULES = { places: 2, min: "10", max: "25620.00" } as const;
const FAULTS = {
  illegal: "Not an amount.",
  "below-min": "At least 10 USDT.",
  "above-max": "More than is available.",
  "off-step": "Not a whole step.",
} as const;

/** Exact amounts: grouped while typed, caret kept, "1,000.5" accepted. */
export function Amounts() {
  const [amount, setAmount] = useState("1000.5");
  const [price, setPrice] = useState("64050.0");
  const fault = findFault(amount, RULES);
  return (
    <div className="grid w-[360px] max-w-full gap-5">
      <AmountField
        label="Amount"
        value={amount}
        onChange={setAmount}
        rules={RULES}
        maxValue={RULES.max}
        unit={
          <>
            <CoinGlyph code="USDT" size={16} /> USDT
          </>
        }
        help="Available 25,620.00 USDT"
        error={fault && FAULTS[fault]}
      />
      <PriceField label="Price" step="0.1" value={price} onChange={setPrice} unit="USDT" />
    </div>
  );
}

/** Checked and on are neutral; colour is kept for movement and the main action. */
export function Choices() {
  const [share, setShare] = useState(62);
  return (
    <div className="grid w-[360px] max-w-full gap-5">
      <div className="flex gap-5">
        <Checkbox defaultSelected>Post-only</Checkbox>
        <Checkbox isIndeterminate>Some</Checkbox>
        <Switch defaultSelected>TP / SL</Switch>
      </div>
      <RadioGroup
        label="Margin"
        defaultValue="cross"
        orientation="horizontal"
        options={[
          { value: "cross", title: "Cross" },
          { value: "isolated", title: "Isolated" },
        ]}
      />
      <Slider label="Share" value={share} onChange={setShare} stops={PERCENT_STOPS} describe={(value) => `${value}%`} />
    </div>
  );
}

/** A dialog that can be dragged by its head, a sheet from the bottom, a menu. */
export function Overlays() {
  return (
    <div className="flex flex-wrap gap-2">
      <Dialog
        title="Confirm sell"
        trigger={<Button>Open dialog</Button>}
        actions={(close) => (
          <>
            <Button size={40} onPress={close}>
              Back
            </Button>
            <Button kind="sell" size={40} onPress={close}>
              Sell 0.5 BTC
            </Button>
          </>
        )}
      >
        <p className="rounded-control bg-surface p-3 font-medium">Sell 0.5 BTC at 64,120.0 for 32,060.0 USDT</p>
        <Checkbox>Don’t ask again for limit orders</Checkbox>
      </Dialog>
      <ConfirmDialog
        title="Cancel all orders?"
        trigger={<Button>Ask first</Button>}
        onConfirm={() => showToast({ title: "All orders cancelled" })}
      >
        <p className="text-muted">Three open orders are taken out of the book.</p>
      </ConfirmDialog>
      <Sheet title="Order" trigger={<Button>Open sheet</Button>}>
        <p className="py-6 text-muted">Swipe down, press outside or Esc to close.</p>
      </Sheet>
      <Menu
        label="Time in force"
        selected="gtc"
        trigger={<Button icon="chevron-down">Menu</Button>}
        groups={[
          {
            entries: [
              { id: "gtc", title: "Good till cancelled", detail: "GTC" },
              { id: "ioc", title: "Immediate or cancel", detail: "IOC" },
              { id: "fok", title: "Fill or kill", detail: "FOK" },
            ],
          },
        ]}
      />
    </div>
  );
}

/** Notices queue up, and end in a link to what they are about. */
export function Notices() {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        onPress={() =>
          showToast({
            title: "Sell order placed",
            detail: "0.5 BTC at 64,120.0.",
            action: { label: "View order", href: "#order" },
          })
        }
      >
        Done
      </Button>
      <Button
        onPress={() =>
          showToast({ tone: "danger", title: "Order refused", detail: "Needs 84.20 USDT more than is available." })
        }
      >
        Refused
      </Button>
      <Badge>GTC</Badge>
      <Badge tone="warn">Not bound</Badge>
      <Badge tone="outline" round>
        This device
      </Badge>
      <KeyCap>Enter</KeyCap>
      <StalePill>Stale 8 s, reconnecting</StalePill>
      <CopyButton text="0x71C7656EC7ab88b098defB751B7401B5f6d8976F" what="address" />
    </div>
  );
}

/** The underline marks the current place. */
export function TabExample() {
  const [tab, setTab] = useState("overview");
  return (
    <Tabs
      label="Wallet"
      selected={tab}
      onSelect={setTab}
      items={[
        { id: "overview", title: "Overview", panel: "What is there." },
        { id: "deposits", title: "Deposits", count: 2, panel: "What came in." },
        { id: "statements", title: "Statements", panel: "What happened." },
      ]}
    />
  );
}
