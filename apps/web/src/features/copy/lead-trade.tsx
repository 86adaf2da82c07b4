// Trading the lead account from the leader's overview: a short ticket, and what is open with the way to close it.
import { COPY_CALLS, type Identity } from "@clockwork/strategies/copy/contract";
import { FUTURES_CALLS } from "@clockwork/trading/futures/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Segmented } from "@clockwork/ui/segmented";
import { TextField } from "@clockwork/ui/text-field";
import { showToast } from "@clockwork/ui/toast";
import { useContext, useEffect, useState } from "react";
import { sendIntent } from "#live/intent.ts";
import { RequestContext } from "#live/react.ts";
import { useCalls } from "#session/auth-context.ts";
import { LateSelect } from "#shell/late-select.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useCopyText } from "./copy-text.ts";
import { PositionTable } from "./position-table.tsx";

const LEAD_ACCOUNT = "lead";
const AMOUNT = /^[0-9]+(\.[0-9]{1,8})?$/;
const CLIENT_ID_LENGTH = 24;

export function LeadTrade({ identity }: { readonly identity: Identity }) {
  const text = useCopyText();
  return (
    <Card title={text("lead.book")} className="col-span-full">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-[340px_minmax(0,1fr)]">
        <Ticket />
        <PositionTable kind="futures" positions={identity.positions} hasLeader={false} accountOf={() => LEAD_ACCOUNT} />
      </div>
    </Card>
  );
}

function usePairs(): readonly string[] {
  const request = useContext(RequestContext);
  const [pairs, setPairs] = useState<readonly string[]>([]);
  useEffect(() => {
    void request?.call(COPY_CALLS.futures.config, {}).then((answer) => {
      if (answer.ok) setPairs(answer.data.pairs);
    });
  }, [request]);
  return pairs;
}

function Ticket() {
  const text = useCopyText();
  const words = useAuthText();
  const calls = useCalls();
  const pairs = usePairs();
  const [chosen, setPair] = useState<string>();
  const [type, setType] = useState<"market" | "limit">("market");
  const [price, setPrice] = useState("");
  const [quantity, setQuantity] = useState("");
  const [busy, setBusy] = useState(false);
  const pairCode = chosen ?? pairs[0] ?? "";
  const isReady = pairCode !== "" && AMOUNT.test(quantity) && (type === "market" || AMOUNT.test(price));
  const send = async (side: "buy" | "sell") => {
    setBusy(true);
    const client = await calls();
    const limit = type === "limit" ? { price } : {};
    const choice = { pairCode, side, type, quantity, account: LEAD_ACCOUNT, ...limit };
    const mint = () => client.mintOrderId().slice(-CLIENT_ID_LENGTH);
    const answer = await sendIntent("lead order", choice, { mint, nowMs: Date.now() }, (clientOrderId) =>
      client.call(FUTURES_CALLS.place, { ...choice, clientOrderId }, { api: "futures" }),
    );
    setBusy(false);
    if (!answer.ok) {
      showToast({ title: describeFailure(words, answer), tone: "danger" });
      return;
    }
    setQuantity("");
    showToast({ title: text("lead.ordered"), tone: "done" });
  };
  const field = (label: string, value: string, onChange: (value: string) => void, unit: string) => (
    <TextField
      label={label}
      value={value}
      onChange={(next) => onChange(next.replace(",", "."))}
      maxLength={20}
      inputMode="decimal"
      suffix={<span className="text-muted">{unit}</span>}
    />
  );
  return (
    <div className="flex flex-col gap-3">
      <LateSelect
        label={text("pair")}
        options={pairs.map((id) => ({ id, title: id.replace("_", "") }))}
        value={pairCode}
        onChange={setPair}
      />
      <Segmented
        label={text("lead.type")}
        wide
        size={36}
        segments={[
          { id: "market", title: text("lead.market") },
          { id: "limit", title: text("lead.limit") },
        ]}
        value={type}
        onChange={(id) => setType(id === "limit" ? "limit" : "market")}
      />
      {type === "limit" && field(text("mine.price"), price, setPrice, "USDT")}
      {field(text("size"), quantity, setQuantity, pairCode.split("_")[0] ?? "")}
      <div className="grid grid-cols-2 gap-2">
        <Button kind="buy" size={40} busy={busy} isDisabled={!isReady} onPress={() => void send("buy")}>
          {text("lead.buy")}
        </Button>
        <Button kind="sell" size={40} busy={busy} isDisabled={!isReady} onPress={() => void send("sell")}>
          {text("lead.sell")}
        </Button>
      </div>
      <p className="text-[13px] text-muted">{text("lead.trade")}</p>
    </div>
  );
}
