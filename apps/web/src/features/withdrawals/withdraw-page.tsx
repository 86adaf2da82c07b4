// `/wallet/withdraw`: the request on the left, its effect and proof on the right, limits, withdrawals in progress, and
// the address book below.
import type { AddressBook, Limits, WithdrawalList } from "@clockwork/custody/withdrawals/contract";
import { formatCoins, formatDecimal } from "@clockwork/kit/format";
import { AmountField } from "@clockwork/ui/amount-field";
import { Card } from "@clockwork/ui/card";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { SiteLink } from "#boot/site-link.tsx";
import { LateSelect } from "#shell/late-select.tsx";
import { WalletFrame } from "#shell/wallet-frame.tsx";
import { useWalletText } from "#words/wallet-text.ts";
import { useAddressLook } from "./address-look.ts";
import { useFieldFaults } from "./field-faults.ts";
import { findAmountFault } from "./withdraw-model.ts";
import { WithdrawNotes } from "./withdraw-notes.tsx";
import { WithdrawalRows } from "./withdraw-rows.tsx";
import { leavesOf, Stays } from "./withdraw-stays.tsx";

const BookCard = latePart(async () => (await import("./address-book.tsx")).BookCard);
const WhitelistCard = latePart(async () => (await import("./whitelist-mode.tsx")).WhitelistCard);
const ReviewCard = latePart(async () => (await import("./withdraw-review.tsx")).ReviewCard);

/** A network as this page needs it, from custody. */
export interface OutNetwork {
  readonly network: string;
  readonly name: string;
  readonly state: "open" | "away" | "paused";
  readonly signer: "ready" | "away" | "refused";
  readonly blockSeconds: number;
  readonly unlockBlocks: number;
  readonly coins: readonly {
    readonly asset: string;
    readonly withdrawMin: string;
    readonly withdrawFee: string;
  }[];
}

export interface WithdrawPageProps {
  readonly coins: readonly {
    readonly asset: string;
    readonly name: string;
    readonly decimals: number;
    readonly priceUsdt: string | null;
  }[];
  readonly networks: readonly OutNetwork[];
  readonly available: Readonly<Record<string, string>>;
  readonly limits: Limits | null;
  readonly book: AddressBook;
  readonly withdrawals: WithdrawalList;
}

export function WithdrawPage(props: WithdrawPageProps) {
  const text = useWalletText();
  const { limits, book, networks } = props;
  const choice = useChoice(props);
  return (
    <WalletFrame title={text("withdraw.title")} aside={<Places />}>
      {limits === null ? (
        <p className="text-muted">{text("label.failed")}</p>
      ) : (
        <>
          <WithdrawNotes locks={limits.locks} signer={networks[0]?.signer ?? "ready"} />
          <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_420px]">
            <div className="flex min-w-0 flex-col gap-4">
              <Details choice={choice} {...props} />
              <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
                <LimitCard limits={limits} />
                <WhitelistCard book={book} locks={limits.locks} />
              </div>
            </div>
            <ReviewCard choice={choice} limits={limits} book={book} withdrawals={props.withdrawals} />
          </div>
          <div className="mt-4 grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
            <WithdrawalRows first={props.withdrawals} book={book} />
            <BookCard book={book} networks={networks} isWhitelist={book.isWhitelist} />
          </div>
        </>
      )}
    </WalletFrame>
  );
}

function Places() {
  const text = useWalletText();
  return (
    <div className="flex flex-wrap gap-2">
      <SiteLink to="/wallet/addresses" className={buttonClass({ size: 40 })}>
        <Icon name="book" />
        {text("book.title")}
      </SiteLink>
      <SiteLink to="/wallet/history?group=withdrawals" className={buttonClass({ size: 40 })}>
        <Icon name="clock" />
        {text("withdraw.history")}
      </SiteLink>
    </div>
  );
}

export type Choice = ReturnType<typeof useChoice>;

function useChoice({ coins, networks, available, limits }: WithdrawPageProps) {
  const listed = coins.filter(({ asset }) => networks.some((one) => one.coins.some((coin) => coin.asset === asset)));
  const [asset, setAsset] = useState(
    () => listed.find((coin) => available[coin.asset] !== undefined)?.asset ?? listed[0]?.asset ?? "",
  );
  const [code, setCode] = useState<string>();
  const [address, setAddress] = useState("");
  const [amount, setAmount] = useState("");
  const { faults, refuse, clear } = useFieldFaults();
  const open = networks.filter((one) => one.coins.some((coin) => coin.asset === asset));
  const network = open.find((one) => one.network === code) ?? open[0];
  const rules = network?.coins.find((coin) => coin.asset === asset);
  const look = useAddressLook(asset, network?.network, address);
  const leaves = leavesOf(limits, asset, available[asset] ?? "0");
  const price = asset === "USDT" ? "1" : (coins.find((coin) => coin.asset === asset)?.priceUsdt ?? null);
  const isOwn = look.found?.way === "self";
  const amountFault = findAmountFault({
    amount,
    leaves: isOwn ? (available[asset] ?? "0") : leaves,
    min: rules?.withdrawMin,
    priceUsdt: isOwn ? null : price,
    limitLeftUsdt: limits?.leftUsdt ?? "0",
  });
  return {
    listed,
    asset,
    open,
    network,
    rules,
    address,
    amount,
    faults,
    refuse,
    amountFault,
    setAddress: (next: string) => {
      setAddress(next);
      clear();
    },
    setAmount: (next: string) => {
      setAmount(next);
      clear();
    },
    look,
    held: available[asset] ?? "0",
    leaves,
    price,
    places: coins.find((coin) => coin.asset === asset)?.decimals ?? 8,
    setNetwork: setCode,
    setAsset: (next: string) => {
      setAsset(next);
      setAmount("");
      clear();
    },
  };
}

