// Every level with its requirements, its fees as percent or on a million of volume, and its withdrawal factor.
import type { VipRates, VipTier } from "@clockwork/growth/vip/contract";
import { formatAbbreviated, formatDecimal } from "@clockwork/kit/format";
import { Badge } from "@clockwork/ui/pill";
import { Segmented } from "@clockwork/ui/segmented";
import { use, useState } from "react";
import { useProgrammeText } from "#words/programme-text.ts";
import { LocaleContext } from "#words/text.ts";

type Unit = "percent" | "million";
/** Percent of a million. */
const ON_MILLION = 10_000;
const CELL = "figures h-11 px-3 text-right";
const HEAD = "h-9 px-3 text-right font-normal text-label text-muted";
const EDGE = "border-line border-l";
/** Fixed while the rest scrolls. */
const FIRST = "sticky left-0 z-1";
const GROUND = "bg-bg dark:bg-surface";

export interface LevelTableProps {
  readonly levels: readonly VipTier[];
  /** The visitor's own, if any. */
  readonly held: number | undefined;
}

export function LevelTable({ levels, held }: LevelTableProps) {
  const text = useProgrammeText();
  const [unit, setUnit] = useState<Unit>("percent");
  const sign = unit === "percent" ? "%" : "USDT";
  return (
    <section className="rounded-card border border-line bg-bg dark:bg-surface">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2 px-6 pt-5 pb-2 max-md:px-4">
        <h2 className="mr-auto text-card text-text">{text("vip.levels")}</h2>
        <span className="text-[13px] text-muted">{text("vip.anyOne")}</span>
        <Segmented
          label={text("vip.show")}
          segments={[
            { id: "percent", title: text("vip.percent") },
            { id: "million", title: text("vip.onMillion") },
          ]}
          value={unit}
          onChange={(id) => setUnit(id === "million" ? "million" : "percent")}
        />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas are reached by keyboard */}
      <section className="overflow-x-auto px-3 pb-3" tabIndex={0} aria-label={text("vip.levels")}>
        <table className="w-full min-w-[860px] border-separate border-spacing-0 text-ui">
          <thead>
            <tr>
              <td className={`h-8 ${FIRST} ${GROUND}`} />
              <th colSpan={3} scope="colgroup" className="px-3 text-center font-normal text-label text-muted">
                {text("vip.least")}
              </th>
              <th colSpan={2} scope="colgroup" className={`${EDGE} px-3 font-normal text-label text-muted`}>
                {text("vip.spotHead", { unit: sign })}
              </th>
              <th colSpan={2} scope="colgroup" className={`${EDGE} px-3 font-normal text-label text-muted`}>
                {text("vip.futuresHead", { unit: sign })}
              </th>
              <th scope="colgroup" className={`${EDGE} px-3 text-right font-normal text-label text-muted`}>
                {text("vip.withdrawal")}
              </th>
            </tr>
            <HeadRow />
          </thead>
          <tbody>
            {levels.map((tier) => (
              <TierRow key={tier.level} tier={tier} unit={unit} isHeld={tier.level === held} />
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

function HeadRow() {
  const text = useProgrammeText();
  const names = ["spot", "futures", "assets", "maker", "taker", "maker", "taker", "factor"] as const;
  return (
    <tr>
      <th scope="col" className={`${HEAD} text-left! ${FIRST} ${GROUND}`}>
        {text("vip.column.level")}
      </th>
      {names.map((name, at) => (
        <th
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
          key={at}
          scope="col"
          className={`${HEAD} ${at === 3 || at === 5 || at === 7 ? EDGE : ""}`}
        >
          {text(`vip.column.${name}`)}
        </th>
      ))}
    </tr>
  );
}

interface TierRowProps {
  readonly tier: VipTier;
  readonly unit: Unit;
  readonly isHeld: boolean;
}

function TierRow({ tier, unit, isHeld }: TierRowProps) {
  const locale = use(LocaleContext);
  const text = useProgrammeText();
  const { rates } = tier;
  const fee = (name: keyof VipRates): string =>
    unit === "percent"
      ? rates[name]
      : formatDecimal(String(Math.round(Number(rates[name]) * ON_MILLION)), { grouped: true, decimals: 0 });
  const look = isHeld ? "bg-active font-medium" : "";
  const line = "border-line border-t";
  return (
    <tr className={look} aria-current={isHeld ? "true" : undefined}>
      <th
        scope="row"
        className={`h-11 whitespace-nowrap px-3 text-left font-medium ${FIRST} ${line} ${isHeld ? "bg-active shadow-[inset_2px_0_0_var(--accent)]" : GROUND}`}
      >
        {text("vip.level", { level: tier.level })}
        {isHeld && (
          <Badge className="ml-2 bg-text text-on-text" tone="outline">
            {text("vip.you")}
          </Badge>
        )}
      </th>
      {[tier.spotUsdt, tier.futuresUsdt, tier.assetsUsdt].map((amount, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
        <td key={at} className={`${CELL} ${line} ${isHeld ? "" : "text-muted"}`}>
          {amount === null ? "–" : formatAbbreviated(amount, { locale, decimals: 1, trimZeros: true })}
        </td>
      ))}
      <td className={`${CELL} ${line} ${EDGE}`}>{fee("spotMaker")}</td>
      <td className={`${CELL} ${line}`}>{fee("spotTaker")}</td>
      <td className={`${CELL} ${line} ${EDGE}`}>{fee("futuresMaker")}</td>
      <td className={`${CELL} ${line}`}>{fee("futuresTaker")}</td>
      <td className={`${CELL} ${line} ${EDGE}`}>{tier.withdrawalFactor}</td>
    </tr>
  );
}
