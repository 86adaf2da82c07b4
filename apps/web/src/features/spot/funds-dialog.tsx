// Where money to trade with comes from: test funds in the default run, or a transfer from the funding account. Loaded on
// demand.

import { FAUCET_CALLS } from "@clockwork/trading/spot/contract";
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { AmountField } from "@clockwork/ui/amount-field";
import { Button } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { Icon } from "@clockwork/ui/icon";
import { Segmented } from "@clockwork/ui/segmented";
import { useEffect, useState } from "react";
import type { Answer } from "#live/answer.ts";
import { sendIntent } from "#live/intent.ts";
import type { RequestClient } from "#live/request.ts";
import { useCalls } from "#session/auth-context.ts";
import { readServed, writeShown } from "#trade/order/exact.ts";
import { notify } from "#trade/order/notices.ts";
import { describeRefusal, useTradeText } from "#trade/trade-text.ts";
import type { FormPartProps } from "./form-fields.tsx";
import { ledgerScale } from "./form-preview.ts";
import { useSpotText } from "./spot-text.ts";
import type { Own } from "./use-own.ts";

export interface FundsDialogProps extends FormPartProps {
  readonly own: Own;
  readonly kind: "funds" | "transfer";
  readonly onClose: () => void;
}

export function FundsDialog(props: FundsDialogProps) {
  const text = useSpotText();
  return (
    <Dialog
      title={text(props.kind === "funds" ? "funds.title" : "transfer.title")}
      isOpen
      onOpenChange={(isOpen) => !isOpen && props.onClose()}
      surface="terminal"
    >
      {props.kind === "funds" ? <FaucetForm {...props} /> : <TransferForm {...props} />}
    </Dialog>
  );
}

/** A round sum of the quote coin, a handful of the base. */
function firstAmount(asset: string, quote: string, last: string | undefined): string {
  if (asset === quote) return "10000";
  const price = Number(last ?? "0");
  return price > 10_000 ? "0.1" : price > 500 ? "2" : price > 10 ? "50" : "5000";
}

function FaucetForm({ form, onClose }: FundsDialogProps) {
  const text = useSpotText();
  const trade = useTradeText();
  const { pair, last } = form.world;
  const [asset, setAsset] = useState(form.state.side === "buy" ? pair.quote : pair.base);
  const [amount, setAmount] = useState(firstAmount(asset, pair.quote, last));
  const send = useSender(onClose);
  const choose = (next: string) => {
    setAsset(next);
    setAmount(firstAmount(next, pair.quote, last));
    send.clear();
  };
  const get = () =>
    send.run(
      "faucet",
      { asset, amount },
      (request, clientId) => request.call(FAUCET_CALLS.give, { asset, amount, clientId }, { api: "root" }),
      () => notify({ title: text("toast.funded", { amount: writeShown(readServed(amount), 0), asset }) }),
    );
  return (
    <>
      <p className="text-label text-muted">{text("funds.note")}</p>
      <Segmented
        label={text("funds.asset")}
        wide
        value={asset}
        onChange={choose}
        segments={[pair.quote, pair.base].map((id) => ({ id, title: id }))}
      />
      <AmountField
        label={trade("amount")}
        labelInside
        name="faucetAmount"
        value={amount}
        onChange={(next) => {
          setAmount(next);
          send.clear();
        }}
        rules={{ places: ledgerScale(asset) }}
        unit={asset}
        error={send.problem}
        autoFocus
      />
      <Button kind="primary" size={40} wide busy={send.isBusy} isDisabled={amount === ""} onPress={get}>
        {text("funds.get", { amount: writeShown(readServed(amount), 0), asset })}
      </Button>
    </>
  );
}