/** What is wrong with the amount, in words: found here, or by the exchange. */
function useAmountError(choice: Choice, limits: Limits | null): string | undefined {
  const text = useWalletText();
  const { amountFault, asset, leaves, rules } = choice;
  if (amountFault === "much") return text("withdraw.fault.much", { amount: formatCoins(leaves), asset });
  if (amountFault === "small") return text("withdraw.fault.small", { amount: rules?.withdrawMin ?? "0", asset });
  if (amountFault === "limit")
    return text("withdraw.fault.limit", {
      amount: formatDecimal(limits?.leftUsdt ?? "0", { grouped: true, decimals: 2 }),
    });
  return choice.faults.amount;
}

function Checked({ isShown }: { readonly isShown: boolean }) {
  const text = useWalletText();
  if (!isShown) return null;
  return (
    <span className="flex items-center gap-1.5 text-label text-muted">
      <Icon name="check" size={14} />
      {text("withdraw.checked")}
    </span>
  );
}

function Details({ choice, book, limits }: WithdrawPageProps & { readonly choice: Choice }) {
  const text = useWalletText();
  const { asset, network, address } = choice;
  const saved = book.addresses.filter((one) => one.network === network?.network);
  return (
    <Card title={text("withdraw.details")} aside={<Checked isShown={choice.look.found !== undefined} />}>
      <div className="grid gap-4 sm:grid-cols-2">
        <LateSelect
          label={text("label.coin")}
          value={asset}
          onChange={choice.setAsset}
          size={48}
          options={choice.listed.map((coin) => ({
            id: coin.asset,
            title: coin.asset,
            detail: coin.name,
            glyph: <CoinGlyph code={coin.asset} size={20} />,
          }))}
        />
        <LateSelect
          label={text("label.network")}
          value={network?.network ?? null}
          onChange={choice.setNetwork}
          size={48}
          options={choice.open.map((one) => ({
            id: one.network,
            title: one.name,
            detail: one.state === "open" ? one.network : text(`network.${one.state}`),
            isDisabled: one.state !== "open",
          }))}
        />
      </div>
      {saved.length > 0 && (
        <LateSelect
          label={text("withdraw.saved")}
          className="mt-4"
          value={saved.some((one) => one.address === address) ? address : null}
          placeholder={text("withdraw.newAddress")}
          onChange={choice.setAddress}
          options={saved.map((one) => ({ id: one.address, title: one.name, detail: one.address }))}
        />
      )}
      <TextField
        label={text("withdraw.to")}
        name="address"
        className="mt-4"
        size={48}
        value={address}
        onChange={choice.setAddress}
        help={
          choice.look.found === undefined || choice.look.found.address === address.trim()
            ? text("withdraw.addressHelp")
            : text("withdraw.checksummed", { address: choice.look.found.address })
        }
        error={choice.look.wrong ?? choice.faults.address}
        isDisabled={book.isWhitelist}
      />
      <AmountField
        label={text("label.amount")}
        name="amount"
        className="mt-4"
        size={48}
        value={choice.amount}
        onChange={choice.setAmount}
        rules={{ places: choice.places }}
        unit={asset}
        maxValue={choice.leaves}
        error={useAmountError(choice, limits)}
        help={text("withdraw.available", { amount: formatCoins(choice.leaves), asset })}
      />
      {limits !== null && <Stays limits={limits} asset={asset} held={choice.held} leaves={choice.leaves} />}
    </Card>
  );
}

function LimitCard({ limits }: { readonly limits: Limits }) {
  const text = useWalletText();
  const shown = (amount: string): string => formatDecimal(amount, { grouped: true, decimals: 2 });
  // For the eye alone.
  const share = Number(limits.usedUsdt) / (Number(limits.limitUsdt) || 1);
  return (
    <Card title={text("withdraw.limit")}>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="figures text-[20px] font-semibold text-text">{shown(limits.leftUsdt)}</span>
        <span className="text-muted text-ui">{text("withdraw.limitOf", { limit: shown(limits.limitUsdt) })}</span>
      </p>
      <div className="mt-2 h-1 overflow-hidden rounded-full bg-active">
        <div className="h-full rounded-full bg-text" style={{ width: `${Math.min(100, share * 100)}%` }} />
      </div>
      <dl className="mt-3 grid grid-cols-[1fr_auto] gap-x-3 gap-y-2 border-line border-t pt-3 text-ui">
        <dt className="text-muted">{text("withdraw.used")}</dt>
        <dd className="figures text-right">{shown(limits.usedUsdt)}</dd>
        <dt className="text-muted">{text("withdraw.byPerson")}</dt>
        <dd className="figures text-right">{shown(limits.reviewUsdt)}</dd>
      </dl>
    </Card>
  );
}
