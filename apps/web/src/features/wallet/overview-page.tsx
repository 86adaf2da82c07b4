// `/wallet`: the total and its history, its accounts, this month's profit, and the coins. Balances can be hidden from
// onlookers; the choice is kept.

import { formatDecimal } from "@clockwork/kit/format";
import { formatDate } from "@clockwork/kit/time";
import type { Profit } from "@clockwork/trading/profit/contract";
import type { WalletAccounts } from "@clockwork/trading/wallet/contract";
import { AreaCurve } from "@clockwork/ui/area-curve";
import { IconButton } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Donut } from "@clockwork/ui/donut";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { Segmented } from "@clockwork/ui/segmented";
import { EmptyState } from "@clockwork/ui/state";
import { Switch } from "@clockwork/ui/switch";
import { TextField } from "@clockwork/ui/text-field";
import { type ReactNode, useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { HIDDEN_TEXT, useHiddenAmounts } from "#session/hidden-amounts.ts";
import { useWithheld, useWorth } from "#session/worth.ts";
import { WalletFrame } from "#shell/wallet-frame.tsx";
import { useWalletText } from "#words/wallet-text.ts";
import { ACCOUNT_PAGES } from "./account-model.ts";
import { HoldingTable } from "./holding-table.tsx";
import { useLiveWallet } from "./live-wallet.ts";
import { type Holding, inCoins, showGain, showPrice, showRate, sumByType, toneOf } from "./overview-model.ts";
import { useShown } from "./use-shown.ts";

export interface OverviewPageProps {
  readonly wallet: WalletAccounts | null;
  readonly profit: Profit | null;
  readonly coins: readonly { readonly asset: string; readonly priceUsdt: string | null }[];
  /** Deposits on their way, and this month's profit: other features' parts. */
  readonly arriving: ReactNode;
  readonly calendar: ReactNode;
}

/** As fine as the ledger counts it. */
const BTC_DECIMALS = 8;
const SPANS = ["7", "30", "90", "366"] as const;

export function OverviewPage({ wallet: served, profit, coins, arriving, calendar }: OverviewPageProps) {
  const text = useWalletText();
  const wallet = useLiveWallet(served);
  const aside = (
    <div className="flex flex-wrap gap-2">
      <SiteLink to="/wallet/transfer" className={buttonClass({ size: 40 })}>
        {text("nav.transfer")}
      </SiteLink>
      <SiteLink to="/wallet/withdraw" className={buttonClass({ size: 40 })}>
        {text("nav.withdraw")}
      </SiteLink>
      <SiteLink to="/wallet/deposit" className={buttonClass({ kind: "primary", size: 40 })}>
        {text("nav.deposit")}
      </SiteLink>
    </div>
  );
  return (
    <WalletFrame title={text("overview.title")} aside={aside}>
      {wallet === null ? (
        <p className="text-muted">{text("label.failed")}</p>
      ) : (
        <div className="flex flex-col gap-4">
          <div className="grid grid-cols-1 items-stretch gap-4 xl:grid-cols-[minmax(0,1fr)_340px]">
            <TotalCard wallet={wallet} profit={profit} btcUsdt={priceOf(coins, "BTC")} />
            <AllocationCard wallet={wallet} />
          </div>
          {arriving}
          <div className="grid grid-cols-1 items-stretch gap-4 xl:grid-cols-[400px_minmax(0,1fr)]">
            <AccountsCard wallet={wallet} />
            {calendar}
          </div>
          <AssetsCard holdings={wallet.coins} priceOf={(asset) => priceOf(coins, asset)} />
        </div>
      )}
    </WalletFrame>
  );
}

function priceOf(coins: OverviewPageProps["coins"], asset: string): string | null {
  return asset === "USDT" ? "1" : (coins.find((coin) => coin.asset === asset)?.priceUsdt ?? null);
}

interface TotalCardProps {
  readonly wallet: WalletAccounts;
  readonly profit: Profit | null;
  readonly btcUsdt: string | null;
}

/** A day's profit as a share of its initial worth; transfers count with the start. */
function shareOf(day: Profit["days"][number]): string {
  const begin = Number(day.equityUsdt) - Number(day.pnlUsdt);
  return begin > 0 ? ` (${showRate(Number(day.pnlUsdt) / begin)})` : "";
}

function TotalCard({ wallet, profit, btcUsdt }: TotalCardProps) {
  const text = useWalletText();
  const shown = useShown(true);
  const total = useWorth(wallet.allUsdt);
  const inBtc = inCoins(total, btcUsdt, BTC_DECIMALS);
  const isWithheld = useWithheld();
  const { isHidden, toggle } = useHiddenAmounts();
  const [span, setSpan] = useState("90");
  const days = profit?.days.slice(-Number(span)) ?? [];
  const today = profit?.days.at(-1);
  const points = days.map(({ dayMs, equityUsdt }) => ({
    value: Number(equityUsdt),
    place: formatDate(dayMs),
    text: shown(equityUsdt, 2),
  }));
  return (
    <Card>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <p className="flex items-center gap-2 text-muted text-ui">
            {text("overview.total")}
            <IconButton
              icon={isHidden ? "eye-off" : "eye"}
              size={28}
              label={text(isHidden ? "overview.show" : "overview.hide")}
              onPress={toggle}
            />
          </p>
          <p
            data-total=""
            className="figures font-semibold text-[40px] text-text leading-[48px] tracking-tight max-sm:text-[32px]"
          >
            {shown(total, 2)} <span className="font-normal text-muted text-ui">USDT</span>
            {inBtc !== undefined && (
              <span className="ml-3 font-normal text-muted text-ui max-sm:hidden">
                ≈ {isHidden ? HIDDEN_TEXT : inBtc} BTC
              </span>
            )}
          </p>
          <p className="text-muted text-ui">
            {[
              [text("overview.available"), wallet.availableUsdt],
              [text("overview.reserved"), wallet.reservedUsdt],
              [text("overview.invested"), wallet.investedUsdt],
            ].map(([name, amount]) => (
              <span key={name} className="mr-4 inline-block">
                {name} <span className="figures text-text">{shown(amount, 2)}</span>
              </span>
            ))}
          </p>
          {today !== undefined && (
            <p className="text-ui">
              <span className="text-muted">{text("overview.today")} </span>
              <span className={`figures ${toneOf(today.pnlUsdt)}`}>
                {isHidden ? HIDDEN_TEXT : `${showGain(today.pnlUsdt)}${shareOf(today)}`}
              </span>
            </p>
          )}
        </div>
        <Segmented
          label={text("profit.span")}
          value={span}
          onChange={setSpan}
          segments={SPANS.map((id) => ({ id, title: id === "366" ? "1Y" : `${id}D` }))}
        />
      </div>
      {isWithheld ? null : points.length < 2 ? (
        <p className="mt-6 text-label text-muted">{text("overview.noCurve")}</p>
      ) : (
        <AreaCurve
          className="mt-4"
          label={text("overview.curve")}
          points={points}
          heightPx={150}
          placeCount={4}
          axisText={(value) => (isHidden ? "••••" : formatDecimal(value.toFixed(0), { grouped: true, decimals: 0 }))}
        />
      )}
    </Card>
  );
}

/** Every account, and what is committed where there is any. */
function listPlaces({ accounts, committedUsdt }: WalletAccounts, committed: string) {
  const places = sumByType(accounts);
  return Number(committedUsdt) === 0
    ? places
    : [...places, { id: "committed", name: committed, totalUsdt: committedUsdt }];
}

function AllocationCard({ wallet }: { readonly wallet: WalletAccounts }) {
  const text = useWalletText();
  const [by, setBy] = useState("asset");
  const parts =
    by === "asset"
      ? wallet.coins.map(({ asset, worthUsdt }) => ({ id: asset, title: asset, weight: Number(worthUsdt ?? 0) }))
      : listPlaces(wallet, text("overview.committed")).map(({ id, name, totalUsdt }) => ({
          id,
          title: name,
          weight: Number(totalUsdt),
        }));
  const held = parts.filter(({ weight }) => weight > 0).sort((left, right) => right.weight - left.weight);
  const whole = held.reduce((sum, { weight }) => sum + weight, 0);
  const slices = held.slice(0, 6).map((one) => ({ ...one, text: `${((one.weight / whole) * 100).toFixed(2)}%` }));
  return (
    <Card
      title={text("overview.allocation")}
      aside={
        <Segmented
          label={text("overview.allocation")}
          value={by}
          onChange={setBy}
          segments={[
            { id: "asset", title: text("overview.byAsset") },
            { id: "account", title: text("overview.byAccount") },
          ]}
        />
      }
    >
      {slices.length === 0 ? (
        <EmptyState text={text("overview.empty")} />
      ) : (
        <Donut
          label={text("overview.allocation")}
          slices={slices}
          centre={<span className="figures text-card">{held.length}</span>}
        />
      )}
    </Card>
  );
}

/** Every account, also empty ones: the list shows where funds can be held. */
function AccountsCard({ wallet }: { readonly wallet: WalletAccounts }) {
  const text = useWalletText();
  const shown = useShown(true);
  const rows = listPlaces(wallet, text("overview.committed"));
  const most = Math.max(1e-9, ...rows.map(({ totalUsdt }) => Number(totalUsdt)));
  return (
    <Card
      title={text("overview.accounts")}
      aside={<span className="text-label text-muted">{text("overview.worth")}, USDT</span>}
    >
      <ul>
        {rows.map(({ id, name, totalUsdt }) => (
          <li key={id} className="flex h-11 items-center gap-4 border-line border-t text-ui" data-account={id}>
            <AccountLink id={id} name={name} />
            <span className="h-1 min-w-0 flex-1 rounded-full bg-hover max-sm:hidden">
              <span
                className="block h-1 rounded-full bg-m4"
                style={{ width: `${(Number(totalUsdt) / most) * 100}%` }}
              />
            </span>
            <span className="figures ml-auto font-medium">{shown(totalUsdt, 2)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function AccountLink({ id, name }: { readonly id: string; readonly name: string }) {
  const page = ACCOUNT_PAGES.find(({ types }) => types.some((type) => type === id));
  if (page === undefined) return <span className="w-40 shrink-0">{name}</span>;
  return (
    <SiteLink to={`/wallet/accounts/${page.slug}`} className="w-40 shrink-0 underline-offset-2 hover:underline">
      {name}
    </SiteLink>
  );
}

const SMALL_USDT = 1;

interface AssetsCardProps {
  readonly holdings: readonly Holding[];
  readonly priceOf: (asset: string) => string | null;
}

function AssetsCard({ holdings, priceOf: price }: AssetsCardProps) {
  const text = useWalletText();
  const [isHiding, setHiding] = useState(false);
  const [wanted, setWanted] = useState("");
  const isWanted = ({ asset, name }: Holding) => `${asset} ${name}`.toLowerCase().includes(wanted.trim().toLowerCase());
  const rows = holdings.filter((one) => (!isHiding || Number(one.worthUsdt ?? 0) >= SMALL_USDT) && isWanted(one));
  return (
    <Card
      title={text("overview.assets")}
      aside={
        <span className="flex flex-wrap items-center gap-4">
          <Switch isSelected={isHiding} onChange={setHiding}>
            {text("overview.hideSmall")}
          </Switch>
          <SiteLink to="/wallet/convert" className="text-label underline-offset-2 hover:underline max-sm:hidden">
            {text("overview.small")}
          </SiteLink>
          <TextField
            label={text("overview.search")}
            labelHidden
            placeholder={text("overview.search")}
            size={32}
            value={wanted}
            onChange={setWanted}
            className="w-40 max-md:hidden"
          />
        </span>
      }
    >
      {rows.length === 0 ? (
        <EmptyState text={text("overview.empty")} />
      ) : (
        <HoldingTable
          rows={rows}
          priceOf={({ asset }) => showPrice(price(asset))}
          actions={({ asset }) => <WaysOn asset={asset} isTraded={asset !== "USDT" && price(asset) !== null} />}
        />
      )}
    </Card>
  );
}

function WaysOn({ asset, isTraded }: { readonly asset: string; readonly isTraded: boolean }) {
  const text = useWalletText();
  return (
    <span className="inline-flex gap-3 pl-4">
      <SiteLink to="/wallet/deposit" className="hover:underline">
        {text("nav.deposit")}
      </SiteLink>
      <SiteLink to="/wallet/withdraw" className="hover:underline">
        {text("nav.withdraw")}
      </SiteLink>
      {isTraded && (
        <SiteLink to={`/spot/${asset}_USDT`} className="hover:underline">
          {text("overview.trade")}
        </SiteLink>
      )}
    </span>
  );
}
