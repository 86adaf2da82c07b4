// Coupons of every kind, as tickets: what each is worth, where it is used, what is left, when it ends.
import type { WelfareCoupon } from "@clockwork/growth/rewards/contract";
import { Card } from "@clockwork/ui/card";
import { Chips } from "@clockwork/ui/segmented";
import { useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { formatShortDay } from "#words/day-text.ts";
import { type RewardsText, useRewardsText } from "#words/rewards-text.ts";
import { couponPath, isSoon, money, percentOf, plain } from "./rewards-model.ts";

const STATES = [
  ["USABLE", "coupons.usable"],
  ["USED", "coupons.used"],
  ["ENDED", "coupons.ended"],
] as const;

export interface CouponsCardProps {
  readonly coupons: readonly WelfareCoupon[] | null;
  readonly nowMs: number;
}

export function CouponsCard({ coupons: loaded, nowMs }: CouponsCardProps) {
  const text = useRewardsText();
  const coupons = loaded ?? [];
  const [chosen, setChosen] = useState("USABLE");
  const shown = coupons.filter(({ state }) => state === chosen);
  return (
    <Card
      title={text("coupons")}
      aside={
        <Chips
          label={text("coupons.filter")}
          value={chosen}
          onChange={setChosen}
          segments={STATES.map(([id, key]) => ({
            id,
            title: text(key, { count: coupons.filter(({ state }) => state === id).length }),
          }))}
        />
      }
    >
      {loaded === null && <FailedLine />}
      {loaded !== null && shown.length === 0 && <p className="text-muted text-ui">{text("coupons.none")}</p>}
      <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
        {shown.map((coupon) => (
          <Ticket key={coupon.couponId} coupon={coupon} nowMs={nowMs} />
        ))}
      </ul>
    </Card>
  );
}

function Ticket({ coupon, nowMs }: { readonly coupon: WelfareCoupon; readonly nowMs: number }) {
  const text = useRewardsText();
  const { kind, state, expiresAtMs } = coupon;
  const isUsable = state === "USABLE";
  const end = text(state === "ENDED" ? "coupon.endedOn" : "coupon.ends", { day: formatShortDay(expiresAtMs) });
  return (
    <li className={`flex flex-col rounded-control border border-line ${isUsable ? "" : "text-muted"}`}>
      <div className="flex-1 px-4 pt-4 pb-6">
        <p className="flex justify-between text-label text-muted">
          {text(`coupon.${kind}`)}
          {isUsable && (
            <SiteLink to={couponPath(coupon)} className="underline hover:text-text">
              {text("coupon.use")}
            </SiteLink>
          )}
        </p>
        <p className="figures text-muted text-ui">
          <Worth coupon={coupon} />
        </p>
        <p className="text-[13px] text-muted">{describeTerms(text, coupon)}</p>
      </div>
      <p className="figures flex justify-between gap-3 border-line2 border-t border-dashed px-4 py-2.5 text-label text-muted">
        <span>{describeRest(text, coupon)}</span>
        <span className={isUsable && isSoon(expiresAtMs, nowMs) ? "font-medium text-warn" : ""}>{end}</span>
      </p>
    </li>
  );
}

function Worth({ coupon }: { readonly coupon: WelfareCoupon }) {
  const text = useRewardsText();
  const isEarn = coupon.kind === "earn";
  const figure = isEarn ? `+${percentOf(coupon.rate ?? "0")}` : money(coupon.face ?? "0");
  const isCoin = coupon.kind === "bonus" || coupon.kind === "etf";
  const unit = isEarn ? text("coupon.apr") : isCoin ? text("coupon.inCoin", { coin: coupon.asset }) : "USDT";
  return (
    <>
      <span className="mr-1 font-semibold text-[20px] text-text leading-7">{figure}</span>
      {unit}
    </>
  );
}

function describeTerms(text: RewardsText, coupon: WelfareCoupon): string {
  if (coupon.kind === "fee") {
    const biz = coupon.biz === "futures" ? "futures" : "spot";
    return text(`coupon.feeNote.${biz}`, { percent: coupon.ratioPercent ?? 100 });
  }
  if (coupon.kind === "earn") {
    const product = coupon.product === "fixed" ? "fixed" : "flexible";
    const fields = { coin: coupon.asset, days: coupon.days ?? 0, cap: plain(coupon.cap ?? "0") };
    return text(`coupon.earnNote.${product}`, fields);
  }
  const needed = coupon.volumeNeeded ?? "0";
  return needed === "0" ? text("coupon.noVolume") : text("coupon.volume", { amount: plain(needed) });
}

function describeRest(text: RewardsText, coupon: WelfareCoupon): string {
  if (coupon.state === "USED") return text("coupon.isUsed");
  if (coupon.isWaiting) return text("coupon.waiting");
  if (coupon.kind === "fee") return text("coupon.left", { amount: money(coupon.left ?? "0") });
  if (coupon.kind === "earn") return text("coupon.unused");
  return coupon.isReady ? text("coupon.ready") : text("coupon.done", { amount: money(coupon.volumeDone ?? "0") });
}