function TransferForm({ form, own, onClose }: FundsDialogProps) {
  const text = useSpotText();
  const trade = useTradeText();
  const { pair } = form.world;
  const [asset, setAsset] = useState(form.state.side === "buy" ? pair.quote : pair.base);
  const [isToSpot, setToSpot] = useState(true);
  const [amount, setAmount] = useState("");
  const funding = useFunding();
  const send = useSender(onClose);
  // What is not in a list that arrived is not there.
  const held = isToSpot
    ? funding
    : own.balances && new Map([...own.balances].map(([key, one]) => [key, one.available]));
  const available = held === undefined ? undefined : (held.get(asset) ?? "0");
  const [from, to] = isToSpot ? (["funding", "spot"] as const) : (["spot", "funding"] as const);
  const contents = { asset, amount, from: isToSpot ? "2" : "1", to: isToSpot ? "1" : "2" } as const;
  const move = () =>
    send.run(
      "transfer",
      contents,
      (request, clientId) => request.call(WALLET_CALLS.transfer, { ...contents, clientId }),
      () =>
        notify({
          title: text("toast.moved", {
            amount: writeShown(readServed(amount), 0),
            asset,
            account: text(`transfer.${to}`),
          }),
        }),
    );
  return (
    <>
      <div className="flex items-center justify-between rounded-control bg-surface px-3 py-2 text-ui dark:bg-bg">
        <span>
          <span className="block text-label text-muted">{text("transfer.from")}</span>
          {text(`transfer.${from}`)}
        </span>
        <Button kind="ghost" size={32} square aria-label={text("transfer.swap")} onPress={() => setToSpot(!isToSpot)}>
          <Icon name="swap" />
        </Button>
        <span className="text-right">
          <span className="block text-label text-muted">{text("transfer.to")}</span>
          {text(`transfer.${to}`)}
        </span>
      </div>
      <Segmented
        label={text("funds.asset")}
        wide
        value={asset}
        onChange={setAsset}
        segments={[pair.quote, pair.base].map((id) => ({ id, title: id }))}
      />
      <AmountField
        label={trade("amount")}
        labelHidden
        value={amount}
        onChange={(next) => {
          setAmount(next);
          send.clear();
        }}
        rules={{ places: ledgerScale(asset) }}
        unit={asset}
        maxValue={available}
        help={`${trade("available")} ${available === undefined ? "–" : writeShown(readServed(available), 2)} ${asset}`}
        error={send.problem}
        autoFocus
      />
      <Button kind="primary" size={40} wide busy={send.isBusy} isDisabled={amount === ""} onPress={move}>
        {text("transfer.send")}
      </Button>
    </>
  );
}

type Call = (request: RequestClient, clientId: string) => Promise<Answer<unknown>>;

/** What the exchange takes as the name of one movement of money. */
const CLIENT_ID_LENGTH = 24;

/** One intent of a dialog: busy while it runs, closed when it is done, its refusal next to the field. */
function useSender(onClose: () => void) {
  const text = useTradeText();
  const calls = useCalls();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const run = async (form: string, contents: object, call: Call, onDone: () => void) => {
    setBusy(true);
    const request = await calls();
    const mint = () => request.mintOrderId().slice(-CLIENT_ID_LENGTH);
    const answer = await sendIntent(form, contents, { mint, nowMs: Date.now() }, (clientId) => call(request, clientId));
    setBusy(false);
    if (!answer.ok) {
      setProblem(describeRefusal(text, answer));
      return;
    }
    onDone();
    onClose();
  };
  return {
    isBusy,
    problem,
    clear: () => setProblem(undefined),
    run: (form: string, contents: object, call: Call, onDone: () => void) => void run(form, contents, call, onDone),
  };
}

/** What the funding account has, by asset. */
function useFunding(): ReadonlyMap<string, string> | undefined {
  const calls = useCalls();
  const [held, setHeld] = useState<ReadonlyMap<string, string>>();
  useEffect(() => {
    const ask = async () => {
      const answer = await (await calls()).call(WALLET_CALLS.accounts, { walletTypeList: ["2"] });
      if (!answer.ok) return;
      const assets = answer.data.accounts.find((account) => account.walletType === "2")?.assets ?? [];
      setHeld(new Map(assets.map((one) => [one.asset, one.available])));
    };
    void ask();
  }, [calls]);
  return held;
}
