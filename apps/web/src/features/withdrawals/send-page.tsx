// `/wallet/send`: coins to another user of the exchange by e-mail, phone or user number, at once and free; with the
// list of such transfers.
import type { Limits, Withdrawal, WithdrawalList } from "@clockwork/custody/withdrawals/contract";
import { formatCoins } from "@clockwork/kit/format";
import { AmountField } from "@clockwork/ui/amount-field";
import { Card } from "@clockwork/ui/card";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { EmptyState } from "@clockwork/ui/state";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { LateSelect } from "#shell/late-select.tsx";
import { Minute } from "#shell/moment.tsx";
import { WalletFrame } from "#shell/wallet-frame.tsx";
import { useWalletText } from "#words/wallet-text.ts";
import { useFieldFaults } from "./field-faults.ts";
import { sendToUser, sendWithdrawalCode } from "./withdraw-calls.ts";
import { isMore } from "./withdraw-model.ts";
import { leavesOf, Stays } from "./withdraw-stays.tsx";

const ProofForm = latePart(async () => (await import("./proof-form.tsx")).ProofForm);

export interface SendPageProps {
  readonly me: string;
  readonly coins: readonly { readonly asset: string; readonly name: string; readonly decimals: number }[];
  readonly available: Readonly<Record<string, string>>;
  readonly limits: Limits | null;
  readonly book: WithdrawalList;
}

export function SendPage(props: SendPageProps) {
  const text = useWalletText();
  return (
    <WalletFrame title={text("send.title")}>
      {props.limits === null ? (
        <p className="text-muted">{text("label.failed")}</p>
      ) : (
        <>
          <SendForm {...props} limits={props.limits} />
          <Book {...props} />
        </>
      )}
    </WalletFrame>
  );
}

function SendForm({ coins, available, limits }: SendPageProps & { readonly limits: Limits }) {
  const text = useWalletText();
  const [asset, setAsset] = useState(
    () => coins.find((coin) => available[coin.asset] !== undefined)?.asset ?? coins[0]?.asset ?? "",
  );
  const [to, setTo] = useState("");
  const [amount, setAmount] = useState("");
  const held = available[asset] ?? "0";
  const leaves = leavesOf(limits, asset, held);
  const { faults, refuse, clear } = useFieldFaults();
  const isMuch = amount !== "" && isMore(amount, leaves);
  const what = { asset, to: to.trim(), amount };
  const shown = amount === "" ? "–" : formatCoins(amount);
  return (
    <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_420px]">
      <Card title={text("withdraw.details")}>
        <LateSelect
          label={text("label.coin")}
          value={asset}
          onChange={(next) => {
            setAsset(next);
            setAmount("");
          }}
          size={48}
          options={coins.map((coin) => ({
            id: coin.asset,
            title: coin.asset,
            detail: coin.name,
            glyph: <CoinGlyph code={coin.asset} size={20} />,
          }))}
        />
        <TextField
          label={text("send.to")}
          name="to"
          className="mt-4"
          size={48}
          value={to}
          onChange={(next) => {
            setTo(next);
            clear();
          }}
          error={faults.to}
          help={text(limits.isWhitelist ? "send.onlySaved" : "send.toHelp")}
        />
        <AmountField
          label={text("label.amount")}
          name="amount"
          className="mt-4"
          size={48}
          value={amount}
          onChange={(next) => {
            setAmount(next);
            clear();
          }}
          error={isMuch ? text("withdraw.fault.much", { amount: formatCoins(leaves), asset }) : faults.amount}
          rules={{ places: coins.find((coin) => coin.asset === asset)?.decimals ?? 8 }}
          unit={asset}
          maxValue={leaves}
          help={text("withdraw.available", { amount: formatCoins(leaves), asset })}
        />
        <Stays limits={limits} asset={asset} held={held} leaves={leaves} />
      </Card>
      <Card title={text("withdraw.review")} className="xl:sticky xl:top-20">
        <div className="rounded-control bg-surface p-4 dark:bg-bg">
          <p className="text-label text-muted">{text("send.arrives")}</p>
          <p className="figures font-semibold text-[18px] text-text">
            {shown} <span className="font-normal text-label text-muted">{asset}</span>
          </p>
          <p className="mt-2 break-all text-label text-muted">{to === "" ? text("send.nobody") : to}</p>
        </div>
        <ProofForm
          limits={limits}
          isFilled={amount !== "" && to.trim().length >= 3 && !isMuch && faults.amount === undefined}
          submit={text("send.submit", { amount: amount === "" ? "" : formatCoins(amount), asset })}
          note={text("send.note")}
          done={text("send.done")}
          send={(request, proof) => sendToUser(request, what, proof)}
          sendCode={(request, captcha) => sendWithdrawalCode(request, what, captcha)}
          named={`${shown} ${asset} → ${what.to}`}
          onRefused={refuse}
          onDone={() => setAmount("")}
        />
      </Card>
    </div>
  );
}

function Book({ book, me }: SendPageProps) {
  const text = useWalletText();
  return (
    <Card title={text("send.book")} className="mt-4" flush>
      {book.withdrawals.length === 0 ? (
        <EmptyState text={text("send.none")} />
      ) : (
        <ul className="px-6 pb-3">
          {book.withdrawals.map((one) => (
            <Row key={one.withdrawalId} one={one} isIn={one.receiver === me} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Row({ one, isIn }: { readonly one: Withdrawal; readonly isIn: boolean }) {
  const text = useWalletText();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t py-3 text-ui">
      <span className="figures w-32 text-muted max-sm:w-full">
        <Minute at={one.createdAtMs} />
      </span>
      <span className="figures flex min-w-0 flex-1 items-center gap-2 font-medium">
        <CoinGlyph code={one.asset} size={20} />
        {isIn ? "+" : "−"}
        {formatCoins(one.arrives)} {one.asset}
      </span>
      <span className="min-w-0 flex-1 text-muted">
        {isIn ? text("send.received") : text("send.sentTo", { user: one.receiver ?? "" })}
      </span>
      <span className="text-right">{text(`out.${one.state}`, { count: 0, needed: 0 })}</span>
    </li>
  );
}
