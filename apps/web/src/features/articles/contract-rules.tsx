// The rules of every contract and its ladder, as the core has them now. Nothing here is typed in.

import { groupThousands, trimZeros } from "@clockwork/kit/decimal";
import { formatPercent } from "@clockwork/kit/format";
import type { ContractInfo, LadderStep } from "@clockwork/trading/markets/contract";
import { usePublicText } from "#words/public-text.ts";

export interface ContractTerms {
  readonly info: ContractInfo;
  readonly ladder: readonly LadderStep[];
}

const HEAD = "border-line border-b py-2 pr-3 text-right font-normal text-label text-muted first:text-left last:pr-0";
const CELL = "border-line border-b py-2.5 pr-3 text-right tabular-nums first:text-left last:pr-0";
/** Every decimal a rate has: a fee that is cut is a wrong one. */
const rate = (fraction: string): string => formatPercent(fraction, { decimals: 6, trimZeros: true });
const plain = (text: string): string => groupThousands(text.includes(".") ? trimZeros(text) : text);

export function ContractRules({
  contracts,
  title,
}: {
  readonly contracts: readonly ContractTerms[];
  readonly title: string;
}) {
  const text = usePublicText();
  return (
    <section aria-labelledby="contracts" className="mt-10">
      <h2 id="contracts" className="scroll-mt-24 font-semibold text-[20px] leading-7 tracking-[-0.015em]">
        {title}
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="mt-4 overflow-x-auto" tabIndex={0}>
        <table className="w-full min-w-[640px] text-[13px]">
          <thead>
            <tr>
              <th className={HEAD}>{text("public.rules.contract")}</th>
              <th className={HEAD}>{text("public.rules.tick")}</th>
              <th className={HEAD}>{text("public.rules.step")}</th>
              <th className={HEAD}>{text("public.rules.leverage")}</th>
              <th className={HEAD}>{text("public.rules.fees")}</th>
              <th className={HEAD}>{text("public.rules.liquidationFee")}</th>
              <th className={HEAD}>{text("public.rules.funding")}</th>
            </tr>
          </thead>
          <tbody>
            {contracts.map(({ info }) => (
              <tr key={info.pairCode}>
                <th scope="row" className={`${CELL} font-medium`}>
                  {info.pairCode.replace("_", "")}
                </th>
                <td className={CELL}>{info.tickSize}</td>
                <td className={CELL}>
                  {trimZeros(info.stepSize)} {info.kind === "linear" ? info.base : info.quote}
                </td>
                <td className={CELL}>{info.maxLeverage}×</td>
                <td className={CELL}>
                  {rate(info.makerRate)} / {rate(info.takerRate)}
                </td>
                <td className={CELL}>{rate(info.liquidationRate)}</td>
                <td className={CELL}>{info.fundingHours} h</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="mt-4 grid gap-2">
        {contracts.map(({ info, ladder }) => (
          <details key={info.pairCode} className="rounded-control border border-line px-4 py-2.5">
            <summary className="cursor-pointer font-medium">
              {text("public.rules.ladder", { contract: info.pairCode.replace("_", "") })}
            </summary>
            <Ladder ladder={ladder} asset={info.settle} />
          </details>
        ))}
      </div>
    </section>
  );
}

function Ladder({ ladder, asset }: { readonly ladder: readonly LadderStep[]; readonly asset: string }) {
  const text = usePublicText();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className="mt-2 overflow-x-auto" tabIndex={0}>
      <table className="w-full min-w-[480px] text-[13px]">
        <thead>
          <tr>
            <th className={HEAD}>{text("public.rules.tier")}</th>
            <th className={HEAD}>{text("public.rules.upTo", { asset })}</th>
            <th className={HEAD}>{text("public.rules.leverage")}</th>
            <th className={HEAD}>{text("public.rules.maintenance")}</th>
            <th className={HEAD}>{text("public.rules.deduction")}</th>
          </tr>
        </thead>
        <tbody>
          {ladder.map((step) => (
            <tr key={step.tier}>
              <td className={CELL}>{step.tier}</td>
              <td className={CELL}>{plain(step.maxNotional)}</td>
              <td className={CELL}>{step.maxLeverage}×</td>
              <td className={CELL}>{formatPercent(step.maintenanceRate, { decimals: 2 })}</td>
              <td className={CELL}>{plain(step.deduction)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
