// What is held, coin by coin: a table where there is room, cards on a phone. Columns keep one number of decimals each.
import type { Portfolio, PortfolioCoin } from "@clockwork/trading/portfolio/contract";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { SiteLink } from "#boot/site-link.tsx";
import { HIDDEN_TEXT, useHiddenAmounts } from "#session/hidden-amounts.ts";
import { usePortfolioText } from "#words/portfolio-text.ts";
import { showAmount, showCost, showGain, toneOf } from "./portfolio-model.ts";

const HELD_DECIMALS = 6;
const HEAD = "px-3 py-2 text-right font-normal first:pl-0 last:pr-0";
const CELL = "figures px-3 py-3 text-right first:pl-0 last:pr-0";

export function CoinList({ portfolio }: { readonly portfolio: Portfolio | null }) {
  const text = usePortfolioText();
  if (portfolio === null) return <p className="text-muted">{text("failed")}</p>;
  return (
    <section aria-labelledby="coins" className="rounded-panel border border-line p-5">
      <h2 id="coins" className="text-card">
        {text("coins")}
      </h2>
      {portfolio.coins.length === 0 ? (
        <p className="py-8 text-center text-muted">{text("empty")}</p>
      ) : (
        <>
          <table className="mt-2 w-full text-[13px] max-md:hidden">
            <thead>
              <tr className="text-label text-muted">
                <th className={`${HEAD} text-left`}>{text("coin")}</th>
                {(["held", "worth", "averageCost", "unrealised", "realised", "today"] as const).map((name) => (
                  <th key={name} scope="col" className={HEAD}>
                    {text(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {portfolio.coins.map((coin) => (
                <CoinRow key={coin.asset} coin={coin} />
              ))}
            </tbody>
          </table>
          <ul className="mt-2 md:hidden">
            {portfolio.coins.map((coin) => (
              <CoinCard key={coin.asset} coin={coin} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Gain({ text, percent }: { readonly text: string | null; readonly percent?: string | null }) {
  return (
    <span className={toneOf(text)}>
      {showGain(text)}
      {percent != null && <span className="block text-label">{showGain(percent)}%</span>}
    </span>
  );
}

function CoinName({ coin }: { readonly coin: PortfolioCoin }) {
  return (
    <span className="inline-flex items-center gap-2.5">
      <CoinGlyph code={coin.asset} size={20} />
      <span className="font-medium">{coin.asset}</span>
    </span>
  );
}

function CoinRow({ coin }: { readonly coin: PortfolioCoin }) {
  const { isHidden } = useHiddenAmounts();
  return (
    <tr data-coin={coin.asset} className="border-line border-t">
      <th scope="row" className="py-3 pr-3 text-left font-normal">
        {coin.asset === "USDT" ? (
          <CoinName coin={coin} />
        ) : (
          <SiteLink to={`/spot/${coin.asset}_USDT`} className="hover:underline">
            <CoinName coin={coin} />
          </SiteLink>
        )}
      </th>
      <td className={CELL}>{isHidden ? HIDDEN_TEXT : showAmount(coin.total, HELD_DECIMALS)}</td>
      <td className={CELL}>{isHidden ? HIDDEN_TEXT : showAmount(coin.worthUsdt, 2)}</td>
      <td className={CELL}>{showCost(coin.averageCostUsdt)}</td>
      <td className={CELL}>
        <Gain text={coin.unrealisedUsdt} percent={coin.unrealisedPercent} />
      </td>
      <td className={CELL}>
        <Gain text={coin.averageCostUsdt === null && /^0(\.0*)?$/.test(coin.realisedUsdt) ? null : coin.realisedUsdt} />
      </td>
      <td className={CELL}>
        <Gain text={coin.todayUsdt} />
      </td>
    </tr>
  );
}

function CoinCard({ coin }: { readonly coin: PortfolioCoin }) {
  const text = usePortfolioText();
  const { isHidden } = useHiddenAmounts();
  return (
    <li data-coin={coin.asset} className="border-line border-t py-3 first:border-t-0">
      <div className="flex items-center justify-between">
        <CoinName coin={coin} />
        <span className="figures font-medium">{isHidden ? HIDDEN_TEXT : showAmount(coin.total, HELD_DECIMALS)}</span>
      </div>
      <dl className="figures mt-2 grid grid-cols-3 gap-2 text-[13px]">
        <div>
          <dt className="text-label text-muted">{text("averageCost")}</dt>
          <dd>{showCost(coin.averageCostUsdt)}</dd>
        </div>
        <div>
          <dt className="text-label text-muted">{text("unrealised")}</dt>
          <dd>
            <Gain text={coin.unrealisedUsdt} />
          </dd>
        </div>
        <div className="text-right">
          <dt className="text-label text-muted">{text("worth")}</dt>
          <dd>{isHidden ? HIDDEN_TEXT : showAmount(coin.worthUsdt, 2)}</dd>
        </div>
      </dl>
    </li>
  );
}
