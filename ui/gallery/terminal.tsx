// An order form made of the components, to hold beside the terminal picture.

import { AmountField } from "@clockwork/ui/amount-field";
import { Button } from "@clockwork/ui/button";
import { Checkbox } from "@clockwork/ui/checkbox";
import { Icon } from "@clockwork/ui/icon";
import { KeyCap } from "@clockwork/ui/pill";
import { PriceField } from "@clockwork/ui/price-field";
import { Segmented } from "@clockwork/ui/segmented";
import { Select } from "@clockwork/ui/select";
import { PERCENT_STOPS, Slider } from "@clockwork/ui/slider";
import { Switch } from "@clockwork/ui/switch";
import { Tabs } from "@clockwork/ui/tabs";
import { useState } from "react";

export function Terminal() {
  const [side, setSide] = useState("buy");
  const [price, setPrice] = useState("64050.0");
  const [amount, setAmount] = useState("0.10000");
  const [share, setShare] = useState(25);
  const [kind, setKind] = useState("limit");
  const [period, setPeriod] = useState("GTC");
  return (
    <main data-surface="terminal" className="figures min-h-dvh bg-gutter p-1 text-label text-text">
      <h1 className="sr-only">Terminal</h1>
      <div className="flex w-[304px] flex-col gap-2 rounded-panel bg-bg p-3">
        <Segmented
          label="Side"
          wide
          size={36}
          value={side}
          onChange={setSide}
          segments={[
            {
              id: "buy",
              title: (
                <>
                  Buy <KeyCap onFill>B</KeyCap>
                </>
              ),
              tone: "up",
            },
            {
              id: "sell",
              title: (
                <>
                  Sell <KeyCap>S</KeyCap>
                </>
              ),
              tone: "down",
            },
          ]}
        />
        <Tabs
          label="Kind"
          selected={kind}
          onSelect={setKind}
          panelClassName="hidden"
          aside={<Icon name="info" className="text-muted" />}
          items={[
            { id: "limit", title: "Limit" },
            { id: "market", title: "Market" },
            { id: "plan", title: "Plan" },
          ]}
        />
        <div className="flex justify-between">
          <span className="text-muted">Available</span> <span className="font-medium">25,620.00 USDT</span>
        </div>
        <PriceField label="Price" step="0.1" value={price} onChange={setPrice} unit="USDT" />
        <AmountField label="Amount" labelInside rules={{ places: 5 }} value={amount} onChange={setAmount} unit="BTC" />
        <Slider label="Share" value={share} onChange={setShare} stops={PERCENT_STOPS} />
        <AmountField label="Total" labelInside rules={{ places: 2 }} value="6405.00" onChange={() => {}} unit="USDT" />
        <Switch defaultSelected>TP / SL</Switch>
        <div className="flex items-center gap-4">
          <Checkbox defaultSelected>Post-only</Checkbox>
          <Checkbox>Iceberg</Checkbox>
          <span className="ml-auto">
            <Select
              plain
              label="Valid"
              value={period}
              onChange={setPeriod}
              options={["GTC", "IOC", "FOK"].map((id) => ({ id, title: id }))}
            />
          </span>
        </div>
        <Button kind="buy" size={40} wide>
          Buy 0.10000 BTC <KeyCap onFill>Enter</KeyCap>
        </Button>
        <div className="flex gap-2">
          <Button size={28} wide>
            Deposit
          </Button>
          <Button size={28} wide>
            Transfer
          </Button>
        </div>
      </div>
    </main>
  );
}
