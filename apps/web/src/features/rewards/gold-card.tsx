// Almighty gold: what is active with its terms, what is used or over, and what moving own money out would void.

import { formatPercent } from "@clockwork/kit/format";
import type { Bonus } from "@clockwork/trading/bonus/contract";
import { Card } from "@clockwork/ui/card";
import { Icon } from "@clockwork/ui/icon";
import { latePart } from "#boot/late-part.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { formatShortDay } from "#words/day-text.ts";
import { useRewardsText } from "#words/rewards-text.ts";
import { Facts } from "./gold-facts.tsx";
import { moneyOf, quarterOf, sumLeft } from "./rewards-model.ts";

const HowItWorks = latePart(async () => (await import("./gold-help.tsx")).HowItWorks);

const PAST_MAX = 4;

export function GoldCard({ gold: loaded }: { readonly gold: readonly Bonus[] | null }) {
  const text = useRewardsText();
  const gold = loaded ?? [];
  const active = gold.filter(({ state }) => state === "ACTIVE");
  const past = gold.filter(({ state }) => state !== "ACTIVE").slice(0, PAST_MAX);
  const [first] = active;
  return (
    <Card title={text("gold")} aside={<HowItWorks />}>
      {loaded === null && <FailedLine />}
      {loaded?.length === 0 && <NoGold />}
      <ul className="grid gap-3">
        {active.map((grant) => (
          <ActiveGrant key={grant.grantId} grant={grant} />
        ))}
      </ul>
      <ul className="mt-3 grid gap-1 text-ui empty:mt-0">
        {past.map(({ grantId, state, amount, asset, expiresAtMs }) => (
          <li key={grantId} className="figures text-muted">
            {state === "USED"
              ? text("gold.used", { amount: moneyOf(amount, asset), coin: asset })
              : text("gold.over", { amount: moneyOf(amount, asset), coin: asset, day: formatShortDay(expiresAtMs) })}
          </li>
        ))}
      </ul>
      {first !== undefined && (
        <p className="mt-4 flex gap-2.5 rounded-control bg-info-soft p-3 text-[13px] text-muted leading-5">
          <Icon name="info" className="mt-0.5 shrink-0" />
          {text("gold.voids", { amount: quarterOf(sumLeft(active, first.asset), first.asset), coin: first.asset })}
        </p>
      )}
    </Card>
  );
}

/** What it would be, where there is none. */
function NoGold() {
  const text = useRewardsText();
  return (
    <>
      <p className="mb-4 text-muted text-ui">{text("gold.none")}</p>
      <Facts names={["margin", "losses", "gains", "moving"]} />
    </>
  );
}

function ActiveGrant({ grant }: { readonly grant: Bonus }) {
  const text = useRewardsText();
  const { amount, left, asset, maxLeverage, ratio, biz, expiresAtMs } = grant;
  const share = Number.parseFloat(amount) > 0 ? Number.parseFloat(left) / Number.parseFloat(amount) : 0;
  const lines: readonly (readonly [string, string])[] = [
    [text("gold.margin"), text("gold.contracts", { coin: asset })],
    [text("gold.leverage"), maxLeverage === null ? text("gold.anyLeverage") : `${maxLeverage}×`],
    [text("gold.covers"), formatPercent(ratio, { decimals: 0 })],
    [text("gold.profit"), text("gold.yours")],
  ];
  return (
    <li className="rounded-control border border-line p-4">
      <p className="flex justify-between gap-3 text-label text-muted">
        <span>{text("gold.active", { biz: text(`gold.${biz}`) })}</span>
        <span>{text("gold.ends", { day: formatShortDay(expiresAtMs) })}</span>
      </p>
      <p className="figures mt-1 text-muted text-ui">
        <span className="mr-2 font-semibold text-[28px] text-text leading-9">{moneyOf(left, asset)}</span>
        {text("gold.left", { amount: moneyOf(amount, asset), coin: asset })}
      </p>
      <span aria-hidden="true" className="mt-2 mb-3 block h-1.5 overflow-hidden rounded-full bg-line">
        <span className="block h-full rounded-full bg-brass" style={{ width: `${share * 100}%` }} />
      </span>
      <dl className="grid gap-1.5 text-[13px]">
        {lines.map(([label, value]) => (
          <div key={label} className="flex justify-between gap-3">
            <dt className="text-muted">{label}</dt>
            <dd className="text-right font-medium text-text">{value}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}
