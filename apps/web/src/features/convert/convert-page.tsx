// `/wallet/convert`: one coin into another at a firm price valid for ten seconds, and small balances into USDT.

import { formatCoins, formatDecimal } from "@clockwork/kit/format";
import { CONVERT_CALLS, type Conversion, type Quote } from "@clockwork/trading/convert/contract";
import { AmountField } from "@clockwork/ui/amount-field";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Checkbox } from "@clockwork/ui/checkbox";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { compareDecimals } from "@clockwork/ui/logic/decimal-text";
import { EmptyState } from "@clockwork/ui/state";
import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { sendIntent } from "#live/intent.ts";
import { Latest } from "#live/latest.ts";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { ShortFunds } from "#session/short-funds.tsx";
import { LateSelect } from "#shell/late-select.tsx";
import { WalletFrame } from "#shell/wallet-frame.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useWalletText } from "#words/wallet-text.ts";
import { rateOf } from "./convert-model.ts";

const ConversionList = latePart(async () => (await import("./conversion-list.tsx")).ConversionList);

export interface ConvertPageProps {
  readonly coins: readonly { readonly asset: string; readonly name: string; readonly decimals: number }[];
  readonly held: readonly { readonly asset: string; readonly available: string; readonly worthUsdt: string | null }[];
  readonly conversions: readonly Conversion[];
}

/** What the exchange takes as small. */
const SMALL_USDT = 10;
const CLIENT_ID_LENGTH = 16;

export function ConvertPage(props: ConvertPageProps) {
  const text = useWalletText();
  return (
    <WalletFrame title={text("convert.title")}>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_420px]">
        <InstantCard {...props} />
        <SmallCard {...props} />
      </div>
      <ConversionList conversions={props.conversions} />
    </WalletFrame>
  );
}

const shownRate = (amount: string, receives: string): string => formatCoins(rateOf(amount, receives) ?? "");

function useQuote() {
  const words = useAuthText();
  const calls = useCalls();
  const { revalidate } = useRevalidator();
  const [quote, setQuote] = useState<Quote>();
  const [result, setNotified] = useState<{ readonly error?: string; readonly done?: Quote }>({});
  const [isBusy, setBusy] = useState(false);
  const [latest] = useState(() => new Latest());
  const ask = async (from: string, to: string, amount: string) => {
    setBusy(true);
    const body = { from, to, amount };
    const answer = await latest.ask(async () => (await calls()).call(CONVERT_CALLS.quote, body));
    // The request changed in between: the price of the earlier one must not be used for this one.
    if (answer === undefined) return;
    setBusy(false);
    setQuote(answer.ok ? answer.data : undefined);
    setNotified(answer.ok ? {} : { error: describeFailure(words, answer) });
  };
  const take = async (taken: Quote) => {
    setBusy(true);
    const answer = await (await calls()).call(CONVERT_CALLS.accept, { quoteId: taken.quoteId });
    setBusy(false);
    setQuote(undefined);
    setNotified(answer.ok ? { done: taken } : { error: describeFailure(words, answer) });
    if (answer.ok) await revalidate();
  };
  const drop = () => {
    latest.drop();
    setQuote(undefined);
    setBusy(false);
  };
  return { quote, answer: result, isBusy, ask, take, drop };
}

/** Whole seconds until then; updated once a second. */
function useSecondsLeft(untilMs: number | undefined): number {
  const [leftMs, setLeftMs] = useState(0);
  useEffect(() => {
    if (untilMs === undefined) return;
    const look = () => setLeftMs(Math.max(0, untilMs - Date.now()));
    look();
    const timer = setInterval(look, 250);
    return () => clearInterval(timer);
  }, [untilMs]);
  return Math.ceil(leftMs / 1_000);
}

