// The rules of every pair, as the core has them now. Nothing here is typed in.

import { groupThousands, trimZeros } from "@clockwork/kit/decimal";
import { formatPercent } from "@clockwork/kit/format";
import type { Pair } from "@clockwork/trading/markets/contract";
import { usePublicText } from "#words/public-text.ts";

/** "CANCEL_ONLY" → "Cancel only". */
function nameStatus(status: string): string {
  const words = status.replaceAll("_", " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function PairRules({ pairs, title }: { readonly pairs: readonly Pair[]; readonly title: string }) {
  const text = usePublicText();
  const head = "border-line border-b py-2 pr-3 text-right font-normal text-label text-muted first:text-left last:pr-0";
  const cell = "border-line border-b py-2.5 pr-3 text-right tabular-nums first:text-left last:pr-0";
  return (
    <section aria-labelledby="pairs" className="mt-10">
      <h2 id="pairs" className="scroll-mt-24 font-semibold text-[20px] leading-7 tracking-[-0.015em]">
        {title}
      </h2>
      {pairs.length === 0 ? (
        <p className="mt-4 text-muted">{text("public.rules.none")}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <div className="mt-4 overflow-x-auto" tabIndex={0}>
          <table className="w-full min-w-[640px] text-[13px]">
            <thead>
              <tr>
                <th className={head}>{text("public.rules.pair")}</th>
                <th className={head}>{text("public.rules.tick")}</th>
                <th className={head}>{text("public.rules.step")}</th>
                <th className={head}>{text("public.rules.min")}</th>
                <th className={head}>{text("public.rules.max")}</th>
                <th className={head}>{text("public.rules.fees")}</th>
                <th className={head}>{text("public.rules.state")}</th>
              </tr>
            </thead>
            <tbody>
              {pairs.map((pair) => (
                <tr key={pair.pairCode}>
                  <th scope="row" className={`${cell} font-medium`}>
                    {pair.base}/{pair.quote}
                  </th>
                  <td className={cell}>{pair.tickSize}</td>
                  <td className={cell}>{pair.stepSize}</td>
                  <td className={cell}>
                    {pair.minNotional} {pair.quote}
                  </td>
                  <td className={cell}>
                    {groupThousands(trimZeros(pair.maxQuantity))} {pair.base}
                  </td>
                  <td className={cell}>
                    {formatPercent(pair.makerRate)} / {formatPercent(pair.takerRate)}
                  </td>
                  <td className={cell}>{nameStatus(pair.status)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {pairs.some(({ isSimulated }) => isSimulated) && (
        <p className="mt-3 text-label text-muted">{text("public.rules.simulated")}</p>
      )}
    </section>
  );
}
