// What the visitor holds in earn, with interest that grows by the second (shown, not credited), the way out, the daily sweep
// and coupons.
import { EARN_CALLS, type EarnCoupon, type EarnHolding, type EarnHoldings } from "@clockwork/earning/earn/contract";
import { formatPercent } from "@clockwork/kit/format";
import { formatDate, formatMinute } from "@clockwork/kit/time";
import { AmountField } from "@clockwork/ui/amount-field";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { Switch } from "@clockwork/ui/switch";
import { useEffect, useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { SiteLink } from "#boot/site-link.tsx";
import { useCalls } from "#session/auth-context.ts";
import { FailedLine } from "#session/failed-line.tsx";
import { useEarnText } from "#words/earn-text.ts";
import { formatAmount, shownAccrued } from "./earn-model.ts";

const RedeemDialog = latePart(async () => (await import("./redeem-dialog.tsx")).RedeemDialog);
const DAY_MS = 86_400_000;
const TICK_MS = 1_000;

/** The exchange's time, moved on by the second. */
function useTicking(servedMs: number): number {
  const [nowMs, setNowMs] = useState(servedMs);
  useEffect(() => {
    const startedAt = performance.now();
    const timer = setInterval(() => setNowMs(servedMs + (performance.now() - startedAt)), TICK_MS);
    return () => clearInterval(timer);
  }, [servedMs]);
  return nowMs;
}

export function HoldingsCard({
  holdings,
  isSignedIn,
  onChanged,
}: {
  readonly holdings: EarnHoldings | null;
  readonly isSignedIn: boolean;
  readonly onChanged: () => void;
}) {
  const text = useEarnText();
  const [chosen, setChosen] = useState<EarnHolding>();
  const nowMs = useTicking(holdings?.timeMs ?? 0);
  if (holdings === null && isSignedIn) {
    return (
      <Card title={text("holdings.title")}>
        <FailedLine />
      </Card>
    );
  }
  if (holdings === null) {
    return (
      <Card title={text("holdings.title")}>
        <p className="mb-4 text-muted text-ui">{text("loginToSubscribe")}</p>
        <SiteLink to="/login" className={buttonClass({ kind: "primary", size: 40, wide: true })}>
          {text("login")}
        </SiteLink>
      </Card>
    );
  }
  return (
    <Card title={text("holdings.title")}>
      <p className="figures text-section">
        {formatAmount(holdings.totalUsdt)} <span className="text-label text-muted">USD</span>
      </p>
      <p className="figures mb-2 flex gap-4 text-label text-muted">
        <span>{text("holdings.yesterday", { amount: `+${formatAmount(holdings.yesterdayUsdt)}` })}</span>
        <span>{text("holdings.all", { amount: `+${formatAmount(holdings.allTimeUsdt)}` })}</span>
      </p>
      {holdings.holdings.length === 0 ? <p className="text-muted text-ui">{text("holdings.empty")}</p> : null}
      <ul>
        {holdings.holdings.map((holding) => (
          <HoldingRow
            key={holding.holdingId}
            holding={holding}
            nowMs={nowMs}
            onRedeem={() => setChosen(holding)}
            onChanged={onChanged}
          />
        ))}
      </ul>
      {chosen === undefined ? null : (
        <RedeemDialog key={chosen.holdingId} holding={chosen} onClose={() => setChosen(undefined)} onDone={onChanged} />
      )}
    </Card>
  );
}

/** Where the whole card is. */
export const HOLDINGS_PLACE = "holdings";

/** On a phone products come before holdings: one line above them summarises the holdings and links to them. */
export function HoldingsSummary({ holdings }: { readonly holdings: EarnHoldings }) {
  const text = useEarnText();
  if (holdings.holdings.length === 0) return null;
  return (
    <a href={`#${HOLDINGS_PLACE}`} className="block rounded-xl border border-line p-4 lg:hidden">
      <span className="flex justify-between gap-3 text-label text-muted">
        <span>{text("holdings.inUsd")}</span>
        <span>{text("holdings.running", { count: holdings.holdings.length })}</span>
      </span>
      <span className="figures flex items-baseline justify-between gap-3">
        <span className="text-section">{formatAmount(holdings.totalUsdt)}</span>
        <span className="text-label text-muted">
          {text("holdings.yesterday", { amount: `+${formatAmount(holdings.yesterdayUsdt)}` })}
        </span>
      </span>
    </a>
  );
}

function HoldingRow(props: {
  readonly holding: EarnHolding;
  readonly nowMs: number;
  readonly onRedeem: () => void;
  readonly onChanged: () => void;
}) {
  const text = useEarnText();
  const calls = useCalls();
  const { holding, nowMs, onRedeem, onChanged } = props;
  const { kind, asset, days, rate } = holding;
  const gone = Math.max(0, Math.min(days, Math.floor((nowMs - holding.startsAtMs) / DAY_MS)));
  const title =
    kind === "flexible"
      ? text("holding.flexible")
      : kind === "fixed"
        ? text("holding.fixed", { days, rate: formatPercent(rate) })
        : text("holding.shark", { days });
  const change = async (setting: { readonly compound: boolean } | { readonly autoRenew: boolean }) => {
    await (await calls()).call(EARN_CALLS.settings, { holdingId: holding.holdingId, ...setting });
    onChanged();
  };
  return (
    <li className="grid grid-cols-[28px_minmax(0,1fr)_auto] gap-x-3 border-line border-t py-3 text-ui">
      <CoinGlyph code={asset} size={24} />
      <div>
        <p className="font-medium">{title}</p>
        {kind === "shark" ? (
          <p className="text-label text-muted">
            {nowMs < holding.startsAtMs
              ? text("holding.starts", { date: formatMinute(holding.startsAtMs), days })
              : text("holding.day", { done: gone, days })}
          </p>
        ) : (
          <button
            type="button"
            className="cursor-pointer text-label text-text underline-offset-2 hover:underline"
            onClick={onRedeem}
          >
            {text("holding.redeem")}
          </button>
        )}
      </div>
      <div className="figures text-right">
        <p className="font-medium">{`${formatAmount(holding.principal, { decimals: asset === "USDT" ? 2 : 4 })} ${asset}`}</p>
        <p className="text-label text-muted">
          {kind === "flexible"
            ? text("holding.accrued", { amount: formatAmount(shownAccrued(holding, nowMs), { decimals: 10 }) })
            : holding.expected === null
              ? text("holding.settles", { date: holding.endsAtMs === null ? "" : formatMinute(holding.endsAtMs) })
              : text("holding.pays", {
                  amount: formatAmount(holding.expected, { decimals: 4 }),
                  date: holding.endsAtMs === null ? "" : formatDate(holding.endsAtMs),
                })}
        </p>
      </div>
      {kind === "flexible" ? (
        <div className="col-span-2 col-start-2 mt-1">
          <Switch isSelected={holding.isCompound} onChange={(isOn) => void change({ compound: isOn })}>
            <span className="text-label text-muted">{text("holding.compound")}</span>
          </Switch>
        </div>
      ) : (
        <div
          className="col-span-2 col-start-2 mt-2 h-1 overflow-hidden rounded-full bg-line"
          role="progressbar"
          aria-label={title}
          aria-valuenow={gone}
          aria-valuemin={0}
          aria-valuemax={days}
        >
          <div className="h-full bg-text" style={{ width: `${(gone / Math.max(1, days)) * 100}%` }} />
        </div>
      )}
      {kind === "flexible" ? null : (
        <div className="col-span-2 col-start-2 mt-2">
          <Switch isSelected={holding.isRenewed} onChange={(isOn) => void change({ autoRenew: isOn })}>
            <span className="text-label text-muted">{text("holding.renew")}</span>
          </Switch>
        </div>
      )}
    </li>
  );
}

export function AutoApplyCard({
  holdings,
  onChanged,
}: {
  readonly holdings: EarnHoldings;
  readonly onChanged: () => void;
}) {
  const text = useEarnText();
  const calls = useCalls();
  const set = holdings.autoApply.find(({ asset }) => asset === "USDT");
  const [reserve, setReserve] = useState(set?.reserve ?? "5000");
  const save = async (isOn: boolean) => {
    await (await calls()).call(EARN_CALLS.autoApply, {
      asset: "USDT",
      isOn,
      reserve: reserve === "" ? "0" : reserve,
    });
    onChanged();
  };
  return (
    <Card
      title={text("apply.title")}
      aside={
        <Switch
          aria-label={text("apply.switch", { coin: "USDT" })}
          isSelected={set?.isOn === true}
          onChange={(isOn) => void save(isOn)}
        />
      }
    >
      <p className="mb-3 text-muted text-ui">{text("apply.note", { coin: "USDT" })}</p>
      <div className="flex items-end gap-2">
        <AmountField
          label={text("apply.reserve")}
          value={reserve}
          onChange={setReserve}
          rules={{ places: 6, min: "0" }}
          unit="USDT"
        />
        <Button kind="neutral" size={40} onPress={() => void save(set?.isOn === true)}>
          {text("apply.save")}
        </Button>
      </div>
    </Card>
  );
}

export function CouponsCard({ coupons }: { readonly coupons: readonly EarnCoupon[] | null }) {
  const text = useEarnText();
  const open = (coupons ?? []).filter(({ state }) => state === "OPEN");
  return (
    <Card title={text("coupons.title")}>
      {coupons === null ? <FailedLine /> : null}
      {coupons !== null && open.length === 0 ? <p className="text-muted text-ui">{text("coupons.empty")}</p> : null}
      <ul className="grid gap-2">
        {open.map((coupon) => (
          <li key={coupon.couponId} className="rounded-lg border border-line2 border-dashed p-3 text-ui">
            <p className="flex justify-between gap-2">
              <span className="figures font-medium">{`+${formatPercent(coupon.rate)} ${text("apr")}`}</span>
              <span className="text-label text-muted">
                {text("coupons.until", { date: formatDate(coupon.expiresAtMs) })}
              </span>
            </p>
            <p className="text-label text-muted">
              {text(coupon.kind === "fixed" ? "coupons.fixed" : "coupons.flexible", {
                cap: formatAmount(coupon.cap, { decimals: 0 }),
                coin: coupon.asset,
                days: coupon.days,
              })}
            </p>
          </li>
        ))}
      </ul>
      <p className="mt-3 text-label text-muted">{text("coupons.one")}</p>
    </Card>
  );
}