function InstantCard({ coins, held }: ConvertPageProps) {
  const text = useWalletText();
  const { quote, answer: result, isBusy, ask, take, drop } = useQuote();
  const { revalidate } = useRevalidator();
  const first = held[0]?.asset ?? "USDT";
  const [from, setFrom] = useState(first);
  const [to, setTo] = useState(first === "USDT" ? "BTC" : "USDT");
  const [amount, setAmount] = useState("");
  const seconds = useSecondsLeft(quote?.expiresAtMs);
  const isFirm = quote !== undefined && seconds > 0;
  const available = held.find((one) => one.asset === from)?.available ?? "0";
  const isMuch = amount !== "" && compareDecimals(amount, available) > 0;
  const options = coins.map(({ asset, name }) => ({
    id: asset,
    title: asset,
    detail: name,
    glyph: <CoinGlyph code={asset} size={20} />,
  }));
  const change = (set: (value: string) => void) => (value: string) => {
    drop();
    set(value);
  };
  return (
    <Card title={text("convert.instant")}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void (isFirm ? take(quote) : ask(from, to, amount));
        }}
      >
        <FormError>{result.error}</FormError>
        <div className="grid gap-3 sm:grid-cols-2">
          <LateSelect
            label={text("convert.from")}
            value={from}
            onChange={change(setFrom)}
            size={48}
            options={options}
          />
          <LateSelect label={text("convert.to")} value={to} onChange={change(setTo)} size={48} options={options} />
        </div>
        <AmountField
          label={text("label.amount")}
          name="amount"
          size={48}
          value={amount}
          onChange={change(setAmount)}
          rules={{ places: coins.find((one) => one.asset === from)?.decimals ?? 8 }}
          unit={from}
          maxValue={available}
          error={isMuch ? text("convert.available", { amount: formatCoins(available), asset: from }) : undefined}
          help={text("convert.available", { amount: formatCoins(available), asset: from })}
        />
        <ShortFunds asset={from} free={available} wanted={amount} onFunded={() => void revalidate()} />
        {isFirm && (
          <div className="rounded-control bg-surface p-4 dark:bg-bg" role="status">
            <p className="text-label text-muted">{text("convert.receives")}</p>
            <p className="figures font-semibold text-[20px]">
              {formatCoins(quote.receives)} {quote.to}
            </p>
            <p className="figures mt-1 text-ui">
              {text("convert.rateOf", {
                from: quote.from,
                rate: shownRate(quote.amount, quote.receives),
                to: quote.to,
              })}
            </p>
            <p className="figures text-label text-muted">
              {text("convert.rateOf", {
                from: quote.to,
                rate: shownRate(quote.receives, quote.amount),
                to: quote.from,
              })}
            </p>
            <p className="figures mt-1 text-label text-muted">
              {text("convert.firm", { seconds, spread: (Number(quote.spread) * 100).toFixed(2) })}
            </p>
          </div>
        )}
        <Button
          type="submit"
          kind="primary"
          size={48}
          wide
          busy={isBusy}
          isDisabled={amount === "" || from === to || isMuch}
        >
          {isFirm ? text("convert.take", { amount, from }) : text("convert.ask")}
        </Button>
        {result.done !== undefined && (
          <p role="status" className="text-center text-ui">
            {text("convert.done", {
              amount: result.done.amount,
              from: result.done.from,
              receives: result.done.receives,
              to: result.done.to,
            })}
          </p>
        )}
      </form>
    </Card>
  );
}

function SmallCard({ held }: ConvertPageProps) {
  const text = useWalletText();
  const words = useAuthText();
  const calls = useCalls();
  const { revalidate } = useRevalidator();
  const small = held.filter(
    ({ asset, worthUsdt }) => asset !== "USDT" && worthUsdt !== null && Number(worthUsdt) < SMALL_USDT,
  );
  const [left, setLeft] = useState<readonly string[]>([]);
  const [result, setNotified] = useState<{ readonly error?: string; readonly done?: string }>({});
  const chosen = small.map(({ asset }) => asset).filter((asset) => !left.includes(asset));
  const sweep = async () => {
    const request = await calls();
    const mint = () => request.mintOrderId().slice(-CLIENT_ID_LENGTH);
    const answer = await sendIntent("convert small", { assets: chosen }, { mint, nowMs: Date.now() }, (clientId) =>
      request.call(CONVERT_CALLS.small, { assets: chosen, clientId }),
    );
    setNotified(
      answer.ok
        ? { done: text("convert.smallDone", { receives: answer.data.receives }) }
        : { error: describeFailure(words, answer) },
    );
    if (answer.ok) await revalidate();
  };
  return (
    <Card title={text("convert.small")}>
      <FormError>{result.error}</FormError>
      {small.length === 0 ? (
        <EmptyState text={result.done ?? text("convert.noSmall")} />
      ) : (
        <>
          <p className="text-label text-muted">{text("convert.smallNote")}</p>
          <ul className="my-3">
            {small.map(({ asset, available, worthUsdt }) => (
              <li key={asset} className="flex items-center justify-between gap-3 border-line border-t py-2 text-ui">
                <Checkbox
                  isSelected={!left.includes(asset)}
                  onChange={(isOn) => setLeft(isOn ? left.filter((one) => one !== asset) : [...left, asset])}
                >
                  {formatCoins(available)} {asset}
                </Checkbox>
                <span className="figures text-muted">{formatDecimal(worthUsdt ?? "0", { decimals: 2 })} USDT</span>
              </li>
            ))}
          </ul>
          <Button size={40} wide isDisabled={chosen.length === 0} onPress={() => void sweep()}>
            {text("convert.smallTake", { count: chosen.length })}
          </Button>
          {result.done !== undefined && (
            <p role="status" className="mt-2 text-center text-label">
              {result.done}
            </p>
          )}
        </>
      )}
    </Card>
  );
}
