// A leader's figures of every window side by side, all from the same returns.
import type { WindowFigures } from "@clockwork/strategies/copy/contract";
import type { ReactNode } from "react";
import { gain, gainPercent, hold, percent, toneOf } from "./copy-figures.ts";
import { useCopyText } from "./copy-text.ts";

export function WindowTable({ windows }: { readonly windows: readonly WindowFigures[] }) {
  const text = useCopyText();
  const tinted = (value: string, shown: string): ReactNode => <span className={toneOf(value)}>{shown}</span>;
  const rows: readonly (readonly [string, (one: WindowFigures) => ReactNode])[] = [
    ["ROI", ({ roi }) => tinted(roi, gainPercent(roi))],
    ["PnL, USDT", ({ pnl }) => tinted(pnl, gain(pnl))],
    [text("drawdown"), ({ drawdown }) => percent(drawdown)],
    [text("sharpe"), ({ sharpe }) => sharpe?.replace("-", "−") ?? "–"],
    [text("trades"), ({ trades }) => trades],
    [text("winRate"), ({ winRate }) => percent(winRate, 1)],
    [text("profitFactor"), ({ profitFactor }) => profitFactor ?? "–"],
    [text("holding"), ({ holdingMs }) => (holdingMs === 0 ? "–" : hold(holdingMs))],
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    <section className="overflow-x-auto" aria-label={text("statistics")} tabIndex={0}>
      <table className="w-full whitespace-nowrap text-[13px]">
        <thead>
          <tr className="text-label text-muted">
            <th scope="col" className="py-2 text-left font-normal">
              <span className="sr-only">{text("statistics")}</span>
            </th>
            {windows.map(({ days }) => (
              <th key={days} scope="col" className="px-3 py-2 text-right font-normal last:pr-0">
                {text("days", { days })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="figures">
          {rows.map(([label, cell]) => (
            <tr key={label} className="border-line border-t">
              <th scope="row" className="py-2.5 text-left font-normal text-muted">
                {label}
              </th>
              {windows.map((one) => (
                <td key={one.days} className="px-3 py-2.5 text-right last:pr-0">
                  {cell(one)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
