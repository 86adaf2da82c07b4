// `/wallet/transfer`: transfers between own accounts, at once and free. A futures account can transfer what its
// positions and orders do not need, as the exchange reports it.

import { formatCoins } from "@clockwork/kit/format";
import { WALLET_CALLS } from "@clockwork/trading/wallet/contract";
import { AmountField } from "@clockwork/ui/amount-field";
import { Button, IconButton } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { compareDecimals } from "@clockwork/ui/logic/decimal-text";
import { useState } from "react";
import { useRevalidator } from "react-router";
import { sendIntent } from "#live/intent.ts";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { ShortFunds } from "#session/short-funds.tsx";
import { VoidedGold } from "#session/voided-gold.tsx";
import { LateSelect } from "#shell/late-select.tsx";
import { WalletFrame } from "#shell/wallet-frame.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useWalletText } from "#words/wallet-text.ts";

export const MOVABLE = ["1", "2", "3", "4"] as const;
export type MovableBook = (typeof MOVABLE)[number];

export interface TransferPageProps {
  readonly coins: readonly { readonly asset: string; readonly name: string; readonly decimals: number }[];
  /** What may leave each account, by wallet type and coin. */
  readonly free: Readonly<Record<MovableBook, Readonly<Record<string, string>>>>;
  /** The coins that have an inverse account. */
  readonly inverse: readonly string[];
}

const CLIENT_ID_LENGTH = 24;
const LINEAR = "USDT";

/** Accounts that can hold a coin: linear contracts settle in USDT, inverse ones in their coins. */
function booksOf(asset: string, inverse: readonly string[]): readonly MovableBook[] {
  return MOVABLE.filter((book) => (book === "3" ? asset === LINEAR : book === "4" ? inverse.includes(asset) : true));
}

function useMove({ coins, free, inverse }: TransferPageProps) {
  const [asset, setAsset] = useState(LINEAR);
  const [from, setFrom] = useState<MovableBook>("1");
  const [to, setTo] = useState<MovableBook>("3");
  const [amount, setAmount] = useState("");
  const books = booksOf(asset, inverse);
  const source = books.includes(from) ? from : "1";
  const target = books.includes(to) && to !== source ? to : (books.find((book) => book !== source) ?? "2");
  return {
    asset,
    from: source,
    to: target,
    books,
    amount,
    setAmount,
    free: free[source][asset] ?? "0",
    places: coins.find((coin) => coin.asset === asset)?.decimals ?? 8,
    chooseAsset: (next: string) => {
      setAsset(next);
      setAmount("");
    },
    chooseFrom: (next: string) => {
      // The other way round when both would be the same.
      if (next === target) setTo(source);
      setFrom(next as MovableBook);
    },
    chooseTo: (next: string) => {
      if (next === source) setFrom(target);
      setTo(next as MovableBook);
    },
    turn: () => {
      setFrom(target);
      setTo(source);
    },
  };
}

export function TransferPage(props: TransferPageProps) {
  const text = useWalletText();
  return (
    <WalletFrame title={text("transfer.title")}>
      <div className="max-w-[640px]">
        <MoveCard {...props} />
      </div>
    </WalletFrame>
  );
}

function MoveCard(props: TransferPageProps) {
  const text = useWalletText();
  const words = useAuthText();
  const calls = useCalls();
  const { revalidate } = useRevalidator();
  const move = useMove(props);
  const [isBusy, setBusy] = useState(false);
  const [result, setNotified] = useState<{ readonly error?: string; readonly done?: string }>({});
  const { asset, from, to, amount } = move;
  const isMuch = amount !== "" && compareDecimals(amount, move.free) > 0;
  const contents = { asset, amount, from, to, ...(from === "4" || to === "4" ? { sub: asset } : {}) };
  const send = async () => {
    setBusy(true);
    const request = await calls();
    const mint = () => request.mintOrderId().slice(-CLIENT_ID_LENGTH);
    const answer = await sendIntent("wallet transfer", contents, { mint, nowMs: Date.now() }, (clientId) =>
      request.call(WALLET_CALLS.transfer, { ...contents, clientId }),
    );
    setBusy(false);
    if (!answer.ok) return setNotified({ error: describeFailure(words, answer) });
    setNotified({ done: text("transfer.done", { amount: formatCoins(amount), asset, account: text(`wallet.${to}`) }) });
    move.setAmount("");
    await revalidate();
  };
  return (
    <Card>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy && amount !== "" && !isMuch) void send();
        }}
      >
        <FormError>{result.error}</FormError>
        <Accounts move={move} />
        <LateSelect
          label={text("label.coin")}
          value={asset}
          onChange={move.chooseAsset}
          size={48}
          options={props.coins.map((coin) => ({
            id: coin.asset,
            title: coin.asset,
            detail: coin.name,
            glyph: <CoinGlyph code={coin.asset} size={20} />,
          }))}
        />
        <AmountField
          label={text("label.amount")}
          name="amount"
          size={48}
          value={amount}
          onChange={(next) => {
            move.setAmount(next);
            setNotified({});
          }}
          rules={{ places: move.places }}
          unit={asset}
          maxValue={move.free}
          error={
            isMuch
              ? text("transfer.tooMuch", { amount: formatCoins(move.free), asset, account: text(`wallet.${from}`) })
              : undefined
          }
          help={text("transfer.free", { amount: formatCoins(move.free), asset, account: text(`wallet.${from}`) })}
        />
        {from === "1" && (
          <ShortFunds asset={asset} free={move.free} wanted={amount} onFunded={() => void revalidate()} />
        )}
        <VoidedGold {...contents} />
        <Button type="submit" kind="primary" size={48} wide busy={isBusy} isDisabled={amount === "" || isMuch}>
          {text("transfer.submit", { amount: amount === "" ? "" : formatCoins(amount), asset })}
        </Button>
        <p role="status" className="text-center text-label text-muted">
          {result.done ?? text("transfer.note")}
        </p>
      </form>
    </Card>
  );
}

function Accounts({ move }: { readonly move: ReturnType<typeof useMove> }) {
  const text = useWalletText();
  const options = move.books.map((book) => ({ id: book, title: text(`wallet.${book}`) }));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-end gap-2 max-sm:grid-cols-1">
      <LateSelect
        label={text("convert.from")}
        value={move.from}
        onChange={move.chooseFrom}
        size={48}
        options={options}
      />
      <IconButton
        icon="swap"
        size={40}
        label={text("transfer.turn")}
        onPress={move.turn}
        className="mb-1 justify-self-center"
      />
      <LateSelect label={text("convert.to")} value={move.to} onChange={move.chooseTo} size={48} options={options} />
    </div>
  );
}
