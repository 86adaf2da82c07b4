// Live examples of the component gallery: actions, fields, choices, feedback.
import { useState } from "react";
import { AmountField } from "../amount-field.tsx";
import { Button, IconButton } from "../button.tsx";
import { Checkbox } from "../checkbox.tsx";
import { CodeField } from "../code-field.tsx";
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

/** Buttons. One main action per view; buy and sell take the colours of movement. */
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

const STRENGTH = { lengthText: "8 to 32 characters", classesText: "Two of letters, digits, signs" };

/** Text fields. Text, a password with its strength, and the six-box code. */
export function TextFields() {
  const [label, setLabel] = useState("Ledger cold store");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("407");
  return (
    <div className="grid w-[360px] max-w-full gap-5">
      <TextField label="Address label" value={label} onChange={setLabel} clearable help="Only you see this name." />
      <PasswordField label="New password" value={password} onChange={setPassword} strength={STRENGTH} />
      <CodeField label="Code" value={code} onChange={setCode} />
    </div>
  );
}

const RULES = { places: 2, min: "10", max: "25620.00" } as const;

/** Amounts. Exact: grouped while typed, the caret kept, 1,000.5 accepted. */
export function Amounts() {
  const [amount, setAmount] = useState("1000.5");
  const [price, setPrice] = useState("64050.0");
  const error = findFault(amount, RULES) && "Between 10 and 25,620 USDT.";
  return (
    <div className="grid w-[360px] max-w-full gap-5">
      <AmountField label="Amount" value={amount} onChange={setAmount} rules={RULES} unit="USDT" error={error} />
      <PriceField label="Price" step="0.1" value={price} onChange={setPrice} unit="USDT" />
    </div>
  );
}

const MARGINS = [
  { value: "cross", title: "Cross" },
  { value: "isolated", title: "Isolated" },
];

/** Choices. Checked and on are neutral; colour is kept for movement. */
export function Choices() {
  const [share, setShare] = useState(62);
  return (
    <div className="grid w-[360px] max-w-full gap-5">
      <Checkbox defaultSelected>Post-only</Checkbox>
      <Switch defaultSelected>TP / SL</Switch>
      <RadioGroup label="Margin" defaultValue="cross" orientation="horizontal" options={MARGINS} />
      <Slider label="Share" value={share} onChange={setShare} stops={PERCENT_STOPS} describe={(value) => `${value}%`} />
    </div>
  );
}

const ENTRIES = [
  { id: "gtc", title: "Good till cancelled", detail: "GTC" },
  { id: "ioc", title: "Immediate or cancel", detail: "IOC" },
];

/** Dialog, sheet, menu. A dialog is dragged by its head and keeps 72 px free below. */
export function Overlays() {
  const cancel = () => showToast({ title: "All orders cancelled" });
  return (
    <div className="flex flex-wrap gap-2">
      <Dialog
        title="Confirm sell"
        trigger={<Button>Open dialog</Button>}
        actions={(close) => <Button onPress={close}>Back</Button>}
      >
        Sell 0.5 BTC at 64,120.0 for 32,060.0 USDT
      </Dialog>
      <ConfirmDialog title="Cancel all orders?" trigger={<Button>Ask first</Button>} onConfirm={cancel}>
        Three open orders are taken out of the book.
      </ConfirmDialog>
      <Sheet title="Order" trigger={<Button>Open sheet</Button>}>
        Swipe down, press outside or Esc to close.
      </Sheet>
      <Menu
        label="Time in force"
        selected="gtc"
        trigger={<Button icon="chevron-down">Menu</Button>}
        groups={[{ entries: ENTRIES }]}
      />
    </div>
  );
}

/** Notices. They queue up, and end in a link to what they are about. */
export function Notices() {
  const action = { label: "View order", href: "#order" };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button onPress={() => showToast({ title: "Sell order placed", action })}>Done</Button>
      <Button onPress={() => showToast({ tone: "danger", title: "Order refused" })}>Refused</Button>
      <Badge tone="warn">Not bound</Badge>
      <KeyCap>Enter</KeyCap>
      <StalePill>Stale 8 s, reconnecting</StalePill>
      <CopyButton text="0x71C7656EC7ab88b098defB751B7401B5f6d8976F" what="address" />
    </div>
  );
}

const TABS = [
  { id: "overview", title: "Overview", panel: "What is there." },
  { id: "deposits", title: "Deposits", count: 2, panel: "What came in." },
];

/** Tabs. The underline marks the current place. */
export function TabExample() {
  const [tab, setTab] = useState("overview");
  return <Tabs label="Wallet" selected={tab} onSelect={setTab} items={TABS} />;
}
