// What a basket holds against its weights: a bar of each share with a mark where it belongs.

import { formatDecimal, formatPercent } from "@clockwork/kit/format";
import type { RebalancerDetail } from "@clockwork/strategies/rebalance/contract";
import { Card } from "@clockwork/ui/card";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { useGridText } from "./grid-text.ts";
import { percentText } from "./model/basket-model.ts";
import { groupedPrice } from "./model/grouped-price.ts";

const BPS = 10_000;

type Coin = RebalancerDetail["coins"][number];

/** Weights and shares are of a basket that runs. */
export function Holdings({ bot }: { readonly bot: RebalancerDetail }) {
  const text = useGridText();
  const isRunning = bot.status === "RUNNING";
  const title = text(isRunning ? "label.holds" : "basket.wentBack");
  const columns = (["price", "quantity", "value", "target", "share"] as const).slice(0, isRunning ? 5 : 3);
  const shown = bot.coins.filter(({ value }) => isRunning || value !== "0");
  return (
    <Card title={title}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas are reached by keyboard */}
      <section className="overflow-x-auto" tabIndex={0} aria-label={title}>
        <table className="w-full text-ui">
          <thead>
            <tr className="text-label text-muted">
              <th scope="col" className="py-2 text-left font-normal">
                {text("basket.coin")}
              </th>
              {columns.map((name) => (
                <th key={name} scope="col" className="px-2 text-right font-normal">
                  {text(`basket.${name}`)}
                </th>
              ))}
              {isRunning && (
                <th scope="col" className="w-[28%] min-w-[120px] pl-4 text-left font-normal max-md:hidden">
                  {text("basket.against")}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <tr key={one.coin} className="h-11 border-line border-t">
                <td>
                  <span className="flex items-center gap-2 font-medium">
                    <CoinGlyph code={one.coin} size={20} />
                    {one.coin}
                  </span>
                </td>
                <td className="figures px-2 text-right text-muted">
                  {one.price === null ? "–" : groupedPrice(one.price)}
                </td>
                <td className="figures px-2 text-right">
                  {one.price === null ? formatDecimal(one.quantity, { decimals: 2, grouped: true }) : one.quantity}
                </td>
                <td className="figures px-2 text-right">{formatDecimal(one.value, { decimals: 2, grouped: true })}</td>
                {isRunning && <Against coin={one} />}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {isRunning && <p className="mt-2 text-label text-muted">{text("basket.sharesNote")}</p>}
    </Card>
  );
}

/** The share against the weight, in figures and as a bar with a mark. */
function Against({ coin: { weightBps, shareBps } }: { readonly coin: Coin }) {
  return (
    <>
      <td className="figures px-2 text-right text-muted">{percentText(weightBps)}%</td>
      <td className="figures px-2 text-right">{formatPercent((shareBps / BPS).toFixed(4), { decimals: 2 })}</td>
      <td className="pl-4 max-md:hidden">
        <span className="relative block h-2 rounded-full bg-line" aria-hidden="true">
          <span
            className="absolute inset-y-0 left-0 rounded-full bg-m1"
            style={{ width: `${Math.min(BPS, shareBps) / 100}%` }}
          />
          <span className="absolute -inset-y-1 w-0.5 bg-text" style={{ left: `${weightBps / 100}%` }} />
        </span>
      </td>
    </>
  );
}
